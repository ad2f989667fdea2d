"""More examples of the document: the first turn of a little game, played by the engine, as it is read later."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from engine.canonical import canonical
from engine.chance import Context
from engine.commands import Advance, ChooseRow, Command, CreateGame, JoinSeat, LayCard, SeatBot, StartGame
from engine.compact import compact
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.decisions import open_decisions
from engine.evolve import created
from engine.files import events_file
from engine.game import Game
from engine.log import Envelope, Position, redact, seal
from engine.replay import frame, steps
from engine.resolve import resolve
from engine.times import Millis
from engine.verify import verify_log
from service.api.examples import NEW_GAME
from service.api.placements import placements_csv
from service.schemas.players import PLAYER_EXAMPLE

_ID: Final = "g_5rwm3xk2nq7tz4yvb6cdha2eui"
_ADA: Final = str(PLAYER_EXAMPLE["id"])
_CONTEXT: Final = Context(Millis(1_767_268_800_000), FairShuffle(bytes(range(32))))


def _after(game: Game, log: list[Envelope], command: Command) -> Game:
    """Return the game after a command, whose events are added to the log."""
    at = Position(_ID, log[-1]["seq"], log[-1]["hash"], game.round, game.turn)
    game, events = act(game, command, _CONTEXT)
    log += seal(at, events, _CONTEXT.now, _CONTEXT.chance)
    return game


def _one_turn() -> list[Envelope]:
    """Return the log of a game in which each seat has laid its lowest card, and taken the first row when it was asked."""
    first = create(CreateGame(_ID, _ADA, resolve(NEW_GAME)), _CONTEXT)
    log = seal(Position(_ID), [first], _CONTEXT.now, _CONTEXT.chance)
    game = created(_ID, first, _CONTEXT.now)
    for command in (JoinSeat(_ADA, "Ada", "human"), SeatBot(_ADA, 1, "random"), StartGame(_ADA)):
        game = _after(game, log, command)
    while game.turn == 1:
        for decision in open_decisions(game):
            key = decision.key
            asked: Command = (
                LayCard(key.seat, 1, 1, decision.cards[0]) if decision.cards else ChooseRow(key.seat, 1, 1, 0)
            )
            game = _after(game, log, asked)
        game = _after(game, log, Advance())
    return log


_LOG: Final = _one_turn()
_SEEN: Final = redact(_LOG, 0)
_LAID: Final = next(envelope for envelope in _SEEN if envelope["type"] == "card.laid")
_STEPS: Final = list(steps(_LOG))

EVENT_PAGE: Final = {"items": [_LAID], "next_after": _LAID["seq"]}
EVENT_LINE: Final = canonical(_LAID).decode() + "\n"
REPLAY: Final = compact(_SEEN)
EVENTS_FILE: Final = b"".join(events_file(_SEEN[:1])).decode()
CSV: Final = placements_csv(_SEEN).decode()
_REPORT: Final = asdict(verify_log(redact(_LOG, None)))
VERIFICATION: Final = _REPORT | {"checks": list(_REPORT["checks"])}
FRAME_PAGE: Final[dict[str, Any]] = {"items": [frame(_STEPS[-1], 0)], "next_from": None}
