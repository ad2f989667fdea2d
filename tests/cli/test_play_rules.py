"""`take5 play` by every rule set, and with other people at the table: what is asked, what is told, what may be typed."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from engine.rulesets import RULESETS
from engine.verify import verify
from take5.client import Client, Decision
from take5.person import Person

Word = str | type[BaseException] | Callable[[], str]


def legal(decision: Decision) -> str:
    """Something legal, as one would type it."""
    match decision.kind:
        case "card" | "pick":
            return str(decision.cards[0])
        case "row":
            return f"0 {decision.rows[0][0]}"
        case "ballot":
            return "yes"


class Table:
    """A table with ada at the terminal; whoever else is a person answers when ada waits, as `others` says."""

    def __init__(self, clients: list[Client], bots: int, **options: Any) -> None:
        ada = clients[0]
        self.seats = len(clients) + bots
        self.others = clients[1:]
        self.game: str = ada.create_game(
            **{"ruleset": "classic", "seats": self.seats, "end": {"rounds": 1}, "pace": "untimed", **options}
        )["id"]
        for client in self.others:
            client.join(self.game)
        for seat in range(len(clients), self.seats):
            ada.seat_bot(self.game, seat, "random")
        ada.start(self.game)
        self.ada = ada
        self.prompts: list[str] = []
        self._words: list[Word] = []
        self._screen = io.StringIO()
        self._events = ada.events
        ada.events = self._news  # type: ignore[method-assign]  # nobody else answers while ada waits in this process

    def _news(self, game: str, after: int = 0, *, wait: int = 0) -> Any:
        for client in self.others:
            while owed := [one for one in client.decisions(game=game) if one.kind != "ballot"]:
                for decision in owed:
                    client.answer(decision, **_body(decision))
        return self._events(game, after, wait=min(wait, 1))

    def play(self, *words: Word) -> str:
        """Play while ada types these words, and from then on something legal; what was on the screen."""
        self._words = list(words)
        console = Console(file=self._screen, soft_wrap=True, highlight=False)
        Person(self.ada, self.game, console, self._typed).play()
        return self._screen.getvalue()

    def _typed(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self._screen.write(prompt)
        text = self._next()
        self._screen.write(text + "\n")
        return text

    def _next(self) -> str:
        if not self._words:
            owed = sorted(self.ada.decisions(game=self.game), key=lambda one: one.kind != "ballot")
            return legal(owed[0]) if owed else "vote resume"
        word = self._words.pop(0)
        if isinstance(word, str):
            return word
        if isinstance(word, type):
            raise word
        return word()


def _body(decision: Decision) -> dict[str, Any]:
    match decision.kind:
        case "row":
            return {"row": 0, "mode": decision.rows[0][0]}
        case _:
            return {"card": decision.cards[0]}


@pytest.fixture
def table(sign_up: Callable[..., Client]) -> Callable[..., Table]:
    def sit(people: int = 1, bots: int = 2, **options: Any) -> Table:
        names = ("ada", "bob", "cleo")
        return Table([sign_up(name, "human") for name in names[:people]], bots, **options)

    return sit


@pytest.mark.parametrize("name", RULESETS)
def test_a_whole_game_of_every_rule_set_is_played_and_verifies(
    table: Callable[..., Table], name: str
) -> None:
    sat = table(ruleset=name)
    shown = sat.play()
    assert "The game is over; the lowest total wins." in shown
    hand = RULESETS[name].hand_size
    assert len(re.findall(r"^laid ", shown, re.MULTILINE)) == hand
    assert sum("lay a card" in prompt for prompt in sat.prompts) == hand - 1  # the last one lays itself
    assert verify(sat.ada.replay(sat.game).splitlines()).outcome == "ok"
