"""No value of a log can be altered unseen, but to what would be another honest game: the head is what tells these apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from engine import commands as c
from engine.decisions import Key
from engine.events import EVENTS
from engine.log import Envelope
from engine.times import Millis, parse, rfc3339
from engine.verify import verify_log
from tests.rules.alterations import Alteration, Path, alterations, altered, leaves, name_of
from tests.rules.chosen import games
from tests.rules.retold import first_of, found, moments, retold, told
from tests.rules.table import Step, after, lobby, logged, played
from tests.searching import examples


def story() -> list[Envelope]:
    """A whole game with an event of every type but game.abandoned, and answers of all kinds: in time, late, by policy."""
    told_so_far: list[tuple[float, c.Command]] = []
    game = lobby()

    def happens(seconds: float, *commands: c.Command) -> None:
        nonlocal game
        told_so_far.extend((seconds, command) for command in commands)
        game = after(game, *commands, seconds=seconds)

    agreed = {"seats": 3, "end": {"rounds": 1}, "pace": {"turn_ms": 5000, "row_ms": None}}
    happens(1, c.JoinSeat("p0", "ada", "human", client_seed="ab" * 16))
    happens(2, c.SeatBot("p0", 1, "random"))
    happens(3, c.RemoveBot("p0", 1))
    happens(4, c.JoinSeat("p1", "bob", "bot", accept_bots=True))
    happens(5, c.LeaveSeat("p1"))
    happens(6, c.ChangeOptions("p0", agreed))
    happens(7, c.JoinSeat("p2", "eve", "bot", 2, accept_bots=True))
    happens(8, c.SeatBot("p0", 1, "lowest_risk"))
    happens(9, c.ChangeSeat("p0", client_seed="cd"))
    seconds = 10
    happens(seconds, c.StartGame("p0"))
    while game.status == "playing":
        seconds += 10
        number, turn = game.round, game.turn
        if game.request:
            happens(seconds, c.ChooseRow(game.request.seat, number, turn, turn % 4), c.Advance())
            continue
        own = [c.LayCard(seat, number, turn, game.hands[seat][0]) for seat in range(3) if (turn + seat) % 3]
        happens(seconds - 9, *own)
        happens(seconds - 8, c.PlayFor(Key(number, 0, turn, 1, "card")))
        happens(seconds, c.Expire(), c.Advance())
    return told(told_so_far)


MOMENTS: Final = {
    (kind, "at")
    for kind in (
        "game.created",
        "game.changed",
        "seat.joined",
        "seat.updated",
        "seat.left",
        "card.laid",
        "row.chosen",
        "draft.planned",
        "draft.picked",
        "vote.cast",
        "game.resumed",
        "seat.away",
        "seat.returned",
        "seat.resigned",
    )
}
"""Somebody may have acted a little earlier or later, in the same order."""

OPTIONS: Final = {
    (kind, f"data.options.{name}")
    for kind in ("game.created", "game.changed")
    for name in (
        *("ruleset", "end.points", "end.when", "pace.name", "on_timeout", "recommit"),
        *(
            "auto_last_card",
            "reveal",
            "visibility",
            "spectators",
            "row_policy",
            "away_after_timeouts",
            "votes",
        ),
        *("first_drafter", "rotate_drafter", "learning_rounds", "learning_only"),
        *("pace.draft_ms", "pace.bank_ms"),
    )
}
"""The table may have agreed on something else that never came to matter; a default may be left out."""

LEFT_OUT: Final = {
    ("game.created", "data.kept_until"),
    ("game.created", "data.rematch_of"),
    ("round.started", "data.table"),
    ("round.dealt", "data.table"),
    ("card.laid", "data.table"),
    ("card.laid", "data.bank_used_ms"),
    ("row.chosen", "data.bank_used_ms"),
    ("draft.picked", "data.bank_used_ms"),
    ("seat.joined", "data.owner"),
    ("seat.joined", "data.accepts_bots"),
    ("seat.updated", "data.accepts_bots"),
}
"""What was added to the log since its first version may be left out where it holds its default, as in an old log."""

PEOPLE: Final = {("game.created", "data.host"), ("seat.joined", "data.name")}
"""Somebody else may have been there: nothing later tells who."""

BOTS: Final = {("seat.joined", "by"), ("seat.left", "by")}
"""A player's bot may have come and gone by itself, or by its host's wish."""

WISHES: Final = {
    (kind, f"open.s{seat}.data.{wish}")
    for kind, wish in (("draft.planned", "plan"), ("card.laid", "if_low"))
    for seat in range(10)
}
"""What a seat wanted, should it come to that, may have been something else where it never came to that."""

ANSWERS: Final = {("card.laid", "by"), ("row.chosen", "by"), ("draft.picked", "by")}
"""The holder of a seat may have answered where the service did, and the service where it was allowed to."""

LOGS: Final = {
    "a game": story(),
    "a lobby": told([(1, c.JoinSeat("p0", "ada", "human")), (2, c.CloseLobby("p0"))]),
}
ALWAYS: Final = MOMENTS | OPTIONS | LEFT_OUT | PEOPLE | BOTS | WISHES | ANSWERS
NOT_FOUND: Final = {
    "a game": ALWAYS
    | {
        ("game.created", "data.options.seats"),  # they were changed later
        ("seat.joined", "data.player"),  # of somebody who has left again
        ("seat.joined", "data.client_seed"),  # which was changed later
        ("seat.updated", "data.ready"),
    },
    "a lobby": ALWAYS
    | {
        ("game.created", "data.options.seats"),
        ("seat.joined", "data.player"),
        ("seat.joined", "data.client_seed"),
    },
}
"""What may be altered in each log, by type and path."""


def kinds(log: list[Envelope]) -> dict[tuple[str, ...], tuple[int, Path]]:
    """A leaf of every kind: the last of that type and path; of `by`, the last for everybody who caused something."""
    return {
        (envelope["type"], name_of(path), envelope["by"]["kind"] if path[0] == "by" else ""): (place, path)
        for place, envelope in enumerate(log)
        for path in leaves(envelope)
    }


def is_found(log: list[Envelope], alteration: Alteration) -> bool:
    return verify_log(altered(log, alteration)).outcome == "failed"


def test_the_logs_are_honest() -> None:
    assert [verify_log(log).outcome for log in LOGS.values()] == ["ok", "ok"]
    assert {envelope["type"] for log in LOGS.values() for envelope in log} <= EVENTS.keys()


@pytest.mark.parametrize(
    ("name", "kind"), sorted({(name, envelope["type"]) for name, log in LOGS.items() for envelope in log})
)
def test_no_value_can_be_altered_but_to_another_honest_game(name: str, kind: str) -> None:
    log = LOGS[name]
    not_found = {
        (kind, path_name)
        for (of_kind, path_name, _), (place, path) in kinds(log).items()
        if of_kind == kind
        for alteration in alterations(log, place, path)
        if not is_found(log, alteration)
    }
    assert not_found <= NOT_FOUND[name]


def test_no_moment_can_be_altered_out_of_order() -> None:
    log = LOGS["a game"]
    moments = [parse(envelope["at"]) for envelope in log]
    for place, moment in enumerate(moments):
        before, behind = moments[max(place - 1, 0)], moments[min(place + 1, len(log) - 1)]
        for other in {before - 1, before, moment - 1, moment + 1, behind, behind + 1} - {moment}:
            alteration = Alteration(place, ("at",), rfc3339(Millis(other)))
            is_ordered = (place == 0 or before <= other) and (place == len(log) - 1 or other <= behind)
            assert is_ordered or is_found(log, alteration), (log[place], other)


@examples(60)
@given(games(max_seats=4), st.data())
def test_no_value_of_any_game_can_be_altered_but_to_another_honest_game(
    done: list[Step], data: st.DataObject
) -> None:
    log = logged(done)
    place = data.draw(st.integers(0, len(log) - 1))
    path = data.draw(st.sampled_from(list(leaves(log[place]))))
    for alteration in alterations(log, place, path):
        may_be = (log[place]["type"], name_of(path)) in ALWAYS or is_taken_back(log, place)
        assert may_be or is_found(log, alteration), alteration


@pytest.mark.parametrize("seats", [0, 1, 11, 1000])
def test_a_start_with_as_many_players_as_no_table_has_is_found(seats: int) -> None:
    log = logged(played(5, 3, ruleset="tactics", end={"rounds": 1}))
    seq, events = first_of(log, "game.started"), moments(log)
    started: Any = events[seq - 1][0]
    forged = replace(started, players=("p0",) * seats, client_seeds=("",) * seats)
    events[seq - 1] = forged, events[seq - 1][1]
    assert found(verify_log(retold(events)))["rules"] == seq


def is_taken_back(log: list[Envelope], place: int) -> bool:
    """Whether it is a laid card that was never turned up: another was laid instead, or the round was dealt anew."""
    turned_up = {
        opening["seq"]
        for envelope in log
        if envelope["type"] == "turn.revealed"
        for opening in envelope["data"]["openings"]
    }
    return log[place]["type"] == "card.laid" and log[place]["seq"] not in turned_up
