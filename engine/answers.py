"""Answers to decisions: what a laid card, a chosen row, a pick or a plan causes, or why it is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from engine import commands as c, events as e
from engine.agreements import returning
from engine.cards import Card, is_joker
from engine.chance import Context
from engine.decisions import next_pick, open_decisions
from engine.errors import CODES, Refusal
from engine.evolve import fold
from engine.game import Game
from engine.rounds import picked
from engine.rows import chosen_mode


def decide_answer(game: Game, command: c.Answer, context: Context) -> tuple[e.Event, ...]:
    """The events of an answer, none when it was given before; raises `Refusal`."""
    events = _answered(game, command, context)
    holder = game.seats[command.seat]
    if not holder or not holder.away:
        return events
    back = returning(game, command.seat)
    return (*back, *_answered(fold(game, back, context.now), command, context))


def _answered(game: Game, command: c.Answer, context: Context) -> tuple[e.Event, ...]:
    match command:
        case c.LayCard():
            check_moment(game, command.seat, (command.round, command.attempt, command.turn))
            return _lay(game, command, context)
        case c.ChooseRow():
            check_moment(game, command.seat, (command.round, command.attempt, command.turn))
            return _choose(game, command, context)
        case c.Pick():
            return _pick(game, command, context)
        case c.PlanPicks():
            return _plan(game, command)
        case _:
            assert_never(command)


def check_moment(game: Game, seat: int, asked: tuple[int, int, int]) -> None:
    """Refuse an answer to another round, attempt and turn than the one that is played."""
    if not 0 <= seat < len(game.seats):
        raise Refusal("seat_out_of_range")
    now = game.round, game.attempt, game.turn
    if asked < now or (asked == now and game.is_over):
        raise Refusal("decision_closed")
    if game.status == "paused":
        raise Refusal("game_paused")
    if game.status != "playing":
        raise Refusal("game_not_playing")
    if asked > now:
        raise _not_open(game, seat)


def _not_open(game: Game, seat: int, why: str = CODES["decision_not_open"]) -> Refusal:
    """The refusal that names what is open for the seat that asks, and of no other."""
    own = [str(decision.key) for decision in open_decisions(game) if decision.seat == seat]
    said = f"Open for you: {', '.join(own)}." if own else "No decision of yours is open."
    return Refusal("decision_not_open", f"{why} {said}")


def _lay(game: Game, command: c.LayCard, context: Context) -> tuple[e.Event, ...]:
    seat, card, if_low = command.seat, command.card, command.if_low
    laid = game.laid[seat] if game.laid else None
    if laid and (laid.card, laid.if_low) == (card, if_low):
        return ()
    if game.phase == "call" or game.called not in (None, seat):
        why = "At an open table one seat lays after the other; it is not your turn."
        raise Refusal("decision_closed", why) if laid else _not_open(game, seat, why)
    if game.phase != "lay_card":
        raise Refusal("decision_closed", "The laid cards of this turn have been revealed.")
    if laid and not game.options.recommit:
        raise Refusal("already_answered", "A card laid at this table is final.")
    _check_in_hand(game, seat, card)
    if if_low:
        _check_ahead(game, card)
    used = 0 if laid else game.bank_used(seat, game.deadline, context.now)
    return (e.CardLaid(seat, card, game.actor(seat), if_low, game.table, used),)


def _check_in_hand(game: Game, seat: int, card: Card) -> None:
    hand = game.hands[seat]
    if card not in hand:
        detail = f"Card {card} is not in your hand: {_listed(hand)}."
        raise Refusal("card_not_in_hand", detail, legal={"cards": list(hand)}, pointers=("/card",))


def _check_ahead(game: Game, card: Card) -> None:
    if game.options.row_policy != "ahead":
        raise Refusal("if_low_not_allowed", pointers=("/if_low",))
    if is_joker(card):
        detail = "A Joker is never too low; its owner chooses when its moment comes."
        raise Refusal("if_low_not_allowed", detail, pointers=("/if_low",))


def _choose(game: Game, command: c.ChooseRow, context: Context) -> tuple[e.Event, ...]:
    request = game.request
    if request is None or request.seat != command.seat:
        raise Refusal("no_row_choice")
    mode = chosen_mode(game.rows, request.card, game.rules.row_limit, command.row, command.mode)
    if game.chosen:
        if (game.chosen.row, game.chosen.mode) == (command.row, mode):
            return ()
        raise Refusal("already_answered", "A row choice is final.")
    used = game.bank_used(command.seat, request.deadline, context.now)
    return (e.RowChosen(command.seat, command.row, mode, game.actor(command.seat), used),)


def _pick(game: Game, command: c.Pick, context: Context) -> tuple[e.Event, ...]:
    _check_pick(game, command)
    if game.drafter != command.seat:
        raise Refusal("not_your_pick", f"Seat {game.drafter} picks first; give a plan for your own picks.")
    _check_in_draft(game, (command.card,), "/card")
    return (picked(game, command.seat, command.card, game.actor(command.seat), context),)


def _plan(game: Game, command: c.PlanPicks) -> tuple[e.Event, ...]:
    _check_pick(game, command)
    seat, plan = command.seat, command.plan
    standing = game.plans[seat]
    # A plan that has nothing left answers no further pick of its seat: to say it again would be asked for ever.
    is_spent = game.drafter == seat and not any(card in game.pool for card in plan)
    if standing and standing.cards == plan and not is_spent:
        return ()
    _check_in_draft(game, plan, "/plan")
    return (e.DraftPlanned(seat, plan, game.actor(seat)),)


def _check_pick(game: Game, command: c.Pick | c.PlanPicks) -> None:
    """Refuse an answer to another pick than the seat's next one."""
    check_moment(game, command.seat, (command.round, command.attempt, 0))
    if game.phase != "draft" or game.is_drafted or command.pick <= game.picks:
        raise Refusal("decision_closed")
    if command.pick != next_pick(game, command.seat):
        why = f"Your next pick is number {next_pick(game, command.seat)}."
        raise _not_open(game, command.seat, why)


def _check_in_draft(game: Game, cards: tuple[Card, ...], pointer: str) -> None:
    if not any(card in game.pool for card in cards):
        detail = f"None of it is in the open deck: {_listed(game.pool)}."
        raise Refusal("card_not_in_draft", detail, legal={"cards": list(game.pool)}, pointers=(pointer,))
    if len(set(cards)) < len(cards):
        raise Refusal("card_not_in_draft", "A plan names each card once.", pointers=(pointer,))
    low, high = game.rules.deck_range(len(game.seats))
    for place, card in enumerate(cards):
        if is_joker(card) or not low <= int(card) <= high:
            detail = f"The deck of this table goes from {low} to {high}; there is no {card} in it."
            raise Refusal("card_not_in_draft", detail, pointers=(f"{pointer}/{place}",))


def _listed(cards: Iterable[Card]) -> str:
    return ", ".join(map(str, cards))
