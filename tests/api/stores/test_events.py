"""The events of a game: in pages and as lines, complete for everybody, opened only for those who may know."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine import commands as c
from engine.log import NO_HEAD, fold_log, hash_of, part_digest
from service.schemas.events import EventPageSchema
from tests.api.kinds import Refused
from tests.api.played import finished, seated, started

NDJSON = {"Accept": "application/x-ndjson"}


def pages(client: Any, headers: dict[str, str] | None = None, limit: int = 100) -> list[dict[str, Any]]:
    """Read a game's events page by page, to the newest."""
    items: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = client.get(f"/v1/games/g_1/events?after={after}&limit={limit}", headers=headers).json
        items += page["items"]
        after = page["next_after"] if page["items"] else None
    return items


def opened(items: list[dict[str, Any]], kind: str) -> list[set[str]]:
    """Return which parts are open in each event of a type."""
    return [{*item["open"]} for item in items if item["type"] == kind]


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_pages_hold_every_event_once_and_end(client: Any, limit: int) -> None:
    table = finished(client)
    items = pages(client, limit=limit)
    assert [item["seq"] for item in items] == list(range(1, table.state().seq + 1))
    assert items[-1]["type"] == "game.sealed"
    assert fold_log(items).game == table.state()


def test_the_chain_holds_whatever_is_opened(client: Any) -> None:
    table = started(client, seats=3).play(turns=2)
    table.lay(0, 2)
    for headers in (None, *table.headers):
        head = NO_HEAD
        for item in pages(client, headers):
            assert (item["prev"], hash_of(item)) == (head, item["hash"])
            head = item["hash"]
            for part, opening in item["open"].items():
                assert item["sealed"][part] == part_digest(opening["salt"], opening["data"])


def test_an_answer_fits_its_schema(client: Any) -> None:
    started(client).play(turns=1)
    answer = client.get("/v1/games/g_1/events")
    assert EventPageSchema().load(answer.json) == answer.json


def test_lines_are_the_same_events_without_an_end_to_the_page(client: Any) -> None:
    table = finished(client, seats=10)
    answer = client.get("/v1/games/g_1/events", headers=NDJSON)
    assert answer.content_type == "application/x-ndjson"
    assert answer.data.endswith(b"\n")
    lines = [json.loads(line) for line in answer.data.splitlines()]
    assert len(lines) == table.state().seq > 100
    assert lines == pages(client)
    some = client.get("/v1/games/g_1/events?after=3&limit=2", headers=NDJSON).data
    assert some.splitlines() == answer.data.splitlines()[3:5]


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("application/json;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("text/event-stream;q=0.1, application/x-ndjson", "application/x-ndjson"),
        ("text/event-stream, application/x-ndjson;q=0.1", "text/event-stream; charset=utf-8"),
    ],
)
def test_the_client_chooses_the_type(client: Any, accept: str, content_type: str) -> None:
    seated(client)
    answer = client.get("/v1/games/g_1/events", headers={"Accept": accept})
    assert answer.content_type == content_type
    assert "Accept" in answer.headers["Vary"]
    assert "Authorization" in answer.headers["Vary"]


@pytest.mark.parametrize("accept", ["text/csv", "text/html", "application/json;q=0"])
def test_what_is_not_offered_is_refused_with_what_is(client: Any, refused: Refused, accept: str) -> None:
    seated(client)
    problem = refused(client.get("/v1/games/g_1/events", headers={"Accept": accept}))
    assert problem["code"] == "not_acceptable"
    assert problem["legal"] == {
        "media_types": ["application/json", "application/x-ndjson", "text/event-stream"]
    }


def test_a_seat_reads_its_own_hand_and_card_and_nobody_else_s(client: Any) -> None:
    table = started(client, seats=3)
    table.lay(0, 1)
    for seat, headers in enumerate(table.headers):
        items = pages(client, headers)
        assert opened(items, "round.dealt") == [{f"s{seat}"}]
        assert opened(items, "card.laid") == [{"s0"} & {f"s{seat}"}, {"s1"} & {f"s{seat}"}]
    items = pages(client)
    assert opened(items, "round.dealt") == [set()]
    assert opened(items, "card.laid") == [set(), set()]


def test_a_page_from_the_middle_is_as_open_as_the_whole(client: Any) -> None:
    table = started(client, seats=3).play(turns=3)
    table.lay(1)
    for headers in (None, *table.headers):
        whole = pages(client, headers)
        for after in range(len(whole)):
            page = client.get(f"/v1/games/g_1/events?after={after}&limit=100", headers=headers).json
            assert page["items"] == whole[after : after + 100]


def test_laid_cards_are_open_to_all_once_they_are_revealed(client: Any) -> None:
    table = started(client)
    table.lay(0, 1)
    assert opened(pages(client), "card.laid") == [set(), set()]
    table.do(c.Advance())
    assert opened(pages(client), "card.laid")[:2] == [{"s0"}, {"s1"}]


