"""`take5 replay` of every rule set: drafts, Jokers, learning rounds, void rounds, votes and absences, step by step."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import orjson
import pytest
from click.testing import CliRunner
from rich.console import Console

from engine import commands as c
from engine.compact import compact
from engine.events import EVENTS
from engine.files import events_file
from engine.log import Envelope, redact
from engine.players import Owner
from take5 import pages, replay_file, verify_file
from take5.reading import scenes
from tests.cli.tables import LATE, Log, played


def agree(
    vote: int, kind: Any, *others: int, by: int = 0, target: int | None = None
) -> tuple[c.Command, ...]:
    """A vote that passes."""
    yes = [c.CastBallot(f"p{seat}", vote, "yes") for seat in others]
    return (c.OpenVote(f"p{by}", kind, target), *yes)


GAMES: dict[str, Callable[[], list[Envelope]]] = {
    "tactics": lambda: played(3, ruleset="tactics"),
    "jokers": lambda: played(4, {2: (LATE,), 20: (c.GoAway("p2"),), 30: (c.Return("p2"),)}, ruleset="jokers"),
    "pro": lambda: played(
        3,
        {3: (c.PlanPicks(2, 1, 6, (17, 3, 20)),), 9: agree(1, "redeal", 1, 2)},
        ruleset="pro",
        end={"rounds": 2},
        rotate_drafter=True,
    ),
    "learning": lambda: played(
        3,
        {
            7: (*agree(1, "pause", 1, 2), *agree(2, "resume", 0, 2, by=1)),
            40: agree(3, "redeal", 1, 2),
            45: (c.OpenVote("p0", "redeal"), LATE),
            58: (c.Resign("p2"), c.GoAway("p0"), *agree(5, "replace", by=1, target=0)),
        },
        learning_rounds=1,
        pace="untimed",
    ),
    "learning only": lambda: played(2, learning_rounds=2, learning_only=True),
    "abandoned": lambda: played(2, {5: agree(1, "abandon", 1)}),
}


@pytest.fixture(scope="module", params=list(GAMES))
def log(request: pytest.FixtureRequest) -> list[Envelope]:
    return GAMES[request.param]()


def replay(log: list[Envelope], *arguments: str, form: str = "events") -> str:
    file = b"".join(events_file(log)) if form == "events" else orjson.dumps(compact(log))
    done = CliRunner().invoke(replay_file.replay, ["-", *arguments], input=file)
    assert done.exit_code == 0, done.output
    return done.stdout  # what takes long says so on standard error


def test_the_compact_file_is_shown_as_the_log_is(log: list[Envelope]) -> None:
    assert replay(log, "--all", form="compact") == replay(log, "--all")


def test_the_file_verifies_offline(log: list[Envelope]) -> None:
    done = CliRunner().invoke(verify_file.verify_file, ["-"], input=b"".join(events_file(log)))
    assert done.exit_code == 0
    assert done.output.endswith("Everything holds.\n")


@pytest.mark.parametrize("seat", [None, 0])
def test_whoever_looks_at_a_game_that_is_on_sees_what_the_log_has_open_for_them(
    log: list[Envelope], seat: int | None
) -> None:
    for end in range(30, len(log), 29):
        live = redact(log[:end], seat)
        assert replay(live, "--all", form="compact") == replay(live, "--all")


def test_every_card_that_was_placed_is_told_once_and_in_order(log: list[Envelope]) -> None:
    placed = [str(one["data"]["card"]) for one in log if one["type"] == "card.placed"]
    assert re.findall(r"^ +(J?\d+)  \w+: (?:joins|takes|lays|fits)", replay(log), re.MULTILINE) == placed


def test_a_pass_of_the_draft_is_a_line_and_what_was_said_meanwhile_stands_between() -> None:
    log = GAMES["pro"]()
    told = replay(log)
    picks = [(one["data"]["card"], one["data"]["seat"]) for one in log if one["type"] == "draft.picked"]
    lines = re.findall(r"^pass \d+ +(.*)$", told, re.MULTILINE)
    names = ("ada", "bob", "cleo")
    assert "   ".join(lines).split() == [word for card, seat in picks for word in (str(card), names[seat])]
    assert "cleo: plans to pick 17 3 20" in told
    assert (
        "Each picks a card in turn: bob, cleo, ada, and around again." in told
    )  # the first drafter moves on


def test_the_plan_of_another_seat_stays_closed_while_it_is_secret() -> None:
    log = GAMES["pro"]()
    upto = next(one["seq"] for one in log if one["type"] == "draft.planned") + 1
    for seat, plan in ((2, "cleo: plans to pick 17 3 20"), (0, "cleo: plans the next picks")):
        for form in ("events", "compact"):
            assert plan in replay(redact(log[:upto], seat), form=form)


def test_a_void_round_is_told_to_its_end_and_its_next_attempt_under_its_own_name() -> None:
    log = GAMES["learning"]()
    told = replay(log, "--all")
    assert told.index("Round 2 is void and is dealt anew") < told.index("Round 2a1\n")
    assert "Round 2a1, turn 1" in replay(log, "--turn", "2a1.1")
    assert re.findall(r"^Round .*$", replay(log, "--turn", "2.1"), re.MULTILINE) == [
        "Round 2, turn 1",
        "Round 2a1, turn 1",
    ]
    void = next(one["seq"] for one in log if one["type"] == "round.voided")
    dealt = [one for one in log[:void] if one["type"] == "round.dealt"][-1]
    live = redact(log[: void + 2], None)  # one more event opens its hands
    for seat in range(3):
        assert " ".join(map(str, dealt["open"][f"s{seat}"]["data"]["hand"])) in replay(live, "--all")


def test_votes_pauses_and_whoever_leaves_are_told_in_sentences() -> None:
    told = replay(GAMES["learning"]())
    for sentence in (
        "ada: asks the table to pause the game (vote 1)",
        "bob: yes",
        "Everybody has said yes to vote 1, to pause the game.",
        "The game is paused.",
        "The game goes on.",
        "Vote 4, to deal this round anew, has failed: not everybody said yes in time.",
        "cleo: gives the seat up, and the house plays on",
        "bob: asks the table to let the house play for ada (vote 5)",
        "The house plays on for ada.",
    ):
        assert sentence in told
    assert "ada: yes" not in told.partition("The game is paused")[0]  # who asks has said yes


def test_a_no_ends_a_vote_and_an_abandoned_game_says_why() -> None:
    told = replay(played(2, {3: (c.OpenVote("p1", "pause"), c.CastBallot("p0", 1, "no"))}))
    assert "ada: no" in told
    assert "Vote 1, to pause the game, has failed: somebody said no." in told
    assert "The game was abandoned: the table agreed on it." in replay(GAMES["abandoned"]())


def test_whoever_was_late_or_away_is_marked_at_the_card_that_was_laid_for_them() -> None:
    log = GAMES["jokers"]()
    told = replay(log)
    for kind, word in (("timeout", "late"), ("away", "away")):
        laid = sum(one["type"] == "card.laid" and one["by"]["kind"] == kind for one in log)
        assert laid
        assert len(re.findall(rf"\({word}\)", told)) == laid
    assert "cleo: steps away, and is played for until coming back" in told
    assert "cleo: is back" in told
    gone = played(2, {1: (LATE,), 2: (LATE,), 3: (LATE,)})
    assert "has been late too often" in replay(gone)


def test_a_row_that_was_chosen_with_the_card_is_told_as_such() -> None:
    log = played(2, row_policy="ahead", seed=4)
    lay = next(
        c.LayCard(seat, 1, 1, card, if_low="fewest_bullheads")
        for seat, hand in enumerate(_first_hands(log))
        for card in hand[:1]
        if card < min(row[0] for row in _first(log)["data"]["rows"])
    )
    ahead = played(2, {0: (lay,)}, row_policy="ahead", seed=4)
    assert re.search(
        rf"^ +{lay.card}  \w+: fits nowhere, takes row \d, as said with the card, with",
        replay(ahead),
        re.MULTILINE,
    )


def _first(log: list[Envelope]) -> Envelope:
    return next(one for one in log if one["type"] == "round.dealt")


def _first_hands(log: list[Envelope]) -> list[list[int]]:
    return [part["data"]["hand"] for _, part in sorted(_first(log)["open"].items())]


def test_a_learning_round_shows_all_hands_who_laid_what_in_which_order_and_every_reason() -> None:
    log = GAMES["learning only"]()
    told = replay(log)
    for hand in _first_hands(log):
        assert " ".join(map(str, hand)) in told
    laid = [
        one["open"][f"s{one['data']['seat']}"]["data"]["card"] for one in log if one["type"] == "card.laid"
    ]
    assert [
        int(card)
        for line in re.findall(r"^lays .*$", told, re.MULTILINE)
        for card in re.findall(r"\d+", line)
    ] == laid
    sentences = [one["data"]["sentence"] for one in log if one["type"] == "card.explained"]
    assert [line for line in told.splitlines() if line.strip() in sentences] == [
        f"        {sentence}" for sentence in sentences
    ]
    assert "its bullheads are shown and do not count" in told
    assert "nobody has won" in told


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


def test_a_bot_that_is_a_player_is_said_to_be_one_and_whose() -> None:
    log = Log(
        2, before=(c.JoinSeat("p_max", "max", "bot", 1, accept_bots=True, owner=Owner("p0", "a\x1bda")),)
    )
    log.do(c.Resign("p0"))
    for form in ("events", "replay"):
        assert "max (bot of a?da)" in replay(log.envelopes, form=form)
    nobody_s = Log(2, before=(c.JoinSeat("p_max", "max", "bot", 1, accept_bots=True),))
    assert "max (bot)" in replay(nobody_s.envelopes)
