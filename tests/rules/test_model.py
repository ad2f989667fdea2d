"""The engine beside a straightforward model of the printed rules, whatever anybody does at whatever table.

hypothesis picks the table and what is done next, legal or not; after each step both have the same cards in the same places,
ask the same of the same seats, and have accepted or refused the same.
"""

from __future__ import annotations

import random
from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import commands as c
from engine.cards import JOKERS
from engine.chance import Context
from engine.decide import act
from engine.decisions import current_decisions, open_decisions
from engine.errors import Refusal
from engine.game import Game
from engine.table import VoteKind
from engine.times import Millis
from tests.rules.model import Model
from tests.rules.model_asks import asked, requests, sorted_owed
from tests.rules.table import START, lobby
from tests.rules.twins import Dealt
from tests.searching import examples

CARDS: list[Any] = [*range(106), *JOKERS]
seats = st.integers(-1, 4)
near = st.sampled_from((0, 0, 0, 0, 0, 0, 1, -1))
"""How far off the answer to a decision is: mostly it is meant for the one that is open."""


kinds = st.sampled_from(get_args(VoteKind))
targets = st.sampled_from((None, None, None, 0, 1, 2, 4, -1))
plans = st.lists(st.integers(1, 26), max_size=4, unique=True) | st.lists(st.integers(0, 46), max_size=2)


