"""Row choices: asked of one seat after the reveal, made once, and nothing else goes on before."""

from typing import Any

import pytest

from engine import commands as c
from service.schemas.decisions import DecisionSchema, ReceiptSchema
from tests.api.asking import event, owed, put, with_choice
from tests.api.kinds import Refused
from tests.api.played import started


@pytest.fixture(params=["memory", "server"])
def client(request: pytest.FixtureRequest) -> Any:
    if request.param == "server":
        return request.getfixturevalue("real_client")
    return request.getfixturevalue("app").test_client()


def test_a_row_is_asked_of_the_low_card_s_owner_alone(client: Any) -> None:
    table, owner, key = with_choice(client)
    for seat, headers in enumerate(table.headers):
        asked = owed(client, headers)
        assert [decision["key"] for decision in asked] == ([key] if seat == owner else [])
    (decision,) = owed(client, table.headers[owner])
    assert decision["legal"] == {"rows": [["take"]] * 4}
    assert decision["on_timeout"] == "fewest_bullheads"
    assert decision["view"]["pending"]["seat"] == owner


def test_a_row_is_chosen_once(client: Any, refused: Refused) -> None:
    table, owner, key = with_choice(client)
    headers = table.headers[owner]
    first = put(client, headers, key, {"row": 2})
    assert ReceiptSchema().load(first.json) == first.json
    assert (first.json["key"], first.json["sealed"], first.json["salt"]) == (key, None, None)
    chosen = event(client, first.json["seq"], headers)
    assert (chosen["type"], chosen["data"]["row"], chosen["at"]) == (
        "row.chosen",
        2,
        first.json["accepted_at"],
    )

    def repeat(code: str) -> None:
        for body in ({"row": 2}, {"row": 2, "mode": "take"}):
            again = put(client, headers, key, body)
            assert (again.status_code, again.data) == (200, first.data)
        assert refused(put(client, headers, key, {"row": 1}))["code"] == code

    repeat("already_answered")
    table.do(c.Advance())
    repeat("decision_closed")
    table.play(turns=2)
    repeat("decision_closed")
    table.play()
    repeat("decision_closed")


@pytest.mark.parametrize(
    ("body", "code", "pointers"),
    [
        ({"row": 4}, "row_out_of_range", ["/row"]),
        ({"row": -1}, "row_out_of_range", ["/row"]),
        ({"row": 10**40}, "row_out_of_range", ["/row"]),
        ({"row": 1, "mode": "append"}, "mode_not_legal", ["/mode"]),
        ({"row": 1, "mode": "steal"}, "invalid_request", ["/mode"]),
        ({"row": True}, "invalid_request", ["/row"]),
        ({"row": 1.0}, "invalid_request", ["/row"]),
        ({"row": "1"}, "invalid_request", ["/row"]),
        ({"row": None}, "invalid_request", ["/row"]),
        ({}, "invalid_request", ["/row"]),
        ({"mode": "take"}, "invalid_request", ["/row"]),
        ({"card": 5}, "invalid_request", ["/card", "/row"]),
    ],
)
def test_what_is_no_row_is_refused(
    client: Any, refused: Refused, body: dict[str, Any], code: str, pointers: list[str]
) -> None:
    table, owner, key = with_choice(client)
    seq = table.state().seq
    problem = refused(put(client, table.headers[owner], key, body))
    assert (problem["code"], problem["status"]) == (code, 422)
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert problem.get("legal") == (None if code == "invalid_request" else {"rows": [["take"]] * 4})
    assert table.state().seq == seq


def test_while_a_row_is_awaited_nothing_else_is_accepted(client: Any, refused: Refused) -> None:
    table, owner, key = with_choice(client)
    state, other = table.state(), (owner + 1) % 3
    moment = f"r{state.round}.t{state.turn}"
    later = f"r{state.round}.t{state.turn + 1}.s{other}.card"
    for seat, asked, body, code in (
        (other, f"{moment}.s{other}.row", {"row": 0}, "no_row_choice"),
        (other, key, {"row": 0}, "decision_not_found"),
        (other, later, {"card": state.hands[other][0]}, "decision_not_open"),
        (other, f"{moment}.s{other}.card", {"card": state.hands[other][0]}, "decision_closed"),
        (owner, f"{moment}.s{owner}.card", {"card": state.hands[owner][0]}, "decision_closed"),
    ):
        assert refused(put(client, table.headers[seat], asked, body))["code"] == code
    assert table.state() == state


def test_a_row_that_was_never_asked_is_absent_once_its_turn_is_over(client: Any, refused: Refused) -> None:
    table = started(client).play(turns=10)
    asked = {
        (item["turn"], item["data"]["seat"])
        for item in table.services.play.log("g_1")
        if item["type"] == "row.requested" and item["round"] == 1
    }
    turn = next(turn for turn in range(1, 11) if (turn, 0) not in asked)
    for method, body in (("PUT", {"row": 0}), ("GET", None)):
        path = f"/v1/games/g_1/decisions/r1.t{turn}.s0.row"
        problem = refused(client.open(path, method=method, json=body, headers=table.headers[0]))
        assert problem["code"] == "decision_not_found"


def test_a_decision_that_is_over_is_remembered(client: Any) -> None:
    table, owner, key = with_choice(client)
    headers = table.headers[owner]
    opened = client.get(f"/v1/games/g_1/decisions/{key}", headers=headers).json
    receipt = put(client, headers, key, {"row": 3}).json
    table.play()
    shown = client.get(f"/v1/games/g_1/decisions/{key}", headers=headers).json
    assert DecisionSchema().load(shown) == shown
    assert (shown["answer"], shown["receipt"]) == ({"row": 3, "mode": "take"}, receipt)
    assert (shown["legal"], shown["opened_at"]) == (None, opened["opened_at"])
    assert shown["view"]["status"] == "finished"
