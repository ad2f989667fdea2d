"""Laying cards: recommitting, the last card, deadlines and what the service plays for those who are late."""

from __future__ import annotations

import pytest

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.chance import Context
from engine.decide import act, decide
from engine.decisions import Key
from engine.errors import Refusal
from engine.game import Game
from engine.players import By
from engine.policies import CARD_POLICIES
from engine.times import Millis
from tests.rules.table import (
    FAIR,
    after,
    context,
    laid,
    later,
    lay,
    lobby,
    played,
    seat_all,
    seated,
    stacked,
    start,
    started,
)

LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))


def cards_laid(events: tuple[e.Event, ...]) -> list[e.CardLaid]:
    """The cards laid among the events."""
    return [event for event in events if isinstance(event, e.CardLaid)]


def test_a_laid_card_is_final() -> None:
    game = started()
    first, second = game.hands[0][:2]
    game = after(game, lay(game, 0, first))
    with pytest.raises(Refusal, match="already_answered"):
        decide(game, lay(game, 0, second), context())
    assert decide(game, lay(game, 0, first), context()) == ()


def test_where_the_table_allows_it_a_card_may_be_changed_until_the_reveal() -> None:
    game = started(recommit=True)
    first, second = game.hands[0][:2]
    game = after(game, lay(game, 0, first), lay(game, 0, second), lay(game, 1, game.hands[1][0]))
    assert game.laid[0] is not None
    assert game.laid[0].card == second
    with pytest.raises(Refusal, match="card_not_in_hand"):
        decide(game, lay(game, 0, game.hands[1][5]), context())
    back = after(game, lay(game, 0, first))
    revealed = decide(back, c.Advance(), context())[0]
    assert isinstance(revealed, e.TurnRevealed)
    assert {(play.seat, play.card) for play in revealed.plays} == {(0, first), (1, game.hands[1][0])}


def test_nothing_is_changed_after_the_reveal() -> None:
    game = laid(started(chance=LOW, recommit=True), 1, 50, chance=LOW)
    assert game.phase == "choose_row"
    with pytest.raises(Refusal, match="decision_closed"):
        decide(game, lay(game, 1, 70), context(LOW))
    assert decide(game, lay(game, 1, 50), context(LOW)) == ()


def test_a_card_that_is_not_held_is_answered_with_the_hand() -> None:
    game = started()
    with pytest.raises(Refusal, match="card_not_in_hand") as refused:
        decide(game, lay(game, 0, game.hands[1][0]), context())
    assert refused.value.legal == {"cards": list(game.hands[0])}
    assert refused.value.pointers == ("/card",)


@pytest.mark.parametrize("auto", [True, False])
def test_the_last_card_is_laid_by_the_service_only_where_the_table_lets_it(auto: bool) -> None:
    done = played(3, 3, end={"rounds": 1}, auto_last_card=auto)
    lays = [step.command for step in done if isinstance(step.command, c.LayCard)]
    assert len([command for command in lays if command.turn == 10]) == (0 if auto else 3)
    last = [event for step in done for event in cards_laid(step.events)][-3:]
    assert {event.by.kind for event in last} == ({"policy"} if auto else {"player"})
    assert sorted(event.seat for event in last) == [
        event.by.seat for event in sorted(last, key=lambda one: one.seat)
    ]


def test_no_turn_is_revealed_before_every_card_lies() -> None:
    game = started(3)
    for seat in (2, 0):
        game = after(game, lay(game, seat, game.hands[seat][0]))
        assert decide(game, c.Advance(), context()) == ()
    game = after(game, lay(game, 1, game.hands[1][0]))
    assert decide(game, c.Advance(), context())[0].type == "turn.revealed"


def test_nobody_is_late_before_the_deadline() -> None:
    game = started(pace="blitz")
    assert game.deadline == later(15)
    assert decide(game, c.Expire(), context(seconds=14.999)) == ()
    assert len(cards_laid(decide(game, c.Expire(), context(seconds=15)))) == 2


