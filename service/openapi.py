"""The published document: OpenAPI 3.1, made from the routes, their schemas and the table of codes."""

from __future__ import annotations

from typing import Any, Final

import flask_smorest
from flask import Flask
from marshmallow import fields

from service.codes import CODES
from service.http.described import ANYWHERE, problems
from service.problems import FieldError, Problem
from service.schemas.base import AnswerSchema
from service.schemas.fields import Choice, Integer, document_card

TITLE: Final = "Take 5"
VERSION: Final = "1.0.0"
_DESCRIPTION: Final = """\
An open game service for Take 5 (6 nimmt!): tables for people and bots, hidden cards, fair deals that can be checked,
replays. Everything is plain JSON over HTTP; whatever speaks HTTP can play.

**A first game**: `POST /v1/players` gives you a token; `POST /v1/games` a table. Then read the list of what you owe,
`GET /v1/me/decisions?wait=25`, and answer each with `PUT`, until the game is over.

**Errors** are problem documents (RFC 9457); decide by `code`, every one of which is explained at
[/docs/problems](/docs/problems). **Unknown** fields and arguments are refused in requests; in answers please ignore those
that you do not know, for this version changes only by addition. **Integers** have no fraction: `5.0` is refused.
**Repeating** a creating request is safe with an `Idempotency-Key`. **Polling** is cheap with `If-None-Match`, and needless
with `wait`. **Links** beside an answer say which operations what it holds is good for.

An independent implementation of the rules; not affiliated with the publishers of the printed game.
"""
_METHODS: Final = frozenset({"get", "put", "post", "patch", "delete"})
_HEADERS: Final = {
    "X-Request-Id": ("Names this request in our log; your own, if you sent a sane one.", {"type": "string"}),
    "Server-Time-Ms": (
        "The service's clock, in milliseconds since 1970, to compare deadlines with.",
        {"type": "string"},
    ),
}

_LIMIT_HEADERS: Final = {
    "RateLimit-Policy": "How much may be asked for of this kind while it is being answered already, for the token and "
    "for the address: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-11).",
    "RateLimit": "How much of it is left: `r` requests within the next `t` seconds.",
}


class FieldErrorSchema(AnswerSchema):
    """One wrong part of a request."""

    place = Choice("body", "query", "header", "path", data_key="in", required=True)
    pointer = fields.String(
        required=True,
        metadata={
            "description": "A JSON Pointer into the body, `?name` of an argument, or the name of a header or of a part of "
            "the path."
        },
    )
    detail = fields.String(required=True)


class ProblemSchema(AnswerSchema):
    """Why a request was not served (RFC 9457)."""

    type = fields.String(required=True, metadata={"description": "A page that explains the code."})
    title = fields.String(required=True)
    status = Integer(400, 599, required=True)
    detail = fields.String(required=True)
    code = fields.String(
        required=True, metadata={"description": "Decide by this: it never changes its meaning."}
    )
    request_id = fields.String(required=True)
    errors = fields.List(
        fields.Nested(FieldErrorSchema), metadata={"description": "Each wrong part of the request."}
    )
    legal = fields.Dict(metadata={"description": "What would be accepted now."})
    retry_after_ms = Integer(0, metadata={"description": "When it makes sense to ask again."})


class Api(flask_smorest.Api):  # type: ignore[misc]  # the package ships no types
    """flask-smorest's collector of routes, with our problem documents in place of its own errors."""

    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Leave answering to `service.http.errors`."""

    def _register_pagination_header(self) -> None:
        """Leave flask-smorest's own way of paging out of the document."""

    def _register_responses(self) -> None:
        """Describe what any request may meet before its operation, in the media type it really has."""
        self.spec.components.schema("Problem", schema=ProblemSchema)
        self.spec.components.response(
            "DEFAULT_ERROR",
            {
                "description": "A problem document; `code` says which.",
                "content": problems(ANYWHERE),
            },
        )


def settings() -> dict[str, Any]:
    """Return the Flask settings from which flask-smorest makes the head of the document."""
    return {
        "API_TITLE": TITLE,
        "API_VERSION": VERSION,
        "OPENAPI_VERSION": "3.1.0",
        "API_SPEC_OPTIONS": {
            "info": {
                "description": _DESCRIPTION,
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/"}],
        },
    }


def prepare(api: Api) -> None:
    """Put what all routes share into the document: how to say who you are, what a problem looks like, an example of each."""
    components = api.spec.components
    components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": "The token from `POST /v1/players`."}
    )
    components.security_scheme(
        "operator",
        {"type": "http", "scheme": "bearer", "description": "The service's own `TAKE5_METRICS_TOKEN`."},
    )
    api.ma_plugin.converter.add_attribute_function(document_card)
    for name, (description, schema) in _HEADERS.items():
        components.header(name, {"description": description, "required": True, "schema": schema})
    for name, description in _LIMIT_HEADERS.items():
        components.header(name, {"description": description, "schema": {"type": "string"}})
    for code in sorted(CODES):
        components.example(code, {"summary": CODES[code].title, "value": _example(code)})


def document(app: Flask) -> dict[str, Any]:
    """Return the whole document of `app`, ready to be written as JSON; the same for every `app`, whatever it is set to."""
    spec: dict[str, Any] = app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
    common = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS}
    limited = {name: {"$ref": f"#/components/headers/{name}"} for name in _LIMIT_HEADERS}
    for path in spec["paths"].values():
        for operation in path.keys() & _METHODS:
            responses = path[operation]["responses"]
            headers = common | (limited if "429" in responses else {})
            for response in responses.values():
                if "$ref" not in response:
                    response["headers"] = headers | response.get("headers", {})
            path[operation]["responses"] = dict(sorted(responses.items()))
    return spec


def _example(code: str) -> dict[str, Any]:
    errors = (FieldError("body", "/seats", "Not a valid integer."),) if code == "invalid_request" else ()
    retry_after_ms = 1000 if CODES[code].status in {429, 503} else None
    return Problem(code, errors=errors, retry_after_ms=retry_after_ms).document("5f0c2a1e9b7d4c3f8a6b0d21")
