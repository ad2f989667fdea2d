"""Decisions as the log remembers them: what was asked, what was answered, and the receipt for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.decisions import Decision, Key, current_decisions
from engine.game import Game
from engine.log import Envelope
from engine.times import parse
from service.services import current

_ASKED: Final = {"card": "turn.opened", "row": "row.requested"}
_ANSWERED: Final = {"card": "card.laid", "row": "row.chosen"}


@dataclass(frozen=True, slots=True)
class Remembered:
    """A decision, the event that holds its answer if it was given, and whether another answer is accepted no more."""

    decision: Decision
    answer: Envelope | None
    is_over: bool


def remembered(game: Game, key: Key) -> Remembered | None:
    """Return the decision of this name, open or over; None when it was never asked.  Raises Unavailable."""
    for decision in current_decisions(game):
        if decision.key == key:
            if decision.answer is None:
                return Remembered(decision, None, is_over=False)
            changeable = key.kind == "card" and game.options.recommit
            return Remembered(decision, event_at(game.id, decision.answer.seq), is_over=not changeable)
    return _from_log(current().play.log(game.id), key)


def event_at(game_id: str, seq: int) -> Envelope:
    """Return one event of a game, all parts open."""
    return current().play.log(game_id, seq - 1)[0]


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
    """Return what was answered: `{card}`, or `{row, mode}`."""
    if key.kind == "card":
        return {"card": answer["open"][f"s{key.seat}"]["data"]["card"]}
    return {"row": answer["data"]["row"], "mode": answer["data"]["mode"]}


def _from_log(log: list[Envelope], key: Key) -> Remembered | None:
    asked = answer = None
    attempt = 0
    for envelope in log:
        kind, data = envelope["type"], envelope["data"]
        if kind == "round.started":
            attempt = data["attempt"]
        if (envelope["round"], attempt, envelope["turn"]) != (key.round, key.attempt, key.number):
            continue
        if data.get("seat", key.seat) != key.seat:
            continue
        if kind == _ASKED[key.kind]:
            asked = envelope
        elif kind == _ANSWERED[key.kind]:
            answer = envelope
    if asked is None:
        return None
    deadline = asked["data"]["deadline"]
    opened = Decision(key, parse(asked["at"]), None if deadline is None else parse(deadline))
    return Remembered(opened, answer, is_over=True)
