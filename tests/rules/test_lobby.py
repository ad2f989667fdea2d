"""Before the start: who sits where, who is host, who is ready, and how the game begins or is given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.chance import Context
from engine.decide import act, decide
from engine.game import Game
from engine.options import PACES, RoundsEnd
from engine.players import By, Owner
from engine.resolve import asked_for, changed, resolve
from engine.rulesets import RULESETS
from engine.times import Millis
from tests.rules.table import FAIR, after, context, later, lobby, refused, seated, started


def join(player: str, seat: int | None = None, *, accept_bots: bool = False) -> c.JoinSeat:
    """A person's wish for a seat."""
    return c.JoinSeat(player, f"name of {player}", "human", seat, accept_bots=accept_bots)


def holders(game: Game) -> Sequence[str | None]:
    """The players by seat; a house bot is shown by its level."""
    return [(holder.player or holder.level) if holder else None for holder in game.seats]


def test_players_take_the_seat_they_ask_for_or_the_first_free_one() -> None:
    game = after(lobby(4), join("p0", 2), join("p1"), join("p2"), join("p3"))
    assert holders(game) == ["p1", "p2", "p0", "p3"]
    assert (game.seat_of("p0"), game.seat_of("nobody")) == (2, None)


@pytest.mark.parametrize(
    ("command", "code", "pointers"),
    [
        (join("p0", 1), "already_seated", ()),
        (join("p9", 0), "seat_taken", ("/seat",)),
        (join("p9", 3), "seat_out_of_range", ("/seat",)),
        (join("p9", -1), "seat_out_of_range", ("/seat",)),
        (c.JoinSeat("p9", "n", "human", 2, "xyz"), "client_seed_invalid", ("/client_seed",)),
        (c.JoinSeat("p9", "n", "human", 2, "a" * 65), "client_seed_invalid", ("/client_seed",)),
        (c.ChangeSeat("p0", client_seed="g"), "client_seed_invalid", ("/client_seed",)),
        (c.ChangeSeat("p9", ready=True), "not_seated", ()),
        (c.LeaveSeat("p9"), "not_seated", ()),
        (c.SeatBot("p1", 2, "random"), "not_host", ()),
        (c.SeatBot("p0", 2, "genius"), "bot_level_unknown", ("/house",)),
        (c.SeatBot("p0", 1, "random"), "seat_taken", ("/seat",)),
        (c.SeatBot("p0", 3, "random"), "seat_out_of_range", ("/seat",)),
        (c.RemoveBot("p1", 2), "not_host", ()),
        (c.RemoveBot("p0", 1), "seat_taken", ()),
        (c.RemoveBot("p0", 3), "seat_out_of_range", ()),
        (c.ChangeOptions("p1", {"seats": 4}), "not_host", ()),
        (c.CloseLobby("p1"), "not_host", ()),
        (c.StartGame("p1"), "not_host", ()),
        (c.StartGame("p0"), "not_enough_players", ()),
        (c.LayCard(0, 1, 1, 5), "game_not_playing", ()),
        (c.LayCard(0, 0, 0, 5), "game_not_playing", ()),
        (c.ChooseRow(5, 1, 1, 0), "seat_out_of_range", ()),
    ],
)
def test_what_does_not_fit_is_refused(command: c.Command, code: str, pointers: tuple[str, ...]) -> None:
    refusal = refused(after(lobby(3), join("p0"), join("p1")), command)
    assert (refusal.code, refusal.pointers) == (code, pointers)


def test_a_full_table_takes_nobody() -> None:
    assert refused(seated(2), join("p9")).code == "game_full"
    assert refused(seated(2), join("p9", 0)).code == "seat_taken"


def test_who_asks_for_a_seat_that_is_taken_is_told_which_are_free() -> None:
    assert refused(seated(2), join("p9", 0)).detail == "Seat 0 is taken; no other is free."
    assert refused(after(lobby(2), join("p0")), join("p9", 0)).detail == "Seat 0 is taken; free: seat 1."
    game = after(lobby(3), join("p0"))
    assert refused(game, join("p9", 0)).detail == "Seat 0 is taken; free: seats 1, 2."
    assert refused(game, c.StartGame("p0")).detail.startswith("Still free: seats 1, 2;")


