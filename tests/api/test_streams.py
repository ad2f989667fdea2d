"""Streams of a game's events: what is there, then what comes, for each viewer, until the end; and who may hold how many."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from engine import commands as c
from service.http import streaming
from service.services import Services
from service.store.connect import Unavailable
from tests.api.kinds import Follow, Refused, Until
from tests.api.played import finished, seated, started
from tests.api.streamed import EVENTS, NDJSON, SILENCE, SSE, Told, followed, messages

ACCEPTS = pytest.mark.parametrize("accept", [SSE, NDJSON])


def read(
    client: Any, accept: str = SSE, query: str = "", headers: dict[str, str] | None = None
) -> list[Told]:
    """Return what a stream tells that ends when it has told what there is."""
    answer = client.get(followed(accept, query), headers={**(headers or {}), "Accept": accept})
    assert answer.status_code == 200, answer.text
    return messages(answer.text, accept)


@ACCEPTS
def test_a_stream_begins_with_the_game_as_its_viewer_sees_it(client: Any, accept: str) -> None:
    table = started(client, seats=3)
    for headers in ({}, *table.headers):
        (told,) = read(client, accept, headers=headers)
        game = client.get("/v1/games/g_1", headers=headers).json
        assert told == (str(game["seq"]), "snapshot", game)


@ACCEPTS
def test_with_a_cursor_it_begins_with_the_event_behind_it(client: Any, accept: str) -> None:
    table = finished(client, end={"rounds": 2})
    for headers in ({}, table.headers[1]):
        pages = client.get(f"{EVENTS}?after=0&limit=100", headers=headers).json["items"]
        told = read(client, accept, "after=0", headers)
        assert [one.data for one in told[:100]] == pages
        for after in (1, 7, len(told) - 2):
            assert read(client, accept, f"after={after}", headers) == told[after:]


def test_who_begins_everywhere_takes_no_room_from_what_others_are_shown(
    client: Any, services: Services
) -> None:
    table = finished(client, end={"rounds": 2})
    shown = len(services.shown)
    for after in range(table.state().seq - 50, table.state().seq):
        read(client, SSE, f"after={after}")
    assert len(services.shown) == shown
    assert len(services.told) > 1


@ACCEPTS
def test_each_message_has_the_seq_and_the_type_of_its_event(client: Any, accept: str) -> None:
    finished(client)
    *told, end = read(client, accept, "after=0")
    assert [int(one.id or 0) for one in told] == list(range(1, len(told) + 1))
    assert all((one.id, one.event) == (str(one.data["seq"]), one.data["type"]) for one in told)
    assert end == (told[-1].id, "end", {"game": "g_1", "seq": len(told), "status": "finished"})


@ACCEPTS
def test_what_happens_is_told_at_once_until_the_game_is_over(
    lasting: Flask, follow: Follow, accept: str
) -> None:
    table = started(lasting.test_client(), seats=2, end={"rounds": 1})
    followers = [follow(headers, accept=accept) for headers in ({}, *table.headers)]
    seqs = [int(follower.next().id or 0) for follower in followers]
    table.lay(1)
    for follower, seq in zip(followers, seqs, strict=True):
        told = follower.next()
        assert (told.id, told.event) == (str(seq + 1), "card.laid")
    assert [follower.status for follower in followers] == [200, 200, 200]
    table.play()
    for follower, seq in zip(followers, seqs, strict=True):
        rest = follower.rest()
        assert rest[-1].event == "end"
        assert [int(one.id or 0) for one in rest[:-1]] == list(range(seq + 2, int(rest[-1].id or 0) + 1))


def test_where_the_browser_goes_on_counts_more_than_the_address_it_was_given(client: Any) -> None:
    finished(client)
    told = read(client, query="after=0")
    assert read(client, query="after=3", headers={"Last-Event-ID": "9"}) == told[9:]
    assert read(client, NDJSON, headers={"Last-Event-ID": "9"}) == told[9:]


@ACCEPTS
def test_of_a_game_that_is_over_there_is_the_end_and_then_nothing(client: Any, accept: str) -> None:
    table = finished(client)
    seq = table.state().seq
    snapshot, end = read(client, accept)
    assert (snapshot.event, end.event) == ("snapshot", "end")
    for query, held in ((f"after={seq}", ""), ("", str(seq)), ("", str(seq + 1))):
        headers = {"Accept": accept, "Last-Event-ID": held}
        answer = client.get(followed(accept, query), headers=headers)
        assert (answer.status_code, answer.data) == (204, b"")


@pytest.mark.parametrize("held", ["x", "-1", "1.0", "٣", "9007199254740992", "9" * 5000])
def test_a_cursor_of_something_else_is_refused(client: Any, refused: Refused, held: str) -> None:
    seated(client)
    problem = refused(client.get(EVENTS, headers={"Accept": SSE, "Last-Event-ID": held}))
    assert [(error["in"], error["pointer"]) for error in problem["errors"]] == [("header", "Last-Event-ID")]


@ACCEPTS
def test_arguments_of_pages_are_refused(client: Any, refused: Refused, accept: str) -> None:
    seated(client)
    problem = refused(client.get(followed(accept, "limit=1&wait=1"), headers={"Accept": accept}))
    assert [error["pointer"] for error in problem["errors"]] == ["?limit", "?wait"]


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [("", NDJSON), ("*/*", NDJSON), ("application/*", NDJSON), (SSE, f"{SSE}; charset=utf-8")],
)
def test_what_goes_on_comes_in_lines_unless_it_is_asked_for_otherwise(
    client: Any, accept: str, content_type: str
) -> None:
    seated(client)
    answer = client.get(f"{EVENTS}?follow=true", headers={"Accept": accept})
    assert answer.content_type == content_type
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert "ETag" not in answer.headers


def test_a_page_cannot_be_followed(client: Any, refused: Refused) -> None:
    seated(client)
    problem = refused(client.get(f"{EVENTS}?follow=true", headers={"Accept": "application/json"}))
    assert problem["legal"] == {"media_types": [NDJSON, SSE]}


def test_who_only_wants_the_headers_takes_no_place(client: Any) -> None:
    services = seated(client).services
    answer = client.head(EVENTS, headers={"Accept": SSE})
    assert (answer.status_code, answer.data, services.streams.open) == (200, b"", 0)


@ACCEPTS
def test_a_game_that_one_may_not_see_looks_like_none(client: Any, refused: Refused, accept: str) -> None:
    seated(client, visibility="private")
    paths = (followed(accept), followed(accept).replace("g_1", "g_2"))
    hidden, absent = (refused(client.get(path, headers={"Accept": accept})) for path in paths)
    assert {**hidden, "request_id": ""} == {**absent, "request_id": ""}
    assert hidden["code"] == "game_not_found"


@ACCEPTS
def test_no_byte_of_a_stream_holds_what_its_viewer_may_not_know_yet(client: Any, accept: str) -> None:
    table = started(client, seats=3, end={"rounds": 2})
    for step in table.steps():
        for query in ("", f"after={max(0, step - 100)}"):
            for seat, headers in ((None, {}), *enumerate(table.headers)):
                answer = client.get(followed(accept, query), headers={**headers, "Accept": accept})
                assert not [text for text in table.hidden_from(seat) if text in answer.data], (step, seat)


def test_what_was_sealed_is_told_when_it_is_opened(lasting: Flask, follow: Follow) -> None:
    table = started(lasting.test_client(), seats=2, end={"rounds": 1})
    stranger = follow()
    stranger.next()
    table.lay(0)
    assert stranger.next().data["open"] == {}
    hand = table.state().laid[0]
    table.play()
    revealed = stranger.until("turn.revealed")[-1].data
    opened = {opening["part"]: opening["data"] for opening in revealed["data"]["openings"]}
    assert hand is not None
    assert opened["s0"]["card"] == hand.card


def test_who_leaves_a_private_table_hears_no_more_of_it(lasting: Flask, follow: Follow) -> None:
    table = seated(lasting.test_client(), visibility="private")
    follower = follow(table.headers[1])
    assert follower.next().event == "snapshot"
    holder = table.state().seats[1]
    assert holder is not None
    assert holder.player is not None
    table.do(c.LeaveSeat(holder.player))
    assert follower.rest() == []
    assert follow(table.headers[1]).status == 404


def test_who_takes_a_seat_sees_its_hand_from_then_on(lasting: Flask, follow: Follow) -> None:
    table = seated(lasting.test_client())
    follower = follow(table.headers[1])
    assert follower.next().data["you"] == 1
    table.start()
    assert follower.until("round.dealt")[-1].data["open"].keys() == {"s1"}


def test_a_revoked_token_ends_its_streams_at_once(lasting: Flask, follow: Follow) -> None:
    client: Any = lasting.test_client()
    table = seated(client)
    other = client.post("/v1/me/tokens", json={"name": "other"}, headers=table.headers[0]).json
    headers = {"Authorization": f"Bearer {other['token']}"}
    ending, staying = follow(headers), follow(table.headers[0])
    for follower in (ending, staying):
        follower.next()
    client.delete(f"/v1/me/tokens/{other['id']}", headers=table.headers[0])
    assert ending.rest() == []
    assert follow(headers).status == 401
    table.start()
    assert staying.next().event == "game.started"


def test_the_end_of_the_process_ends_every_stream(
    lasting: Flask, lasting_services: Services, follow: Follow
) -> None:
    seated(lasting.test_client())
    followers = [follow() for _ in range(3)]
    for follower in followers:
        follower.next()
    lasting_services.close()
    assert [follower.rest() for follower in followers] == [[], [], []]
    assert lasting_services.streams.open == 0


@ACCEPTS
def test_a_stream_is_never_silent_for_long(
    lasting: Flask, follow: Follow, monkeypatch: pytest.MonkeyPatch, accept: str
) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE_S", 0.01)
    monkeypatch.setattr(streaming, "LOOK_AGAIN_S", 0.02)
    table = seated(lasting.test_client())
    follower = follow(accept=accept)
    assert follower.next().event == "snapshot"
    assert [follower.next() for _ in range(5)] == [SILENCE] * 5
    table.start()
    told = follower.next()
    while told == SILENCE:
        told = follower.next()
    assert told.event == "game.started"


def test_a_stream_outlives_a_store_that_is_away(
    lasting: Flask, lasting_services: Services, follow: Follow, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    table = seated(lasting.test_client())
    follower = follow()
    follower.next()
    tries: list[str] = []

    def away(game: str, player: str | None) -> Any:
        tries.append(game)
        raise Unavailable("away", retry_after_ms=1)

    with monkeypatch.context() as broken:
        broken.setattr(lasting_services.followed, "live", away)
        lasting_services.hub.notify("g_1")
        until(lambda: len(tries) > 2)
    table.start()
    told = follower.next()
    while told == SILENCE:
        told = follower.next()
    assert told.event == "game.started"


def test_a_bug_ends_the_stream_and_is_told_to_the_log_alone(
    lasting: Flask,
    lasting_services: Services,
    follow: Follow,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seated(lasting.test_client())
    follower = follow()
    follower.next()

    def broken(game: str, player: str | None) -> Any:
        raise KeyError("secret")

    monkeypatch.setattr(lasting_services.followed, "live", broken)
    lasting_services.hub.notify("g_1")
    assert follower.rest() == []
    logged = capsys.readouterr().out
    assert "request_failed" in logged
    assert "KeyError" in logged
    assert "secret" not in logged
