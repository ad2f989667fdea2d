"""The bot kit in trouble: bad answers, code that fails, answers that come too late, and what becomes of the other games."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from engine import commands as c
from engine.times import Millis
from service.services import Services
from take5.bot import run
from take5.client import ApiProblem, Client, Json, Unreachable
from tests.cli.conftest import Service
from tests.cli.test_bot import table

Card = int | str


def foreign(view: Json, cards: tuple[Card, ...]) -> Card:
    return next(card for card in range(1, 105) if card not in cards)


def failing(view: Json, cards: tuple[Card, ...]) -> Card:
    raise ZeroDivisionError


@pytest.mark.parametrize(("choose", "error"), [(foreign, ApiProblem), (failing, ZeroDivisionError)])
def test_what_ends_a_bot_says_in_which_game_and_at_which_decision(
    sign_up: Callable[..., Client],
    choose: Callable[[Json, tuple[Card, ...]], Card],
    error: type[Exception],
) -> None:
    ada = sign_up()
    game = table(ada)
    with pytest.raises(error) as caught:
        run(ada, choose, game=game)
    assert caught.value.__notes__ == [f"Decision r1.t1.s0.card of game {game} was to be answered."]


@pytest.mark.parametrize("wrong", [foreign, failing])
def test_a_bot_that_is_told_of_errors_plays_its_other_games_to_their_end(
    sign_up: Callable[..., Client], wrong: Callable[[Json, tuple[Card, ...]], Card]
) -> None:
    ada = sign_up()
    bad, good = table(ada), table(ada)
    told: list[tuple[str, str, str]] = []

    def choose(view: Json, cards: tuple[Card, ...]) -> Card:
        return wrong(view, cards) if ada.decisions(game=bad)[0].cards == cards else cards[0]

    def note(game: str, key: str, error: Exception) -> None:
        told.append((game, key, type(error).__name__))

    decisions: Any = ada.decisions

    def watched(**wanted: object) -> object:
        if not wanted.get("game") and ada.game(good)["status"] == "finished":
            raise KeyboardInterrupt
        return decisions(**wanted)

    ada.decisions = watched  # type: ignore[method-assign,assignment]  # the bot would play for ever
    with pytest.raises(KeyboardInterrupt):
        run(ada, choose, on_error=note)
    assert [(game, key) for game, key, _ in told] == [(bad, "r1.t1.s0.card")]
    assert ada.game(bad)["turn"] == 1


def test_what_no_other_answer_would_change_ends_the_bot_all_the_same(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = table(ada)

    def gone(view: Json, cards: tuple[Card, ...]) -> Card:
        raise Unreachable("nobody there")

    with pytest.raises(Unreachable):
        run(ada, gone, game=game, on_error=lambda game, key, error: None)


def test_a_bot_that_is_silent_everywhere_waits_for_news_of_any_game(
    service: Service, sign_up: Callable[..., Client], services: Services
) -> None:
    ada = sign_up()
    table(ada)
    news: list[dict[str, Any]] = []
    call: Any = ada.call

    def noting(method: str, path: str, *more: object, **query: object) -> object:
        if path == "/v1/me/events":
            news.append(query)
            if len(news) == 2:
                raise KeyboardInterrupt
        return call(method, path, *more, **query)

    ada.call = noting  # type: ignore[method-assign,assignment]  # to see what is asked
    with pytest.raises(KeyboardInterrupt):
        run(ada, failing, on_error=lambda game, key, error: None)
    assert news[0] == {}
    assert news[1]["wait"] == 25
    assert "after" in news[1]["query"]


def test_an_answer_after_the_deadline_is_warned_of_with_game_and_decision(
    service: Service,
    services: Services,
    sign_up: Callable[..., Client],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ada = sign_up()
    game = table(ada, pace="blitz")
    clock, late = services.play.clock, [True]

    def slow(view: Json, cards: tuple[Card, ...]) -> Card:
        if late and late.pop():
            services.play.clock = lambda: Millis(clock() + 60_000)
            services.play.execute(game, c.Expire())
            served = ada.call("GET", f"/v1/games/{game}/decisions/r1.t1.s0.card")["answer"]["card"]
            return next(card for card in cards if card != served)
        return cards[0]

    with caplog.at_level(logging.WARNING, logger="take5.bot"):
        run(ada, slow, game=game)
    (warned,) = caplog.records
    assert f"too late in game {game} for decision r1.t1.s0.card: the service has answered {{'card':" in (
        warned.getMessage()
    )
    assert ada.game(game)["status"] == "finished"


def test_an_answer_that_another_client_of_the_bot_gave_is_no_lateness(
    sign_up: Callable[..., Client], caplog: pytest.LogCaptureFixture
) -> None:
    ada = sign_up()
    game = table(ada)

    def overtaken(view: Json, cards: tuple[Card, ...]) -> Card:
        for decision in ada.decisions(game=game):
            if decision.view["seq"] == view["seq"]:
                ada.answer(decision, card=cards[0])
        return cards[-1]

    with caplog.at_level(logging.WARNING, logger="take5.bot"):
        run(ada, overtaken, game=game)
    assert not caplog.records


def test_an_answer_to_what_a_vote_has_undone_is_let_go_without_a_word(
    sign_up: Callable[..., Client], caplog: pytest.LogCaptureFixture
) -> None:
    ada = sign_up("ada", "human")
    game = table(ada)
    voted: list[Json] = []

    def undone(view: Json, cards: tuple[Card, ...]) -> Card:
        if not voted:
            voted.append(ada.vote(game, "redeal"))
        return cards[0]

    with caplog.at_level(logging.WARNING, logger="take5.bot"):
        run(ada, undone, game=game)
    assert ada.game(game)["status"] == "finished"
    assert not caplog.records


def test_what_has_changed_meanwhile_is_not_waited_for(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    table(ada)
    waits: list[str] = []
    call: Any = ada.call

    def noting(method: str, path: str, *more: object, **query: Any) -> object:
        if path == "/v1/me/events":
            table(ada)
        elif path.endswith("/events"):
            waits.append(path)
            raise KeyboardInterrupt
        return call(method, path, *more, **query)

    ada.call = noting  # type: ignore[method-assign,assignment]  # to see what is asked
    with pytest.raises(KeyboardInterrupt):
        run(ada, failing, on_error=lambda game, key, error: None)
    assert len(waits) == 1
