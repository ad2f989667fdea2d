"""What stands in a log of unknown origin: envelopes checked for their shape, and the events read from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, cast

from engine import events as e, wire
from engine.log import VERSION, Envelope, event_of, public, written_by
from engine.times import Millis, parse


class FaultError(Exception):
    """An event that should not be as it is: its `seq` (None when no event can be named) and a sentence that says why."""

    def __init__(self, seq: int | None, detail: str) -> None:
        self.seq = seq
        self.detail = detail if len(detail) <= LONGEST_DETAIL else detail[:LONGEST_DETAIL] + "..."
        super().__init__(self.detail)


LONGEST_DETAIL: Final = 300
"""How much of a sentence about an event is kept: what it quotes may be of any length."""


@dataclass(frozen=True, slots=True)
class Record:
    """An envelope that has the shape of one, and its event, read from it.

    Where not every sealed part is open, `is_open` is False and the sealed field of the event means nothing.
    """

    envelope: Envelope
    event: e.Event
    at: Millis
    is_open: bool

    @property
    def seq(self) -> int:
        """The number of the event."""
        seq: int = self.envelope["seq"]
        return seq


_FIELDS: Final[dict[str, type]] = {
    "v": int,
    "game": str,
    "seq": int,
    "type": str,
    "at": str,
    "round": int,
    "turn": int,
    "by": dict,
    "data": dict,
    "sealed": dict,
    "prev": str,
    "hash": str,
    "open": dict,
}
_PARTS: Final[dict[str, Any]] = {
    "round.dealt": e.HandPart,
    "card.laid": e.CardPart | e.CardAheadPart,
    "draft.planned": e.PlanPart,
}
_STAND_INS: Final[dict[str, dict[str, Any]]] = {
    "round.dealt": {},
    "card.laid": {"": {"data": {"card": 1}}},
    "draft.planned": {"": {"data": {"plan": []}}},
}
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_SALT: Final = re.compile(r"[0-9a-f]{32}")


def record(value: Any, place: int) -> Record:
    """The record of the value that stands at a place of a log, counted from 1; raises `FaultError` with that place."""
    if type(value) is not dict:
        raise FaultError(place, f"Event {place} is not an object.")
    envelope = cast("Envelope", value)
    version = envelope.get("v")
    if type(version) is int and version != VERSION:
        detail = f"Event {place} is of version {version}, and this reader knows version {VERSION}."
        raise FaultError(place, f"{detail} A newer reader may know it.")
    try:
        _check_fields(envelope)
        at = parse(envelope["at"])
        is_open: bool = envelope["open"].keys() == envelope["sealed"].keys()
        parts = envelope["open"] if is_open else _STAND_INS[envelope["type"]]
        event = event_of(envelope | {"open": parts, "sealed": parts})
        _check_written(envelope, event)
        return Record(envelope, event, at, is_open)
    except ValueError as error:
        raise FaultError(place, f"Event {place} is malformed: {error}.") from None


def _check_written(envelope: Envelope, event: e.Event) -> None:
    """Raise ValueError unless the envelope says what the event is in the way in which we write it."""
    if envelope["by"] != written_by(event.by) or not _is_written(envelope["data"], public(event)):
        raise ValueError("it is not written in the way in which such an event is")


def _is_written(found: Any, written: Any) -> bool:
    """Whether a JSON value is what we would have written, but for fields that were added since, with their defaults."""
    match found, written:
        case {}, {}:
            return all(name in written and _is_written(value, written[name]) for name, value in found.items())
        case [*_], [*_]:
            return len(found) == len(written) and all(map(_is_written, found, written))
        case _:
            return bool(found == written)


def records(values: Iterable[Any]) -> tuple[list[Record], FaultError | None]:
    """The records of a log up to the first that is malformed, and what is wrong with that.

    A part that a later event opens is open in its record, too: a stream that was kept as it came has it only there.
    """
    found: list[Record] = []
    fault: FaultError | None = None
    try:
        for place, value in enumerate(values, 1):
            found.append(record(value, place))
    except FaultError as malformed:
        fault = malformed
    openings = {
        (opening.seq, opening.part): {
            "salt": opening.salt,
            "data": wire.write(type(opening.data), opening.data),
        }
        for one in found
        if isinstance(one.event, e.TurnRevealed | e.RoundRevealed)
        for opening in one.event.openings
    }
    try:
        return [_opened(one, openings) for one in found], fault
    except FaultError as malformed:
        return found, malformed


def _opened(one: Record, openings: dict[tuple[int, str], dict[str, Any]]) -> Record:
    if one.is_open:
        return one
    later = {part: openings[one.seq, part] for part in one.envelope["sealed"] if (one.seq, part) in openings}
    return record(one.envelope | {"open": later | one.envelope["open"]}, one.seq)


def _check_fields(value: Envelope) -> None:
    """Raise ValueError unless the envelope has exactly its fields, and the parts that its type seals."""
    if value.keys() != _FIELDS.keys():
        wrong = sorted(value.keys() ^ _FIELDS.keys())
        raise ValueError(f"it has not exactly the fields of an event, see {', '.join(wrong)}")
    for name, kind in _FIELDS.items():
        if type(value[name]) is not kind:
            raise ValueError(f"its {name} is no {kind.__name__}")
    for name, digest in [("prev", value["prev"]), ("hash", value["hash"]), *value["sealed"].items()]:
        if type(digest) is not str or not _DIGEST.fullmatch(digest):
            raise ValueError(f"its {name} is no SHA-256 in lower-case hexadecimal")
    if value["sealed"].keys() != _part_names(value):
        raise ValueError(f"its type does not seal the parts {sorted(value['sealed'])}")
    if not value["open"].keys() <= value["sealed"].keys():
        raise ValueError("it opens a part that it does not seal")
    for part, opening in value["open"].items():
        match opening:
            case {"salt": str(salt), "data": data, **rest} if not rest and _SALT.fullmatch(salt):
                wire.read(_PARTS[value["type"]], data)
            case _:
                raise ValueError(f"its opening of {part} is not a salt of 16 bytes and data")


def _part_names(value: Envelope) -> set[str]:
    match value["type"]:
        case "card.laid" | "draft.planned":
            return {f"s{value['data'].get('seat')}"}
        case "round.dealt":
            return {f"s{seat}" for seat in range(len(value["sealed"]))}
        case _:
            return set()
