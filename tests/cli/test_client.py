"""The client sends again what may be sent again, waits as it is told, and says clearly what was refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest

from take5.bot import run
from take5.client import ApiProblem, Client, Decision, Json, Unreachable
from tests.cli.conftest import URL, Service

Answer = httpx.Response | Exception


def problem(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "detail": f"because {code}", **more}, headers=headers)


class Scripted:
    """A transport that gives the answers it was given, and notes what it was asked and how long the client slept."""

    def __init__(self, *answers: Answer, patience_s: float = 30.0) -> None:
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []
        self._answers = list(answers)
        transport = httpx.MockTransport(self._answer)
        self.client = Client(
            URL, "t5_token", patience_s=patience_s, transport=transport, sleep=self.slept.append
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


OK = httpx.Response(200, json={"items": []})


def test_it_asks_again_after_the_time_that_the_service_names() -> None:
    scripted = Scripted(problem(503, "unavailable", {"Retry-After": "7"}), OK)
    assert scripted.client.decisions() == []
    assert scripted.slept == [7.0]


@pytest.mark.parametrize(
    "passing",
    [
        problem(503, "too_many_waiting", {"Retry-After": "soon"}),
        problem(429, "reading_limited", {"Retry-After": "1"}),
        problem(409, "idempotency_key_running"),
        httpx.Response(502, html="<h1>Bad gateway</h1>"),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("too slow"),
        httpx.RemoteProtocolError("hung up"),
    ],
    ids=lambda answer: type(answer).__name__ if isinstance(answer, Exception) else str(answer.status_code),
)
def test_what_passes_is_waited_for(passing: Answer) -> None:
    scripted = Scripted(passing, OK)
    assert scripted.client.decisions() == []
    assert len(scripted.requests) == 2
    assert scripted.slept[0] > 0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
def test_a_refusal_is_not_asked_again(status: int) -> None:
    scripted = Scripted(problem(status, "some_code"))
    with pytest.raises(ApiProblem) as caught:
        scripted.client.me()
    assert (caught.value.status, caught.value.code) == (status, "some_code")
    assert caught.value.detail == "because some_code"


def test_a_creation_is_sent_again_under_the_same_key_and_the_next_one_under_another() -> None:
    lost = httpx.ReadError("lost")
    scripted = Scripted(lost, httpx.Response(201, json={}), httpx.Response(201, json={}))
    scripted.client.create_game(ruleset="classic", seats=2)
    scripted.client.create_game(ruleset="classic", seats=2)
    first, again, other = (request.headers["Idempotency-Key"] for request in scripted.requests)
    assert first == again != other
    assert len(first) >= 22


def test_pauses_grow_but_not_for_ever() -> None:
    scripted = Scripted(*[httpx.ConnectError("refused")] * 9, OK)
    scripted.client.decisions()
    assert scripted.slept[0] < 0.2
    assert 1 <= scripted.slept[-1] <= 2


def test_it_gives_up_when_its_patience_is_over() -> None:
    with pytest.raises(Unreachable, match=r"service\.test"):
        Scripted(httpx.ConnectError("refused"), patience_s=0).client.me()
    with pytest.raises(ApiProblem, match="unavailable"):
        Scripted(problem(503, "unavailable", {"Retry-After": "5"}), patience_s=4).client.me()


class Clock:
    """Time that passes only while somebody sleeps, for a client of a service that is soon gone."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: Answer, **settings: Any) -> None:
        self.now = 0.0
        self._answers = list(answers)
        monkeypatch.setattr("take5.patience.time.monotonic", lambda: self.now)
        transport = httpx.MockTransport(self._answer)
        self.client = Client(URL, "t5_token", transport=transport, sleep=self._sleep, **settings)

    def _sleep(self, seconds: float) -> None:
        self.now += seconds

    def _answer(self, request: httpx.Request) -> httpx.Response:
        answer = self._answers.pop(0) if self._answers else httpx.ConnectError("refused")
        if isinstance(answer, Exception):
            raise answer
        return answer

    def patience(self) -> float:
        """For how long it is tried until it is given up."""
        began = self.now
        with pytest.raises(Unreachable, match="cannot be reached"):
            self.client.me()
        return self.now - began


def test_an_address_that_refuses_every_connection_is_soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0.5 < Clock(monkeypatch).patience() <= 2.5
    assert 5 < Clock(monkeypatch, knock_s=9).patience() <= 9
    assert Clock(monkeypatch, knock_s=9, patience_s=1).patience() <= 1


