"""House bots: each sees its seat's view and answers by the same commands as a client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from engine.cards import Card, is_card
from engine.commands import Answer, ChooseRow, LayCard, Pick, PlayFor
from engine.deals import bot_seed, draw, round_seed
from engine.decisions import Decision, open_decisions
from engine.errors import Refusal
from engine.log import Live
from engine.policies import CARD_POLICIES, PICK_POLICIES, CardPolicy, cheapest_choice
from engine.rows import Mode
from engine.views import View, view
from service.logs import described
from service.metrics import BOT_FAILURES
from service.store.play import Play, owed_by_house
from worker.budget import OverBudget, within

BUDGET_S: Final = 2.0
"""How long a house bot may think about one answer; then the table's policy answers for it, and the log of events says so."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bot:
    """How a house bot answers: a card, a row with its mode, or a pick, from its seat's view and a seed, and nothing else."""

    card: CardPolicy
    row: Callable[[View, bytes], tuple[int, Mode]]
    pick: CardPolicy


def random_row(view: View, seed: bytes) -> tuple[int, Mode]:
    """Any of the legal choices of a row with a mode, each equally likely."""
    choices = [(row, mode) for row, modes in enumerate(view["pending"]["rows"]) for mode in modes]
    return choices[draw(seed, "row", len(choices))]


BOTS: Final[dict[str, Bot]] = {
    "random": Bot(CARD_POLICIES["random"], random_row, PICK_POLICIES["random"]),
    "lowest_risk": Bot(
        CARD_POLICIES["lowest_risk"], lambda seen, _: cheapest_choice(seen), PICK_POLICIES["lowest_risk"]
    ),
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
        seed = bot_seed(round_seed(master, key.round, key.attempt), key.seat, key.moment)
        try:
            live = play.execute(game, _answer(live, decision, seed)).live
        except Refusal:  # somebody else has answered: another worker, or the clock when the time was up
            live = play.live(game)
            if decision in _owed(live):
                raise


def _owed(live: Live) -> list[Decision]:
    keys = owed_by_house(live.game)
    return [decision for decision in open_decisions(live.game) if decision.key in keys]


def _answer(live: Live, decision: Decision, seed: bytes) -> Answer | PlayFor:
    """The bot's answer; the table's policy in its place when it fails or answers what is not legal."""
    holder = live.game.seats[decision.seat]
    level = holder.level if holder else None
    try:
        bot, seen = BOTS[level or ""], view(live.game, decision.seat, live.head)
        return within(BUDGET_S, lambda: _thought(bot, seen, seed, decision))
    except (Exception, OverBudget, SystemExit) as error:  # noqa: BLE001 - whatever is wrong with a bot, its table goes on
        BOT_FAILURES.labels(level, type(error).__name__).inc()
        _log.warning(
            "bot_failed", level=level, game=live.game.id, decision=str(decision.key), **described(error)
        )
        return PlayFor(decision.key)


def _thought(bot: Bot, seen: View, seed: bytes, decision: Decision) -> Answer:
    key = decision.key
    moment = key.seat, key.round, key.number
    if key.kind == "row":
        return ChooseRow(*moment, *_legal_choice(bot.row(seen, seed), decision), key.attempt)
    if key.kind == "pick":
        return Pick(*moment, _legal_card(bot.pick(seen, seed), decision), key.attempt)
    return LayCard(*moment, _legal_card(bot.card(seen, seed), decision), key.attempt)


def _legal_card(card: Card, decision: Decision) -> Card:
    if not is_card(card) or card not in decision.cards:
        raise ValueError("not a card to choose")
    return card


def _legal_choice(choice: tuple[int, Mode], decision: Decision) -> tuple[int, Mode]:
    row, mode = choice
    if type(row) is not int or row not in range(len(decision.rows)) or mode not in decision.rows[row]:
        raise ValueError("not a row to choose")
    return choice
