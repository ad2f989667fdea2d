"""The examples of the document: a little game, dealt by the engine itself, so that they cannot drift from the truth."""

from __future__ import annotations

from typing import Any, Final

from engine.chance import Context
from engine.commands import CreateGame, JoinSeat, LayCard, LobbyCommand, SeatBot, StartGame
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.decisions import Key, open_decisions
from engine.evolve import created
from engine.log import Envelope, Live, Position, position, seal
from engine.resolve import resolve
from engine.times import Millis
from service.receipts import given, receipt
from service.schemas.players import PLAYER_EXAMPLE
from service.shown import decision_document, game_document
from service.tables import Table

_ID: Final = "g_5rwm3xk2nq7tz4yvb6cdha2eui"
_ADA: Final = str(PLAYER_EXAMPLE["id"])
_CONTEXT: Final = Context(Millis(1_767_268_800_000), FairShuffle(bytes(range(32))))

NEW_GAME: Final[dict[str, Any]] = {
    "ruleset": "classic",
    "seats": 2,
    "end": {"points": 66, "when": "reached"},
    "pace": "live",
}


def _opened() -> Live:
    first = create(CreateGame(_ID, _ADA, resolve(NEW_GAME)), _CONTEXT)
    (envelope,) = seal(Position(_ID), [first], _CONTEXT.now, _CONTEXT.chance)
    return Live(created(_ID, first, _CONTEXT.now), envelope["hash"])


def _after(live: Live, command: LobbyCommand | LayCard) -> tuple[Live, list[Envelope]]:
    game, events = act(live.game, command, _CONTEXT)
    envelopes = seal(position(live), events, _CONTEXT.now, _CONTEXT.chance)
    return Live(game, envelopes[-1]["hash"]), envelopes


_JOINED, _ = _after(_opened(), JoinSeat(_ADA, "Ada", "human"))
_WITH_BOT, _ = _after(_JOINED, SeatBot(_ADA, 1, "random"))
_STARTED, _ = _after(_WITH_BOT, StartGame(_ADA))
_OWN = open_decisions(_STARTED.game)[0]
_LAID, _ANSWERS = _after(_STARTED, LayCard(0, 1, 1, _OWN.cards[3]))
_ROW_KEY: Final = Key(1, 0, 1, 0, "row")

LOBBY_TABLE: Final = Table(_JOINED, 0, is_host=True)
LOBBY: Final = game_document(_JOINED, 0, "7KQ2M9XHRT")
WITH_BOT: Final = {"seat": 1, "game": game_document(_WITH_BOT, 0, "7KQ2M9XHRT")}
TAKEN: Final = {"seat": 0, "game": LOBBY}
PLAYING: Final = game_document(_STARTED, 0, None)

DECISION: Final = decision_document(_STARTED, _OWN)
ANSWERED: Final = decision_document(
    _LAID,
    _OWN,
    is_over=True,
    answer=given(_OWN.key, _ANSWERS[0]),
    answered_by="player",
    receipt=receipt(_OWN.key, _ANSWERS[0]),
)
CARD_ANSWER: Final = {"card": _OWN.cards[3]}
CARD_RECEIPT: Final = receipt(_OWN.key, _ANSWERS[0])
ROW_ANSWER: Final = {"row": 2}
ROW_RECEIPT: Final = {
    "key": str(_ROW_KEY),
    "seq": 14,
    "sealed": None,
    "salt": None,
    "accepted_at": CARD_RECEIPT["accepted_at"],
}
