"""The games that are told as text: at least two a rule set, and between them every event and every command."""

from __future__ import annotations

from typing import Any, Final

from engine import commands as c
from engine.decisions import Key
from engine.players import Owner
from tests.playthroughs.script import Playthrough

LOBBY: Final[tuple[c.Command, ...]] = (
    c.JoinSeat("p_ada", "ada", "human"),
    c.JoinSeat("p_bo", "bo", "human", client_seed="beef"),
)
CY: Final = c.JoinSeat("p_cy", "cy", "human")
START: Final = c.StartGame("p_ada")

ONE_ROUND: Final[dict[str, Any]] = {"end": {"rounds": 1}}

PRESETS: Final = (
    Playthrough(
        "classic",
        {"ruleset": "classic", "seats": 2, "end": {"points": 12, "when": "reached"}, "pace": "untimed"},
        (*LOBBY, c.ChangeSeat("p_ada", ready=True), c.ChangeSeat("p_bo", ready=True)),
        then=(c.LayCard(0, 1, 1, 104), c.LayCard(1, 1, 2, 5), c.ChooseRow(0, 1, 1, 0), START),
    ),
    Playthrough(
        "classic-closed",
        {"ruleset": "classic", "seats": 3},
        (
            c.SeatBot("p_ada", 0, "random"),
            c.ChangeOptions("p_ada", {"seats": 2, "end": {"rounds": 5}}),
            c.RemoveBot("p_ada", 0),
            c.CloseLobby("p_ada"),
        ),
    ),
    # The table deals anew, pauses and goes on, replaces who is away, and plays on for who has resigned.
    Playthrough(
        "classic-agreed",
        {"ruleset": "classic", "seats": 3, **ONE_ROUND},
        (*LOBBY, CY, START),
        seed=5,
        meanwhile={
            8: (
                c.OpenVote("p_ada", "redeal"),
                c.OpenVote("p_bo", "pause"),
                c.CastBallot("p_bo", 1, "yes"),
                c.CastBallot("p_cy", 1, "yes"),
            ),
            11: (c.OpenVote("p_bo", "abandon"), c.CastBallot("p_cy", 2, "no"), c.OpenVote("p_ada", "pause")),
            13: (c.GoAway("p_cy"), c.Return("p_cy"), c.GoAway("p_cy")),
            21: (c.Expire(),),
            22: (
                c.OpenVote("p_ada", "pause"),
                c.CastBallot("p_bo", 3, "yes"),
                c.CastBallot("p_cy", 3, "yes"),
                c.LayCard(0, 1, 5, 5, 1),
                c.OpenVote("p_cy", "resume"),
                c.CastBallot("p_ada", 4, "yes"),
                c.CastBallot("p_bo", 4, "yes"),
            ),
            26: (c.OpenVote("p_ada", "replace", 2), c.CastBallot("p_bo", 5, "yes")),
            29: (c.Resign("p_bo"), c.Resign("p_bo")),
        },
    ),
    Playthrough(
        "take5-us-2018",
        {
            "ruleset": "take5-us-2018",
            "seats": 3,
            "end": {"points": 1, "when": "exceeded"},
            "pace": "blitz",
            "recommit": True,
            "on_timeout": "lowest_card",
        },
        (
            *LOBBY,
            c.SeatBot("p_ada", 2, "random"),
            c.ChangeSeat("p_bo", accept_bots=True),
            c.SeatBot("p_ada", 2, "random"),
            START,
        ),
        seed=2,
        late=7,
        then=(c.PlayFor(Key(1, 0, 1, 2, "card")), c.PlayFor(Key(1, 0, 1, 0, "card"))),
    ),
    # Rows are chosen in advance, with the card.
    Playthrough(
        "take5-us-2018-ahead",
        {"ruleset": "take5-us-2018", "seats": 2, "row_policy": "ahead", "recommit": True, **ONE_ROUND},
        (*LOBBY, START),
        seed=6,
    ),
    Playthrough(
        "category-5",
        {"ruleset": "category-5", "seats": 3, **ONE_ROUND, "reveal": "game", "auto_last_card": False},
        (
            *LOBBY,
            c.ChangeSeat("p_bo", accept_bots=True),
            c.InviteBot("p_ada", 2, "p_max", "max", Owner("p_bo", "bo")),
            c.RemoveBot("p_ada", 2),
            c.JoinSeat("p_cy", "cy", "bot", accept_bots=True, owner=Owner("p_ada", "ada")),
            c.LeaveSeat("p_ada"),
            c.JoinSeat("p_di", "di", "human", accept_bots=True),
            c.StartGame("p_bo"),
        ),
        seed=3,
    ),
    # Who is late too often is taken for away, and played for until it answers again.
    Playthrough(
        "category-5-away",
        {"ruleset": "category-5", "seats": 2, "pace": "blitz", "away_after_timeouts": 1, **ONE_ROUND},
        (*LOBBY, START),
        seed=7,
        late=4,
    ),
    Playthrough(
        "three-rounds",
        {"ruleset": "three-rounds", "seats": 2, "pace": "untimed"},
        (*LOBBY, START),
        seed=4,
    ),
    # A rematch, in which each finds the own seat, and which the table gives up.
    Playthrough(
        "three-rounds-abandoned",
        {"ruleset": "three-rounds", "seats": 2},
        (
            c.JoinSeat("p_cy", "cy", "human"),
            c.JoinSeat("p_bo", "bo", "human", 0),
            *LOBBY,
            START,
        ),
        kept=("p_bo", "p_ada"),
        meanwhile={5: (c.OpenVote("p_bo", "abandon"), c.CastBallot("p_ada", 1, "yes"))},
    ),
    Playthrough(
        "three-rounds-ended-by-the-operator",
        {"ruleset": "three-rounds", "seats": 2},
        (*LOBBY, START),
        meanwhile={5: (c.Abandon(),)},
    ),
)
"""The classic game and what differs from it in its end alone."""

