"""Verification of whole logs: every honest one passes, whatever stage its game is at."""

from __future__ import annotations

from typing import Final

from hypothesis import given, strategies as st

from engine import commands as c
from engine.checks import _IN_THE_MIDST
from engine.decisions import Key
from engine.files import events_file
from engine.log import Envelope, redact
from engine.players import Owner
from engine.verify import verify, verify_log
from tests.rules.alterations import reseal
from tests.rules.chosen import games
from tests.rules.retold import check_of, first_of, found, told
from tests.rules.table import Step, after, lobby, logged, played, started
from tests.searching import examples


@examples(20)
@given(games())
def test_every_whole_game_verifies(done: list[Step]) -> None:
    log = logged(done)
    report = verify(events_file(log))
    assert [check.outcome for check in report.checks] == ["ok"] * 7
    assert (report.outcome, report.game, report.events) == ("ok", "g_test", len(log))
    assert report.head == log[-1]["hash"]
    assert verify_log(log).outcome == "ok"


@examples(10)
@given(games(max_seats=5), st.sampled_from([None, 0, 1]))
def test_a_game_that_is_played_is_pending_whoever_reads_it(done: list[Step], seat: int | None) -> None:
    log = logged(done)
    for step in done[:-1:9]:
        report = verify_log(redact(log[: step.after.seq], seat))
        assert (report.outcome, found(report)) == ("pending", {})
        assert check_of(report, "seal").outcome == "pending"


def test_rounds_that_are_over_are_checked_while_the_game_goes_on() -> None:
    log = logged(played(5, 3, end={"rounds": 3}))
    second = first_of(log, "turn.opened", 15)
    report = verify(events_file(redact(log[:second], None)))
    again = first_of(log, "round.started", 2)
    assert check_of(report, "deals").seq == again
    assert check_of(report, "rules").seq == again
    assert check_of(report, "digests").seq == again + 1
    assert (check_of(report, "file").outcome, check_of(report, "chain").outcome) == ("ok", "ok")


def test_hands_that_stay_shut_until_the_end_keep_their_rounds_pending() -> None:
    log = logged(played(5, 3, end={"rounds": 2}, reveal="game"))
    report = verify_log(redact(log[: first_of(log, "turn.opened", 15)], None))
    assert check_of(report, "deals").seq == first_of(log, "round.started")
    assert check_of(report, "rules").seq == first_of(log, "game.started")
    assert check_of(report, "digests").seq == first_of(log, "round.dealt")


def test_a_stream_that_was_kept_as_it_came_verifies() -> None:
    done = played(5, 3, end={"rounds": 2})
    log = logged(done)[: done[-2].after.seq]
    report = verify_log([redact(log[:seq], None)[-1] for seq in range(1, len(log) + 1)])
    assert (report.outcome, found(report)) == ("pending", {})
    assert [check_of(report, name).outcome for name in ("chain", "digests")] == ["ok", "pending"]


@examples(10)
@given(games(max_seats=4))
def test_no_log_ends_in_the_midst_of_what_follows_at_once(done: list[Step]) -> None:
    log, ends = logged(done), {step.after.seq for step in done}
    cuts = {event["type"]: event["seq"] for event in log if event["type"] in MIDST}
    assert not ends & {event["seq"] for event in log if event["type"] in MIDST}
    for seq in cuts.values():
        assert found(verify_log(redact(log[:seq], None))).get("seal") == seq + 1


MIDST: Final = frozenset(kind.type for kind in _IN_THE_MIDST)


