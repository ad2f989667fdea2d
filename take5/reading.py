"""Downloaded games as scenes: from an `events` file, from bare events as lines, or from a compact `replay` file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any, BinaryIO, Final

from engine import wire
from engine.compact import REPLAY_FORMAT, Replay, read as read_compact
from engine.deals import FairShuffle
from engine.files import EVENTS_FORMAT, LONGEST_LINE
from engine.log import NO_HEAD, Position, seal
from engine.options import Options
from engine.replay import Step, rebuild
from engine.times import Millis
from take5.story import Envelope, Scene, Unreadable, follow
from take5.values import badged, printable

_NO_CHANCE: Final = FairShuffle(bytes(32))
"""For the salts of events that are only looked at."""


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; of one that is longer than any line may be, only enough to see that."""
    while line := file.readline(LONGEST_LINE + 2):
        yield line


def scenes(file: BinaryIO) -> Iterator[Scene]:
    """The scene after each event in a file; of a compact one from the start of the game on. Raises Unreadable."""
    values = _values(lines(file))
    first = next(values, None)
    says = None if first is None or _is_event(first) else first.get("format")
    if first is not None and says == REPLAY_FORMAT:
        yield from _rebuilt(first)
        return
    if says not in (None, EVENTS_FORMAT):
        known = f"{EVENTS_FORMAT} and {REPLAY_FORMAT}"
        raise Unreadable(f"its format {printable(str(says))} is not known here; known are {known}")
    scene = None
    for value in values if first is None or not _is_event(first) else (first, *values):
        if _is_event(value):
            scene = follow(scene, value)
            yield scene


def _values(written: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(written, start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise Unreadable(f"line {number} is not JSON; `events` and `replay` files can be shown") from None
        if not isinstance(value, dict):
            raise Unreadable(f"line {number} is not an object")
        yield value


def _is_event(value: dict[str, Any]) -> bool:
    return "seq" in value and "type" in value


def _rebuilt(value: dict[str, Any]) -> Iterator[Scene]:
    try:
        replay = read_compact(value)
        scene = _lobby(replay)
        for step in rebuild(replay):
            scene = follow(scene, _envelope(replay, step))
            yield scene
    except wire.MalformedError as error:
        raise Unreadable(printable(str(error), 500)) from None


def _lobby(replay: Replay) -> Scene:
    event: Envelope = {
        "type": "game.created",
        "game": replay.game,
        "seq": 0,
        "round": 0,
        "turn": 0,
        "data": {},
    }
    names = tuple(
        badged(seat.name, seat.kind, seat.owner.name if seat.owner else None) if seat else None
        for seat in replay.seats
    )
    return Scene(event, wire.write(Options, replay.options), names)


def _envelope(replay: Replay, step: Step) -> Envelope:
    """The step's event as in a log; without what the replay does not have, where `rebuild` puts anything."""
    game = step.game
    before = Position(game.id, game.seq - 1, NO_HEAD, game.round, game.turn)
    (envelope,) = seal(before, (step.event,), Millis(0), _NO_CHANCE)
    if envelope["type"] == "round.dealt":
        dealt = next(one for one in replay.rounds if (one.round, one.attempt) == (game.round, game.attempt))
        known = {f"s{seat}" for seat, hand in enumerate(dealt.hands) if hand is not None}
        envelope["open"] = {part: opening for part, opening in envelope["open"].items() if part in known}
    if envelope["type"] == "draft.planned":
        (word,) = (word for word in replay.words if word.seq == envelope["seq"])
        envelope["open"] = envelope["open"] if word.data.get("plan") else {}
    return envelope
