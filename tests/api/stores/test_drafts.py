"""Drafts: one seat picks after the other, a plan picks for its seat, and both can be proved and repeated."""

from typing import Any

import pytest

from engine import commands as c
from engine.log import part_digest
from service.schemas.decisions import DecisionSchema, ReceiptSchema
from service.schemas.games import GameSchema
from tests.api.asking import event, owed, put
from tests.api.kinds import Refused
from tests.api.played import Table, started


def drafting(client: Any, **options: Any) -> Table:
    """Return a table of three that drafts, whose second seat picks first."""
    return started(
        client, **{"ruleset": "pro", "seats": 3, "first_drafter": 1, "end": {"rounds": 1}, **options}
    )


def show(client: Any, headers: dict[str, str], key: str) -> Any:
    return client.get(f"/v1/games/g_1/decisions/{key}", headers=headers)


def test_the_drafter_alone_is_asked_for_any_card_of_the_open_deck(client: Any) -> None:
    table = drafting(client, pace="bot")
    assert [owed(client, headers) for headers in (table.headers[0], table.headers[2])] == [[], []]
    (decision,) = owed(client, table.headers[1])
    assert (decision["key"], decision["kind"]) == ("r1.d1.s1.pick", "pick")
    assert decision["legal"] == {"cards": [*range(1, 35)]}
    assert decision["on_timeout"] == "lowest_risk"
    assert decision["view"]["draft"]["seat"] == 1
    game = client.get("/v1/games/g_1").json
    assert GameSchema().load(game) == game
    assert (game["phase"], game["opened_at"], game["deadline"]) == (
        "draft",
        decision["opened_at"],
        decision["deadline"],
    )


def test_a_pick_is_public_at_once_and_the_next_seat_is_asked(client: Any) -> None:
    table = drafting(client)
    receipt = put(client, table.headers[1], "r1.d1.s1.pick", {"card": 17}).json
    assert ReceiptSchema().load(receipt) == receipt
    assert (receipt["key"], receipt["sealed"], receipt["salt"]) == ("r1.d1.s1.pick", None, None)
    picked = event(client, receipt["seq"], {})
    assert (picked["type"], picked["data"]["seat"], picked["data"]["card"]) == ("draft.picked", 1, 17)
    assert client.get("/v1/games/g_1").json["draft"]["picks"] == [[], [17], []]
    assert [item["key"] for item in owed(client, table.headers[2])] == ["r1.d2.s2.pick"]
    assert 17 not in owed(client, table.headers[2])[0]["legal"]["cards"]


def test_the_same_pick_gets_the_same_receipt_at_any_time(client: Any, refused: Refused) -> None:
    table = drafting(client)
    first = put(client, table.headers[1], "r1.d1.s1.pick", {"card": 17})

    def repeat() -> None:
        again = put(client, table.headers[1], "r1.d1.s1.pick", {"card": 17})
        assert (again.status_code, again.data) == (200, first.data)
        other = refused(put(client, table.headers[1], "r1.d1.s1.pick", {"card": 18}))
        assert (other["code"], other["status"]) == ("decision_closed", 409)

    repeat()
    table.play(turns=1)
    repeat()
    table.play()
    repeat()


def test_a_plan_is_hidden_proved_and_carried_out(client: Any) -> None:
    table = drafting(client)
    receipt = put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]}).json
    assert ReceiptSchema().load(receipt) == receipt
    assert receipt["sealed"] == part_digest(receipt["salt"], {"plan": [5, 30]})
    planned = event(client, receipt["seq"], table.headers[1])
    assert (planned["type"], planned["data"], planned["open"]) == ("draft.planned", {"seat": 2}, {})
    assert planned["sealed"] == {"s2": receipt["sealed"]}
    shown = [client.get("/v1/games/g_1", headers=headers).json["plan"] for headers in table.headers]
    assert shown == [None, None, [5, 30]]
    put(client, table.headers[1], "r1.d1.s1.pick", {"card": 5})
    table.do(c.Advance())
    assert table.state().hands[2] == (30,)
    assert [item["key"] for item in owed(client, table.headers[0])] == ["r1.d3.s0.pick"]


