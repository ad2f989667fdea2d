"""The examples of the document about games and decisions, from little games that the engine has played."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from engine.commands import Advance, CreateGame, GoAway, JoinSeat, OpenVote, Resign, SeatBot, StartGame
from engine.decisions import Decision, open_decisions
from engine.log import Envelope
from engine.resolve import resolve
from service.api.answering import command
from service.api.example_games import (
    ADA,
    BOB,
    GAME,
    NEXT_GAME,
    Played,
    after,
    created_as,
    opened,
    with_bot,
    with_people,
)
from service.receipts import given, receipt
from service.shown import decision_document, game_document
from service.tables import Table

NEW_GAME: Final[dict[str, Any]] = {
    "ruleset": "classic",
    "seats": 2,
    "end": {"points": 66, "when": "reached"},
    "pace": "live",
}
_JOIN_CODE: Final = "7KQ2M9XHRT"

_JOINED: Final = after(opened(NEW_GAME), JoinSeat(ADA, "Ada", "human"))
_WITH_BOT: Final = after(_JOINED, SeatBot(ADA, 1, "random"))
_STARTED: Final = after(_WITH_BOT, StartGame(ADA))

STARTED_LIVE: Final = _STARTED.live
LOBBY_TABLE: Final = Table(_JOINED.live, 0, is_host=True, was_seated=True)
LOBBY: Final = game_document(_JOINED.live, 0, _JOIN_CODE)
WITH_BOT: Final = {"seat": 1, "game": game_document(_WITH_BOT.live, 0, _JOIN_CODE)}
TAKEN: Final = {"seat": 0, "game": LOBBY}
PLAYING: Final = game_document(_STARTED.live, 0, None)


class Answered(NamedTuple):
    """A decision as it is owed, an answer to it, and what that gets."""

    decision: dict[str, Any]
    answer: dict[str, Any]
    receipt: dict[str, Any]
    after: Played
    event: Envelope


def _answered(played: Played, decision: Decision, answer: dict[str, Any]) -> Answered:
    key, player = decision.key, (ADA, BOB)[decision.seat]
    done = after(played, command(key, answer, player))
    event = done.log[len(played.log)]
    return Answered(decision_document(played.live, decision), answer, receipt(key, event), done, event)


def _own(played: Played) -> Decision:
    """Return what Ada owes; of several things the last."""
    return [decision for decision in open_decisions(played.live.game) if decision.seat == 0][-1]


def _asked_for_a_row(played: Played) -> Played:
    """Return the game where Ada has to choose a row for her lowest card."""
    while not (played.live.game.request and played.live.game.request.seat == 0):
        for decision in open_decisions(played.live.game):
            key = decision.key
            answer = {"card": decision.cards[0]} if decision.cards else {"row": 0, "mode": "take"}
            played = after(played, command(key, answer, ADA))
        played = after(played, Advance())
    return played


_JOKERS: Final = _asked_for_a_row(with_bot({"ruleset": "jokers", "seats": 2}))
_DRAFT: Final = with_bot({"ruleset": "pro", "seats": 2})
_PICK: Final = _own(_DRAFT)
_VOTE: Final = after(with_people(NEW_GAME), OpenVote(BOB, "pause"))
VOTE_LOG: Final = _VOTE.log

_PEOPLE: Final = with_people(NEW_GAME)
AWAY: Final = game_document(after(_PEOPLE, GoAway(ADA)).live, 0, None)
RESIGNED: Final = game_document(after(_PEOPLE, Resign(ADA)).live, None, None)

_REMATCH: Final = CreateGame(NEXT_GAME, ADA, resolve(NEW_GAME), rematch_of=GAME, kept=(ADA, BOB))
REMATCH: Final = game_document(after(created_as(_REMATCH), JoinSeat(ADA, "Ada", "human")).live, 0, _JOIN_CODE)

ANSWERS: Final[dict[str, Answered]] = {
    "card": _answered(_STARTED, _own(_STARTED), {"card": _own(_STARTED).cards[3]}),
    "row": _answered(low := _asked_for_a_row(_STARTED), _own(low), {"row": 2}),
    "joker": _answered(_JOKERS, _own(_JOKERS), {"row": 1, "mode": "append"}),
    "pick": _answered(_DRAFT, _PICK, {"card": 24}),
    "plan": _answered(_DRAFT, _PICK, {"plan": [24, 12, 1]}),
    "ballot": _answered(_VOTE, _own(_VOTE), {"choice": "yes"}),
}
"""Every kind of answer, by a name of its own."""

ANSWERED: Final = decision_document(
    ANSWERS["card"].after.live,
    _own(_STARTED),
    is_over=True,
    answer=given(_own(_STARTED).key, ANSWERS["card"].event),
    answered_by="player",
    receipt=ANSWERS["card"].receipt,
)
