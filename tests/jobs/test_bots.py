"""House bots: they answer what they owe and no more, through their own view; a broken one is replaced for the turn."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from engine import commands as c
from engine.decisions import Key, open_decisions
from engine.errors import Refusal
from engine.game import Game
from engine.policies import HOUSE_LEVELS
from engine.views import View
from service.store.contract import GameStore
from service.store.play import Play
from tests.jobs.conftest import Wakes
from worker import bots
from worker.bots import BOTS, Bot, play_bots
from worker.turns import advance

Open = Callable[..., Game]


def play_out(play: Play) -> list[dict[str, Any]]:
    """Let the workers do what is due until nothing is, and return the log."""
    before = 0
    while (seq := play.live("g_1").game.seq) != before:
        before = seq
        play_bots(play, "g_1")
        advance(play, "g_1")
    return play.log("g_1")


def broken(monkeypatch: pytest.MonkeyPatch, bot: Bot) -> list[dict[str, Any]]:
    """Put `bot` in the place of a house bot, and return what will be logged about failures."""
    monkeypatch.setitem(BOTS, "random", bot)
    failures: list[dict[str, Any]] = []
    monkeypatch.setattr(bots, "_log", SimpleNamespace(warning=lambda event, **about: failures.append(about)))
    return failures


def fails(view: View, seed: bytes) -> Any:
    raise RuntimeError("a bot with a mistake in it")


def wrong(card: Any, row: Any) -> Bot:
    """Return a bot that always gives the same wrong answers."""
    return Bot(lambda view, seed: card, lambda view, seed: row, lambda view, seed: card)


def test_every_level_that_can_be_seated_plays(play: Play, opened: Open) -> None:
    assert BOTS.keys() == set(HOUSE_LEVELS)
    opened(seats=4, bots={seat: HOUSE_LEVELS[seat % len(HOUSE_LEVELS)] for seat in range(4)})
    log = play_out(play)
    assert [envelope["type"] for envelope in log[-2:]] == ["game.finished", "game.sealed"]
    assert {envelope["by"]["kind"] for envelope in log if envelope["type"] == "row.chosen"} <= {"house"}


def test_bots_leave_the_seats_of_people_alone(play: Play, opened: Open) -> None:
    opened(seats=3, bots={1: "random", 2: "lowest_risk"})
    play_bots(play, "g_1")
    assert [decision.seat for decision in open_decisions(play.live("g_1").game)] == [0]


def test_a_bot_that_has_laid_lays_no_second_card(play: Play, opened: Open) -> None:
    opened(seats=2, bots={1: "random"})
    play_bots(play, "g_1")
    done = play.log("g_1")
    play_bots(play, "g_1")
    assert play.log("g_1") == done


def test_the_same_bot_in_the_same_deal_plays_the_same(store: GameStore, opened: Open) -> None:
    laid = []
    for number in range(2):
        opened(seats=2, bots={1: "random"}, name="g_1") if not number else None
        worker = Play(store, Wakes())
        play_bots(worker, "g_1")
        laid.append(worker.live("g_1").game.laid[1])
    assert laid[0] == laid[1]


def test_two_workers_at_the_same_instant_lay_one_card_a_seat(store: GameStore, opened: Open) -> None:
    opened(seats=6, bots=dict.fromkeys(range(1, 6), "random"))
    barrier = Barrier(3)

    def work() -> None:
        worker = Play(store, Wakes())
        barrier.wait()
        play_bots(worker, "g_1")

    threads = [Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log = Play(store, Wakes()).log("g_1")
    seats = [envelope["data"]["seat"] for envelope in log if envelope["type"] == "card.laid"]
    assert sorted(seats) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "bot",
    [
        Bot(fails, fails, fails),
        wrong(200, (7, "take")),
        wrong(None, None),
        wrong([3], (-1, "take")),
        wrong(True, (False, "take")),
    ],
    ids=[
        "raises",
        "answers what is not there",
        "answers nothing",
        "answers nonsense",
        "answers what only looks like an answer",
    ],
)
def test_a_broken_bot_is_played_for_and_the_log_says_so(
    bot: Bot, play: Play, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = broken(monkeypatch, bot)
    opened(seats=3, bots=dict.fromkeys(range(3), "random"), end={"rounds": 2})
    log = play_out(play)
    assert log[-1]["type"] == "game.sealed"
    answers = [envelope for envelope in log if envelope["type"] in ("card.laid", "row.chosen")]
    assert {envelope["by"]["kind"] for envelope in answers} == {"policy"}
    about = {name: value for name, value in failures[0].items() if name not in ("error", "at")}
    assert about == {"level": "random", "game": "g_1", "decision": "r1.t1.s0.card"}
    assert failures[0]["error"] in ("RuntimeError", "ValueError", "TypeError")
    assert all(envelope["by"]["seat"] == envelope["data"]["seat"] for envelope in answers)
    assert "row.chosen" in {envelope["type"] for envelope in answers}


def test_a_bot_sees_what_its_seat_sees_and_nothing_else(
    play: Play, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[View] = []

    def look(view: View, seed: bytes) -> int:
        seen.append(view)
        card: int = view["hand"][0]
        return card

    broken(monkeypatch, Bot(look, fails, fails))
    game = opened(seats=2, bots={1: "random"})
    play.execute("g_1", c.LayCard(0, 1, 1, game.hands[0][0]))
    play_bots(play, "g_1")
    assert [view["you"] for view in seen] == [1]
    assert not set(game.hands[0]) & set(numbers(seen[0]["seats"]) | numbers(seen[0]["plays"]))
    assert seen[0]["hand"] == list(game.hands[1])
    assert not any(card in seen[0][part] for part in ("hand", "seen", "queue") for card in game.hands[0])


def numbers(value: Any) -> set[int]:
    """Every number above ten somewhere in a JSON value: cards, mostly."""
    if isinstance(value, dict):
        return set().union(*map(numbers, value.values()))
    if isinstance(value, list):
        return set().union(*map(numbers, value))
    return {value} if isinstance(value, int) and value > 10 else set()


def test_an_answer_that_came_from_elsewhere_meanwhile_is_accepted(
    store: GameStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Play(store, Wakes())

    def outrun(view: View, seed: bytes) -> int:
        other.execute("g_1", c.PlayFor(Key(1, 0, 1, 1, "card")))
        hand: list[int] = view["hand"]
        laid = other.live("g_1").game.laid[1]
        return next(card for card in hand if laid is None or card != laid.card)

    broken(monkeypatch, Bot(outrun, fails, fails))
    opened(seats=2, bots={1: "random"})
    play_bots(Play(store, Wakes()), "g_1")
    assert [envelope["by"]["kind"] for envelope in other.log("g_1") if envelope["type"] == "card.laid"] == [
        "policy"
    ]


def test_a_refusal_that_does_not_go_away_is_raised(
    play: Play, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rather than asked for ever: the job fails, and RQ keeps its traceback."""
    opened(seats=2, bots={1: "random"})
    monkeypatch.setattr(bots, "_answer", lambda live, decision, seed: c.LayCard(1, 9, 1, 1))
    with pytest.raises(Refusal):
        play_bots(play, "g_1")


def hangs(view: View, seed: bytes) -> Any:
    while True:
        pass


def leaves(view: View, seed: bytes) -> Any:
    raise SystemExit


@pytest.mark.parametrize("does", [hangs, leaves])
def test_a_bot_that_does_not_answer_is_played_for_soon(
    does: Any, play: Play, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "BUDGET_S", 0.05)
    failures = broken(monkeypatch, Bot(does, does, does))
    opened(seats=3, bots={1: "random", 2: "lowest_risk"})
    play_bots(play, "g_1")
    laid = {one["data"]["seat"]: one["by"]["kind"] for one in play.log("g_1") if one["type"] == "card.laid"}
    assert laid == {1: "policy", 2: "house"}
    assert [failure["error"] for failure in failures] == ["OverBudget" if does is hangs else "SystemExit"]


def test_what_a_bot_says_when_it_fails_is_not_in_the_log(
    play: Play, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tells(view: View, seed: bytes) -> Any:
        raise RuntimeError(f"my hand is {view['hand']}")

    failures = broken(monkeypatch, Bot(tells, tells, tells))
    opened(seats=2, bots={1: "random"})
    play_bots(play, "g_1")
    assert failures
    assert "my hand is [" not in str(failures)
