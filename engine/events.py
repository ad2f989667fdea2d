"""What happened, in the past tense: every event of a game's log, as a frozen value.

Fields are the event's public data, except those that `sealed_parts` lists: these are known to one seat, or to nobody,
until a later event opens them. `by` says who caused an event, where that can differ.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeAlias, get_args

from engine.cards import Card
from engine.options import Options
from engine.outcome import Reason, Standing
from engine.players import SYSTEM, By, Kind
from engine.rows import Mode, Modes, Rows, Why
from engine.times import Millis

if TYPE_CHECKING:
    from dataclasses import dataclass as _event
else:

    def _event(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """A dataclass that the type checkers hold frozen, with nothing to guard it at run time.

        The guard would cost a sixth of the rules' speed: it sets every field through a call, in every event that is made.
        """
        return dataclasses.dataclass(slots=slots, unsafe_hash=frozen)


class CardPart(NamedTuple):
    """What `card.laid` seals."""

    card: Card


class HandPart(NamedTuple):
    """What `round.dealt` seals for a seat."""

    hand: tuple[Card, ...]


Part: TypeAlias = CardPart | HandPart


class Opening(NamedTuple):
    """A sealed part laid open: the event it stands in, which part, its salt and what it held."""

    seq: int
    part: str
    salt: str
    data: Part


class Play(NamedTuple):
    """A card and the seat that laid it."""

    seat: int
    card: Card


@_event(frozen=True, slots=True)
class GameCreated:
    """A table was opened; `engine` names the version of the rules, `seed_commit` fixes the master secret."""

    type: ClassVar[str] = "game.created"
    options: Options
    engine: str
    shuffle: str
    seed_commit: str
    host: str
    by: By


@_event(frozen=True, slots=True)
class GameChanged:
    """The host changed the options in the lobby."""

    type: ClassVar[str] = "game.changed"
    options: Options
    by: By


@_event(frozen=True, slots=True)
class SeatJoined:
    """Somebody took a seat; `player` is None and `level` is set for a house bot."""

    type: ClassVar[str] = "seat.joined"
    seat: int
    player: str | None
    name: str
    kind: Kind
    level: str | None
    client_seed: str
    by: By


@_event(frozen=True, slots=True)
class SeatUpdated:
    """A seat said whether it is ready, or added its client seed."""

    type: ClassVar[str] = "seat.updated"
    seat: int
    ready: bool
    client_seed: str
    by: By


@_event(frozen=True, slots=True)
class SeatLeft:
    """A seat became free again; `host` is who may start the game from now on."""

    type: ClassVar[str] = "seat.left"
    seat: int
    host: str
    by: By


@_event(frozen=True, slots=True)
class GameStarted:
    """The seats are fixed, with what each added to the shuffle."""

    type: ClassVar[str] = "game.started"
    players: tuple[str | None, ...]
    client_seeds: tuple[str, ...]
    by: By


@_event(frozen=True, slots=True)
class RoundStarted:
    """A round begins: the commitment to its deal, and the deck in play."""

    type: ClassVar[str] = "round.started"
    by: ClassVar[By] = SYSTEM
    round: int
    attempt: int
    round_commit: str
    low: int
    high: int


@_event(frozen=True, slots=True)
class RoundDealt:
    """The rows lie open and each seat has its hand, ascending; `hands` is sealed, a part a seat."""

    type: ClassVar[str] = "round.dealt"
    by: ClassVar[By] = SYSTEM
    attempt: int
    rows: Rows
    hand_size: int
    hands: tuple[tuple[Card, ...], ...]


@_event(frozen=True, slots=True)
class TurnOpened:
    """Every seat may lay a card now, until the deadline if there is one."""

    type: ClassVar[str] = "turn.opened"
    by: ClassVar[By] = SYSTEM
    turn: int
    deadline: Millis | None


@_event(frozen=True, slots=True)
class CardLaid:
    """A seat laid a card face down; `card` is sealed for the seat."""

    type: ClassVar[str] = "card.laid"
    seat: int
    card: Card
    by: By


@_event(frozen=True, slots=True)
class TurnRevealed:
    """The laid cards were turned up, in the order they will be placed."""

    type: ClassVar[str] = "turn.revealed"
    by: ClassVar[By] = SYSTEM
    plays: tuple[Play, ...]
    openings: tuple[Opening, ...]


@_event(frozen=True, slots=True)
class RowRequested:
    """A card's owner has to choose a row; `rows` lists the legal modes of each."""

    type: ClassVar[str] = "row.requested"
    by: ClassVar[By] = SYSTEM
    seat: int
    card: Card
    why: Why
    rows: Modes
    deadline: Millis | None


