"""A game that one may not see answers exactly like one that is not there: every route, in every phase, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest

from engine import commands as c
from tests.api.documented import OPERATIONS, examples, resolved
from tests.api.kinds import MakePlayer
from tests.api.played import Table, finished, seated, started

OF_GAMES = [(name, operation) for name, operation in OPERATIONS if "{game_id}" in name]
"""Every operation on a game; the document lists them all."""


def lobby(client: Any) -> Table:
    return seated(client, visibility="private")


def playing(client: Any) -> Table:
    return started(client, visibility="private")


def unwatched(client: Any) -> Table:
    return started(client, spectators=False)


def drafting(client: Any) -> Table:
    return started(client, ruleset="pro", visibility="private")


def open_table(client: Any) -> Table:
    return started(client, learning_rounds=1, visibility="private")


def paused(client: Any) -> Table:
    table = started(client, visibility="private")
    players = [holder.player for holder in table.state().taken]
    table.do(c.OpenVote(str(players[0]), "pause"))
    table.do(c.CastBallot(str(players[1]), 1, "yes"))
    assert table.state().status == "paused"
    return table


def over(client: Any) -> Table:
    return finished(client, visibility="private")


PHASES = (lobby, playing, unwatched, drafting, open_table, paused, over)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("name", "operation"), OF_GAMES, ids=[name for name, _ in OF_GAMES])
def test_what_one_may_not_see_is_not_there(
    client: Any, player: MakePlayer, name: str, operation: dict[str, Any], phase: Any
) -> None:
    table = phase(client)
    for headers in ({}, player("Eve")):
        for body in bodies(operation):
            hidden, absent = (ask(client, name, game, body, headers) for game in ("g_1", "g_2"))
            assert hidden == absent
            assert hidden[0] in ({401} if needs_token(operation) and not headers else {404})
            assert b"g_1" not in hidden[2]
    state = table.state()
    assert ask(client, name, "g_1", None, {})[0] in {401, 404, 422}
    assert table.state() == state


def test_the_operations_on_a_game_are_many() -> None:
    assert len(OF_GAMES) >= 20


def needs_token(operation: dict[str, Any]) -> bool:
    return operation.get("security") == [{"token": []}]


def bodies(operation: dict[str, Any]) -> list[Any]:
    """Return what is asked with: every example of the document; nothing where no body is taken."""
    content = resolved(operation.get("requestBody", {})).get("content", {})
    return [example for body in content.values() for example in examples(body)] or [None]


def ask(client: Any, name: str, game: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, bytes]:
    """Return all that an answer says, but for the time of day and how often has been asked."""
    method, path = name.split()
    url = path.format(game_id=game, key="r1.t1.s0.card", seat=1)
    answer = client.open(url, method=method, json=body, headers={**headers, "X-Request-Id": "same"})
    said = [item for item in answer.headers if item[0] not in {"Server-Time-Ms", "RateLimit"}]
    return answer.status_code, said, answer.data
