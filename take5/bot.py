"""The bot kit: say which card and which row, and `run` does the rest.

    from take5.bot import run
    from take5.client import Client

    client = Client.signed_up("http://127.0.0.1:8000", "my first bot")
    run(client, lambda view, cards: min(cards))

A bot may be stopped and started at any time: what it owes is on the server, and `view` is complete, so nothing has to be
remembered from one decision to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from take5.client import LONGEST_WAIT_S, ApiProblem, Card, Client, Decision, Json

ChooseCard: TypeAlias = Callable[[Json, tuple[Card, ...]], Card]
"""From your view and the legal cards to the card to lay."""
ChooseRow: TypeAlias = Callable[[Json], int]
"""From your view to the row to take, 0 to 3."""

_OVERTAKEN: Final = frozenset(
    {"already_answered", "decision_closed", "decision_not_open", "game_not_playing"}
)
"""Somebody was faster: another client with the same token, or the clock."""
_GLANCE_S: Final = 2
"""How long to wait for a decision before looking whether the game is over."""


def fewest_bullheads(view: Json) -> int:
    """The row with the fewest bullheads, the first of several."""
    bullheads = [row["bullheads"] for row in view["rows"]]
    return bullheads.index(min(bullheads))


def run(
    client: Client,
    choose_card: ChooseCard,
    choose_row: ChooseRow = fewest_bullheads,
    *,
    game: str | None = None,
) -> None:
    """Answer every decision of the client's player, in all its games, for ever; or in one game, until it is over.

    An answer that comes too late is let go. Raises `ApiProblem` for an answer that is not legal, and
    `take5.client.Unreachable`.
    """
    while game is None or client.game(game)["status"] in ("lobby", "playing", "paused"):
        for decision in client.decisions(game=game, wait=_GLANCE_S if game else LONGEST_WAIT_S):
            _answer(client, decision, choose_card, choose_row)


def _answer(client: Client, decision: Decision, choose_card: ChooseCard, choose_row: ChooseRow) -> None:
    try:
        if decision.kind == "card":
            client.answer(decision, card=choose_card(decision.view, decision.cards))
        else:
            client.answer(decision, row=choose_row(decision.view))
    except ApiProblem as problem:
        if problem.code not in _OVERTAKEN:
            raise
