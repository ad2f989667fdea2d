"""Files to download: those that never change may be kept for ever, those of a game that is played are kept by nobody."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import Final

from flask import Response, request

from service.http.answers import etag_of

_YEAR_S: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class File:
    """A file as a client would save it; `is_final` when it will never change, `is_open` when everybody may have it."""

    name: str
    content_type: str
    body: bytes
    is_final: bool
    is_open: bool


def download(file: File) -> Response:
    """Return the file as the answer to the current request.

    One that is final has a strong ETag and is compressed for whoever accepts that; the two forms have ETags of their own.
    """
    if not file.is_final:
        response = Response(file.body, content_type=file.content_type)
        response.headers["Cache-Control"] = "no-store"
    else:
        response = _final(file)
    response.headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response


def _final(file: File) -> Response:
    is_packed = request.accept_encodings.quality("gzip") > 0
    etag = etag_of(file.body) + ("-gzip" if is_packed else "")
    is_held = request.if_none_match.contains_weak(etag)
    body = b"" if is_held else gzip.compress(file.body, mtime=0) if is_packed else file.body
    response = Response(body, 304 if is_held else 200, content_type=file.content_type)
    if is_packed and not is_held:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["ETag"] = f'"{etag}"'
    scope = "public" if file.is_open else "private"
    response.headers["Cache-Control"] = f"{scope}, max-age={_YEAR_S}, immutable"
    response.vary.update(["Accept-Encoding"] if file.is_open else ["Accept-Encoding", "Authorization"])
    return response
