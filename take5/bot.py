"""The bot kit: say which card and which row, and `run` does the rest.

    from take5.bot import run
    from take5.client import Client

    client = Client.signed_up("http://127.0.0.1:8000", "my first bot")
    run(client, lambda view, cards: min(cards))

A bot may be stopped and started at any time: what it owes is on the server, and `view` is complete, so nothing has to be
remembered from one decision to the next.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.cards import TENTHS
from take5.client import LONGEST_WAIT_S, ApiProblem, Card, Client, Decision, Json, Unreachable

ChooseCard: TypeAlias = Callable[[Json, tuple[Card, ...]], Card]
"""From your view and the legal cards to the card to lay."""
ChooseRow: TypeAlias = Callable[[Json], int | tuple[int, str]]
"""From your view to the row to take, 0 to 3; for a Joker perhaps with the mode, `append` or `take`."""
ChoosePick: TypeAlias = Callable[[Json, tuple[Card, ...]], Card | Sequence[Card]]
"""From your view and the cards of the open deck to the card to pick, or to a plan: several, the dearest first."""
ChooseBallot: TypeAlias = Callable[[Json], Literal["yes", "no"] | None]
"""From your view to your answer to the vote in it; None is silence."""
OnError: TypeAlias = Callable[[str, str, Exception], object]
"""Told of a game, the key of a decision in it, and what your own code raised there or the service said of the answer."""

_log = logging.getLogger("take5.bot")

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
_SERVED: Final = frozenset({"timeout", "away"})
"""As whom the service answers in the place of a seat."""
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
    on_error: OnError | None = None,
) -> None:
    """Answer every decision of the client's player, in all its games, for ever; or in one game, until it is over.

    Decisions are answered one after the other: while your code thinks about one, the clocks of the others run. Who thinks
    for long or sits at many tables gives each game, or group of games, a `run` in a thread or process of its own.

    A row that is chosen for a Joker without a mode is appended to where that is legal. An answer that somebody gave before
    is let go, with a warning of the logger `take5.bot` if it was the service because the time was up.

    Raises `ApiProblem` for an answer that is not legal, and whatever your own code raises, with a note that names game and
    decision; but with `on_error` that is called instead, the decision is left to the clock, and the bot goes on. Raises
    `take5.client.Unreachable`, and `ApiProblem` for what is wrong with more than one answer.
    """
    chooser: dict[str, Callable[..., Any]] = {
        "card": choose_card,
        "row": choose_row,
        "pick": choose_pick,
        "ballot": choose_ballot,
    }
    left: set[tuple[str, str]] = set()
    while game is None or client.game(game)["status"] in ("lobby", "playing", "paused"):
        owed = client.decisions(game=game, wait=_GLANCE_S if game else LONGEST_WAIT_S)
        left &= {(decision.game, decision.key) for decision in owed}
        is_silent = True
        for decision in owed:
            if (decision.game, decision.key) in left:
                continue
            try:
                is_silent &= not _give(client, decision, chooser[decision.kind])
            except Exception as error:
                error.add_note(f"Decision {decision.key} of game {decision.game} was to be answered.")
                if on_error is None or _concerns_more(error):
                    raise
                on_error(decision.game, decision.key, error)
                left.add((decision.game, decision.key))
                is_silent = False
        if owed and is_silent:
            _listen(client, owed, game)


def _concerns_more(error: Exception) -> bool:
    """Whether no other answer would fare better."""
    if isinstance(error, ApiProblem):
        return error.status in (401, 429) or error.status >= 500
    return isinstance(error, Unreachable)


def _listen(client: Client, owed: list[Decision], game: str | None) -> None:
    """Wait until something happens, since what one is silent about stays owed and the list of it does not wait."""
    if game is None:
        told = client.call("GET", "/v1/me/events")
        listed = {(one["game"], one["key"]) for one in told["items"][0]["data"]["decisions"]}
        if listed == {(decision.game, decision.key) for decision in owed}:
            client.call("GET", "/v1/me/events", query={"after": told["next_after"]}, wait=LONGEST_WAIT_S)
            return
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
        if problem.code != "decision_not_found":
            _warn_if_late(client, decision)
    return bool(answer)


def _warn_if_late(client: Client, decision: Decision) -> None:
    """Say so if it was the service that answered first, and no other client of the player."""
    shown = client.call("GET", f"/v1/games/{decision.game}/decisions/{decision.key}")
    if shown["answered_by"] in _SERVED:
        _log.warning(
            "too late in game %s for decision %s: the service has answered %s (deadline %s)",
            decision.game,
            decision.key,
            shown["answer"],
            decision.deadline,
        )


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
