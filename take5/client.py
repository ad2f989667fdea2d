"""A Python client of the service: one method for each thing a player does, and patience with what passes.

    client = Client.signed_up("http://127.0.0.1:8000", "my bot", "bot")
    game = client.create_game(ruleset="classic", seats=2)

Games, events and players are JSON objects as the API documents them; decisions are values of their own, since answering
them is all of play. Every request that may be sent twice is, when the connection breaks or the service says that it is
not ready: what was acknowledged counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self, TypeAlias

from take5.answers import ApiProblem as ApiProblem, Unreachable as Unreachable
from take5.calling import DEFAULT_URL as DEFAULT_URL, Json as Json
from take5.following import Message as Message, follow
from take5.owner import Owner

Card: TypeAlias = int | str
"""1 to 104, or a Joker "J0" to "J9"."""

LONGEST_WAIT_S: Final = 25


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing you owe: a `card` or a `pick` out of `cards`; a `row`, for which `rows` lists the legal modes of each; or a
    `ballot` out of `choices`.

    `view` is what your seat sees (`view/1`), `deadline` RFC 3339 text or None, and `left_s` the seconds until then by the
    service's own clock, when it told of the decision.
    """

    game: str
    key: str
    kind: Literal["card", "row", "pick", "ballot"]
    deadline: str | None
    cards: tuple[Card, ...]
    rows: tuple[tuple[str, ...], ...]
    view: Json
    choices: tuple[str, ...] = ()
    left_s: float | None = None

    @classmethod
    def read(cls, document: Json, told_at: datetime | None = None) -> Decision:
        """The decision that the API describes by `document`, at a moment of its clock."""
        legal = document["legal"]
        return cls(
            document["game"],
            document["key"],
            document["kind"],
            document["deadline"],
            tuple(legal.get("cards", ())),
            tuple(tuple(modes) for modes in legal.get("rows", ())),
            document["view"],
            tuple(legal.get("choices", ())),
            _seconds(told_at, document["deadline"]),
        )


def _seconds(told_at: datetime | None, deadline: str | None) -> float | None:
    if told_at is None or deadline is None:
        return None
    return (datetime.fromisoformat(deadline) - told_at).total_seconds()


