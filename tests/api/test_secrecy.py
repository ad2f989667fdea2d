"""Two games that differ in what one seat alone may know answer everybody else alike, byte for byte, whatever is asked.

The table of routes is the list of what is asked: a new route is asked, too. Digests differ, and nothing else. Each story
goes through the phases of its rules up to where the difference is revealed, and stops at every moment on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Response

from engine import commands as c
from engine.cards import HIGHEST, JOKERS, Card
from engine.errors import Refusal
from engine.views import view
from service.services import current
from service.store import play
from tests.api.twins import OTHERS, A, B, C, Call, Side, Swap, Twins, calls, dealt_otherwise, side, told

Story = Callable[[pytest.MonkeyPatch], Iterator[tuple[Twins, str]]]
Plant = Callable[[Side, pytest.MonkeyPatch], None]


def highest_of_b(of: Side) -> dict[Card, Card]:
    """Exchange seat B's highest card for one that is not dealt."""
    game = of.game
    dealt = {card for hand in game.hands for card in hand} | {card for row in game.rows for card in row}
    card = game.hands[B][-1]
    other = next(other for other in range(HIGHEST, 0, -1) if other not in dealt)
    return {card: other, other: card}


def joker_of_b(of: Side) -> dict[Card, Card]:
    """Exchange seat B's Joker for one that is set aside."""
    held = [hand[0] for hand in of.game.hands]
    other = next(joker for joker in JOKERS if joker not in held)
    return {held[B]: other, other: held[B]}


def take_rows(twins: Twins) -> Iterator[str]:
    """Choose row 0 wherever one is awaited, and stop before each."""
    while request := twins.first.game.request:
        yield "a row is awaited"
        (key,) = [key for key in twins.owed() if key.kind == "row"]
        twins.answer(key, {"row": 0, "mode": request.rows[0][-1]})
        twins.advance()


def a_card_is_dealt(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, str]]:
    twins = dealt_otherwise(monkeypatch, highest_of_b)
    assert [hand[:9] for hand in twins.first.game.hands] == [hand[:9] for hand in twins.second.game.hands]
    yield twins, "dealt"
    for turn in (1, 2, 3):
        twins.lay_lowest()
        for awaited in take_rows(twins):
            yield twins, awaited
        assert twins.first.game.turn == turn + 1
    highest = [{"card": each.game.hands[B][-1]} for each in (twins.first, twins.second)]
    twins.do(B, "PUT", "/decisions/r1.t4.s1.card", *highest)
    yield twins, "the card lies face down"


def a_table_talks(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, str]]:
    """A card of B lies face down, and the table does all that it can do meanwhile."""
    twins = dealt_otherwise(monkeypatch, highest_of_b, visibility="private")
    highest = [{"card": each.game.hands[B][-1]} for each in (twins.first, twins.second)]
    twins.do(B, "PUT", "/decisions/r1.t1.s1.card", *highest)
    yield twins, "of a private table"
    twins.do(A, "POST", "/votes", {"kind": "pause"})
    yield twins, "a vote is open"
    twins.do(B, "PUT", "/decisions/v1.s1.ballot", {"choice": "yes"})
    twins.do(C, "PUT", "/decisions/v1.s2.ballot", {"choice": "yes"})
    yield twins, "paused"
    twins.do(B, "POST", "/votes", {"kind": "resume"})
    for seat in (A, C):
        twins.do(seat, "PUT", f"/decisions/v2.s{seat}.ballot", {"choice": "yes"})
    twins.do(C, "PUT", "/away")
    yield twins, "somebody is away"
    twins.do(C, "DELETE", "/away")
    twins.do(C, "POST", "/resign")
    yield twins, "somebody has given up"


