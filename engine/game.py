"""A game as it stands: frozen state, from which the rules go on. `engine.evolve` is the one way it changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine import events as e
from engine.cards import TENTHS, Card, bullheads
from engine.options import IfLow, Options
from engine.outcome import Standing
from engine.players import ActorKind, By, Seat
from engine.rows import Mode, Modes, Rows, Why
from engine.rulesets import RULESETS, RuleSet
from engine.table import Ballot, Table, VoteKind
from engine.times import Millis

Status: TypeAlias = Literal["lobby", "playing", "paused", "finished", "abandoned"]
Phase: TypeAlias = Literal[
    "lobby",
    "between",
    "deal",
    "draft",
    "turn",
    "call",
    "lay_card",
    "place",
    "choose_row",
    "score",
    "scored",
    "voided",
    "redeal",
    "seal",
    "over",
]
"""What the game waits for, or what is due next. Clients see `draft`, `lay_card` and `choose_row`, the phases that wait."""


class Laid(NamedTuple):
    """A card face down, with the seq and the moment of its event."""

    card: Card
    seq: int
    at: Millis
    if_low: IfLow | None = None


class Plan(NamedTuple):
    """What a seat wants in the draft, the dearest first, with the seq and the moment of its event."""

    cards: tuple[Card, ...]
    seq: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Request:
    """A row choice that is asked for: whose, for which card, from what."""

    seat: int
    card: Card
    why: Why
    rows: Modes
    opened_at: Millis
    deadline: Millis | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row choice that was made and waits to be carried out."""

    row: int
    mode: Mode
    seq: int
    at: Millis


class Cast(NamedTuple):
    """A ballot, with the seq and the moment of its event."""

    choice: Ballot
    seq: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote that is open: its number in the game, what it is about, and the ballot of each seat that has cast one.

    `round` and `attempt` are those in which it was opened.
    """

    number: int
    kind: VoteKind
    seat: int
    target: int | None
    round: int
    attempt: int
    opened_at: Millis
    deadline: Millis
    ballots: tuple[Cast | None, ...]


@dataclass(frozen=True)
class Game:
    """Everything the rules need to go on, and nothing that cannot be folded from the log.

    `seq` is the number of events so far. `seats` has an entry a seat, None while it is free. Hands are ascending; `piles`
    are the captured cards of this round, `totals` the bullheads of the rounds before it. `plays` are the revealed cards
    of this turn in placing order, `queue` those not placed yet. `pool` are the cards that can still be drafted, `order` the
    seats of one pass. `called` is the seat that lays next at an open table. `overdue` are the seats that have just been late
    too often. `votes` counts the votes so far; none may be opened before `next_vote_at`. `at` is the moment of the last
    event: the next one is not earlier.
    """

    id: str
    options: Options
    seed_commit: str
    host: str
    created_at: Millis
    seats: tuple[Seat | None, ...]
    seq: int = 1
    status: Status = "lobby"
    phase: Phase = "lobby"
    round: int = 0
    attempt: int = 0
    turn: int = 0
    round_commit: str = ""
    dealt_seq: int = 0
    opened_at: Millis = Millis(0)
    deadline: Millis | None = None
    rows: Rows = ()
    hands: tuple[tuple[Card, ...], ...] = ()
    laid: tuple[Laid | None, ...] = ()
    plays: tuple[e.Play, ...] = ()
    queue: tuple[e.Play, ...] = ()
    request: Request | None = None
    chosen: Chosen | None = None
    piles: tuple[tuple[Card, ...], ...] = ()
    totals: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()
    table: Table = "hidden"
    called: int | None = None
    explanations: tuple[e.CardExplained, ...] = ()
    pool: tuple[Card, ...] = ()
    order: tuple[int, ...] = ()
    plans: tuple[Plan | None, ...] = ()
    overdue: tuple[int, ...] = ()
    vote: Vote | None = None
    votes: int = 0
    next_vote_at: Millis = Millis(0)
    paused_at: Millis = Millis(0)
    paused_until: Millis | None = None
    rematch_of: str | None = None
    kept: tuple[str | None, ...] = ()
    kept_until: Millis | None = None
    at: Millis = Millis(0)

    @property
    def rules(self) -> RuleSet:
        """The rule set the game is played by."""
        return RULESETS[self.options.ruleset]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or without."""
        return self.status in ("finished", "abandoned")

    @property
    def is_running(self) -> bool:
        """Whether the game has started and has not ended."""
        return self.status in ("playing", "paused")

    @property
    def round_bullheads(self) -> tuple[int, ...]:
        """Bullheads captured in this round, per seat."""
        return tuple([bullheads(pile) for pile in self.piles])

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The seats that are taken, in order; all of them once the game has started."""
        return tuple([seat for seat in self.seats if seat])

    @property
    def scored_rounds(self) -> int:
        """The rounds so far that count."""
        return max(0, self.round - self.options.learning_rounds)

    @property
    def picks(self) -> int:
        """The cards that were picked in the draft so far."""
        return sum(map(len, self.hands))

    @property
    def is_drafted(self) -> bool:
        """Whether every seat has picked its whole hand."""
        return self.picks == self.rules.dealt * len(self.seats)

    @property
    def drafter(self) -> int:
        """The seat that picks next in the draft."""
        return self.order[self.picks % len(self.order)]

    def seat_of(self, player: str) -> int | None:
        """The seat that a player answers for, or may answer for on return; None also for who resigned or was replaced."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player == player and seat.level is None:
                return number
        return None

    def bank_of(self, seat: int) -> int:
        """What is left of a seat's time bank, in milliseconds; none while somebody else answers for the seat."""
        holder = self.seats[seat]
        return holder.bank_ms if holder and holder.controller == "player" else 0

    def bank_used(self, seat: int, deadline: Millis | None, now: Millis) -> int:
        """What an answer of a seat takes from its bank, which until `deadline` is nothing."""
        return 0 if deadline is None else min(max(0, now - deadline), self.bank_of(seat))

    def actor(self, seat: int) -> By:
        """Who answers when the seat answers by itself: its holder, or the house bot that plays it."""
        holder = self.seats[seat]
        if holder is None or (holder.level is None and holder.kind == "human"):
            return By("player", seat)
        kind: ActorKind = "house" if holder.level is not None else "bot"
        return By(kind, seat)

    def voters(self) -> tuple[int, ...]:
        """The seats whose agreement an open vote needs: every seated person, but for the one it would replace."""
        target = self.vote.target if self.vote else None
        return tuple(
            number
            for number, seat in enumerate(self.seats)
            if seat and seat.kind == "human" and seat.level is None and number != target
        )


def laid_in_order(game: Game) -> tuple[e.Play, ...]:
    """The laid cards in the order they will be placed: ascending, Jokers first."""
    plays = [e.Play(seat, laid.card) for seat, laid in enumerate(game.laid) if laid]
    return tuple(sorted(plays, key=_tenths))


def _tenths(play: e.Play) -> int:
    return TENTHS[play.card]
