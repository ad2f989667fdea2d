"""The limits in force, so that no client has to find them by running into them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response

from service.bounds import bounds_of
from service.config import Config
from service.http.answers import answer, represent
from service.http.blueprint import Blueprint
from service.http.streaming import KEEP_ALIVE_S
from service.limiting import CODES
from service.schemas.base import PAGE_DEFAULT, PAGE_MOST
from service.schemas.fields import Name
from service.schemas.limits import LIMITS_EXAMPLE, LimitsSchema
from service.services import current
from service.store.idempotency import KEPT_MS
from service.store.quotas import BUCKETS, Bucket

blp = Blueprint("limits", __name__, description="What is in force.")


@blp.route("/v1/limits")
@blp.response(200, LimitsSchema, example=LIMITS_EXAMPLE)
@blp.polled
def show_limits() -> Response:
    """Show every limit in force."""
    return answer(lambda: represent(limits_of(current().config)))


def limits_of(config: Config) -> dict[str, Any]:
    """Return the limits as clients read them."""
    return {
        "body_bytes": config.body_limit_bytes,
        "wait_s": config.wait_cap_s,
        "page": {"default": PAGE_DEFAULT, "most": PAGE_MOST},
        "name_characters": Name.LONGEST,
        "idempotency_key_kept_s": KEPT_MS // 1000,
        "streams": {
            "per_token": config.max_streams_per_token,
            "per_address": config.max_streams_per_address,
            "life_s": config.stream_life_s,
            "keep_alive_s": int(KEEP_ALIVE_S),
        },
        "grace_ms": config.grace_ms,
        "bounds": [asdict(bound) for bound in bounds_of(config)],
        "rates": [_rate(config, bucket) for bucket in BUCKETS],
    }


def _rate(config: Config, bucket: Bucket) -> dict[str, Any]:
    rate = config.rate(bucket)
    return {
        "bucket": bucket,
        "requests": rate and rate.requests,
        "address_requests": rate and rate.times(config.address_factor).requests,
        "window_s": rate and rate.window_s,
        "code": CODES[bucket],
    }
