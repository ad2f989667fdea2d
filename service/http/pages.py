"""Lists in pages: `?limit` and an opaque `?cursor` in, `{items, next_cursor}` and a `Link` out."""

from __future__ import annotations

import hashlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

import orjson
from flask import Response, request

from service.problems import FieldError, Problem
from service.services import link

_CHECK_BYTES: Final = 6

Position = Sequence[str | int]
"""Where a page ends, as the store counts: the sort key of its last item, for instance `(created_ms, game)`."""


def read_cursor(cursor: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """Return the position that `cursor` stands for, or None for the first page.

    `kinds` are the types of the position's parts.  A cursor is bound to its list: to the path and to every argument but
    `limit` and itself.  Raises Problem `invalid_cursor` for any other text.
    """
    if cursor is None:
        return None
    try:
        sealed = b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        payload, check = sealed[:-_CHECK_BYTES], sealed[-_CHECK_BYTES:]
        position = orjson.loads(payload)
    except ValueError:
        raise _bad_cursor() from None
    if check != _check(payload) or not isinstance(position, list) or [*map(type, position)] != [*kinds]:
        raise _bad_cursor()
    return tuple(position)


def write_cursor(position: Position) -> str:
    """Return the cursor that continues the list of the current request after `position`."""
    payload = orjson.dumps(list(position))
    return urlsafe_b64encode(payload + _check(payload)).decode().rstrip("=")


def page(items: Iterable[Any], after: Position | None) -> Response:
    """Return one page as `{items, next_cursor}`; `after` is the position of its last item, None on the last page.

    Ask the store for one item more than `limit`: only then is it known whether another page follows.
    """
    cursor = None if after is None else write_cursor(after)
    response = Response(
        orjson.dumps({"items": list(items), "next_cursor": cursor}), content_type="application/json"
    )
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    if cursor is not None:
        query = urlencode(request.args.to_dict() | {"cursor": cursor})
        response.headers["Link"] = f'<{link(quote(request.path))}?{query}>; rel="next"'
    return response


def _check(payload: bytes) -> bytes:
    """Return a check sum over the list and the position: it catches mistakes; a cursor guards no secret."""
    filters = sorted((name, value) for name, value in request.args.items() if name not in {"limit", "cursor"})
    return hashlib.sha256(orjson.dumps([request.path, filters]) + payload).digest()[:_CHECK_BYTES]


def _bad_cursor() -> Problem:
    return Problem("invalid_cursor", errors=(FieldError("query", "?cursor", "Not a cursor of this list."),))
