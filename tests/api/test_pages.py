"""Pages of a list: none lost, none twice, and a cursor that fits its own list only."""

from base64 import urlsafe_b64encode
from typing import Any

import pytest
from flask import Flask

from service.http.pages import page, read_cursor, write_cursor
from tests.api.applications import MakeApplication, fresh
from tests.api.kinds import Refused

THINGS = [("a", 1), ("b", 1), ("c", 2), ("d", 5), ("e", 9)]


@pytest.fixture
def made() -> MakeApplication:
    return fresh


@pytest.fixture
def client(app: Flask) -> Any:
    """A client of an application with a list of things, of which the first page is asked for."""

    def show() -> Any:
        return page(["a", "b"], ("b", 1))

    app.add_url_rule("/things", view_func=show)
    return app.test_client()


def test_a_page_links_to_the_next_one(client: Any) -> None:
    answer = client.get("/things")
    assert answer.json["items"] == ["a", "b"]
    assert answer.headers["Link"] == f'</things?cursor={answer.json["next_cursor"]}>; rel="next"'


def test_the_pages_of_a_list_are_the_list(app: Flask) -> None:
    seen: list[str] = []
    with app.test_request_context("/things?limit=2"):
        cursor: str | None = None
        while True:
            after = read_cursor(cursor, str, int) or ("", 0)
            rest = [thing for thing in THINGS if thing > after]
            seen += [name for name, _ in rest[:2]]
            if len(rest) <= 2:
                break
            cursor = write_cursor(rest[1])
    assert seen == ["a", "b", "c", "d", "e"]


def test_the_last_page_says_so(app: Flask) -> None:
    with app.test_request_context("/things"):
        answer = page([], None)
    assert answer.get_json() == {"items": [], "next_cursor": None}
    assert "Link" not in answer.headers


def test_a_link_keeps_the_filters_and_the_limit(app: Flask) -> None:
    with app.test_request_context("/v1/games?status=lobby&limit=5"):
        assert page([], ("a", 1)).headers["Link"].startswith("</v1/games?status=lobby&limit=5&cursor=")


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "!", "é", "AAAA", "bnVsbA", urlsafe_b64encode(b'["a",1]' + b"000000").decode(), "A" * 513],
)
def test_a_cursor_of_somebody_s_own_making_is_refused(client: Any, refused: Refused, cursor: str) -> None:
    response = client.get("/v1/rulesets", query_string={"cursor": cursor})
    problem = refused(response)
    assert problem["code"] == "invalid_cursor"
    assert problem["errors"] == [
        {"in": "query", "pointer": "?cursor", "detail": "Not a cursor of this list."}
    ]


@pytest.mark.parametrize("position", [(50,), ("a", "b"), (1, "a"), ("a", 1, 2), ("a", True), (["a"], 1), ()])
def test_a_cursor_with_another_position_in_it_is_refused(
    client: Any, refused: Refused, app: Flask, position: Any
) -> None:
    with app.test_request_context("/v1/rulesets"):
        cursor = write_cursor(position)
    response = client.get("/v1/rulesets", query_string={"cursor": cursor})
    if position == (50,):
        assert response.status_code == 200
        assert response.json["items"] == []
    else:
        assert refused(response)["code"] == "invalid_cursor"


def test_a_cursor_fits_its_own_list_and_filters_only(app: Flask) -> None:
    with app.test_request_context("/v1/games?status=lobby&limit=5"):
        cursor = write_cursor(("a", 1))
    with app.test_request_context(f"/v1/games?limit=9&status=lobby&cursor={cursor}"):
        assert read_cursor(cursor, str, int) == ("a", 1)
    for elsewhere in ("/v1/games?status=playing", "/v1/games", "/v1/rulesets?status=lobby"):
        with app.test_request_context(elsewhere), pytest.raises(Exception, match="invalid_cursor"):
            read_cursor(cursor, str, int)


def test_no_changed_letter_of_a_cursor_goes_unseen(app: Flask, client: Any, refused: Refused) -> None:
    cursor = client.get("/v1/rulesets?limit=1").json["next_cursor"]
    for place in range(len(cursor)):
        changed = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
        response = client.get("/v1/rulesets", query_string={"limit": 1, "cursor": changed})
        assert refused(response)["code"] == "invalid_cursor", place


def test_every_rule_set_is_on_some_page(client: Any) -> None:
    path, seen = "/v1/rulesets?limit=1", list[str]()
    while path:
        answer = client.get(path)
        seen += [rules["id"] for rules in answer.json["items"]]
        path = answer.headers.get("Link", "<>").split(">")[0].lstrip("<")
    assert seen == [rules["id"] for rules in client.get("/v1/rulesets").json["items"]]
