"""Scripted players over HTTP: they lay whatever card comes to mind, sometimes twice, and keep every receipt."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from take5.client import ApiProblem, Client, Decision


@dataclass(frozen=True, slots=True)
class Table:
    """A game to be played: how many seats, and which of them are house bots of which level."""

    seats: int
    bots: dict[int, str]
    options: dict[str, Any] = field(default_factory=dict)


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
        host = self._sign_up("host")
        options = {"ruleset": "classic", "pace": "untimed", "seats": self.table.seats, **self.table.options}
        self.game = host.create_game(**options, seat_me=bool(people), accept_bots=bool(people))["id"]
        for seat, level in self.table.bots.items():
            host.seat_bot(self.game, seat, level)
        for seat in people[1:]:
            self._sign_up(f"player {seat}").join(self.game, seat=seat, accept_bots=True)
        host.start(self.game)

    def _sign_up(self, name: str) -> Client:
        client = Client.signed_up(self.url, name, "bot", patience_s=self.patience_s)
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
            for decision in client.decisions(game=self.game, wait=2):
                self._answer(client, decision, chance)

    def _answer(self, client: Client, decision: Decision, chance: random.Random) -> None:
        if decision.kind == "card":
            answer = {"card": chance.choice(decision.cards)}
        else:
            answer = {"row": chance.randrange(len(decision.rows))}
        try:
            for _ in range(2 if chance.random() < 0.1 else 1):
                began = time.perf_counter()
                receipt = client.answer(decision, **answer)
                took_s = time.perf_counter() - began
                self.answered.append(Answered(self.game, decision.key, answer, receipt, took_s))
                self.on_answer()
        except ApiProblem as problem:
            self.refused.append(f"{self.game} {decision.key} {answer}: {problem}")
