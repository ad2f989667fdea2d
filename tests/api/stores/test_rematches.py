"""Rematches: one next game for a table, whoever asks first, and the seats are kept for a while."""

from threading import Barrier, Thread
from typing import Any

from engine import commands as c
from engine.decide import KEPT_MS
from engine.times import Millis, parse
from service.schemas.games import GameSchema
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import Table, finished, seated, started

REMATCH = "/v1/games/g_1/rematch"


def ask(client: Any, headers: dict[str, str]) -> Any:
    return client.post(REMATCH, headers=headers)


def ids(client: Any, table: Table) -> list[str]:
    return [client.get("/v1/me", headers=headers).json["id"] for headers in table.headers]


def active(client: Any, headers: dict[str, str]) -> list[str]:
    """Return the active games of a player, without the one that is over: no worker has noted that here."""
    games = client.get("/v1/me", headers=headers).json["active_games"]
    return [game for game in games if game != "g_1"]


def with_bot(client: Any, player: MakePlayer) -> tuple[str, dict[str, str]]:
    """Return a game of Ada and two house bots that is over, and who Ada is."""
    ada, services = player("Ada"), client.application.extensions["take5"]
    body = {"ruleset": "classic", "seats": 3, "pace": "untimed", "accept_bots": True}
    game = client.post("/v1/games", json=body, headers=ada).json["id"]
    for seat, level in ((1, "random"), (2, "lowest_risk")):
        client.post(f"/v1/games/{game}/seats/{seat}/bot", json={"house": level}, headers=ada)
    client.post(f"/v1/games/{game}/start", headers=ada)
    vote = client.post(f"/v1/games/{game}/votes", json={"kind": "abandon"}, headers=ada)
    assert vote.json["result"] == "passed"
    assert services.play.live(game).game.status == "abandoned"
    return game, ada


def test_who_asks_first_is_host_and_sits_where_it_sat(client: Any) -> None:
    table = finished(client, seats=3, end={"rounds": 1}, pace="slow")
    players = ids(client, table)
    made = ask(client, table.headers[1])
    assert made.status_code == 201
    assert GameSchema().load(made.json) == made.json
    assert made.headers["Location"] == f"/v1/games/{made.json['id']}"
    assert (made.json["status"], made.json["rematch_of"], made.json["you"]) == ("lobby", "g_1", 1)
    assert made.json["host"] == players[1]
    assert [seat and seat["player"] for seat in made.json["seats"]] == [None, players[1], None]
    assert made.json["kept"] == players
    assert parse(made.json["kept_until"]) == parse(made.json["created_at"]) + KEPT_MS
    assert made.json["options"] == client.get("/v1/games/g_1").json["options"]
    assert active(client, table.headers[1]) == [made.json["id"]]


def test_whoever_asks_then_gets_the_same_game(client: Any) -> None:
    table = finished(client)
    first = ask(client, table.headers[0]).json
    for headers in (table.headers[1], table.headers[0], table.headers[1]):
        again = ask(client, headers)
        assert (again.status_code, again.json["id"], again.json["host"]) == (200, first["id"], first["host"])
    assert active(client, table.headers[1]) == []