def test_what_a_plan_is_about_to_pick_is_not_owed(client: Any) -> None:
    table = drafting(client)
    put(client, table.headers[1], "r1.d1.s1.pick", {"plan": [5, 6]})
    assert owed(client, table.headers[1]) == []
    table.do(c.Advance())
    for seat, card in ((2, 6), (0, 7)):
        put(client, table.headers[seat], owed(client, table.headers[seat])[0]["key"], {"card": card})
    assert [item["key"] for item in owed(client, table.headers[1])] == ["r1.d4.s1.pick"]


def test_the_same_plan_gets_the_same_receipt_at_any_time(client: Any, refused: Refused) -> None:
    table = drafting(client)
    first = put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]})

    def repeat() -> None:
        again = put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]})
        assert (again.status_code, again.data) == (200, first.data)

    repeat()
    put(client, table.headers[1], "r1.d1.s1.pick", {"card": 9})
    table.do(c.Advance())
    repeat()
    other = refused(put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [30, 5]}))
    assert other["code"] == "decision_closed"
    assert put(client, table.headers[2], "r1.d2.s2.pick", {"card": 5}).json["sealed"] is None
    table.play()
    repeat()


def test_a_standing_plan_is_the_same_at_the_next_pick(client: Any) -> None:
    table = drafting(client)
    first = put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]}).json
    put(client, table.headers[1], "r1.d1.s1.pick", {"card": 9})
    table.do(c.Advance())
    again = put(client, table.headers[2], "r1.d5.s2.pick", {"plan": [5, 30]}).json
    assert again == first | {"key": "r1.d5.s2.pick"}


def test_a_plan_is_shown_as_the_answer_until_it_has_picked(client: Any) -> None:
    table = drafting(client)
    receipt = put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]}).json
    shown = show(client, table.headers[2], "r1.d2.s2.pick").json
    assert DecisionSchema().load(shown) == shown
    assert (shown["answer"], shown["answered_by"], shown["receipt"]) == ({"plan": [5, 30]}, "player", receipt)
    assert (shown["deadline"], shown["legal"]) == (None, {"cards": [*range(1, 35)]})
    assert show(client, table.headers[1], "r1.d2.s2.pick").status_code == 404
    assert show(client, table.headers[0], "r1.d3.s0.pick").status_code == 404
    put(client, table.headers[1], "r1.d1.s1.pick", {"card": 5})
    assert show(client, table.headers[2], "r1.d2.s2.pick").json["answer"] == {"plan": [5, 30]}
    table.do(c.Advance())
    assert show(client, table.headers[2], "r1.d2.s2.pick").json["answer"] == {"card": 30}
    assert show(client, table.headers[2], "r1.d5.s2.pick").status_code == 404


def test_a_plan_gets_its_receipt_while_the_game_is_paused(client: Any, refused: Refused) -> None:
    table = drafting(client)
    first = put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]}).json
    client.post("/v1/games/g_1/votes", json={"kind": "pause"}, headers=table.headers[0])
    for seat in (1, 2):
        put(client, table.headers[seat], f"v1.s{seat}.ballot", {"choice": "yes"})
    assert put(client, table.headers[2], "r1.d2.s2.pick", {"plan": [5, 30]}).json == first
    for other in ({"plan": [30, 5]}, {"card": 5}):
        assert refused(put(client, table.headers[2], "r1.d2.s2.pick", other))["code"] == "game_paused"
    assert show(client, table.headers[2], "r1.d2.s2.pick").json["legal"] is None


