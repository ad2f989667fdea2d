"""How many streams there may be, whose, and what one costs."""

from __future__ import annotations

import itertools
import socket
from typing import Any

import pytest
from flask import Flask

from service.http import streaming
from service.lines import Line
from service.services import Services
from tests.api.kinds import Follow, Refused, Until
from tests.api.played import seated, started
from tests.api.streamed import EVENTS, SSE


@pytest.mark.parametrize(
    ("holders", "code"),
    [([0, 0, 0], "too_many_streams"), ([0, None, None, None], "too_many_streams")],
)
def test_a_token_and_an_address_hold_so_many_streams(
    lasting: Flask, follow: Follow, refused: Refused, holders: list[int | None], code: str
) -> None:
    client: Any = lasting.test_client()
    table = seated(client)
    *first, last = [table.headers[holder] if holder is not None else {} for holder in holders]
    for headers in first:
        assert follow(headers).status == 200
    answer = client.get(EVENTS, headers={**last, "Accept": SSE})
    assert refused(answer)["code"] == code
    assert answer.headers["Retry-After"] == "1"


def test_a_process_holds_so_many_streams(lasting: Flask, refused: Refused, follow: Follow) -> None:
    client: Any = lasting.test_client()
    seated(client)
    lasting.extensions["take5"].streams.per_address = 100
    for _ in range(4):
        assert follow().status == 200
    answer = client.get(EVENTS, headers={"Accept": SSE})
    assert refused(answer)["code"] == "no_stream_free"
    assert answer.headers["Retry-After"] == "1"


def test_a_stream_that_ends_leaves_its_place_to_others(lasting: Flask, follow: Follow, until: Until) -> None:
    table = seated(lasting.test_client(), end={"rounds": 1})
    followers = [follow(table.headers[0]) for _ in range(2)]
    table.start().play()
    for follower in followers:
        assert follower.rest()[-1].event == "end"
    until(lambda: lasting.extensions["take5"].streams.open == 0)


def test_who_has_hung_up_makes_room_before_anybody_is_refused(
    lasting: Flask, lasting_services: Services, follow: Follow, until: Until
) -> None:
    seated(lasting.test_client())
    pairs = [socket.socketpair() for _ in range(3)]
    lines = [Line(ours) for ours, _ in pairs]
    followers = [follow(line=line) for line in lines]
    assert [follower.next().event for follower in followers] == ["snapshot"] * 3
    assert follow().status == 429
    pairs[1][1].close()
    assert follow().status == 429, "it was looked at a moment ago"
    moments = itertools.count(lasting_services.streams.clock() + 1)
    lasting_services.streams.clock = lambda: next(moments)
    assert follow().status == 200
    assert followers[1].rest() == []
    assert follow().status == 429
    for line, (_, theirs) in zip(lines, pairs, strict=True):
        line.close()
        theirs.close()


def test_nothing_is_kept_for_a_client_that_is_slow_but_what_the_system_holds(
    client: Any,
) -> None:
    seated(client)
    ours, theirs = socket.socketpair()
    with Line(ours) as line, theirs:
        answer = client.get(EVENTS, headers={"Accept": SSE}, environ_overrides={"gunicorn.socket": line})
        assert answer.status_code == 200
        assert line.gettimeout() == streaming.SEND_WITHIN_S
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * streaming.UNSENT_BYTES


def test_all_who_follow_a_game_share_what_is_read(
    monkeypatch: pytest.MonkeyPatch, lasting: Flask, lasting_services: Services, follow: Follow
) -> None:
    table = started(lasting.test_client())
    lasting_services.streams.per_address = 100
    followers = [follow() for _ in range(4)]
    for follower in followers:
        follower.next()
    reads: list[int] = []
    honest = lasting_services.games.since

    def since(game: str, after: int) -> Any:
        reads.append(after)
        return honest(game, after)

    monkeypatch.setattr(lasting_services.games, "since", since)
    table.lay(0)
    of_the_command = 1
    for follower in followers:
        assert follower.next().event == "card.laid"
    assert len(reads) - of_the_command < len(followers)