def test_of_all_who_ask_at_once_one_is_first(client: Any) -> None:
    table = finished(client, seats=6)
    barrier, answers = Barrier(6), list[Any]()

    def work(headers: dict[str, str]) -> None:
        other = client.application.test_client()
        barrier.wait()
        answers.append(other.post(REMATCH, headers=headers))

    threads = [Thread(target=work, args=(headers,)) for headers in table.headers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len({answer.json["id"] for answer in answers}) == 1
    found = [active(client, headers) for headers in table.headers]
    assert sorted(found) == [[]] * 5 + [[answers[0].json["id"]]]


def test_the_game_before_shows_it_once_it_is_there(client: Any) -> None:
    table = finished(client)
    before = client.get("/v1/games/g_1")
    assert before.json["rematch"] is None
    made = ask(client, table.headers[0]).json["id"]
    held = {"If-None-Match": before.headers["ETag"]}
    after = client.get("/v1/games/g_1?wait=25", headers=held)
    assert (after.status_code, after.json["rematch"]) == (200, made)
    assert client.get(f"/v1/games/{made}").json["rematch"] is None


def test_who_waits_at_the_game_before_hears_of_it(client: Any, until: Any) -> None:
    table = finished(client)
    services = table.services
    held = {"If-None-Match": client.get("/v1/games/g_1").headers["ETag"]}
    answers = list[Any]()
    other = client.application.test_client()
    thread = Thread(target=lambda: answers.append(other.get("/v1/games/g_1?wait=25", headers=held)))
    thread.start()
    until(lambda: services.waiting._value < services.config.max_waiting)
    made = ask(client, table.headers[0]).json["id"]
    thread.join(10)
    assert answers[0].json["rematch"] == made


def test_seats_are_kept_for_those_who_held_them_and_then_free(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    table = finished(client, seats=3)
    made = ask(client, table.headers[0]).json["id"]
    eve = player("Eve")
    response = client.post(f"/v1/games/{made}/seats", json={}, headers=eve)
    problem = refused(response)
    assert (problem["code"], problem["status"]) == ("seat_kept", 409)
    assert 0 < problem["retry_after_ms"] <= KEPT_MS
    assert (
        refused(client.post(f"/v1/games/{made}/seats", json={"seat": 2}, headers=eve))["code"] == "seat_kept"
    )
    taken = client.post(f"/v1/games/{made}/seats", json={}, headers=table.headers[2])
    assert (taken.status_code, taken.json["seat"]) == (201, 2)
    moment = Millis(table.services.play.live(made).game.created_at + KEPT_MS)
    table.services.play.clock = lambda: moment
    taken = client.post(f"/v1/games/{made}/seats", json={}, headers=eve)
    assert (taken.status_code, taken.json["seat"]) == (201, 1)


def test_house_bots_sit_again(client: Any, player: MakePlayer) -> None:
    game, ada = with_bot(client, player)
    made = client.post(f"/v1/games/{game}/rematch", headers=ada)
    assert made.status_code == 201
    assert [seat["level"] for seat in made.json["seats"]] == [None, "random", "lowest_risk"]
    assert made.json["status"] == "lobby"
    ready = client.patch(f"/v1/games/{made.json['id']}/seats/me", json={"ready": True}, headers=ada)
    assert ready.json["status"] == "playing"


def test_who_gave_a_seat_up_may_come_again(client: Any) -> None:
    table = started(client, end={"rounds": 1})
    client.post("/v1/games/g_1/resign", headers=table.headers[0])
    client.post("/v1/games/g_1/votes", json={"kind": "abandon"}, headers=table.headers[1])
    assert table.state().status == "abandoned"
    made = ask(client, table.headers[0])
    assert (made.status_code, made.json["you"]) == (201, 0)
    assert [seat and seat["controller"] for seat in made.json["seats"]] == ["player", None]


def test_a_private_table_meets_again_without_a_code(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    table = finished(client, seats=3, visibility="private")
    made = ask(client, table.headers[0]).json["id"]
    assert client.get(f"/v1/games/{made}", headers=table.headers[1]).json["join_code"] is None
    listed = client.get("/v1/games", headers=table.headers[1]).json["items"]
    assert made in [game["id"] for game in listed]
    assert client.post(f"/v1/games/{made}/seats", json={}, headers=table.headers[1]).json["seat"] == 1
    for headers in ({}, player("Eve")):
        assert refused(client.get(f"/v1/games/{made}", headers=headers))["code"] == "game_not_found"
    live = table.services.play.execute(made, c.ChangeOptions(table.state().host, {"seats": 2}))
    assert live.live.game.options.seats == 2
    client.post(f"/v1/games/{made}/start", headers=table.headers[0])
    problem = refused(ask(client, table.headers[2]))
    assert (problem["code"], problem["status"]) == ("game_started", 409)
    assert refused(client.get(f"/v1/games/{made}", headers=table.headers[2]))["code"] == "game_not_found"


def test_only_who_held_a_seat_may_ask_and_only_at_the_end(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    eve = player("Eve")
    assert refused(ask(client, eve))["code"] == "game_not_found"
    table = seated(client, end={"rounds": 1})
    problem = refused(ask(client, table.headers[0]))
    assert (problem["code"], problem["status"]) == ("game_not_over", 409)
    table.start()
    assert refused(ask(client, table.headers[0]))["code"] == "game_not_over"
    table.play()
    problem = refused(ask(client, eve))
    assert (problem["code"], problem["status"]) == ("not_seated", 403)
    assert client.get("/v1/games/g_1").json["rematch"] is None


def test_a_rematch_has_a_rematch_of_its_own(client: Any) -> None:
    table = finished(client)
    seen = ["g_1"]
    for _ in range(2):
        made = client.post(f"/v1/games/{seen[-1]}/rematch", headers=table.headers[0]).json["id"]
        client.post(f"/v1/games/{made}/seats", json={}, headers=table.headers[1])
        client.post(f"/v1/games/{made}/start", headers=table.headers[0])
        assert Table(table.services, made, table.headers).play().state().status == "finished"
        seen.append(made)
    assert len({*seen}) == 3


def test_a_repeated_request_gets_the_first_answer(client: Any) -> None:
    table = finished(client)
    headers = {**table.headers[0], "Idempotency-Key": "k"}
    first, again = (client.post(REMATCH, headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"


def test_the_games_of_a_table_verify_and_their_deals_differ(client: Any) -> None:
    table = finished(client)
    made = ask(client, table.headers[0]).json["id"]
    client.post(f"/v1/games/{made}/seats", json={}, headers=table.headers[1])
    client.post(f"/v1/games/{made}/start", headers=table.headers[0])
    again = Table(table.services, made, table.headers).play()
    assert client.get(f"/v1/games/{made}/verification").json["outcome"] == "ok"
    assert again.state().seed_commit != table.state().seed_commit


def test_the_next_game_is_named_to_those_only_who_may_see_it(client: Any, player: MakePlayer) -> None:
    table, eve = finished(client), player("Eve")
    made = ask(client, table.headers[0]).json["id"]
    assert client.get("/v1/games/g_1", headers=eve).json["rematch"] == made
    client.patch(f"/v1/games/{made}", json={"visibility": "private"}, headers=table.headers[0])
    for headers in ({}, eve):
        assert client.get("/v1/games/g_1", headers=headers).json["rematch"] is None
    for headers in table.headers:
        assert client.get("/v1/games/g_1", headers=headers).json["rematch"] == made