def a_joker_is_dealt(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, str]]:
    twins = dealt_otherwise(monkeypatch, joker_of_b, ruleset="jokers")
    assert twins.first.game.hands[B][1:] == twins.second.game.hands[B][1:]
    yield twins, "dealt"
    jokers = [{"card": each.game.hands[B][0]} for each in (twins.first, twins.second)]
    twins.do(B, "PUT", "/decisions/r1.t1.s1.card", *jokers)
    yield twins, "the Joker lies face down"


def a_plan_is_made(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, str]]:
    """B plans one card and then another one, and after the draft lays one card or another."""
    games = [side(Swap({}), monkeypatch, ruleset="pro") for _ in range(2)]
    twins = Twins(games[0], games[1], (30, 31))
    yield twins, "the draft is open"
    twins.do(B, "PUT", "/decisions/r1.d2.s1.pick", {"plan": [5, 30]}, {"plan": [5, 31]})
    yield twins, "planned"
    twins.do(A, "PUT", "/decisions/r1.d1.s0.pick", {"card": 9})
    twins.advance()
    assert twins.first.game.hands[B] == (5,)
    yield twins, "picked as planned"
    twins.do(B, "PUT", "/decisions/r1.d5.s1.pick", {"plan": [6]})
    while twins.first.game.phase == "draft":
        (key,) = [key for key in twins.owed() if key.kind == "pick"]
        twins.answer(key, {"card": twins.first.game.pool[0]})
        twins.advance()
    twins = Twins(games[0], games[1], twins.first.game.hands[B][:2])
    lowest, second = ({"card": card} for card in twins.hidden)
    twins.do(B, "PUT", "/decisions/r1.t1.s1.card", lowest, second)
    yield twins, "one card or another lies face down"


def a_row_is_chosen_ahead(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, str]]:
    games = [side(Swap({}), monkeypatch, row_policy="ahead", ruleset="tactics") for _ in range(2)]
    twins = Twins(games[0], games[1], ())
    card = {"card": twins.first.game.hands[B][0]}
    twins.do(B, "PUT", "/decisions/r1.t1.s1.card", card, card | {"if_low": "fewest_bullheads"})
    yield twins, "with the card or not"


def a_hidden_round_follows(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, str]]:
    """An open round, in which all is known, and then a hidden one, in which B has another card."""
    options = {"learning_rounds": 1, "auto_last_card": False}
    ahead = side(Swap({}), monkeypatch, **options)
    _play_round(Twins(ahead, ahead, ()))
    exchange = highest_of_b(ahead)
    games = [side(Swap(cards, 2), monkeypatch, **options) for cards in ({}, exchange)]
    twins = Twins(games[0], games[1], tuple(exchange))
    yield twins, "an open table"
    twins.lay_lowest()
    yield twins, "the next seat is called"
    _play_round(twins)
    assert twins.first.game.hands[B] != twins.second.game.hands[B]
    yield twins, "dealt after an open round"


def _play_round(twins: Twins) -> None:
    """Play the rest of the first round; with the same game on both sides, too."""
    both = twins.first is not twins.second
    while twins.first.game.round == 1:
        for key in twins.owed():
            game = twins.first.game
            body = {"row": 0} if key.kind == "row" else {"card": game.hands[key.seat][0]}
            if both:
                twins.answer(key, body)
            else:
                twins.first.ask(key.seat, Call("PUT", f"/v1/games/g_1/decisions/{key}", body))
        twins.advance()


STORIES: tuple[Story, ...] = (
    a_card_is_dealt,
    a_table_talks,
    a_joker_is_dealt,
    a_plan_is_made,
    a_row_is_chosen_ahead,
    a_hidden_round_follows,
)


@pytest.mark.parametrize("story", STORIES)
def test_nobody_else_can_tell_the_games_apart(monkeypatch: pytest.MonkeyPatch, story: Story) -> None:
    moments = 0
    for twins, moment in story(monkeypatch):
        assert list(twins.differences()) == [], moment
        moments += 1
    assert moments


