"""Pro: the hands are drafted from the open deck, card by card, or by plans that nobody else sees."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.cards import Card
from engine.decide import act, decide
from engine.decisions import Key, current_decisions, open_decisions
from engine.game import Game
from engine.players import By
from engine.policies import PICK_POLICIES
from engine.verify import verify_log
from engine.views import view
from tests.rules.retold import told
from tests.rules.table import (
    after,
    context,
    later,
    lobby,
    played,
    refused,
    seat_all,
    start,
    started,
    steps,
)

PACE = {"turn_ms": 60_000, "row_ms": 60_000, "draft_ms": 5000}


def drafting(seats: int = 2, **options: Any) -> Game:
    """A draft, seat 0 first."""
    return started(seats, ruleset="pro", **options)


def pick(game: Game, card: Card, seat: int | None = None) -> c.Pick:
    """The pick that is due."""
    return c.Pick(game.drafter if seat is None else seat, game.round, game.picks + 1, card, game.attempt)


def picked(game: Game, *cards: Card) -> Game:
    """The draft after these picks, one after the other."""
    for card in cards:
        game = after(game, pick(game, card), c.Advance())
    return game


def test_the_deck_lies_open_and_one_seat_is_asked() -> None:
    game = drafting(3)
    (decision,) = open_decisions(game)
    assert (str(decision.key), decision.cards) == ("r1.d1.s0.pick", tuple(range(1, 35)))
    assert Key.parse("r1.d1.s0.pick") == decision.key
    assert view(game, 1, "")["draft"] == {
        "cards": list(range(1, 35)),
        "order": [0, 1, 2],
        "picks": [[], [], []],
        "pick": 1,
        "seat": 0,
    }


def test_picks_are_public_as_they_happen() -> None:
    game = picked(drafting(3), 7, 34)
    shown = view(game, None, "")
    assert (shown["draft"]["picks"], shown["draft"]["seat"]) == ([[7], [34], []], 2)
    assert [seat["hand_size"] for seat in shown["seats"]] == [1, 1, 0]
    assert view(game, 0, "")["hand"] == [7]
    assert str(open_decisions(game)[0].key) == "r1.d3.s2.pick"


def test_the_draft_ends_with_ten_cards_each_and_the_rest_as_rows() -> None:
    game = drafting(2)
    for _ in range(20):
        game = picked(game, game.pool[0])
    assert game.hands == (tuple(range(1, 20, 2)), tuple(range(2, 21, 2)))
    assert game.rows == ((21,), (22,), (23,), (24,))
    assert (game.phase, game.turn, game.pool) == ("lay_card", 1, ())
    assert view(game, 0, "")["draft"] is None
    assert refused(game, c.Pick(0, 1, 21, 21)).code == "decision_closed"
    assert refused(game, c.Pick(0, 1, 5, 9)).code == "decision_closed"


def test_the_last_pick_leaves_nothing_to_pick_before_the_draft_is_closed() -> None:
    game = drafting(2)
    for _ in range(19):
        game = picked(game, game.pool[0])
    last = after(game, pick(game, game.pool[0]))
    assert (last.is_drafted, open_decisions(last), last.deadline) == (True, (), None)
    assert refused(last, c.Pick(0, 1, 21, last.pool[0])).code == "decision_closed"
    assert [event.type for event in decide(last, c.Advance(), context())] == ["draft.closed", "turn.opened"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.Pick(0, 1, 1, 25), "card_not_in_draft"),
        (c.Pick(0, 1, 1, "J0"), "card_not_in_draft"),
        (c.Pick(1, 1, 2, 5), "not_your_pick"),
        (c.Pick(1, 1, 1, 5), "decision_not_open"),
        (c.Pick(0, 1, 3, 5), "decision_not_open"),
        (c.Pick(0, 1, 0, 5), "decision_closed"),
        (c.Pick(2, 1, 1, 5), "seat_out_of_range"),
        (c.Pick(0, 2, 1, 5), "decision_not_open"),
        (c.Pick(0, 1, 1, 5, 1), "decision_not_open"),
        (c.LayCard(0, 1, 1, 5), "decision_not_open"),
        (c.PlanPicks(0, 1, 1, ()), "card_not_in_draft"),
        (c.PlanPicks(0, 1, 1, (25, 26)), "card_not_in_draft"),
        (c.PlanPicks(0, 1, 1, (1, 25)), "card_not_in_draft"),
        (c.PlanPicks(0, 1, 1, (1, "J0")), "card_not_in_draft"),
        (c.PlanPicks(0, 1, 1, (1, 1)), "card_not_in_draft"),
        (c.PlanPicks(0, 1, 3, (1,)), "decision_not_open"),
    ],
)
def test_what_cannot_be_picked_or_planned_is_refused(command: c.Command, code: str) -> None:
    assert refused(drafting(), command).code == code


def test_a_plan_s_mistake_is_named_with_its_place() -> None:
    assert refused(drafting(), c.PlanPicks(0, 1, 1, (1, 2, 25))).pointers == ("/plan/2",)
    refusal = refused(drafting(), c.Pick(0, 1, 1, 25))
    assert (refusal.pointers, refusal.legal) == (("/card",), {"cards": list(range(1, 25))})


def test_a_card_is_picked_once() -> None:
    assert refused(picked(drafting(), 5), c.Pick(1, 1, 2, 5)).code == "card_not_in_draft"


def test_a_plan_picks_its_first_card_that_is_left_whenever_the_seat_s_turn_comes() -> None:
    game = after(drafting(), c.PlanPicks(1, 1, 2, (5, 6, 7, 8)))
    game, events = act(after(game, pick(game, 6)), c.Advance(), context())
    assert events == (e.DraftPicked(1, 5, game.deadline, By("player", 1)),)
    game, events = act(after(game, pick(game, 24)), c.Advance(), context())
    assert events == (e.DraftPicked(1, 7, game.deadline, By("player", 1)),)
    game = picked(game, 8)
    assert decide(game, c.Advance(), context()) == ()
    assert game.drafter == 1


def test_a_plan_is_used_at_once_by_the_seat_whose_turn_it_is() -> None:
    game = after(drafting(), c.PlanPicks(0, 1, 1, (9, 10)))
    _, events = act(game, c.Advance(), context())
    assert [getattr(event, "card", None) for event in events] == [9]


def test_a_plan_stands_until_another_takes_its_place() -> None:
    game = after(drafting(), c.PlanPicks(1, 1, 2, (5, 6)))
    assert decide(game, c.PlanPicks(1, 1, 2, (5, 6)), context()) == ()
    (changed,) = decide(game, c.PlanPicks(1, 1, 2, (6, 5)), context())
    assert changed == e.DraftPlanned(1, (6, 5), By("player", 1))
    game = picked(after(game, c.PlanPicks(1, 1, 2, (6, 5))), 24)
    assert game.hands[1] == (6,)


def test_a_plan_may_hold_cards_that_are_gone() -> None:
    game = picked(drafting(), 5)
    assert after(game, c.PlanPicks(1, 1, 2, (5, 6)), c.Advance()).hands[1] == (6,)


def test_a_plan_of_which_nothing_is_left_is_no_answer_to_the_seat_s_next_pick() -> None:
    game = picked(after(drafting(), c.PlanPicks(1, 1, 2, (5,))), 24)
    assert game.hands[1] == (5,)
    assert decide(game, c.PlanPicks(1, 1, 4, (5,)), context()) == ()  # the other seat picks first
    game = picked(game, 23)
    refusal = refused(game, c.PlanPicks(1, 1, 4, (5,)))
    assert (refusal.code, refusal.legal) == ("card_not_in_draft", {"cards": list(game.pool)})


def test_a_plan_is_seen_by_its_seat_alone_until_the_round_is_over() -> None:
    game = after(drafting(end={"rounds": 1}), c.PlanPicks(1, 1, 2, (5, 6)))
    assert [view(game, seat, "")["plan"] for seat in (None, 0, 1)] == [None, None, [5, 6]]
    done = list(steps(game, random.Random(1).choice))
    (revealed,) = [event for step in done for event in step.events if isinstance(event, e.RoundRevealed)]
    assert [opening.data for opening in revealed.openings] == [e.PlanPart((5, 6))]
    assert view(done[-1].after, 1, "")["plan"] is None


def test_a_seat_that_is_given_up_follows_no_plan() -> None:
    game = after(drafting(3), c.PlanPicks(1, 1, 2, (5, 6)), c.Resign("p1"))
    game = picked(game, 34)
    assert (game.drafter, game.hands[1]) == (1, ())
    (event,) = decide(game, pick(game, 9), context())
    assert isinstance(event, e.DraftPicked)
    assert event.by == By("house", 1)


def test_an_absent_seat_s_plan_is_followed_and_then_the_table_s_policy() -> None:
    game = after(drafting(2, on_timeout="lowest_card"), c.PlanPicks(1, 1, 2, (5,)), c.GoAway("p1"))
    game = picked(game, 24)
    assert game.hands[1] == (5,)
    game = picked(game, 23)
    assert next_deadline(game) == game.opened_at
    events = decide(game, c.Expire(), context())
    assert events[0] == e.DraftPicked(1, 1, later(60), By("away", 1))


def test_who_has_a_plan_is_not_late() -> None:
    game = after(drafting(2, pace=PACE), c.PlanPicks(0, 1, 1, (9,)), c.PlanPicks(1, 1, 2, (9, 8)))
    game, events = act(game, c.Expire(), context(seconds=60))
    assert [(event.seat, event.card, event.by) for event in events if isinstance(event, e.DraftPicked)] == [
        (0, 9, By("player", 0)),
        (1, 8, By("player", 1)),
    ]
    assert [holder.timeouts for holder in game.taken] == [0, 0]


@pytest.mark.parametrize("policy", PICK_POLICIES)
def test_who_is_late_gets_a_card_by_the_table_s_policy(policy: str) -> None:
    game = drafting(2, pace=PACE, on_timeout=policy)
    assert (game.deadline, next_deadline(game)) == (later(5), later(5))
    assert decide(game, c.Expire(), context(seconds=4.999)) == ()
    first, events = act(game, c.Expire(), context(seconds=5))
    (event,) = events
    assert isinstance(event, e.DraftPicked)
    assert (event.by, event.deadline) == (By("timeout", 0), later(10))
    assert first.taken[0].timeouts == 1
    assert decide(game, c.Expire(), context(seconds=5)) == events
    expected = {"lowest_card": 1, "highest_card": 24}
    assert event.card == expected.get(policy, event.card)


def test_the_policy_picks_for_a_house_bot_that_has_failed() -> None:
    game = start(seat_all(after(lobby(ruleset="pro"), c.SeatBot("p0", 0, "random"))))
    (event,) = decide(game, c.PlayFor(Key(1, 0, 1, 0, "pick")), context())
    assert event.by == By("policy", 0)
    assert decide(after(game, pick(game, 3)), c.PlayFor(Key(1, 0, 1, 0, "pick")), context()) == ()


@pytest.mark.parametrize(("rotate", "firsts"), [(False, [1, 1, 1, 1]), (True, [1, 2, 0, 1])])
def test_the_first_drafter_stays_or_moves_on_each_round(rotate: bool, firsts: list[int]) -> None:
    done = played(3, 3, ruleset="pro", end={"rounds": 4}, first_drafter=1, rotate_drafter=rotate)
    opened = [event for step in done for event in step.events if isinstance(event, e.DraftOpened)]
    assert [event.order[0] for event in opened] == firsts
    assert all(event.order == tuple((event.order[0] + seat) % 3 for seat in range(3)) for event in opened)


def test_a_draft_that_is_dealt_anew_begins_with_the_same_drafter() -> None:
    game = picked(after(drafting(2, first_drafter=1, rotate_drafter=True), c.PlanPicks(0, 1, 2, (9,))), 5)
    game, events = act(after(game, c.OpenVote("p0", "redeal")), c.CastBallot("p1", 1, "yes"), context())
    revealed = next(event for event in events if isinstance(event, e.RoundRevealed))
    assert [opening.data for opening in revealed.openings] == [e.PlanPart((9,))]
    assert (revealed.deck, revealed.stock) == (None, None)
    (decision,) = current_decisions(game)
    assert (str(decision.key), game.pool, game.plans) == (
        "r1a1.d1.s1.pick",
        tuple(range(1, 25)),
        (None, None),
    )


def test_a_pause_stops_the_draft_s_clock() -> None:
    game = after(drafting(2, pace=PACE), c.OpenVote("p0", "pause"), c.CastBallot("p1", 1, "yes"), seconds=2)
    assert refused(game, pick(game, 5), seconds=3).code == "game_paused"
    game = after(game, c.OpenVote("p0", "resume"), c.CastBallot("p1", 2, "yes"), seconds=100)
    assert game.deadline == later(103)


def test_a_draft_can_be_given_up() -> None:
    game = after(picked(drafting(), 5), c.OpenVote("p0", "abandon"), c.CastBallot("p1", 1, "yes"))
    assert (game.status, open_decisions(game)) == ("abandoned", ())


def test_a_seat_may_pick_itself_what_its_plan_would_have_picked() -> None:
    log = told(
        [
            *((0, join(seat)) for seat in range(2)),
            (0, c.StartGame("p0")),
            (1, c.PlanPicks(1, 1, 2, (5,))),
            (2, c.PlanPicks(0, 1, 1, (9,))),
            (3, c.Pick(0, 1, 1, 9)),
            (5, c.Pick(1, 1, 2, 5)),
            (6, c.OpenVote("p0", "abandon")),
            (6, c.CastBallot("p1", 1, "yes")),
        ],
        ruleset="pro",
    )
    assert [one["at"][17:19] for one in log if one["type"] == "draft.picked"] == ["03", "05"]
    assert verify_log(log).outcome == "ok"


def join(seat: int) -> c.JoinSeat:
    """A person sits down."""
    return c.JoinSeat(f"p{seat}", f"name {seat}", "human", seat)
