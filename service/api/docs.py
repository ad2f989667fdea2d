"""The published document, and pages for people: interactive documentation, and what each code of a problem means.

Everything the pages need is served from here; they ask no other host for anything.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from flask import (
    Blueprint as Pages,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    send_from_directory,
)
from marshmallow import fields

from service.codes import CODES
from service.http.answers import answer, represent
from service.http.blueprint import Blueprint
from service.openapi import document
from service.schemas.base import AnswerSchema

blp = Blueprint("documentation", __name__, description="This document itself.")
pages = Pages("pages", __name__)

_ASSETS: Final = str(files("flask_swagger_ui") / "dist")
_POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class DocumentSchema(AnswerSchema):
    """An OpenAPI document."""

    openapi = fields.String(required=True)
    info = fields.Dict(required=True)
    paths = fields.Dict(required=True)


@blp.route("/v1/openapi.json")
@blp.response(
    200,
    DocumentSchema,
    example={"openapi": "3.1.0", "info": {"title": "Take 5", "version": "1.0.0"}, "paths": {}},
)
@blp.polled
def show_openapi() -> Response:
    """Show the OpenAPI document of the whole API."""
    return answer(lambda: represent(document(current_app)))


@pages.get("/")
def show_way() -> Any:
    """Lead somebody who typed the address into a browser to the interactive documentation."""
    return redirect("docs")


@pages.get("/docs")
def show_docs() -> Response:
    """Show the interactive documentation."""
    return _page("docs.html")


@pages.get("/docs/problems")
def show_problems() -> Response:
    """Explain every code that a problem document can carry."""
    return _page("problems.html", codes=sorted(CODES.items()))


@pages.get("/docs/start.js")
def show_start() -> Response:
    """Show the script that starts the interactive documentation."""
    response = make_response(render_template("start.js"))
    response.mimetype = "text/javascript"
    return response


@pages.get("/docs/assets/<path:name>")
def show_asset(name: str) -> Response:
    """Show a part of Swagger UI, as its package has it."""
    response = send_from_directory(_ASSETS, name, max_age=3600)
    response.headers["Content-Security-Policy"] = _POLICY
    return response


def _page(template: str, **values: Any) -> Response:
    response = make_response(render_template(template, **values))
    response.headers["Content-Security-Policy"] = _POLICY
    return response
