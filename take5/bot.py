"""The bot kit: say which card and which row, and `run` does the rest.

    from take5.bot import run
    from take5.client import Client

    client = Client.signed_up("http://127.0.0.1:8000", "my first bot")
    run(client, lambda view, cards: min(cards))

A bot may be stopped and started at any time: what it owes is on the server, and `view` is complete, so nothing has to be
remembered from one decision to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.cards import TENTHS
from take5.client import LONGEST_WAIT_S, ApiProblem, Card, Client, Decision, Json

ChooseCard: TypeAlias = Callable[[Json, tuple[Card, ...]], Card]
"""From your view and the legal cards to the card to lay."""
ChooseRow: TypeAlias = Callable[[Json], int | tuple[int, str]]
"""From your view to the row to take, 0 to 3; for a Joker perhaps with the mode, `append` or `take`."""
ChoosePick: TypeAlias = Callable[[Json, tuple[Card, ...]], Card | Sequence[Card]]
"""From your view and the cards of the open deck to the card to pick, or to a plan: several, the dearest first."""
ChooseBallot: TypeAlias = Callable[[Json], Literal["yes", "no"] | None]
"""From your view to your answer to the vote in it; None is silence."""

_OVERTAKEN: Final = frozenset(
    {
        "already_answered",
        "decision_closed",
        "decision_not_found",
        "decision_not_open",
        "game_not_playing",
        "game_over",
        "game_paused",
    }
)
"""Somebody was faster: another client with the same token, the clock, or the table with a vote."""
_GLANCE_S: Final = 2
"""How long to wait for a decision before looking whether the game is over."""


def fewest_bullheads(view: Json) -> int:
    """The row with the fewest bullheads, the first of several; for a Joker of those that it can join, if there are any."""
    modes = (view.get("pending") or {}).get("rows", ())
    joined = [row for row, legal in enumerate(modes) if "append" in legal]
    return min(joined or range(len(view["rows"])), key=lambda row: view["rows"][row]["bullheads"])


def highest(view: Json, cards: tuple[Card, ...]) -> Card:
    """The highest card."""
    return max(cards, key=TENTHS.__getitem__)


def silence(view: Json) -> None:
    """No answer, which counts as a no when the time for the vote is up."""


def run(
    client: Client,
    choose_card: ChooseCard,
    choose_row: ChooseRow = fewest_bullheads,
    *,
    choose_pick: ChoosePick = highest,
    choose_ballot: ChooseBallot = silence,
    game: str | None = None,
) -> None:
    """Answer every decision of the client's player, in all its games, for ever; or in one game, until it is over.

    A row that is chosen for a Joker without a mode is appended to where that is legal. An answer that comes too late is let
    go. Raises `ApiProblem` for an answer that is not legal, and `take5.client.Unreachable`.
    """
    chooser: dict[str, Callable[..., Any]] = {
        "card": choose_card,
        "row": choose_row,
        "pick": choose_pick,
        "ballot": choose_ballot,
    }
    while game is None or client.game(game)["status"] in ("lobby", "playing", "paused"):
        owed = client.decisions(game=game, wait=_GLANCE_S if game else LONGEST_WAIT_S)
        spoken = [_give(client, decision, chooser[decision.kind]) for decision in owed]
        if owed and not any(spoken):
            # What one is silent about stays owed: look again when something has happened there.
            client.events(owed[0].game, owed[0].view["seq"], wait=_GLANCE_S)


def _give(client: Client, decision: Decision, choose: Callable[..., Any]) -> bool:
    """Answer a decision, unless somebody else has meanwhile; whether there was anything to say."""
    answer = _answer(decision, choose)
    try:
        if answer:
            client.answer(decision, **answer)
    except ApiProblem as problem:
        if problem.code not in _OVERTAKEN:
            raise
    return bool(answer)


def _answer(decision: Decision, choose: Callable[..., Any]) -> Json:
    """The body of the answer to a decision, empty for silence."""
    view = decision.view
    match decision.kind:
        case "card":
            return {"card": choose(view, decision.cards)}
        case "row":
            chosen = choose(view)
            if isinstance(chosen, tuple):
                return {"row": chosen[0], "mode": chosen[1]}
            modes = decision.rows[chosen] if chosen in range(len(decision.rows)) else ()
            return {"row": chosen} | ({"mode": "append"} if "append" in modes else {})
        case "pick" if not {*(view["plan"] or ())}.isdisjoint(decision.cards):
            return {}  # the plan that stands is about to answer
        case "pick":
            picked = choose(view, decision.cards)
            return {"card": picked} if isinstance(picked, int | str) else {"plan": list(picked)}
        case "ballot":
            choice = choose(view)
            return {"choice": choice} if choice else {}