LOBBY: Final[list[tuple[float, c.Command]]] = [
    (1, c.JoinSeat("p0", "ada", "human", client_seed="ab" * 16)),
    (1.5, c.ChangeSeat("p0", accept_bots=True)),
    (2, c.SeatBot("p0", 1, "random")),
    (3, c.RemoveBot("p0", 1)),
    (4, c.JoinSeat("p1", "bob", "bot", accept_bots=True)),
    (5, c.LeaveSeat("p1")),
    (6, c.ChangeOptions("p0", {"seats": 3, "pace": {"turn_ms": 5000, "row_ms": None}})),
    (6.2, c.InviteBot("p0", 2, "p3", "cy", Owner("p9", "di"))),
    (6.4, c.RemoveBot("p0", 2)),
    (7, c.JoinSeat("p2", "eve", "bot", 2, accept_bots=True, owner=Owner("p0", "ada"))),
    (8, c.SeatBot("p0", 1, "lowest_risk")),
    (9, c.ChangeSeat("p0", client_seed="cd")),
    (10, c.ChangeSeat("p2", ready=True)),
]


def test_a_lobby_and_an_automatic_start_verify() -> None:
    log = told([*LOBBY, (11, c.ChangeSeat("p0", ready=True))])
    assert log[-1]["type"] == "turn.opened"
    report = verify(events_file(redact(log, 0)))
    assert (report.outcome, found(report)) == ("pending", {})


def test_a_lobby_that_was_closed_verifies() -> None:
    report = verify(events_file(told([*LOBBY, (11, c.CloseLobby("p0"))])))
    assert [check.outcome for check in report.checks] == ["ok"] * 7


def answered(*, by_policy: bool) -> list[Envelope]:
    """A whole game that nobody answers in time; the house bot's cards are laid by policy, if so wanted."""
    start = c.JoinSeat("p0", "ada", "human"), c.SeatBot("p0", 1, "random"), c.StartGame("p0")
    commands: list[tuple[float, c.Command]] = [(0, command) for command in start]
    game, seconds = after(lobby(end={"rounds": 1}), *start), 0
    while game.status == "playing":
        seconds += 100
        wanted: list[c.Command] = [c.Expire()]
        if by_policy and game.phase == "lay_card":
            wanted.insert(0, c.PlayFor(Key(game.round, 0, game.turn, 1, "card")))
        game = after(game, *wanted, seconds=seconds)
        commands += [(seconds, command) for command in wanted]
    return told(commands, end={"rounds": 1})


def test_automatic_answers_verify() -> None:
    for by_policy in (False, True):
        log = answered(by_policy=by_policy)
        assert log[-1]["type"] == "game.sealed"
        assert {"timeout", "policy"} <= {envelope["by"]["kind"] for envelope in log}
        assert "row.chosen" in {envelope["type"] for envelope in log}
        assert found(verify_log(log)) == {}


def test_a_card_that_was_laid_again_verifies() -> None:
    game = started(2)
    (low, high), other = game.hands[0][:2], game.hands[1][9]
    joins: list[tuple[float, c.Command]] = [
        (0, c.JoinSeat(f"p{seat}", f"name {seat}", "human", accept_bots=True)) for seat in range(2)
    ]
    lays: list[c.Command] = [
        c.LayCard(0, 1, 1, low),
        c.LayCard(1, 1, 1, other),
        c.LayCard(0, 1, 1, high),
        c.Advance(),
    ]
    log = told([*joins, (0, c.StartGame("p0")), *((1, lay) for lay in lays)], recommit=True)
    assert [envelope["type"] for envelope in log].count("card.laid") == 3
    report = verify_log(redact(log, 0))
    assert (report.outcome, found(report)) == ("pending", {})


def test_no_events_are_no_log() -> None:
    report = verify_log([])
    assert (report.outcome, report.game, report.events, report.head) == ("pending", None, 0, None)


def test_a_lobby_that_was_given_up_verifies() -> None:
    log = told([(1, c.JoinSeat("p0", "ada", "human")), (24 * 3600 + 1, c.Expire())])
    assert log[-2]["data"] == {"reason": "not_begun"}
    assert verify_log(log).outcome == "ok"
    for event in log[-2:]:
        event["at"] = log[-3]["at"]
    reseal(log, len(log) - 2)
    assert "rules" in found(verify_log(log)), "that was too early"