def test_nobody_finds_a_bot_at_the_table_without_having_agreed() -> None:
    for bot in (
        c.SeatBot("p0", 1, "random"),
        c.JoinSeat("b1", "bot", "bot", 1),
        c.InviteBot("p0", 1, "b1", "bot"),
    ):
        game = after(lobby(3), bot)
        refusal = refused(game, join("p9"))
        assert (refusal.code, refusal.pointers) == ("bots_not_accepted", ("/accept_bots",))
        assert 'send "accept_bots": true' in refusal.detail
        assert holders(after(game, join("p9", accept_bots=True)))[0] == "p9"


BOTS: Final[tuple[c.Command, ...]] = (
    c.SeatBot("p0", 2, "random"),
    c.InviteBot("p0", 2, "b1", "bot"),
    c.JoinSeat("b1", "bot", "bot", 2, accept_bots=True),
)


@pytest.mark.parametrize("bot", BOTS)
def test_no_bot_comes_to_a_table_where_somebody_has_not_agreed_to_it(bot: c.Command) -> None:
    game = after(lobby(3), join("p0"), join("p1"))
    refusal = refused(game, bot)
    assert refusal.code == "bots_not_accepted"
    against = "seats 0, 1" if isinstance(bot, c.JoinSeat) else "seat 1"
    assert refusal.detail == f'Who sits here has not said "accept_bots": true: {against}.'
    agreed = after(game, c.ChangeSeat("p1", accept_bots=True), c.ChangeSeat("p0", accept_bots=True))
    assert after(agreed, bot).seats[2] is not None


def test_a_bot_agrees_to_bots_as_everybody_does() -> None:
    assert refused(after(lobby(3), c.SeatBot("p0", 0, "random")), c.JoinSeat("b1", "bot", "bot")).code == (
        "bots_not_accepted"
    )


def test_who_seats_a_bot_has_agreed_to_bots() -> None:
    game = after(lobby(3), join("p0"), join("p1", accept_bots=True))
    assert [holder.accepts_bots for holder in game.taken] == [False, True]
    game = after(game, c.SeatBot("p0", 2, "random"))
    assert [holder.accepts_bots for holder in game.taken] == [True, True, True]
    back = after(game, c.RemoveBot("p0", 2), c.ChangeSeat("p0", accept_bots=False))
    assert [holder.accepts_bots for holder in back.taken] == [False, True]


def test_who_plays_with_a_bot_already_cannot_take_the_word_back() -> None:
    game = after(lobby(3), join("p0"), c.SeatBot("p0", 2, "random"))
    refusal = refused(game, c.ChangeSeat("p0", accept_bots=False))
    assert (refusal.code, refusal.pointers) == ("bots_not_accepted", ("/accept_bots",))


def test_the_host_seats_a_bot_that_is_a_player_and_takes_it_off_again() -> None:
    game = after(lobby(3), join("p0"), c.InviteBot("p0", 2, "b1", "max", Owner("p7", "di")))
    holder = game.taken[1]
    assert (holder.player, holder.name, holder.kind, holder.owner) == ("b1", "max", "bot", Owner("p7", "di"))
    assert (holder.ready, holder.controller, game.actor(2)) == (True, "player", By("bot", 2))
    refusal = refused(game, c.InviteBot("p0", 1, "b1", "max"))
    assert (refusal.code, refusal.pointers) == ("already_seated", ("/player",))
    assert refused(game, c.InviteBot("p0", 2, "b2", "max")).code == "seat_taken"
    assert refused(game, c.InviteBot("p1", 1, "b2", "max")).code == "not_host"
    assert holders(after(game, c.RemoveBot("p0", 2))) == ["p0", None, None]
    assert holders(after(game, c.LeaveSeat("b1"))) == ["p0", None, None]


