"""Votes: asked for by one, answered as decisions by all others, and told for ever with who said what."""

from typing import Any

import pytest

from engine import commands as c
from engine.agreements import COOL_DOWN_MS, SHORTEST_VOTE_MS
from engine.times import Millis
from service.schemas.decisions import DecisionSchema, ReceiptSchema
from service.schemas.games import GameSchema
from service.schemas.votes import VoteListSchema, VoteSchema
from tests.api.asking import event, owed, put
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import Table, finished, seated, started

VOTES = "/v1/games/g_1/votes"


def ask(client: Any, headers: dict[str, str], kind: str, **more: Any) -> Any:
    return client.post(VOTES, json={"kind": kind, **more}, headers=headers)


def say(client: Any, table: Table, seat: int, choice: str, vote: int = 1) -> Any:
    return put(client, table.headers[seat], f"v{vote}.s{seat}.ballot", {"choice": choice})


def later(table: Table, ms: int) -> None:
    """Let time pass, for the table alone."""
    moment = Millis(table.state().at + ms)
    table.services.play.clock = lambda: moment


def told(client: Any, headers: dict[str, str] | None = None) -> list[dict[str, Any]]:
    answer = client.get(VOTES, headers=headers)
    assert VoteListSchema().load(answer.json) == answer.json
    items: list[dict[str, Any]] = answer.json["items"]
    return items


def test_a_vote_is_a_ballot_for_every_other_person(client: Any) -> None:
    table = started(client, seats=3)
    opened = ask(client, table.headers[1], "pause")
    assert opened.status_code == 201
    assert opened.headers["Location"] == VOTES
    assert VoteSchema().load(opened.json) == opened.json
    assert (opened.json["vote"], opened.json["kind"], opened.json["seat"]) == (1, "pause", 1)
    assert (opened.json["result"], opened.json["voters"]) == ("open", [0, 1, 2])
    assert [(one["seat"], one["choice"]) for one in opened.json["ballots"]] == [(1, "yes")]
    assert [item["key"] for item in owed(client, table.headers[1])] == ["r1.t1.s1.card"]
    ballot = next(item for item in owed(client, table.headers[0]) if item["kind"] == "ballot")
    assert (ballot["key"], ballot["legal"], ballot["on_timeout"]) == (
        "v1.s0.ballot",
        {"choices": ["yes", "no"]},
        "no",
    )
    assert ballot["deadline"] == opened.json["deadline"]
    game = client.get("/v1/games/g_1").json
    assert GameSchema().load(game) == game
    assert (game["vote"]["kind"], game["vote_deadline"]) == ("pause", ballot["deadline"])
    assert told(client) == [opened.json]


def test_the_last_yes_passes_it_and_the_effect_comes_with_it(client: Any) -> None:
    table = started(client, seats=3)
    ask(client, table.headers[0], "pause")
    say(client, table, 1, "yes")
    assert table.state().status == "playing"
    receipt = say(client, table, 2, "yes").json
    assert ReceiptSchema().load(receipt) == receipt
    cast = event(client, receipt["seq"], {})
    assert (cast["type"], cast["data"]) == ("vote.cast", {"vote": 1, "seat": 2, "choice": "yes"})
    assert table.state().status == "paused"
    (vote,) = told(client)
    assert (vote["result"], vote["reason"]) == ("passed", "all_yes")
    assert [one["seat"] for one in vote["ballots"]] == vote["voters"] == [0, 1, 2]
    assert vote["closed_at"] == receipt["accepted_at"]


def test_one_no_ends_it_and_the_next_has_to_wait(client: Any, refused: Refused) -> None:
    table = started(client, seats=3)
    ask(client, table.headers[0], "redeal")
    say(client, table, 2, "no")
    (vote,) = told(client)
    assert (vote["result"], vote["reason"]) == ("failed", "a_no")
    assert [(one["seat"], one["choice"]) for one in vote["ballots"]] == [(0, "yes"), (2, "no")]
    assert owed(client, table.headers[1])[0]["kind"] == "card"
    response = ask(client, table.headers[1], "pause")
    problem = refused(response)
    assert (problem["code"], problem["status"]) == ("vote_too_soon", 409)
    assert 0 < problem["retry_after_ms"] <= COOL_DOWN_MS
    assert int(response.headers["Retry-After"]) >= problem["retry_after_ms"] / 1000
    later(table, COOL_DOWN_MS)
    assert ask(client, table.headers[1], "pause").status_code == 201


