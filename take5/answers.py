"""What the service answers when it does not do what was asked: problem documents, and when to ask again."""

from __future__ import annotations

from typing import Any, Final

import httpx

PASSING: Final = frozenset({"idempotency_key_running", "store_full", "too_many_waiting", "unavailable"})
"""Codes of answers that are different when asked again later, as is every 429."""


class ApiProblem(Exception):
    """The service refused a request: decide by `code`, show `detail`.

    `status` is that of HTTP; `legal` lists what would have been accepted, where the service says so; `errors` are the
    wrong parts of the request; `document` is the whole answer.
    """

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        self.status = status
        self.document = document
        self.code: str = document.get("code", "unknown")
        self.detail: str = document.get("detail", "")
        self.legal: dict[str, Any] | None = document.get("legal")
        self.errors: list[dict[str, Any]] = document.get("errors", [])
        wrong = [
            f"{error.get('pointer')}: {error.get('detail')}"
            for error in self.errors
            if error.get("detail") != self.detail
        ]
        super().__init__(" ".join((f"{status} {self.code}: {self.detail}", *wrong)))


class Unreachable(Exception):
    """The service could not be reached, or did not come back, for as long as the client was told to try."""


def problem_of(response: httpx.Response) -> ApiProblem:
    """The problem of an answer, or what can be said of one that has no document, as from a proxy in between."""
    try:
        document = response.json()
    except ValueError:
        document = None
    if not isinstance(document, dict) or "code" not in document:
        code = "unavailable" if response.status_code in (502, 503, 504) else "unknown"
        detail = f"The answer was {response.status_code} {response.reason_phrase}."
        document = {"code": code, "detail": detail}
    return ApiProblem(response.status_code, document)


def retry_after_s(response: httpx.Response, otherwise_s: float) -> float:
    """How long to wait before asking again: what the service says, or `otherwise_s`."""
    try:
        return max(float(response.headers["Retry-After"]), 0.0)
    except (KeyError, ValueError):
        return otherwise_s