OTHERS: Final = (
    Playthrough(
        "tactics",
        {"ruleset": "tactics", "seats": 2, "pace": "untimed", **ONE_ROUND},
        (*LOBBY, START),
    ),
    Playthrough(
        "tactics-cheapest-row",
        {"ruleset": "tactics", "seats": 3, "row_policy": "fewest_bullheads", **ONE_ROUND},
        (*LOBBY, CY, START),
        seed=8,
    ),
    # Two drafts: the second seat picks first, then the first; plans are used, and end.
    Playthrough(
        "pro",
        {
            "ruleset": "pro",
            "seats": 2,
            "end": {"rounds": 2},
            "pace": {"turn_ms": None, "row_ms": None, "draft_ms": 5000},
            "first_drafter": 1,
            "rotate_drafter": True,
        },
        (*LOBBY, START),
        seed=9,
        then=(
            c.PlanPicks(0, 1, 2, (24, 23, 22)),
            c.PlanPicks(0, 1, 2, (24, 25)),
            c.Pick(0, 1, 2, 24),
            c.PlanPicks(1, 1, 3, (1,)),
            c.PlanPicks(1, 1, 1, (24, 12, 23)),
            c.Advance(),
        ),
        meanwhile={5: (c.Expire(),)},
    ),
    Playthrough(
        "pro-dealt-anew",
        {"ruleset": "pro", "seats": 2, "pace": "blitz", **ONE_ROUND},
        (*LOBBY, START),
        seed=10,
        late=9,
        then=(
            c.PlanPicks(1, 1, 2, (7, 8)),
            c.Pick(0, 1, 1, 24),
            c.Advance(),
            c.OpenVote("p_bo", "redeal"),
            c.CastBallot("p_ada", 1, "yes"),
        ),
    ),
    Playthrough(
        "jokers",
        {"ruleset": "jokers", "seats": 2, "pace": "untimed", **ONE_ROUND},
        (*LOBBY, START),
        seed=11,
    ),
    # All three Jokers lie in the first turn; two of them meet in a row, and the last of their owners is late.
    Playthrough(
        "jokers-together",
        {"ruleset": "jokers", "seats": 3, "pace": "blitz", "row_policy": "ahead", **ONE_ROUND},
        (*LOBBY, CY, START),
        seed=12,
        then=(
            c.LayCard(0, 1, 1, "J4", if_low="fewest_bullheads"),
            c.LayCard(0, 1, 1, "J4"),
            c.LayCard(1, 1, 1, "J3"),
            c.LayCard(2, 1, 1, "J7"),
            c.Advance(),
            c.ChooseRow(0, 1, 1, 1, "append"),
            c.ChooseRow(1, 1, 1, 1, "append"),
            c.Advance(),
            c.ChooseRow(0, 1, 1, 1, "append"),
            c.ChooseRow(0, 1, 1, 1),
            c.ChooseRow(0, 1, 1, 1, "take"),
            c.Advance(),
            c.Expire(),
        ),
    ),
    # A learning round, then the game, which begins at nothing.
    Playthrough(
        "learning",
        {"ruleset": "classic", "seats": 2, "learning_rounds": 1, "pace": "untimed", **ONE_ROUND},
        (*LOBBY, START),
        seed=13,
        then=(c.LayCard(1, 1, 1, 9),),
    ),
    Playthrough(
        "learning-only",
        {"ruleset": "classic", "seats": 3, "learning_rounds": 1, "learning_only": True, "pace": "blitz"},
        (*LOBBY, CY, START),
        seed=14,
        late=6,
        meanwhile={
            7: (c.OpenVote("p_ada", "pause"), c.CastBallot("p_bo", 1, "yes"), c.CastBallot("p_cy", 1, "yes"))
        },
    ),
)
"""Other rule sets, and rounds with open hands."""

PLAYTHROUGHS: Final = PRESETS + OTHERS
