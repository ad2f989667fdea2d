"""Scripted players over HTTP: they give whatever answer comes to mind, sometimes twice, and keep every receipt."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, Final, Literal

from take5.client import ApiProblem, Client, Decision

TALKS: Final = 0.02
"""How often somebody does something else before an answer, where people talk."""
TOO_LATE: Final = frozenset(
    {"decision_closed", "decision_not_open", "decision_not_found", "game_paused", "game_over"}
)
"""What an answer may meet where people talk: the table has agreed on something else meanwhile."""
NOT_NOW: Final = TOO_LATE | {
    "not_a_voter",
    "not_seated",
    "vote_not_possible",
    "vote_open",
    "vote_too_soon",
}
"""What asking the others may meet."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game to be played: how many seats, and which of them are house bots of which level.

    Where they `talk`, people also vote, step away and give up, so that answers may come too late.
    """

    seats: int
    bots: dict[int, str]
    options: dict[str, Any] = field(default_factory=dict)
    talk: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that the service acknowledged, and how long that took in seconds."""

    game: str
    key: str
    answer: dict[str, Any]
    receipt: dict[str, Any]
    took_s: float


@dataclass(slots=True)
class Party:
    """Everybody at one table, each with a client and a thread; `refused` must stay empty.

    `on_answer` is called after each answer that the service acknowledged, by the thread of whoever gave it.
    """

    url: str
    table: Table
    seed: int
    on_answer: Callable[[], None] = lambda: None
    patience_s: float = 60.0
    game: str = ""
    clients: list[Client] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    over: Event = field(default_factory=Event)
    _threads: list[Thread] = field(default_factory=list)

    def sit_down(self) -> None:
        """Create the table, fill its seats and start the game."""
        people = [seat for seat in range(self.table.seats) if seat not in self.table.bots]
        host = self._sign_up("host", 0)
        options = {"ruleset": "classic", "pace": "untimed", "seats": self.table.seats, **self.table.options}
        self.game = host.create_game(**options, seat_me=bool(people), accept_bots=bool(people))["id"]
        for seat, level in self.table.bots.items():
            host.seat_bot(self.game, seat, level)
        for seat in people[1:]:
            self._sign_up(f"player {seat}", seat).join(self.game, seat=seat, accept_bots=True)
        host.start(self.game)

    def _sign_up(self, name: str, seat: int) -> Client:
        """Somebody new: two of three are people, the third is somebody's bot."""
        kind: Literal["human", "bot"] = "bot" if seat % 3 == 1 else "human"
        client = Client.signed_up(self.url, name, kind, patience_s=self.patience_s, knock_s=self.patience_s)
        self.clients.append(client)
        return client

    def begin(self) -> None:
        """Let everybody play, each in a thread, until the game is over."""
        players = enumerate(self.clients) if len(self.table.bots) < self.table.seats else ()
        self._threads = [
            Thread(target=self._play, args=(client, random.Random(f"{self.seed}/{number}")))
            for number, client in players
        ]
        for thread in self._threads:
            thread.start()

    def look(self) -> str:
        """The status of the game now."""
        status: str = self.clients[0].game(self.game)["status"]
        if status in ("finished", "abandoned"):
            self.over.set()
        return status

    def stop(self) -> None:
        """Have everybody stop, and wait until they have."""
        self.over.set()
        for thread in self._threads:
            thread.join()

    def leave(self) -> None:
        """Stop, and close the connections."""
        self.stop()
        for client in self.clients:
            client.close()

    def _play(self, client: Client, chance: random.Random) -> None:
        while not self.over.is_set():
            owed = client.decisions(game=self.game, wait=2)
            if self.table.talk and (not owed or chance.random() < TALKS):
                self._talk(client, chance)
            for decision in owed:
                self._answer(client, decision, chance)

    def _answer(self, client: Client, decision: Decision, chance: random.Random) -> None:
        answer = _anything(decision, chance)
        try:
            for _ in range(2 if chance.random() < 0.1 else 1):
                began = time.perf_counter()
                receipt = client.answer(decision, **answer)
                took_s = time.perf_counter() - began
                self.answered.append(Answered(self.game, decision.key, answer, receipt, took_s))
                self.on_answer()
        except ApiProblem as problem:
            if not self.table.talk or problem.code not in TOO_LATE:
                self.refused.append(f"{self.game} {decision.key} {answer}: {problem}")

    def _talk(self, client: Client, chance: random.Random) -> None:
        """Do something beside playing; in a pause, ask to go on."""
        try:
            if client.game(self.game)["status"] == "paused":
                client.vote(self.game, "resume")
                return
            match chance.random():
                case luck if luck < 0.3:
                    client.vote(self.game, "pause")
                case luck if luck < 0.5:
                    client.vote(self.game, "redeal")
                case luck if luck < 0.55:
                    client.resign(self.game)
                case _:
                    client.away(self.game)
        except ApiProblem as problem:
            if problem.code not in NOT_NOW:
                self.refused.append(f"{self.game}: {problem}")


def _anything(decision: Decision, chance: random.Random) -> dict[str, Any]:
    """Any legal answer; to a pick perhaps a plan, to a vote mostly a yes."""
    match decision.kind:
        case "card":
            card = chance.choice(decision.cards)
            may_choose_ahead = decision.view["rules"]["if_low"] and isinstance(card, int)
            ahead = {"if_low": "fewest_bullheads"} if may_choose_ahead and chance.random() < 0.5 else {}
            return {"card": card, **ahead}
        case "row":
            row = chance.randrange(len(decision.rows))
            return {"row": row, "mode": chance.choice(decision.rows[row])}
        case "pick" if chance.random() < 0.3:
            return {"plan": chance.sample(decision.cards, min(3, len(decision.cards)))}
        case "pick":
            return {"card": chance.choice(decision.cards)}
        case "ballot":
            is_redeal = decision.view["vote"]["kind"] == "redeal"
            return {"choice": "no" if is_redeal and chance.random() < 0.3 else "yes"}
