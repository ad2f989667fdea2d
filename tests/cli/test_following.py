"""The client follows a game, or all of its games: each message once and in order, however often the connection breaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice

import httpx
import pytest

from service.services import Services
from take5.bot import run
from take5.client import ApiProblem, Client, Message, Unreachable
from tests.cli.conftest import Service
from tests.cli.test_client import Answer, Scripted, problem


class Broken(httpx.SyncByteStream):
    """The body of an answer whose connection breaks after its last byte."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield from (self._content[at : at + 7] for at in range(0, len(self._content), 7))
        raise httpx.ReadError("broken")


def line(number: int, event: str = "card.laid") -> bytes:
    """One message as it comes."""
    return json.dumps({"id": str(number), "event": event, "data": {"seq": number}}).encode() + b"\n"


def told(*numbers: int) -> list[Message]:
    return [Message(str(number), "card.laid", {"seq": number}) for number in numbers]


END = Message("9", "end", {"seq": 9})


def asked(scripted: Scripted) -> list[str | None]:
    """Where each stream was asked to begin."""
    return [request.url.params.get("after") for request in scripted.requests]


def test_it_goes_on_behind_the_last_whole_message() -> None:
    scripted = Scripted(
        httpx.Response(200, stream=Broken(b"\n" + line(5) + line(6) + line(7)[:-3])),
        httpx.ConnectError("refused"),
        problem(503, "unavailable", {"Retry-After": "3"}),
        httpx.Response(200, content=b"\n" + line(7) + b"\n\n" + line(8)),
        httpx.Response(200, content=b"\n" + line(9) + line(9, "end") + line(10)),
    )
    found = list(scripted.client.follow("g_1"))
    assert found == [*told(5, 6, 7, 8, 9), END]
    assert asked(scripted) == [None, "6", "6", "6", "8"]
    assert [request.url.path for request in scripted.requests] == ["/v1/games/g_1/events"] * 5
    assert 3.0 in scripted.slept


def test_it_begins_where_it_is_told() -> None:
    scripted = Scripted(httpx.Response(200, content=b"\n" + line(1) + line(9, "end")), OVER)
    assert list(scripted.client.follow("g_1", 0)) == [*told(1), END]
    assert list(scripted.client.follow("g_1", 9)) == []
    assert asked(scripted) == ["0", "9"]


OVER = httpx.Response(204)


def test_a_service_that_has_nothing_to_tell_is_not_asked_again_at_once() -> None:
    scripted = Scripted(*[httpx.Response(200, content=b"\n") for _ in range(3)], OVER)
    assert list(scripted.client.follow("g_1")) == []
    assert len(scripted.slept) == 3
    assert min(scripted.slept) > 0


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        (problem(401, "token_invalid"), ApiProblem),
        (problem(404, "game_not_found"), ApiProblem),
        (httpx.ConnectError("refused"), Unreachable),
    ],
)
def test_what_will_not_pass_is_raised(answer: Answer, raised: type[Exception]) -> None:
    scripted = Scripted(httpx.Response(200, content=b"\n" + line(5)), answer, patience_s=0)
    following = scripted.client.follow("g_1")
    assert next(following) == told(5)[0]
    with pytest.raises(raised):
        next(following)


def test_a_game_is_followed_to_its_end(sign_up: Callable[..., Client], services: Services) -> None:
    ada = sign_up()
    game = ada.create_game(ruleset="classic", seats=2, end={"rounds": 1})["id"]
    ada.seat_bot(game, 1)
    following = ada.follow(game)
    assert next(following).event == "snapshot"
    ada.start(game)
    run(ada, lambda view, cards: cards[0], game=game)
    found = list(following)
    log = services.play.log(game)
    assert found[-1].event == "end"
    assert [int(message.id) for message in found[:-1]] == [envelope["seq"] for envelope in log[3:]]
    assert [message.data["hash"] for message in ada.follow(game, 0) if message.event != "end"] == [
        envelope["hash"] for envelope in log
    ]


def test_all_games_are_followed_at_once(
    sign_up: Callable[..., Client], service: Service, services: Services
) -> None:
    ada = sign_up()
    following = ada.follow()
    assert next(following).event == "snapshot"
    games = []
    for _ in range(2):
        game = ada.create_game(ruleset="classic", seats=2, end={"rounds": 1})["id"]
        ada.seat_bot(game, 1)
        ada.start(game)
        games.append(game)
    for game in games:
        run(ada, lambda view, cards: cards[0], game=game)
    logs = [services.play.log(game) for game in games]
    found: list[Message] = []
    while sum(message.event == "end" for message in found) < 2:
        found += islice(following, 1)
    for game, log in zip(games, logs, strict=True):
        hashes = [
            message.data["hash"]
            for message in found
            if message.data.get("game") == game and "hash" in message.data
        ]
        assert hashes == [envelope["hash"] for envelope in log]
    opened = [message for message in found if message.event == "decision.opened"]
    # Nine cards a game are hers to lay; the last one is laid for her.
    assert len(opened) == sum(message.event == "decision.closed" for message in found) >= 2 * 9