def test_a_late_answer_still_counts_until_the_service_has_answered() -> None:
    game = started(pace="blitz")
    card = game.hands[0][4]
    assert cards_laid(decide(game, lay(game, 0, card), context(seconds=99))) == [
        e.CardLaid(0, card, By("player", 0))
    ]


def test_the_service_plays_for_the_late_alone_and_counts_it() -> None:
    game = started(3, pace="blitz")
    game = after(game, lay(game, 1, game.hands[1][0]))
    expired, events = act(game, c.Expire(), context(seconds=20))
    assert [event.by for event in cards_laid(events)] == [By("timeout", 0), By("timeout", 2)]
    assert [holder.timeouts for holder in expired.taken] == [1, 0, 1]
    assert events[2].type == "turn.revealed"


@pytest.mark.parametrize("policy", CARD_POLICIES)
def test_the_table_s_policy_lays_the_card_and_the_same_one_again(policy: str) -> None:
    game = started(4, pace="blitz", on_timeout=policy)
    first = cards_laid(decide(game, c.Expire(), context(seconds=15)))
    assert cards_laid(decide(game, c.Expire(), context(seconds=16))) == first
    assert all(event.card in game.hands[event.seat] for event in first)
    if policy == "lowest_card":
        assert [event.card for event in first] == [hand[0] for hand in game.hands]


def test_a_late_row_choice_takes_the_cheapest_row() -> None:
    game = laid(started(chance=LOW, pace="blitz"), 1, 50, chance=LOW, seconds=5)
    assert game.request is not None
    assert game.request.deadline == later(15)
    assert decide(game, c.Expire(), context(LOW, 14.9)) == ()
    expired, events = act(game, c.Expire(), context(LOW, 15))
    assert events[0] == e.RowChosen(0, 3, "take", By("timeout", 0))
    assert [holder.timeouts for holder in expired.taken] == [1, 0]
    assert expired.turn == 2


def test_an_answered_row_is_not_answered_again() -> None:
    game = laid(started(chance=LOW, pace="blitz"), 1, 50, chance=LOW)
    game = after(game, c.ChooseRow(0, 1, 1, 0), chance=LOW)
    assert decide(game, c.Expire(), context(LOW, 10**6)) == ()


def test_untimed_tables_wait_for_ever() -> None:
    assert decide(started(pace="untimed"), c.Expire(), context(seconds=10**9)) == ()


def test_a_whole_game_goes_by_on_deadlines_alone() -> None:
    game, seconds = started(3, pace="blitz", end={"rounds": 2}, away_after_timeouts=None), 0
    while game.status == "playing":
        seconds += 15
        game = after(game, c.Expire(), seconds=seconds)
    assert (game.status, game.round) == ("finished", 2)
    assert all(holder.timeouts >= 18 for holder in game.taken)


def missed() -> Game:
    """Three people who were late twice, and are taken to be away; the third turn begins 30 seconds after the first."""
    game = started(3, pace="blitz", end={"rounds": 2})
    for seconds in (15, 30):
        assert not any(holder.away for holder in game.taken)
        game = after(game, c.Expire(), seconds=seconds)
    assert [(holder.away, holder.timeouts) for holder in game.taken] == [(True, 2)] * 3
    return game


def test_whoever_was_too_late_still_has_its_time_where_nobody_waits() -> None:
    game = missed()
    while game.status == "playing":
        deadline = next_deadline(game)
        assert deadline is not None
        assert deadline == game.at + (10_000 if game.request else 15_000)
        assert decide(game, c.Expire(), Context(Millis(deadline - 1), FAIR)) == ()
        game = act(game, c.Expire(), Context(deadline, FAIR))[0]
    assert (game.status, game.round) == ("finished", 2)
    assert all(holder.timeouts == 2 for holder in game.taken)


def test_whoever_comes_back_is_waited_for_and_the_others_no_more() -> None:
    game = after(missed(), c.Return("p0"), seconds=40)
    assert next_deadline(game) == later(45)
    game = after(game, lay(game, 0, game.hands[0][0]), seconds=41)
    assert next_deadline(game) == game.opened_at == later(30), "one waits now, for seats that are away"
    assert len(cards_laid(decide(game, c.Expire(), context(seconds=41)))) == 2


