"""Applications for the tests, each made once: to make one takes longer than most tests do."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

from service.app import create_app
from service.services import Services

MakeApplication = Callable[[Services, str], Flask]
"""Returns an application on some services, at some place."""

_MADE: dict[tuple[str, int, int], Flask] = {}


def fresh(services: Services, place: str) -> Flask:
    """An application of its own, for whoever adds routes to it."""
    return create_app(services)


def application(services: Services, place: str) -> Flask:
    """The application of that place, on these services from now on; whoever needs two at a time has two places."""
    config = services.config
    key = place, config.body_limit_bytes, config.trusted_proxies
    if key not in _MADE:
        _MADE[key] = create_app(services)
    app = _MADE[key]
    app.extensions["take5"] = services
    return app
