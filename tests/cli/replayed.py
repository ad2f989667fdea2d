"""Games of every kind to look at, and what `take5 replay` prints of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from click.testing import CliRunner

from engine import commands as c
from engine.compact import compact
from engine.files import events_file
from engine.log import Envelope
from take5 import replay_file
from tests.cli.tables import LATE, played


def agree(
    vote: int, kind: Any, *others: int, by: int = 0, target: int | None = None
) -> tuple[c.Command, ...]:
    """A vote that passes."""
    yes = [c.CastBallot(f"p{seat}", vote, "yes") for seat in others]
    return (c.OpenVote(f"p{by}", kind, target), *yes)


GAMES: dict[str, Callable[[], list[Envelope]]] = {
    "tactics": lambda: played(3, ruleset="tactics"),
    "jokers": lambda: played(4, {2: (LATE,), 20: (c.GoAway("p2"),), 30: (c.Return("p2"),)}, ruleset="jokers"),
    "pro": lambda: played(
        3,
        {3: (c.PlanPicks(2, 1, 6, (17, 3, 20)),), 9: agree(1, "redeal", 1, 2)},
        ruleset="pro",
        end={"rounds": 2},
        rotate_drafter=True,
    ),
    "learning": lambda: played(
        3,
        {
            7: (*agree(1, "pause", 1, 2), *agree(2, "resume", 0, 2, by=1)),
            40: agree(3, "redeal", 1, 2),
            45: (c.OpenVote("p0", "redeal"), LATE),
            58: (c.Resign("p2"), c.GoAway("p0"), *agree(5, "replace", by=1, target=0)),
        },
        learning_rounds=1,
        pace="untimed",
    ),
    "learning only": lambda: played(2, learning_rounds=2, learning_only=True),
    "abandoned": lambda: played(2, {5: agree(1, "abandon", 1)}),
}


def replay(log: list[Envelope], *arguments: str, form: str = "events") -> str:
    """What is printed of a game, given as one file or the other."""
    file = b"".join(events_file(log)) if form == "events" else orjson.dumps(compact(log))
    done = CliRunner().invoke(replay_file.replay, ["-", *arguments], input=file)
    assert done.exit_code == 0, done.output
    return done.stdout  # what takes long says so on standard error
