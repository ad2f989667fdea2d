"""Logs that differ from the one that was played, written anew with all that proves them, and what is found in them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from engine import commands as c, events as e
from engine.chance import Chance
from engine.decide import act, create
from engine.evolve import created
from engine.log import Envelope, Live, Position, event_of, hash_of, position, seal
from engine.resolve import resolve
from engine.times import Millis, parse
from engine.verify import Check, Report
from tests.rules.table import FAIR, START, context, later

Moment: TypeAlias = tuple[e.Event, Millis]


def told(commands: Iterable[tuple[float, c.Command]], **options: Any) -> list[Envelope]:
    """The log of a table that p0 opens, and of commands so many seconds later, all parts open."""
    command = c.CreateGame("g_test", "p0", resolve({"ruleset": "classic", "seats": 2, **options}))
    first = create(command, context())
    envelopes = seal(Position("g_test"), (first,), START, FAIR)
    game = created("g_test", first, START)
    for seconds, wanted in commands:
        before = position(Live(game, envelopes[-1]["hash"]))
        game, events = act(game, wanted, context(seconds=seconds))
        envelopes += seal(before, events, later(seconds), FAIR)
    return envelopes


def moments(log: Sequence[Envelope]) -> list[Moment]:
    """The events of a log with their moments."""
    return [(event_of(envelope), parse(envelope["at"])) for envelope in log]


def retold(events: Iterable[Moment], chance: Chance = FAIR, game: str = "g_test") -> list[Envelope]:
    """The log that a service would have written, had these events happened."""
    at, log = Position(game), list[Envelope]()
    for event, moment in events:
        (envelope,) = seal(at, (event,), moment, chance)
        log.append(envelope)
        at = Position(game, envelope["seq"], envelope["hash"], envelope["round"], envelope["turn"])
    return log


def rechained(log: Sequence[Envelope], change: Callable[[list[Envelope]], None]) -> list[Envelope]:
    """A copy of the log after a change, with numbers, hashes and the seal made to fit."""
    changed = copy.deepcopy(list(log))
    change(changed)
    head = "0" * 64
    for seq, envelope in enumerate(changed, 1):
        envelope |= {"seq": seq, "prev": head}
        if envelope["type"] == "game.sealed":
            envelope["data"] |= {"head": head, "events": seq - 1}
        envelope["hash"] = head = hash_of(envelope)
    return changed


def found(report: Report) -> dict[str, int | None]:
    """The first bad seq of every check that failed."""
    return {check.name: check.seq for check in report.checks if check.outcome == "failed"}


def check_of(report: Report, name: str) -> Check:
    (check,) = [check for check in report.checks if check.name == name]
    return check


def first_of(log: Sequence[Envelope], kind: str, count: int = 1) -> int:
    """The seq of the first event of a type, or of a later one."""
    seqs: list[int] = [envelope["seq"] for envelope in log if envelope["type"] == kind]
    return seqs[count - 1]
