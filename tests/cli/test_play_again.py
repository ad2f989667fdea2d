"""`take5 play --url` from another terminal: the token that is kept for it, and the way back to one's seat."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from service.services import Services
from take5 import play as play_module
from take5.client import Client
from take5.play import play
from tests.cli.conftest import URL, Service
from tests.cli.test_play_together import _game

TABLE = ("--seats", "2", "--rounds", "1")


def token_of(service: Service) -> str:
    asked = [one.headers["Authorization"] for one in service.requests if "Authorization" in one.headers]
    return asked[-1].removeprefix("Bearer ")


def test_a_token_file_is_made_for_its_owner_alone_and_brings_one_back(
    at: Callable[..., Any], service: Service, services: Services, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    left = at(*TABLE, "--token-file", str(file))
    game = _game(service)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().strip() == token_of(service)
    assert "The house plays on" not in left.output
    assert f"Your seat is kept: take5 play --url {URL} --token-file {file} --game {game}" in left.output
    laid = services.play.live(game).game.hands[0][-1]
    back = at("--token-file", str(file), "--game", game, typed=f"{laid}\n")
    assert "You are on seat 0 of 2" in back.output
    assert back.output.index("Round 1, turn 1") < back.output.index("Round 1, turn 2")
    assert file.read_text().strip() not in left.output + back.output
    holder = services.play.live(game).game.seats[0]
    assert holder is not None
    assert holder.controller == "player"


def test_what_was_told_before_is_not_told_again(
    at: Callable[..., Any], service: Service, services: Services, tmp_path: Path
) -> None:
    file = str(tmp_path / "token")
    at(*TABLE, "--token-file", file)
    game = _game(service)
    laid = services.play.live(game).game.hands[0][-1]
    first = at("--token-file", file, "--game", game, typed=f"{laid}\n")
    again = at("--token-file", file, "--game", game)
    assert "laid  " in first.output
    assert "laid  " not in again.output
    assert "Round 1, turn 2" in again.output


def test_whoever_types_q_leaves_for_good_also_with_a_token(
    at: Callable[..., Any], service: Service, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Client.signed_up(URL, "ada", "human", transport=service) as ada:
        monkeypatch.setenv("TAKE5_TOKEN", ada.token or "")
        left = at(*TABLE, typed="q\n")
        assert "The house plays on for you." in left.output
        assert [game["id"] for game in ada.games(player="me")] == [_game(service)]
        kept = at(*TABLE)
        assert f"Your seat is kept: take5 play --url {URL} --game g_" in kept.output
        monkeypatch.setattr(play_module, "typed", interrupted)
        assert at(*TABLE).exit_code == 130
        assert len(ada.me()["active_games"]) == 2
    assert "With --token-file" not in left.output + kept.output


def interrupted(prompt: str) -> str:
    raise KeyboardInterrupt


def test_who_keeps_no_token_is_told_how_one_would_come_back(at: Callable[..., Any]) -> None:
    assert "With --token-file FILE you could come back to your seat" in at(*TABLE).output


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "There is no token in"),
        ("two words", "There is no token in"),
        (b"\xff\xfe", "cannot be read as a token"),
    ],
)
def test_a_file_without_a_token_is_refused(
    at: Callable[..., Any], service: Service, tmp_path: Path, content: str | bytes, why: str
) -> None:
    file = tmp_path / "token"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused = at("--token-file", str(file))
    assert refused.exit_code == 2
    assert why in refused.output
    assert not service.requests


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--game", "g_1"), "Say whose seat it is"),
        (("--game", "g_1", "--join", "g_1", "--token-file", "token"), "--join takes a seat"),
    ],
)
def test_a_way_back_that_is_none_says_why(
    at: Callable[..., Any], arguments: tuple[str, ...], why: str
) -> None:
    refused = at(*arguments)
    assert refused.exit_code == 2
    assert why in refused.output


def test_somebody_else_s_game_is_nobody_s_way_back(
    at: Callable[..., Any], sign_up: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sign_up("ada", "human").create_game(ruleset="classic", seats=2)["id"]
    monkeypatch.setenv("TAKE5_TOKEN", sign_up("bob", "human").token or "")
    refused = at("--game", game)
    assert refused.exit_code == 1
    assert f"You have no seat in {game}; --join takes one." in refused.output


def test_a_seat_is_kept_at_a_service_that_stays() -> None:
    for arguments in (["--game", "g_1"], ["--token-file", "token"]):
        refused = CliRunner(env={"TAKE5_URL": ""}).invoke(play, arguments)
        assert refused.exit_code == 2
        assert "A seat is kept at some --url" in refused.output


def test_who_comes_back_to_a_seat_that_is_away_is_told_so(
    at: Callable[..., Any], sign_up: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = sign_up("ada", "human"), sign_up("bob", "human")
    game = ada.create_game(ruleset="pro", seats=2, first_drafter=1)["id"]
    bob.join(game)
    ada.start(game)
    ada.away(game)
    monkeypatch.setenv("TAKE5_TOKEN", ada.token or "")
    assert "you are away: `back` returns you" in at("--game", game).output
