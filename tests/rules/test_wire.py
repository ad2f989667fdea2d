"""Values to JSON and back: everything of every game comes back equal, and what is malformed is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given, strategies as st

from engine import events as e, wire
from engine.canonical import canonical, digest
from engine.cards import Card
from engine.game import Game
from engine.log import NO_HEAD, Envelope, Position, event_of, seal
from engine.options import End, PointsEnd, RoundsEnd
from engine.outcome import Standing
from engine.players import By, Owner
from engine.resolve import resolve
from engine.times import Millis, parse, rfc3339
from tests.rules.chosen import games
from tests.rules.table import FAIR, START, Step, logged
from tests.searching import examples

OPTIONS = resolve({"seats": 3, "pace": {"turn_ms": 1000, "row_ms": None}, "end": {"rounds": 2}})

EVENTS: tuple[e.Event, ...] = (
    e.GameCreated(OPTIONS, "1.0", "take5-shuffle-1", "00" * 32, "p0", By("player")),
    e.GameCreated(
        OPTIONS, "1.0", "take5-shuffle-1", "00" * 32, "p0", By("player"), "g_past", ("p0", None, "p2"), START
    ),
    e.GameChanged(resolve({"seats": 2}), By("host")),
    e.SeatJoined(1, None, "house random 1", "house", "random", "", By("host")),
    e.SeatJoined(1, "p2", "max", "bot", None, "", By("host"), Owner("p0", "ada"), accepts_bots=False),
    e.SeatUpdated(0, ready=True, client_seed="ab", by=By("player", 0)),
    e.SeatLeft(1, "p0", By("host")),
    e.GameStarted(("p0", None), ("ab", ""), By("host")),
    e.RoundStarted(1, 0, "11" * 32, 1, 104),
    e.RoundStarted(1, 0, "11" * 32, 1, 104, "open"),
    e.RoundDealt(0, ((1,), (2,), (3,), (4,)), 2, ((5, 6), (7, 8))),
    e.DraftOpened((1, 2, 3), (1, 0), START),
    e.DraftPlanned(1, (3, 1), By("player", 1)),
    e.DraftPicked(1, 3, None, By("player", 1)),
    e.DraftClosed(((1, 2), (3, 4)), ((5,), (6,), (7,), (8,))),
    e.TurnOpened(1, None),
    e.TurnOpened(2, START),
    e.SeatCalled(1, START),
    e.CardLaid(0, "J4", By("timeout", 0)),
    e.CardLaid(0, 4, By("player", 0), "fewest_bullheads"),
    e.CardLaid(0, 4, By("player", 0), table="open"),
    e.TurnRevealed((e.Play(0, 5), e.Play(1, 7)), (e.Opening(9, "s0", "aa", e.CardPart(5)),)),
    e.RowRequested(0, 1, "too_low", (("take",), ("append", "take")), START),
    e.RowChosen(0, 3, "take", By("player", 0)),
    e.CardExplained(0, 1, "too_low", (), None, "1 is lower than every row end."),
    e.CardExplained(0, 9, "row_full", (0, 2), 2, "That row is full."),
    e.CardPlaced(0, 1, 3, 0, "too_low", (55, 66), 12),
    e.TurnClosed(((1,), (2,), (3,), (4,)), (1, 2), (3, 4)),
    e.RoundScored(((1,), ()), (1, 0), (4, 4)),
    e.RoundRevealed(b"\1\2", (1, 2, 3), (3,), (e.Opening(8, "s0", "aa", e.HandPart((5, 6))),)),
    e.RoundRevealed(None, None, None, ()),
    e.RoundRevealed(b"\1", None, None, (e.Opening(8, "s0", "aa", e.PlanPart((5, 6))),)),
    e.RoundRevealed(b"\1", None, None, (e.Opening(8, "s0", "aa", e.CardAheadPart(5, "fewest_bullheads")),)),
    e.RoundVoided(1, By("vote")),
    e.SeatAway(0, "timeouts", By("timeout", 0)),
    e.SeatReturned(0, By("player", 0)),
    e.SeatResigned(0, "lowest_risk", By("player", 0)),
    e.SeatReplaced(1, "lowest_risk", 3, By("vote")),
    e.VoteOpened(3, "replace", 0, 1, START, By("player", 0)),
    e.VoteCast(3, 0, "yes", By("player", 0)),
    e.VoteClosed(3, "replace", True, "all_yes", START, By("vote")),
    e.GamePaused(4, START, By("vote")),
    e.GameResumed(By("timeout")),
    e.GameFinished("points", (Standing(0, 1, 3, winner=True),), lowest_wins=True),
    e.GameAbandoned("host_closed", By("host")),
    e.GameSealed(b"\0" * 32, 41, NO_HEAD),
)
"""One event of every type, or more where a field may be empty."""


def sealed(event: e.Event) -> Envelope:
    """The event as it would stand first in a log, through JSON."""
    (envelope,) = seal(Position("g_test"), (event,), START, FAIR)
    read: Envelope = json.loads(json.dumps(envelope))
    return read


def test_there_is_an_event_of_every_type_here() -> None:
    assert {event.type for event in EVENTS} == e.EVENTS.keys()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_every_event_comes_back_equal_from_its_envelope(event: e.Event) -> None:
    envelope = sealed(event)
    # The head in the seal is that of the log it closes.
    assert event_of(envelope) == event


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_an_event_says_in_public_what_it_does_not_seal(event: e.Event) -> None:
    envelope = sealed(event)
    parts = e.sealed_parts(event)
    assert envelope["sealed"].keys() == envelope["open"].keys() == parts.keys()
    assert (event.type in e.SEALED_FIELDS) is bool(parts)
    assert not {*e.SEALED_FIELDS.get(event.type, ())} & envelope["data"].keys()
    assert "by" not in envelope["data"]


@examples(10)
@given(games())
def test_every_game_comes_back_equal(done: list[Step]) -> None:
    for step in done:
        written = json.loads(json.dumps(wire.write(Game, step.after)))
        assert wire.read(Game, written) == step.after


@examples(10)
@given(games())
def test_every_event_of_a_game_comes_back_equal(done: list[Step]) -> None:
    happened = [event for step in done for event in step.events]
    read = [event_of(json.loads(json.dumps(envelope))) for envelope in logged(done)[-len(happened) :]]
    assert read[:-1] == happened[:-1]
    last = read[-1]
    assert isinstance(last, e.GameSealed)
    assert last.master == FAIR.master


class Pair(NamedTuple):
    """Values of every kind of hint, one after the other."""

    card: Card
    at: Millis | None = None
    data: bytes = b""


@dataclass(frozen=True)
class Whole:
    """One field a kind of hint."""

    number: int
    flag: bool
    word: Literal["a", "b"]
    end: End
    pairs: tuple[Pair, ...]
    rows: tuple[tuple[Card, ...], ...] | None


WHOLE = Whole(1, True, "a", RoundsEnd(2), (Pair("J0", START, b"\xff"), Pair(7)), ((1, "J2"), ()))
WRITTEN = {
    "number": 1,
    "flag": True,
    "word": "a",
    "end": {"rounds": 2},
    "pairs": [
        {"card": "J0", "at": "2026-01-01T12:00:00.000Z", "data": "ff"},
        {"card": 7, "at": None, "data": ""},
    ],
    "rows": [[1, "J2"], []],
}


def test_every_kind_of_value_has_its_json_form() -> None:
    assert wire.write(Whole, WHOLE) == WRITTEN
    assert wire.read(Whole, WRITTEN) == WHOLE
    assert wire.read(Whole, WRITTEN | {"rows": None}).rows is None
    assert wire.read(Whole, WRITTEN | {"pairs": [{"card": 7}]}).pairs == (Pair(7),)
    points = WRITTEN | {"end": {"points": 66, "when": "reached"}}
    assert wire.read(Whole, points).end == PointsEnd(66, "reached")


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": 1.0},
        {"number": True},
        {"number": "1"},
        {"number": None},
        {"flag": 1},
        {"word": "c"},
        {"word": ["a"]},
        {"end": {}},
        {"end": {"rounds": 2, "points": 3}},
        {"end": []},
        {"pairs": {}},
        {"pairs": [{}]},
        {"pairs": [{"card": 105}]},
        {"pairs": [{"card": True}]},
        {"pairs": [{"card": 1, "at": "2026-01-01T12:00:00Z"}]},
        {"pairs": [{"card": 1, "at": 5}]},
        {"pairs": [{"card": 1, "data": "f"}]},
        {"pairs": [{"card": 1, "data": 5}]},
        {"rows": [1]},
        {"rows": 5},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_of_another_type_is_malformed(wrong: dict[str, Any]) -> None:
    with pytest.raises(wire.MalformedError):
        wire.read(Whole, WRITTEN | wrong)


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_what_is_missing_is_malformed(name: str) -> None:
    with pytest.raises(wire.MalformedError, match=f"lacks {name}"):
        wire.read(Whole, {key: value for key, value in WRITTEN.items() if key != name})


def test_a_type_without_a_json_form_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="no JSON form"):
        wire.write(float, 1.0)
    with pytest.raises(TypeError, match="no JSON form"):
        wire.read(float, 1.0)


@given(st.integers(0, 253_402_300_799_999))
def test_moments_come_back_equal(moment: int) -> None:
    assert parse(rfc3339(Millis(moment))) == moment


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01T12:00:00Z",
        "2026-01-01T12:00:00.000",
        "2026-01-01T12:00:00.0000Z",
        "2026-1-1T12:00:00.000Z",
        "2026-02-30T12:00:00.000Z",
        "2026-01-01 12:00:00.000Z",
        "now",
    ],
)
def test_a_moment_in_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"RFC 3339|does not match|out of range|must be in"):
        parse(text)


def test_the_canonical_form_is_sorted_short_and_whole() -> None:
    assert canonical({"b": [1, None, True], "a": "é\n"}) == '{"a":"é\\n","b":[1,null,true]}'.encode()
    assert digest([]) == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    with pytest.raises(UnicodeEncodeError):
        canonical("\ud800")
