"""Answers kept for repeated requests: one idempotency key, one effect, one answer.

A request claims its key, does its work, and leaves its answer there for 24 hours.  A claim whose process died lapses, and
the next request with the key takes over **with the same salt**; so work that names what it makes after key and salt makes
it once, however often it was begun.  Keys are secrets of their owners and stand in the store as hashes only.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Protocol

import orjson

from service.store.moments import now

KEPT_MS = 24 * 60 * 60 * 1000
"""How long an answer is kept."""

LEASE_MS = 20 * 1000
"""How long a claim holds before another request may take over: longer than work takes, shorter than clients' patience."""

SET_BACK_MS = LEASE_MS
"""A claim that would hold for longer than this beyond a lease is from before the clock was set back, and has lapsed."""

KEPT_MAX = 5000
"""How many answers are kept for one player; while there are so many, no further key is taken."""


class TooManyKeys(Exception):
    """So many answers are kept already as may be; the oldest goes in `room_in_ms`."""

    def __init__(self, room_in_ms: int) -> None:
        super().__init__(f"room in {room_in_ms} ms")
        self.room_in_ms = room_in_ms


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, as it was given and will be given again."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Fresh:
    """The key is ours: do the work, then `finish`, `abandon` or `suspend`.  `salt` is 16 bytes, the same at every attempt.

    `is_again` says that an earlier attempt may have done the work already, in part or whole.
    """

    scope: str
    slot: str
    claim: bytes
    salt: bytes
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """Another request with this key is at work."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The work was done: give this answer again.  `salt` is the one the work was done with."""

    answer: Answer
    salt: bytes


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The key was used for another request."""


Beginning = Fresh | Running | Replay | Mismatch
"""What a request finds when it begins."""


class Slots(Protocol):
    """The places answers are kept in, as bytes: at most `KEPT_MAX` a scope, each for `KEPT_MS`."""

    def swap(self, scope: str, slot: str, expected: bytes, new: bytes, now_ms: int) -> bytes:
        """Put `new` where `expected` stands (b"" is nothing) and return it; or leave all as it is and return what stands.

        Repeating a swap that worked returns `new`, too.  Raises TooManyKeys where it would need one place too many.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Record:
    """What stands in a slot; the nonce tells two claims apart that are otherwise the same."""

    salt: str
    nonce: str
    body_hash: str | None
    lease_ms: int
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Idempotency:
    """The kept answers, on any `Slots`; `clock` gives milliseconds since the epoch."""

    def __init__(self, slots: Slots, clock: Callable[[], int] = now) -> None:
        """Keep the answers in `slots`."""
        self._slots = slots
        self._clock = clock

    def begin(self, scope: str | None, key: str, body_hash: str) -> Beginning:
        """Claim `key` for a request, or learn what became of the one that had it first.

        `scope` is whose key it is, a player's id; None for nobody's, when the key alone must keep others out.
        `body_hash` stands for everything that must be equal in a repetition: method, path and body.  Raises TooManyKeys.
        """
        slot = sha256(key.encode()).hexdigest()
        scope = scope or f"nobody/{slot}"
        moment = self._clock()
        new = _Record(secrets.token_hex(16), secrets.token_hex(8), body_hash, moment + LEASE_MS)
        claim = _packed(new)
        held = self._slots.swap(scope, slot, b"", claim, moment)
        if held == claim:
            return Fresh(scope, slot, claim, bytes.fromhex(new.salt))
        record, body = _unpacked(held)
        salt = bytes.fromhex(record.salt)
        if record.body_hash not in (None, body_hash):
            return Mismatch()
        if record.status:
            return Replay(Answer(record.status, record.headers, body), salt)
        if moment < record.lease_ms <= moment + LEASE_MS + SET_BACK_MS:
            return Running()
        claim = _packed(replace(new, salt=record.salt))
        held = self._slots.swap(scope, slot, held, claim, moment)
        is_again = record.body_hash is not None
        return Fresh(scope, slot, claim, salt, is_again) if held == claim else Running()

    def finish(self, fresh: Fresh, answer: Answer) -> bool:
        """Leave the answer for repetitions; False when the claim had lapsed and somebody else has taken over."""
        record, _ = _unpacked(fresh.claim)
        done = _packed(replace(record, status=answer.status, headers=answer.headers), answer.body)
        return self._slots.swap(fresh.scope, fresh.slot, fresh.claim, done, self._clock()) == done

    def abandon(self, fresh: Fresh) -> None:
        """Give the key back, for nothing was done: the next request with it begins at once, with any body.

        Nothing is kept of it, or refused requests could fill the store; but the salt stays where an earlier attempt may have
        done something.
        """
        if fresh.is_again:
            self._give_back(fresh, None)
        else:
            self._slots.swap(fresh.scope, fresh.slot, fresh.claim, b"", self._clock())

    def suspend(self, fresh: Fresh) -> None:
        """Give the key back to the same request only, which begins at once: the work was done, or not, or in part."""
        self._give_back(fresh, _unpacked(fresh.claim)[0].body_hash)

    def _give_back(self, fresh: Fresh, body_hash: str | None) -> None:
        record, _ = _unpacked(fresh.claim)
        free = _packed(replace(record, body_hash=body_hash, lease_ms=0))
        self._slots.swap(fresh.scope, fresh.slot, fresh.claim, free, self._clock())


def _packed(record: _Record, body: bytes = b"") -> bytes:
    return orjson.dumps(record) + b"\n" + body


def _unpacked(held: bytes) -> tuple[_Record, bytes]:
    head, _, body = held.partition(b"\n")
    return _Record(**orjson.loads(head)), body
