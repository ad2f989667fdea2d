"""What the seats owe: the open decisions of a game, with what each may answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from engine.cards import Card
from engine.game import Cast, Chosen, Game, Laid, Plan, Vote
from engine.rows import Modes
from engine.table import Ballot
from engine.times import Millis

DecisionKind: TypeAlias = Literal["card", "row", "pick", "ballot"]

BALLOTS: Final[tuple[Ballot, ...]] = ("yes", "no")

_IN_ROUND: Final = re.compile(
    r"r([1-9][0-9]{0,3})(?:a([1-9][0-9]{0,3}))?\.(?:t([1-9][0-9]?)\.s([0-9])\.(card|row)|d([1-9][0-9]{0,2})\.s([0-9])\.(pick))"
)
_BALLOT: Final = re.compile(r"v([1-9][0-9]{0,3})\.s([0-9])\.ballot")


@dataclass(frozen=True, slots=True)
class Key:
    """The name of a decision, the same whenever it is derived: `r2.t5.s1.card`, or `r2a1...` once round 2 is dealt anew.

    `number` counts from 1: turns of the round for a card or a row, picks of the draft for a pick, votes of the game for a
    ballot, which belongs to no round (0).
    """

    round: int
    attempt: int
    number: int
    seat: int
    kind: DecisionKind

    def __str__(self) -> str:
        if self.kind == "ballot":
            return f"v{self.number}.s{self.seat}.ballot"
        again = f"a{self.attempt}" if self.attempt else ""
        return f"r{self.round}{again}.{self.moment}.s{self.seat}.{self.kind}"

    @property
    def moment(self) -> str:
        """The turn or the pick within the round: `t5`, `d13`."""
        return f"{'d' if self.kind == 'pick' else 't'}{self.number}"

    @classmethod
    def parse(cls, text: str) -> Key | None:
        """The key that `text` writes, or None when it writes none."""
        if found := _BALLOT.fullmatch(text):
            return cls(0, 0, int(found[1]), int(found[2]), "ballot")
        found = _IN_ROUND.fullmatch(text)
        if found is None:
            return None
        number, seat, kind = found.group(3, 4, 5) if found[5] else found.group(6, 7, 8)
        return cls(int(found[1]), int(found[2] or 0), int(number), int(seat), cast("DecisionKind", kind))


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing a seat is asked: `cards` are legal for a card or a pick, `rows` (the modes of each row) for a row.

    `answer` is what the seat answered so far, while that is not carried out yet. From `bank_from` on the time is taken from
    the seat's bank, which lasts until the deadline; None when its bank is empty.
    """

    key: Key
    opened_at: Millis
    deadline: Millis | None
    cards: tuple[Card, ...] = ()
    rows: Modes = ()
    answer: Laid | Chosen | Plan | Cast | None = None
    bank_from: Millis | None = None

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.key.seat


def current_decisions(game: Game) -> tuple[Decision, ...]:
    """Every decision of this moment, answered or not: those of the play in seat order, then the ballots."""
    played = () if game.status == "paused" else _played(game)
    return played + _ballots(game, game.vote) if game.vote else played


def open_decisions(game: Game) -> tuple[Decision, ...]:
    """The decisions that nobody has answered yet, in the same order."""
    return tuple(decision for decision in current_decisions(game) if decision.answer is None)


def next_pick(game: Game, seat: int) -> int:
    """The number of the pick that a seat makes next in the draft, counted over all seats from 1."""
    seats = len(game.order)
    ahead = (game.order.index(seat) - game.picks) % seats
    return game.picks + ahead + 1


def planned_card(game: Game, seat: int) -> Card | None:
    """The card that a seat's plan picks for it now, in a draft; None without a plan, or when nothing of it is left.

    Who has given its seat up has no plan any more.
    """
    plan, holder = game.plans[seat], game.seats[seat]
    if plan is None or holder is None or holder.controller == "house":
        return None
    return next((card for card in plan.cards if card in game.pool), None)


def _played(game: Game) -> tuple[Decision, ...]:
    if game.phase == "lay_card":
        seats = range(len(game.hands)) if game.called is None else (game.called,)
        return tuple([_card(game, seat) for seat in seats])
    if game.phase == "choose_row" and game.request:
        request = game.request
        key = _key(game, request.seat, "row")
        deadline, bank_from = _limits(game, request.seat, request.deadline)
        return (
            Decision(
                key, request.opened_at, deadline, rows=request.rows, answer=game.chosen, bank_from=bank_from
            ),
        )
    if game.phase == "draft" and not game.is_drafted:
        key = Key(game.round, game.attempt, game.picks + 1, game.drafter, "pick")
        deadline, bank_from = _limits(game, game.drafter, game.deadline)
        return (Decision(key, game.opened_at, deadline, cards=game.pool, bank_from=bank_from),)
    return ()


def _card(game: Game, seat: int) -> Decision:
    key, laid = _key(game, seat, "card"), game.laid[seat]
    deadline, bank_from = (game.deadline, None) if laid else _limits(game, seat, game.deadline)
    return Decision(key, game.opened_at, deadline, cards=game.hands[seat], answer=laid, bank_from=bank_from)


def _limits(game: Game, seat: int, deadline: Millis | None) -> tuple[Millis | None, Millis | None]:
    """Until when a seat may answer what everybody may until `deadline`, and from when on that takes from its bank."""
    bank_ms = 0 if deadline is None else game.bank_of(seat)
    return (Millis(deadline + bank_ms), deadline) if deadline is not None and bank_ms else (deadline, None)


def _ballots(game: Game, vote: Vote) -> tuple[Decision, ...]:
    return tuple(
        Decision(
            Key(0, 0, vote.number, seat, "ballot"), vote.opened_at, vote.deadline, answer=vote.ballots[seat]
        )
        for seat in game.voters()
    )


def _key(game: Game, seat: int, kind: DecisionKind) -> Key:
    return Key(game.round, game.attempt, game.turn, seat, kind)
