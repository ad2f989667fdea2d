"""Every page keeps its word: the shell commands it shows are run, in order, against a real `take5 serve`."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.config import Config
from tests.e2e.serving import Served, serving
from tests.house.tree import ROOT, blocks, documents

STORIES = sorted(
    {
        (str(page.relative_to(ROOT)), block.name)
        for page in documents()
        for block in blocks(page)
        if (block.verb, block.language) == ("run", "sh")
    }
)
METRICS_TOKEN = "for-prometheus-alone"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service that all stories share, as it shares itself between its users."""
    place = tmp_path_factory.mktemp("readme")
    with serving(place / "data", place / "words.txt", metrics_token=METRICS_TOKEN) as service:
        yield service


@pytest.mark.skipif(shutil.which("curl") is None, reason="the commands use curl")
@pytest.mark.parametrize(("page", "story"), STORIES)
def test_the_commands_of_a_story_work_from_the_first_to_the_last(
    page: str, story: str, served: Served, tmp_path: Path
) -> None:
    told = blocks(ROOT / page)
    for block in told:
        if block.verb == "save" and block.name.startswith(f"{story}/"):
            (tmp_path / block.name.removeprefix(f"{story}/")).write_text(block.text)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    commands = [block.text for block in told if (block.verb, block.name) == ("run", story)]
    done = subprocess.run(
        ["sh", "-eu", "-c", "".join(commands)],
        cwd=tmp_path,
        env={
            **os.environ,
            "TAKE5": served.url,
            "TAKE5_DATA": str(served.data),
            "TAKE5_METRICS_TOKEN": METRICS_TOKEN,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_first_bot_has_ten_lines_at_most() -> None:
    (bot,) = (block.text for block in blocks(ROOT / "README.md") if block.name == "first-game/first_bot.py")
    assert len(bot.splitlines()) <= 10


def test_no_two_files_that_are_to_be_saved_have_one_name() -> None:
    saved = [block.name for page in documents() for block in blocks(page) if block.verb == "save"]
    names = [name.rpartition("/")[2] for name in saved]
    assert saved
    assert not [name for name in names if names.count(name) > 1]


def test_a_bot_of_one_block_can_be_pasted_into_another() -> None:
    told = [block.text for page in documents() for block in blocks(page) if block.language == "python"]
    signatures = [
        found for text in told for found in re.findall(r"^def choose_card(\(.*\)):$", text, re.MULTILINE)
    ]
    assert len(signatures) > 2
    assert {*signatures} == {"(view, cards)"}


def test_the_readme_tells_a_whole_game_and_every_page_is_linked_from_it() -> None:
    assert ("README.md", "first-game") in STORIES
    text = (ROOT / "README.md").read_text()
    assert not [page.name for page in (ROOT / "docs").glob("*.md") if f"(docs/{page.name})" not in text]


def test_every_setting_is_documented_with_its_default() -> None:
    page = (ROOT / "docs/running.md").read_text()
    told = dict(re.findall(r"^\| `TAKE5_(\w+)` \| (.+?) \|", page, re.MULTILINE))
    settings = {field.name.upper(): str(field.default) for field in dataclasses.fields(Config)}
    assert told.keys() == settings.keys()
    assert {name: value.strip("`") for name, value in told.items() if settings[name]} == {
        name: default for name, default in settings.items() if default
    }
