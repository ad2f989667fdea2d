"""The rules accept exactly what they list: every open decision, every answer listed for it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.cards import JOKERS, Card
from engine.decide import decide
from engine.decisions import BALLOTS, Decision, Key, current_decisions, open_decisions
from engine.errors import Refusal
from engine.game import Game, Laid
from engine.options import IfLow
from engine.rows import Mode
from tests.rules.chosen import games
from tests.rules.table import START, Step, after, answers, context, laid, later, lay, stacked, started
from tests.searching import examples

MODES: tuple[Mode | None, ...] = (None, "append", "take")
AHEAD: tuple[IfLow | None, ...] = (None, "fewest_bullheads")


def imaginable(game: Game) -> Iterator[c.Command]:
    """Every answer to this turn and its neighbours that anybody could think of."""
    cards: tuple[Card, ...] = (*range(106), *JOKERS)
    for seat in range(-1, len(game.seats) + 1):
        for card in cards:
            for if_low in AHEAD:
                yield c.LayCard(seat, game.round, game.turn, card, game.attempt, if_low)
            for pick in (game.picks, game.picks + 1, game.picks + 2):
                yield c.Pick(seat, game.round, pick, card, game.attempt)
        for row in range(-1, 5):
            for mode in MODES:
                yield c.ChooseRow(seat, game.round, game.turn, row, mode, game.attempt)
        for vote in (game.votes, game.votes + 1):
            for choice in BALLOTS:
                yield c.CastBallot(f"p{seat}", vote, choice)
        for number, turn, attempt in ((0, 1, 0), (0, -1, 0), (1, -1, 0), (-1, 0, 0), (0, 0, 1)):
            moment = game.round + number, game.turn + turn
            for card in game.hands[0] if game.hands else ():
                yield c.LayCard(seat, *moment, card, game.attempt + attempt)
            yield c.ChooseRow(seat, *moment, 0, "take", game.attempt + attempt)


def is_worth_a_look(number: int, game: Game) -> bool:
    """Whether something is asked that is not asked all the time; else now and then."""
    return (bool(game.request or game.vote) and number % 3 == 0) or number % 40 == 0


def causes(game: Game, command: c.Command) -> bool:
    """Whether the command causes anything; a refusal or a repeated answer does not, but for a return."""
    try:
        caused = decide(game, command, context())
    except Refusal:
        return False
    return any(not isinstance(event, e.SeatReturned) for event in caused)


@examples(12)
@given(games(max_seats=3))
def test_what_is_accepted_is_what_is_listed(done: list[Step]) -> None:
    for game in (step.after for number, step in enumerate(done) if is_worth_a_look(number, step.after)):
        again = game.options.recommit and game.phase == "lay_card" and game.status == "playing"
        asked = [
            decision
            for decision in (current_decisions(game) if again else open_decisions(game))
            if decision.answer is None or decision.key.kind == "card"
        ]
        listed = {
            str(command)
            for decision in asked
            for command in answers(game, decision)
            if not said(decision, command)
        }
        # A number card's only mode may be left out, and on a row that is full a Joker is not appended but takes it.
        listed |= {
            str(replace(command, mode=mode))
            for decision in asked
            for command in rows(game, decision)
            for mode in also(game, command)
        }
        assert {str(command) for command in imaginable(game) if causes(game, command)} == listed


def said(decision: Decision, command: c.Command) -> bool:
    """Whether that is the answer that the seat gave already."""
    answer = decision.answer
    return (
        isinstance(answer, Laid)
        and isinstance(command, c.LayCard)
        and (answer.card, answer.if_low) == (command.card, command.if_low)
    )


def rows(game: Game, decision: Decision) -> list[c.ChooseRow]:
    """The row answers of a decision that nobody answered."""
    return [command for command in answers(game, decision) if isinstance(command, c.ChooseRow)]


def also(game: Game, command: c.ChooseRow) -> tuple[Mode | None, ...]:
    """The modes that mean the same as the one that is listed."""
    assert game.request is not None
    if game.request.why == "too_low":
        return (None,)
    return ("append",) if len(game.rows[command.row]) == game.rules.row_limit else ()


@examples(10)
@given(games(max_seats=4))
def test_an_answer_that_is_repeated_changes_nothing(done: list[Step]) -> None:
    for step in done:
        if isinstance(step.command, c.LayCard | c.ChooseRow | c.PlanPicks) and step.events:
            assert decide(step.after, step.command, context()) == ()


@examples(10)
@given(games(max_seats=4))
def test_decisions_have_keys_of_their_own_that_read_back(done: list[Step]) -> None:
    keys = [decision.key for step in done for decision in open_decisions(step.before)]
    assert [Key.parse(str(key)) for key in keys] == keys
    answered = [str(step.command) for step in done if isinstance(step.command, c.ChooseRow | c.Pick)]
    assert len(set(answered)) == len(answered)


def test_keys_are_readable() -> None:
    assert str(Key(2, 0, 5, 1, "card")) == "r2.t5.s1.card"
    assert str(Key(2, 1, 10, 9, "row")) == "r2a1.t10.s9.row"
    assert str(Key(3, 0, 13, 1, "pick")) == "r3.d13.s1.pick"
    assert str(Key(0, 0, 3, 1, "ballot")) == "v3.s1.ballot"
    assert Key.parse("r2a1.t10.s9.row") == Key(2, 1, 10, 9, "row")
    assert Key.parse("r3a2.d100.s1.pick") == Key(3, 2, 100, 1, "pick")
    assert Key.parse("v200.s9.ballot") == Key(0, 0, 200, 9, "ballot")


@pytest.mark.parametrize(
    "text", ["", "r0.t1.s0.card", "r1.t0.s0.card", "r01.t1.s0.card", "r1a0.t1.s0.card", "r1.t1.s10.card", "r1.t1.s0.pick",
             "r1.t1.s0.card\n", " r1.t1.s0.card", "r1.t1.s0", "r12345.t1.s0.card", "r1.t100.s0.row", "R1.t1.s0.card",
             "r1.d0.s0.pick", "r1.d1.s0.card", "r1.d1000.s0.pick", "v0.s0.ballot", "v1.s10.ballot", "r1.v1.s0.ballot"]
)  # fmt: skip
def test_what_is_no_key_is_not_read_as_one(text: str) -> None:
    assert Key.parse(text) is None


def test_the_answer_and_the_deadline_stand_in_the_decision() -> None:
    game = started(pace="live")
    first, second = current_decisions(game)
    assert (first.answer, first.cards, first.deadline) == (None, game.hands[0], later(60))
    assert next_deadline(game) == later(60)
    game = after(game, lay(game, 0, game.hands[0][3]), seconds=2)
    answered, still = current_decisions(game)
    assert answered.answer == game.laid[0]
    assert (still, second.opened_at) == (second, START)
    assert open_decisions(game) == (second,)
    assert next_deadline(started(pace="untimed")) is None


LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))


def test_a_row_is_asked_of_the_owner_alone_while_everybody_waits() -> None:
    game = laid(started(chance=LOW, pace="live"), 1, 50, chance=LOW, seconds=3)
    (decision,) = open_decisions(game)
    assert (str(decision.key), decision.opened_at, decision.deadline) == ("r1.t1.s0.row", later(3), later(33))
    assert decision.rows == (("take",),) * 4
    for refused, code in (
        (c.ChooseRow(1, 1, 1, 0), "no_row_choice"),
        (c.LayCard(0, 1, 2, 60), "decision_not_open"),
        (c.LayCard(1, 1, 1, 70), "decision_closed"),
    ):
        with pytest.raises(Refusal, match=code):
            decide(game, refused, context(LOW))
    chosen = after(game, c.ChooseRow(0, 1, 1, 2), chance=LOW)
    assert open_decisions(chosen) == ()
    assert current_decisions(chosen)[0].answer == chosen.chosen
    assert decide(chosen, c.ChooseRow(0, 1, 1, 2, "take"), context(LOW)) == ()
    with pytest.raises(Refusal, match="already_answered"):
        decide(chosen, c.ChooseRow(0, 1, 1, 3), context(LOW))
    placed = after(chosen, c.Advance(), chance=LOW)
    assert (placed.rows, placed.piles) == (((20,), (30,), (1,), (45, 50)), ((40,), ()))
    assert placed.turn == 2
    with pytest.raises(Refusal, match="decision_closed"):
        decide(placed, c.ChooseRow(0, 1, 1, 2), context(LOW))


def test_who_answers_too_early_is_told_what_is_open_for_its_own_seat_and_no_other() -> None:
    def told(game: Game, seat: int) -> str:
        with pytest.raises(Refusal) as refused:
            decide(game, c.LayCard(seat, 2, 1, 70), context(LOW))
        assert refused.value.code == "decision_not_open"
        return refused.value.detail

    game = started(chance=LOW)
    why = "This decision is not open now."
    assert told(game, 1) == f"{why} Open for you: r1.t1.s1.card."
    voting = after(game, c.OpenVote("p0", "pause"), chance=LOW)
    assert told(voting, 1) == f"{why} Open for you: r1.t1.s1.card, v1.s1.ballot."
    choosing = laid(game, 1, 50, chance=LOW)
    assert told(choosing, 0) == f"{why} Open for you: r1.t1.s0.row."
    assert told(choosing, 1) == f"{why} No decision of yours is open."


def test_the_rows_are_those_of_the_moment_at_which_the_card_s_turn_comes() -> None:
    game = laid(started(chance=LOW), 1, 50, chance=LOW)
    assert [play.card for play in game.queue] == [1, 50]
    events = decide(after(game, c.ChooseRow(0, 1, 1, 3), chance=LOW), c.Advance(), context(LOW))
    placements = [event for event in events if isinstance(event, e.CardPlaced)]
    assert [(event.card, event.row, event.why) for event in placements] == [
        (1, 3, "too_low"),
        (50, 2, "appended"),
    ]
