"""What every answer tells a browser, lest it takes an answer for something else or keeps it for somebody else."""

from typing import Any

import pytest
from flask import Flask

from service.app import create_app
from service.http.headers import EVERY_ANSWER, NOTHING_RUNS
from service.services import in_memory
from tests.api.kinds import MakePlayer
from tests.api.played import started
from tests.api.test_every_route import CALLS, GETS, Call

APP = create_app(in_memory())
PAGES = {"/docs", "/docs/problems", "/docs/assets/1"}


@pytest.fixture
def app() -> Flask:
    """One application for all these tests."""
    return APP


@pytest.mark.parametrize("call", CALLS)
def test_an_answer_is_framed_nowhere_guessed_never_and_runs_nothing(client: Any, call: Call) -> None:
    answer = client.open(call.path, method=call.method)
    assert EVERY_ANSWER.items() <= dict(answer.headers).items()
    assert len(answer.headers.getlist("Content-Security-Policy")) == 1
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    if call.path not in PAGES or answer.status_code >= 400:
        assert policy == NOTHING_RUNS
    else:
        assert policy.startswith("default-src 'self'; ")
        assert "script-src" not in policy
        assert "unsafe-eval" not in policy


def test_what_leads_nowhere_is_as_safe(client: Any) -> None:
    for answer in (client.get("/v1/nothing"), client.open("/v1/me", method="BREW"), client.get("/")):
        assert EVERY_ANSWER.items() <= dict(answer.headers).items()
        assert answer.headers["Content-Security-Policy"] == NOTHING_RUNS


@pytest.mark.parametrize("call", GETS)
def test_what_is_for_one_reader_is_kept_for_nobody_else(client: Any, player: MakePlayer, call: Call) -> None:
    answer = client.get(call.path, headers=player())
    kept = {part.strip().partition("=")[0] for part in answer.headers["Cache-Control"].split(",")}
    if call.path.startswith("/docs/assets"):
        return
    assert kept & {"no-store", "private"}, kept
    assert "public" not in kept
    if "no-store" not in kept:
        assert "Authorization" in answer.vary


def test_only_the_file_of_a_game_that_everybody_may_watch_is_kept_by_everybody() -> None:
    client: Any = create_app(in_memory()).test_client()
    table = started(client, end={"rounds": 1})
    table.play()
    answer = client.get("/v1/games/g_1/replay?format=events", headers=table.headers[0])
    assert answer.headers["Cache-Control"].startswith("public")
    hidden = started(client, game="g_2", end={"rounds": 1}, visibility="private")
    hidden.play()
    answer = client.get("/v1/games/g_2/replay?format=events", headers=hidden.headers[0])
    assert answer.headers["Cache-Control"].startswith("private")
    assert "Authorization" in answer.vary
