"""What a player is told over all games at once: events and decisions, each once, in order, wherever one comes back."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from engine import commands as c
from service import news
from service.store.games import NoSuchGame
from tests.api.kinds import Follow
from tests.api.played import Table, seated, started
from tests.api.streamed import NDJSON, SSE, Told, followed, messages
from tests.api.told_news import NEWS, at, page, pages

ACCEPTS = pytest.mark.parametrize("accept", [SSE, NDJSON])


def log_of(table: Table) -> list[int]:
    return [envelope["seq"] for envelope in table.services.play.log(table.game)]


def seqs(told: list[Told], game: str = "g_1") -> list[int]:
    """Return the numbers of the events that were told of a game."""
    return [one.data["seq"] for one in told if one.data.get("game") == game and "hash" in one.data]


def test_without_a_cursor_there_are_all_games_and_decisions_as_they_are(client: Any) -> None:
    table = started(client)
    other = at(client, table, "g_2")
    for headers in table.headers:
        (told,), _ = page(client, headers)
        games = [client.get(f"/v1/games/{game}", headers=headers).json for game in ("g_1", "g_2")]
        decisions = client.get("/v1/me/decisions", headers=headers).json["items"]
        assert told.event == "snapshot"
        assert sorted(told.data["games"], key=lambda game: str(game["id"])) == games
        assert told.data["decisions"] == decisions
    other.do(c.CloseLobby(other.state().host))
    table.play()
    (told,), _ = page(client, table.headers[0])
    assert told.data == {"games": [], "decisions": []}


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_every_event_of_every_game_is_told_once_and_in_order(client: Any, limit: int) -> None:
    table = seated(client, end={"rounds": 1})
    _, cursor = page(client, table.headers[0])
    before = log_of(table)
    other = at(client, table, "g_2", end={"rounds": 1})
    table.start().play()
    other.start().play(turns=3)
    told = pages(client, table.headers[0], cursor, limit)
    assert seqs(told) == log_of(table)[len(before) :]
    assert seqs(told, "g_2") == log_of(other)
    assert [one.data["game"] for one in told if one.event == "end"] == ["g_1"]


def test_wherever_one_comes_back_the_rest_is_the_same(client: Any) -> None:
    table = seated(client, end={"rounds": 1})
    _, cursor = page(client, table.headers[1])
    at(client, table, "g_2", end={"rounds": 1}).start().play()
    table.start().play(turns=2)
    told = pages(client, table.headers[1], cursor)
    for number, one in enumerate(told):
        assert one.id is not None
        assert pages(client, table.headers[1], one.id) == told[number + 1 :], one.event


def test_decisions_are_told_as_they_open_and_close(client: Any) -> None:
    table = seated(client, seats=3, end={"rounds": 1})
    cursor = [page(client, headers)[1] for headers in table.headers]
    owed: list[dict[str, Any]] = [{}, {}, {}]
    table.start()
    for _ in table.steps():
        for seat, headers in enumerate(table.headers):
            told, cursor[seat] = page(client, headers, after=cursor[seat])
            for one in told:
                if one.event == "decision.opened":
                    assert one.data["key"] not in owed[seat]
                    owed[seat][one.data["key"]] = one.data
                elif one.event == "decision.closed":
                    assert one.data == {"game": "g_1", "key": one.data["key"]}
                    del owed[seat][one.data["key"]]
            listed = client.get("/v1/me/decisions", headers=headers).json["items"]
            assert [{**one, "view": None} for one in owed[seat].values()] == [
                {**one, "view": None} for one in listed
            ]
    assert owed == [{}, {}, {}]


def test_what_closes_at_once_is_told_in_the_same_order_by_every_process(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cursor says how many of these messages its reader has: in another order it would lose some and repeat others."""
    table = started(client)
    _, cursor = page(client, table.headers[0])
    table.lay(0)
    keys = [f"v{number}.s0.ballot" for number in range(30)]
    owed = iter([dict.fromkeys(keys), {}])
    monkeypatch.setattr(news, "_owed", lambda *_: next(owed))
    told, _ = page(client, table.headers[0], after=cursor)
    assert [one.data["key"] for one in told if one.event == "decision.closed"] == keys


@ACCEPTS
def test_a_stream_tells_the_same_as_its_pages(client: Any, accept: str) -> None:
    table = seated(client, end={"rounds": 1})
    headers = {**table.headers[0], "Accept": accept}
    _, cursor = page(client, table.headers[0])
    (told,) = messages(client.get(followed(accept, url=NEWS), headers=headers).text, accept)
    assert (told.id, told.event) == (cursor, "snapshot")
    table.start().play()
    for where in (followed(accept, f"after={cursor}", NEWS), followed(accept, "after=x", NEWS)):
        held = {"Last-Event-ID": cursor} if where.endswith("=x") else {}
        answer = client.get(where, headers={**headers, **held})
        assert messages(answer.text, accept) == pages(client, table.headers[0], cursor)


def test_lines_that_do_not_go_on_are_those_of_a_page(client: Any) -> None:
    table = seated(client)
    _, cursor = page(client, table.headers[0])
    table.start()
    answer = client.get(f"{NEWS}?after={cursor}&limit=3", headers={**table.headers[0], "Accept": NDJSON})
    assert messages(f"\n{answer.text}", NDJSON) == page(client, table.headers[0], after=cursor, limit=3)[0]


