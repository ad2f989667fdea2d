"""The bot kit: a function that chooses is a whole bot."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from take5.bot import fewest_bullheads, run
from take5.client import ApiProblem, Client, Json
from tests.cli.conftest import Service


def table(client: Client, seats: int = 2) -> str:
    game: str = client.create_game(ruleset="classic", seats=seats, end={"rounds": 1})["id"]
    for seat in range(1, seats):
        client.seat_bot(game, seat, "random")
    client.start(game)
    return game


def test_it_plays_a_game_to_its_end_and_chooses_rows(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    asked: list[Json] = []

    def last_row(view: Json) -> int:
        asked.append(view)
        return 3

    game = ""
    while not asked:  # now and then a lowest card fits all game long
        game = table(ada, seats=4)
        run(ada, lambda view, cards: min(cards), last_row, game=game)
        assert ada.game(game)["status"] == "finished"
    (round_,) = json.loads(ada.replay(game, "replay"))["rounds"]
    assert [row for _, seat, row, *_ in round_["choices"] if seat == 0] == [3] * len(asked)


def test_it_begins_in_the_middle_as_well(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = table(ada)
    (decision,) = ada.decisions(game=game)
    ada.answer(decision, card=decision.cards[-1])
    run(ada, lambda view, cards: cards[0], game=game)
    assert ada.game(game)["status"] == "finished"


def test_a_card_that_is_not_legal_is_not_passed_over(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = table(ada)
    with pytest.raises(ApiProblem, match="card_not_in_hand"):
        run(ada, lambda view, cards: next(card for card in range(1, 105) if card not in cards), game=game)


def test_an_answer_that_somebody_else_gave_first_is_let_go(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = table(ada)

    def overtaken(view: Json, cards: tuple[int | str, ...]) -> int | str:
        for decision in ada.decisions(game=game):
            if decision.view["seq"] == view["seq"]:
                ada.answer(decision, card=cards[0])
        return cards[-1]

    run(ada, overtaken, game=game)
    (round_,) = json.loads(ada.replay(game, "replay"))["rounds"]
    assert ada.game(game)["status"] == "finished"
    dealt = round_["hands"][0]
    assert [card for turn in round_["turns"] for seat, card in turn if seat == 0] == dealt[:9]


def test_the_row_with_the_fewest_bullheads_is_the_first_of_several() -> None:
    assert fewest_bullheads({"rows": [{"bullheads": heads} for heads in (3, 1, 7, 1)]}) == 1


def test_the_game_is_looked_after_through_a_broken_connection(
    service: Service, sign_up: Callable[..., Client]
) -> None:
    ada = sign_up()
    game = table(ada)

    def losing(view: Json, cards: tuple[int | str, ...]) -> int | str:
        service.lose_next = True
        return cards[0]

    run(ada, losing, game=game)
    answers = [request for request in service.requests if request.method == "PUT"]
    assert ada.game(game)["status"] == "finished"
    assert len({answer.url.path for answer in answers}) < len(answers)