def test_silence_is_no(client: Any) -> None:
    table = started(client)
    ask(client, table.headers[0], "abandon")
    later(table, 24 * 3_600_000)
    table.do(c.Expire())
    (vote,) = told(client)
    assert (vote["result"], vote["reason"]) == ("failed", "time_up")
    assert table.state().status == "playing"


def test_the_same_vote_again_is_the_vote_that_is_open(client: Any, refused: Refused) -> None:
    table = started(client, seats=3)
    first = ask(client, table.headers[0], "pause")
    again = ask(client, table.headers[0], "pause")
    assert (first.status_code, again.status_code, again.json) == (201, 200, first.json)
    for headers, kind in ((table.headers[1], "pause"), (table.headers[0], "abandon")):
        problem = refused(ask(client, headers, kind))
        assert (problem["code"], problem["status"]) == ("vote_open", 409)
    assert len(told(client)) == 1


def test_a_repeated_request_gets_the_first_answer(client: Any) -> None:
    table = started(client)
    headers = {**table.headers[0], "Idempotency-Key": "k"}
    first = ask(client, headers, "pause")
    say(client, table, 1, "no")
    again = ask(client, headers, "pause")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_vote_that_was_opened_by_an_attempt_that_died_is_not_opened_twice(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(client)
    headers = {**table.headers[0], "Idempotency-Key": "k"}
    monkeypatch.setattr("service.api.votes.note_ends", lambda done: 1 / 0)
    assert ask(client, headers, "pause").status_code == 500
    monkeypatch.undo()
    say(client, table, 1, "no")
    again = ask(client, headers, "pause")
    assert (again.status_code, again.json["vote"], again.json["result"]) == (201, 1, "failed")
    assert len(told(client)) == 1


def test_a_ballot_is_final_and_gets_the_same_receipt_at_any_time(client: Any, refused: Refused) -> None:
    table = started(client, seats=3, end={"rounds": 1})
    ask(client, table.headers[0], "pause")
    first = say(client, table, 1, "yes")

    def repeat(code: str) -> None:
        again = say(client, table, 1, "yes")
        assert (again.status_code, again.data) == (200, first.data)
        other = refused(say(client, table, 1, "no"))
        assert (other["code"], other["status"]) == (code, 409)

    repeat("already_answered")
    say(client, table, 2, "no")
    repeat("decision_closed")
    table.play()
    assert table.state().status == "finished"
    repeat("decision_closed")
    shown = client.get("/v1/games/g_1/decisions/v1.s1.ballot", headers=table.headers[1]).json
    assert DecisionSchema().load(shown) == shown
    assert (shown["answer"], shown["answered_by"], shown["receipt"]) == (
        {"choice": "yes"},
        "player",
        first.json,
    )


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"choice": "maybe"}, "/choice"),
        ({"choice": True}, "/choice"),
        ({"choice": None}, "/choice"),
        ({"card": 5}, "/card"),
        ({}, "/choice"),
    ],
)
def test_what_is_no_ballot_is_refused(client: Any, refused: Refused, body: Any, pointer: str) -> None:
    table = started(client)
    ask(client, table.headers[0], "pause")
    problem = refused(put(client, table.headers[1], "v1.s1.ballot", body))
    assert (problem["code"], problem["status"]) == ("invalid_request", 422)
    assert problem["errors"][0]["pointer"] == pointer