class Tables(RuleBasedStateMachine):
    """One table, played by the engine and by the model."""

    game: Game
    model: Model
    now: int

    @initialize(
        asked=requests(),
        bots=st.lists(st.sampled_from(("human", "human", "bot", "house")), min_size=3),
        seed=st.integers(0, 99),
    )
    def open_table(self, asked: dict[str, Any], bots: list[str], seed: int) -> None:
        """People and bots sit down and begin."""
        kinds = ["human", *bots][: asked["seats"]]
        kinds += ["human"] * (asked["seats"] - len(kinds))
        self.chance, self.now = Dealt(seed), int(START)
        self.game = lobby(**asked)
        for number, kind in enumerate(kinds):
            join = c.JoinSeat(f"p{number}", "n", kind, number, accept_bots=True)  # type: ignore[arg-type]  # "house" is never joined
            self.do(c.SeatBot("p0", number, "random") if kind == "house" else join)
        self.do(c.StartGame("p0"))
        self.model = Model(asked, kinds, self.decks, self.now)

    def decks(self, number: int, attempt: int, highest: int) -> tuple[list[Any], list[Any]]:
        """The decks of a round, as chance has them for the engine."""
        numbers = self.chance.deck("", number, attempt, (), highest)
        return list(numbers), list(self.chance.jokers("", number, attempt, ()))

    def do(self, command: c.Command) -> bool:
        """Let the engine carry a command out; whether it was accepted."""
        try:
            self.game, _ = act(self.game, command, Context(Millis(self.now), self.chance))
        except Refusal:
            return False
        return True

    def place(self, off: int = 0) -> tuple[int, int, int]:
        """The round, the attempt and the turn that are played, or one beside."""
        return self.model.round, self.model.attempt, self.model.turn + off

    @rule(number=seats, card=st.sampled_from(CARDS), off=near, ahead=st.booleans())
    def lay_any(self, number: int, card: Any, off: int, ahead: bool) -> None:
        """Some seat lays some card."""
        self.lay(number, card, off, "fewest_bullheads" if ahead else None)

    def lay(self, number: int, card: Any, off: int, if_low: Any) -> None:
        """A seat lays a card, in both."""
        played, attempt, turn = self.place(off)
        accepted = self.do(c.LayCard(number, played, turn, card, attempt, if_low))
        assert accepted is self.model.lay(number, (played, attempt, turn), card, if_low)

    @rule(number=seats, row=st.integers(-1, 4), mode=st.sampled_from((None, "append", "take")), off=near)
    def choose_any(self, number: int, row: int, mode: Any, off: int) -> None:
        """Some seat chooses some row in some way."""
        played, attempt, turn = self.place(off)
        accepted = self.do(c.ChooseRow(number, played, turn, row, mode, attempt))
        assert accepted is self.model.choose(number, (played, attempt, turn), row, mode)

    @precondition(lambda self: self.model.phase == "draft")
    @rule(number=seats, off=near, card=st.sampled_from(CARDS))
    def pick_any(self, number: int, off: int, card: Any) -> None:
        """Some seat picks some card."""
        played, attempt, turn = self.place()
        pick = self.model.picks + 1 + off
        accepted = self.do(c.Pick(number, played, pick, card, attempt))
        assert accepted is self.model.pick(number, (played, attempt, turn), pick, card)

    @precondition(lambda self: self.model.phase == "draft")
    @rule(ahead=st.integers(0, 3), off=near, cards=plans)
    def plan_any(self, ahead: int, off: int, cards: list[int]) -> None:
        """Some seat says what it wants to pick."""
        played, attempt, turn = self.place()
        number, pick = self.model.drafter(ahead + off), self.model.picks + 1 + ahead
        accepted = self.do(c.PlanPicks(number, played, pick, tuple(cards), attempt))
        assert accepted is self.model.plan(number, (played, attempt, turn), pick, cards)

    @rule(number=st.integers(0, 3), kind=kinds, about=targets)
    def open_vote(self, number: int, kind: Any, about: int | None) -> None:
        """Some player opens some vote."""
        accepted = self.do(c.OpenVote(f"p{number}", kind, about))
        assert accepted is self.model.open_vote(number, kind, about)

    @rule(number=seats, off=near, choice=st.sampled_from(("yes", "yes", "yes", "no")))
    def cast_any(self, number: int, off: int, choice: Any) -> None:
        """Some player answers some vote."""
        vote = self.model.votes + off
        accepted = self.do(c.CastBallot(f"p{number}", vote, choice))
        assert accepted is self.model.ballot(number, vote, choice)

    @precondition(lambda self: self.model.vote is not None)
    @rule()
    def agree(self) -> None:
        """Everybody says yes."""
        vote = self.model.votes
        for number in range(len(self.model.seats)):
            accepted = self.do(c.CastBallot(f"p{number}", vote, "yes"))
            assert accepted is self.model.ballot(number, vote, "yes")

    @rule(kind=kinds, about=targets)
    def agree_on(self, kind: Any, about: int | None) -> None:
        """Somebody opens a vote, and everybody says yes to whatever vote is open then."""
        self.open_vote(min(self.model.people(), default=0), kind, about)
        if self.model.vote is not None:
            self.agree()

    @rule(number=seats)
    def go_away(self, number: int) -> None:
        """Some player steps away."""
        assert self.do(c.GoAway(f"p{number}")) is self.model.away(number)

    @rule(number=seats)
    def come_back(self, number: int) -> None:
        """Some player returns."""
        assert self.do(c.Return(f"p{number}")) is self.model.back(number)

    @rule(number=seats, sure=st.integers(0, 3))
    def resign(self, number: int, sure: int) -> None:
        """Some player gives the seat up, now and then."""
        if sure == 0:
            assert self.do(c.Resign(f"p{number}")) is self.model.resign(number)

    @rule(sure=st.integers(0, 5))
    def leave(self, sure: int) -> None:
        """All people give their seats up, now and then."""
        for number in sorted(self.model.people()) if sure == 0 else ():
            self.resign(number, 0)

    @rule(number=st.integers(0, 3))
    def play_for(self, number: int) -> None:
        """The service plays for some seat, if it is a house bot's."""
        keys = [decision.key for decision in current_decisions(self.game) if decision.seat == number]
        for key in keys[:1]:
            if self.do(c.PlayFor(key)):
                self.model.play_for(number)

    @rule(ms=st.sampled_from((0, 1, 2999, 3000, 5000, 40_000, 24 * 3_600_000)))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.now += ms
        self.model.now = self.now

    @rule()
    def advance(self) -> None:
        """The service does what is due."""
        assert self.do(c.Advance())
        self.model.settle()

    @rule()
    def expire(self) -> None:
        """The service looks for what is late."""
        assert self.do(c.Expire())
        self.model.expire()

    @rule()
    def be_late(self) -> None:
        """Time passes until somebody is late, and the service looks."""
        limits = [self.model.limit(number) for kind, number, _ in self.model.owed() if kind != "ballot"]
        self.wait(max(0, min((limit for limit in limits if limit is not None), default=0) - self.now))
        self.expire()

    @rule(seed=st.integers(0, 2**16), count=st.integers(1, 12))
    def play_on(self, seed: int, count: int) -> None:
        """Some answers, all of them legal or late, and what is due after each."""
        luck = random.Random(seed)
        for _ in range(count):
            asked = [one for one in self.model.owed() if one[0] != "ballot"]
            if not asked:
                return
            kind, number, legal = luck.choice(asked)
            if luck.random() < (0.3 if kind == "row" else 0.05):
                self.be_late()
            else:
                self.answer(luck, kind, number, legal)
            self.advance()
            self.same()

    def answer(self, luck: random.Random, kind: str, number: int, legal: Any) -> None:
        """One legal answer by the model's list, which both accept."""
        if kind == "card":
            card = luck.choice(legal)
            if_low = (
                "fewest_bullheads"
                if self.game.options.row_policy == "ahead" and isinstance(card, int)
                else None
            )
            self.lay(number, card, 0, luck.choice((None, if_low)))
            assert number in self.model.laid
        elif kind == "row":
            row = luck.randrange(4)
            self.choose_any(number, row, luck.choice(legal[row]), 0)
            assert self.model.chosen is not None
        else:
            self.pick_any(number, 0, luck.choice(legal))

    @invariant()
    def same(self) -> None:
        """Both stand alike."""
        game, model = self.game, self.model
        assert game.status == model.status
        assert (game.round, game.attempt, game.turn) == self.place()
        assert [list(row) for row in game.rows] == model.rows
        assert [sorted(hand, key=str) for hand in game.hands] == [
            sorted(hand, key=str) for hand in model.hands
        ]
        assert [sorted(pile, key=str) for pile in game.piles] == [
            sorted(pile, key=str) for pile in model.piles
        ]
        assert list(game.totals) == model.totals
        assert [(place.rank, place.total_bullheads) for place in game.standings] == model.ranks
        assert [asked(decision) for decision in open_decisions(game)] == sorted_owed(model)
        assert [(seat.controller, seat.timeouts, seat.bank_ms) for seat in game.taken] == [
            ("house" if seat.house else "policy" if seat.away else "player", seat.timeouts, seat.bank)
            for seat in model.seats
        ]
        assert (game.vote is not None) is (model.vote is not None)
        if game.vote and model.vote:
            ballots = {number: cast.choice for number, cast in enumerate(game.vote.ballots) if cast}
            assert (game.vote.number, ballots) == (model.vote.number, model.vote.ballots)


TestTables = Tables.TestCase
TestTables.settings = examples(800)
