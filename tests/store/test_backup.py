"""A copy of the games that is made while they are played, and put back, by the commands of deploy/README.md."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from redis import Redis

from service.store import connect
from service.store.contract import Entry
from service.store.embedded import Embedded, embedded
from service.store.server import RedisStore
from tests.house.tree import ROOT


def commands(heading: str, data: Path) -> str:
    """The commands under a heading, for a directory of this user instead of the service's own."""
    page = (ROOT / "deploy" / "README.md").read_text()
    found = re.search(rf"^### {heading}$.*?^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found
    text = re.sub(r"^sudo systemctl .*\n", "", found[1], flags=re.MULTILINE)
    return (
        text.replace("sudo ", "")
        .replace("/var/lib/take5", str(data))
        .replace("chown -R take5:", f"chown -R {os.getuid()}")
    )


def run(text: str, place: Path) -> str:
    """What commands say, once they have done what they should."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def entry(game: str) -> Entry:
    return Entry(game, 0, 1, b"[1]", b"{}", {"master": "m"}, "lobby", 1, None, None, "lobby")


@pytest.mark.parametrize("rewritten", [False, True])
def test_a_copy_of_games_that_are_played_restores_them(tmp_path: Path, rewritten: bool) -> None:
    data = tmp_path / "data"
    with (
        embedded(data, fsync="no") as servers,
        connect.games_client(servers.urls.games, threads=1) as client,
    ):
        store = RedisStore(client)
        store.append(entry("g_1"))
        if rewritten:
            client.bgrewriteaof()
            while client.info("persistence")["aof_rewrites"] == 0 or is_rewriting(client):
                os.sched_yield()
            store.append(entry("g_2"))
        assert "incomplete" not in run(commands("Back up", data), tmp_path)
        store.append(entry("g_after"))
    run(commands("Restore", data), tmp_path)
    assert (data / "games.before").is_dir()
    with (
        embedded(data, fsync="no") as servers,
        connect.games_client(servers.urls.games, threads=1) as client,
    ):
        restored = RedisStore(client)
        assert restored.load("g_1")
        assert bool(restored.load("g_2")) == rewritten
        assert restored.load("g_after") is None


def is_rewriting(client: Redis) -> bool:
    """Whether a server is about to write its files anew."""
    said = client.info("persistence")
    return bool(said["aof_rewrite_in_progress"] or said["aof_rewrite_scheduled"])


def test_a_copy_that_lacks_a_file_is_found_to_be_incomplete(own_servers: Embedded, tmp_path: Path) -> None:
    log = tmp_path / "data" / "games" / "log"
    for part in log.glob("*.incr.aof"):
        part.unlink()
    assert "incomplete" in run(commands("Back up", tmp_path / "data"), tmp_path)
