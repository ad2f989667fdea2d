"""The operator ends a game whatever it waits for: through the log, provably, and once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.decide import act, decide
from engine.game import Game
from engine.players import By
from engine.verify import verify_log
from tests.rules.retold import first_of, found, moments, retold, told
from tests.rules.table import after, context, lay, lobby, seated, started

STATES: dict[str, Callable[[], Game]] = {
    "an empty lobby": lobby,
    "a full lobby": seated,
    "a turn": lambda: started(3),
    "a turn in which somebody has laid": lambda: _laid(started(3)),
    "a draft": lambda: started(3, ruleset="pro"),
    "a learning round": lambda: started(3, learning_rounds=1),
    "an open vote": lambda: after(started(3), c.OpenVote("p0", "pause")),
    "a pause": lambda: after(started(2), c.OpenVote("p0", "pause"), c.CastBallot("p1", 1, "yes")),
    "everybody away": lambda: after(started(2), c.GoAway("p0"), c.GoAway("p1")),
}


def _laid(game: Game) -> Game:
    return after(game, lay(game, 1, game.hands[1][0]))


@pytest.mark.parametrize("state", STATES)
def test_a_game_ends_at_once_and_nothing_follows(state: str) -> None:
    game, events = act(STATES[state](), c.Abandon(), context(seconds=1))
    assert events[0] == e.GameAbandoned("operator", By("system"))
    assert events[-1].type == "game.sealed"
    assert (game.status, game.phase) == ("abandoned", "over")
    assert next_deadline(game) is None
    assert decide(game, c.Abandon(), context(seconds=2)) == ()
    assert decide(game, c.Advance(), context(seconds=2)) == ()
    assert decide(game, c.Expire(), context(seconds=10**6)) == ()


def test_the_log_of_it_verifies_and_a_player_cannot_have_done_it() -> None:
    join = [(0.0, c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat)) for seat in range(2)]
    log = told([*join, (1, c.StartGame("p0")), (2, c.OpenVote("p0", "pause")), (3, c.Abandon())])
    assert verify_log(log).outcome == "ok"
    seq = first_of(log, "game.abandoned")
    events = moments(log)
    events[seq - 1] = e.GameAbandoned("operator", By("host")), events[seq - 1][1]
    assert found(verify_log(retold(events))) == {"rules": seq}


def test_a_game_that_is_over_stays_as_it_ended() -> None:
    closed = after(lobby(), c.CloseLobby("p0"))
    assert decide(closed, c.Abandon(), context()) == ()
