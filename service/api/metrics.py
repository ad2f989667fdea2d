"""What the service counts of its work, for the operator's Prometheus."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from flask import Response, request
from prometheus_client import exposition
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.auth import CHALLENGE
from service.http.blueprint import Blueprint
from service.metrics import counted, is_for_reader
from service.problems import Problem
from service.services import Services, current
from service.store.connect import Unavailable
from service.store.contract import Kind
from service.store.moments import now
from service.store.queue import JOBS

blp = Blueprint("metrics", __name__, description="For those who run the service.")

OVERDUE_AFTER_MS: Final = 1000
"""A game that has been due for so long is overdue: a worker should have seen to it."""

_COUNTED_MOST: Final = 10_000
_EXAMPLE: Final = """# HELP take5_open_games Games that are not over, by what they wait for.
# TYPE take5_open_games gauge
take5_open_games{phase="lay_card"} 50.0
"""


@blp.route("/metrics")
@blp.reserved
@blp.response(200, {"type": "string"}, content_type="text/plain", example=_EXAMPLE)
@blp.refuses("not_found", "token_required", "token_invalid")
def show_metrics() -> Response:
    """Show what is counted, in Prometheus' text format.

    For the operator alone, who sends the token that the service was given as `TAKE5_METRICS_TOKEN`; a service that was given
    none has nothing here.
    """
    _check_token()
    registry = counted()
    registry.register(Gauges(current()))
    return Response(exposition.generate_latest(registry), content_type=exposition.CONTENT_TYPE_PLAIN_0_0_4)


def _check_token() -> None:
    token = current().config.metrics_token
    if not token:
        raise Problem("not_found")
    challenge = {"WWW-Authenticate": CHALLENGE}
    header = request.headers.get("Authorization")
    if header is None:
        raise Problem("token_required", headers=challenge)
    if not is_for_reader(header, token):
        raise Problem("token_invalid", headers=challenge)


class Gauges(Collector):
    """How things stand in the stores at this moment; what cannot be asked is left out, and counted as down."""

    def __init__(self, services: Services) -> None:
        """Look into these services' stores when asked."""
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        up = GaugeMetricFamily("take5_store_up", "Whether a store answers.", labels=("store",))
        for store, read in (("games", self._games), ("queue", self._jobs)):
            try:
                yield from [*read()]
                up.add_metric((store,), 1)
            except Unavailable:
                up.add_metric((store,), 0)
        yield up

    def _games(self) -> Iterator[Metric]:
        games, moment = self._services.games, now()
        phases = GaugeMetricFamily(
            "take5_open_games", "Games that are not over, by what they wait for.", labels=("phase",)
        )
        for phase, count in sorted(games.phases().items()):
            phases.add_metric((phase,), count)
        yield phases
        overdue = GaugeMetricFamily(
            "take5_overdue_games", "Games that a worker should have seen to by now.", labels=("kind",)
        )
        age = GaugeMetricFamily(
            "take5_overdue_seconds", "How long the longest of them has waited.", labels=("kind",)
        )
        for kind in JOBS:
            late = games.late(kind, moment - OVERDUE_AFTER_MS, _COUNTED_MOST)
            overdue.add_metric((kind,), len(late))
            age.add_metric((kind,), (moment - late[0][0]) / 1000 if late else 0)
        yield overdue
        yield age

    def _jobs(self) -> Iterator[Metric]:
        jobs = GaugeMetricFamily("take5_queue_jobs", "Jobs that nobody has begun.", labels=("kind",))
        age = GaugeMetricFamily(
            "take5_queue_age_seconds", "How long the oldest of them has waited.", labels=("kind",)
        )
        for kind in JOBS:
            jobs.add_metric((kind,), self._services.queue.waiting(kind))
            age.add_metric((kind,), self._age(kind))
        yield jobs
        yield age

    def _age(self, kind: Kind) -> float:
        put = self._services.queue.oldest_ms(kind)
        return max(0, time.time() - put / 1000) if put is not None else 0  # RQ goes by the system's clock
