"""One table as the printed rules tell it, with lists and dicts, to compare the engine with; it shares no code with it.

Every method returns whether what is wanted is accepted, and does it then. What chance deals, it is told as decks.
"""

from __future__ import annotations

from typing import Any

from tests.rules.model_cards import DAY_MS, Seat, Vote, cheapest, modes, value
from tests.rules.model_play import Play


class Model(Play):
    """The table, and what anybody may do at it."""

    # Answers.

    def lay(self, number: int, place: tuple[int, int, int], card: Any, if_low: Any = None) -> bool:
        """A seat lays a card."""
        if not self._is_now(number, place):
            return False
        if self.laid.get(number) == (card, if_low):
            return self._back(number)
        if self.phase != "lay" or (self.open and number != self.caller):
            return False
        if (number in self.laid and not self.asked["recommit"]) or card not in self.hands[number]:
            return False
        if if_low and (self.asked["row_policy"] != "ahead" or isinstance(card, str)):
            return False
        self._back(number)
        if number not in self.laid:
            self._in_time(number)
        self._lay(number, card, if_low)
        return True

    def choose(self, number: int, place: tuple[int, int, int], row: int, mode: str | None) -> bool:
        """A seat chooses a row."""
        if not self._is_now(number, place) or self.phase != "choose":
            return False
        card, owner = self.queue[0]
        if owner != number or not 0 <= row < 4:
            return False
        legal = modes(self.rows, card)[row]
        if mode is None and not isinstance(card, str):
            mode = "take"
        if mode == "append" and isinstance(card, str) and len(self.rows[row]) == 5:
            mode = "take"
        if mode not in legal:
            return False
        if self.chosen is not None:
            return self.chosen == (row, mode) and self._back(number)
        self._back(number)
        self._in_time(number)
        self.chosen = row, mode
        return True

    def pick(self, number: int, place: tuple[int, int, int], pick: int, card: Any) -> bool:
        """A seat picks from the open deck."""
        if not self._is_pick(number, place, pick) or self.drafter() != number or card not in self.pool:
            return False
        self._back(number)
        self._pick(number, card)
        return True

    def plan(self, number: int, place: tuple[int, int, int], pick: int, cards: list[Any]) -> bool:
        """A seat says what it wants, the dearest first."""
        if not self._is_pick(number, place, pick):
            return False
        is_spent = number == self.drafter() and not {*cards} & {*self.pool}
        if self.plans.get(number) != cards or is_spent:
            known = all(isinstance(card, int) and 1 <= card <= self.highest for card in cards)
            if not known or len({*cards}) < len(cards) or not {*cards} & {*self.pool}:
                return False
            self.plans[number] = cards
        return self._back(number)

    def _is_now(self, number: int, place: tuple[int, int, int]) -> bool:
        return (
            self.status == "playing"
            and 0 <= number < len(self.seats)
            and place == (self.round, self.attempt, self.turn)
        )

    def _is_pick(self, number: int, place: tuple[int, int, int], pick: int) -> bool:
        if not self._is_now(number, place) or self.phase != "draft" or self.picks == 10 * len(self.seats):
            return False
        ahead = pick - self.picks - 1
        return 0 <= ahead < len(self.seats) and self.drafter(ahead) == number

    def _back(self, number: int) -> bool:
        """Whoever answers is not away any more."""
        seat = self.seats[number]
        if seat.away:
            seat.away, seat.late = False, 0
        return True

    # What players say beside the play.

    def seat_of(self, number: int) -> Seat | None:
        """The seat of a player, if it still is the player's."""
        is_player = 0 <= number < len(self.seats) and self.seats[number].kind != "house"
        return self.seats[number] if is_player and not self.seats[number].house else None

    def away(self, number: int) -> bool:
        """A player steps away."""
        seat = self.seat_of(number)
        if seat is None or self.is_over:
            return False
        if not seat.away:
            seat.away = True
            self.settle()
        return True

    def back(self, number: int) -> bool:
        """A player returns."""
        seat = self.seat_of(number)
        if seat is None or self.is_over:
            return False
        if seat.away:
            self._back(number)
            self.settle()
        return True

    def resign(self, number: int) -> bool:
        """A player gives the seat up."""
        seat = self.seat_of(number)
        if seat is None or self.is_over:
            return False
        self._to_house(seat)
        self.settle()
        return True

    def open_vote(self, number: int, kind: str, target: int | None) -> bool:
        """A player opens a vote."""
        seat = self.seat_of(number)
        if seat is None or self.is_over or not self.asked["votes"] or seat.kind != "human":
            return False
        if self.vote:
            return (self.vote.opener, self.vote.kind, self.vote.target) == (number, kind, target)
        if self.now < self.next_vote or (kind == "replace") != (target is not None):
            return False
        if (kind == "resume") != (self.status == "paused") and kind in ("resume", "pause", "redeal"):
            return False
        if target is not None and (not 0 <= target < len(self.seats) or target == number):
            return False
        if target is not None and (self.seats[target].house or self._is_put_out_alone(target)):
            return False
        self._back(number)
        self.votes += 1
        lasts = DAY_MS if self.turn_ms is None else max(30_000, self.turn_ms)
        place = self.round, self.attempt
        self.vote = Vote(self.votes, kind, number, target, place, self.now + lasts, {number: "yes"})
        self.settle()
        return True

    def ballot(self, number: int, vote: int, choice: str) -> bool:
        """A player answers a vote."""
        seat = self.seat_of(number)
        if seat is None or self.is_over or self.vote is None or self.vote.number != vote:
            return False
        if number not in self.voters() or self.vote.ballots.get(number, choice) != choice:
            return False
        is_news = seat.away or number not in self.vote.ballots
        self.vote.ballots[number] = choice
        self._back(number)
        if is_news:
            self.settle()
        return True

    # What the service does.

    def expire(self) -> bool:
        """What is over by now: a vote, a pause, the time of seats; and seats that are away, once only such are awaited."""
        if self.vote and self.vote.deadline <= self.now:
            self._fail()
            self.settle()
        elif self.status == "paused" and (self.paused_at + DAY_MS <= self.now or not self.people()):
            self._resume()
            self.settle()
        else:
            asked = [(kind, number) for kind, number, _ in self.owed() if kind != "ballot"]
            hurried = self._is_hurried([number for _, number in asked])
            late = [
                (kind, number)
                for kind, number in asked
                if self._is_late(number) or (self.seats[number].away and hurried)
            ]
            for kind, number in late:
                if kind != "pick" or not self._draft():
                    self._count(self.seats[number])
                    self._play_for(kind, number)
            for _, number in late:
                self._note_absence(self.seats[number])
            if late:
                self.settle()
        return True

    def play_for(self, number: int) -> None:
        """The table's policy answers for a house bot that has failed."""
        for kind, asked, _ in self.owed():
            if asked == number and kind != "ballot" and self.seats[number].house:
                self._play_for(kind, number)

    def _is_hurried(self, asked: list[int]) -> bool:
        """Whether only absent seats are asked: played at once for who waits, or because each has said that it goes."""
        most = self.asked["away_after_timeouts"]
        is_missed = most is not None and any(self.seats[number].late >= most for number in asked)
        waiting = any(not seat.house and not seat.away for seat in self.seats)
        return all(self.seats[number].away for number in asked) and (
            waiting or self.deadline is None or not is_missed
        )

    def _is_late(self, number: int) -> bool:
        limit = self.limit(number)
        return limit is not None and limit <= self.now

    def _count(self, seat: Seat) -> None:
        if not seat.away:
            self._use_bank(seat)
            seat.timeouts += 1
            seat.late += 1

    def _note_absence(self, seat: Seat) -> None:
        most = self.asked["away_after_timeouts"]
        if most is not None and seat.late >= most and not seat.house:
            seat.away = True

    def _play_for(self, kind: str, number: int) -> None:
        best = min if self.asked["on_timeout"] == "lowest_card" else max
        if kind == "card":
            self._lay(number, best(self.hands[number], key=value))
        elif kind == "pick":
            self._pick(number, best(self.pool), own=False)
        else:
            there = modes(self.rows, self.queue[0][0])
            appendable = [row for row in range(4) if "append" in there[row]]
            row = cheapest(self.rows, appendable or [0, 1, 2, 3])
            self.chosen = row, "append" if appendable else "take"
