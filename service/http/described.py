"""How an operation stands in the document: who may call it, all that it can answer with, and where its answer leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import marshmallow as ma

from service.bounds import KEY_CHARACTERS
from service.codes import CODES
from service.limiting import CODES as LIMIT_CODES, bucket_of
from service.problems import MEDIA_TYPE
from service.schemas.fields import codes_of

_IF_NONE_MATCH: Final = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The `ETag` of what you hold: if that is still right, the answer is 304 without a body.",
    "schema": {"type": "string"},
}
_LAST_EVENT_ID: Final = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The last `id` that you have of a stream, which then goes on behind it; counts before `after`.",
    "schema": {"type": "string"},
}
_ETAG: Final = {
    "ETag": {"description": "Names what was answered, byte for byte.", "schema": {"type": "string"}}
}
_REPLAYED: Final = {
    "Idempotent-Replayed": {
        "description": "`true` where this is the answer to an earlier request with the same `Idempotency-Key`.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}
_RETRY_AFTER: Final[dict[str, Any]] = {
    "Retry-After": ("In how many seconds to ask again.", {"type": "integer", "minimum": 1})
}
_HEADERS: Final[dict[int, dict[str, Any]]] = {
    201: {"Location": ("Where what was made is to be found.", {"type": "string"})},
    401: {"WWW-Authenticate": ("What to send: a bearer token.", {"type": "string"})},
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}
"""What an answer of some status always has, whatever the operation."""

_BODY_CODES: Final = {"malformed_json", "body_too_large", "unsupported_media_type"}
_STREAM_CODES: Final = {"streams_limited", "too_many_streams", "no_stream_free", "not_acceptable"}
_IDEMPOTENCY_CODES: Final = {
    "idempotency_key_invalid",
    "idempotency_key_reused",
    "idempotency_key_running",
    "too_many_idempotency_keys",
}

ANYWHERE: Final = (
    "bad_request",
    "body_too_large",
    "headers_too_large",
    "internal_error",
    "method_not_allowed",
    "not_found",
    "not_implemented",
    "unsupported_media_type",
    "uri_too_long",
)
"""The codes that any request may meet before, or instead of, its operation."""


def describe_operation(
    doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **_: Any
) -> dict[str, Any]:
    """Return an operation of the document with all that decorators have noted; flask-smorest calls this for each one."""
    doc["operationId"] = doc_info["operation"]
    codes = {"invalid_request", "unavailable", *doc_info.get("codes", [])}
    codes |= {
        code
        for schema in _taken(doc, doc_info)
        for field in schema.fields.values()
        for code in codes_of(field)
    }
    if method.upper() not in ("GET", "HEAD"):
        codes.add("store_full")
    if doc_info.get("changes"):
        codes.add("too_many_changes")
    if "too_many_waiting" in codes:
        codes.add("waiting_limited")
    if (bucket := bucket_of(doc_info, method.upper())) is not None:
        codes.add(LIMIT_CODES[bucket])
    codes |= _BODY_CODES if "requestBody" in doc else {"body_not_expected", "malformed_json"}
    responses = doc.setdefault("responses", {})
    access = doc_info.get("access", "public")
    if access != "public":
        codes |= {"token_required", "token_invalid"} if access == "required" else {"token_invalid"}
        doc["security"] = [{"token": []}] if access == "required" else [{}, {"token": []}]
    if doc_info.get("reserved"):
        doc["security"] = [{"operator": []}]
    if doc_info.get("repeatable"):
        codes |= _IDEMPOTENCY_CODES
        doc.setdefault("parameters", []).append(_idempotency_key(doc_info["repeatable"]))
        for status in _successes(responses):
            responses[status].setdefault("headers", {}).update(_REPLAYED)
    if doc_info.get("polled"):
        doc.setdefault("parameters", []).append(_IF_NONE_MATCH)
        responses[304] = {"description": "What you hold is still right.", "headers": _ETAG}
        responses[200].setdefault("headers", {}).update(_ETAG)
    if doc_info.get("streamed"):
        codes |= _STREAM_CODES
        doc.setdefault("parameters", []).append(_LAST_EVENT_ID)
        responses[204] = {
            "description": "Nothing can follow on what you have of the stream: do not come back."
        }
    if doc_info.get("links"):
        for status in _successes(responses):
            responses[status]["links"] = doc_info["links"]
    _add_problems(responses, codes)
    for status in _HEADERS.keys() & responses.keys():
        for name, (description, schema) in _HEADERS[status].items():
            header = {"description": description, "required": True, "schema": schema}
            responses[status].setdefault("headers", {})[name] = header
    return doc


def _successes(responses: dict[Any, Any]) -> list[int]:
    return [status for status in responses if status in {200, 201}]


def _taken(doc: dict[str, Any], doc_info: dict[str, Any]) -> Iterator[ma.Schema]:
    """Yield the schemas of what an operation takes, in its body and in its query."""
    parameters = doc_info.get("arguments", {}).get("parameters", [])
    bodies = doc.get("requestBody", {}).get("content", {}).values()
    for holder in (*parameters, *bodies):
        schema = holder["schema"]
        yield schema() if isinstance(schema, type) else schema


def problems(codes: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """Return the content of an answer that is a problem document with one of these codes."""
    return {
        MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
        }
    }


def _add_problems(responses: dict[Any, Any], codes: set[str]) -> None:
    statuses = {CODES[code].status for code in codes}
    by_status: dict[int, list[str]] = {}
    for code in sorted(codes.union(code for code in ANYWHERE if CODES[code].status in statuses)):
        by_status.setdefault(CODES[code].status, []).append(code)
    for status, listed in by_status.items():
        description = " ".join(f"`{code}`: {CODES[code].meaning}" for code in listed)
        own = responses.get(status)  # a name where flask-smorest made it up, a dict where a route said it
        if isinstance(own, dict):
            responses[status] = {**own, "content": {**own.get("content", {}), **problems(listed)}}
        else:
            responses[status] = {"description": description, "content": problems(listed)}


def _idempotency_key(least: int) -> dict[str, Any]:
    return {
        "in": "header",
        "name": "Idempotency-Key",
        "description": "A random key of your own: a request repeated with it gets the first answer again.",
        # No example: the interactive page would fill it in, and whoever tries it would share one answer, and its token.
        "schema": {"type": "string", "minLength": least, "maxLength": KEY_CHARACTERS, "pattern": "^[!-~]+$"},
    }
