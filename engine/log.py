"""The event log of a game: envelopes with sealed parts in a hash chain, and the game folded from them.

An envelope is a JSON object as docs/log.md describes it. Every event exists for everybody; what some may not know yet
stands in it as a salted digest, and `open` holds the parts that the reader may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias

from engine import events as e, wire
from engine.canonical import digest
from engine.chance import Chance
from engine.evolve import created, evolve
from engine.game import Game
from engine.players import By
from engine.times import Millis, parse, rfc3339

Envelope: TypeAlias = dict[str, Any]

VERSION: Final = 1
"""The version of the envelope and of the event types."""

NO_HEAD: Final = "0" * 64
"""What stands before the first event in the chain."""


@dataclass(frozen=True, slots=True)
class Live:
    """A game and the hash of its last event: all that is needed to go on."""

    game: Game
    head: str


@dataclass(frozen=True, slots=True)
class Position:
    """Where a log has come to: what the next envelope builds on."""

    game: str
    seq: int = 0
    head: str = NO_HEAD
    round: int = 0
    turn: int = 0


def position(live: Live) -> Position:
    """Where the log of a live game stands."""
    game = live.game
    return Position(game.id, game.seq, live.head, game.round, game.turn)


def seal(at: Position, events: Iterable[e.Event], moment: Millis, chance: Chance) -> list[Envelope]:
    """The envelopes of events that happen at one moment, each with all its sealed parts open."""
    envelopes: list[Envelope] = []
    seq, head, number, turn, written_at = at.seq, at.head, at.round, at.turn, rfc3339(moment)
    for decided in events:
        seq += 1
        event = decided
        if isinstance(decided, e.GameSealed):
            event = e.GameSealed(decided.master, decided.events, head)
        if isinstance(event, e.RoundStarted):
            number, turn = event.round, 0
        if isinstance(event, e.TurnOpened):
            turn = event.turn
        opened = {
            part: {"salt": chance.salt(seq, part), "data": wire.write(type(data), data)}
            for part, data in e.sealed_parts(event).items()
        }
        envelope: Envelope = {
            "v": VERSION,
            "game": at.game,
            "seq": seq,
            "type": event.type,
            "at": written_at,
            "round": number,
            "turn": turn,
            "by": written_by(event.by),
            "data": public(event),
            "sealed": {
                part: part_digest(opening["salt"], opening["data"]) for part, opening in opened.items()
            },
            "prev": head,
        }
        head = digest(envelope)
        envelopes.append(envelope | {"hash": head, "open": opened})
    return envelopes


def part_digest(salt: str, data: Any) -> str:
    """What stands in an event for a sealed part: SHA-256 of the canonical form of salt and data."""
    return digest([salt, data])


def hash_of(envelope: Envelope) -> str:
    """The hash that an envelope must carry, over everything but its hash and openings."""
    return digest({key: value for key, value in envelope.items() if key not in ("hash", "open")})


def event_of(envelope: Envelope) -> e.Event:
    """The event in an envelope whose parts are all open; raises `wire.MalformedError`."""
    kind = e.EVENTS.get(envelope["type"])
    if kind is None:
        raise wire.MalformedError(f"no such event type: {envelope['type']!r}")
    data = dict(envelope["data"])
    if kind.type in e.SEALED_FIELDS:
        parts = {part: opening["data"] for part, opening in envelope["open"].items()}
        if parts.keys() != envelope["sealed"].keys():
            raise wire.MalformedError("a sealed part is not open")
        data |= e.sealed_fields(kind.type, parts)
    if any(field.name == "by" for field in fields(kind)):
        data["by"] = envelope["by"]
    event: e.Event = wire.read(kind, data)
    return event


def fold_log(envelopes: Iterable[Envelope], live: Live | None = None) -> Live:
    """The live game after its envelopes, all parts open; begins at `live`, or at the first event."""
    for envelope in envelopes:
        event, at = event_of(envelope), parse(envelope["at"])
        if live is None:
            if not isinstance(event, e.GameCreated):
                raise wire.MalformedError("a log begins with game.created")
            live = Live(created(envelope["game"], event, at), envelope["hash"])
        else:
            live = Live(evolve(live.game, event, at), envelope["hash"])
    if live is None:
        raise wire.MalformedError("a log has at least one event")
    return live


def redact(envelopes: Sequence[Envelope], seat: int | None) -> list[Envelope]:
    """The envelopes as the holder of `seat`, or the public, may read them now.

    `envelopes` are the end of a log, all parts open: from any event to the newest. A part stays open for its seat, at an
    open table, once a later event has opened it for all, and after the game.
    """
    if envelopes and envelopes[-1]["type"] == e.GameSealed.type:
        return list(envelopes)
    public = {
        (opening["seq"], opening["part"])
        for envelope in envelopes
        for opening in envelope["data"].get("openings", ())
    }
    own = f"s{seat}"
    return [
        envelope
        | {
            "open": {
                part: opening
                for part, opening in envelope["open"].items()
                if part == own or is_open_table(envelope) or (envelope["seq"], part) in public
            }
        }
        for envelope in envelopes
    ]


def is_open_table(envelope: Envelope) -> bool:
    """Whether nothing of the event was hidden from anybody: it belongs to a round with open hands."""
    return bool(envelope["data"].get("table") == "open")


def written_by(by: By) -> dict[str, Any]:
    """Who caused an event, as its envelope says it."""
    return {"kind": by.kind} if by.seat is None else {"kind": by.kind, "seat": by.seat}


def public(event: e.Event) -> dict[str, Any]:
    """The public data of an event, as its envelope holds them."""
    written: dict[str, Any] = wire.write(type(event), event)
    hidden = ("by", *e.SEALED_FIELDS.get(event.type, ()))
    return {name: value for name, value in written.items() if name not in hidden}
