"""Requests to the service at a URL, sent again while what stands in their way may pass."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, Self, TypeAlias, overload

import httpx

from take5.patience import Patience, bad_address

Json: TypeAlias = dict[str, Any]

DEFAULT_URL: Final = "http://127.0.0.1:8000"
KNOCK_S: Final = 2.5

_THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_MARGIN_S: Final = 15.0
"""How much longer than it was asked to hold the answer the service may take."""


class Caller:
    """The service at a URL, asked as the holder of a token, or without one as a stranger."""

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        token: str | None = None,
        *,
        patience_s: float = 30.0,
        knock_s: float = KNOCK_S,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Ask at `base_url`, and for up to `patience_s` seconds again what may be answered otherwise later.

        An address at which nobody has answered yet and every connection is refused is tried for `knock_s` seconds; for one
        that cannot be an address it raises Unreachable.
        """
        self.base_url = base_url.rstrip("/")
        self.token = token
        self._patience_s = patience_s
        self._knock_s = knock_s
        self._sleep = sleep
        self._was_reached = False
        try:
            host = httpx.URL(self.base_url).host
        except httpx.InvalidURL as error:
            raise bad_address(base_url) from error
        self._http = httpx.Client(
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=_MARGIN_S,
            transport=transport,
            event_hooks={"response": [self._note_reached]},
            trust_env=host not in _THIS_MACHINE,  # a proxy does not lead here
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    @overload
    def call(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH"],
        path: str,
        body: Json | None = None,
        *,
        query: Json | None = None,
        wait: int = 0,
    ) -> Json: ...

    @overload
    def call(
        self, method: str, path: str, body: Json | None = None, *, query: Json | None = None, wait: int = 0
    ) -> Json | None: ...

    def call(
        self, method: str, path: str, body: Json | None = None, *, query: Json | None = None, wait: int = 0
    ) -> Json | None:
        """The JSON that the service answers to any request, for what has no method here; None for an empty answer (204)."""
        response = self._send(method, path, body, query=query, wait=wait)
        answer: Json | None = response.json() if response.content else None
        return answer

    def _listed(self, path: str, wanted: Json | None = None, *, cursor: str = "cursor") -> Iterator[Json]:
        """The items of all pages of a list; `cursor` is the argument that asks for the next."""
        query: Json = dict(wanted or {})
        while True:
            page = self.call("GET", path, query=query)
            yield from page["items"]
            query[cursor] = page[f"next_{cursor}"]
            if query[cursor] is None:
                return

    def _note_reached(self, response: httpx.Response) -> None:
        self._was_reached = True

    def _patience(self) -> Patience:
        """The patience for one thing; there is little of it with an address that may be a wrong one."""
        return Patience(self._patience_s, self._sleep, knocks_s=None if self._was_reached else self._knock_s)

    def _send(
        self, method: str, path: str, body: Json | None = None, *, query: Json | None = None, wait: int = 0
    ) -> httpx.Response:
        """The first answer that is none of the passing kind."""
        request = self._http.build_request(
            method,
            self.base_url + path,
            json=body if body is not None or method in ("GET", "DELETE") else {},
            params=(query or {}) | ({"wait": wait} if wait else {}),
            # With a key even a creation may be sent again; 144 bits, for who knows it could have the token again.
            headers={"Idempotency-Key": secrets.token_urlsafe(18)} if method == "POST" else {},
            timeout=wait + _MARGIN_S,
        )
        patience = self._patience()
        while True:
            try:
                response = self._http.send(request)
            except httpx.TransportError as error:
                patience.after_error(error, self.base_url)
            else:
                if response.is_success:
                    return response
                patience.after_answer(response)
