"""`take5 replay` of every rule set: drafts, Jokers, learning rounds, void rounds, votes and absences, step by step."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from engine import commands as c
from engine.files import events_file
from engine.log import Envelope, redact
from engine.players import Owner
from take5 import verify_file
from tests.cli.replayed import GAMES, replay
from tests.cli.tables import LATE, Log, played


@pytest.fixture(scope="module", params=list(GAMES))
def log(request: pytest.FixtureRequest) -> list[Envelope]:
    return GAMES[request.param]()


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
        rf"^ +{lay.card}  \w+: fits nowhere and takes row \d, as said with the card, with",
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


def test_a_bot_that_is_a_player_is_said_to_be_one_and_whose() -> None:
    log = Log(
        2, before=(c.JoinSeat("p_max", "max", "bot", 1, accept_bots=True, owner=Owner("p0", "a\x1bda")),)
    )
    log.do(c.Resign("p0"))
    for form in ("events", "replay"):
        assert "max (bot of a?da)" in replay(log.envelopes, form=form)
    nobody_s = Log(2, before=(c.JoinSeat("p_max", "max", "bot", 1, accept_bots=True),))
    assert "max (bot)" in replay(nobody_s.envelopes)