class Client(Owner):
    """The service at a URL, as the holder of a token sees it; without a token as a spectator.

    One client may be used by many threads. Methods raise `ApiProblem` for what the service refuses, and `Unreachable`
    after `patience_s` seconds without an answer; already after `knock_s` when connections are refused at an address where
    nobody has answered yet, which is probably a wrong one. Close it, or use it as a context.
    """

    @classmethod
    def signed_up(
        cls, base_url: str, name: str, kind: Literal["human", "bot"] = "bot", **settings: Any
    ) -> Self:
        """A client of a new player. Keep its `token`: whoever has it is that player."""
        with cls(base_url, **settings) as stranger:
            made = stranger.call("POST", "/v1/players", {"name": name, "kind": kind})
        client = cls(base_url, made["token"], **settings)
        client._was_reached = True
        return client

    def me(self) -> Json:
        """Your profile, your active games and the limits in force."""
        return self.call("GET", "/v1/me")

    def create_game(self, **options: Any) -> Json:
        """A new table in the lobby, you as its host on seat 0; options as in the API, `ruleset` and `seats` at least."""
        return self.call("POST", "/v1/games", options)

    def join(self, game: str, **wishes: Any) -> Json:
        """`{seat, game}` after taking a seat; wishes are `seat`, `code`, `client_seed` and `accept_bots`."""
        return self.call("POST", f"/v1/games/{game}/seats", wishes)

    def ready(self, game: str, *, ready: bool = True) -> Json:
        """Say that you are ready; when everybody is, the game starts. The game also when it had started."""
        try:
            return self.call("PATCH", f"/v1/games/{game}/seats/me", {"ready": ready})
        except ApiProblem as problem:
            if problem.code != "game_started":
                raise
            return self.game(game)

    def close_table(self, game: str) -> None:
        """Give your game up before its start, as the host; it stays to be read, as abandoned."""
        self.call("DELETE", f"/v1/games/{game}")

    def leave(self, game: str) -> None:
        """Get up from a table that has not started."""
        self.call("DELETE", f"/v1/games/{game}/seats/me")

    def seat_bot(self, game: str, seat: int, level: str = "lowest_risk") -> Json:
        """Seat a house bot, as the host."""
        return self.call("POST", f"/v1/games/{game}/seats/{seat}/bot", {"house": level})

    def invite_bot(self, game: str, seat: int, bot: str) -> Json:
        """Seat a bot that is a player, as the host: one of your own, or one that lets anyone invite it."""
        return self.call("POST", f"/v1/games/{game}/seats/{seat}/bot", {"player": bot})

    def start(self, game: str) -> Json:
        """The game, started; also when it had been."""
        try:
            return self.call("POST", f"/v1/games/{game}/start")
        except ApiProblem as problem:
            if problem.code != "game_started":
                raise
            return self.game(game)

    def game(self, game: str) -> Json:
        """The game as your seat sees it, or as everybody does."""
        return self.call("GET", f"/v1/games/{game}")

    def games(self, **wanted: Any) -> Iterator[Json]:
        """The games that fit, in short, newest first: as `games(player="me", status="finished")`; all pages of the list."""
        return self._listed("/v1/games", wanted)

    def events(self, game: str, after: int = 0, *, wait: int = 0) -> Json:
        """`{items, next_after}`: what happened after an event; held for up to `wait` seconds until something has."""
        return self.call("GET", f"/v1/games/{game}/events", query={"after": after}, wait=wait)

    def follow(self, game: str | None = None, after: str | int | None = None) -> Iterator[Message]:
        """What happens in a game, or without one in all of yours, as it happens; also when the connection breaks meanwhile.

        Begins behind the message `after` (0: with a game's first event), without it with a `snapshot`. A game's last
        message is `end`; over all games there is no last one.
        """
        path = "/v1/me/events" if game is None else f"/v1/games/{game}/events"
        held = None if after is None else str(after)
        return follow(self._http, self.base_url + path, held, self._patience(), ends=game is not None)

    def decisions(self, *, game: str | None = None, wait: int = 0) -> list[Decision]:
        """What you owe, in all your games or in one; held for up to `wait` seconds until there is something."""
        query = {"game": game} if game else {}
        response = self._send("GET", "/v1/me/decisions", query=query, wait=wait)
        clock_ms = response.headers.get("Server-Time-Ms")
        told_at = datetime.fromtimestamp(int(clock_ms) / 1000, UTC) if clock_ms else None
        return [Decision.read(document, told_at) for document in response.json()["items"]]

    def answer(self, decision: Decision, **answer: Any) -> Json:
        """The receipt of an answer; the same answer again is the same receipt.

        `card=37`, where the table allows it with `if_low="fewest_bullheads"`; `row=2`, for a Joker with `mode="append"`;
        `card=17` or `plan=[17, 3, 88]` for a pick; `choice="yes"` for a ballot.
        """
        return self.call("PUT", f"/v1/games/{decision.game}/decisions/{decision.key}", answer)

    def vote(
        self,
        game: str,
        kind: Literal["redeal", "abandon", "pause", "resume", "replace"],
        seat: int | None = None,
    ) -> Json:
        """The vote that you open, with your yes; `seat` is the one to `replace` by a house bot."""
        return self.call(
            "POST", f"/v1/games/{game}/votes", {"kind": kind, **({} if seat is None else {"seat": seat})}
        )

    def votes(self, game: str) -> list[Json]:
        """Every vote of a game, with its ballots and its result."""
        items: list[Json] = self.call("GET", f"/v1/games/{game}/votes")["items"]
        return items

    def resign(self, game: str) -> Json:
        """The game, in which a house bot plays on for your seat."""
        return self.call("POST", f"/v1/games/{game}/resign")

    def away(self, game: str) -> Json:
        """The game, in which the service answers for your seat until you are `back` or answer something."""
        return self.call("PUT", f"/v1/games/{game}/away")

    def back(self, game: str) -> None:
        """Answer for your seat again."""
        self.call("DELETE", f"/v1/games/{game}/away")

    def rematch(self, game: str) -> Json:
        """The next game of this table, the same one whoever asks; your seat in it is kept for two minutes."""
        return self.call("POST", f"/v1/games/{game}/rematch")

    def hints(self, game: str) -> list[Json]:
        """What each card of your hand would do now; nothing while you may lay none."""
        items: list[Json] = self.call("GET", f"/v1/games/{game}/hints")["items"]
        return items

    def scores(self, game: str) -> Json:
        """The score sheet: what each round cost each seat, and the totals."""
        return self.call("GET", f"/v1/games/{game}/scores", query={"format": "json"})

    def score_sheet(self, game: str, form: Literal["text", "csv"] = "text") -> str:
        """The score sheet as it can be printed, or opened as a table."""
        return self._send("GET", f"/v1/games/{game}/scores", query={"format": form}).text

    def replay(self, game: str, form: Literal["events", "replay", "csv"] = "events") -> bytes:
        """The file of a game, as `take5 verify` and `take5 replay` read it (`events`)."""
        return self._send("GET", f"/v1/games/{game}/replay", query={"format": form}).content

    def verification(self, game: str) -> Json:
        """What the service itself finds when it checks a game."""
        return self.call("GET", f"/v1/games/{game}/verification")

    def frames(
        self, game: str, viewer: int | Literal["seat", "public", "all"] | None = None, **wanted: Any
    ) -> Iterator[Json]:
        """`{type, view, ..}` after each event of a game, as a seat or all saw it then; `wanted` are `from`, `to`, `limit`.

        Without `viewer` as you saw it. As somebody else, or with `"all"` hands, once the game is over.
        """
        query = wanted | ({} if viewer is None else {"as": viewer})
        return self._listed(f"/v1/games/{game}/frames", query, cursor="from")

    def simulate(
        self,
        rows: Sequence[Sequence[Card]],
        plays: Sequence[Json],
        choices: Sequence[Json] = (),
        *,
        ruleset: str = "classic",
    ) -> Json:
        """`{rows, placements, captures, pending}`: where cards would go on rows that you make up.

        `plays` are `{"seat": 0, "card": 5}` each, `choices` `{"seat": 0, "row": 1}`; one that is missing is `pending`.
        """
        position = {"rows": rows, "plays": plays, "choices": choices}
        return self.call("POST", "/v1/simulate", {"ruleset": ruleset, **position})

    def rulesets(self) -> Iterator[Json]:
        """The rule sets, in short."""
        return self._listed("/v1/rulesets")

    def ruleset(self, name: str) -> Json:
        """One rule set, taught: its goal, a turn, the scoring, worked examples, every card, all options."""
        return self.call("GET", f"/v1/rulesets/{name}")
