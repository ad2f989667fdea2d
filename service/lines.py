"""Connections to clients that may be slow: what arrives is gathered without waiting, and every wait has an end."""

from __future__ import annotations

import errno
import re
import select
import socket
import time
from contextlib import suppress
from typing import Any, Final

from gunicorn.http.errors import LimitRequestHeaders

READ_WITHIN_S: Final = 10.0
"""How long a thread waits for the rest of a request that could not be gathered whole."""

WRITE_WITHIN_S: Final = 30.0
"""How long it takes at most to hand one answer over."""

HEAD_MOST: Final = 32 * 1024
"""How many bytes a request may have before its body."""

_AT_ONCE: Final = 65536
_BODY_MOST: Final = 64 * 1024
_EMPTY_LINE: Final = b"\r\n\r\n"
_FRAMING: Final = re.compile(rb"\r\n(content-length|transfer-encoding):([^\r\n]*)", re.IGNORECASE)
_WAITS: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)


class Line(socket.socket):
    """The socket of one client; `gather` before a thread is taken, then `recv` and `sendall` as of any socket.

    Raises ConnectionResetError for a client that is too slow, as if it had gone, and LimitRequestHeaders for the rest of a
    head that is too long.
    """

    def __init__(self, accepted: socket.socket) -> None:
        """Take an accepted connection over; the socket given is good for nothing any more."""
        super().__init__(fileno=accepted.detach())
        self._held = bytearray()
        self._head: int | None = None  # how long it is; None before its end has come
        self._body: int | None = 0  # the same; None when only the last chunk tells
        self._until_s = 0.0
        self._is_cut = False

    def gather(self) -> bool:
        """Take in what has arrived, without waiting; whether it is time to look at it.

        That is when it is a whole request, or more than is worth holding, or when nothing more will come.
        """
        arrived = self._arrived()
        if arrived is None:
            return False
        searched = max(len(self._held) - len(_EMPTY_LINE), 0)
        self._held += arrived
        if self._head is None:
            self._look_for_head(searched)
        return not arrived or self._is_whole()

    def drain(self) -> bool:
        """Throw away what has arrived, without waiting; whether the client has closed its side."""
        return self._arrived() == b""

    def has_gone(self) -> bool:
        """Whether the client has closed its side, as one does that no longer wants an answer; takes nothing in."""
        try:
            return is_readable(self) and not super().recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):  # it is broken, or closed on our side
            return True

    def _arrived(self) -> bytes | None:
        """What has arrived; nothing once the client has gone, None when it is silent."""
        try:
            return super().recv(_AT_ONCE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _look_for_head(self, searched: int) -> None:
        end = self._held.find(_EMPTY_LINE, searched)
        if end < 0:
            return
        self._head = end + len(_EMPTY_LINE)
        head = self._held[: self._head]
        if _WAITS.search(
            head
        ):  # gunicorn will say it again, which does no harm, but only once a thread is taken
            with suppress(OSError):
                self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        match [(name.lower(), value.strip()) for name, value in _FRAMING.findall(head)]:
            case [(b"transfer-encoding", codings)] if codings.lower().endswith(b"chunked"):
                self._body = None
            case [(b"content-length", length)] if re.fullmatch(rb"[0-9]{1,18}", length):
                self._body = min(int(length), _BODY_MOST)
            case _:  # no body, or a head that makes no sense
                self._body = 0

    def _is_whole(self) -> bool:
        held = len(self._held)
        if self._head is None:
            return held > HEAD_MOST
        if self._body is not None:
            return held >= self._head + self._body
        ends = held > self._head and self._held.endswith(_EMPTY_LINE)
        return ends or held > self._head + _BODY_MOST

    def setblocking(self, flag: bool, /) -> None:  # a socket's own signature
        """Wait for nothing, or as long as anybody is waited for here; then the time for reading begins anew."""
        self.settimeout(WRITE_WITHIN_S if flag else 0)
        self._until_s = time.monotonic() + READ_WITHIN_S

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """Return all that was gathered, whatever its size; after that what comes, until the time for reading is over.

        Of a head that is too long it is the beginning, which shows whether it is the first line or a header that is.
        """
        if self._is_cut:
            raise LimitRequestHeaders(f"more than {HEAD_MOST} bytes")
        if self._held:
            self._is_cut = (self._head or len(self._held)) > HEAD_MOST
            held = bytes(self._held[:HEAD_MOST] if self._is_cut else self._held)
            self._held, self._head = bytearray(), None
            return held
        patience_s, left_s = self.gettimeout(), self._until_s - time.monotonic()
        if left_s <= 0:
            raise _gone()
        self.settimeout(left_s if patience_s is None else min(patience_s, left_s))
        try:
            return super().recv(bufsize, flags)
        except TimeoutError:
            raise _gone() from None
        finally:
            self.settimeout(patience_s)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Hand all of it over."""
        try:
            super().sendall(data, flags)
        except TimeoutError:
            raise _gone() from None


def is_readable(one: socket.socket) -> bool:
    """Whether something has arrived at a socket: bytes, an end, or somebody who wants to be let in."""
    glance = select.poll()
    glance.register(one, select.POLLIN)
    return bool(glance.poll(0))


def _gone() -> ConnectionResetError:
    return ConnectionResetError(errno.ECONNRESET, "the client is too slow")