@_event(frozen=True, slots=True)
class RowChosen:
    """The owner, or the table's policy in its place, chose a row."""

    type: ClassVar[str] = "row.chosen"
    seat: int
    row: int
    mode: Mode
    by: By


@_event(frozen=True, slots=True)
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


@_event(frozen=True, slots=True)
class TurnClosed:
    """Every card of the turn is placed; bullheads of the round so far and totals before it, per seat."""

    type: ClassVar[str] = "turn.closed"
    by: ClassVar[By] = SYSTEM
    rows: Rows
    round_bullheads: tuple[int, ...]
    total_bullheads: tuple[int, ...]


@_event(frozen=True, slots=True)
class RoundScored:
    """The hands are empty and the piles are counted; `total_bullheads` includes this round."""

    type: ClassVar[str] = "round.scored"
    by: ClassVar[By] = SYSTEM
    piles: tuple[tuple[Card, ...], ...]
    round_bullheads: tuple[int, ...]
    total_bullheads: tuple[int, ...]


@_event(frozen=True, slots=True)
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


@_event(frozen=True, slots=True)
class GameFinished:
    """The end was reached; the lowest total wins, ties share, ranks are competition ranks."""

    type: ClassVar[str] = "game.finished"
    by: ClassVar[By] = SYSTEM
    reason: Reason
    standings: tuple[Standing, ...]
    lowest_wins: bool


@_event(frozen=True, slots=True)
class GameAbandoned:
    """The game ended without a winner."""

    type: ClassVar[str] = "game.abandoned"
    reason: Reason
    by: By


@_event(frozen=True, slots=True)
class GameSealed:
    """The last event: the master secret, the number of events before this one and the hash of the last of them."""

    type: ClassVar[str] = "game.sealed"
    by: ClassVar[By] = SYSTEM
    master: bytes
    events: int
    head: str


Event: TypeAlias = (
    GameCreated
    | GameChanged
    | SeatJoined
    | SeatUpdated
    | SeatLeft
    | GameStarted
    | RoundStarted
    | RoundDealt
    | TurnOpened
    | CardLaid
    | TurnRevealed
    | RowRequested
    | RowChosen
    | CardPlaced
    | TurnClosed
    | RoundScored
    | RoundRevealed
    | GameFinished
    | GameAbandoned
    | GameSealed
)

EVENTS: Final[dict[str, type[Event]]] = {kind.type: kind for kind in get_args(Event)}
"""Every event by the type under which it stands in the log."""

SEALED_FIELDS: Final[dict[str, str]] = {"round.dealt": "hands", "card.laid": "card"}
"""The field of an event type that is sealed; every other field is public."""


def sealed_parts(event: Event) -> dict[str, Part]:
    """What an event seals, by part; part `s2` is known to seat 2."""
    match event:
        case RoundDealt():
            return {f"s{seat}": HandPart(hand) for seat, hand in enumerate(event.hands)}
        case CardLaid():
            return {f"s{event.seat}": CardPart(event.card)}
        case _:
            return {}


def sealed_field(kind: str, parts: dict[str, Any]) -> Any:
    """The JSON value of the sealed field of an event type, from all its opened parts as JSON."""
    if kind == "round.dealt":
        return [parts[f"s{seat}"]["hand"] for seat in range(len(parts))]
    (part,) = parts.values()
    return part["card"]