@pytest.mark.parametrize("story", [a_card_is_dealt, a_joker_is_dealt])
def test_the_seat_itself_can(monkeypatch: pytest.MonkeyPatch, story: Story) -> None:
    twins, _ = next(story(monkeypatch))
    for path in ("", "/hints"):
        answers = [
            told(each.ask(B, Call("GET", f"/v1/games/g_1{path}"))) for each in (twins.first, twins.second)
        ]
        assert answers[0] != answers[1], path


def leak_in_views(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sight of a game holds all hands."""
    monkeypatch.setattr(
        "service.shown.view", lambda game, seat, head: {**view(game, seat, head), "hands": game.hands}
    )


def leak_in_events(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the log reads all of it."""
    monkeypatch.setattr("service.api.events.redact", lambda envelopes, seat: list(envelopes))


def leak_in_hints(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints are given for another seat's hand."""
    monkeypatch.setattr("service.api.hints.view", lambda game, seat, head: view(game, B, head))


def leak_in_scores(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """The score sheet tells what has been dealt."""
    monkeypatch.setattr(
        "service.api.scores.as_text",
        lambda made: str([envelope["open"] for envelope in current().play.log(made.game)]),
    )


def leak_in_refusals(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal says a little too much."""
    honest = side.services.play.execute

    def execute(game: str, command: c.Command) -> play.Done:
        try:
            return honest(game, command)
        except Refusal as refusal:
            raise Refusal(refusal.code, f"{refusal.detail} {max(side.game.hands[B], key=str)}") from None

    object.__setattr__(side.services, "play", Talking(side.services.play, execute))


class Talking:
    """A `Play` with another `execute`."""

    def __init__(self, honest: play.Play, execute: Callable[..., play.Done]) -> None:
        self._honest = honest
        self.execute = execute

    def __getattr__(self, name: str) -> Any:
        return getattr(self._honest, name)


def leak_in_headers(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer weighs B's hand."""

    processed = side.app.process_response

    def weigh(response: Response) -> Response:
        response.headers["X-Weight"] = str(sum(int(card) for card in side.game.hands[B]))
        return processed(response)

    monkeypatch.setattr(side.app, "process_response", weigh)


@pytest.mark.parametrize(
    "leak",
    [leak_in_views, leak_in_events, leak_in_hints, leak_in_scores, leak_in_refusals, leak_in_headers],
)
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, leak: Plant) -> None:
    twins, _ = next(a_card_is_dealt(monkeypatch))
    for each in (twins.first, twins.second):
        leak(each, monkeypatch)
    assert next(twins.differences((A,)), None)


def test_every_route_of_a_game_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    twins, _ = next(a_card_is_dealt(monkeypatch))
    asked = {
        (call.method, rule.rule)
        for call in calls(twins.first.app, twins.first.game, ())
        for rule in [
            twins.first.app.url_map.bind("").match(
                call.path.partition("?")[0], call.method, return_rule=True
            )[0]
        ]
    }
    moved = {("PUT", "/v1/games/<game_id>/away"), ("DELETE", "/v1/games/<game_id>/away")}
    served = {
        (method, rule.rule)
        for rule in twins.first.app.url_map.iter_rules()
        if "<game_id>" in rule.rule
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served - asked <= moved


def test_what_one_is_refused_changes_nothing_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    twins, _ = next(a_card_is_dealt(monkeypatch))
    table = twins.first
    looks = [
        Call("GET", path)
        for path in (
            "/v1/games/g_1",
            "/v1/games/g_1/events",
            "/v1/games/g_1/votes",
            "/v1/me/decisions",
            "/v1/me/events",
        )
    ]

    def seen() -> list[Any]:
        answers = [table.ask(who, look) for who in (*OTHERS, B) for look in looks]
        return [(answer.status_code, answer.headers.get("ETag"), answer.data) for answer in answers]

    before = seen()
    for call in calls(table.app, table.game, twins.hidden):
        table.ask(A, call)
    assert seen() == before
