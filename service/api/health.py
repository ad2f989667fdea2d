"""Whether the service is alive, and whether it is fit to serve."""

from __future__ import annotations

import time
from importlib import metadata
from typing import Any, Final

import orjson
import structlog
from flask import Response
from marshmallow import fields

from service.http.blueprint import Blueprint
from service.schemas.base import AnswerSchema
from service.schemas.fields import Choice
from service.services import Services, current
from service.store.connect import Unavailable
from service.store.moments import now
from service.store.queue import JOBS

blp = Blueprint("health", __name__, description="For those who run the service.")

log = structlog.get_logger("take5.health")

_VERSION: Final = metadata.version("take5")
_STATES: Final = ("ok", "unavailable", "behind")


class HealthSchema(AnswerSchema):
    """The process answers."""

    status = Choice("ok", required=True)
    version = fields.String(
        required=True, metadata={"description": "Of the program, as `take5 --version` says it on the server."}
    )


class ReadinessSchema(AnswerSchema):
    """Which parts of the service work."""

    status = Choice("ok", "unavailable", required=True)
    store = Choice(*_STATES, required=True)
    queue = Choice(*_STATES, required=True)
    workers = Choice(
        *_STATES,
        required=True,
        metadata={"description": "`behind` when a game has waited too long for a worker."},
    )


_READY: Final = dict.fromkeys(("status", "store", "queue", "workers"), "ok")


@blp.route("/healthz")
@blp.counts_as(None)
@blp.response(200, HealthSchema, example={"status": "ok", "version": "0.1.0"})
def show_health() -> Response:
    """Say that this process is alive; nothing else is looked at."""
    return _answer({"status": "ok", "version": _VERSION}, 200)


@blp.route("/readyz")
@blp.counts_as(None)
@blp.response(200, ReadinessSchema, example=_READY)
@blp.response(
    503,
    ReadinessSchema,
    description="Some part does not work; or a problem document, as for every route.",
    example={**_READY, "status": "unavailable", "workers": "behind"},
)
def show_readiness() -> Response:
    """Say whether games can be played: whether store and queue answer, and no game waits too long for a worker."""
    parts = _parts(current())
    is_ready = set(parts.values()) == {"ok"}
    return _answer({"status": "ok" if is_ready else "unavailable", **parts}, 200 if is_ready else 503)


def _parts(services: Services) -> dict[str, str]:
    lag_ms = 1000 * services.config.lag_limit_s
    overdue_ms, put_before_ms = (
        now() - lag_ms,
        time.time_ns() // 1_000_000 - lag_ms,
    )  # RQ goes by the system's clock
    parts = dict.fromkeys(("store", "queue", "workers"), "ok")
    try:
        if services.games.due("turns", overdue_ms, 1) or services.games.due("bots", overdue_ms, 1):
            parts["workers"] = "behind"
    except Unavailable as error:
        log.warning("store_unavailable", reason=error.reason)
        parts |= {"store": "unavailable", "workers": "unavailable"}
    try:
        waiting = [services.queue.oldest_ms(kind) for kind in JOBS]
        if any(put is not None and put < put_before_ms for put in waiting):
            parts["workers"] = "behind"
    except Unavailable as error:
        log.warning("queue_unavailable", reason=error.reason)
        parts["queue"] = "unavailable"
    return parts


def _answer(body: dict[str, Any], status: int) -> Response:
    headers = {} if status == 200 else {"Retry-After": "1"}
    return Response(orjson.dumps(body), status, headers=headers, content_type="application/json")
