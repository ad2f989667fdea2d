"""Two games that differ in what one seat alone may know, and all that can be asked of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import marshmallow as ma
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from engine import commands as c
from engine.cards import Card
from engine.deals import FairShuffle
from engine.decisions import Key, current_decisions, next_pick
from engine.game import Game
from engine.resolve import resolve
from engine.times import Millis
from service.apidoc import noted
from service.config import Config
from service.services import Services, in_memory
from service.store import play
from service.store.players import Player
from tests.api.applications import application
from tests.api.played import MASTER

A, B, C = range(3)
OTHERS = ("nobody", "stranger", A, C)
"""Everybody but the seat whose secret it is: without a token, with a player's, at the same table."""

WORDS: dict[str, tuple[str, ...]] = {
    "as": ("public", "0", "1", "2", "all"),
    "after": ("0", "5"),
    "limit": ("1", "100"),
    "player": ("p_0", "p_1"),
    "game": ("g_1", "g_2"),
}
"""What is asked of arguments that have no list of choices."""
ACCEPTS = ("application/json", "application/x-ndjson", "text/event-stream", "text/csv", "text/plain")
_BESIDE = {"/v1/games", "/v1/me", "/v1/me/decisions", "/v1/me/events"}
"""The routes without a game in their address that tell of games, too."""
_NEGOTIATED = ("/events", "/scores")
"""The routes that answer in several media types."""
BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"surprise": 1},
    {"seats": 3},
    {"ready": False},
    {"house": "random"},
    {"row": 0},
    {"row": 4},
    {"row": 0, "mode": "append"},
    {"card": "5"},
    {"card": 104.0},
    {"plan": [5, 5]},
    {"choice": "maybe"},
    {"kind": "replace"},
    {"kind": "replace", "seat": 9},
)
"""What is sent to routes that know such fields: none of it moves a game, but what `_is_move` tells."""


class Call(NamedTuple):
    """One request, but for who makes it."""

    method: str
    path: str
    body: Any = None
    accept: str = "*/*"


@dataclass(frozen=True)
class Swap:
    """Cards that change places in one deal."""

    cards: dict[Card, Card]
    round: int = 1


