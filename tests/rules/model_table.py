"""The table of the model: what stands on it, and what is asked of whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.rules.model_cards import RULES, Seat, Vote, modes

Decks = Callable[[int, int, int], tuple[list[Any], list[Any]]]
"""The number cards up to a highest and the Jokers, in the order in which a round and attempt deal them."""


class Table:
    """The table as it stands: its seats, its cards, what is asked, and until when."""

    def __init__(self, request: dict[str, Any], kinds: list[str], decks: Decks, now: int) -> None:
        self.asked, self.rules, self.decks, self.now = request, RULES[request["ruleset"]], decks, now
        pace = request["pace"]
        self.turn_ms, self.row_ms = pace["turn_ms"], pace["row_ms"]
        self.pick_ms = pace.get("draft_ms") or self.turn_ms
        self.seats = [
            Seat(kind, kind == "house", 0 if kind == "house" else pace.get("bank_ms", 0)) for kind in kinds
        ]
        self.status, self.phase = "playing", "between"
        self.round = self.attempt = self.turn = self.votes = self.next_vote = 0
        self.vote: Vote | None = None
        self.paused_at = 0
        self.totals = [0] * len(kinds)
        self.ranks: list[tuple[int, int]] = []
        self.rows: list[list[Any]] = []
        self.hands: list[list[Any]] = []
        self.piles: list[list[Any]] = []
        self.laid: dict[int, tuple[Any, Any]] = {}
        self.queue: list[tuple[Any, int]] = []
        self.chosen: tuple[int, str] | None = None
        self.caller: int | None = None
        self.pool: list[Any] = []
        self.plans: dict[int, list[Any]] = {}
        self.deadline: int | None = None
        self.waits_since = now

    @property
    def open(self) -> bool:
        """Whether this is a learning round."""
        return bool(self.round <= self.asked["learning_rounds"])

    @property
    def highest(self) -> int:
        """The highest number card in play."""
        return 10 * len(self.seats) + 4 if self.rules.get("small") else 104

    @property
    def picks(self) -> int:
        """How many cards were picked."""
        return sum(map(len, self.hands))

    def drafter(self, ahead: int = 0) -> int:
        """The seat that picks next, or after so many more picks."""
        first: int = self.asked.get("first_drafter", 0)
        first += self.round - 1 if self.asked.get("rotate_drafter") else 0
        return (first + self.picks + ahead) % len(self.seats)

    def people(self) -> set[int]:
        """The seats that people hold."""
        return {number for number, seat in enumerate(self.seats) if seat.kind == "human" and not seat.house}

    def voters(self) -> list[int]:
        """The seats whose yes the open vote needs."""
        return sorted(self.people() - {self.vote.target if self.vote else None})

    def owed(self) -> list[tuple[str, int, Any]]:
        """What is asked of whom, and from what they may choose."""
        asked: list[tuple[str, int, Any]] = []
        if self.status == "playing" and self.phase == "lay":
            callers = range(len(self.seats)) if not self.open else [self.caller]
            asked += [
                ("card", one, self.hands[one]) for one in callers if one is not None and one not in self.laid
            ]
        if self.status == "playing" and self.phase == "choose" and self.chosen is None:
            asked.append(("row", self.queue[0][1], modes(self.rows, self.queue[0][0])))
        if self.status == "playing" and self.phase == "draft" and self.picks < 10 * len(self.seats):
            asked.append(("pick", self.drafter(), self.pool))
        if self.vote:
            asked += [("ballot", number, []) for number in self.voters() if number not in self.vote.ballots]
        return asked

    def limit(self, number: int) -> int | None:
        """When a seat is late: its bank comes on top of the deadline, while it answers itself."""
        seat = self.seats[number]
        if self.deadline is None:
            return None
        return self.deadline + (0 if seat.house or seat.away else seat.bank)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status in ("finished", "abandoned")

    def _wait_for(self, ms: int | None) -> None:
        self.waits_since = self.now
        self.deadline = None if ms is None else self.now + ms

    @staticmethod
    def _to_house(seat: Seat) -> None:
        seat.house, seat.away, seat.late, seat.bank = True, False, 0, 0

    def _in_time(self, number: int) -> None:
        """A seat has answered itself: what it took beyond the deadline is taken from its bank."""
        seat = self.seats[number]
        if not seat.house and not seat.away:
            seat.late = 0
            self._use_bank(seat)

    def _use_bank(self, seat: Seat) -> None:
        if self.deadline is not None and not seat.house and not seat.away:
            seat.bank -= min(seat.bank, max(0, self.now - self.deadline))
