"""What the service answers in the place of a seat: when it is late, away, or its house bot has failed."""

from __future__ import annotations

from typing import TypeAlias

from engine import commands as c, deals, events as e, policies
from engine.agreements import lobby_ends, pause_ends, timed_out
from engine.answers import check_moment
from engine.chance import Context
from engine.decisions import Decision, open_decisions, planned_card
from engine.game import Game
from engine.players import ActorKind, By
from engine.rounds import pick_as_planned, picked
from engine.times import Millis
from engine.views import view

Answered: TypeAlias = e.CardLaid | e.RowChosen | e.DraftPicked


def expire(game: Game, command: c.Expire, context: Context) -> tuple[e.Event, ...]:
    """All that happens because its time is up: the end of a lobby, a vote or a pause, the answers of who is late or away.

    Whoever may still answer has the command's grace beside. A late pick is still the one that its seat has planned.
    """
    by_then, owed = Millis(context.now - command.grace_ms), _owed(game)
    is_hurried = _is_hurried(game, owed)
    return timed_out(game, context, command.grace_ms) or tuple(
        [
            event
            for decision, kind in owed
            if _is_late(decision, by_then) or (is_hurried and kind == "away")
            for event in _planned(game, decision, context) or (answer(game, decision, kind, context),)
        ]
    )


def _planned(game: Game, decision: Decision, context: Context) -> tuple[e.Event, ...]:
    return pick_as_planned(game, context) if decision.key.kind == "pick" else ()


def play_for(game: Game, command: c.PlayFor, context: Context) -> tuple[e.Event, ...]:
    """The answer of the table's policy to a decision of the play that a house bot owes, else none; raises `Refusal`."""
    key = command.key
    check_moment(game, key.seat, (key.round, key.attempt, 0 if key.kind == "pick" else key.number))
    return tuple(
        [
            answer(game, decision, "policy", context)
            for decision, _ in _owed(game)
            if decision.key == key and may_answer(game, decision, "policy", context.now)
        ]
    )


def next_deadline(game: Game, grace_ms: int = 0) -> Millis | None:
    """When something happens in a game because its time is up; None when no time is set.

    Each answer has so much grace beyond its deadline. For what the service answers at once the moment has passed already.
    """
    owed = _owed(game)
    deadlines = [decision.deadline for decision, _ in owed]
    if game.vote:
        deadlines.append(game.vote.deadline)
    moments = [Millis(deadline + grace_ms) for deadline in deadlines if deadline is not None]
    moments += [moment for moment in (pause_ends(game), lobby_ends(game)) if moment is not None]
    if _is_hurried(game, owed):
        moments.append(game.opened_at)
    return min(moments, default=None)


def may_answer(game: Game, decision: Decision, kind: ActorKind, now: Millis) -> bool:
    """Whether the service may answer a decision of the play for a reason: `timeout`, `away`, or `policy`.

    It may not pick otherwise than the seat has planned.
    """
    is_planned = decision.key.kind == "pick" and planned_card(game, decision.seat) is not None
    return not is_planned and _is_up(game, decision, kind, now)


def _is_up(game: Game, decision: Decision, kind: ActorKind, now: Millis) -> bool:
    holder = game.seats[decision.seat]
    controller = holder.controller if holder else "player"
    match kind:
        case "timeout":
            return _is_late(decision, now) and controller != "policy"
        case "away":
            return controller == "policy" and (_is_late(decision, now) or _all_away(game, _owed(game)))
        case _:
            return kind == "policy" and controller == "house"


def answer(game: Game, decision: Decision, kind: ActorKind, context: Context) -> Answered:
    """The answer of the table's policy to a decision; `kind` says in the log why it is not the seat's own."""
    seat, by = decision.seat, By(kind, decision.seat)
    seen, policy = view(game, seat, ""), game.options.on_timeout
    if decision.key.kind == "row":
        row, mode = policies.cheapest_choice(seen)
        return e.RowChosen(seat, row, mode, by, bank_used(game, decision, context))
    seed = deals.bot_seed(context.chance.round_seed(game.round, game.attempt), seat, decision.key.moment)
    if decision.key.kind == "pick":
        return picked(game, seat, policies.PICK_POLICIES[policy](seen, seed), by, context)
    card = policies.CARD_POLICIES[policy](seen, seed)
    return e.CardLaid(seat, card, by, None, game.table, bank_used(game, decision, context))


def bank_used(game: Game, decision: Decision, context: Context) -> int:
    """What the answer to a decision takes from its seat's bank now: all that is left when the seat is late."""
    return game.bank_used(decision.seat, decision.bank_from, context.now)


def _owed(game: Game) -> list[tuple[Decision, ActorKind]]:
    """What the play waits for, each with the reason for which the service may answer it."""
    return [
        (decision, "away" if _is_away(game, decision.seat) else "timeout")
        for decision in open_decisions(game)
        if decision.key.kind != "ballot"
    ]


def _is_late(decision: Decision, now: Millis) -> bool:
    return decision.deadline is not None and decision.deadline <= now


def _is_hurried(game: Game, owed: list[tuple[Decision, ActorKind]]) -> bool:
    """Whether nothing but absent seats is waited for, and somebody waits; or they have asked to be played for.

    Where nobody is there to wait, whoever was too late still has its time, and may come back within it.
    """
    if not owed or not _all_away(game, owed):
        return False
    is_anybody_there = any(holder.controller == "player" for holder in game.taken)
    return is_anybody_there or not any(
        decision.deadline is not None and _is_missed(game, decision.seat) for decision, _ in owed
    )


def _is_missed(game: Game, seat: int) -> bool:
    """Whether a seat is away because it was late too often, and not because its holder has said so."""
    holder, limit = game.seats[seat], game.options.away_after_timeouts
    return holder is not None and limit is not None and holder.late >= limit


def _all_away(game: Game, owed: list[tuple[Decision, ActorKind]]) -> bool:
    return all(_is_away(game, decision.seat) for decision, _ in owed)


def _is_away(game: Game, seat: int) -> bool:
    holder = game.seats[seat]
    return holder is not None and holder.controller == "policy"
