"""House bots: each sees its seat's view and answers by the same commands as a client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from engine.cards import Card
from engine.commands import ChooseRow, LayCard, PlayFor
from engine.deals import bot_seed, draw, round_seed
from engine.decisions import Decision, open_decisions
from engine.errors import Refusal
from engine.log import Live
from engine.policies import CARD_POLICIES, CardPolicy, cheapest_row
from engine.views import View, view
from service.store.play import Play, owed_by_house

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bot:
    """How a house bot answers: a card or the number of a row, from its seat's view and a seed, and nothing else."""

    card: CardPolicy
    row: Callable[[View, bytes], int]


def random_row(view: View, seed: bytes) -> int:
    """Any of the rows, each equally likely."""
    return draw(seed, "row", len(view["rows"]))


BOTS: Final[dict[str, Bot]] = {
    "random": Bot(CARD_POLICIES["random"], random_row),
    "lowest_risk": Bot(CARD_POLICIES["lowest_risk"], lambda seen, _: cheapest_row(seen)),
}
"""The house bots by level."""


def play_bots(play: Play, game: str) -> None:
    """Answer every decision that house bots owe in a game, one after the other, until none is left.

    Harmless twice, late, or cut off half-way. Raises NoSuchGame and Unavailable.
    """
    live = play.live(game)
    master = bytes.fromhex(play.secrets(game)["master"])
    while owed := _owed(live):
        decision = owed[0]
        key = decision.key
        seed = bot_seed(round_seed(master, key.round, key.attempt), key.seat, key.turn)
        try:
            live = play.execute(game, _answer(live, decision, seed)).live
        except Refusal:  # somebody else has answered: another worker, or the clock when the time was up
            live = play.live(game)
            if decision in _owed(live):
                raise


def _owed(live: Live) -> list[Decision]:
    keys = owed_by_house(live.game)
    return [decision for decision in open_decisions(live.game) if decision.key in keys]


def _answer(live: Live, decision: Decision, seed: bytes) -> LayCard | ChooseRow | PlayFor:
    """The bot's answer; the table's policy in its place when it fails or answers what is not legal."""
    key, holder = decision.key, live.game.seats[decision.seat]
    level = holder.level if holder else None
    try:
        bot, seen = BOTS[level or ""], view(live.game, key.seat, live.head)
        if key.kind == "card":
            return LayCard(
                key.seat, key.round, key.turn, _legal_card(bot.card(seen, seed), decision), key.attempt
            )
        row = _legal_row(bot.row(seen, seed), decision)
        return ChooseRow(key.seat, key.round, key.turn, row, "take", key.attempt)
    except Exception:  # noqa: BLE001 - whatever is wrong with a bot, its table goes on; the log of events says so
        _log.exception("bot_failed", level=level, game=live.game.id, decision=str(key))
        return PlayFor(key.seat, key.round, key.turn, key.attempt)


def _legal_card(card: Card, decision: Decision) -> Card:
    if card not in decision.cards:
        raise ValueError(f"not a card to lay: {card!r}")
    return card


def _legal_row(row: int, decision: Decision) -> int:
    if row not in range(len(decision.rows)):
        raise ValueError(f"not a row to choose: {row!r}")
    return row
