"""A whole game against house bots, by code alone that a public generator has made of the document.

Run by `tests.contract.client`, which has the package `take5_openapi` generated: `python -m tests.contract.game URL`.
"""

from __future__ import annotations

import sys
from typing import TypeVar

import httpx
from take5_openapi import AuthenticatedClient, Client
from take5_openapi.api.decisions import answer_decision, list_decisions, show_decision
from take5_openapi.api.events import list_events
from take5_openapi.api.frames import list_frames
from take5_openapi.api.games import create_game, show_game, start_game
from take5_openapi.api.players import create_player
from take5_openapi.api.replays import download_replay, verify_game
from take5_openapi.api.seats import seat_bot
from take5_openapi.models import (
    CheckOutcome,
    CreatedPlayer,
    Decision,
    DecisionKind,
    DecisionList,
    Event,
    EventPage,
    FramePage,
    Game,
    GameStatus,
    Given,
    ListFramesAs,
    NewGame,
    NewGameRuleset,
    NewPlayer,
    NewPlayerKind,
    Receipt,
    Replay,
    SeatBot,
    SeatBotHouse,
    SeatTaken,
    Verification,
)

T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    """Return an answer of the kind that was hoped for; raises TypeError for a problem document."""
    if not isinstance(answer, kind):
        raise TypeError(f"expected {kind.__name__}, got {answer}")
    return answer


def main(url: str) -> None:
    """Sign up, open a table, fill it, play to the end, and look at what remains."""
    wanted = NewPlayer(name="generated", kind=NewPlayerKind.BOT)
    signed_up = expect(CreatedPlayer, create_player.sync(client=Client(url), body=wanted))
    client = AuthenticatedClient(url, token=signed_up.token, timeout=httpx.Timeout(40))

    bots = list(SeatBotHouse)
    options = NewGame(ruleset=NewGameRuleset.CLASSIC, seats=1 + len(bots))
    game = expect(Game, create_game.sync(client=client, body=options))
    for seat, house in enumerate(bots, 1):
        expect(SeatTaken, seat_bot.sync(game.id, seat, client=client, body=SeatBot(house)))
    state = expect(Game, start_game.sync(game.id, client=client))

    answers = 0
    while state.status == GameStatus.PLAYING:
        owed = expect(DecisionList, list_decisions.sync(client=client, game=game.id, wait=1))
        for decision in owed.items:
            receipt = expect(
                Receipt, answer_decision.sync(game.id, decision.key, client=client, body=given(decision))
            )
            shown = expect(Decision, show_decision.sync(game.id, decision.key, client=client))
            assert shown.receipt == receipt
            answers += 1
        state = expect(Game, show_game.sync(game.id, client=client))

    replay = expect(Replay, download_replay.sync(game.id, client=client))
    verification = expect(Verification, verify_game.sync(game.id, client=client))
    frames = expect(FramePage, list_frames.sync(game.id, client=client, as_=ListFramesAs.ALL))
    events: list[Event] = []
    page = EventPage(items=[], next_after=0)
    while page.next_after is not None:
        page = expect(EventPage, list_events.sync(game.id, client=client, after=page.next_after))
        events += page.items

    assert state.status == GameStatus.FINISHED
    assert replay.result is not None
    assert replay.result.standings == state.standings
    assert verification.outcome == CheckOutcome.OK
    assert [event.seq for event in events] == [*range(1, replay.events + 1)]
    assert events[-1].hash_ == replay.head == verification.head
    assert frames.items[0].view.status == GameStatus.LOBBY
    place = next(place for place in state.standings if place.seat == 0)
    print(
        f"{len(replay.rounds)} rounds against {' and '.join(bots)}, {answers} answers, {len(events)} events: "
        f"rank {place.rank} with {place.total_bullheads} bullheads, verification {verification.outcome.value}"
    )


def given(decision: Decision) -> Given:
    """Return the answer to a decision: the lowest card, or the first row."""
    if decision.kind == DecisionKind.ROW:
        return Given(row=0)
    assert decision.legal is not None
    return Given(card=decision.legal.cards[0])


if __name__ == "__main__":
    main(sys.argv[1])
