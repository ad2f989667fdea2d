"""Checks that run before every view, so that no route can forget them: arguments, bodies, sizes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import marshmallow as ma
from flask import current_app, request

from service.apidoc import noted
from service.http.body import read_json
from service.likely import meant
from service.problems import FieldError, Problem
from service.services import current

_CHUNKED: Final = "chunked"
_TWICE: Final = "Given more than once."


def check_request() -> None:
    """Refuse what the route of the current request does not take.

    That is: a body over the limit or in a coding that is not undone here, an argument that is not declared or given twice,
    and any body but `{}` where none is declared.  Raises Problem; unknown routes are left to routing.
    """
    if request.headers.get("Transfer-Encoding", _CHUNKED).lower() != _CHUNKED:
        raise Problem("not_implemented")
    if request.url_rule is None or request.endpoint is None:
        return
    if (request.content_length or 0) > current().config.body_limit_bytes:
        raise Problem("body_too_large")
    arguments, takes_body = _declared(current_app.view_functions[request.endpoint])
    if request.query_string:
        _check_query(arguments)
    if not takes_body and read_json(request) != {}:
        raise Problem("body_not_expected")


def _check_query(declared: frozenset[str]) -> None:
    errors = [
        FieldError("query", f"?{name}", _unknown(name, declared) if name not in declared else _TWICE)
        for name, values in request.args.lists()
        if name not in declared or len(values) > 1
    ]
    if errors:
        raise Problem("invalid_request", errors=tuple(errors))


def _unknown(name: str, declared: frozenset[str]) -> str:
    likely = meant(name, declared)
    return f"Unknown argument. Did you mean {likely}?" if likely else "Unknown argument."


@cache
def _declared(view: Callable[..., Any]) -> tuple[frozenset[str], bool]:
    """Return the names of the query arguments that a view declares, and whether it declares a body."""
    parameters = noted(view).get("arguments", {}).get("parameters", [])
    names = {
        field.data_key or name
        for parameter in parameters
        if parameter["in"] == "query"
        for name, field in _instance(parameter["schema"]).fields.items()
    }
    return frozenset(names), any(parameter["in"] == "json" for parameter in parameters)


def _instance(schema: ma.Schema | type[ma.Schema]) -> ma.Schema:
    return schema() if isinstance(schema, type) else schema
