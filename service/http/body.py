"""Strict JSON bodies: one value in UTF-8, every key once, no NaN, no text that is not Unicode, not too deep."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from werkzeug import Request

from service.bounds import BODY_DEPTH
from service.problems import FieldError, Problem, json_pointer
from service.services import current

_JSON_TYPE: Final = re.compile(r"application/json\s*(?:;\s*charset\s*=\s*\"?utf-8\"?\s*)?", re.IGNORECASE)


def read_json(request: Request) -> Any:
    """Return the JSON value of the body of `request`, or `{}` when there is no body.

    So a route whose fields are all optional may be called without a body, and any other names the fields that are
    missing.  Raises Problem: `body_too_large`, `unsupported_media_type`, `malformed_json`, `invalid_request`.
    """
    raw = request.get_data(cache=True)
    if not raw:
        return {}
    if len(raw) > current().config.body_limit_bytes:
        raise Problem("body_too_large")
    encoding = request.headers.get("Content-Encoding", "identity")
    if encoding != "identity" or not _JSON_TYPE.fullmatch(request.headers.get("Content-Type", "")):
        raise Problem("unsupported_media_type", headers={"Accept": "application/json"})
    return parse_json(raw)


def parse_json(raw: bytes) -> Any:
    """Return the one JSON value that `raw` is; raises Problem `malformed_json` or `invalid_request`."""
    try:
        value = json.loads(raw.decode(), parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise Problem(
            "malformed_json", f"The body is not UTF-8: the error is at byte {error.start}."
        ) from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Problem("malformed_json", f"The body is not JSON: {error.msg}, at {where}.") from error
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise Problem("malformed_json", "The body holds a number that is too long.") from error
    _check(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise Problem("malformed_json", f"{name} is not JSON.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Problem("malformed_json", "An object in the body names a key twice.")
    return members


def _too_deep() -> Problem:
    return Problem("malformed_json", f"The body is nested deeper than {BODY_DEPTH} levels.")


def _check(value: Any) -> None:
    """Refuse what is too deep, and lone surrogates: JSON can spell them, but they are no text and cannot be stored."""
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while waiting:
        here, path = waiting.pop()
        match here:
            case str() if not _is_unicode(here):
                raise _not_unicode(path)
            case dict() | list() if len(path) >= BODY_DEPTH:
                raise _too_deep()
            case dict():
                if not all(map(_is_unicode, here)):
                    raise _not_unicode(path)
                waiting.extend((member, (*path, key)) for key, member in here.items())
            case list():
                waiting.extend((member, (*path, index)) for index, member in enumerate(here))
            case _:
                pass


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _not_unicode(path: tuple[str | int, ...]) -> Problem:
    detail = "This text holds half of a surrogate pair, which is no character."
    return Problem("invalid_request", errors=(FieldError("body", json_pointer(*path), detail),))
