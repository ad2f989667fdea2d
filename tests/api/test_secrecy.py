"""Two games that differ in one hidden card of one seat answer everybody else alike, byte for byte, whatever is asked.

The table of routes is the list of what is asked: a new route is asked, too. Digests differ, and nothing else.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import marshmallow as ma
import pytest
from flask import Flask, Response
from werkzeug.test import TestResponse

from engine import commands as c
from engine.cards import Card
from engine.deals import FairShuffle
from engine.decisions import open_decisions
from engine.errors import Refusal
from engine.game import Game
from engine.resolve import resolve
from engine.times import Millis
from engine.views import view
from service.apidoc import noted
from service.app import create_app
from service.config import Config
from service.services import Services, in_memory
from service.store import play
from service.store.players import Player
from tests.api.played import MASTER

A, B, C = range(3)
OTHERS = ("nobody", "stranger", A, C)
"""Everybody but the seat whose card it is: without a token, with a player's, at the same table."""

WORDS: dict[str, tuple[str, ...]] = {
    "as": ("public", "0", "1", "2", "all"),
    "after": ("0", "5"),
    "limit": ("1", "100"),
    "player": ("p_0", "p_1"),
    "game": ("g_1", "g_2"),
}
"""What is asked of arguments that have no list of choices."""
ACCEPTS = ("application/json", "application/x-ndjson", "text/event-stream")
BODIES: tuple[Any, ...] = (
    {},
    {"surprise": 1},
    {"seats": 3},
    {"ready": False},
    {"house": "random"},
    *({"row": row} for row in (0, 4)),
    {"card": "5"},
    {"card": 104.0},
)


class Swapped(FairShuffle):
    """A fair shuffle in which some cards have changed places."""

    swap: dict[Card, Card]

    def deck(self, *of: Any) -> tuple[Card, ...]:
        """The cards of a deal, after the exchange."""
        return tuple(self.swap.get(card, card) for card in super().deck(*of))


class Call(NamedTuple):
    """One request, but for who makes it."""

    method: str
    path: str
    body: Any
    accept: str


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


Plant = Callable[[Side, pytest.MonkeyPatch], None]
Twins = tuple[Side, Side]


def side(swap: dict[Card, Card], monkeypatch: pytest.MonkeyPatch) -> Side:
    """Return a game of three in its first turn, whose chance, clock, players and tokens are always the same."""
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
    options = resolve({"ruleset": "classic", "seats": 3, "pace": "live"})
    seats = [c.JoinSeat(f"p_{seat}", f"Player {seat}", "human") for seat in (A, B, C)]
    services.play.create(
        c.CreateGame("g_1", "p_0", options), master=MASTER, join_code="CODE", then=(seats[0],)
    )
    commands: tuple[c.Command, ...] = (*seats[1:], c.StartGame("p_0"))
    for command in commands:
        services.play.execute("g_1", command)
    monkeypatch.undo()
    return Side(create_app(services), services, tokens)


def twins(monkeypatch: pytest.MonkeyPatch) -> tuple[Twins, Card]:
    """Return two games in which seat B's highest card is another one, of those never dealt; and which it is."""
    first = side({}, monkeypatch)
    game = first.game
    dealt = {card for hand in game.hands for card in hand} | {card for row in game.rows for card in row}
    card = game.hands[B][-1]
    other = next(other for other in range(104, 0, -1) if other not in dealt)
    second = side({card: other, other: card}, monkeypatch)
    assert [hand[:9] for hand in first.game.hands] == [hand[:9] for hand in second.game.hands]
    assert first.game.hands[B][-1] != second.game.hands[B][-1]
    return (first, second), other


def routes(app: Flask) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield every route that may tell of a game: its method, its rule, what it takes."""
    for rule in app.url_map.iter_rules():
        parameters = noted(app.view_functions[rule.endpoint]).get("arguments", {}).get("parameters", [])
        if "<game_id>" in rule.rule or rule.rule in {"/v1/games", "/v1/me/decisions", "/v1/me/events"}:
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield method, rule.rule, parameters


def queries(parameters: list[dict[str, Any]]) -> Iterator[str]:
    """Yield no query, and each value of each argument."""
    yield ""
    for parameter in parameters:
        if parameter["in"] == "query":
            for name, field in parameter["schema"]().fields.items():
                choices = [v.choices for v in field.validators if isinstance(v, ma.validate.OneOf)]
                for value in itertools.chain(WORDS.get(field.data_key or name, ()), *choices):
                    yield f"?{field.data_key or name}={value}"


def calls(app: Flask, game: Game, hidden: tuple[Card, ...]) -> list[Call]:
    """Return everything that is asked at one moment: none of it is a legal move of anybody's."""
    keys = [
        f"r1.t{turn}.s{seat}.{kind}"
        for turn in {1, game.turn, game.turn + 1}
        for seat in (A, B, C)
        for kind in ("card", "row")
    ]
    found: list[Call] = []
    for method, rule, parameters in routes(app):
        bodies = (
            (*BODIES, *({"card": card} for card in hidden)) if method in {"POST", "PUT", "PATCH"} else (None,)
        )
        accepts = ACCEPTS if method == "GET" else ()
        for place in (*keys, "r1") if "<key>" in rule else range(4) if "<int:seat>" in rule else ("",):
            path = rule.replace("<game_id>", "g_1").replace("<key>", str(place))
            path = path.replace("<int:seat>", str(place))
            found += [
                Call(method, path + query, body, accept)
                for query in queries(parameters)
                for body in bodies
                for accept in ("*/*", *(accepts if not query else ()))
                if not is_move(game, method, path, body)
            ]
    return found


