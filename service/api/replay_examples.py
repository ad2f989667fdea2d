"""More examples of the document: games as they are read later, event by event, as files and step by step."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from engine.canonical import canonical
from engine.commands import (
    CastBallot,
    ChangeOptions,
    ChangeSeat,
    CloseLobby,
    GoAway,
    JoinSeat,
    LeaveSeat,
    OpenVote,
    PlanPicks,
    Resign,
    Return,
)
from engine.compact import compact
from engine.events import EVENTS
from engine.files import events_file
from engine.log import Envelope, redact
from engine.replay import frame, steps
from engine.scores import sheet
from engine.verify import verify_log
from service.api.example_games import (
    ADA,
    BOB,
    CAT,
    Played,
    after,
    one_turn,
    opened,
    played_out,
    with_bot,
    with_people,
)
from service.api.examples import NEW_GAME
from service.api.placements import placements_csv


def _agreed(played: Played, number: int, vote: OpenVote) -> Played:
    """Return the game after a vote of Ada's that Cat agreed to."""
    return after(played, vote, CastBallot(CAT, number, "yes"))


def _closed_in_the_lobby() -> Played:
    joined = after(opened({**NEW_GAME, "seats": 3}), JoinSeat(ADA, "Ada", "human"))
    changed = after(joined, ChangeOptions(ADA, NEW_GAME), JoinSeat(BOB, "Bob", "human"))
    return after(changed, LeaveSeat(BOB), ChangeSeat(ADA, client_seed="8f14e45fceea167a"), CloseLobby(ADA))


def _of_many_words() -> Played:
    """Return a game of three in which all is said that can be said beside the play."""
    away = after(with_people({**NEW_GAME, "seats": 3}), GoAway(BOB), Return(BOB))
    replaced = _agreed(away, 1, OpenVote(ADA, "replace", 1))
    paused = _agreed(replaced, 2, OpenVote(ADA, "pause"))
    resumed = _agreed(paused, 3, OpenVote(ADA, "resume"))
    return after(_agreed(resumed, 4, OpenVote(ADA, "redeal")), Resign(CAT))


def _drafted() -> Played:
    started = with_bot({"ruleset": "pro", "seats": 2})
    return one_turn(after(started, PlanPicks(0, 1, 1, (24, 12, 1))))


_TURN: Final = one_turn(with_bot(NEW_GAME))
_LEARNT: Final = played_out(
    with_bot({"ruleset": "classic", "seats": 2, "learning_rounds": 1, "learning_only": True})
)
_SEEN: Final = redact(_TURN.log, 0)
_LAID: Final = next(envelope for envelope in _SEEN if envelope["type"] == "card.laid")
_STEPS: Final = list(steps(_TURN.log))


def _of_each_type() -> dict[str, Envelope]:
    """Return an event of each type, as Ada may read it at the end of its example."""
    found: dict[str, Envelope] = {}
    for played in (_TURN, _closed_in_the_lobby(), _of_many_words(), _drafted(), _LEARNT):
        for envelope in redact(played.log, 0):
            found.setdefault(envelope["type"], envelope)
    return {kind: found[kind] for kind in EVENTS}


EVENT_PAGES: Final = {
    kind: {"value": {"items": [envelope], "next_after": envelope["seq"]}}
    for kind, envelope in _of_each_type().items()
}
SCORED: Final = sheet(steps(_LEARNT.log))
EVENT_LINE: Final = canonical(_LAID).decode() + "\n"
EVENT_STREAM: Final = f"id: {_LAID['seq']}\nevent: {_LAID['type']}\ndata: {canonical(_LAID).decode()}\n\n"
_CURSOR: Final = "eAGLNtVRSjcty60wrjYyzU_PrDQ2NMjLjQUAaTYI0A"  # opaque, and any will do
_NEWS: Final = {"id": _CURSOR, "event": _LAID["type"], "data": _LAID}
NEWS_PAGE: Final = {"items": [_NEWS], "next_after": _CURSOR}
NEWS_LINE: Final = canonical(_NEWS).decode() + "\n"
NEWS_STREAM: Final = f"id: {_CURSOR}\nevent: {_LAID['type']}\ndata: {canonical(_LAID).decode()}\n\n"
REPLAY: Final = compact(_SEEN)
EVENTS_FILE: Final = b"".join(events_file(_SEEN[:1])).decode()
CSV: Final = placements_csv(_SEEN).decode()
_REPORT: Final = asdict(verify_log(redact(_TURN.log, None)))
VERIFICATION: Final = _REPORT | {"checks": list(_REPORT["checks"])}
FRAME_PAGE: Final[dict[str, Any]] = {"items": [frame(_STEPS[-1], 0)], "next_from": None}
