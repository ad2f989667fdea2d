"""People and programs as a public service meets them: quick, slow, silent, leaving, coming back, voting, only watching."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from take5.client import ApiProblem, Client, Decision, Unreachable

HABITS = ("steady", "steady", "slow", "silent", "leaves", "comes and goes", "votes", "away at times")
OVERTAKEN = frozenset(
    {
        "already_answered",
        "decision_closed",
        "decision_not_found",
        "decision_not_open",
        "game_not_playing",
        "game_over",
        "game_paused",
        "no_row_choice",
        "not_a_voter",
        "not_seated",
        "not_your_pick",
        "vote_not_possible",
        "vote_open",
        "vote_too_soon",
    }
)
"""What a guest may be told who was overtaken by somebody, or by the clock."""


def options(chance: random.Random) -> dict[str, Any]:
    """A table of any rule set with short times and few rounds."""
    ruleset = chance.choice(["classic", "take5-us-2018", "tactics", "pro", "jokers", "three-rounds"])
    pace: dict[str, Any] = {
        "turn_ms": chance.choice([1_500, 3_000]),
        "row_ms": 1_500,
        "bank_ms": chance.choice([0, 4_000]),
    }
    wanted: dict[str, Any] = {
        "ruleset": ruleset,
        "seats": chance.randint(2, 6),
        "end": {"rounds": chance.randint(1, 2)},
        "pace": pace,
        "recommit": chance.random() < 0.2,
        "row_policy": chance.choice(["ask", "ask", "ahead", "fewest_bullheads"]),
        "visibility": chance.choice(["listed", "unlisted", "private"]),
        "accept_bots": True,
    }
    if ruleset == "classic" and chance.random() < 0.3:
        wanted["learning_rounds"] = 1
    return wanted


KNOCK_S = 30.0
"""How long guests try to reach a service that may just be starting again."""
GONE_WITHIN_S = 40.0
"""How long whoever holds a request may take to notice that all are to go."""


@dataclass(slots=True)
class Sitting:
    """A game and all who have to do with it, each in a thread, until it is over or everybody is told to stop."""

    url: str
    chance: random.Random
    game: str = ""
    over: Event = field(default_factory=Event)
    wrong: list[str] = field(default_factory=list)
    answers: int = 0
    eye: Client | None = None
    _threads: list[Thread] = field(default_factory=list)

    def begin(self) -> None:
        """Open the table, fill it, start it."""
        chance, wanted = self.chance, options(self.chance)
        host = Client.signed_up(self.url, "host", knock_s=KNOCK_S)
        self.eye = Client(self.url, host.token, knock_s=KNOCK_S)
        opened = host.create_game(**wanted)
        self.game = opened["id"]
        people: list[tuple[Client, str]] = [(host, chance.choice(HABITS))]
        for seat in range(1, wanted["seats"]):
            if chance.random() < 0.35:
                host.seat_bot(self.game, seat, chance.choice(["random", "lowest_risk"]))
            else:
                guest = Client.signed_up(
                    self.url, f"guest {seat}", chance.choice(["human", "bot"]), knock_s=KNOCK_S
                )
                guest.join(self.game, seat=seat, accept_bots=True, code=opened["join_code"])
                people.append((guest, chance.choice(HABITS)))
        host.start(self.game)
        for number, (client, habit) in enumerate(people):
            self._let(self._play, client, habit, random.Random(f"{self.game}/{number}"))
        if wanted["visibility"] != "private" and chance.random() < 0.4:
            self._let(self._watch)

    def _let(self, do: Callable[..., None], *args: Any) -> None:
        thread = Thread(target=self._guarded, args=(do, *args), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _guarded(self, do: Callable[..., None], *args: Any) -> None:
        try:
            do(*args)
        except (ApiProblem, Unreachable) as error:
            self.wrong.append(f"{self.game}: {do.__name__} met {error}")

    @property
    def is_over(self) -> bool:
        """Whether the game is."""
        return self.eye is not None and self.eye.game(self.game)["status"] not in ("playing", "paused")

    def leave(self) -> None:
        """Have everybody go, and wait until they have: all but who watches a game in which nothing happens any more."""
        self.over.set()
        patience_s = None if self.is_over else GONE_WITHIN_S
        for thread in self._threads:
            thread.join(patience_s)
        if self.eye:
            self.eye.close()

    def _play(self, client: Client, habit: str, chance: random.Random) -> None:
        given, token = 0, client.token
        while not self.over.is_set() and client.game(self.game)["status"] in ("playing", "paused"):
            if habit == "silent":
                self.over.wait(2)
                continue
            if habit == "votes" and chance.random() < 0.05:
                self._try(client.vote, self.game, chance.choice(["redeal", "pause", "resume"]))
            if habit == "away at times" and chance.random() < 0.1:
                self._try(client.away, self.game)
            for decision in client.decisions(game=self.game, wait=2):
                if habit == "slow":
                    self.over.wait(chance.choice([0.2, 1.6, 3.0]))
                given += self._answer(client, decision, chance)
            if habit == "leaves" and given >= 4:
                self._try(client.resign, self.game)
                return
            if habit == "comes and goes" and chance.random() < 0.3:
                client.close()
                client = Client(self.url, token, knock_s=KNOCK_S)
        client.close()

    def _try(self, ask: Callable[..., Any], *args: Any) -> bool:
        try:
            ask(*args)
        except ApiProblem as problem:
            if problem.code not in OVERTAKEN:
                raise
            return False
        return True

    def _answer(self, client: Client, decision: Decision, chance: random.Random) -> bool:
        if decision.kind == "ballot":
            answer: dict[str, Any] = {"choice": chance.choice(["yes", "yes", "no"])}
        elif decision.kind == "row":
            rows = decision.view["pending"]["rows"]
            row = chance.choice([number for number, modes in enumerate(rows) if modes])
            answer = {"row": row, "mode": chance.choice(rows[row])}
        else:
            answer = {"card": chance.choice(decision.cards)}
        is_given = self._try(lambda: client.answer(decision, **answer))
        self.answers += is_given
        return is_given

    def _watch(self) -> None:
        """Follow the game without a token, and break off and come back every few messages."""
        after: str | None = None
        with Client(self.url, None, knock_s=KNOCK_S) as client:
            while not self.over.is_set():
                for number, message in enumerate(client.follow(self.game, after)):
                    after = message.id
                    if message.event == "end" or self.over.is_set():
                        return
                    if number >= 25:
                        break
