"""Games for the tests of what is read from them: played through the one way a game changes, with seeded chance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from engine import commands as c
from engine.decisions import Decision, open_decisions
from engine.game import Game
from engine.resolve import resolve
from service.services import Services

MASTER = bytes(range(32))


@dataclass(frozen=True)
class Table:
    """A game whose seats people hold, and the headers by which each of them is known."""

    services: Services
    game: str
    headers: tuple[dict[str, str], ...]

    def state(self) -> Game:
        """Return the game as it stands."""
        return self.services.play.live(self.game).game

    def do(self, command: c.Command) -> None:
        """Carry one command out."""
        self.services.play.execute(self.game, command)

    def start(self) -> Table:
        """Start the game."""
        self.do(c.StartGame(self.state().host))
        return self

    def lay(self, *seats: int) -> None:
        """Lay each seat's lowest card, face down."""
        for seat in seats:
            state = self.state()
            self.do(c.LayCard(seat, state.round, state.turn, state.hands[seat][0]))

    def steps(self, seed: int = 1) -> Iterator[int]:
        """Play to the end and stop after every command that changed something, with the seq that it led to."""
        chance = random.Random(seed)
        yield self.state().seq
        while (state := self.state()).status == "playing":
            for decision in open_decisions(state):
                self.do(_answer(decision, chance))
                yield self.state().seq
            self.do(c.Advance())
            yield self.state().seq

    def hidden_from(self, seat: int | None) -> list[bytes]:
        """Return what no answer to the holder of `seat`, or to the public, may hold now, as it would stand there.

        These are the salts of all sealed parts that only others may know, and the hands among them.
        """
        log = self.services.play.log(self.game)
        if log[-1]["type"] == "game.sealed":
            return []
        known = {
            (opening["seq"], opening["part"])
            for envelope in log
            for opening in envelope["data"].get("openings", ())
        }
        hidden = [
            opening
            for envelope in log
            for part, opening in envelope["open"].items()
            if part != f"s{seat}" and (envelope["seq"], part) not in known
        ]
        hands = [
            orjson.dumps(part["data"][name])
            for part in hidden
            for name in ("hand", "plan")
            if name in part["data"]
        ]
        return [*hands, *(part["salt"].encode() for part in hidden)]

    def play(self, turns: int | None = None, seed: int = 1) -> Table:
        """Play so many turns, or to the end, each seat at random, and do what is due."""
        chance = random.Random(seed)
        state = self.state()
        last = None if turns is None else _turns(state) + turns
        while state.status == "playing" and (last is None or _turns(state) < last):
            for decision in open_decisions(state):
                self.do(_answer(decision, chance))
            self.do(c.Advance())
            state = self.state()
        return self


def _turns(state: Game) -> int:
    """Return how many turns have been opened."""
    return state.rules.hand_size * (state.round - 1) + state.turn


def _answer(decision: Decision, chance: random.Random) -> c.Command:
    key = decision.key
    moment = key.seat, key.round, key.number
    if key.kind == "card":
        return c.LayCard(*moment, chance.choice(decision.cards), key.attempt)
    if key.kind == "pick":
        return c.Pick(*moment, chance.choice(decision.cards), key.attempt)
    row = chance.randrange(len(decision.rows))
    return c.ChooseRow(*moment, row, chance.choice(decision.rows[row]), key.attempt)


def seated(client: Any, *, seats: int = 2, game: str = "g_1", **options: Any) -> Table:
    """Return a full table in the lobby, with a player of its own on every seat; the first is host."""
    services: Services = client.application.extensions["take5"]
    made = [
        client.post("/v1/players", json={"name": f"Player {seat}", "kind": "human"}).json
        for seat in range(seats)
    ]
    people = [c.JoinSeat(one["player"]["id"], one["player"]["name"], "human") for one in made]
    services.play.create(
        c.CreateGame(
            game,
            people[0].player,
            resolve({"ruleset": "classic", "seats": seats, "pace": "untimed", **options}),
        ),
        master=MASTER,
        join_code="CODE",
        then=(people[0],),
    )
    for person in people[1:]:
        services.play.execute(game, person)
    for person in people:
        state = services.play.live(game).game
        is_listed = state.options.visibility == "listed"
        services.players.add_game(person.player, game, state.created_at, is_listed=is_listed)
    headers = tuple({"Authorization": f"Bearer {one['token']}"} for one in made)
    return Table(services, game, headers)


def started(client: Any, **options: Any) -> Table:
    """Return a table in the first turn of the first round."""
    return seated(client, **options).start()


def finished(client: Any, **options: Any) -> Table:
    """Return a table whose game is over; one round, unless the options say otherwise."""
    return started(client, **{"end": {"rounds": 1}, **options}).play()
