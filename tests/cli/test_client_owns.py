"""What a player looks after with the client: tokens, bots, tables that come to nothing; and what is there to learn from."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from take5.bot import run
from take5.client import ApiProblem, Client
from tests.cli.conftest import URL, Service


def test_an_answer_without_a_body_is_none(sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    assert ada.call("DELETE", f"/v1/games/{game}") is None
    empty = httpx.MockTransport(lambda request: httpx.Response(200))
    with Client(URL, transport=empty) as client:
        assert client.call("GET", "/v1/me") is None


def test_a_table_is_closed_before_its_start(sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    ada.close_table(game)
    assert ada.game(game)["status"] == "abandoned"


def test_a_token_is_made_listed_and_revoked(service: Service, sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    made = ada.create_token("laptop")
    assert [(token["name"], token["own"]) for token in ada.tokens()][1:] == [("laptop", False)]
    with Client(URL, made["token"], transport=service) as laptop:
        assert laptop.me()["id"] == ada.me()["id"]
        with pytest.raises(ApiProblem, match="own_token"):
            laptop.revoke_token(made["id"])
        laptop.revoke_token(made["id"], own=True)
        with pytest.raises(ApiProblem, match="401"):
            laptop.me()
    assert len([*ada.tokens()]) == 1


def test_a_bot_and_its_tokens_are_looked_after_and_given_up(sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    bot = ada.create_bot("max")["player"]["id"]
    assert [one["id"] for one in ada.bots()] == [bot]
    more = ada.create_bot_token(bot, "elsewhere")
    assert [token["name"] for token in ada.bot_tokens(bot)][1:] == ["elsewhere"]
    ada.revoke_bot_token(bot, more["id"])
    assert len([*ada.bot_tokens(bot)]) == 1
    ada.give_up_bot(bot)
    assert [*ada.bots()] == []


def test_a_turn_is_tried_on_rows_that_one_makes_up(sign_up: Callable[..., Client]) -> None:
    plays = [{"seat": 0, "card": 5}, {"seat": 1, "card": 60}]
    rows = [[20], [30, 31], [40], [50]]
    tried = sign_up().simulate(rows, plays, [{"seat": 0, "row": 1}])
    assert tried["rows"] == [[20], [5], [40], [50, 60]]
    assert sign_up().simulate(rows, plays)["pending"]["seat"] == 0
    jokers = sign_up().simulate([[10], [20], [40], [50]], [{"seat": 0, "card": "J7"}], ruleset="jokers")
    assert jokers["pending"]["card"] == "J7"


def test_a_game_is_looked_at_again_frame_by_frame_over_all_pages(sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    game = ada.create_game(ruleset="classic", seats=2, end={"rounds": 1})["id"]
    ada.seat_bot(game, 1)
    ada.start(game)
    with pytest.raises(ApiProblem, match="game_not_over"):
        next(ada.frames(game, "all"))
    run(ada, lambda view, cards: cards[0], game=game)
    seen = [*ada.frames(game, limit=20)]
    assert [frame["view"]["seq"] for frame in seen] == [*range(1, ada.game(game)["seq"] + 1)]
    dealt = next(frame for frame in ada.frames(game, 1) if frame["type"] == "round.dealt")
    assert dealt["view"]["you"] == 1
    assert [frame["view"]["seq"] for frame in ada.frames(game, **{"from": 3, "to": 4})] == [3, 4]


def test_the_rule_sets_are_listed_and_taught(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    assert "pro" in [one["id"] for one in ada.rulesets()]
    assert ada.ruleset("pro")["id"] == "pro"
