"""A blueprint whose routes are strict about input and documented whole; flask-smorest's, with types and our answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, NoReturn, ParamSpec, TypeVar, cast

import flask_smorest
import marshmallow as ma
from flask import Request, request
from webargs.flaskparser import FlaskParser

from service.apidoc import note, noted
from service.http.body import read_json
from service.http.described import describe_operation
from service.likely import meant
from service.problems import FieldError, Place, Problem, json_pointer
from service.store.quotas import Bucket

P = ParamSpec("P")
R = TypeVar("R")
View = Callable[P, R]
SchemaLike = ma.Schema | type[ma.Schema]

_UNKNOWN: Final = "Unknown field."
"""What marshmallow says of one."""
_MOST_HINTS: Final = 5
_PLACES: Final[Mapping[str, Place]] = {"json": "body", "query": "query", "headers": "header"}


class StrictParser(FlaskParser):
    """Reads declared arguments; whatever is wrong becomes one Problem that names every wrong part.

    Its code is that of a bound where nothing else is wrong than that it was passed.
    """

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Return the body as `service.http.body.read_json` reads it."""
        return read_json(req)

    def parse(self, argmap: Any, *args: Any, location: str | None = None, **options: Any) -> Any:
        """Return what came with the request as its schema loads it; an empty query, which is polled most, at no cost."""
        if location == "query" and not request.query_string and (defaults := _defaults(argmap)) is not None:
            return dict(defaults)
        return super().parse(argmap, *args, location=location, **options)

    def _get_schema(self, argmap: Any, req: Request) -> ma.Schema:
        """Return the schema of a route: one for all its requests, since making it takes longer than using it."""
        return _schema(argmap)

    def handle_error(
        self,
        error: ma.ValidationError,
        req: Request,
        schema: ma.Schema,
        *,
        error_status_code: int | None,
        error_headers: Mapping[str, str] | None,
    ) -> NoReturn:
        """Raise the Problem for what marshmallow found."""
        messages = cast("Mapping[str, Any]", error.messages)
        found = [
            each
            for location, nested in messages.items()
            for each in _with_hints(_field_errors(_PLACES[location], nested, ()), schema)
        ]
        codes = {getattr(each.detail, "code", "invalid_request") for each in found}
        code = codes.pop() if len(codes) == 1 else "invalid_request"
        raise Problem(code, errors=tuple(found)) from error


@cache
def _schema(kind: SchemaLike) -> ma.Schema:
    return kind() if isinstance(kind, type) else kind


@cache
def _defaults(kind: SchemaLike) -> dict[str, Any] | None:
    """Return what a schema loads from nothing, or None when it wants something."""
    try:
        loaded: dict[str, Any] = _schema(kind).load({})
    except ma.ValidationError:
        return None
    return loaded


def _field_errors(place: Place, messages: Any, path: tuple[str | int, ...]) -> list[FieldError]:
    """Return marshmallow's nested messages as a flat list, each with the pointer of the field it is about."""
    if isinstance(messages, Mapping):
        return [
            found
            for key, nested in messages.items()
            for found in _field_errors(place, nested, path if key == "_schema" else (*path, key))
        ]
    pointer = (
        json_pointer(*path) if place == "body" else f"{'?' * (place == 'query')}{path[0] if path else ''}"
    )
    return [FieldError(place, pointer, message) for message in messages]


