"""The commands themselves: each is found, explains itself, and starts without loading what it does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from take5.cli import COMMANDS, main
from tests.house.tree import ROOT


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


def test_looking_at_files_loads_no_service() -> None:
    asked = (
        "import sys; from take5.cli import main; [main.get_command(None, name) for name in ('replay', 'verify')];"
        "sys.exit(any(name in sys.modules for name in ('flask', 'redis', 'httpx', 'service')))"
    )
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
