"""`take5 admin player`, `shut-out` and `rename`: an operator may put an end to misuse, and learns no token."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from engine.times import Millis, rfc3339
from service.config import Config
from service.store import keys
from service.store.embedded import Urls
from service.store.players import USED_TO_MS, Player, Players, new_token
from take5.admin import admin
from worker.connection import connected

Run = Callable[..., Result]

ADA = Player("p_ada", "Ada", "human", 1000)
BOT = Player("p_bot", "Deep Ada", "bot", 2000, owner="p_ada")
FIRST, SECOND, OF_BOT = (new_token() for _ in range(3))


@pytest.fixture
def players(redis_urls: Urls, games_client: Redis) -> Players:
    """Ada with two tokens, a game that is over and one that is not, and a bot of hers."""
    made = connected(Config(redis_url=redis_urls.games, queue_url=redis_urls.queue)).players
    made.create(ADA, FIRST, "laptop")
    made.issue("p_ada", SECOND, "phone", 1500)
    made.find(SECOND, 2 * USED_TO_MS)
    for number in (1, 2):
        made.add_game("p_ada", f"g_{number}", number)
    made.end_game("p_ada", "g_1")
    made.own_bot("p_ada", "p_bot", 2000)
    made.create(BOT, OF_BOT, "first")
    return made


@pytest.fixture
def run(redis_urls: Urls) -> Run:
    def take5_admin(*arguments: str, **options: str) -> Result:
        environment = {"TAKE5_REDIS_URL": redis_urls.games, "TAKE5_QUEUE_URL": redis_urls.queue}
        return CliRunner().invoke(admin, arguments, env=environment, **options)  # type: ignore[arg-type]  # click's options, handed on as they come

    return take5_admin


def test_a_player_is_shown_without_a_token_or_what_leads_to_one(players: Players, run: Run) -> None:
    result = run("player", "p_ada")
    assert json.loads(result.stdout) == {
        "player": "p_ada",
        "name": "Ada",
        "kind": "human",
        "owner": None,
        "created_at": "1970-01-01T00:00:01.000Z",
        "tokens": 2,
        "last_used_at": rfc3339(Millis(2 * USED_TO_MS)),
        "active_games": ["g_2"],
        "has_more_games": False,
        "bots": ["p_bot"],
    }
    shown = json.loads(run("player", "p_bot").stdout)
    assert (shown["owner"], shown["last_used_at"], shown["bots"]) == ("p_ada", None, [])
    for token in players.tokens("p_ada"):
        assert token.id not in result.stdout
        assert token.name not in result.stdout


def test_who_is_shut_out_has_no_token_left_and_whoever_waits_is_told(
    players: Players, run: Run, games_client: Redis
) -> None:
    assert run("shut-out", "p_ada", input="n\n").exit_code == 1
    assert players.find(FIRST) == ADA
    with games_client.pubsub() as news:  # type: ignore[no-untyped-call]  # the library forgot it
        news.subscribe(keys.WAKE)
        news.get_message(timeout=5)
        result = run("shut-out", "p_ada", input="y\n")
        told = news.get_message(timeout=5)
    assert told
    assert told["data"] == b"p_ada 0"
    assert (result.exit_code, "2 tokens ended" in result.stdout, "1 bots go on" in result.stdout) == (
        0,
        True,
        True,
    )
    assert players.tokens("p_ada") == []
    assert players.find(FIRST) is players.find(SECOND) is None
    assert players.find(OF_BOT) == BOT
    assert players.get("p_ada") == ADA


def test_bots_are_shut_out_with_their_owner_when_that_is_asked_for(players: Players, run: Run) -> None:
    result = run("shut-out", "p_ada", "--bots", "--yes")
    assert result.stdout.splitlines() == [
        "p_ada is shut out: 2 tokens ended.",
        "p_bot is shut out: 1 tokens ended.",
    ]
    assert players.find(OF_BOT) is None
    assert run("shut-out", "p_ada", "--yes").stdout.startswith("p_ada is shut out: 0 tokens ended.")


def test_a_token_that_a_player_gets_meanwhile_ends_as_well(
    players: Players, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    third, real = new_token(), type(players).revoke
    late = [third]

    def revoke(self: Players, player_id: str, token_id: str, *, last: bool = False) -> bool:
        if late:
            players.issue("p_ada", late.pop(), "just in time", 3000)
        return real(self, player_id, token_id, last=last)

    monkeypatch.setattr(type(players), "revoke", revoke)
    assert "3 tokens ended" in run("shut-out", "p_ada", "--yes").stdout
    assert players.find(third) is None


def test_a_player_gets_another_name_that_the_rules_for_names_allow(players: Players, run: Run) -> None:
    assert run("rename", "p_ada", " Countess ").exit_code == 0
    renamed = players.get("p_ada")
    assert renamed
    assert renamed.name == "Countess"
    for wrong in ("", "x" * 41, "a\u202eb", "a\x1b[2J"):
        assert run("rename", "p_ada", wrong).exit_code == 2
    assert players.get("p_ada") == renamed


@pytest.mark.parametrize("command", [("player",), ("shut-out", "--yes"), ("rename",)])
def test_a_player_that_is_not_there_is_said_to_be_so(
    players: Players, run: Run, command: tuple[str, ...]
) -> None:
    result = run(*command, "p_none", *(("Name",) if command == ("rename",) else ()))
    assert (result.exit_code, "There is no player p_none." in result.stderr) == (1, True)