def _with_hints(found: list[FieldError], schema: ma.Schema) -> Iterator[FieldError]:
    """Say of a field that nobody knows which one was meant, where one is much like it; of a few, since it takes time."""
    known = [field.data_key or name for name, field in schema.fields.items()]
    hints = _MOST_HINTS
    for each in found:
        if each.detail != _UNKNOWN or hints == 0 or each.pointer.count("/") > 1:
            yield each
            continue
        hints -= 1
        likely = meant(each.pointer.lstrip("/?"), known)
        yield replace(each, detail=f"{_UNKNOWN} Did you mean {likely}?") if likely else each


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # the package ships no types
    """A group of routes under one tag of the document.

    The name of a view function is its `operationId`, the first line of its docstring the summary, the rest of it the
    description.  A view gets what each `arguments` decorator loaded, top one first, and its path arguments by name::

        blp = Blueprint("games", __name__, description="Create, find and watch games.")

        @blp.route("/v1/games", methods=["POST"])
        @requires_player
        @blp.arguments(NewGame, example={"ruleset": "classic", "seats": 4})
        @blp.response(201, GameView, example=EXAMPLE)
        @blp.refuses("bad_options", "ruleset_unknown")
        @created_once
        def create_game(options: dict[str, Any]) -> Response: ...
    """

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, import_name: str, *, description: str) -> None:
        super().__init__(name, import_name, description=description)
        self._prepare_doc_cbks.append(describe_operation)

    def route(
        self, rule: str, *, methods: Sequence[str] = ("GET",), **options: Any
    ) -> Callable[[View[P, R]], View[P, R]]:
        """Return a decorator that serves a view at `rule`; a GET route answers HEAD too."""
        serve: Callable[[View[P, R]], View[P, R]] = super().route(rule, methods=list(methods), **options)

        def decorate(view: View[P, R]) -> View[P, R]:
            note(view, "operation", view.__name__)
            if "<game_id>" in rule and "GET" not in methods and noted(view).get("bucket") != "laying":
                note(view, "changes", value=True)
            return serve(view)

        return decorate

    def arguments(
        self, schema: SchemaLike, *, location: str = "json", **doc: Any
    ) -> Callable[[Callable[..., R]], Callable[..., R]]:
        """Return a decorator that loads the body (or, with `location="query"`, the query) and passes it as a dict.

        `example` (or `examples`) is what the document shows; a body must have one.  The document calls a body `required`
        unless the schema is content with none.
        """
        doc.setdefault("required", _defaults(schema) is None)
        decorator: Callable[[Callable[..., R]], Callable[..., R]] = super().arguments(
            schema, location=location, **doc
        )
        return decorator

    def response(
        self, status_code: int, schema: SchemaLike | Mapping[str, Any] | None = None, **doc: Any
    ) -> Callable[[View[P, Any]], View[P, Any]]:
        """Return a decorator that documents the answer, and dumps what the view returns unless it is a Response.

        `example` (or `examples`) is what the document shows, `content_type` is JSON unless it is said: an answer in
        several media types is documented by a decorator for each. A body that is no JSON has a JSON Schema as its `schema`.
        """
        decorator: Callable[[View[P, Any]], View[P, Any]] = super().response(status_code, schema, **doc)
        return decorator

    def polled(self, view: View[P, R]) -> View[P, R]:
        """Return the view, documented as one that answers with `service.http.answers.answer`: ETag, 304 and all."""
        note(view, "polled", value=True)
        return view

    def counts_as(self, bucket: Bucket | None) -> Callable[[View[P, R]], View[P, R]]:
        """Return a decorator for a view whose requests are counted otherwise than its method says; None: not at all."""

        def decorate(view: View[P, R]) -> View[P, R]:
            note(view, "bucket", bucket)
            return view

        return decorate

    def streamed(self, view: View[P, R]) -> View[P, R]:
        """Return the view, documented as one that may answer with `service.http.streaming.stream`."""
        note(view, "streamed", value=True)
        return view

    def reserved(self, view: View[P, R]) -> View[P, R]:
        """Return the view, documented as one for the operator, with a token of its own."""
        note(view, "reserved", value=True)
        return view

    def leads_to(
        self,
        operation: str,
        parameters: Mapping[str, str] | None = None,
        *,
        name: str = "",
        body: Mapping[str, Any] | None = None,
    ) -> Callable[[View[P, R]], View[P, R]]:
        """Return a decorator that documents a link: what the answer holds is what `operation` wants next.

        The parameters of that operation, and what its body has, are given as OpenAPI's runtime expressions, such as
        `$response.body#/id`, or as constants.  `name` tells two links to the same operation apart.
        """
        link: dict[str, Any] = {"operationId": operation}
        link |= {"parameters": dict(parameters)} if parameters else {}
        link |= {"requestBody": dict(body)} if body else {}

        def decorate(view: View[P, R]) -> View[P, R]:
            note(view, "links", {name or operation: link, **noted(view).get("links", {})})
            return view

        return decorate

    def refuses(self, *codes: str) -> Callable[[View[P, R]], View[P, R]]:
        """Return a decorator that documents which codes this route may refuse with, beyond those of every route."""

        def decorate(view: View[P, R]) -> View[P, R]:
            note(view, "codes", [*noted(view).get("codes", []), *codes])
            return view

        return decorate
