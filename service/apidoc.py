"""Notes that decorators leave on a view, for the document and for the checks that run before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def noted(view: Callable[..., Any]) -> dict[str, Any]:
    """Return what the decorators of a view have noted; flask-smorest keeps its own notes in the same place."""
    notes: dict[str, Any] = getattr(view, "_apidoc", {})
    return notes


def note(view: Callable[..., Any], key: str, value: Any) -> None:
    """Note something about a view, without touching the views that it wraps."""
    vars(view)["_apidoc"] = noted(view) | {key: value}