def test_another_plan_replaces_it_and_a_card_goes_before_it(client: Any) -> None:
    table = drafting(client)
    for plan in ([5, 30], [6]):
        put(client, table.headers[1], "r1.d1.s1.pick", {"plan": plan})
    assert client.get("/v1/games/g_1", headers=table.headers[1]).json["plan"] == [6]
    put(client, table.headers[1], "r1.d1.s1.pick", {"card": 30})
    assert table.state().hands[1] == (30,)


def test_who_is_not_asked_yet_may_plan_but_not_pick(client: Any, refused: Refused) -> None:
    table = drafting(client)
    problem = refused(put(client, table.headers[0], "r1.d3.s0.pick", {"card": 5}))
    assert (problem["code"], problem["status"]) == ("not_your_pick", 409)
    assert put(client, table.headers[0], "r1.d3.s0.pick", {"plan": [5]}).status_code == 200
    problem = refused(put(client, table.headers[0], "r1.d6.s0.pick", {"plan": [5]}))
    assert (problem["code"], problem["status"]) == ("decision_not_open", 409)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"card": 35}, "card_not_in_draft", "/card"),
        ({"card": "J0"}, "card_not_in_draft", "/card"),
        ({"plan": [35]}, "card_not_in_draft", "/plan"),
        ({"plan": [5, 35]}, "card_not_in_draft", "/plan/1"),
        ({"plan": [5, 5]}, "card_not_in_draft", "/plan"),
        ({"plan": []}, "invalid_request", "/plan"),
        ({"plan": 5}, "invalid_request", "/plan"),
        ({"plan": [5.0]}, "invalid_request", "/plan/0"),
        ({"plan": [*range(1, 105), 1]}, "plan_too_long", "/plan"),
        ({"plan": None}, "invalid_request", "/plan"),
        ({"card": 5, "plan": [5]}, "invalid_request", "/plan"),
        ({"card": 5, "if_low": "fewest_bullheads"}, "invalid_request", "/if_low"),
        ({"row": 0}, "invalid_request", "/row"),
        ({}, "invalid_request", "/card"),
    ],
)
def test_what_is_no_pick_is_refused(
    client: Any, refused: Refused, body: dict[str, Any], code: str, pointer: str
) -> None:
    table = drafting(client)
    seq = table.state().seq
    problem = refused(put(client, table.headers[1], "r1.d1.s1.pick", body))
    assert (problem["code"], problem["status"]) == (code, 422)
    assert problem["errors"][0]["pointer"] == pointer
    assert table.state().seq == seq


def test_a_pick_is_shown_open_and_over_but_not_before(client: Any, refused: Refused) -> None:
    table = drafting(client)
    later = refused(show(client, table.headers[2], "r1.d2.s2.pick"))
    assert later["code"] == "decision_not_found"
    before = show(client, table.headers[1], "r1.d1.s1.pick").json
    assert DecisionSchema().load(before) == before
    assert [before] == owed(client, table.headers[1])
    receipt = put(client, table.headers[1], "r1.d1.s1.pick", {"card": 17}).json
    table.play()
    after = show(client, table.headers[1], "r1.d1.s1.pick").json
    assert DecisionSchema().load(after) == after
    assert (after["answer"], after["answered_by"], after["receipt"]) == ({"card": 17}, "player", receipt)
    assert (after["legal"], after["opened_at"]) == (None, before["opened_at"])


@pytest.mark.parametrize("key", ["r1.d1.s0.pick", "r1.d31.s1.pick", "r1.d0.s1.pick", "r1.d1.s1.card"])
def test_a_pick_that_cannot_be_is_absent(client: Any, refused: Refused, key: str) -> None:
    table = drafting(client)
    assert refused(show(client, table.headers[1], key))["code"] == "decision_not_found"


def test_in_a_game_without_a_draft_there_is_no_pick(client: Any, refused: Refused) -> None:
    table = started(client)
    problem = refused(put(client, table.headers[0], "r1.d1.s0.pick", {"plan": [5]}))
    assert problem["code"] == "decision_not_found"