def is_move(game: Game, method: str, path: str, body: Any) -> bool:
    """Whether a call would answer a decision that is open."""
    open_keys = {str(decision.key): decision.key.kind for decision in open_decisions(game)}
    kind = open_keys.get(path.rpartition("/")[2])
    return method == "PUT" and kind == "row" and body == {"row": 0}


def told(response: TestResponse) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return all that an answer says, without the digests and the time of day."""
    headers = [item for item in response.headers if item[0] not in {"ETag", "Server-Time-Ms"}]
    return response.status_code, headers, re.sub(rb"\b[0-9a-f]{64}\b", b"#", response.data)


def differences(pair: Twins, hidden: tuple[Card, ...], roles: tuple[Any, ...] = OTHERS) -> Iterator[str]:
    """Yield who could tell the two games apart now, and by what."""
    first, second = pair
    seq = first.game.seq
    asked = calls(first.app, first.game, hidden)
    for who, call in itertools.product(roles, asked):
        if told(first.ask(who, call)) != told(second.ask(who, call)):
            yield f"{who}: {call}"
    assert (first.game.seq, second.game.seq) == (seq, seq), "what is asked must not move the game"


def both(pair: Twins, seat: int, key: str, bodies: tuple[Any, Any]) -> None:
    """Make a move in both games; whoever it is not must be told the same, and B as much."""
    answers = [
        told(each.ask(seat, Call("PUT", f"/v1/games/g_1/decisions/{key}", body, "*/*")))
        for each, body in zip(pair, bodies, strict=True)
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == 200


def moments(pair: Twins) -> Iterator[str]:
    """Play both games alike until the card that differs lies face down, and stop at every moment on the way."""
    yield "dealt"
    for turn in (1, 2, 3):
        for seat in (B, A, C):
            card = {"card": pair[0].game.hands[seat][0]}
            both(pair, seat, f"r1.t{turn}.s{seat}.card", (card, card))
        yield f"turn {turn}, all laid"
        advance(pair)
        while request := pair[0].game.request:
            yield f"turn {turn}, a row is awaited"
            both(pair, request.seat, f"r1.t{turn}.s{request.seat}.row", ({"row": 0}, {"row": 0}))
            advance(pair)
    first, second = ({"card": each.game.hands[B][-1]} for each in pair)
    assert first != second
    both(pair, B, "r1.t4.s1.card", (first, second))
    yield "the card lies face down"


def advance(pair: Twins) -> None:
    """Do what is due in both games."""
    for each in pair:
        each.services.play.execute("g_1", c.Advance())


def test_nobody_else_can_tell_the_games_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, other = twins(monkeypatch)
    hidden = (pair[0].game.hands[B][-1], other)
    seen = []
    for moment in moments(pair):
        assert list(differences(pair, hidden)) == [], moment
        seen.append(moment)
    assert any(moment.endswith("a row is awaited") for moment in seen)


def test_the_seat_itself_can(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, _ = twins(monkeypatch)
    answers = [each.ask(B, Call("GET", "/v1/games/g_1", None, "*/*")) for each in pair]
    assert told(answers[0]) != told(answers[1])


def leak_in_views(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sight of a game holds all hands."""
    monkeypatch.setattr(
        "service.shown.view", lambda game, seat, head: {**view(game, seat, head), "hands": game.hands}
    )


def leak_in_events(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the log reads all of it."""
    monkeypatch.setattr("service.api.events.redact", lambda envelopes, seat: list(envelopes))


def leak_in_refusals(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal says a little too much."""
    honest = side.services.play.execute

    def execute(game: str, command: c.Command) -> play.Done:
        try:
            return honest(game, command)
        except Refusal as refusal:
            raise Refusal(refusal.code, f"{refusal.detail} {max(side.game.hands[B], key=str)}") from None

    object.__setattr__(side.services, "play", Talking(side.services.play, execute))


class Talking:
    """A `Play` with another `execute`."""

    def __init__(self, honest: play.Play, execute: Callable[..., play.Done]) -> None:
        self._honest = honest
        self.execute = execute

    def __getattr__(self, name: str) -> Any:
        return getattr(self._honest, name)


def leak_in_headers(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer weighs B's hand."""

    def weigh(response: Response) -> Response:
        response.headers["X-Weight"] = str(sum(int(card) for card in side.game.hands[B]))
        return response

    side.app.after_request(weigh)


@pytest.mark.parametrize("leak", [leak_in_views, leak_in_events, leak_in_refusals, leak_in_headers])
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, leak: Plant) -> None:
    pair, other = twins(monkeypatch)
    for each in pair:
        leak(each, monkeypatch)
    assert next(differences(pair, (pair[0].game.hands[B][-1], other), (A,)), None)


def test_what_one_is_refused_changes_nothing_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    (table, _), other = twins(monkeypatch)
    looks = [
        Call("GET", path, None, "*/*")
        for path in ("/v1/games/g_1", "/v1/games/g_1/events", "/v1/me/decisions", "/v1/me/events")
    ]

    def seen() -> list[Any]:
        answers = [table.ask(who, look) for who in (*OTHERS, B) for look in looks]
        return [(answer.status_code, answer.headers.get("ETag"), answer.data) for answer in answers]

    before = seen()
    for call in calls(table.app, table.game, (other,)):
        table.ask(A, call)
    assert seen() == before
