"""How a round goes by in the model, as the printed rules tell it."""

from __future__ import annotations

from typing import Any

from tests.rules.model_cards import DAY_MS, MINUTE_MS, Vote, cheapest, closest, heads, value
from tests.rules.model_table import Decks, Table


class Play(Table):
    """The table, from the start of its game, and all that happens there without anybody choosing."""

    def __init__(self, request: dict[str, Any], kinds: list[str], decks: Decks, now: int) -> None:
        super().__init__(request, kinds, decks, now)
        self.settle()

    def settle(self) -> None:
        """Do all that nobody has to choose."""
        self._agree()
        while self.status == "playing" and self._step():
            self._agree()
        self._agree()

    def _step(self) -> bool:
        """One thing that follows from the rules; whether there was one."""
        if self.phase == "between":
            return self._next_round()
        if self.phase == "draft":
            return self._draft()
        if self.phase == "lay":
            return self._lay_or_reveal()
        if self.phase in ("place", "choose"):
            return self._place()
        return False

    def _next_round(self) -> bool:
        learned = self.asked["learning_rounds"]
        end = self.asked.get("end", self.rules["end"])
        done = self.round - learned
        if self.asked["learning_only"]:
            is_over = self.round == learned
        elif "rounds" in end:
            is_over = done >= end["rounds"]
        elif end["when"] == "reached":
            is_over = done > 0 and max(self.totals) >= end["points"]
        else:
            is_over = done > 0 and max(self.totals) > end["points"]
        if is_over:
            self.status, self.phase = "finished", "over"
            if not self.asked["learning_only"]:
                self.ranks = [
                    (1 + sum(other < total for other in self.totals), total) for total in self.totals
                ]
            return False
        self._deal(self.round + 1, 0)
        return True

    def _deal(self, number: int, attempt: int) -> None:
        seats = len(self.seats)
        self.round, self.attempt, self.turn = number, attempt, 0
        self.laid, self.queue, self.chosen, self.caller, self.plans = {}, [], None, None, {}
        self.piles = [[] for _ in range(seats)]
        self.rows, self.hands, self.pool = [], [[] for _ in range(seats)], []
        if self.rules.get("draft"):
            self.phase, self.pool = "draft", list(range(1, self.highest + 1))
            self._wait_for(self.pick_ms)
            return
        numbers, jokers = self.decks(number, attempt, self.highest)
        for seat in range(seats):
            self.hands[seat] = numbers[10 * seat : 10 * seat + 10]
            if self.rules.get("jokers"):
                self.hands[seat].append(jokers[seat])
        self.rows = [[card] for card in numbers[10 * seats : 10 * seats + 4]]
        self._open_turn()

    def _draft(self) -> bool:
        if self.picks == 10 * len(self.seats):
            self.rows = [[card] for card in sorted(self.pool)]
            self.pool = []
            self._open_turn()
            return True
        number = self.drafter()
        wanted = [card for card in self.plans.get(number, []) if card in self.pool]
        if not wanted or self.seats[number].house:
            return False
        # A plan is an answer that was given before, also where its seat is away by now.
        self._pick(number, wanted[0])
        return True

    def _open_turn(self) -> None:
        self.phase, self.turn, self.laid = "lay", self.turn + 1, {}
        self.caller = None
        self._wait_for(None if self.open else self.turn_ms)

    def _lay_or_reveal(self) -> bool:
        seats = len(self.seats)
        if len(self.laid) == seats:
            for number, (card, _) in self.laid.items():
                self.hands[number].remove(card)
            self.queue = sorted(
                ((card, number) for number, (card, _) in self.laid.items()), key=lambda one: value(one[0])
            )
            self.phase = "place"
            return True
        is_last = len(self.hands[0]) == 1 and self.asked["auto_last_card"]
        if self.open and self.caller is None:
            clockwise = [(self.turn - 1 + place) % seats for place in range(seats)]
            self.caller = next(number for number in clockwise if number not in self.laid)
            self._wait_for(self.turn_ms)
            return True
        if not is_last:
            return False
        for number in [self.caller] if self.caller is not None else range(seats):
            if number not in self.laid:
                self._lay(number, self.hands[number][0])
        return True

    def _place(self) -> bool:
        if not self.queue:
            return self._end_turn()
        card, number = self.queue[0]
        row = closest(self.rows, card)
        if row is not None:
            self._put(row, "take" if len(self.rows[row]) == 5 else "append")
            return True
        if self.phase == "place":
            self.phase, self.chosen = "choose", None
            self._wait_for(self.row_ms)
            policy, said = self.asked["row_policy"], self.laid[number][1]
            if not isinstance(card, str) and (policy == "fewest_bullheads" or (policy == "ahead" and said)):
                self.chosen = cheapest(self.rows, [0, 1, 2, 3]), "take"
                if policy == "ahead" and not self.seats[number].house and not self.seats[number].away:
                    self.seats[number].late = 0
        if self.chosen is None:
            return False
        row, mode = self.chosen
        self.phase, self.chosen = "place", None
        self._put(row, mode)
        return True

    def _put(self, row: int, mode: str) -> None:
        card, number = self.queue.pop(0)
        if mode == "take":
            self.piles[number] += self.rows[row]
            self.rows[row] = []
        self.rows[row].append(card)

    def _end_turn(self) -> bool:
        if self.hands[0]:
            self._open_turn()
            return True
        if not self.open:
            for number, pile in enumerate(self.piles):
                self.totals[number] += heads(pile)
        self.phase = "between"
        return True

    def _agree(self) -> None:
        """Close the vote when it is decided, or about nothing any more, and do what was agreed."""
        vote = self.vote
        if vote is None:
            return
        ballots = [vote.ballots.get(number) for number in self.voters()]
        moot = (
            not ballots
            or self.is_over
            or (vote.kind == "redeal" and vote.place != (self.round, self.attempt))
            or (vote.kind == "replace" and self._is_settled(vote.target or 0))
            or (vote.kind == "pause" and self.status == "paused")
            or (vote.kind == "resume" and self.status != "paused")
        )
        if moot:
            self.vote = None
            self.next_vote = self.now
        elif "no" in ballots:
            self._fail()
        elif None not in ballots:
            self.vote = None
            self.next_vote = self.now
            self._do(vote)

    def _is_settled(self, target: int) -> bool:
        return self.seats[target].house or self._is_put_out_alone(target)

    def _is_put_out_alone(self, target: int) -> bool:
        asked = any(one == target for _, one, _ in self.owed())
        is_missed = asked and self.waits_since + DAY_MS <= self.now
        return len(self.people() - {target}) < 2 and not self.seats[target].away and not is_missed

    def _fail(self) -> None:
        self.vote = None
        self.next_vote = self.now + MINUTE_MS

    def _do(self, vote: Vote) -> None:
        if vote.kind == "abandon":
            self.status, self.phase = "abandoned", "over"
        elif vote.kind == "pause":
            self.status, self.paused_at = "paused", self.now
        elif vote.kind == "resume":
            self._resume()
        elif vote.kind == "replace":
            self._to_house(self.seats[vote.target or 0])
        else:
            self._deal(self.round, self.attempt + 1)

    def _resume(self) -> None:
        self.status = "playing"
        self.waits_since += self.now - self.paused_at
        if self.deadline is not None:
            self.deadline += self.now - self.paused_at

    def _lay(self, number: int, card: Any, if_low: Any = None) -> None:
        self.laid[number] = card, if_low
        self.caller = None

    def _pick(self, number: int, card: Any, *, own: bool = True) -> None:
        if own:
            self._in_time(number)
        self.pool.remove(card)
        self.hands[number].append(card)
        self._wait_for(self.pick_ms)
