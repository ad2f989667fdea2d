"""From the body of an answer to the command that it means, and back to the event that holds an answer."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, assert_never

from engine.commands import CastBallot, ChooseRow, LayCard, Pick, PlanPicks
from engine.decisions import DecisionKind, Key
from engine.errors import Refusal
from engine.events import DraftPlanned
from engine.game import Cast, Chosen, Game, Laid, Plan
from engine.log import Envelope
from service.problems import FieldError, Problem
from service.receipts import answer_of, event_at, given, is_answer, planned, remembered
from service.services import current
from service.store.play import Done

Answering: TypeAlias = LayCard | ChooseRow | Pick | PlanPicks | CastBallot

_FIELDS: Final[dict[DecisionKind, tuple[frozenset[str], frozenset[str]]]] = {
    "card": (frozenset({"card"}), frozenset({"if_low"})),
    "row": (frozenset({"row"}), frozenset({"mode"})),
    "pick": (frozenset({"card", "plan"}), frozenset()),
    "ballot": (frozenset({"choice"}), frozenset()),
}
"""What the answer to each kind of decision is made of: one of these fields, and what may stand beside it."""

_OVER: Final = frozenset({"decision_closed", "no_row_choice", "game_not_playing", "game_over", "game_paused"})
"""Refusals of what may have been answered before: then the log knows, and the same answer gets its receipt again."""


def command(key: Key, wanted: dict[str, Any], player: str) -> Answering:
    """Return what an answer means; raises Problem `invalid_request` for one to another kind of decision."""
    _check_fields(key, wanted)
    moment = (key.seat, key.round, key.number)
    match key.kind:
        case "card":
            return LayCard(*moment, wanted["card"], key.attempt, wanted.get("if_low"))
        case "row":
            return ChooseRow(*moment, wanted["row"], wanted.get("mode"), key.attempt)
        case "pick" if "plan" in wanted:
            return PlanPicks(*moment, tuple(wanted["plan"]), key.attempt)
        case "pick":
            return Pick(*moment, wanted["card"], key.attempt)
        case "ballot":
            return CastBallot(player, key.number, wanted["choice"])


def is_another(game: Game, answer: Answering) -> bool:
    """Return whether an answer differs from one that stands already, which it may replace."""
    match answer:
        case LayCard(seat=seat, round=round_number, turn=turn):
            laid = game.laid[seat] if game.laid and (round_number, turn) == (game.round, game.turn) else None
            return laid is not None and (laid.card, laid.if_low) != (answer.card, answer.if_low)
        case PlanPicks(seat=seat, round=round_number):
            plan = game.plans[seat] if game.plans and round_number == game.round else None
            return plan is not None and plan.cards != answer.plan
        case _:
            return False


def event_of(done: Done, key: Key, answer: Answering) -> Envelope:
    """Return the event that holds the answer: one just written, or that of an earlier, equal answer."""
    for envelope in done.envelopes:
        if isinstance(answer, PlanPicks):
            if envelope["type"] == DraftPlanned.type:
                return envelope
        elif is_answer(envelope["type"], envelope["data"], key):
            return envelope
    return event_at(done.live.game.id, _standing(done.live.game, answer))


def answered_before(game_id: str, key: Key, answer: Answering, refusal: Refusal) -> Envelope:
    """Return the event that holds this very answer, given at an earlier moment; else raises what is to be said."""
    if refusal.code not in _OVER:
        raise refusal
    # Whoever asks again because no answer came asks at a busy time: that must not cost a game played again.
    if not isinstance(answer, Pick | PlanPicks):
        event = answer_of(current().play.log(game_id), key)
        if event and _is_same(answer, given(key, event)):
            return event
    found = remembered(current().play.live(game_id).game, key)
    if found is None:
        raise Problem("decision_not_found") if refusal.code == "decision_closed" else refusal
    if isinstance(answer, PlanPicks):
        if found.plan and planned(found.plan) == [*answer.plan]:
            return found.plan
    elif found.answer and _is_same(answer, given(key, found.answer)):
        return found.answer
    if refusal.code == "game_paused" or (found.answer is None and not isinstance(answer, PlanPicks)):
        raise refusal
    raise Refusal("decision_closed", "This decision was answered otherwise, and is over.")


def _check_fields(key: Key, wanted: dict[str, Any]) -> None:
    one_of, beside = _FIELDS[key.kind]
    errors = [
        FieldError("body", f"/{name}", f"Not part of the answer to a {key.kind} decision.")
        for name in wanted
        if name not in one_of | beside
    ]
    match sorted(one_of & wanted.keys()):
        case []:
            name = min(one_of)
            errors.append(FieldError("body", f"/{name}", "Missing data for required field."))
        case [_, *others]:
            errors += [
                FieldError("body", f"/{name}", "Give one of the two: a card, or a plan.") for name in others
            ]
        case _:
            pass
    if errors:
        raise Problem("invalid_request", errors=tuple(errors))


def _standing(game: Game, answer: Answering) -> int:
    """Return the seq of the answer that stands already, for one that changed nothing."""
    standing: Laid | Chosen | Plan | Cast | None
    match answer:
        case LayCard(seat=seat):
            standing = game.laid[seat]
        case ChooseRow():
            standing = game.chosen
        case PlanPicks(seat=seat):
            standing = game.plans[seat]
        case CastBallot(player=player):
            seat_of = game.seat_of(player)
            standing = game.vote.ballots[seat_of] if game.vote and seat_of is not None else None
        case Pick():
            standing = None  # a pick is always an event
        case _:
            assert_never(answer)
    if standing is None:
        raise AssertionError(f"{answer} was taken for given in game {game.id}")
    return standing.seq


def _is_same(answer: LayCard | ChooseRow | Pick | CastBallot, before: dict[str, Any]) -> bool:
    match answer:
        case LayCard():
            return (answer.card, answer.if_low) == (before["card"], before.get("if_low"))
        case ChooseRow():
            return answer.row == before["row"] and answer.mode in (None, before["mode"])
        case Pick():
            return bool(answer.card == before.get("card"))  # a plan that stands has none
        case CastBallot():
            return bool(answer.choice == before["choice"])
