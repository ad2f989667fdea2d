"""Answers to decisions: receipts, the same answer again, and what is no answer."""

from threading import Thread
from typing import Any

import pytest

from engine import commands as c
from engine.log import part_digest
from engine.times import Millis
from service.schemas.decisions import DecisionSchema, ReceiptSchema
from tests.api.asking import event, owed, put
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import started

OWN = "/v1/games/g_1/decisions/r1.t1.s0.card"


def test_the_receipt_proves_the_card(client: Any) -> None:
    table = started(client)
    card = table.state().hands[0][4]
    receipt = put(client, table.headers[0], "r1.t1.s0.card", {"card": card}).json
    assert ReceiptSchema().load(receipt) == receipt
    assert receipt["key"] == "r1.t1.s0.card"
    assert receipt["sealed"] == part_digest(receipt["salt"], {"card": card})
    laid = event(client, receipt["seq"], table.headers[1])
    assert (laid["type"], laid["data"], laid["open"]) == (
        "card.laid",
        {"seat": 0, "table": "hidden", "bank_used_ms": 0},
        {},
    )
    assert laid["sealed"] == {"s0": receipt["sealed"]}
    assert laid["at"] == receipt["accepted_at"]


def test_the_same_answer_gets_the_same_receipt_at_any_time(client: Any) -> None:
    table = started(client, end={"rounds": 2})
    card = table.state().hands[0][-1]
    first = put(client, table.headers[0], "r1.t1.s0.card", {"card": card})
    seq = table.state().seq

    def repeat() -> None:
        again = put(client, table.headers[0], "r1.t1.s0.card", {"card": card})
        assert (again.status_code, again.data) == (200, first.data)

    repeat()
    assert table.state().seq == seq
    table.lay(1)
    repeat()
    for turns in (1, 3, 10):
        table.play(turns=turns)
        repeat()
    table.play()
    assert table.state().status == "finished"
    repeat()


def test_another_answer_is_refused_at_any_time(client: Any, refused: Refused) -> None:
    table = started(client, end={"rounds": 1})
    hand = table.state().hands[0]
    put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[0]})

    def other() -> str:
        problem = refused(put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[1]}))
        assert problem["status"] == 409
        return str(problem["code"])

    assert other() == "already_answered"
    table.play(turns=3)
    assert other() == "decision_closed"
    table.play()
    assert other() == "decision_closed"


def test_a_table_may_allow_another_card_until_the_reveal(client: Any, refused: Refused) -> None:
    table = started(client, recommit=True)
    hand = table.state().hands[0]
    receipts = [
        put(client, table.headers[0], "r1.t1.s0.card", {"card": card}).json
        for card in (hand[0], hand[1], hand[1])
    ]
    assert receipts[0]["seq"] < receipts[1]["seq"]
    assert receipts[1] == receipts[2]
    shown = client.get(OWN, headers=table.headers[0]).json
    assert (shown["answer"], shown["receipt"], shown["legal"]) == (
        {"card": hand[1]},
        receipts[1],
        {"cards": list(hand)},
    )
    table.play(turns=1)
    assert put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[1]}).json == receipts[1]
    problem = refused(put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[0]}))
    assert problem["code"] == "decision_closed"


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"card": True}, ["/card"]),
        ({"card": 5.0}, ["/card"]),
        ({"card": "5"}, ["/card"]),
        ({"card": None}, ["/card"]),
        ({"card": 0}, ["/card"]),
        ({"card": 105}, ["/card"]),
        ({"card": [5]}, ["/card"]),
        ({"card": "J10"}, ["/card"]),
        ({"card": "\u0665"}, ["/card"]),
        ({}, ["/card"]),
        ({"row": 1}, ["/row", "/card"]),
        ({"card": 5, "row": 1}, ["/row"]),
        ({"card": 5, "if_low": "highest"}, ["/if_low"]),
        ({"card": 5, "if_low": None}, ["/if_low"]),
        ({"card": 5, "plan": [5], "choice": "yes"}, ["/plan", "/choice"]),
        ({"plan": [5]}, ["/plan", "/card"]),
        ([5], [""]),
    ],
)
def test_what_is_no_card_is_refused(client: Any, refused: Refused, body: Any, pointers: list[str]) -> None:
    table = started(client)
    seq = table.state().seq
    problem = refused(put(client, table.headers[0], "r1.t1.s0.card", body))
    assert (problem["code"], problem["status"]) == ("invalid_request", 422)
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert table.state().seq == seq