@pytest.mark.parametrize(
    "sign",
    [OK, problem(401, "unauthorized"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("hung up")],
)
def test_a_service_that_was_there_is_waited_for_when_it_goes(
    monkeypatch: pytest.MonkeyPatch, sign: Answer
) -> None:
    clock = Clock(monkeypatch, sign)
    if isinstance(sign, httpx.Response):
        with suppress(ApiProblem):
            clock.client.me()
    assert clock.patience() > 20


def test_who_has_signed_up_has_reached_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, httpx.Response(201, json={"token": "t5_new"}))
    settings: Any = {"transport": clock.client._http._transport, "sleep": clock._sleep}
    with Client.signed_up(URL, "ada", **settings) as clock.client:
        assert clock.patience() > 20


def test_following_is_reaching(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, httpx.Response(204))
    assert list(clock.client.follow("g_1")) == []
    assert clock.patience() > 20


@pytest.mark.parametrize("url", ["nonsense", "127.0.0.1:8000", "htp://127.0.0.1:8000", "http://a:b"])
def test_an_address_that_is_none_is_not_tried_again(url: str) -> None:
    slept: list[float] = []
    with (
        pytest.raises(Unreachable, match="is a bad address; write it as http://"),
        Client(url, "t5_any", sleep=slept.append) as client,
    ):
        client.me()
    assert slept == []


def test_an_answer_that_is_no_problem_document_is_told_as_what_it_is() -> None:
    with pytest.raises(ApiProblem, match=r"unknown: The answer was 404 Not Found\."):
        Scripted(httpx.Response(404, html="<h1>nginx</h1>")).client.me()
    with pytest.raises(ApiProblem, match="unknown"):
        Scripted(httpx.Response(418, json=["teapot"])).client.me()


def test_a_problem_names_each_wrong_part_of_the_request_once() -> None:
    errors = [
        {"in": "body", "pointer": "/seats", "detail": "Too many."},
        {"in": "body", "pointer": "/card", "detail": "because bad"},
    ]
    found = ApiProblem(
        422, {"code": "bad", "detail": "because bad", "errors": errors, "legal": {"cards": [1]}}
    )
    assert str(found) == "422 bad: because bad /seats: Too many."
    assert found.legal == {"cards": [1]}


def test_who_waits_gives_the_service_time_to_answer() -> None:
    scripted = Scripted(OK)
    scripted.client.decisions(game="g_1", wait=25)
    (request,) = scripted.requests
    assert dict(request.url.params) == {"game": "g_1", "wait": "25"}
    assert request.extensions["timeout"]["read"] > 30


def test_the_token_stands_in_one_header_and_nowhere_else() -> None:
    scripted = Scripted(OK)
    scripted.client.decisions()
    (request,) = scripted.requests
    assert request.headers["Authorization"] == "Bearer t5_token"
    assert "t5_token" not in str(request.url)
    with Client(
        URL, transport=httpx.MockTransport(lambda asked: httpx.Response(200, json=dict(asked.headers)))
    ) as nobody:
        assert "authorization" not in nobody.me()


def test_a_row_decision_lists_the_modes_of_each_row() -> None:
    document: Json = {"game": "g", "key": "r1.t1.s0.row", "kind": "row", "deadline": None, "view": {}}
    decision = Decision.read({**document, "legal": {"rows": [["take"]] * 4}})
    assert decision.rows == (("take",),) * 4
    assert decision.cards == ()


def test_a_creation_whose_answer_got_lost_makes_one_game(
    service: Service, sign_up: Callable[..., Client]
) -> None:
    ada = sign_up()
    service.lose_next = True
    made = ada.create_game(ruleset="classic", seats=2)
    assert ada.me()["active_games"] == [made["id"]]


def test_a_signed_up_client_is_that_player_and_a_table_fills_and_starts(
    sign_up: Callable[..., Client],
) -> None:
    ada, bob = sign_up("ada", "human"), sign_up("bob", "human")
    assert (ada.me()["name"], bob.me()["kind"]) == ("ada", "human")
    game = ada.create_game(ruleset="classic", seats=3)["id"]
    assert bob.join(game, accept_bots=True)["seat"] == 1
    assert ada.seat_bot(game, 2, "random")["seat"] == 2
    bob.ready(game)
    assert ada.ready(game)["status"] == "playing"


