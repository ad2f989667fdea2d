"""Every failure is a problem document, whoever raised it, and every code has its place in the table."""

import json
from typing import Any, NoReturn

import pytest
from flask import Flask
from structlog.testing import capture_logs
from werkzeug.exceptions import default_exceptions

from engine import errors
from engine.errors import Refusal
from service.app import create_app
from service.codes import CODES, code_for_status
from service.config import Config
from service.problems import FieldError, Problem, from_refusal, invalid, json_pointer
from service.services import Services, in_memory
from service.store.connect import Unavailable
from tests.api.kinds import Refused
from tests.api.played import started


def test_every_refusal_of_the_rules_has_a_status_and_a_title() -> None:
    assert set(errors.CODES) <= set(CODES)


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_says_a_real_status_and_explains_itself(code: str) -> None:
    assert 400 <= CODES[code].status < 600
    assert CODES[code].title
    assert CODES[code].meaning.endswith((".", "!"))


@pytest.mark.parametrize("status", sorted(default_exceptions))
def test_every_status_that_werkzeug_raises_has_a_code_of_its_hundred(status: int) -> None:
    assert CODES[code_for_status(status)].status // 100 == status // 100


def test_an_unknown_code_cannot_be_raised_unseen() -> None:
    with pytest.raises(KeyError):
        _ = Problem("no_such_code").status


def test_an_unknown_route_is_a_problem(client: Any, refused: Refused) -> None:
    assert refused(client.get("/v1/nothing"))["code"] == "not_found"


def test_a_double_slash_is_no_redirect(client: Any, refused: Refused) -> None:
    assert refused(client.get("//v1/limits"))["code"] == "not_found"
    assert refused(client.get("/v1//limits"))["code"] == "not_found"
    assert refused(client.get("/v1/limits/"))["code"] == "not_found"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "BREW"])
def test_an_unknown_method_is_a_problem_that_lists_the_known_ones(
    client: Any, refused: Refused, method: str
) -> None:
    response = client.open("/v1/limits", method=method)
    assert refused(response)["code"] == "method_not_allowed"
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_bug_is_a_problem_that_tells_nothing(
    app: Flask, client: Any, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> str:
        return dict[str, str]()["J4 is the card in hand"]

    monkeypatch.setitem(app.view_functions, "limits.show_limits", broken)
    with capture_logs() as logs:
        response = client.get("/v1/limits")
    assert refused(response)["code"] == "internal_error"
    assert "J4" not in response.text
    assert "KeyError" not in response.text
    failed = next(line for line in logs if line["event"] == "request_failed")
    assert failed["error"] == "KeyError"
    assert failed["at"]
    assert "J4" not in str(failed)


def test_a_refusal_of_the_rules_keeps_its_words(
    app: Flask, client: Any, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: str) -> NoReturn:
        raise Refusal("card_not_in_hand", "4 is not in your hand.", legal={"cards": [7]}, pointers=("/card",))

    monkeypatch.setitem(app.view_functions, "decisions.answer_decision", refuse)
    problem = refused(client.put("/v1/games/g_1/decisions/r1.t1.s0.card"))
    assert problem["code"] == "card_not_in_hand"
    assert problem["detail"] == "4 is not in your hand."
    assert problem["legal"] == {"cards": [7]}
    assert problem["errors"] == [{"in": "body", "pointer": "/card", "detail": "4 is not in your hand."}]


def test_a_store_that_is_away_is_503_with_a_time_and_no_address(
    services: Services, client: Any, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> NoReturn:
        raise Unavailable("redis://secret-host is away", retry_after_ms=1500)

    monkeypatch.setattr(services.players, "find", away)
    response = client.get("/v1/me", headers={"Authorization": "Bearer t5_" + "a" * 43})
    problem = refused(response)
    assert problem["code"] == "unavailable"
    assert problem["retry_after_ms"] == 1500
    assert response.headers["Retry-After"] == "2"
    assert "secret-host" not in response.text


def test_the_type_of_a_problem_is_an_absolute_address_where_the_public_one_is_known() -> None:
    client: Any = create_app(in_memory(Config(public_url="https://play.example"))).test_client()
    assert client.get("/nothing").json["type"] == "https://play.example/docs/problems#not_found"


def test_many_errors_are_counted_and_the_first_listed() -> None:
    problem = Problem("invalid_request", errors=tuple(FieldError("body", f"/{n}", "Bad.") for n in range(60)))
    document = problem.document("id")
    assert len(document["errors"]) == 50
    assert "first 50 of 60" in document["detail"]


def test_one_wrong_part_is_said_with_its_place() -> None:
    (error,) = invalid("query", "?after", "Too large.").document("id")["errors"]
    assert error == {"in": "query", "pointer": "?after", "detail": "Too large."}


def test_a_refusal_without_words_of_its_own_has_the_engine_s() -> None:
    assert from_refusal(Refusal("seat_taken")).document("id")["detail"] == errors.CODES["seat_taken"]


def test_pointers_escape_what_has_a_meaning_in_them() -> None:
    assert json_pointer("a/b", "c~d", 0) == "/a~1b/c~0d/0"
    assert json_pointer() == ""


def test_a_problem_can_be_read_as_json_of_its_own(client: Any) -> None:
    assert json.loads(client.get("/nothing").data)["status"] == 404


def test_a_game_that_the_store_has_lost_is_not_found(
    client: Any, services: Services, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(client)
    monkeypatch.setattr(services.games, "_games", {})
    assert refused(client.get("/v1/games/g_1/events"))["code"] == "game_not_found"


@pytest.mark.parametrize("code", [code for code, meant in CODES.items() if meant.status in {429, 503}])
def test_who_is_to_ask_again_is_told_when(code: str) -> None:
    problem = Problem(code)
    assert problem.document("id")["retry_after_ms"] == 1000
    assert problem.response_headers()["Retry-After"] == "1"
    assert Problem(code, retry_after_ms=2500).response_headers()["Retry-After"] == "3"
