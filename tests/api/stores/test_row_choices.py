"""Row choices: asked of one seat after the reveal, made once, and nothing else goes on before."""

from typing import Any

import pytest

from engine import commands as c
from engine.log import part_digest
from service.schemas.decisions import DecisionSchema, ReceiptSchema
from tests.api.asking import event, owed, put, with_choice
from tests.api.kinds import Refused
from tests.api.played import started


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


def low_card(client: Any, **options: Any) -> tuple[Any, int]:
    """Return a table in whose first turn the lowest card of some seat is too low, and that seat."""
    table = started(client, seats=3, **options)
    state = table.state()
    lowest = min(int(hand[0]) for hand in state.hands)
    assert lowest < min(int(row[-1]) for row in state.rows)
    return table, next(seat for seat in range(3) if state.hands[seat][0] == lowest)


def test_a_row_may_be_chosen_with_the_card_and_is_sealed_with_it(client: Any, refused: Refused) -> None:
    table, owner = low_card(client, row_policy="ahead")
    card, key = table.state().hands[owner][0], f"r1.t1.s{owner}.card"
    body = {"card": card, "if_low": "fewest_bullheads"}
    first = put(client, table.headers[owner], key, body)
    assert first.json["sealed"] == part_digest(first.json["salt"], body)
    game = client.get("/v1/games/g_1", headers=table.headers[owner]).json
    assert (game["laid_card"], game["if_low"], game["rules"]["if_low"]) == (card, "fewest_bullheads", True)
    for headers in (None, table.headers[(owner + 1) % 3]):
        assert client.get("/v1/games/g_1", headers=headers).json["if_low"] is None

    def repeat(code: str) -> None:
        assert put(client, table.headers[owner], key, body).data == first.data
        problem = refused(put(client, table.headers[owner], key, {"card": card}))
        assert (problem["code"], problem["status"]) == (code, 409)

    repeat("already_answered")
    for seat in {0, 1, 2} - {owner}:
        table.lay(seat)
    table.do(c.Advance())
    assert table.state().turn == 2
    repeat("decision_closed")
    shown = client.get(f"/v1/games/g_1/decisions/{key}", headers=table.headers[owner]).json
    assert DecisionSchema().load(shown) == shown
    assert shown["answer"] == body
    row = client.get(f"/v1/games/g_1/decisions/r1.t1.s{owner}.row", headers=table.headers[owner]).json
    assert (row["answered_by"], row["answer"]["mode"]) == ("player", "take")
    table.play()
    repeat("decision_closed")


@pytest.mark.parametrize("policy", ["ask", "fewest_bullheads"])
def test_elsewhere_no_row_is_chosen_with_a_card(client: Any, refused: Refused, policy: str) -> None:
    table, owner = low_card(client, row_policy=policy)
    body = {"card": table.state().hands[owner][0], "if_low": "fewest_bullheads"}
    problem = refused(put(client, table.headers[owner], f"r1.t1.s{owner}.card", body))
    assert (problem["code"], problem["status"]) == ("if_low_not_allowed", 422)
    assert problem["errors"][0]["pointer"] == "/if_low"


def test_a_table_may_agree_that_nobody_is_asked(client: Any) -> None:
    table, owner = low_card(client, row_policy="fewest_bullheads")
    table.lay(0, 1, 2)
    table.do(c.Advance())
    assert table.state().turn == 2
    row = client.get(f"/v1/games/g_1/decisions/r1.t1.s{owner}.row", headers=table.headers[owner]).json
    assert row["answered_by"] == "policy"


def test_a_joker_s_owner_says_where_and_how(client: Any, refused: Refused) -> None:
    table = started(client, ruleset="jokers")
    jokers = [hand[0] for hand in table.state().hands]
    for seat, joker in enumerate(jokers):
        receipt = put(client, table.headers[seat], f"r1.t1.s{seat}.card", {"card": joker})
        assert receipt.json["sealed"] == part_digest(receipt.json["salt"], {"card": joker})
    table.do(c.Advance())
    first = 0 if str(jokers[0]) < str(jokers[1]) else 1
    key = f"r1.t1.s{first}.row"
    (decision,) = owed(client, table.headers[first])
    assert decision["legal"] == {"rows": [["append", "take"]] * 4}
    assert decision["view"]["pending"]["why"] == "joker"
    problem = refused(put(client, table.headers[first], key, {"row": 2}))
    assert (problem["code"], problem["errors"][0]["pointer"]) == ("mode_not_legal", "/mode")
    body = {"row": 2, "mode": "append"}
    receipt = put(client, table.headers[first], key, body)
    assert receipt.status_code == 200
    table.do(c.Advance())
    (decision,) = owed(client, table.headers[1 - first])
    assert decision["legal"]["rows"][2] == ["take"]
    assert put(client, table.headers[first], key, body).data == receipt.data
    assert refused(put(client, table.headers[first], key, {"row": 2, "mode": "take"}))["status"] == 409


def test_at_an_open_table_one_seat_is_asked_after_the_other(client: Any, refused: Refused) -> None:
    table = started(client, seats=3, learning_rounds=1, end={"rounds": 1})
    assert [len(owed(client, headers)) for headers in table.headers] == [1, 0, 0]
    later = {"card": table.state().hands[1][0]}
    problem = refused(put(client, table.headers[1], "r1.t1.s1.card", later))
    assert (problem["code"], problem["status"]) == ("decision_not_open", 409)
    path = "/v1/games/g_1/decisions/r1.t1.s1.card"
    assert refused(client.get(path, headers=table.headers[1]))["code"] == "decision_not_found"
    first = {"card": table.state().hands[0][0]}
    receipt = put(client, table.headers[0], "r1.t1.s0.card", first)
    assert put(client, table.headers[0], "r1.t1.s0.card", first).data == receipt.data
    table.do(c.Advance())
    game = client.get("/v1/games/g_1").json
    assert (game["called"], game["laid_cards"]) == (1, [first["card"], None, None])
    assert game["hands"] == [[*hand] for hand in table.state().hands]
    assert put(client, table.headers[1], "r1.t1.s1.card", later).status_code == 200
    table.play()
    assert put(client, table.headers[0], "r1.t1.s0.card", first).data == receipt.data
    shown = client.get("/v1/games/g_1/decisions/r1.t1.s0.card", headers=table.headers[0]).json
    assert (shown["answer"], shown["receipt"]) == (first, receipt.json)