def test_nobody_is_waited_for_where_no_time_is_set_for_it() -> None:
    game = started(2, pace={"turn_ms": 1000, "row_ms": None}, end={"rounds": 1})
    seconds = 0
    while game.status == "playing":
        seconds += 1
        game = after(game, c.Expire(), seconds=seconds)
        if game.phase == "choose_row":
            assert next_deadline(game) == game.opened_at or not all(holder.away for holder in game.taken)
        assert seconds < 30
    assert game.status == "finished"


def test_who_answered_stands_in_the_log() -> None:
    game = after(
        lobby(3),
        c.JoinSeat("p0", "n", "human", accept_bots=True),
        c.JoinSeat("b1", "n", "bot", accept_bots=True),
        c.SeatBot("p0", 2, "random"),
    )
    game = start(game)
    for seat, kind in enumerate(("player", "bot", "house")):
        (event,) = decide(game, lay(game, seat, game.hands[seat][0]), context())
        assert isinstance(event, e.CardLaid)
        assert event.by == By(kind, seat)  # type: ignore[arg-type]  # mypy takes such words for any string


def test_client_seeds_change_the_deal_and_stand_in_the_start() -> None:
    game = after(seated(2), c.ChangeSeat("p1", client_seed="beef"))
    deck = FAIR.deck("g_test", 1, 0, ("", "beef"), 104)
    assert start(game).hands[0] == tuple(sorted(deck[:10]))


@pytest.mark.parametrize("reveal", ["round", "game"])
def test_a_round_is_laid_open_when_the_table_wants_it(reveal: str) -> None:
    done = played(4, 2, end={"rounds": 1}, reveal=reveal)
    (event,) = [event for step in done for event in step.events if isinstance(event, e.RoundRevealed)]
    if reveal == "game":
        assert event == e.RoundRevealed(None, None, None, ())
        return
    deck = FAIR.deck("g_test", 1, 0, ("", ""), 104)
    assert (event.round_seed, event.deck, event.stock) == (FAIR.round_seed(1, 0), deck, deck[24:])
    dealt = next(one for step in done for one in step.events if isinstance(one, e.RoundDealt))
    assert (
        tuple(opening.data.hand for opening in event.openings if isinstance(opening.data, e.HandPart))
        == dealt.hands
    )


def test_ten_seats_use_the_whole_deck() -> None:
    game: Game = start(seat_all(lobby(10)))
    assert len({card for hand in game.hands for card in hand} | {row[0] for row in game.rows}) == 104
    done = played(1, 10, end={"rounds": 2})
    assert done[-1].after.status == "finished"


def test_the_policy_answers_once_for_a_seat_whose_bot_has_failed() -> None:
    game = start(seat_all(after(lobby(), c.SeatBot("p0", 1, "random"))))
    (event,) = decide(game, c.PlayFor(Key(1, 0, 1, 1, "card")), context())
    assert isinstance(event, e.CardLaid)
    assert (event.seat, event.by) == (1, By("policy", 1))
    answered = after(game, c.PlayFor(Key(1, 0, 1, 1, "card")))
    assert decide(answered, c.PlayFor(Key(1, 0, 1, 1, "card")), context()) == ()


def test_the_policy_answers_for_no_seat_of_which_somebody_answers() -> None:
    game = started()
    assert decide(game, c.PlayFor(Key(1, 0, 1, 1, "card")), context()) == ()
    with pytest.raises(Refusal, match="decision_not_open"):
        decide(game, c.PlayFor(Key(1, 0, 2, 1, "card")), context())


def test_the_policy_chooses_the_row_too_and_only_for_the_seat_that_is_asked() -> None:
    bot = after(lobby(), c.SeatBot("p0", 0, "random"))
    game = laid(start(seat_all(bot), LOW), 1, 50, chance=LOW)
    assert decide(game, c.PlayFor(Key(1, 0, 1, 0, "row")), context(LOW)) == (
        e.RowChosen(0, 3, "take", By("policy", 0)),
    )
    assert decide(game, c.PlayFor(Key(1, 0, 1, 1, "card")), context(LOW)) == ()
