"""The media type that a client prefers, of those that an address offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from flask import request

from service.problems import Problem

T = TypeVar("T")


def negotiated(offered: Mapping[str, T]) -> T:
    """Return what is offered under the media type that the client prefers; the first where it does not say.

    Raises Problem `not_acceptable` with the types that are offered.
    """
    types = list(offered)
    if not request.accept_mimetypes:
        return offered[types[0]]
    media_type = request.accept_mimetypes.best_match(types)
    if media_type is None:
        detail = f"This is offered as {' or '.join(types)}."
        raise Problem("not_acceptable", detail, legal={"media_types": types})
    return offered[media_type]