@ACCEPTS
def test_what_happens_is_told_at_once_in_every_game_that_one_enters(
    lasting: Flask, follow: Follow, accept: str
) -> None:
    client = lasting.test_client()
    table = seated(client, end={"rounds": 1})
    follower = follow(table.headers[0], accept=accept, url=NEWS)
    assert follower.next().event == "snapshot"
    other = at(client, table, "g_2")
    assert seqs([follower.next(), follower.next(), follower.next()], "g_2") == [1, 2, 3]
    other.start()
    assert follower.until("decision.opened")[-1].data["game"] == "g_2"
    table.start().play()
    assert follower.until("end")[-1].data["game"] == "g_1"
    other.lay(0)
    assert [told.event for told in follower.until("decision.closed")] == ["card.laid", "decision.closed"]


def test_what_one_is_about_to_enter_is_waited_for(client: Any) -> None:
    table = seated(client)
    players = table.services.players
    me = client.get("/v1/me", headers=table.headers[0]).json["id"]
    _, cursor = page(client, table.headers[0])
    players.add_game(me, "g_2", 0)
    third = at(client, table, "g_3")
    told, after = page(client, table.headers[0], after=cursor)
    assert seqs(told, "g_3") == log_of(third)
    assert page(client, table.headers[0], after=after)[0] == []
    third.do(c.CloseLobby(third.state().host))
    ended, after = page(client, table.headers[0], after=after)
    assert ended[-1].event == "end"
    assert page(client, table.headers[0], after=after) == ([], after), "it is not told anew"
    second = at(client, table, "g_2")
    assert seqs(pages(client, table.headers[0], after), "g_2") == log_of(second)
    assert seqs(pages(client, table.headers[0], cursor), "g_3") == log_of(third)


def test_a_game_that_was_played_while_one_was_away_is_told_whole(client: Any) -> None:
    table = seated(client, end={"rounds": 1})
    _, cursor = page(client, table.headers[0])
    other = at(client, table, "g_2", end={"rounds": 1}).start().play()
    client.get("/v1/me/decisions", headers=table.headers[0])  # which notes that it is over
    assert seqs(pages(client, table.headers[0], cursor), "g_2") == log_of(other)


def test_who_gives_a_seat_up_is_told_so_and_no_more(client: Any) -> None:
    table = seated(client, seats=3)
    _, cursor = page(client, table.headers[2])
    client.delete("/v1/games/g_1/seats/me", headers=table.headers[2])
    told = pages(client, table.headers[2], cursor)
    assert [one.event for one in told] == ["seat.left", "left"]
    assert told[-1].data == {"game": "g_1"}
    client.post("/v1/games/g_1/seats", json={}, headers=table.headers[2])
    again = pages(client, table.headers[2], told[-1].id or "")
    assert seqs(again) == log_of(table), "who comes back begins anew"
    table.start()
    client.post("/v1/games/g_1/resign", json={}, headers=table.headers[2])
    told = pages(client, table.headers[2], again[-1].id or "")
    assert [told[-1].event, told[-1].data] == ["left", {"game": "g_1"}]
    table.play(turns=1)
    assert pages(client, table.headers[2], told[-1].id or "") == []


def test_of_a_private_table_nothing_is_told_to_who_has_left_it(client: Any) -> None:
    table = seated(client, seats=3, visibility="private")
    _, cursor = page(client, table.headers[2])
    client.delete("/v1/games/g_1/seats/me", headers=table.headers[2])
    assert [one.event for one in pages(client, table.headers[2], cursor)] == ["left"]


def test_no_byte_of_it_holds_what_the_player_may_not_know_yet(client: Any) -> None:
    table = seated(client, seats=3, end={"rounds": 1})
    cursors_of = [page(client, headers)[1] for headers in table.headers]
    table.start()
    for step in table.steps():
        for seat, headers in enumerate(table.headers):
            for query in ("", f"after={cursors_of[seat]}"):
                for accept in (SSE, NDJSON, "application/json"):
                    url = followed(accept, query, NEWS) if accept != "application/json" else f"{NEWS}?{query}"
                    data = client.get(url, headers={**headers, "Accept": accept}).data
                    assert not [text for text in table.hidden_from(seat) if text in data], (step, seat)


def test_a_page_can_be_waited_for(lasting: Flask, follow: Follow) -> None:
    client: Any = lasting.test_client()
    table = seated(client)
    _, cursor = page(client, table.headers[0])
    table.start()
    told, after = page(client, table.headers[0], after=cursor, wait=25)
    assert told[0].event == "game.started"
    assert pages(client, table.headers[0], after) == []


def test_more_games_than_are_followed_wait_until_there_is_room(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "GAMES_MOST", 2)
    table = seated(client)
    _, cursor = page(client, table.headers[0])
    others = [at(client, table, f"g_{number}") for number in (2, 3)]
    told = pages(client, table.headers[0], cursor)
    assert seqs(told, "g_2") == log_of(others[0])
    assert seqs(told, "g_3") == []
    table.do(c.CloseLobby(table.state().host))
    told += pages(client, table.headers[0], told[-1].id or "")
    assert seqs(told, "g_3") == log_of(others[1])


def test_a_game_that_is_no_more_is_left(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(client)
    _, cursor = page(client, table.headers[0])

    def lost(game: str) -> Any:
        raise NoSuchGame(game)

    monkeypatch.setattr(table.services.play, "live", lost)
    assert [one.event for one in page(client, table.headers[0], after=cursor)[0]] == ["left"]
