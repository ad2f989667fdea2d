"""What the seats owe: the open decisions of a game, with what each may answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.cards import Card
from engine.game import Chosen, Game, Laid
from engine.rows import Modes
from engine.times import Millis

DecisionKind: TypeAlias = Literal["card", "row"]

_KEY: Final = re.compile(r"r([1-9][0-9]{0,3})(?:a([1-9][0-9]{0,3}))?\.t([1-9][0-9]?)\.s([0-9])\.(card|row)")


@dataclass(frozen=True, slots=True)
class Key:
    """The name of a decision, the same whenever it is derived: `r2.t5.s1.card`, or `r2a1...` once round 2 is dealt anew."""

    round: int
    attempt: int
    turn: int
    seat: int
    kind: DecisionKind

    def __str__(self) -> str:
        again = f"a{self.attempt}" if self.attempt else ""
        return f"r{self.round}{again}.t{self.turn}.s{self.seat}.{self.kind}"

    @classmethod
    def parse(cls, text: str) -> Key | None:
        """The key that `text` writes, or None when it writes none."""
        found = _KEY.fullmatch(text)
        if found is None:
            return None
        kind: DecisionKind = "card" if found[5] == "card" else "row"
        return cls(int(found[1]), int(found[2] or 0), int(found[3]), int(found[4]), kind)


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing a seat is asked: `cards` are legal for a card, `rows` (the modes of each row) for a row.

    `answer` is what the seat answered so far, while that is not carried out yet.
    """

    key: Key
    opened_at: Millis
    deadline: Millis | None
    cards: tuple[Card, ...] = ()
    rows: Modes = ()
    answer: Laid | Chosen | None = None

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.key.seat


def current_decisions(game: Game) -> tuple[Decision, ...]:
    """Every decision of this moment, answered or not, in seat order."""
    if game.phase == "lay_card":
        return tuple(
            Decision(
                _key(game, seat, "card"), game.opened_at, game.deadline, cards=hand, answer=game.laid[seat]
            )
            for seat, hand in enumerate(game.hands)
        )
    if game.request:
        request = game.request
        key = _key(game, request.seat, "row")
        return (Decision(key, request.opened_at, request.deadline, rows=request.rows, answer=game.chosen),)
    return ()


def open_decisions(game: Game) -> tuple[Decision, ...]:
    """The decisions that nobody has answered yet, in seat order."""
    return tuple(decision for decision in current_decisions(game) if decision.answer is None)


def next_deadline(game: Game) -> Millis | None:
    """When the first open decision runs out; None when nothing is open or no time is set."""
    return min(
        (decision.deadline for decision in open_decisions(game) if decision.deadline is not None),
        default=None,
    )


def _key(game: Game, seat: int, kind: DecisionKind) -> Key:
    return Key(game.round, game.attempt, game.turn, seat, kind)