def test_a_client_makes_a_bot_and_seats_it(sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    made = ada.create_bot("max", max_concurrent=1)
    with Client(ada.base_url, made["token"], transport=ada._http._transport) as bot:
        assert ada.invite_bot(game, 1, made["player"]["id"])["seat"] == 1
        assert bot.me()["active_games"] == [game]
        assert bot.me()["owner"]["name"] == "ada"


def test_a_start_that_had_succeeded_succeeds_again(service: Service, sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    with pytest.raises(ApiProblem, match="not_enough_players"):
        ada.start(game)
    ada.seat_bot(game, 1)
    service.lose_next = True
    assert ada.start(game)["status"] == "playing"


def test_an_answer_has_a_receipt_and_the_same_again_has_the_same(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = ada.create_game(ruleset="classic", seats=2, end={"rounds": 1})["id"]
    ada.seat_bot(game, 1)
    ada.start(game)
    (decision,) = ada.decisions(game=game)
    receipt = ada.answer(decision, card=decision.cards[0])
    assert receipt == ada.answer(decision, card=decision.cards[0])
    (event,) = [one for one in ada.events(game)["items"] if one["seq"] == receipt["seq"]]
    assert event["sealed"] == {"s0": receipt["sealed"]}
    with pytest.raises(ApiProblem, match="409"):
        ada.answer(decision, card=decision.cards[1])


def test_files_come_as_bytes_and_the_service_s_own_opinion_as_json(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    assert json.loads(ada.replay(game).splitlines()[0])["format"] == "take5-events/1"
    assert json.loads(ada.replay(game, "replay"))["format"] == "take5-replay/1"
    assert ada.verification(game)["outcome"] == "pending"


def test_games_are_listed_to_the_last_page(sign_up: Callable[..., Client]) -> None:
    ada = sign_up()
    made = [ada.create_game(ruleset="classic", seats=2)["id"] for _ in range(3)]
    assert {game["id"] for game in ada.games(player="me", limit=2)} == {*made}


def test_a_seat_is_left_and_taken_again_and_given_up(sign_up: Callable[..., Client]) -> None:
    ada, bob = sign_up("ada", "human"), sign_up("bob", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    bob.join(game)
    ada.start(game)
    assert bob.away(game)["seats"][1]["presence"] == "away"
    bob.back(game)
    assert ada.game(game)["seats"][1]["controller"] == "player"
    assert bob.resign(game)["seats"][1]["controller"] == "house"


def test_a_vote_is_asked_for_answered_and_told(sign_up: Callable[..., Client]) -> None:
    ada, bob = sign_up("ada", "human"), sign_up("bob", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    bob.join(game)
    ada.start(game)
    bob.away(game)
    assert ada.vote(game, "replace", seat=1)["result"] == "passed"  # nobody else is asked
    assert ada.vote(game, "pause")["vote"] == 2
    assert [vote["kind"] for vote in ada.votes(game)] == ["replace", "pause"]
    assert ada.game(game)["status"] == "paused"


def test_a_ballot_lists_its_choices(sign_up: Callable[..., Client]) -> None:
    ada, bob = sign_up("ada", "human"), sign_up("bob", "human")
    game = ada.create_game(ruleset="classic", seats=2)["id"]
    bob.join(game)
    ada.start(game)
    ada.vote(game, "redeal")
    (ballot,) = [decision for decision in bob.decisions(game=game) if decision.kind == "ballot"]
    assert set(ballot.choices) == {"yes", "no"}
    assert bob.answer(ballot, choice="yes")["key"] == "v1.s1.ballot"
    assert bob.game(game)["attempt"] == 1


def test_hints_scores_and_the_next_game(sign_up: Callable[..., Client]) -> None:
    ada = sign_up("ada", "human")
    game = ada.create_game(ruleset="classic", seats=2, end={"rounds": 1})["id"]
    ada.seat_bot(game, 1)
    ada.start(game)
    (decision,) = ada.decisions(game=game)
    assert [hint["card"] for hint in ada.hints(game)] == list(decision.cards)
    run(ada, lambda view, cards: cards[0], game=game)
    (round_,) = ada.scores(game)["rounds"]
    totals = [seat["total_bullheads"] for seat in round_["seats"]]
    assert totals == [place["total_bullheads"] for place in ada.game(game)["standings"]]
    assert "ada" in ada.score_sheet(game)
    assert ada.score_sheet(game, "csv").startswith("game,round,attempt,")
    assert ada.hints(game) == []
    (over,) = ada.games(player="me", status="finished")
    assert (over["id"], over["standings"]) == (game, ada.game(game)["standings"])
    again = ada.rematch(game)
    assert again["rematch_of"] == game
    assert ada.rematch(game)["id"] == again["id"]
