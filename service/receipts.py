"""Decisions as the log remembers them: what was asked, what was answered, and the receipt for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.decisions import Decision, DecisionKind, Key, current_decisions, next_pick, planned_card
from engine.events import CardLaid, DraftPicked, DraftPlanned, RoundStarted, RowChosen, VoteCast
from engine.game import Game
from engine.log import Envelope
from engine.replay import steps
from service.services import current

_ANSWERS: Final[dict[DecisionKind, type[CardLaid | RowChosen | DraftPicked | VoteCast]]] = {
    "card": CardLaid,
    "row": RowChosen,
    "pick": DraftPicked,
    "ballot": VoteCast,
}
"""The event in which each kind of decision is answered."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A decision, the event that holds its answer if it was given, and whether another answer is accepted no more.

    Of a pick `plan` is the event of the plan that the seat had when it picked, if it had one. Until it picks, that plan is
    its answer.
    """

    decision: Decision
    answer: Envelope | None
    is_over: bool
    plan: Envelope | None = None


def remembered(game: Game, key: Key) -> Remembered | None:
    """Return the decision of this name, open or over; None when it was never asked.  Raises Unavailable."""
    if standing := _standing_plan(game, key):
        return standing
    decision = _current(game, key)
    if decision is None:
        return _from_log(current().play.log(game.id), key)
    if decision.answer is None:
        return Remembered(decision, None, is_over=False)
    changeable = key.kind == "card" and game.options.recommit
    return Remembered(decision, event_at(game.id, decision.answer.seq), is_over=not changeable)


def event_at(game_id: str, seq: int) -> Envelope:
    """Return one event of a game, all parts open."""
    return current().play.log(game_id, seq - 1)[0]


def is_answer(event_type: str, data: dict[str, Any], key: Key) -> bool:
    """Return whether an event of this type and data may hold the answer to a decision that was open before it."""
    return event_type == _ANSWERS[key.kind].type and data["seat"] == key.seat


def answer_of(log: list[Envelope], key: Key) -> Envelope | None:
    """Return the event that holds the last answer to a decision of a turn or a vote, without playing the log again."""
    attempt, found = 0, None
    for envelope in log:
        data = envelope["data"]
        if envelope["type"] == RoundStarted.type:
            attempt = data["attempt"]
        if is_answer(envelope["type"], data, key):
            turn = envelope["round"], attempt, envelope["turn"]
            place = (0, 0, data["vote"]) if key.kind == "ballot" else turn
            found = envelope if place == (key.round, key.attempt, key.number) else found
    return found


def receipt(key: Key, answer: Envelope) -> dict[str, Any]:
    """Return the receipt for an answer, from the event that holds it: for its seat alone, until the reveal."""
    part = f"s{key.seat}"
    return {
        "key": str(key),
        "seq": answer["seq"],
        "sealed": answer["sealed"].get(part),
        "salt": answer["open"][part]["salt"] if part in answer["open"] else None,
        "accepted_at": answer["at"],
    }


def given(key: Key, answer: Envelope) -> dict[str, Any]:
    """Return what was answered: `{card}` with a row in advance as `if_low`, `{plan}`, `{row, mode}`, or `{choice}`."""
    data: dict[str, Any] = answer["data"]
    match key.kind:
        case "card":
            laid: dict[str, Any] = answer["open"][f"s{key.seat}"]["data"]
            return laid
        case "row":
            return {"row": data["row"], "mode": data["mode"]}
        case "pick" if answer["type"] == DraftPlanned.type:
            return {"plan": planned(answer)}
        case "pick":
            return {"card": data["card"]}
        case "ballot":
            return {"choice": data["choice"]}


def planned(plan: Envelope) -> list[Any]:
    """Return the cards of a plan, from the event that holds it."""
    (opening,) = plan["open"].values()
    cards: list[Any] = opening["data"]["plan"]
    return cards


def _standing_plan(game: Game, key: Key) -> Remembered | None:
    """Return the seat's next pick as its plan is going to make it; None for any other decision, and without a plan."""
    if key.kind != "pick" or game.phase != "draft" or game.is_drafted:
        return None
    is_next = (key.round, key.attempt, key.number) == (game.round, game.attempt, next_pick(game, key.seat))
    plan = game.plans[key.seat]
    if not is_next or plan is None or planned_card(game, key.seat) is None:
        return None
    decision = _current(game, key) or Decision(key, plan.at, None, cards=game.pool)
    answer = event_at(game.id, plan.seq)
    return Remembered(decision, answer, is_over=game.status == "paused", plan=answer)


def _from_log(log: list[Envelope], key: Key) -> Remembered | None:
    """Play the log again: what was asked last under this name, and the event that answered it."""
    asked: Decision | None = None
    answer: Envelope | None = None
    plan_seq: int | None = None
    before: Game | None = None
    for envelope, step in zip(log, steps(log), strict=True):
        was_asked = _current(before, key) if before else None
        if before and was_asked and is_answer(step.event.type, envelope["data"], key):
            answer = envelope
            plan = before.plans[key.seat] if key.kind == "pick" else None
            plan_seq = plan and plan.seq
        before = step.game
        asked = was_asked or asked
    if asked is None:
        return None
    return Remembered(asked, answer, is_over=True, plan=log[plan_seq - 1] if plan_seq else None)


def _current(game: Game, key: Key) -> Decision | None:
    """Return the decision if it is asked in this very state."""
    if key.kind == "ballot":
        is_there = game.vote is not None and game.vote.number == key.number
    else:
        number = game.turn if key.kind in ("card", "row") else key.number
        is_there = (game.round, game.attempt, number) == (key.round, key.attempt, key.number)
    if not is_there:
        return None
    return next((decision for decision in current_decisions(game) if decision.key == key), None)
