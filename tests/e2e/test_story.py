"""Stories over real processes: what a person with a terminal sees, from `take5 serve` to a game that is over."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.rulesets import RULESETS
from service.store.connect import games_client
from service.store.play import Play
from service.store.server import RedisStore
from take5.client import Client
from tests.e2e.chaos import NoWakes
from tests.e2e.judge import faults, snapshots_ever
from tests.e2e.people import Party, Table
from tests.e2e.serving import Served, free_port, processes, serving, start, stop

Until = Callable[[Callable[[], bool]], None]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def served(place: Path) -> Iterator[Served]:
    """One service for the stories that leave it whole."""
    with serving(place / "data", place / "log") as running:
        yield running


def played(served: Served, table: Table) -> Party:
    """The party after its game, which must be faultless."""
    party = Party(served.url, table, seed=7)
    party.sit_down()
    party.begin()
    give_up = time.monotonic() + 60
    while party.look() == "playing":
        assert time.monotonic() < give_up, "the game does not end"
        os.sched_yield()
    party.stop()
    with games_client(served.games_url, threads=1) as client:
        snapshots = snapshots_ever(served.data)[party.game]
        assert snapshots
        found = faults(Play(RedisStore(client), NoWakes()), party, snapshots)
    assert party.refused + found == []
    return party


def test_house_bots_play_a_whole_game_among_themselves(served: Served) -> None:
    table = Table(4, dict(enumerate(("random", "lowest_risk") * 2)))
    party = played(served, table)
    state = party.clients[0].game(party.game)
    assert state["status"] == "finished"
    assert max(place["total_bullheads"] for place in state["standings"]) >= 66
    party.leave()


@pytest.mark.parametrize(
    "options", [*({"ruleset": name} for name in RULESETS), {"learning_rounds": 1}], ids=str
)
def test_a_game_of_each_rule_set_is_played_over_http_by_people_and_bots(
    served: Served, options: dict[str, Any]
) -> None:
    """Its files are those of the judge: they verify, and every step is rebuilt from the compact one."""
    wanted = {"row_policy": "ahead", "end": {"rounds": 2}, **options}
    party = played(served, Table(4, {1: "random", 3: "lowest_risk"}, wanted))
    state = party.clients[0].game(party.game)
    rounds = 2 + state["options"]["learning_rounds"]
    assert (state["status"], state["round"]) == ("finished", rounds)
    assert {one.key.rpartition(".")[2] for one in party.answered} >= {"card", "row"}
    totals = [place["total_bullheads"] for place in state["standings"]]
    last = party.clients[0].scores(party.game)["rounds"][-1]
    assert [score["total_bullheads"] for score in last["seats"]] == totals
    assert party.clients[1].verification(party.game)["outcome"] == "ok"
    party.leave()


def test_two_people_play_against_each_other_until_somebody_has_66(served: Served) -> None:
    party = played(served, Table(2, {}))
    totals = [place["total_bullheads"] for place in party.clients[1].game(party.game)["standings"]]
    assert max(totals) >= 66
    assert len(party.answered) >= 2 * 9 * 2
    party.leave()


def test_what_was_played_is_found_again_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "data", tmp_path / "log") as before:
        party = Party(before.url, Table(2, {1: "random"}), seed=3)
        party.sit_down()
        decision = party.clients[0].decisions(game=party.game, wait=5)[0]
        receipt = party.clients[0].answer(decision, card=decision.cards[0])
        token = party.clients[0].token
        party.leave()
    with serving(tmp_path / "data", tmp_path / "log") as after, Client(after.url, token) as same:
        again = same.call("GET", f"/v1/games/{party.game}/decisions/{decision.key}")
        assert again["answer"] == {"card": decision.cards[0]}
        assert again["receipt"] == receipt
        (owed,) = same.decisions(game=party.game, wait=5)
        assert owed.key != decision.key


def test_nothing_is_left_running_when_the_supervisor_is_killed(tmp_path: Path, until: Until) -> None:
    served = start(tmp_path / "data", tmp_path / "log")
    family = served.family()
    assert len(family) >= 8
    served.supervisor.kill()
    served.supervisor.wait()
    until(lambda: not family & {pid for pid, _, command in processes() if "<defunct>" not in command})


def test_ctrl_c_ends_everything_in_order_while_somebody_waits(tmp_path: Path, until: Until) -> None:
    served = start(tmp_path / "data", tmp_path / "log")
    family = served.family()
    host, _, port = served.url.removeprefix("http://").partition(":")
    with Client.signed_up(served.url, "ada") as ada, socket.create_connection((host, int(port))) as line:
        asked = (
            f"GET /v1/me/decisions?wait=25 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ada.token}\r\n\r\n"
        )
        line.sendall(asked.encode())
        ada.me()  # by then the other request is held
        began = time.monotonic()
        assert stop(served) == 0
        assert time.monotonic() - began < 10
        assert line.recv(1000).startswith(b"HTTP/1.1 200")
    until(lambda: not family & {pid for pid, _, command in processes() if "<defunct>" not in command})
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log
    assert "Ending; the games stay." in log


def test_whatever_is_killed_runs_again(tmp_path: Path, until: Until) -> None:
    with serving(tmp_path / "data", tmp_path / "log") as served:
        for role in ("turns worker", "bots worker", "clock", "API", "games store", "queue"):
            before = set(served.pids(role))
            assert before
            assert served.kill(role)
            until(lambda role=role, before=before: bool(set(served.pids(role)) - before))  # type: ignore[misc]  # mypy infers no default of a lambda
        with Client.signed_up(served.url, "ada", knock_s=30) as ada:
            game = ada.create_game(ruleset="classic", seats=2, end={"rounds": 1}, seat_me=False)["id"]
            for seat in range(2):
                ada.seat_bot(game, seat)
            ada.start(game)
            until(lambda: ada.game(game)["status"] == "finished")


def test_a_port_that_is_taken_is_said_to_be_so(served: Served, tmp_path: Path) -> None:
    port = served.url.rpartition(":")[2]
    done = take5("serve", "--port", port, "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    assert (
        f"port {port}: Address already in use. Another may be free: say --port, or set TAKE5_PORT."
        in done.stderr
    )


def test_an_address_that_is_none_is_said_to_be_so(tmp_path: Path) -> None:
    done = take5("serve", "--host", "300.1.1.1", "--port", str(free_port()), "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    assert "There is no address 300.1.1.1 to listen on" in done.stderr


def test_a_data_directory_that_is_in_use_is_said_to_be_so(served: Served) -> None:
    done = take5("serve", "--port", str(free_port()), "--data", str(served.data))
    assert done.returncode == 1
    assert "in use by another service" in done.stderr


@pytest.mark.parametrize(
    "command", [("api",), ("clock",), ("worker", "--queue", "turns")], ids=lambda command: str(command[0])
)
def test_a_part_alone_says_what_it_needs(command: tuple[str, ...]) -> None:
    done = take5(*command)
    assert done.returncode == 1
    assert "TAKE5_REDIS_URL" in done.stderr
    assert "take5 serve" in done.stderr


def test_an_unknown_setting_is_said_to_be_so(tmp_path: Path) -> None:
    done = take5("serve", "--data", str(tmp_path), TAKE5_THREDS="9")
    assert done.returncode == 1
    assert "TAKE5_THREDS" in done.stderr


def take5(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TAKE5_")}
    return subprocess.run(
        [sys.executable, "-m", "take5.cli", *arguments],
        env=environment | settings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_terminal_that_goes_away_ends_the_service(tmp_path: Path) -> None:
    served = start(tmp_path / "data", tmp_path / "log")
    served.supervisor.send_signal(signal.SIGHUP)
    assert served.supervisor.wait(30) == 0
