"""The documents do what they say: marked Python blocks run as they stand."""

import re
import subprocess
import sys
from dataclasses import fields

import pytest
from click import Context

from engine.events import EVENTS
from service.api.metrics import Gauges
from service.bounds import bounds_of
from service.config import _OTHERS, Config
from service.limiting import CODES
from service.metrics import counted
from service.services import in_memory
from take5.cli import main
from tests.house.tree import ROOT, Block, blocks, documents, files

ALONE = [
    block
    for page in documents()
    for block in blocks(page)
    if (block.verb, block.language) == ("run", "python")
]


@pytest.mark.parametrize("block", ALONE, ids=lambda block: block.name)
def test_a_python_block_runs_on_its_own(block: Block) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-"],
        input=block.text,
        text=True,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_test_that_a_page_names_is_there() -> None:
    tests = {
        name
        for path in files(".py")
        if path.name.startswith("test_")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "SECURITY.md").read_text()))
    assert len(named) > 40
    assert not named - tests


def test_every_bound_stands_in_the_description_of_the_api_beside_its_code() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for bound in bounds_of(Config()):
        assert [row for row in rows if f"`{bound.name}`" in row and f"`{bound.code}`" in row], bound.name
    for bucket, code in CODES.items():
        assert [row for row in rows if row.startswith(f"| `{bucket}` |") and f"`{code}`" in row], bucket


def test_every_variable_that_a_page_or_a_unit_names_is_one() -> None:
    known = {f"TAKE5_{field.name.upper()}" for field in fields(Config)} | _OTHERS
    for page in (*documents(), *(path for path in (ROOT / "deploy").iterdir())):
        named = set(re.findall(r"\bTAKE5_[A-Z_]*[A-Z]\b", page.read_text()))
        assert named <= known, page


def test_every_command_of_the_deployed_parts_is_one() -> None:
    text = (ROOT / "deploy" / "compose.yaml").read_text() + (ROOT / "deploy" / "take5.service").read_text()
    found = [part.replace(",", " ").split() for part in re.findall(r"command: \[(?!valkey)(.*)\]", text)]
    found += [line.split() for line in re.findall(r"^ExecStart=\S+ (.*)$", text, re.MULTILINE)]
    assert {command[0] for command in found} == {"api", "worker", "clock", "serve"}
    for name, *arguments in found:
        command = main.get_command(Context(main), name)
        assert command
        command.make_context(name, arguments)


def test_the_operator_s_table_has_every_metric_and_no_other() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `take5_")]
    told = {name for row in rows for name in re.findall(r"`(take5_\w+)", row)}
    registry = counted()
    registry.register(Gauges(in_memory()))
    families = list(registry.collect())
    assert told == {family.name + "_total" * (family.type == "counter") for family in families}


def test_every_event_stands_in_the_table_of_the_log() -> None:
    page = (ROOT / "docs" / "log.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = {name.strip(" `") for row in rows for name in row.split(",")}
    assert not EVENTS.keys() - told
