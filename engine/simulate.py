"""One turn as a pure function: rows, laid cards and row choices in; where every card went out (rules, sections 2 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.cards import TENTHS, Card, is_card, is_joker
from engine.errors import Refusal
from engine.events import CardPlaced
from engine.rows import Modes, Placement, Row, Rows, Why, choice, place, place_chosen
from engine.rulesets import RuleSet

Object: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WaitingPlay:
    """A card that is not placed yet, and the seat that laid it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Capture:
    """What one seat captured in the turn."""

    seat: int
    cards: tuple[Card, ...]
    bullheads: int


@dataclass(frozen=True, slots=True)
class LegalRows:
    """What a chooser may name: the legal modes of each row, top to bottom."""

    rows: Modes


@dataclass(frozen=True, slots=True)
class PendingChoice:
    """Where the turn stops: whose choice is missing, and every card not placed yet, that one first."""

    seat: int
    card: Card
    why: Why
    legal: LegalRows
    queue: tuple[WaitingPlay, ...]


@dataclass(frozen=True, slots=True)
class Simulation:
    """A turn as it was placed, wholly or, with `pending`, up to a choice that is missing; `captures` in placing order."""

    rows: Rows
    placements: tuple[CardPlaced, ...]
    captures: tuple[Capture, ...]
    pending: PendingChoice | None


def simulate(
    rules: RuleSet,
    rows: Sequence[Sequence[Any]],
    plays: Sequence[Object],
    choices: Sequence[Object],
) -> Simulation:
    """Place the cards of a turn, lowest first, as far as the choices go.

    `plays` hold `seat` and `card`, `choices` hold `seat`, `row` and perhaps `mode`, as in POST /v1/simulate. Raises
    `Refusal` with pointers into these: position_impossible, seat_out_of_range, no_row_choice, row_out_of_range,
    mode_not_legal.
    """
    table = _rows(rules, rows)
    queue = _queue(rules, plays, table)
    wanted = _choices(choices, queue)
    placed: list[CardPlaced] = []
    pending = None
    for index, play in enumerate(queue):
        placement = place(table, play.card, rules.row_limit)
        if play.seat in wanted:
            placement = _place_chosen(table, play.card, rules.row_limit, *wanted[play.seat])
        if placement is None:
            pending = _pending(table, queue[index:], rules.row_limit)
            break
        row, position, why, captured, price, table = placement
        placed.append(CardPlaced(play.seat, play.card, row, position, why, captured, price))
    captures = tuple(Capture(one.seat, one.captured, one.bullheads) for one in placed if one.captured)
    return Simulation(table, tuple(placed), captures, pending)


def _impossible(detail: str, pointer: str) -> Refusal:
    return Refusal("position_impossible", detail, pointers=(pointer,))


def _card(rules: RuleSet, value: Any, pointer: str) -> Card:
    if not is_card(value) or (is_joker(value) and not rules.jokers):
        raise _impossible(f"There is no card {value!r} in this deck.", pointer)
    card: Card = value
    return card


def _rows(rules: RuleSet, rows: Sequence[Sequence[Any]]) -> Rows:
    if len(rows) != rules.rows:
        raise _impossible(f"There are {rules.rows} rows on the table, not {len(rows)}.", "/rows")
    seen: set[Card] = set()
    table: list[Row] = []
    for index, cards in enumerate(rows):
        pointer = f"/rows/{index}"
        if not 1 <= len(cards) <= rules.row_limit:
            raise _impossible(
                f"A row holds 1 to {rules.row_limit} cards; row {index} has {len(cards)}.", pointer
            )
        row = tuple(_card(rules, card, f"{pointer}/{at}") for at, card in enumerate(cards))
        for at, card in enumerate(row):
            _see(card, seen, f"{pointer}/{at}")
        _check_order(row, pointer)
        table.append(row)
    return tuple(table)


def _see(card: Card, seen: set[Card], pointer: str) -> None:
    if card in seen:
        raise _impossible(f"Card {card} is there twice.", pointer)
    seen.add(card)


def _check_order(row: Row, pointer: str) -> None:
    """Refuse a row that no turns can have built: numbers ascend, and two Jokers never lie side by side."""
    highest = 0
    for at, card in enumerate(row):
        if is_joker(card):
            if at and is_joker(row[at - 1]):
                raise _impossible("Two Jokers never lie side by side.", f"{pointer}/{at}")
        elif TENTHS[card] < highest:
            raise _impossible(f"A row ascends; {card} cannot lie after {highest // 10}.", f"{pointer}/{at}")
        else:
            highest = TENTHS[card]


def _queue(rules: RuleSet, plays: Sequence[Object], table: Rows) -> tuple[WaitingPlay, ...]:
    """The plays in placing order."""
    if not plays:
        raise _impossible("Nobody lays a card.", "/plays")
    seen, seats = {card for row in table for card in row}, set[int]()
    queue: list[WaitingPlay] = []
    for index, play in enumerate(plays):
        seat, pointer = play["seat"], f"/plays/{index}"
        if not 0 <= seat < rules.max_seats:
            detail = f"Seats are numbered 0 to {rules.max_seats - 1}."
            raise Refusal("seat_out_of_range", detail, pointers=(f"{pointer}/seat",))
        if seat in seats:
            raise _impossible(f"Seat {seat} lays one card a turn.", f"{pointer}/seat")
        seats.add(seat)
        card = _card(rules, play["card"], f"{pointer}/card")
        _see(card, seen, f"{pointer}/card")
        queue.append(WaitingPlay(seat, card))
    return tuple(sorted(queue, key=lambda play: TENTHS[play.card]))


def _choices(choices: Sequence[Object], queue: Sequence[WaitingPlay]) -> dict[int, tuple[Object, str]]:
    """The choices by seat, each with its pointer."""
    asked = {play.seat for play in queue if is_joker(play.card)}
    asked.update([play.seat for play in queue if not is_joker(play.card)][:1])
    wanted: dict[int, tuple[Object, str]] = {}
    for index, made in enumerate(choices):
        seat, pointer = made["seat"], f"/choices/{index}"
        if seat not in asked:
            detail = f"Seat {seat} is never asked: only a Joker and the lowest number card may need a choice."
            raise Refusal("no_row_choice", detail, pointers=(f"{pointer}/seat",))
        if seat in wanted:
            raise _impossible(f"Seat {seat} chooses once a turn.", f"{pointer}/seat")
        wanted[seat] = made, pointer
    return wanted


def _place_chosen(table: Rows, card: Card, row_limit: int, made: Object, pointer: str) -> Placement:
    try:
        return place_chosen(table, card, row_limit, made["row"], made.get("mode"))
    except Refusal as refusal:
        pointers = tuple(pointer + field for field in refusal.pointers or ("",))
        raise Refusal(refusal.code, refusal.detail, legal=refusal.legal, pointers=pointers) from None


def _pending(table: Rows, queue: tuple[WaitingPlay, ...], row_limit: int) -> PendingChoice:
    seat, card = queue[0].seat, queue[0].card
    legal = LegalRows(choice(table, card, row_limit) or ())
    return PendingChoice(seat, card, "joker" if is_joker(card) else "too_low", legal, queue)