class Swapped(FairShuffle):
    """A fair shuffle in which some cards of one deal have changed places."""

    swap: Swap

    def deck(self, game: str, number: int, *of: Any) -> tuple[Card, ...]:
        """The cards of a deal, after the exchange."""
        return self._changed(number, super().deck(game, number, *of))

    def jokers(self, game: str, number: int, *of: Any) -> tuple[Card, ...]:
        """The Jokers of a deal, after the exchange."""
        return self._changed(number, super().jokers(game, number, *of))

    def _changed(self, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if number != self.swap.round:
            return cards
        return tuple(self.swap.cards.get(card, card) for card in cards)


@dataclass(frozen=True)
class Side:
    """One of the two games, in an application of its own, and the tokens of all who look at it."""

    app: Flask
    services: Services
    tokens: dict[Any, str]

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.services.play.live("g_1").game

    def ask(self, who: Any, call: Call) -> TestResponse:
        """Make a request as somebody."""
        headers = {"X-Request-Id": "same", "Accept": call.accept}
        if who in self.tokens:
            headers["Authorization"] = f"Bearer {self.tokens[who]}"
        return self.app.test_client().open(call.path, method=call.method, json=call.body, headers=headers)


_places = itertools.cycle(("one side", "other side", "third side"))


def side(swap: Swap, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Side:
    """Return a game of three that has started, whose chance, clock, players and tokens are always the same."""
    chance = type("Chance", (Swapped,), {"swap": swap})
    monkeypatch.setattr(play, "FairShuffle", chance)
    services = in_memory(Config(stream_life_s=0))
    clock = itertools.count(1_767_268_800_000, 10)
    object.__setattr__(
        services, "play", play.Play(services.games, services.queue, lambda: Millis(next(clock)))
    )
    tokens: dict[Any, str] = {}
    for number, who in enumerate((A, B, C, "stranger")):
        tokens[who] = f"t5_{number:043}"
        services.players.create(Player(f"p_{number}", f"Player {number}", "human", 0), tokens[who], "first")
        if who != "stranger":
            services.players.add_game(f"p_{number}", "g_1", 0)
    wanted = resolve({"ruleset": "classic", "seats": 3, "pace": "live", **options})
    seats = [c.JoinSeat(f"p_{seat}", f"Player {seat}", "human") for seat in (A, B, C)]
    services.play.create(
        c.CreateGame("g_1", "p_0", wanted), master=MASTER, join_code="CODE", then=(seats[0],)
    )
    commands: tuple[c.Command, ...] = (*seats[1:], c.StartGame("p_0"))
    for command in commands:
        services.play.execute("g_1", command)
    monkeypatch.undo()
    return Side(application(services, next(_places)), services, tokens)


@dataclass(frozen=True)
class Twins:
    """The two games; `hidden` are the cards in which they differ."""

    first: Side
    second: Side
    hidden: tuple[Card, ...]

    def do(self, who: Any, method: str, path: str, *bodies: Any) -> None:
        """Make a move in both games, with a body for each or one for both, which everybody else must be told alike."""
        sides = (self.first, self.second)
        whole = bodies if len(bodies) == 2 else (*bodies, None)[:1] * 2
        answers = [
            told(each.ask(who, Call(method, f"/v1/games/g_1{path}", body)))
            for each, body in zip(sides, whole, strict=True)
        ]
        assert answers[0] == answers[1]
        assert answers[0][0] < 300, answers[0]

    def answer(self, key: Key, *bodies: Any) -> None:
        """Answer a decision in both games."""
        self.do(key.seat, "PUT", f"/decisions/{key}", *bodies)

    def advance(self) -> None:
        """Do what is due in both games."""
        for each in (self.first, self.second):
            each.services.play.execute("g_1", c.Advance())

    def owed(self) -> list[Key]:
        """What is owed in the first game, cards before ballots."""
        return [one.key for one in current_decisions(self.first.game) if one.answer is None]

    def lay_lowest(self, but: int | None = None) -> None:
        """Let each seat that owes a card lay its lowest, and take row 0 for it; but for one seat."""
        for key in self.owed():
            if key.seat != but and key.kind == "card":
                self.answer(key, {"card": self.first.game.hands[key.seat][0]})
        self.advance()

    def differences(self, roles: Iterable[Any] = OTHERS) -> Iterator[str]:
        """Yield who could tell the two games apart now, and by what."""
        seq = self.first.game.seq
        for who, call in itertools.product(roles, calls(self.first.app, self.first.game, self.hidden)):
            if told(self.first.ask(who, call)) != told(self.second.ask(who, call)):
                yield f"{who}: {call}"
        assert (self.first.game.seq, self.second.game.seq) == (seq, seq), "what is asked must not move it"


def told(response: TestResponse) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return all that an answer says, without the digests and the time of day."""
    headers = [item for item in response.headers if item[0] not in {"ETag", "Server-Time-Ms"}]
    return response.status_code, headers, re.sub(rb"\b[0-9a-f]{64}\b", b"#", response.data)


def dealt_otherwise(
    monkeypatch: pytest.MonkeyPatch, find: Callable[[Side], dict[Card, Card]], number: int = 1, **options: Any
) -> Twins:
    """Return two games whose deals differ in an exchange of two cards that is found in the first."""
    first = side(Swap({}), monkeypatch, **options)
    exchange = find(first)
    card, other = exchange.items()
    both_ways = dict([card, other]) if len(exchange) == 2 else exchange
    second = side(Swap(both_ways, number), monkeypatch, **options)
    return Twins(first, second, tuple(exchange))


def routes(app: Flask) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield every route that may tell of a game: its method, its rule, what it takes."""
    for rule in app.url_map.iter_rules():
        parameters = noted(app.view_functions[rule.endpoint]).get("arguments", {}).get("parameters", [])
        if "<game_id>" in rule.rule or rule.rule in _BESIDE:
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield method, rule.rule, parameters


def calls(app: Flask, game: Game, hidden: tuple[Card, ...]) -> list[Call]:
    """Return everything that is asked at one moment: none of it moves the game."""
    found: list[Call] = []
    for method, rule, parameters in routes(app):
        for place in _keys(game) if "<key>" in rule else range(4) if "<int:seat>" in rule else ("",):
            path = rule.replace("<game_id>", "g_1").replace("<key>", str(place))
            path = path.replace("<int:seat>", str(place))
            found += [
                Call(method, path + query, body, accept)
                for query in _queries(parameters)
                for body in _bodies(method, parameters, hidden)
                for accept in ("*/*", *(ACCEPTS if rule.endswith(_NEGOTIATED) and not query else ()))
                if not _is_move(game, method, path, body)
            ]
    return found


def _keys(game: Game) -> list[str]:
    """Return decisions to ask about: what is open, the same of other seats, what is over or to come, and what is none."""
    kinds = {one.key.kind for one in current_decisions(game)} | {"card"}
    turns = [
        f"r{game.round}.t{turn}.s{seat}.{kind}"
        for turn in {max(game.turn, 1), game.turn + 1}
        for seat in (A, B, C)
        for kind in sorted(kinds & {"card", "row"})
    ]
    picks = [f"r1.d{next_pick(game, seat)}.s{seat}.pick" for seat in (A, B, C) if game.order]
    return [*turns, *picks, *(f"v{game.votes}.s{seat}.ballot" for seat in (A, B, C) if game.votes), "r1"]


def _queries(parameters: list[dict[str, Any]]) -> Iterator[str]:
    """Yield no query, and each value of each argument."""
    yield ""
    for parameter in parameters:
        if parameter["in"] == "query":
            for name, field in parameter["schema"]().fields.items():
                choices = [v.choices for v in field.validators if isinstance(v, ma.validate.OneOf)]
                for value in itertools.chain(WORDS.get(field.data_key or name, ()), *choices):
                    yield f"?{field.data_key or name}={value}"


def _bodies(method: str, parameters: list[dict[str, Any]], hidden: tuple[Card, ...]) -> Iterator[Any]:
    """Yield what is sent along: of the bodies those with a field that the route knows, and two for every route."""
    if method not in {"POST", "PUT", "PATCH"}:
        yield None
        return
    known = {name for one in parameters if one["in"] == "json" for name in one["schema"]().fields}
    for body in (*BODIES, *({"card": card} for card in hidden)):
        if len(body) == 0 or "surprise" in body or body.keys() <= known:
            yield body


def _is_move(game: Game, method: str, path: str, body: Any) -> bool:
    """Whether a call would change the game, or make another: moves are made by `Twins.do`."""
    if path.endswith(("/away", "/resign")):
        return body in (None, {})
    if path.endswith("/rematch"):
        return game.is_over and body == {}
    asked = {str(one.key): one.key.kind for one in current_decisions(game)}.get(path.rpartition("/")[2])
    is_pick = "pick" in path and body is not None and type(body.get("card")) is int
    return method == "PUT" and (
        is_pick or (asked == "row" and body in ({"row": 0}, {"row": 0, "mode": "append"}))
    )
