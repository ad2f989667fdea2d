"""`take5 replay` step by step: what each step says, where keys lead, and that no event is passed over."""

from __future__ import annotations

import io
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

from engine.events import EVENTS
from engine.files import events_file
from engine.log import Envelope
from take5 import pages, replay_file
from take5.reading import scenes
from tests.cli.replayed import GAMES, replay


@pytest.fixture(scope="module", params=list(GAMES))
def log(request: pytest.FixtureRequest) -> list[Envelope]:
    return GAMES[request.param]()


def test_a_pick_is_shown_alone_with_the_deck_and_the_hands_so_far() -> None:
    log = GAMES["pro"]()
    fourth = [one["data"] for one in log if one["type"] == "draft.picked"][3]
    told = replay(log, "--turn", "1a0.d4")
    assert re.findall(r"^Round .*$", told, re.MULTILINE) == ["Round 1, pick 4"]
    assert re.search(rf"^ +{fourth['card']}  ada: picks it$", told, re.MULTILINE)
    assert len(re.findall(r"·", told.partition("pick 4")[2])) == 3  # the card of this pick stands out instead
    refused = CliRunner().invoke(
        replay_file.replay, ["-", "--turn", "1.d31"], input=b"".join(events_file(log))
    )
    assert refused.exit_code == 1
    assert "There is no pick 1.d31" in refused.output


def test_the_round_of_a_draft_begins_with_all_its_picks() -> None:
    log = GAMES["pro"]()
    assert len(re.findall(r"^pass", replay(log, "--turn", "2"), re.MULTILINE)) == 10


@pytest.fixture
def stepped(log: list[Envelope], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is on the screen after each step of a game."""
    told = list(scenes(io.BytesIO(b"".join(events_file(log)))))
    steps = pages.steps_of(told)
    keys = ["n"] * (len(steps) - 1) + ["q"]
    monkeypatch.setattr(click, "getchar", lambda: keys.pop(0))
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, color_system=None, width=120)
    replay_file.step_through(console, told, None, ())
    return re.split(r"\d+/\d+   n next", screen.getvalue())[:-1]


def test_every_step_says_what_has_happened(stepped: list[str], log: list[Envelope]) -> None:
    placed = [one for one in log if one["type"] == "card.placed"]
    assert sum(bool(re.search(r": (joins|takes|lays the|fits)", screen)) for screen in stepped) == len(placed)
    explained = [one for one in log if one["type"] == "card.explained"]
    assert sum("row end" in screen or "Of the row ends" in screen for screen in stepped) == len(explained)
    assert all(len(screen.strip().splitlines()) > 3 for screen in stepped)


def test_keys_lead_past_a_draft_and_to_the_next_attempt(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = list(scenes(io.BytesIO(b"".join(events_file(GAMES["pro"]())))))
    keys = ["n", "n", "r", "t", "q"]
    monkeypatch.setattr(click, "getchar", lambda: keys.pop(0))
    screen = io.StringIO()
    replay_file.step_through(Console(file=screen, force_terminal=True, color_system=None), told, None, ())
    assert re.findall(r"^Round .*$", screen.getvalue(), re.MULTILINE) == [
        "Round 1, draft",
        "Round 1, pick 1",
        "Round 1, pick 2",
        "Round 1a1, draft",
        "Round 1a1, turn 1",
    ]


SILENT = frozenset(
    {
        *("game.created", "game.changed", "seat.joined", "seat.updated", "seat.left", "game.started"),
        *("round.started", "turn.opened", "seat.called", "row.requested", "row.chosen"),  # what is asked
        *(
            "card.explained",
            "turn.closed",
            "round.revealed",
            "game.sealed",
        ),  # shown with what stands beside them
    }
)
"""The events at which nothing is shown that is not shown at another."""


def test_every_event_is_shown_but_for_those_that_need_not_be() -> None:
    shown = {
        step.kind
        for play in GAMES.values()
        for step in pages.steps_of(list(scenes(io.BytesIO(b"".join(events_file(play()))))))
    }
    assert shown == EVENTS.keys() - SILENT
