"""One turn as a pure function: rows and laid cards go in, where every card went comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import TENTHS, Card, bullheads, is_card, is_joker
from engine.errors import Refusal
from engine.rows import Mode, Placement, Rows, Why, choice, place, place_chosen
from engine.rulesets import RuleSet


@dataclass(frozen=True, slots=True)
class Laid:
    """A card and the seat that lays it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Placed:
    """A card that joined a row, and what it captured."""

    seat: int
    card: Card
    row: int
    position: int
    why: Why
    captured: tuple[Card, ...]
    bullheads: int


@dataclass(frozen=True, slots=True)
class Capture:
    """All that one seat captured in the turn."""

    seat: int
    cards: tuple[Card, ...]
    bullheads: int


@dataclass(frozen=True, slots=True)
class Pending:
    """The choice that is missing: whose, for which card, from what; `queue` are the cards not placed yet."""

    seat: int
    card: Card
    why: Why
    legal: dict[str, tuple[tuple[Mode, ...], ...]]
    queue: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Simulation:
    """A turn as it was placed: wholly, or up to the choice in `pending`."""

    rows: Rows
    placements: tuple[Placed, ...]
    captures: tuple[Capture, ...]
    pending: Pending | None


def simulate(
    rules: RuleSet,
    rows: Sequence[Sequence[Card]],
    plays: Sequence[Mapping[str, Any]],
    choices: Sequence[Mapping[str, Any]],
    *,
    jokers: bool = False,
) -> Simulation:
    """Place one turn's cards as `rules` say.

    `plays` are `{"seat", "card"}`, `choices` are `{"seat", "row"}`, with a `mode` for a Joker, and are used when their
    seat is asked. `jokers` admits the Jokers. Raises `Refusal`: position_impossible or seat_out_of_range for what cannot
    lie on a table, row_out_of_range, mode_not_legal or no_row_choice for a choice that cannot be made.
    """
    table: Rows = tuple([tuple(row) for row in rows])
    _check_rows(rules, table)
    queue = _queue(rules, plays)
    _check_cards(rules, table, queue, jokers=jokers)
    chosen = _by_seat(choices, queue)
    placed: list[Placed] = []
    pending = None
    for at, laid in enumerate(queue):
        placement = place(table, laid.card, rules.row_limit)
        if placement is None:
            made = chosen.pop(laid.seat, None)
            if made is None:
                pending = _pending(rules, table, queue[at:])
                break
            placement = _chosen(rules, table, laid.card, *made)
        row, position, why, captured, price, table = placement
        placed.append(Placed(laid.seat, laid.card, row, position, why, captured, price))
    if chosen and pending is None:
        index, _ = next(iter(chosen.values()))
        detail = "The card of that seat fits a row, so there is nothing to choose."
        raise Refusal("no_row_choice", detail, pointers=(f"/choices/{index}",))
    return Simulation(table, tuple(placed), _captures(placed), pending)


def _impossible(detail: str, pointer: str) -> Refusal:
    return Refusal("position_impossible", detail, pointers=(pointer,))


def _check_rows(rules: RuleSet, rows: Rows) -> None:
    if len(rows) != rules.rows:
        raise _impossible(f"There are {rules.rows} rows on a table, not {len(rows)}.", "/rows")
    for index, row in enumerate(rows):
        if not 1 <= len(row) <= rules.row_limit:
            raise _impossible(f"A row has 1 to {rules.row_limit} cards, not {len(row)}.", f"/rows/{index}")


def _queue(rules: RuleSet, plays: Sequence[Mapping[str, Any]]) -> tuple[Laid, ...]:
    laid = [Laid(play["seat"], play["card"]) for play in plays]
    if not 1 <= len(laid) <= rules.max_seats:
        raise _impossible(f"A turn has 1 to {rules.max_seats} cards, one a seat.", "/plays")
    for index, one in enumerate(laid):
        if not 0 <= one.seat < rules.max_seats:
            detail = f"Seats are numbered 0 to {rules.max_seats - 1}."
            raise Refusal("seat_out_of_range", detail, pointers=(f"/plays/{index}/seat",))
        if one.seat in [other.seat for other in laid[:index]]:
            raise _impossible(f"Seat {one.seat} lays two cards.", f"/plays/{index}/seat")
        if not is_card(one.card):
            raise _impossible(f"There is no card {one.card!r}.", f"/plays/{index}/card")
    return tuple(sorted(laid, key=lambda one: TENTHS[one.card]))


def _check_cards(rules: RuleSet, rows: Rows, queue: Sequence[Laid], *, jokers: bool) -> None:
    """Refuse cards that are not in the deck, lie twice, or in an order that no row comes into."""
    seen: set[Card] = set()
    for card, pointer in [
        *((card, f"/rows/{index}") for index, row in enumerate(rows) for card in row),
        *((laid.card, "/plays") for laid in queue),
    ]:
        if not is_card(card) or (is_joker(card) and not jokers):
            raise _impossible(f"There is no card {card!r} in {rules.name}.", pointer)
        if card in seen:
            raise _impossible(f"Card {card} lies twice.", pointer)
        seen.add(card)
    for index, row in enumerate(rows):
        numbers = [TENTHS[card] for card in row if not is_joker(card)]
        if numbers != sorted(numbers):
            raise _impossible("The cards of a row ascend.", f"/rows/{index}")


def _by_seat(
    choices: Sequence[Mapping[str, Any]], queue: Sequence[Laid]
) -> dict[int, tuple[int, Mapping[str, Any]]]:
    """The choices by their seat, each with its place in the request."""
    seats = {laid.seat for laid in queue}
    chosen: dict[int, tuple[int, Mapping[str, Any]]] = {}
    for index, made in enumerate(choices):
        pointer = f"/choices/{index}/seat"
        if made["seat"] not in seats:
            raise Refusal("no_row_choice", f"Seat {made['seat']} lays no card.", pointers=(pointer,))
        if made["seat"] in chosen:
            raise _impossible(f"Seat {made['seat']} chooses twice.", pointer)
        chosen[made["seat"]] = (index, made)
    return chosen


def _chosen(rules: RuleSet, rows: Rows, card: Card, index: int, made: Mapping[str, Any]) -> Placement:
    try:
        return place_chosen(rows, card, rules.row_limit, made["row"], made.get("mode"))
    except Refusal as refusal:
        pointers = tuple(f"/choices/{index}{pointer}" for pointer in refusal.pointers)
        raise Refusal(refusal.code, refusal.detail, legal=refusal.legal, pointers=pointers) from None


def _pending(rules: RuleSet, rows: Rows, queue: tuple[Laid, ...]) -> Pending:
    first = queue[0]
    legal = choice(rows, first.card, rules.row_limit) or ()
    return Pending(
        first.seat, first.card, "joker" if is_joker(first.card) else "too_low", {"rows": legal}, queue
    )


def _captures(placed: Sequence[Placed]) -> tuple[Capture, ...]:
    """What each seat captured, in the order of the captures; a seat lays one card, so each captures at most once."""
    return tuple([Capture(one.seat, one.captured, bullheads(one.captured)) for one in placed if one.captured])