@pytest.mark.parametrize("reveal", ["round", "game"])
def test_hands_are_open_to_all_when_the_table_says_so(client: Any, reveal: str) -> None:
    table = started(client, end={"rounds": 2}, reveal=reveal).play(turns=10)
    assert opened(pages(client), "round.dealt") == [{"s0", "s1"} if reveal == "round" else set(), set()]
    table.play()
    assert opened(pages(client), "round.dealt") == [{"s0", "s1"}] * 2


def test_once_sealed_every_viewer_reads_the_same_bytes(client: Any) -> None:
    table = finished(client, reveal="game")
    for accept in ("application/json", "application/x-ndjson"):
        answers = [
            client.get("/v1/games/g_1/events", headers={**headers, "Accept": accept})
            for headers in ({}, *table.headers)
        ]
        assert len({(answer.data, answer.headers["ETag"]) for answer in answers}) == 1


def test_who_holds_the_newest_is_answered_304(client: Any) -> None:
    table = started(client)
    first = client.get("/v1/games/g_1/events")
    held = {"If-None-Match": first.headers["ETag"]}
    again = client.get("/v1/games/g_1/events", headers=held)
    assert (again.status_code, again.data) == (304, b"")
    table.lay(0)
    assert client.get("/v1/games/g_1/events", headers=held).status_code == 200


def test_beyond_the_newest_there_is_nothing_yet(client: Any) -> None:
    seq = started(client).state().seq
    assert client.get(f"/v1/games/g_1/events?after={seq}").json == {"items": [], "next_after": seq}
    assert client.get(f"/v1/games/g_1/events?after={seq}", headers=NDJSON).data == b""
    far = 2**53 - 1
    assert client.get(f"/v1/games/g_1/events?after={far}").json == {"items": [], "next_after": far}


def test_a_held_answer_comes_with_the_next_event(
    client: Any, waiter: Callable[..., list[Any]], until: Callable[[Callable[[], bool]], None]
) -> None:
    table = started(client)
    services, seq = table.services, table.state().seq
    places = services.config.max_waiting
    answers = waiter(f"/v1/games/g_1/events?after={seq}&wait=25")
    until(lambda: services.waiting._value < places)
    assert answers == []
    table.lay(1)
    until(lambda: bool(answers))
    (item,) = answers[0].json["items"]
    assert (item["type"], item["data"], item["open"]) == (
        "card.laid",
        {"seat": 1, "table": "hidden", "bank_used_ms": 0},
        {},
    )


def test_nothing_is_waited_for_where_something_is_there_or_nothing_can_come(client: Any) -> None:
    table = finished(client)
    seq = table.state().seq
    assert client.get(f"/v1/games/g_1/events?after={seq - 1}&wait=25").json["next_after"] is None
    assert client.get(f"/v1/games/g_1/events?after={seq}&wait=25").json == {"items": [], "next_after": None}


@pytest.mark.parametrize("options", [{"visibility": "private"}, {"spectators": False}])
def test_who_may_not_see_the_game_cannot_tell_it_from_none(
    client: Any, refused: Refused, options: dict[str, Any]
) -> None:
    table = started(client, **options)
    stranger = client.post("/v1/players", json={"name": "Eve", "kind": "human"}).json["token"]
    for headers in ({}, {"Authorization": f"Bearer {stranger}"}):
        hidden = refused(client.get("/v1/games/g_1/events", headers=headers))
        absent = refused(client.get("/v1/games/g_2/events", headers=headers))
        assert {**hidden, "request_id": ""} == {**absent, "request_id": ""}
        assert hidden["code"] == "game_not_found"
    assert client.get("/v1/games/g_1/events", headers=table.headers[1]).status_code == 200


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=101", "wait=26", "after=9007199254740992"]
)
def test_arguments_out_of_bounds_are_refused(client: Any, refused: Refused, query: str) -> None:
    seated(client)
    problem = refused(client.get(f"/v1/games/g_1/events?{query}"))
    assert [error["pointer"] for error in problem["errors"]] == [f"?{query.partition('=')[0]}"]


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_no_byte_of_an_answer_holds_what_the_viewer_may_not_know_yet(client: Any, accept: str) -> None:
    table = started(client, seats=3, end={"rounds": 2})
    for step in table.steps():
        url = f"/v1/games/g_1/events?after={max(0, step - 100)}"
        for seat, headers in ((None, {}), *enumerate(table.headers)):
            data = client.get(url, headers={**headers, "Accept": accept}).data
            assert not [text for text in table.hidden_from(seat) if text in data], (step, seat)


def test_what_the_viewer_may_not_know_would_be_found(client: Any) -> None:
    table = started(client, seats=3)
    table.lay(2)
    hidden = table.hidden_from(0)
    assert len(hidden) == 2 * 2 + 1
    data = client.get("/v1/games/g_1/events", headers=table.headers[2]).data
    assert len([text for text in hidden if text in data]) == 3
