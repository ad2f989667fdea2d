"""The bot kit: a function that chooses is a whole bot."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Literal

import pytest

from engine.rulesets import RULESETS
from take5.bot import fewest_bullheads, run
from take5.client import ApiProblem, Client, Json
from tests.cli.conftest import Service


def table(client: Client, seats: int = 2, **options: object) -> str:
    game: str = client.create_game(**{"ruleset": "classic", "seats": seats, "end": {"rounds": 1}, **options})[
        "id"
    ]
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
    rows = [{"bullheads": heads} for heads in (3, 1, 7, 1)]
    assert fewest_bullheads({"rows": rows}) == 1
    take, either = ["take"], ["append", "take"]
    assert fewest_bullheads({"rows": rows, "pending": {"rows": [either, take, either, take]}}) == 0
    assert fewest_bullheads({"rows": rows, "pending": {"rows": [take] * 4}}) == 1


@pytest.mark.parametrize("name", RULESETS)
def test_a_bot_that_only_knows_cards_plays_every_rule_set(sign_up: Callable[..., Client], name: str) -> None:
    ada = sign_up()
    game = table(ada, seats=3, ruleset=name)
    run(ada, lambda view, cards: cards[0], game=game)
    assert ada.game(game)["status"] == "finished"


def test_a_bot_that_names_only_a_row_joins_it_with_its_joker_where_it_can(
    sign_up: Callable[..., Client],
) -> None:
    ada = sign_up()
    game = table(ada, ruleset="jokers")
    run(ada, lambda view, cards: cards[0], lambda view: 2, game=game)
    (round_,) = json.loads(ada.replay(game, "replay"))["rounds"]
    first = next(choice for choice in round_["choices"] if choice[:2] == [1, 0])
    assert first[2:4] == [2, "append"]


def test_a_bot_says_how_its_joker_is_placed(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = table(ada, ruleset="jokers")
    run(ada, lambda view, cards: cards[0], lambda view: (1, "take"), game=game)
    (round_,) = json.loads(ada.replay(game, "replay"))["rounds"]
    first = next(choice for choice in round_["choices"] if choice[:2] == [1, 0])
    assert first[2:4] == [1, "take"]


def test_a_bot_picks_a_card_or_plans_its_picks(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = table(ada, ruleset="pro")
    asked: list[tuple[int | str, ...]] = []

    def choose(view: Json, cards: tuple[int | str, ...]) -> int | str | list[int | str]:
        asked.append(cards)
        odd: list[int | str] = [card for card in range(24, 0, -1) if card % 2]
        return odd if len(asked) == 2 else cards[0]

    run(ada, lambda view, cards: cards[0], choose_pick=choose, game=game)
    picked = [
        event["data"]["card"]
        for event in ada.events(game)["items"]
        if event["type"] == "draft.picked" and event["data"]["seat"] == 0
    ]
    assert picked[0] == asked[0][0]
    assert picked[1] == max(card for card in asked[1] if int(card) % 2)
    assert len(asked) < 10


def test_whoever_is_silent_in_a_vote_plays_on_and_looks_again_when_something_has_happened(
    service: Service, sign_up: Callable[..., Client]
) -> None:
    ada, bob = sign_up("ada", "human"), sign_up("bob", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    bob.join(game)
    ada.start(game)
    bob.vote(game, "abandon")
    asked: list[Json] = []

    def choose(view: Json) -> Literal["yes"] | None:
        asked.append(view["vote"])
        if len(asked) == 2:  # ada owes nothing but her ballot
            (decision,) = bob.decisions(game=game)
            bob.answer(decision, card=decision.cards[0])
        return "yes" if len(asked) == 3 else None

    run(ada, lambda view, cards: cards[0], choose_ballot=choose, game=game)
    assert ada.game(game)["status"] == "abandoned"
    assert [vote["kind"] for vote in asked] == ["abandon"] * 3
    waits = [request for request in service.requests if request.url.path.endswith("/events")]
    assert len(waits) == 1


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
