"""`take5 admin`: an operator sees which games hang and on whom, no card, and may end or nudge one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import commands as c
from engine.game import Game
from engine.resolve import resolve
from engine.times import Millis
from engine.verify import verify_log
from service.config import Config
from service.store.embedded import Urls, embedded
from service.store.moments import now
from service.store.play import Play
from take5.admin import admin
from worker.connection import Connection, connected

Run = Callable[..., Result]


@pytest.fixture
def at(redis_urls: Urls, games_client: object, queue_client: object) -> Connection:
    """The stores that the command looks into, empty when the test begins."""
    return connected(Config(redis_url=redis_urls.games, queue_url=redis_urls.queue))


@pytest.fixture
def run(redis_urls: Urls) -> Run:
    def take5_admin(*arguments: str, **options: str) -> Result:
        environment = {"TAKE5_REDIS_URL": redis_urls.games, "TAKE5_QUEUE_URL": redis_urls.queue}
        return CliRunner().invoke(admin, arguments, env=environment, **options)  # type: ignore[arg-type]  # click's options, handed on as they come

    return take5_admin


def opened(
    at: Connection, game: str = "g_1", *, start: bool = True, ago_ms: int = 0, **options: object
) -> Game:
    """A game of two people and a house bot, opened so long ago."""
    play = Play(at.store, at.queue, lambda: Millis(now() - ago_ms))
    wanted = resolve({"ruleset": "classic", "seats": 3, "pace": "live", **options})
    host = c.JoinSeat("p0", "Ada", "human", 0, accept_bots=True)
    play.create(c.CreateGame(game, "p0", wanted), master=bytes(32), join_code="SECRETCODE", then=(host,))
    play.execute(game, c.JoinSeat("p1", "Bo", "human", 1, accept_bots=True))
    play.execute(game, c.SeatBot("p0", 2, "random"))
    return play.execute(game, c.StartGame("p0")).live.game if start else play.live(game).game


def test_open_games_are_listed_with_what_they_wait_for(at: Connection, run: Run) -> None:
    opened(at)
    opened(at, "g_2", start=False)
    result = run("games")
    assert result.exit_code == 0
    assert re.search(r"^g_1 +playing +lay_card +1\.1 +0,1,2 +20\S+Z", result.stdout, re.MULTILINE)
    assert re.search(r"^g_2 +lobby +- +0\.0 +- +20\S+Z", result.stdout, re.MULTILINE)
    assert result.stdout.endswith("2 games\n")
    assert "g_1" not in run("games", "--status", "lobby").stdout
    assert run("games", "--limit", "1").stdout.endswith("1 games\n")


def test_those_that_hang_are_found_with_how_long(at: Connection, run: Run) -> None:
    opened(at)
    opened(at, "g_2", ago_ms=90_000)
    at.store.postpone("bots", "g_2", now() + 10_000)
    opened(at, "g_3", start=False, ago_ms=90_000)
    found = run("games", "--overdue", "60").stdout
    assert re.search(r"^g_2 .* (89|9\d)\.\d$", found, re.MULTILINE)
    assert found.endswith("1 games\n")
    assert run("games", "--overdue", "600").stdout.endswith("0 games\n")
    assert json.loads(run("show", "g_2").stdout)["overdue_since"]["bots"]
    for wrong in ("-1", "nan", "inf"):
        assert run("games", "--overdue", wrong).exit_code == 2


def test_a_game_is_shown_without_a_card_or_a_secret(at: Connection, run: Run) -> None:
    game = opened(at)
    at.play.execute("g_1", c.LayCard(0, 1, 1, game.hands[0][0]))
    result = run("show", "g_1")
    shown = json.loads(result.stdout)
    assert [seat["owes"] for seat in shown["seats"]] == [[], ["r1.t1.s1.card"], ["r1.t1.s2.card"]]
    assert shown["next_deadline"]
    assert shown["overdue_since"] == {"turns": None, "bots": None}
    assert shown["events"][-1] == {
        "seq": game.seq + 1,
        "type": "card.laid",
        "at": shown["events"][-1]["at"],
        "by": {"kind": "player", "seat": 0},
    }
    for secret in ("SECRETCODE", "Ada", bytes(32).hex(), "hand", "rows", '"card"'):
        assert secret not in result.stdout


def test_a_game_is_ended_through_its_log_once_it_was_asked_whether_it_should(
    at: Connection, run: Run
) -> None:
    opened(at)
    assert run("abandon", "g_1", input="n\n").exit_code == 1
    assert at.play.live("g_1").game.status == "playing"
    assert run("abandon", "g_1", input="y\n").exit_code == 0
    log = at.play.log("g_1")
    assert [(one["type"], one["by"]) for one in log[-2:]] == [
        ("game.abandoned", {"kind": "system"}),
        ("game.sealed", {"kind": "system"}),
    ]
    assert log[-2]["data"] == {"reason": "operator"}
    assert verify_log(log).outcome == "ok"
    again = run("abandon", "g_1", "--yes")
    assert (again.exit_code, "over: abandoned" in again.stderr) == (1, True)


def test_workers_are_sent_to_a_game(at: Connection, run: Run) -> None:
    opened(at)
    before = at.queue.waiting("turns"), at.queue.waiting("bots")
    assert run("nudge", "g_1").exit_code == 0
    assert (at.queue.waiting("turns"), at.queue.waiting("bots")) == (before[0] + 1, before[1] + 1)


@pytest.mark.parametrize("command", [("show",), ("abandon", "--yes"), ("nudge",)])
def test_a_game_that_is_not_there_is_said_to_be_so(run: Run, command: tuple[str, ...]) -> None:
    result = run(*command, "g_none")
    assert (result.exit_code, "There is no game g_none." in result.stderr) == (1, True)


def test_a_store_that_does_not_answer_is_said_to_be_so(tmp_path: Path) -> None:
    nowhere = {"TAKE5_REDIS_URL": f"unix://{tmp_path}/none", "TAKE5_QUEUE_URL": f"unix://{tmp_path}/none"}
    result = CliRunner().invoke(admin, ["games"], env=nowhere)
    assert (result.exit_code, "away" in result.stderr) == (1, True)


def test_the_stores_of_take5_serve_are_found_by_their_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAKE5_REDIS_URL", raising=False)
    place = tmp_path / ("deep" * 30) / 'quo"ted'
    with embedded(place, fsync="no") as servers:
        opened(connected(Config(redis_url=servers.urls.games, queue_url=servers.urls.queue)))
        for arguments in (("--data", str(place), "games"), ("games", "--data", str(place))):
            result = CliRunner().invoke(admin, arguments)
            assert result.stdout.endswith("1 games\n"), result.output


def test_who_looks_in_the_wrong_place_is_told_how_to_say_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAKE5_REDIS_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    missing = CliRunner().invoke(admin, ["games"])
    assert (missing.exit_code, "no service has run on data" in missing.stderr) == (1, True)
    for way in ("--data", "TAKE5_DATA", "TAKE5_REDIS_URL", "TAKE5_QUEUE_URL"):
        assert way in missing.stderr
    assert CliRunner().invoke(admin, ["games", "--help"]).exit_code == 0