def test_the_log_says_who_took_a_seat() -> None:
    for kind, by, owner in (("human", By("player", 0), None), ("bot", By("bot", 0), Owner("p7", "di"))):
        command = c.JoinSeat("p9", "n", kind, client_seed="AB", owner=Owner("p7", "di"))  # type: ignore[arg-type]  # mypy takes such words for any string
        (event,) = decide(lobby(), command, context())
        assert event == e.SeatJoined(0, "p9", "n", kind, None, "AB", by, owner, accepts_bots=False)  # type: ignore[arg-type]  # mypy takes such words for any string
    (event,) = decide(lobby(), c.SeatBot("p0", 1, "lowest_risk"), context())
    assert event == e.SeatJoined(1, None, "house lowest_risk 1", "house", "lowest_risk", "", By("host"))


def test_a_bot_comes_and_goes_as_the_host_likes() -> None:
    game = after(lobby(), c.SeatBot("p0", 1, "random"))
    assert holders(game) == [None, "random"]
    assert decide(game, c.RemoveBot("p0", 0), context()) == ()
    assert holders(after(game, c.RemoveBot("p0", 1))) == [None, None]


def test_the_host_s_role_passes_on_to_whoever_still_sits() -> None:
    game = after(
        lobby(4), c.SeatBot("p0", 0, "random"), *(join(f"p{seat}", seat, accept_bots=True) for seat in (1, 2))
    )
    game = after(game, join("p0", 3, accept_bots=True), c.LeaveSeat("p2"))
    assert (game.host, holders(game)) == ("p0", ["random", "p1", None, "p0"])
    game = after(game, c.LeaveSeat("p0"))
    assert (game.host, holders(game)) == ("p1", ["random", "p1", None, None])
    assert after(game, c.LeaveSeat("p1")).host == "p1"


def test_the_game_starts_when_the_last_one_says_ready() -> None:
    game = after(lobby(3), join("p0"), c.SeatBot("p0", 2, "random"), c.ChangeSeat("p0", ready=True))
    game = after(game, join("p1", accept_bots=True))
    assert game.status == "lobby"
    playing, events = act(game, c.ChangeSeat("p1", ready=True), context())
    kinds = [event.type for event in events]
    assert kinds == ["seat.updated", "game.started", "round.started", "round.dealt", "turn.opened"]
    assert playing.status == "playing"
    assert events[1] == e.GameStarted(("p0", "p1", None), ("", "", ""), By("player", 1))


def test_the_game_starts_with_the_bot_that_those_who_are_ready_waited_for() -> None:
    game = after(lobby(2), join("p0"), c.ChangeSeat("p0", ready=True), c.SeatBot("p0", 1, "random"))
    assert (game.status, game.phase) == ("playing", "lay_card")


def test_a_table_of_house_bots_waits_for_its_host() -> None:
    game = after(lobby(2), c.SeatBot("p0", 0, "random"), c.SeatBot("p0", 1, "random"))
    assert game.status == "lobby"
    assert after(game, c.StartGame("p0")).status == "playing"


def test_ready_is_not_enough_while_a_seat_is_free_or_somebody_is_not() -> None:
    assert after(lobby(), join("p0"), c.ChangeSeat("p0", ready=True)).status == "lobby"
    assert after(seated(3), c.ChangeSeat("p0", ready=True), c.ChangeSeat("p1", ready=True)).status == "lobby"


def test_a_seat_changes_only_what_it_names() -> None:
    game = after(seated(2), c.ChangeSeat("p0", client_seed="ab"), c.ChangeSeat("p0", ready=True))
    assert (game.taken[0].client_seed, game.taken[0].ready) == ("ab", True)
    assert decide(game, c.ChangeSeat("p0"), context()) == ()
    assert decide(game, c.ChangeSeat("p0", ready=True, client_seed="ab"), context()) == ()
    game = after(game, c.ChangeSeat("p0", ready=False, client_seed=""))
    assert (game.taken[0].client_seed, game.taken[0].ready) == ("", False)


def test_other_options_ask_everybody_again_but_house_bots() -> None:
    game = after(lobby(3), join("p0"), c.SeatBot("p0", 1, "random"), c.ChangeSeat("p0", ready=True))
    changed = after(game, c.ChangeOptions("p0", {"seats": 2, "recommit": True}))
    assert [holder.ready for holder in changed.taken] == [False, True]
    assert (len(changed.seats), changed.options.recommit) == (2, True)
    assert len(after(changed, c.ChangeOptions("p0", {"seats": 5})).seats) == 5
    assert decide(game, c.ChangeOptions("p0", asked_for(game.options)), context()) == ()
    assert decide(game, c.ChangeOptions("p0", {}), context()) == ()


