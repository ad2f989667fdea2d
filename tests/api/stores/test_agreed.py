"""What a table has agreed on by a vote happens: a pause, a round dealt anew, an end, a seat replaced."""

from typing import Any

from engine import commands as c
from engine.agreements import LONGEST_PAUSE_MS
from engine.times import Millis
from service.schemas.games import GameSchema
from tests.api.asking import owed, put
from tests.api.kinds import Refused
from tests.api.played import Table, started

VOTES = "/v1/games/g_1/votes"


def ask(client: Any, headers: dict[str, str], kind: str, **more: Any) -> Any:
    return client.post(VOTES, json={"kind": kind, **more}, headers=headers)


def say(client: Any, table: Table, seat: int, choice: str, vote: int = 1) -> Any:
    return put(client, table.headers[seat], f"v{vote}.s{seat}.ballot", {"choice": choice})


def agree(client: Any, table: Table, kind: str, **more: Any) -> None:
    """Open a vote at a table of two people and pass it."""
    number = ask(client, table.headers[0], kind, **more).json["vote"]
    assert say(client, table, 1, "yes", number).status_code == 200


def later(table: Table, ms: int) -> None:
    """Let time pass, for the table alone."""
    moment = Millis(table.state().at + ms)
    table.services.play.clock = lambda: moment


def test_a_pause_stops_the_play_and_all_its_clocks(client: Any, refused: Refused) -> None:
    table = started(client, pace="live")
    card = {"card": table.state().hands[0][0]}
    before = client.get("/v1/games/g_1").json
    agree(client, table, "pause")
    game = client.get("/v1/games/g_1").json
    assert GameSchema().load(game) == game
    assert (game["status"], game["deadline"], game["opened_at"]) == ("paused", None, None)
    assert game["paused_until"] > before["deadline"]
    assert [owed(client, headers) for headers in table.headers] == [[], []]
    problem = refused(put(client, table.headers[0], "r1.t1.s0.card", card))
    assert (problem["code"], problem["status"]) == ("game_paused", 409)
    later(table, 3_600_000)
    agree(client, table, "resume")
    game = client.get("/v1/games/g_1").json
    assert (game["status"], game["paused_until"]) == ("playing", None)
    assert game["deadline"] > before["deadline"]
    assert put(client, table.headers[0], "r1.t1.s0.card", card).status_code == 200


def test_an_answer_is_the_same_during_a_pause(client: Any, refused: Refused) -> None:
    table = started(client)
    hand = table.state().hands[0]
    first = put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[0]})
    agree(client, table, "pause")
    again = put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[0]})
    assert (again.status_code, again.data) == (200, first.data)
    assert refused(put(client, table.headers[0], "r1.t1.s0.card", {"card": hand[1]}))["code"] == "game_paused"
    shown = client.get("/v1/games/g_1/decisions/r1.t1.s0.card", headers=table.headers[0]).json
    assert (shown["answer"], shown["legal"]) == ({"card": hand[0]}, None)


def test_a_pause_ends_by_itself(client: Any) -> None:
    table = started(client)
    agree(client, table, "pause")
    later(table, LONGEST_PAUSE_MS)
    table.do(c.Expire())
    assert client.get("/v1/games/g_1").json["status"] == "playing"


def test_a_round_is_dealt_anew(client: Any) -> None:
    table = started(client)
    hands = table.state().hands
    agree(client, table, "redeal")
    game = client.get("/v1/games/g_1", headers=table.headers[0]).json
    assert (game["round"], game["attempt"]) == (1, 1)
    assert [item["key"] for item in owed(client, table.headers[0])] == ["r1a1.t1.s0.card"]
    dealt = next(
        item
        for item in client.get("/v1/games/g_1/events?limit=100").json["items"]
        if item["type"] == "round.dealt"
    )
    assert dealt["open"]["s1"]["data"]["hand"] == [*hands[1]]
    old = client.get("/v1/games/g_1/decisions/r1.t1.s0.card", headers=table.headers[0]).json
    assert (old["answer"], old["legal"]) == (None, None)


def test_a_game_is_abandoned_by_all(client: Any, refused: Refused) -> None:
    table = started(client)
    agree(client, table, "abandon")
    game = client.get("/v1/games/g_1").json
    assert (game["status"], game["standings"]) == ("abandoned", [])
    assert client.get("/v1/me", headers=table.headers[0]).json["active_games"] == []
    assert say(client, table, 1, "yes").status_code == 200
    assert refused(say(client, table, 1, "no"))["code"] == "decision_closed"
    assert refused(ask(client, table.headers[0], "abandon"))["code"] == "game_over"
    replay = client.get("/v1/games/g_1/replay").json
    assert replay["result"] == {"reason": "vote", "standings": []}


def test_a_seat_is_replaced_by_a_house_bot(client: Any, refused: Refused) -> None:
    table = started(client, seats=3)
    assert ask(client, table.headers[0], "replace", seat=2).json["voters"] == [0, 1]
    say(client, table, 1, "yes")
    holder = client.get("/v1/games/g_1").json["seats"][2]
    assert (holder["controller"], holder["kind"], holder["name"]) == ("house", "human", "Player 2")
    assert owed(client, table.headers[2]) == []
    assert client.get("/v1/me", headers=table.headers[2]).json["active_games"] == []
    assert client.get("/v1/games/g_1", headers=table.headers[2]).json["you"] is None
    assert refused(ask(client, table.headers[2], "pause"))["code"] == "not_seated"
