"""`take5 play` with other people: how they come, leave, and play on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from service.services import Services
from take5.client import Client
from take5.person import Person
from take5.play import play
from tests.cli.conftest import Service


def test_other_people_are_met_somewhere() -> None:
    for arguments in (["--people", "2"], ["--join", "g_1"]):
        refused = CliRunner(env={"TAKE5_URL": ""}).invoke(play, arguments)
        assert refused.exit_code == 2
        assert "at some --url" in refused.output


def _game(service: Service) -> str:
    """The game that was played last."""
    paths = [request.url.path for request in service.requests]
    return next(found[1] for path in reversed(paths) if (found := re.match(r"/v1/games/(g_\w+)", path)))


def test_whoever_joins_a_table_is_asked_there_and_whoever_leaves_it_is_replaced(
    at: Callable[..., Any], sign_up: Callable[..., Client]
) -> None:
    ada = sign_up("ada", "human")
    made = ada.create_game(ruleset="classic", seats=2, visibility="private")
    ada.ready(made["id"])
    joined = at("--join", made["id"], "--code", made["join_code"], "--name", "bob")
    assert "You are on seat 1 of 2: classic" in joined.output
    assert "your hand" in joined.output
    assert [seat["controller"] for seat in ada.game(made["id"])["seats"]] == ["player", "house"]
    assert ada.events(made["id"])["items"][-1]["type"] != "game.abandoned"
    refused = at("--join", made["id"], "--name", "eve")
    assert refused.exit_code == 1


def test_who_opens_a_table_for_others_says_how_they_come_and_may_get_up_again(
    at: Callable[..., Any], service: Service, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: Person) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Person, "play", gone)
    opened = at("--people", "2", "--seats", "3", "--option", "visibility=private")
    state = services.play.live(_game(service)).game
    join = f"1 more can sit down: take5 play --url http://service.test --join {state.id} --code "
    assert join in opened.output
    assert [seat and seat.kind for seat in state.seats] == [None, None, "house"]


def test_the_command_for_others_is_one_line_also_in_a_terminal(
    at: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: Person) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Person, "play", gone)
    monkeypatch.setattr("take5.screen.console", lambda: Console(width=60, highlight=False))
    said = at("--people", "2", "--seats", "3", "--option", "visibility=private").output.splitlines()
    assert any(re.search(r"more can sit down: .* --join g_\S+ --code \S+$", line) for line in said), said


def test_after_a_game_the_table_may_play_another(
    at: Callable[..., Any], service: Service, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []
    monkeypatch.setattr(Person, "play", lambda self: played.append(self._game))
    for typed, games in (("no\n", 1), ("q\n", 1), ("", 1), ("perhaps\n\n?\nno\n", 1)):
        played.clear()
        assert at("--rounds", "1", typed=typed).exit_code == 0
        assert len(played) == games


def test_the_next_game_is_the_rematch_of_the_one_before(
    at: Callable[..., Any], service: Service, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Person.play

    def by_itself(self: Person) -> None:
        self._client.resign(self._game)
        whole(self)

    monkeypatch.setattr(Person, "play", by_itself)
    shown = at("--rounds", "1", "--seats", "2", typed="yes\nno\n")
    assert shown.exit_code == 0, shown.output
    assert shown.output.count("The game is over") == 2
    assert services.play.live(_game(service)).game.rematch_of is not None