def test_a_card_of_another_hand_is_refused_with_one_s_own(client: Any, refused: Refused) -> None:
    table = started(client)
    hands = table.state().hands
    for card in (hands[1][0], "J4"):
        problem = refused(put(client, table.headers[0], "r1.t1.s0.card", {"card": card}))
        assert (problem["code"], problem["status"]) == ("card_not_in_hand", 422)
        assert problem["legal"] == {"cards": list(hands[0])}
        assert problem["errors"][0]["pointer"] == "/card"


ABSENT = [
    "r1.t1.s1.card",
    "r1.t1.s9.card",
    "r1.t11.s0.card",
    "r0.t1.s0.card",
    "r1.t1.s0.pick",
    "x",
    "%00",
    "r1",
]


@pytest.mark.parametrize("key", ABSENT)
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_another_seat_s_decision_is_as_absent_as_none(
    client: Any, player: MakePlayer, refused: Refused, method: str, key: str
) -> None:
    table = started(client)
    body = {"card": table.state().hands[1][0]} if method == "PUT" else None
    for headers in (table.headers[0], player("Eve")):
        problem = refused(
            client.open(f"/v1/games/g_1/decisions/{key}", method=method, json=body, headers=headers)
        )
        assert (problem["code"], problem["detail"]) == (
            "decision_not_found",
            "There is no such decision, or it is not yours.",
        )
        assert problem.keys() == {"type", "title", "status", "detail", "code", "request_id"}
    assert table.state().laid == (None, None)


def test_a_later_turn_is_not_open_yet(client: Any, refused: Refused) -> None:
    table = started(client)
    card = {"card": table.state().hands[0][0]}
    for key in ("r1.t2.s0.card", "r2.t1.s0.card", "r1a1.t1.s0.card"):
        problem = refused(put(client, table.headers[0], key, card))
        assert (problem["code"], problem["status"]) == ("decision_not_open", 409)
        shown = refused(client.get(f"/v1/games/g_1/decisions/{key}", headers=table.headers[0]))
        assert shown["code"] == "decision_not_found"


def test_a_decision_shows_its_answer_to_its_seat_alone(client: Any, refused: Refused) -> None:
    table = started(client)
    card = table.state().hands[0][2]
    before = client.get(OWN, headers=table.headers[0])
    assert DecisionSchema().load(before.json) == before.json
    assert [before.json] == owed(client, table.headers[0])
    receipt = put(client, table.headers[0], "r1.t1.s0.card", {"card": card}).json
    after = client.get(OWN, headers=table.headers[0])
    assert DecisionSchema().load(after.json) == after.json
    assert (after.json["answer"], after.json["answered_by"]) == ({"card": card}, "player")
    assert (after.json["receipt"], after.json["legal"]) == (receipt, None)
    assert after.headers["ETag"] != before.headers["ETag"]
    assert refused(client.get(OWN, headers=table.headers[1]))["code"] == "decision_not_found"
    assert refused(client.get(OWN))["code"] == "token_required"


def test_what_the_service_answered_is_said_to_be_the_service_s(client: Any, refused: Refused) -> None:
    table = started(client, pace="bot")
    deadline = table.state().deadline
    assert deadline is not None
    table.services.play.clock = lambda: Millis(deadline)
    table.do(c.Expire())
    shown = client.get(OWN, headers=table.headers[0]).json
    assert DecisionSchema().load(shown) == shown
    assert shown["answered_by"] == "timeout"
    assert shown["deadline"].endswith("Z")
    other = next(card for card in table.state().hands[0] if card != shown["answer"]["card"])
    problem = refused(put(client, table.headers[0], "r1.t1.s0.card", {"card": other}))
    assert (problem["code"], problem["status"]) == ("decision_closed", 409)


def test_ten_seats_that_answer_at_once_are_all_heard(client: Any) -> None:
    table = started(client, seats=10)
    hands = table.state().hands
    answers: dict[int, Any] = {}

    def lay(seat: int) -> None:
        other = client.application.test_client()
        answers[seat] = put(other, table.headers[seat], f"r1.t1.s{seat}.card", {"card": hands[seat][0]})

    threads = [Thread(target=lay, args=(seat,)) for seat in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[seat].status_code for seat in range(10)] == [200] * 10
    assert len({answer.json["seq"] for answer in answers.values()}) == 10
    assert all(table.state().laid)
