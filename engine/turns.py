"""The stages of a turn: cards laid, revealed and placed; and how it goes at an open table, where all of it is explained."""

from __future__ import annotations

from engine import events as e
from engine.cards import is_joker
from engine.chance import Context
from engine.explain import explained
from engine.game import Game, laid_in_order
from engine.players import By
from engine.rounds import deadline, opening
from engine.rows import Placement, Rows, Why, cheapest_row, choice, place, place_as


def open_turn(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The next turn, with its deadline; at an open table each seat gets its own when it is called."""
    limit = deadline(context, game.options.pace.turn_ms) if game.table == "hidden" else None
    return (e.TurnOpened(game.turn + 1, limit),)


def call_seat(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The seat that lays next at an open table: clockwise from a first one that moves on every turn."""
    seats = len(game.seats)
    clockwise = [(game.turn - 1 + place) % seats for place in range(seats)]
    seat = next(seat for seat in clockwise if game.laid[seat] is None)
    return (e.SeatCalled(seat, deadline(context, game.options.pace.turn_ms)),)


def lay_last_cards(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The last card of every hand, where the table lets the service lay it."""
    if len(game.hands[0]) != 1 or not game.options.auto_last_card:
        return ()
    return tuple(
        e.CardLaid(seat, game.hands[seat][0], By("policy", seat))
        for seat, laid in enumerate(game.laid)
        if not laid
    )


def lay_last_card(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The last card of the hand that is called, where the table lets the service lay it."""
    seat = game.called
    if seat is None or len(game.hands[seat]) != 1 or not game.options.auto_last_card:
        return ()
    return (e.CardLaid(seat, game.hands[seat][0], By("policy", seat), table="open"),)


def reveal(game: Game, context: Context) -> tuple[e.Event, ...]:
    """All laid cards turned up together, as soon as every seat has laid one."""
    if None in game.laid:
        return ()
    openings = tuple(
        [
            opening(context, laid.seq, seat, e.card_part(laid.card, laid.if_low))
            for seat, laid in enumerate(game.laid)
            if laid
        ]
    )
    return (e.TurnRevealed(laid_in_order(game), openings),)


def choose_ahead(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The cheapest row for a low card, where its owner said so with the card, or the table agreed on it for all."""
    request, policy = game.request, game.options.row_policy
    if policy == "ask" or request is None or game.chosen or request.why != "too_low":
        return ()
    if policy == "fewest_bullheads":
        by = By("policy", request.seat)
    else:
        laid = game.laid[request.seat]
        if laid is None or laid.if_low is None:
            return ()
        by = game.actor(request.seat)
    return (e.RowChosen(request.seat, cheapest_row(game.rows), "take", by),)


def place_cards(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The cards not placed yet, lowest first, each against the rows as they stand then.

    Stops where a card's owner has to choose: asks for the row, or places the card where the owner has chosen.
    """
    return _place(game, len(game.queue), context)


def place_one(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The next card not placed yet, or the question for its row."""
    return _place(game, 1, context)


def explain(game: Game, context: Context) -> tuple[e.Event, ...]:
    """Why the next card goes where it goes."""
    if not game.queue or (game.explanations and game.explanations[-1].card == game.queue[0].card):
        return ()
    return (explained(game.rows, game.queue[0], game.rules.row_limit),)


def close_turn(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The end of a turn, when every card is placed."""
    return (e.TurnClosed(game.rows, game.round_bullheads, game.totals),)


def _place(game: Game, cards: int, context: Context) -> tuple[e.Event, ...]:
    placed: list[e.Event] = []
    rows, chosen, limit = game.rows, game.chosen, game.rules.row_limit
    if game.request and not chosen:
        return ()
    for play in game.queue[:cards]:
        if chosen:
            placement: Placement | None = place_as(rows, play.card, chosen.row, chosen.mode)
            chosen = None
        else:
            placement = place(rows, play.card, limit)
        if placement is None:
            return (*placed, _request(game, rows, play, context))
        row, position, why, captured, price, rows = placement
        placed.append(e.CardPlaced(play.seat, play.card, row, position, why, captured, price))
    return tuple(placed)


def _request(game: Game, rows: Rows, play: e.Play, context: Context) -> e.RowRequested:
    legal = choice(rows, play.card, game.rules.row_limit) or ()
    why: Why = "joker" if is_joker(play.card) else "too_low"
    limit = deadline(context, game.options.pace.row_ms)
    return e.RowRequested(play.seat, play.card, why, legal, limit)
