"""`take5 play`: a person at the terminal who types what people type."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

from service.services import Services
from take5 import play as play_module
from take5.client import ApiProblem, Client, Decision
from take5.own_service import own_service
from take5.person import Person
from take5.play import play
from take5.story import follow
from take5.typed import Left
from tests.cli.conftest import Service
from tests.cli.typing_people import Keyboard


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def table(
    sign_up: Callable[..., Client], screen: io.StringIO
) -> Callable[..., tuple[Person, Keyboard, Client, str]]:
    """A person with the given words at a table of three that has started."""

    def sit(*words: str | type[BaseException]) -> tuple[Person, Keyboard, Client, str]:
        ada = sign_up("ada", "human")
        game = ada.create_game(ruleset="classic", seats=3, end={"rounds": 1})["id"]
        ada.seat_bot(game, 1, "random")
        ada.seat_bot(game, 2, "lowest_risk")
        ada.start(game)
        keyboard = Keyboard(screen, *words)
        console = Console(file=screen, soft_wrap=True, highlight=False)
        return Person(ada, game, console, keyboard), keyboard, ada, game

    return sit


def test_a_whole_game_is_played_and_told(table: Callable[..., Any], screen: io.StringIO) -> None:
    person, keyboard, ada, game = table()
    person.play()
    shown = screen.getvalue()
    assert len([prompt for prompt in keyboard.prompts if "card" in prompt]) == 9  # the last one lays itself
    assert len(re.findall(r"^laid ", shown, re.MULTILINE)) == 10
    assert "the lowest total wins" in shown
    for place in ada.game(game)["standings"]:
        assert re.search(rf"^ +{place['rank']}  .* {place['total_bullheads']}$", shown, re.MULTILINE)


@pytest.mark.parametrize("word", ["105", "abc", "-1", "3.5", "\x1b[2J", "card", "1e1", "٣"])
def test_what_is_no_card_is_asked_again(table: Callable[..., Any], screen: io.StringIO, word: str) -> None:
    person, keyboard, _, _ = table(word, "", "  ", EOFError)
    with pytest.raises(EOFError):
        person.play()
    assert keyboard.prompts == ["lay a card, 60 s left: "] * 4
    assert screen.getvalue().count("You hold no card") == 1
    assert "\x1b" not in screen.getvalue()


def test_what_is_no_row_is_asked_again(table: Callable[..., Any], screen: io.StringIO) -> None:
    person, keyboard, _, _ = table("4", "x", "3")
    pending = {"pending": {"card": 5, "why": "too_low"}}
    row = Decision("g", "r1.t1.s0.row", "row", None, (), (("take",),) * 4, pending)
    told = follow(None, {"type": "game.created", "seq": 1, "data": {"options": {"seats": 3}}})
    assert person.answer(told, row) == {"row": 3, "mode": "take"}
    assert keyboard.prompts == ["take a row (0 to 3): "] * 3
    assert screen.getvalue().count("There is no row") == 2
    assert "Your 5 fits nowhere." in screen.getvalue()


def test_help_and_leaving(table: Callable[..., Any], screen: io.StringIO) -> None:
    person, keyboard, _, _ = table("help", "Q")
    with pytest.raises(Left):
        person.play()
    assert "Who lays card 6 of a row captures the 5 before it." in screen.getvalue()
    assert len(keyboard.prompts) == 2


def test_an_answer_that_came_too_late_is_told_and_the_game_goes_on(
    table: Callable[..., Any], screen: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, _, ada, game = table()
    answer, late = ada.answer, [True]

    def answered(decision: Decision, **given: Any) -> Any:
        if late.pop() if late else False:
            answer(decision, card=decision.cards[-1])
            raise ApiProblem(409, {"code": "decision_closed", "detail": "This decision is over."})
        return answer(decision, **given)

    monkeypatch.setattr(ada, "answer", answered)
    person.play()
    assert "This decision is over." in screen.getvalue()
    assert ada.game(game)["status"] == "finished"


def test_the_end_of_the_input_leaves_the_table(at: Callable[..., Any]) -> None:
    left = at("--seats", "2", "--name", "eve")
    assert left.exit_code == 0
    assert "You are on seat 0 of 2: classic, to 66 bullheads." in left.output
    assert "The house plays on for you" in left.output


def test_ctrl_c_leaves_it_with_the_exit_code_of_an_interrupt(
    at: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(play_module, "typed", interrupted)
    left = at()
    assert left.exit_code == 130
    assert "The house plays on for you" in left.output


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--people", "3", "--seats", "2"), "no room for 3 people"),
        (("--points", "9", "--rounds", "2"), "never by both"),
        (("--option", "recommit"), "write recommit=true"),
        (("--option", "recommit=perhaps"), "Error: recommit must be true or false."),
        (("--option", "foo=1"), "Error: There is no option foo; there are: pace, on_timeout, recommit,"),
        (("--option", "pace={"), "What pace is set to is no JSON"),
        (("--option", 'pace={"turn_ms":1,"row_ms":3000}'), "Error: pace/turn_ms must be"),
        (("--join", "g_2345672345672345672345672a"), "Error: "),
        (("--ruleset", "pro", "--seats", "7"), "pro is played by 2 to 6"),
        (("--ruleset", "jokers", "--learning", "1"), "jokers has another game"),
        (("--ruleset", "poker"), "poker"),
    ],
)
def test_a_table_that_cannot_be_says_why(
    at: Callable[..., Any], arguments: tuple[str, ...], why: str
) -> None:
    refused = at(*arguments)
    assert refused.exit_code in (1, 2)
    assert why in refused.output


def test_options_of_the_table_are_those_of_the_service(
    at: Callable[..., Any], service: Service, services: Services
) -> None:
    shown = at(
        *("--ruleset", "category-5", "--points", "30", "--learning", "2", "--seats", "3"),
        *("--option", "row_policy=ahead", "--option", "recommit=true"),
        *("--option", 'pace={"turn_ms": 3000, "row_ms": 4000}'),
    )
    assert "You are on seat 0 of 3: category-5, 2 learning rounds, then past 30 bullheads." in shown.output
    options = services.play.live(_game(service)).game.options
    assert (options.row_policy, options.recommit, options.pace.row_ms) == ("ahead", True, 4000)


def _game(service: Service) -> str:
    """The game that was played last."""
    paths = [request.url.path for request in service.requests]
    return next(found[1] for path in reversed(paths) if (found := re.match(r"/v1/games/(g_\w+)", path)))


def test_a_name_that_the_service_refuses_is_told(at: Callable[..., Any]) -> None:
    refused = at("--name", "")
    assert refused.exit_code == 1
    assert "Error: A name has 1 to" in refused.output


def test_a_service_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "_KNOCK_S", 0)
    refused = CliRunner().invoke(play, ["--url", "http://127.0.0.1:9"])
    assert refused.exit_code == 1
    assert "cannot be reached" in refused.output


@pytest.mark.parametrize(
    "rules",
    [("--points", "1", "--learning", "1"), ("--ruleset", "pro", "--rounds", "1")],
    ids=lambda one: one[1],
)
def test_a_game_on_a_service_of_its_own_is_played_saved_and_verified(
    tmp_path: Path, rules: tuple[str, ...]
) -> None:
    saved = tmp_path / "game.ndjson"
    take5 = [sys.executable, "-m", "take5.cli"]
    typed = "\n".join(str(number) for _ in range(80) for number in range(105))
    played = subprocess.run(
        [*take5, "play", "--seats", "2", *rules, "--save", str(saved)],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert f"kept in {saved}" in played.stdout
    verified = subprocess.run([*take5, "verify", str(saved)], capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout


def test_a_service_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKE5_COLOUR", "green")
    with pytest.raises(click.ClickException, match="unknown setting TAKE5_COLOUR"), own_service():
        pass
