"""Problem documents (RFC 9457): what every refusal and every failure of this service looks like.

Raise `Problem` wherever a request cannot be served; one handler turns it into an answer.  Refusals of the rules and
failures of the store become problems through `from_refusal` and `from_unavailable`, so all of them share one table.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from engine.errors import Refusal
from service.codes import CODES

MEDIA_TYPE: Final = "application/problem+json"
_MOST_ERRORS: Final = 50
_ASK_AGAIN: Final = frozenset({429, 503})
_SOON_MS: Final = 1000

Place = Literal["body", "query", "header", "path"]
"""Where in the request an error was found."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One wrong part of a request.

    `pointer` is a JSON Pointer into the body (`/end/points`; the empty string is the whole body), `?name` for an argument
    of the query, or the name of a header or of a part of the path; `place` says which of the four.
    """

    place: Place
    pointer: str
    detail: str


@dataclass(eq=False)
class Problem(Exception):
    """A request that is not served, with everything its answer will say.

    `code` is a key of `service.codes.CODES` and fixes the status; without `detail` the answer carries the code's meaning.
    `legal` lists what would be accepted now, `retry_after_ms` also sets `Retry-After`, `headers` are added as they are.
    Whoever asks too much, or too early, is always told when to ask again: in a second, unless something else is said.
    """

    code: str
    detail: str = ""
    errors: tuple[FieldError, ...] = ()
    legal: Mapping[str, Any] | None = None
    retry_after_ms: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Say when to ask again where that is what the status is for."""
        if self.retry_after_ms is None and self.status in _ASK_AGAIN:
            self.retry_after_ms = _SOON_MS

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        return CODES[self.code].status

    @property
    def title(self) -> str:
        """What the code is called."""
        return CODES[self.code].title

    def document(self, request_id: str, base_url: str = "") -> dict[str, Any]:
        """Return the problem as the JSON object that clients read; `base_url` stands before the path in `type`."""
        code = CODES[self.code]
        document: dict[str, Any] = {
            "type": f"{base_url}/docs/problems#{self.code}",
            "title": code.title,
            "status": code.status,
            "detail": self.detail or code.meaning,
            "code": self.code,
            "request_id": request_id,
        }
        if self.errors:
            document["errors"] = [
                {"in": error.place, "pointer": error.pointer, "detail": error.detail}
                for error in self.errors[:_MOST_ERRORS]
            ]
            if len(self.errors) > _MOST_ERRORS:
                document["detail"] += f" The first {_MOST_ERRORS} of {len(self.errors)} errors are listed."
        if self.legal is not None:
            document["legal"] = self.legal
        if self.retry_after_ms is not None:
            document["retry_after_ms"] = self.retry_after_ms
        return document

    def response_headers(self) -> dict[str, str]:
        """Return the headers that belong to the answer, `Retry-After` in whole seconds rounded up among them."""
        headers = dict(self.headers)
        if self.retry_after_ms is not None:
            headers["Retry-After"] = str(max(1, -(-self.retry_after_ms // 1000)))
        return headers


def invalid(place: Place, pointer: str, detail: str) -> Problem:
    """Return what to raise when one part of a request is wrong: where it stands, its pointer, what is wrong with it."""
    return Problem("invalid_request", errors=(FieldError(place, pointer, detail),))


def from_refusal(refusal: Refusal, in_path: Container[str] = ()) -> Problem:
    """Return the problem that tells a client what the rules refused; `in_path` names what the path says of the request."""
    return Problem(
        refusal.code,
        refusal.detail,
        errors=tuple(
            FieldError("path", name, refusal.detail)
            if (name := pointer.removeprefix("/")) in in_path
            else FieldError("body", pointer, refusal.detail)
            for pointer in refusal.pointers
        ),
        legal=refusal.legal,
        retry_after_ms=refusal.retry_after_ms,
    )


def json_pointer(*steps: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) that walks `steps` from the top of a document."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
