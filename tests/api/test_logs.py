"""What stands in the log of a process: JSON lines with the ids of the request, of the game and of the seat; no secret."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from engine import commands as c
from service import logs
from service.services import Services
from service.store.connect import Unavailable
from tests.api.played import MASTER, seated, started


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Gives what was logged since it was asked last, line by line, as a process writes it at level info."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    # What was logged with before has been bound to the old settings; a process configures its log before anything else.
    logs.configure("info")
    structlog.configure(cache_logger_on_first_use=False)

    def read() -> list[dict[str, Any]]:
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    yield read
    structlog.reset_defaults()
    structlog.configure(**before)
    root.handlers[:], root.level = handlers, level


def test_a_request_s_line_says_who_asked_what_of_which_game(client: Any, lines: Any) -> None:
    table = started(client, seats=2)
    lines()
    answer = client.get("/v1/games/g_1", headers=table.headers[1] | {"X-Request-Id": "mine"})
    (line,) = lines()
    assert {name: line[name] for name in line if name not in ("timestamp", "ms")} == {
        "event": "request",
        "level": "info",
        "method": "GET",
        "route": "/v1/games/<game_id>",
        "status": 200,
        "code": None,
        "player": answer.json["seats"][1]["player"],
        "seat": 1,
        "game": "g_1",
        "request_id": "mine",
    }
    assert line["ms"] > 0


def test_what_goes_wrong_meanwhile_carries_the_same_ids(
    client: Any, lines: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(client, seats=2)

    def away(*_: object) -> None:
        raise Unavailable("gone")

    monkeypatch.setattr(services.games, "since", away)
    lines()
    answer = client.get("/v1/games/g_1", headers=table.headers[0])
    told = lines()
    assert [line["event"] for line in told] == ["store_unavailable", "request"]
    for line in told:
        assert (line["game"], line["request_id"]) == ("g_1", answer.headers["X-Request-Id"])


def test_the_ids_of_one_request_are_not_those_of_the_next(client: Any, lines: Any) -> None:
    started(client, seats=2)
    client.get("/v1/games/g_1")
    lines()
    client.get("/v1/limits")
    (line,) = lines()
    assert "game" not in line


def test_what_a_thread_logs_after_a_request_does_not_carry_its_ids(client: Any, lines: Any) -> None:
    client.get("/v1/limits", headers={"X-Request-Id": "mine"})
    lines()
    logs.configure("info")  # once more, where the test's own output goes now
    logging.getLogger("gunicorn.error").warning("unreadable request")
    (line,) = lines()
    assert "request_id" not in line


@pytest.mark.parametrize("game", ["g_1%0a%7b%22level%22:1", "x" * 300, "..%2f..", "G_1"])
def test_an_id_that_no_game_can_have_stands_in_no_log(client: Any, lines: Any, game: str) -> None:
    client.get(f"/v1/games/{game}")
    (line,) = lines()
    assert "game" not in line


def test_the_lines_of_libraries_are_lines_like_ours(lines: Any) -> None:
    logs.configure("info")  # once more, where the test's own output goes now
    logging.getLogger("gunicorn.error").warning("a %s of theirs", "word")
    logging.getLogger("rq.worker").debug("too much")
    (line,) = lines()
    assert (line["event"], line["level"], line["logger"]) == ("a word of theirs", "warning", "gunicorn.error")


def test_no_secret_stands_in_the_log(client: Any, lines: Any) -> None:
    made = client.post("/v1/players", json={"name": "Ada", "kind": "human"}).json
    bearer = {"Authorization": f"Bearer {made['token']}", "Idempotency-Key": "k" * 30}
    game = client.post(
        "/v1/games", json={"ruleset": "classic", "seats": 2, "visibility": "private"}, headers=bearer
    ).json
    other = client.post("/v1/players", json={"name": "Bo", "kind": "human"}).json
    headers = {"Authorization": f"Bearer {other['token']}"}
    path = f"/v1/games/{game['id']}"
    client.post(f"{path}/seats", json={"code": game["join_code"], "client_seed": "ab12cd34"}, headers=headers)
    client.post(f"{path}/start", headers=bearer)
    (owed,) = client.get("/v1/me/decisions", headers=headers).json["items"]
    card = owed["legal"]["cards"][0]
    receipt = client.put(f"{path}/decisions/{owed['key']}", json={"card": card}, headers=headers).json
    client.put(f"{path}/decisions/{owed['key']}", json={"card": 105}, headers=headers)
    client.put(f"{path}/decisions/{owed['key']}", data=b"{", headers=headers)
    client.get(f"{path}?token={other['token']}", headers=headers)
    client.get(f"{path}", headers={"Authorization": "Bearer t5_" + "x" * 43})
    told = json.dumps(lines())
    assert told.count('"request"') >= 11
    for secret in (
        made["token"],
        other["token"],
        game["join_code"],
        receipt["salt"],
        "ab12cd34",
        "k" * 30,
        "x" * 43,
        '"card"',
        '"hand"',
        "Ada",
    ):
        assert secret not in told


def test_a_bug_tells_the_log_where_it_was_and_not_what_it_said(
    client: Any, lines: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(client, seats=2)
    table.do(c.StartGame(table.state().host))

    def broken(*_: object) -> None:
        raise RuntimeError(f"the master secret is {MASTER.hex()}")

    monkeypatch.setattr(services.games, "since", broken)
    lines()
    assert client.get("/v1/games/g_1", headers=table.headers[0]).status_code == 500
    told = lines()
    assert [line["event"] for line in told] == ["request_failed", "request"]
    assert told[0]["error"] == "RuntimeError"
    assert any(" broken" in place for place in told[0]["at"])
    assert MASTER.hex() not in json.dumps(told)


class Written:
    """Standard output, write by write."""

    def __init__(self) -> None:
        self.writes: list[str] = []

    def write(self, text: str) -> None:
        self.writes.append(text)

    def flush(self) -> None:
        """Do nothing."""


def test_a_line_is_written_whole_for_others_write_there_too(
    lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Written()
    monkeypatch.setattr(sys, "stdout", out)
    logs.configure("info")
    structlog.configure(cache_logger_on_first_use=False)
    structlog.get_logger().info("ours")
    logging.getLogger("library").info("theirs")
    assert [json.loads(line)["event"] for line in out.writes] == ["ours", "theirs"]
    assert all(line.endswith("\n") for line in out.writes)
