"""Time: a seat's bank, grace for what is on its way, many deadlines at one instant, and what is played for who is late."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine import automatic, commands as c, deals, events as e
from engine.automatic import next_deadline
from engine.compact import compact, read
from engine.decide import act, decide
from engine.decisions import open_decisions
from engine.errors import Refusal
from engine.game import Game
from engine.log import Envelope, fold_log
from engine.policies import CARD_POLICIES
from engine.replay import rebuild, steps
from engine.resolve import resolve
from engine.times import Millis
from engine.verify import Report, verify_log
from engine.views import View, view
from tests.rules.chosen import games
from tests.rules.retold import found, moments, retold
from tests.rules.table import (
    FAIR,
    START,
    Step,
    after,
    context,
    later,
    lay,
    lobby,
    logged,
    played,
    stacked,
    started,
)
from tests.searching import examples

BANK: dict[str, Any] = {"turn_ms": 10_000, "row_ms": 5_000, "bank_ms": 20_000}
LOW = stacked([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], range(60, 70)], [50, 51, 52, 53])
"""Every card of seat 0 is lower than every row."""


def banks(game: Game) -> list[int]:
    return [seat.bank_ms for seat in game.taken]


def deadlines(game: Game) -> list[tuple[int, float | None, float | None]]:
    """Who owes something, until when, and from when on out of the bank; in seconds after the start."""
    return [(one.seat, seconds(one.deadline), seconds(one.bank_from)) for one in open_decisions(game)]


def seconds(moment: Millis | None) -> float | None:
    return None if moment is None else (moment - START) / 1000


def test_every_seat_begins_with_a_full_bank_and_a_house_bot_needs_none() -> None:
    game = started(2, pace=BANK)
    assert banks(game) == [20_000, 20_000]
    game = after(lobby(3, pace=BANK), c.JoinSeat("p0", "a", "human", 0), c.SeatBot("p0", 1, "random"))
    game = after(game, c.JoinSeat("p2", "c", "bot", 2, accept_bots=True), c.StartGame("p0"))
    assert banks(game) == [20_000, 0, 20_000]


def test_time_beyond_the_limit_is_taken_from_the_bank_of_who_took_it() -> None:
    game = started(2, pace=BANK)
    assert deadlines(game) == [(0, 30.0, 10.0), (1, 30.0, 10.0)]
    game = after(game, lay(game, 0, game.hands[0][0]), seconds=9.9)
    game = after(game, lay(game, 1, game.hands[1][0]), seconds=16.5)
    assert banks(game) == [20_000, 13_500]
    assert view(game, 0, "")["seats"][1]["bank_ms"] == 13_500
    game = after(game, c.Advance(), seconds=16.5)
    owed = {seat: deadline for seat, deadline, _ in deadlines(game)}
    if game.phase == "lay_card":
        assert owed == {0: 46.5, 1: 40.0}


def test_a_seat_is_late_when_its_bank_is_empty_and_not_before() -> None:
    game = started(2, pace=BANK)
    game = after(game, lay(game, 0, game.hands[0][0]), seconds=1)
    assert next_deadline(game) == later(30)
    assert decide(game, c.Expire(), context(seconds=29.999)) == ()
    expired = after(game, c.Expire(), seconds=30)
    assert banks(expired) == [20_000, 0]
    assert expired.taken[1].timeouts == 1


def test_each_seat_is_late_at_its_own_moment() -> None:
    high = stacked(
        [[60, 61, *range(1, 9)], [62, 63, *range(11, 19)], [64, 65, *range(21, 29)]], [50, 51, 52, 53]
    )
    game = started(3, high, pace=BANK, auto_last_card=False)
    game = after(game, lay(game, 0, 60), chance=high, seconds=30)
    game = after(game, lay(game, 1, 62), lay(game, 2, 64), c.Advance(), chance=high, seconds=20)
    assert banks(game) == [0, 10_000, 10_000]
    assert deadlines(game) == [(0, 30.0, None), (1, 40.0, 30.0), (2, 40.0, 30.0)]
    late = after(game, c.Expire(), chance=high, seconds=30)
    assert [seat.timeouts for seat in late.taken] == [1, 0, 0]
    assert next_deadline(late) == later(40)


def test_a_row_choice_takes_from_the_bank_like_a_card() -> None:
    game = started(2, LOW, pace=BANK)
    game = after(game, lay(game, 0, 1), lay(game, 1, 60), c.Advance(), chance=LOW)
    assert deadlines(game) == [(0, 25.0, 5.0)]
    chosen = after(game, c.ChooseRow(0, 1, 1, 0), chance=LOW, seconds=7)
    assert banks(chosen) == [18_000, 20_000]
    late = after(game, c.Expire(), chance=LOW, seconds=25)
    assert banks(late) == [0, 20_000]


def test_a_pick_of_the_draft_takes_from_the_bank_like_a_card() -> None:
    game = started(2, ruleset="pro", pace=BANK)
    picked = after(game, c.Pick(0, 1, 1, game.pool[0]), seconds=11)
    assert banks(picked) == [19_000, 20_000]
    late = after(picked, c.Expire(), seconds=41)
    assert banks(late) == [19_000, 0]


def test_a_card_that_is_changed_takes_nothing_more() -> None:
    game = started(2, pace=BANK, recommit=True)
    game = after(game, lay(game, 0, game.hands[0][0]), seconds=12)
    assert banks(game) == [18_000, 20_000]
    game = after(game, lay(game, 0, game.hands[0][1]), seconds=19)
    assert banks(game) == [18_000, 20_000]


def test_no_time_runs_while_the_game_is_paused() -> None:
    game = started(2, pace=BANK)
    game = after(game, c.OpenVote("p0", "pause"), c.CastBallot("p1", 1, "yes"), seconds=13)
    assert next_deadline(game) == later(13 + 24 * 3600)
    game = after(game, c.OpenVote("p0", "resume"), c.CastBallot("p1", 2, "yes"), seconds=1000)
    game = after(game, lay(game, 0, game.hands[0][0]), seconds=1001)
    assert banks(game) == [16_000, 20_000]


def test_an_absent_seat_is_not_waited_for_out_of_its_bank() -> None:
    game = started(2, pace=BANK)
    game = after(game, c.GoAway("p0"))
    assert deadlines(game) == [(0, 10.0, None), (1, 30.0, 10.0)]
    game = after(game, c.Expire(), seconds=10)
    assert banks(game) == [20_000, 20_000]
    assert [laid is not None for laid in game.laid] == [True, False]


def test_who_returns_with_an_answer_has_its_bank_again() -> None:
    game = started(2, pace=BANK)
    game = after(game, c.GoAway("p0"))
    game = after(game, lay(game, 0, game.hands[0][0]), seconds=12)
    assert banks(game) == [18_000, 20_000]


def test_whoever_gives_the_seat_up_leaves_no_bank_to_the_house_bot() -> None:
    game = after(started(3, pace=BANK), c.Resign("p1"))
    assert banks(game) == [20_000, 0, 20_000]


def test_a_bank_without_any_limit_is_refused_naming_both() -> None:
    asked = {"ruleset": "classic", "seats": 2, "pace": {"turn_ms": None, "row_ms": None, "bank_ms": 1}}
    with pytest.raises(Refusal) as refusal:
        resolve(asked)
    assert (refusal.value.code, refusal.value.pointers) == ("bad_options", ("/pace/bank_ms", "/pace/turn_ms"))
    assert resolve(asked | {"pace": {"turn_ms": None, "row_ms": 500, "bank_ms": 1}}).pace.bank_ms == 1


LATE = logged(played(5, 3, end={"rounds": 1}, pace={"turn_ms": 1_500, "row_ms": 500, "bank_ms": 9_000}))
"""A whole game of one round in which somebody answers every second, so that most are late at times."""


def answers(log: list[Envelope], kind: str = "card.laid") -> list[Envelope]:
    """The answers of a log that took something from a bank."""
    return [one for one in log if one["type"] == kind and one["data"]["bank_used_ms"]]


def altered(seq: int, at: Millis | None = None, **changes: Any) -> Report:
    """What is said of the log, written anew with one event changed."""
    told = moments(LATE)
    event, moment = told[seq - 1]
    told[seq - 1] = replace(event, **changes), moment if at is None else at
    return verify_log(retold(told))


def test_what_was_used_follows_from_the_log_and_is_verified() -> None:
    assert verify_log(LATE).outcome == "ok"
    assert answers(LATE)
    assert answers(LATE, "row.chosen")
    used = sum(one["data"].get("bank_used_ms", 0) for one in LATE)
    assert used == 27_000 - sum(banks(fold_log(LATE).game))


@pytest.mark.parametrize("kind", ["card.laid", "row.chosen"])
@pytest.mark.parametrize("more", [1, -1, 1_000_000])
def test_a_bank_that_was_used_otherwise_is_seen(kind: str, more: int) -> None:
    late = answers(LATE, kind)[0]
    report = altered(late["seq"], bank_used_ms=late["data"]["bank_used_ms"] + more)
    assert found(report) == {"rules": late["seq"]}


def test_somebody_who_is_played_for_before_its_bank_is_empty_is_seen() -> None:
    late = answers(LATE)[0]
    assert found(altered(late["seq"], by=e.By("timeout", late["data"]["seat"])))["rules"] == late["seq"]


def test_an_event_that_is_earlier_than_the_one_before_it_is_seen() -> None:
    seq = answers(LATE)[0]["seq"]
    report = altered(seq, moments(LATE)[seq - 2][1] - 1)
    (rules,) = [check for check in report.checks if check.outcome == "failed"]
    assert (rules.name, rules.detail) == ("rules", f"Event {seq} is earlier than the one before it.")


def test_a_compact_replay_knows_the_banks() -> None:
    replay = read(json.loads(json.dumps(compact(LATE))))
    assert replay.started
    rebuilt = [view(step.game, 0, "") for step in rebuild(replay)]
    assert rebuilt == [view(step.game, 0, "") for step in steps(LATE)][replay.started - 1 :]
    assert any(seat["bank_ms"] < 9_000 for seat in rebuilt[-1]["seats"])


def test_what_is_a_moment_late_has_its_grace() -> None:
    game = started(2, pace="blitz")
    assert next_deadline(game, 250) == later(15.25)
    assert decide(game, c.Expire(250), context(seconds=15.249)) == ()
    in_time = after(game, lay(game, 0, game.hands[0][0]), seconds=15.249)
    expired = after(in_time, c.Expire(250), seconds=15.25)
    assert [seat.timeouts for seat in expired.taken] == [0, 1]


def test_a_ballot_has_its_grace_and_what_nobody_can_answer_has_none() -> None:
    game = after(started(2, pace="blitz"), c.OpenVote("p0", "pause"))
    assert next_deadline(after(game, c.CastBallot("p1", 1, "no")), 250) == later(15.25)
    assert decide(started(2, pace="untimed"), c.Expire(250), context(seconds=9e6)) == ()
    slow = after(started(2, pace="slow"), c.OpenVote("p0", "pause"))
    closes = 24 * 3600
    assert decide(slow, c.Expire(250), context(seconds=closes + 0.249)) == ()
    types = [event.type for event in decide(slow, c.Expire(250), context(seconds=closes + 0.25))]
    assert types == ["vote.closed"]
    away = after(started(2, pace="blitz"), c.GoAway("p0"), c.GoAway("p1"), seconds=3)
    assert next_deadline(away, 250) == away.opened_at


def test_all_who_are_late_at_the_same_instant_are_played_for_together() -> None:
    game = started(10, pace="blitz")
    events = decide(game, c.Expire(), context(seconds=15))
    laid = [event for event in events if isinstance(event, e.CardLaid)]
    assert [event.seat for event in laid] == list(range(10))
    assert "turn.revealed" in [event.type for event in events]


def test_a_vote_and_a_turn_that_end_at_the_same_instant_both_end() -> None:
    game = after(started(2, pace="live"), c.OpenVote("p0", "pause"))
    assert game.vote
    assert game.vote.deadline == game.deadline
    types: list[str] = []
    while next_deadline(game) == later(60):
        game, events = act(game, c.Expire(), context(seconds=60))
        types += [event.type for event in events]
    assert types[0] == "vote.closed"
    assert types.count("card.laid") == 2


@examples(20)
@given(games(max_seats=5), st.sampled_from(list(CARD_POLICIES)))
def test_automatic_play_is_given_the_view_of_its_seat_and_nothing_else(done: list[Step], name: str) -> None:
    looked: list[View] = []
    policy = CARD_POLICIES[name]

    def look(seen: View, seed: bytes) -> Any:
        looked.append(json.loads(json.dumps(seen)))
        return policy(seen, seed)

    with pytest.MonkeyPatch.context() as patch:
        for known in list(CARD_POLICIES):
            patch.setitem(CARD_POLICIES, known, look)
        for game in [step.after for step in done[::7]]:
            for decision in open_decisions(game):
                looked.clear()
                if decision.key.kind == "card":
                    automatic.answer(game, decision, "timeout", context())
                    assert looked == [view(game, decision.seat, "")]


def test_what_automatic_play_draws_from_says_nothing_about_the_deal() -> None:
    """The seed of its chance is one way from the seed of the round."""
    seed = deals.round_seed(FAIR.master, 1, 0)
    drawn = {deals.bot_seed(seed, seat, f"t{turn}") for seat in range(10) for turn in range(1, 11)}
    assert len(drawn) == 100
    assert not {seed, deals.deck_key(seed, "g_test", 1, 0, ("", ""))} & drawn