@pytest.mark.parametrize("pace", [*PACES, {"turn_ms": 5000, "row_ms": None, "bank_ms": 1000}])
@pytest.mark.parametrize("name", RULESETS)
def test_options_are_those_that_are_asked_for(name: str, pace: Any) -> None:
    options = resolve({"ruleset": name, "seats": 3, "pace": pace, "end": {"rounds": 2}})
    assert resolve(asked_for(options)) == changed(options, {}) == options


def test_two_changes_at_once_do_not_take_each_other_back() -> None:
    game = after(
        lobby(), c.ChangeOptions("p0", {"visibility": "private"}), c.ChangeOptions("p0", {"seats": 2})
    )
    assert (game.options.visibility, game.options.seats) == ("private", 2)


def test_the_end_goes_with_the_rule_set_unless_it_is_wanted_as_well() -> None:
    options = resolve({"ruleset": "classic", "seats": 3, "end": {"rounds": 2}})
    assert changed(options, {"ruleset": "category-5"}).end == RULESETS["category-5"].end
    assert changed(options, {"ruleset": "category-5", "end": {"rounds": 1}}).end == RoundsEnd(1)
    assert changed(options, {"ruleset": "classic", "seats": 4}).end == RoundsEnd(2)


def test_a_taken_seat_does_not_vanish() -> None:
    game = after(lobby(3), join("p0", 2))
    refusal = refused(game, c.ChangeOptions("p0", {"seats": 2}))
    assert (refusal.code, refusal.pointers) == ("bad_options", ("/seats",))


def test_the_start_fixes_seats_and_client_seeds() -> None:
    game = after(seated(2), c.ChangeSeat("p1", client_seed="beef"))
    playing, events = act(game, c.StartGame("p0"), context())
    assert events[0] == e.GameStarted(("p0", "p1"), ("", "beef"), By("host"))
    without, _ = act(seated(2), c.StartGame("p0"), context())
    assert playing.hands != without.hands


@pytest.mark.parametrize(
    "command",
    [
        join("p9"),
        c.ChangeSeat("p0", ready=True),
        c.LeaveSeat("p0"),
        c.SeatBot("p0", 0, "random"),
        c.RemoveBot("p0", 0),
        c.ChangeOptions("p0", {"seats": 2}),
        c.CloseLobby("p0"),
        c.StartGame("p0"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_after_the_start_none_of_this_is_possible(command: c.Command) -> None:
    assert refused(started(2), command).code == "game_started"


def test_a_lobby_that_is_closed_ends_in_a_sealed_log() -> None:
    game, events = act(seated(2), c.CloseLobby("p0"), context())
    assert [event.type for event in events] == ["game.abandoned", "game.sealed"]
    assert (game.status, game.phase, game.standings) == ("abandoned", "over", ())
    assert decide(game, c.Advance(), context()) == ()
    assert refused(game, join("p9")).code == "game_over"
    assert refused(game, c.LayCard(0, 1, 1, 5)).code == "game_not_playing"
    assert refused(game, c.LayCard(0, 0, 0, 5)).code == "decision_closed"


def test_a_lobby_in_which_nothing_happens_for_a_day_is_given_up() -> None:
    game = after(lobby(), join("p0"), seconds=5)
    until = later(24 * 3600 + 5)
    assert next_deadline(game) == until
    assert decide(game, c.Expire(), Context(Millis(until - 1), FAIR)) == ()
    given_up, events = act(game, c.Expire(), Context(until, FAIR))
    assert events[0] == e.GameAbandoned("not_begun", By("timeout"))
    assert (given_up.status, events[-1].type) == ("abandoned", "game.sealed")
    joined = after(game, join("p1"), seconds=3600)
    assert next_deadline(joined) == later(25 * 3600), "something has happened"
    assert next_deadline(after(joined, c.StartGame("p0"), seconds=3600)) != later(25 * 3600)
