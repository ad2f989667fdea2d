"""The commands themselves: each is found, explains itself, and starts without loading what it does not need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from take5.cli import COMMANDS, main
from tests.house.tree import ROOT

LOG = str(ROOT / "tests" / "logs" / "v1" / "three-people.ndjson")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"])
    assert shown.exit_code == 0
    assert f"Usage: main {name}" in shown.output


def test_the_list_of_commands_tells_of_each_in_a_whole_sentence() -> None:
    shown = CliRunner().invoke(main, ["--help"], terminal_width=80).output
    listed = shown.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in listed), shown


def test_an_unknown_command_is_refused() -> None:
    assert CliRunner().invoke(main, ["shuffle"]).exit_code == 2


def test_a_command_that_is_misspelt_is_told_which_one_was_meant() -> None:
    refused = CliRunner().invoke(main, ["sevre"])
    assert refused.exit_code == 2
    assert "Did you mean serve?" in refused.output


def test_openapi_prints_the_published_document() -> None:
    shown = CliRunner().invoke(main, ["openapi"])
    assert shown.stdout == (ROOT / "openapi" / "openapi.json").read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize(
    "arguments", [("--help",), ("openapi",), ("verify", LOG), ("verify", "--json", LOG), ("replay", LOG)]
)
def test_what_cannot_be_written_is_said_and_is_no_answer(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "take5.cli", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        74,
        "Error: not everything could be written: No space left on device.\n",
    )


@pytest.mark.parametrize(
    "arguments", [("verify", LOG), ("verify", "--json", LOG), ("replay", LOG), ("openapi",)]
)
def test_so_is_what_nobody_reads(arguments: tuple[str, ...]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    command = [sys.executable, "-m", "take5.cli", *arguments]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (74, "")


@pytest.mark.parametrize(
    ("closing", "code", "said"), [(">&-", 0, ""), (">&- 2>&-", 0, ""), ("<&-", 0, "Everything holds.")]
)
def test_a_stream_that_is_closed_ends_nothing(closing: str, code: int, said: str) -> None:
    command = f'exec "{sys.executable}" -m take5.cli verify "{LOG}" {closing}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
    assert said in done.stdout


def test_looking_at_files_loads_no_service() -> None:
    asked = (
        "import sys; from take5.cli import main; [main.get_command(None, name) for name in ('replay', 'verify')];"
        "sys.exit(any(name in sys.modules for name in ('flask', 'redis', 'httpx', 'service')))"
    )
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