def test_who_is_not_asked_has_no_ballot(client: Any, refused: Refused, player: MakePlayer) -> None:
    table = started(client, seats=3)
    ask(client, table.headers[0], "replace", seat=2)
    assert [item["kind"] for item in owed(client, table.headers[2])] == ["card"]
    assert refused(say(client, table, 2, "no"))["code"] == "not_a_voter"
    for headers, key in ((table.headers[2], "v1.s1.ballot"), (player("Eve"), "v1.s1.ballot")):
        problem = refused(put(client, headers, key, {"choice": "no"}))
        assert problem["code"] == "decision_not_found"
    for key in ("v2.s1.ballot", "v200.s1.ballot"):
        problem = refused(put(client, table.headers[1], key, {"choice": "no"}))
        assert (problem["code"], problem["status"]) == ("decision_not_open", 409)
    problem = refused(put(client, table.headers[1], "v201.s1.ballot", {"choice": "no"}))
    assert problem["code"] == "decision_not_found"


@pytest.mark.parametrize(
    ("body", "code", "status", "pointer"),
    [
        ({"kind": "resume"}, "vote_not_possible", 409, "/kind"),
        ({"kind": "replace"}, "vote_not_possible", 409, "/seat"),
        ({"kind": "pause", "seat": 1}, "vote_not_possible", 409, "/seat"),
        ({"kind": "replace", "seat": 0}, "vote_not_possible", 409, "/seat"),
        ({"kind": "replace", "seat": 5}, "seat_out_of_range", 422, "/seat"),
        ({"kind": "replace", "seat": 10}, "invalid_request", 422, "/seat"),
        ({"kind": "replace", "seat": -1}, "invalid_request", 422, "/seat"),
        ({"kind": "replace", "seat": "1"}, "invalid_request", 422, "/seat"),
        ({"kind": "replace", "seat": True}, "invalid_request", 422, "/seat"),
        ({"kind": "revolution"}, "invalid_request", 422, "/kind"),
        ({"kind": None}, "invalid_request", 422, "/kind"),
        ({}, "invalid_request", 422, "/kind"),
    ],
)
def test_what_cannot_be_voted_on_is_refused(
    client: Any, refused: Refused, body: dict[str, Any], code: str, status: int, pointer: str
) -> None:
    table = started(client)
    problem = refused(client.post(VOTES, json=body, headers=table.headers[0]))
    assert (problem["code"], problem["status"]) == (code, status)
    assert problem["errors"][0]["pointer"] == pointer
    assert told(client) == []


def test_there_are_games_and_players_without_votes(client: Any, refused: Refused, player: MakePlayer) -> None:
    lobby = seated(client, game="g_2")
    asked = client.post("/v1/games/g_2/votes", json={"kind": "pause"}, headers=lobby.headers[0])
    assert refused(asked)["code"] == "game_not_playing"
    table = started(client, votes=False)
    assert refused(ask(client, table.headers[0], "pause"))["code"] == "votes_off"
    assert refused(ask(client, player("Eve"), "pause"))["code"] == "not_seated"
    assert refused(client.get("/v1/games/g_3/votes"))["code"] == "game_not_found"


def test_the_votes_of_a_game_that_is_over_are_still_told(client: Any) -> None:
    table = started(client, end={"rounds": 1})
    ask(client, table.headers[0], "redeal")
    say(client, table, 1, "no")
    table.play()
    assert [vote["reason"] for vote in told(client)] == ["a_no"]
    finished(client, game="g_2")
    assert client.get("/v1/games/g_2/votes").json == {"items": []}


def test_who_holds_the_votes_is_answered_304_until_something_is_said(client: Any) -> None:
    table = started(client)
    ask(client, table.headers[0], "pause")
    held = {"If-None-Match": client.get(VOTES).headers["ETag"]}
    assert client.get(VOTES, headers=held).status_code == 304
    say(client, table, 1, "no")
    assert client.get(VOTES, headers=held).status_code == 200


def test_a_vote_lasts_as_long_as_a_turn_but_not_less_than_anybody_can_read(client: Any) -> None:
    table = started(client, pace="bot")
    vote = ask(client, table.headers[0], "pause").json
    later(table, SHORTEST_VOTE_MS - 1)
    table.do(c.Expire())
    assert told(client)[0]["result"] == "open"
    later(table, SHORTEST_VOTE_MS)
    table.do(c.Expire())
    assert told(client)[0]["closed_at"] >= vote["deadline"]
