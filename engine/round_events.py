"""What happens in a round, from its commitment to its end: the deal or the draft, the turns, the count."""

from __future__ import annotations

from typing import ClassVar

from engine.cards import Card
from engine.event import event
from engine.options import IfLow
from engine.parts import Opening, Play
from engine.players import SYSTEM, By
from engine.rows import Mode, Modes, Rows, Why
from engine.table import ExplainCode, Table
from engine.times import Millis


@event
class RoundStarted:
    """A round begins: the commitment to its deal, and the deck in play; attempt 1 and on after it was voided."""

    type: ClassVar[str] = "round.started"
    by: ClassVar[By] = SYSTEM
    round: int
    attempt: int
    round_commit: str
    low: int
    high: int
    table: Table = "hidden"


@event
class RoundDealt:
    """The rows lie open and each seat has its hand, ascending; `hands` is sealed, a part a seat.

    At an open table all parts are open from the start.
    """

    type: ClassVar[str] = "round.dealt"
    by: ClassVar[By] = SYSTEM
    attempt: int
    rows: Rows
    hand_size: int
    hands: tuple[tuple[Card, ...], ...]
    table: Table = "hidden"


@event
class DraftOpened:
    """The deck lies open; the seats pick a card each in `order`, again and again, the first until `deadline`."""

    type: ClassVar[str] = "draft.opened"
    by: ClassVar[By] = SYSTEM
    cards: tuple[Card, ...]
    order: tuple[int, ...]
    deadline: Millis | None


@event
class DraftPlanned:
    """A seat said which cards it wants, the dearest first, at each of its picks; `plan` is sealed for the seat."""

    type: ClassVar[str] = "draft.planned"
    seat: int
    plan: tuple[Card, ...]
    by: By


@event
class DraftPicked:
    """A seat picked a card from the open deck; the next one has until `deadline`. `bank_used_ms` as in card.laid."""

    type: ClassVar[str] = "draft.picked"
    seat: int
    card: Card
    deadline: Millis | None
    by: By
    bank_used_ms: int = 0


@event
class DraftClosed:
    """Every seat has its hand, ascending, and the cards that are left start the rows, ascending."""

    type: ClassVar[str] = "draft.closed"
    by: ClassVar[By] = SYSTEM
    hands: tuple[tuple[Card, ...], ...]
    rows: Rows


@event
class TurnOpened:
    """Every seat may lay a card now, until the deadline if there is one; at an open table seats are called to it."""

    type: ClassVar[str] = "turn.opened"
    by: ClassVar[By] = SYSTEM
    turn: int
    deadline: Millis | None


@event
class SeatCalled:
    """At an open table: this seat lays the next card, until the deadline if there is one."""

    type: ClassVar[str] = "seat.called"
    by: ClassVar[By] = SYSTEM
    seat: int
    deadline: Millis | None


@event
class CardLaid:
    """A seat laid a card face down; `card`, and `if_low` where it was given, are sealed for the seat.

    At an open table the part is open from the start. `bank_used_ms` is the time that was taken from the seat's bank.
    """

    type: ClassVar[str] = "card.laid"
    seat: int
    card: Card
    by: By
    if_low: IfLow | None = None
    table: Table = "hidden"
    bank_used_ms: int = 0


@event
class TurnRevealed:
    """The laid cards were turned up, in the order they will be placed."""

    type: ClassVar[str] = "turn.revealed"
    by: ClassVar[By] = SYSTEM
    plays: tuple[Play, ...]
    openings: tuple[Opening, ...]


@event
class RowRequested:
    """A card's owner has to choose a row; `rows` lists the legal modes of each."""

    type: ClassVar[str] = "row.requested"
    by: ClassVar[By] = SYSTEM
    seat: int
    card: Card
    why: Why
    rows: Modes
    deadline: Millis | None


@event
class RowChosen:
    """The owner, or the table's policy in its place, chose a row. `bank_used_ms` as in card.laid."""

    type: ClassVar[str] = "row.chosen"
    seat: int
    row: int
    mode: Mode
    by: By
    bank_used_ms: int = 0


@event
class CardExplained:
    """At an open table: why the next card goes where it goes, as a code and a sentence.

    `lower` lists the rows whose ends are lower than the card, `closest` is the one of them with the highest end.
    """

    type: ClassVar[str] = "card.explained"
    by: ClassVar[By] = SYSTEM
    seat: int
    card: Card
    code: ExplainCode
    lower: tuple[int, ...]
    closest: int | None
    sentence: str


@event
class CardPlaced:
    """A card joined a row, and captured the cards that lay there unless it was appended."""

    type: ClassVar[str] = "card.placed"
    by: ClassVar[By] = SYSTEM
    seat: int
    card: Card
    row: int
    position: int
    why: Why
    captured: tuple[Card, ...]
    bullheads: int


@event
class TurnClosed:
    """Every card of the turn is placed; bullheads of the round so far and totals before it, per seat."""

    type: ClassVar[str] = "turn.closed"
    by: ClassVar[By] = SYSTEM
    rows: Rows
    round_bullheads: tuple[int, ...]
    total_bullheads: tuple[int, ...]


@event
class RoundScored:
    """The hands are empty and the piles are counted; `total_bullheads` includes the round, unless it was for learning."""

    type: ClassVar[str] = "round.scored"
    by: ClassVar[By] = SYSTEM
    piles: tuple[tuple[Card, ...], ...]
    round_bullheads: tuple[int, ...]
    total_bullheads: tuple[int, ...]


@event
class RoundRevealed:
    """How the round was dealt: its seed, the whole deck in order, the stock, and the hands' openings.

    Under the option `reveal: game` the openings are empty and the rest is None until the game is sealed.
    """

    type: ClassVar[str] = "round.revealed"
    by: ClassVar[By] = SYSTEM
    round_seed: bytes | None
    deck: tuple[Card, ...] | None
    stock: tuple[Card, ...] | None
    openings: tuple[Opening, ...]


@event
class RoundVoided:
    """The table agreed to deal this round anew: nothing of it counts, and the next attempt follows."""

    type: ClassVar[str] = "round.voided"
    vote: int
    by: By
