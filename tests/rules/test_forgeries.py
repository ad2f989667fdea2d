"""Logs that lie, written anew with all their hashes: what was not played by the rules, or not dealt from the seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from engine import events as e
from engine.deals import FairShuffle
from engine.files import events_file
from engine.log import Envelope, redact
from engine.options import Pace
from engine.players import By, Owner
from engine.resolve import resolve
from engine.times import Millis
from engine.verify import verify, verify_log
from tests.rules.retold import check_of, first_of, found, moments, rechained, retold
from tests.rules.table import START, logged, played

LOG: Final = logged(played(5, 3, end={"rounds": 1}))
"""A whole game of one round."""


def altered(name: str, /, **changes: Any) -> tuple[int, list[Envelope]]:
    """The seq of an event, and the log written anew with some fields of it changed."""
    seq, events = first_of(LOG, name), moments(LOG)
    event, at = events[seq - 1]
    events[seq - 1] = replace(event, **changes), at
    return seq, retold(events)


def event_at(seq: int) -> Any:
    return moments(LOG)[seq - 1][0]


def test_a_log_that_was_written_anew_as_it_was_verifies() -> None:
    assert retold(moments(LOG)) == LOG
    assert rechained(LOG, lambda log: None) == LOG


LAID: Final = next(event for event, _ in moments(LOG) if isinstance(event, e.CardLaid))
OTHER: Final = (LAID.seat + 1) % 3
CUSTOM: Final = replace(resolve({"seats": 3}), pace=Pace("custom", 1, None))

LIES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "an engine that is not known": ("game.created", {"engine": "0.9"}),
    "a shuffle that is not known": ("game.created", {"shuffle": "dealt-by-hand"}),
    "created by nobody": ("game.created", {"by": By("system")}),
    "a rule set that is not known": ("game.created", {"options": replace(CUSTOM, ruleset="chess")}),
    "eleven seats": ("game.created", {"options": replace(CUSTOM, seats=11)}),
    "a pace that is out of bounds": ("game.created", {"options": CUSTOM}),
    "a pace that is not the one of its name": (
        "game.created",
        {"options": replace(CUSTOM, pace=Pace("blitz", 1, None))},
    ),
    "a seat that is not there": ("seat.joined", {"seat": 3}),
    "a seat below zero": ("seat.joined", {"seat": -1}),
    "a house bot in a player's name": ("seat.joined", {"kind": "house"}),
    "a house bot without a level": ("seat.joined", {"player": None, "kind": "house"}),
    "a person who sits down as a bot": ("seat.joined", {"kind": "bot"}),
    "a person who is somebody's": ("seat.joined", {"owner": Owner("p7", "mallory")}),
    "a person whom the host seats": ("seat.joined", {"by": By("host")}),
    "a client seed that is none": ("seat.joined", {"client_seed": "xyz"}),
    "players who are not there": ("game.started", {"players": ("p9", "p1", "p2")}),
    "a start by a player": ("game.started", {"by": By("player", 0)}),
    "another number of the round": ("round.started", {"round": 2}),
    "another attempt": ("round.dealt", {"attempt": 1}),
    "a turn left out": ("turn.opened", {"turn": 2}),
    "a deadline": ("turn.opened", {"deadline": Millis(START + 1)}),
    "a card that is not in the hand": ("card.laid", {"card": 104}),
    "a seat that lays for another": ("card.laid", {"seat": OTHER}),
    "a house bot that is a person": ("card.laid", {"by": By("house", LAID.seat)}),
    "another seat's answer": ("card.laid", {"by": By("player", OTHER)}),
    "an answer for a seat that has time": ("card.laid", {"by": By("timeout", LAID.seat)}),
    "an answer for a person by policy": ("card.laid", {"by": By("policy", LAID.seat)}),
    "an answer for another seat": ("card.laid", {"by": By("timeout", OTHER)}),
    "another row": ("card.placed", {"row": 0, "position": 0, "captured": ()}),
    "another price": ("card.placed", {"bullheads": 27}),
    "rows that differ": ("turn.closed", {"rows": ((1,), (2,), (3,), (4,))}),
    "a total that differs": ("round.scored", {"total_bullheads": (0, 0, 0)}),
    "a winner who has not won": ("game.finished", {"lowest_wins": False}),
    "a count that differs": ("game.sealed", {"events": 5}),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_against_the_rules_is_found_where_it_stands(name: str) -> None:
    kind, changes = LIES[name]
    seq, log = altered(kind, **changes)
    report = verify(events_file(log))
    assert found(report)["rules"] == seq
    assert not {"file", "chain"} & found(report).keys()


def test_a_row_that_nobody_may_choose_is_found() -> None:
    for changes in ({"row": 4}, {"row": -1}, {"mode": "append"}, {"seat": 9}, {"by": By("timeout", 0)}):
        seq, log = altered("row.chosen", **changes)
        assert found(verify_log(log)) == {"rules": seq}


def test_an_event_out_of_nothing_is_found() -> None:
    dealt = first_of(LOG, "round.dealt")
    lies: list[tuple[int, e.Event]] = [
        (2, e.SeatUpdated(2, ready=True, client_seed="", by=By("player", 2))),
        (2, e.SeatUpdated(-1, ready=True, client_seed="", by=By("player", 0))),
        (2, e.SeatUpdated(0, ready=False, client_seed="", by=By("player", 0))),
        (
            2,
            e.SeatJoined(
                1, None, "house random 1", "house", "random", "", By("host"), None, accepts_bots=False
            ),
        ),
        (2, e.SeatLeft(2, "p0", By("player", 2))),
        (2, e.SeatLeft(0, "p1", By("player", 0))),
        (2, e.SeatLeft(0, "p0", By("host"))),
        (2, e.GameChanged(replace(CUSTOM, seats=11), By("host"))),
        (2, e.GameChanged(event_at(1).options, By("host"))),
        (2, e.GameStarted(("p0",), ("",), By("host"))),
        (2, e.TurnClosed((), (), ())),
        (dealt, e.TurnClosed((), (), ())),
        (dealt + 1, e.GameAbandoned("host_closed", By("host"))),
        (dealt + 1, e.SeatJoined(0, "p7", "mallory", "human", None, "", By("player", 0))),
        (3, event_at(1)),
    ]
    for after_seq, lie in lies:
        events = moments(LOG)
        events.insert(after_seq, (lie, events[after_seq - 1][1]))
        assert found(verify_log(retold(events)))["rules"] == after_seq + 1, lie


def test_an_event_that_was_left_out_is_found() -> None:
    kinds = ("turn.opened", "turn.revealed", "card.placed", "turn.closed", "round.scored", "game.finished")
    for kind in (*kinds, "card.laid"):
        seq, events = first_of(LOG, kind), moments(LOG)
        del events[seq - 1]
        missed = first_of(LOG, "turn.revealed") - 1 if kind == "card.laid" else seq
        assert found(verify_log(retold(events)))["rules"] == missed


def test_the_beginning_cannot_be_left_out() -> None:
    report = verify_log(retold(moments(LOG)[1:]))
    assert check_of(report, "rules").detail == "A log begins with game.created."


def test_events_of_one_command_have_one_moment() -> None:
    events, seq = moments(LOG), first_of(LOG, "round.dealt")
    events[seq - 1] = events[seq - 1][0], Millis(START + 1)
    assert found(verify_log(retold(events))) == {"rules": seq}


def test_an_event_in_another_round_or_turn_is_found() -> None:
    for place, field in ((0, "round"), (0, "turn"), (9, "round"), (9, "turn")):
        log = rechained(LOG, lambda log, place=place, field=field: log[place].update({field: 7}))  # type: ignore[misc]  # mypy infers no default of a lambda
        assert found(verify_log(log)) == {"rules": place + 1}


def test_secrets_that_were_not_committed_to_are_found() -> None:
    lies: list[tuple[str, dict[str, Any], set[str]]] = [
        ("game.created", {"seed_commit": "0" * 64}, {"commitments"}),
        ("round.started", {"round_commit": "0" * 64}, {"commitments", "rules"}),
        ("round.revealed", {"round_seed": bytes(32)}, {"commitments", "rules"}),
    ]
    for kind, changes, checks in lies:
        seq, log = altered(kind, **changes)
        assert found(verify_log(log)) == dict.fromkeys(checks, seq)
    _, log = altered("game.sealed", master=bytes(32))
    assert found(verify_log(log))["commitments"] == 1


def test_salts_that_are_not_from_the_master_are_found() -> None:
    log = retold(moments(LOG), FairShuffle(bytes(32)))
    assert found(verify_log(log))["commitments"] == first_of(LOG, "round.dealt")


def test_another_deal_than_the_seed_s_is_found() -> None:
    dealt = event_at(first_of(LOG, "round.dealt"))
    revealed = event_at(first_of(LOG, "round.revealed"))
    lies: list[tuple[str, dict[str, Any]]] = [
        ("round.dealt", {"rows": dealt.rows[::-1]}),
        ("round.dealt", {"hands": dealt.hands[::-1]}),
        ("round.revealed", {"deck": revealed.deck[::-1]}),
        ("round.revealed", {"stock": revealed.stock[::-1]}),
        ("round.revealed", {"stock": None}),
    ]
    for kind, changes in lies:
        seq, log = altered(kind, **changes)
        assert found(verify_log(log))["deals"] == seq
        assert found(verify_log(log[: first_of(LOG, "game.finished")]))["deals"] == seq


def test_a_deck_of_any_size_is_no_trouble() -> None:
    for high in (10**15, -5, 0):
        seq, log = altered("round.started", high=high)
        assert found(verify_log(log))["rules"] == seq


def test_a_seed_that_was_not_committed_to_is_found_while_the_game_goes_on() -> None:
    seq, log = altered("round.revealed", round_seed=bytes(32))
    assert found(verify_log(redact(log[:seq], None)))["commitments"] == seq


def test_nothing_comes_after_the_seal() -> None:
    events = moments(LOG)
    for last in (events[-1], events[-3]):
        report = verify_log(retold([*events, last]))
        assert found(report)["seal"] == len(LOG) + 1
        assert report.outcome == "failed"


def test_a_game_that_is_played_may_lack_an_event_without_any_trouble() -> None:
    log = redact(logged(played(5, 3, end={"rounds": 2}))[:140], None)
    for place in range(0, 130, 3):
        report = verify_log([*log[:place], *log[place + 1 :]])
        assert found(report)["chain"] == place + 1


def test_a_log_without_its_seal_was_cut_short() -> None:
    report = verify_log(LOG[:-1])
    assert found(report) == {"seal": len(LOG)}
    assert "something follows at once" in check_of(report, "seal").detail
