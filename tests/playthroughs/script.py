"""Whole short games as text: every command, every event, and what changed in every seat's view.

`python -m tests.playthroughs` writes the texts anew; a test fails while they differ from what the rules do.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from engine import commands as c
from engine.automatic import next_deadline
from engine.chance import Context
from engine.decide import act, create
from engine.decisions import open_decisions
from engine.errors import Refusal
from engine.evolve import created
from engine.log import Envelope, Live, Position, position, seal
from engine.resolve import resolve
from engine.times import Millis, rfc3339
from engine.views import view
from tests.rules.table import FAIR, START, answers

HERE: Final = Path(__file__).parent


@dataclass(frozen=True)
class Playthrough:
    """What is asked for, who comes, what is tried then, and how the seats answer: by chance from a seed.

    Every `late`-th time nobody answers until the deadline has passed; 0 is never. Before the answer of a number in
    `meanwhile`, from 1, its commands come; they alone answer votes. `kept` are the seats of a rematch.
    """

    name: str
    options: dict[str, Any]
    lobby: tuple[c.Command, ...]
    seed: int = 1
    late: int = 0
    then: tuple[c.Command, ...] = ()
    meanwhile: Mapping[int, tuple[c.Command, ...]] = field(default_factory=dict)
    kept: tuple[str | None, ...] = ()

    @property
    def path(self) -> Path:
        """The text as it is kept."""
        return HERE / f"{self.name}.txt"


@dataclass
class Telling:
    """A game being told: where it stands, the moment, and the views as they were told last."""

    live: Live
    now: Millis = START
    views: dict[int | None, dict[str, Any]] = field(default_factory=dict)

    def tell(self, command: c.Command) -> Iterator[str]:
        """Carry a command out, a second later or once the time is up, and tell what came of it."""
        deadline = next_deadline(self.live.game) if isinstance(command, c.Expire) else None
        self.now = Millis(self.now + 1000) if deadline is None else max(self.now, deadline)
        yield ""
        yield f"{rfc3339(self.now)}  {_written(command)}"
        try:
            game, events = act(self.live.game, command, Context(self.now, FAIR))
        except Refusal as refusal:
            yield f"  refused: {refusal}"
            return
        envelopes = seal(position(self.live), events, self.now, FAIR)
        self.live = Live(game, envelopes[-1]["hash"] if envelopes else self.live.head)
        yield from self.happened(envelopes)

    def happened(self, envelopes: list[Envelope]) -> Iterator[str]:
        """Tell events, what they changed for everybody, and what each seat sees otherwise than the public."""
        yield from (_event(envelope) for envelope in envelopes)
        public = self._changes(None)
        if public:
            yield f"  public sees {_said(public)}"
        for seat in range(len(self.live.game.seats)):
            changes = self._changes(seat)
            own = {name: value for name, value in changes.items() if public.get(name) != value}
            own |= {name: "unchanged" for name in public if name not in changes}
            if own:
                yield f"  seat {seat} sees {_said(own)}"

    def _changes(self, seat: int | None) -> dict[str, Any]:
        before = self.views.get(seat, {})
        now = dict(_leaves(view(self.live.game, seat, "")))
        self.views[seat] = now
        gone = {name: "gone" for name in before if name not in now}
        return gone | {
            name: value for name, value in now.items() if name != "seq" and before.get(name, ...) != value
        }


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a view by dotted names; arrays of cards and modes are one value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if _holds_objects(value) else None
    if items is None:
        yield name, value
    else:
        for key, item in items:
            yield from _leaves(item, f"{name}.{key}" if name else str(key))


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def told(playthrough: Playthrough) -> str:
    """The whole game as text."""
    return "\n".join(_lines(playthrough)) + "\n"


def _lines(playthrough: Playthrough) -> Iterator[str]:
    options = resolve(playthrough.options)
    yield f"{playthrough.name}: {_said(playthrough.options)}"
    rematch_of = "g_past" if playthrough.kept else None
    opening = c.CreateGame("g_test", "p_ada", options, rematch_of, playthrough.kept)
    first = create(opening, Context(START, FAIR))
    game = created("g_test", first, START)
    envelopes = seal(Position(game.id), (first,), START, FAIR)
    telling = Telling(Live(game, envelopes[-1]["hash"]))
    yield from telling.happened(envelopes)
    for command in (*playthrough.lobby, *playthrough.then):
        yield from telling.tell(command)
    pick = random.Random(playthrough.seed)
    count = 0
    while telling.live.game.is_running:
        count += 1
        for command in playthrough.meanwhile.get(count, ()):
            yield from telling.tell(command)
        game = telling.live.game
        deadline = next_deadline(game)
        asked = [decision for decision in open_decisions(game) if decision.key.kind != "ballot"]
        if deadline and (not asked or (playthrough.late and count % playthrough.late == 0)):
            yield from telling.tell(c.Expire())
        elif asked:
            yield from telling.tell(pick.choice(answers(game, pick.choice(asked))))
        if not open_decisions(telling.live.game):
            yield from telling.tell(c.Advance())
    yield ""
    yield f"{telling.live.game.seq} events, head {telling.live.head}"


def _written(command: c.Command) -> str:
    shown = {one.name: getattr(command, one.name) for one in fields(command)}
    said = {name: value for name, value in shown.items() if value not in (None, "")}
    return f"{type(command).__name__} {_said(said)}".rstrip()


def _event(envelope: Envelope) -> str:
    by = envelope["by"]
    who = by["kind"] if by.get("seat") is None else f"{by['kind']} {by['seat']}"
    sealed = {f"sealed.{part}": opening["data"] for part, opening in envelope["open"].items()}
    return f"  {envelope['seq']} {envelope['type']} by {who}: {_said(envelope['data'] | sealed)}"


def _said(values: dict[str, Any]) -> str:
    return " ".join(
        f"{name}={json.dumps(value, separators=(',', ':'), default=str)}" for name, value in values.items()
    )
