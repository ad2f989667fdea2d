"""The stages between turns: a round's start, its deal or its draft, its count and its end, and the game's."""

from __future__ import annotations

from engine import deals, events as e, outcome
from engine.cards import Card, in_order
from engine.chance import Context
from engine.dealing import Deal, deal_of
from engine.decisions import planned_card
from engine.game import Game
from engine.options import PointsEnd
from engine.times import Millis


def finish(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The result, between two rounds, once the end condition holds."""
    end = game.options.end
    if game.options.learning_only:
        is_done = game.round == game.options.learning_rounds
        return (e.GameFinished("learning", (), lowest_wins=True),) if is_done else ()
    if not game.scored_rounds or not outcome.is_over(end, game.totals, game.scored_rounds):
        return ()
    reason: outcome.Reason = "points" if isinstance(end, PointsEnd) else "rounds"
    return (e.GameFinished(reason, outcome.standings(game.totals), lowest_wins=True),)


def start_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """A new round, or the next attempt at one that was voided: the commitment to its seed, and the deck in play."""
    again = game.phase == "redeal"
    number, attempt = (game.round, game.attempt + 1) if again else (game.round + 1, 0)
    commit = deals.round_commit(context.chance.round_seed(number, attempt))
    is_open = number <= game.options.learning_rounds
    low, high = game.rules.deck_range(len(game.seats))
    return (e.RoundStarted(number, attempt, commit, low, high, "open" if is_open else "hidden"),)


def deal(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The rows and the hands, from the round's deck."""
    made = _deal(game, context)
    return (e.RoundDealt(game.attempt, made.rows, game.rules.hand_size, made.hands, game.table),)


def open_draft(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The open deck, and the seats in the order of their picks: the first drafter, then clockwise, each pass alike."""
    seats = len(game.seats)
    moved = game.round - 1 if game.options.rotate_drafter else 0
    order = tuple([(game.options.first_drafter + moved + place) % seats for place in range(seats)])
    low, high = game.rules.deck_range(seats)
    limit = deadline(context, game.options.pace.pick_ms)
    return (e.DraftOpened(tuple(range(low, high + 1)), order, limit),)


def picked(game: Game, seat: int, card: Card, by: e.By, context: Context) -> e.DraftPicked:
    """A pick of the draft, with the deadline of the next one."""
    is_last = game.picks + 1 == game.rules.dealt * len(game.seats)
    limit = None if is_last else deadline(context, game.options.pace.pick_ms)
    return e.DraftPicked(seat, card, limit, by, game.bank_used(seat, game.deadline, context.now))


def pick_as_planned(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The first card that is left of the drafter's plan, if it has one."""
    if game.is_drafted:
        return ()
    seat = game.drafter
    card = planned_card(game, seat)
    if card is None:
        return ()
    return (picked(game, seat, card, game.actor(seat), context),)


def close_draft(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The hands as they were picked, and the rows from the cards that nobody picked."""
    if not game.is_drafted:
        return ()
    return (e.DraftClosed(game.hands, tuple([(card,) for card in in_order(game.pool)])),)


def score_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The count of the piles when the hands are empty."""
    gained = game.round_bullheads
    totals = tuple([total + new for total, new in zip(game.totals, gained, strict=True)])
    return (e.RoundScored(game.piles, gained, totals),)


def show_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The count of the piles after a learning round, which nobody's total takes over."""
    return (e.RoundScored(game.piles, game.round_bullheads, game.totals),)


def reveal_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """How the round had been dealt; nothing of it yet where the table keeps that until the end."""
    if game.options.reveal == "game":
        return (e.RoundRevealed(None, None, None, ()),)
    seed = context.chance.round_seed(game.round, game.attempt)
    planned = [
        opening(context, plan.seq, seat, e.PlanPart(plan.cards))
        for seat, plan in enumerate(game.plans)
        if plan
    ]
    face_down = [
        opening(context, laid.seq, seat, e.card_part(laid.card, laid.if_low))
        for seat, laid in enumerate(game.laid)
        if laid and laid.card in game.hands[seat]
    ]
    if game.rules.drafts:
        return (e.RoundRevealed(seed, None, None, (*planned, *face_down)),)
    made, seq = _deal(game, context), game.dealt_seq
    hands = [opening(context, seq, seat, e.HandPart(hand)) for seat, hand in enumerate(made.hands)]
    return (e.RoundRevealed(seed, made.deck, made.stock, (*hands, *face_down)),)


def seal(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The last event, with the master secret."""
    return (e.GameSealed(context.chance.master, game.seq, ""),)


def opening(context: Context, seq: int, seat: int, data: e.Part) -> e.Opening:
    """A part of an event laid open, with its salt."""
    part = f"s{seat}"
    return e.Opening(seq, part, context.chance.salt(seq, part), data)


def deadline(context: Context, limit_ms: int | None) -> Millis | None:
    """The moment after a time limit; None without one."""
    return None if limit_ms is None else Millis(context.now + limit_ms)


def _deal(game: Game, context: Context) -> Deal:
    client_seeds = tuple([seat.client_seed for seat in game.taken])
    return deal_of(context.chance, game.rules, game.id, game.round, game.attempt, client_seeds)
