"""How much may be asked for at the same time, as a client meets it; what is in flight is put there by the test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask

from service import limiting
from service.app import create_app
from service.codes import CODES
from service.config import Config
from service.problems import Problem
from service.services import Services, in_memory
from service.store.quotas import BUCKETS
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import started

Busy = Callable[..., None]
RATES: dict[str, Any] = {f"rate_{bucket}": "3 per 60 seconds" for bucket in BUCKETS}
SMALL = Config(address_factor=2, max_waiting_each=2, **RATES)


@pytest.fixture
def services() -> Services:
    """Services that let three requests of a kind through beside the one in flight, six of an address."""
    return in_memory(SMALL)


@pytest.fixture
def busy(app: Flask) -> Iterator[Busy]:
    """Puts a request in flight, which stays there until the test is over."""
    with ExitStack() as stack:

        def begin(path: str = "/v1/me", method: str = "GET", **options: Any) -> None:
            options.setdefault("environ_base", {"REMOTE_ADDR": "127.0.0.1"})
            stack.enter_context(app.test_request_context(path, method=method, **options))
            limiting.begin()

        yield begin


def test_one_request_after_the_other_is_never_counted(client: Any, player: MakePlayer) -> None:
    headers = player()
    for _ in range(50):
        answer = client.get("/v1/me", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["RateLimit"] == '"reading";r=3;t=60'
    for _ in range(20):
        assert client.post("/v1/players", json={"name": "Eve", "kind": "human"}).status_code == 201


def test_what_comes_beside_another_is_counted_and_refused_beyond_the_rate(
    client: Any, player: MakePlayer, refused: Refused, busy: Busy
) -> None:
    headers = player()
    busy(headers=headers)
    found = [client.get("/v1/me", headers=headers) for _ in range(4)]
    assert [answer.status_code for answer in found] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit"].split(";t=")[0] for answer in found] == [
        f'"reading";r={left}' for left in (2, 1, 0, 0)
    ]
    problem = refused(found[-1])
    assert problem["code"] == "reading_limited"
    assert 59_000 < problem["retry_after_ms"] <= 60_000
    assert found[-1].headers["Retry-After"] == "60"
    assert found[-1].headers["RateLimit"] == '"reading";r=0;t=60'


def test_the_policy_names_both_rates_and_is_the_same_on_every_answer(client: Any, player: MakePlayer) -> None:
    headers = player()
    policy = '"reading";q=3;w=60, "reading-address";q=6;w=60'
    assert client.get("/v1/me", headers=headers).headers["RateLimit-Policy"] == policy
    assert client.get("/v1/games", headers=headers).headers["RateLimit-Policy"] == policy
    assert client.get("/v1/limits").headers["RateLimit-Policy"] == policy
    assert client.get("/v1/nothing").headers["RateLimit-Policy"] == policy


CALLS = [
    ("reading", "GET", "/v1/me", None),
    ("reading", "POST", "/v1/simulate", {}),
    ("laying", "PUT", "/v1/games/g_1/decisions/r1.t1.s0.card", {"card": 1}),
    ("writing", "PATCH", "/v1/me", {"name": "Ada"}),
    ("writing", "DELETE", "/v1/me/tokens/k_1", None),
    ("writing", "POST", "/v1/games/g_1/start", None),
    ("creating", "POST", "/v1/games", {"ruleset": "classic", "seats": 2}),
    ("creating", "POST", "/v1/games/g_1/seats", {}),
    ("exports", "GET", "/v1/games/g_1/replay?format=events", None),
    ("exports", "GET", "/v1/games/g_1/verification", None),
    ("exports", "GET", "/v1/games/g_1/frames", None),
]


@pytest.mark.parametrize(("bucket", "method", "path", "body"), CALLS)
def test_every_kind_is_counted_for_itself_and_has_its_own_code(
    client: Any, refused: Refused, busy: Busy, bucket: str, method: str, path: str, body: Any
) -> None:
    headers = started(client).headers[0]
    busy(path.partition("?")[0], method, headers=headers)
    served = 0
    while (answer := client.open(path, method=method, json=body, headers=headers)).status_code != 429:
        assert answer.headers["RateLimit"].startswith(f'"{bucket}')
        served += 1
    assert served == (6 if path == "/v1/simulate" else 3)  # which takes no token
    assert refused(answer)["code"] == f"{bucket}_limited"
    for other, verb, address, content in CALLS:
        if other != bucket:
            assert client.open(address, method=verb, json=content, headers=headers).status_code != 429


def test_reading_too_much_never_holds_up_a_card(
    client: Any, refused: Refused, busy: Busy, services: Services
) -> None:
    table = started(client)
    headers = table.headers[0]
    busy("/v1/games/g_1", headers=headers)
    while client.get("/v1/games/g_1", headers=headers).status_code != 429:
        pass
    card = table.state().hands[0][0]
    laid = client.put("/v1/games/g_1/decisions/r1.t1.s0.card", json={"card": card}, headers=headers)
    assert laid.status_code == 200
    assert laid.headers["RateLimit"] == '"laying";r=3;t=60'


def test_tokens_are_counted_apart_and_their_address_for_all_of_them(
    client: Any, player: MakePlayer, refused: Refused, busy: Busy
) -> None:
    several = [player(name) for name in ("Ada", "Bob", "Eve")]
    for headers in several:
        busy(headers=headers)
    for headers in several[:2]:
        assert [client.get("/v1/me", headers=headers).status_code for _ in range(3)] == [200] * 3
    answer = client.get("/v1/me", headers=several[2])
    assert refused(answer)["code"] == "reading_limited"
    assert answer.headers["RateLimit"] == '"reading-address";r=0;t=60'
    alone = player("Zoe")
    assert client.get("/v1/me", headers=alone).status_code == 200


def test_without_a_token_the_address_is_the_client(client: Any, refused: Refused, busy: Busy) -> None:
    busy("/v1/limits")
    found = [client.get("/v1/limits") for _ in range(7)]
    assert [answer.status_code for answer in found] == [200] * 6 + [429]
    refused(found[-1])
    elsewhere = client.get("/v1/limits", environ_base={"REMOTE_ADDR": "127.0.0.2"})
    assert elsewhere.status_code == 200


def test_a_made_up_token_makes_nobody_another_client(client: Any, refused: Refused, busy: Busy) -> None:
    busy("/v1/me")
    statuses = [
        client.get("/v1/me", headers={"Authorization": f"Bearer t5_{number:043}"}).status_code
        for number in range(8)
    ]
    assert statuses == [401] * 6 + [429] * 2
    garbled = client.get("/v1/me", headers={"Authorization": "Bearer no"})
    assert refused(garbled)["code"] == "reading_limited"
    ignored = client.get("/v1/limits", headers={"Authorization": f"Bearer t5_{9:043}"})
    assert refused(ignored)["code"] == "reading_limited"


@pytest.mark.parametrize(
    ("told", "client_is"),
    [
        ("192.0.2.1", "a/192.0.2.1"),
        ("192.0.2.1:49152", "a/192.0.2.1"),
        ("[2001:db8::1]", "a/2001:db8::/64"),
        ("[2001:db8::1]:49152", "a/2001:db8::/64"),
        ("[::ffff:192.0.2.1]:49152", "a/192.0.2.1"),
        ("unknown", "a/unknown"),
    ],
)
def test_the_port_of_an_address_makes_nobody_another_client(client: Any, told: str, client_is: str) -> None:
    with client.application.test_request_context("/v1/limits", environ_base={"REMOTE_ADDR": told}):
        assert limiting.address() == client_is


def test_an_address_of_ipv6_is_its_network(client: Any, busy: Busy) -> None:
    busy("/v1/limits", environ_base={"REMOTE_ADDR": "2001:db8::1"})

    def left(address: str) -> str:
        answer = client.get("/v1/limits", environ_base={"REMOTE_ADDR": address})
        return str(answer.headers["RateLimit"].split(";")[1])

    assert left("2001:db8::2") == "r=5"
    assert left("2001:db8::ffff:0:1") == "r=4"
    assert left("2001:db8:0:1::1") == "r=6"
    assert left("::ffff:127.0.0.1") == "r=6"
    assert left("not:an:address") == "r=6"


def test_who_speaks_through_proxies_is_told_by_those_we_know(refused: Refused) -> None:
    app = create_app(in_memory(Config(rate_reading="3 per 60 seconds", address_factor=1, trusted_proxies=1)))
    client: Any = app.test_client()
    with ExitStack() as stack:
        stack.enter_context(app.test_request_context("/v1/limits", environ_base={"REMOTE_ADDR": "192.0.2.1"}))
        limiting.begin()
        forged = {"X-Forwarded-For": "198.51.100.7, 192.0.2.1"}
        assert client.get("/v1/limits", headers=forged).headers["RateLimit"] == '"reading-address";r=2;t=60'
        other = {"X-Forwarded-For": "192.0.2.1, 198.51.100.7"}
        assert client.get("/v1/limits", headers=other).headers["RateLimit"] == '"reading-address";r=3;t=60'


def test_a_held_request_is_not_in_flight_and_each_client_may_hold_so_many(
    app: Flask, client: Any, player: MakePlayer, refused: Refused
) -> None:
    headers = player()
    with app.test_request_context("/v1/me/decisions?wait=25", headers=headers):
        limiting.begin()
        over = [limiting.hold(), limiting.hold()]
        for _ in range(10):
            assert client.get("/v1/me", headers=headers).headers["RateLimit"] == '"reading";r=3;t=60'
        answer = client.get("/v1/me/decisions?wait=25", headers=headers)
        problem = refused(answer)
        assert (problem["code"], problem["retry_after_ms"]) == ("waiting_limited", 1000)
        for go_on in over:
            go_on()
        limiting.hold()()


def test_an_address_may_hold_as_many_times_more_as_it_may_ask(
    app: Flask, client: Any, refused: Refused
) -> None:
    with app.test_request_context("/v1/games/g_1", environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        limiting.begin()
        over = [limiting.hold() for _ in range(4)]
        with pytest.raises(Problem) as full:
            limiting.hold()
        for go_on in over:
            go_on()
    assert full.value.code == "waiting_limited"


def test_health_is_not_counted(client: Any, busy: Busy) -> None:
    busy("/healthz")
    for _ in range(20):
        answer = client.get("/healthz")
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_a_rate_can_be_lifted(refused: Refused) -> None:
    app = create_app(in_memory(Config(rate_reading="none")))
    with app.test_request_context("/v1/limits"):
        limiting.begin()
        answers = [app.test_client().get("/v1/limits") for _ in range(20)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit" not in answers[0].headers
    limits: Any = answers[0].json
    rates = {rate["bucket"]: rate["requests"] for rate in limits["rates"]}
    assert rates == {
        "reading": None,
        "laying": 600,
        "writing": 200,
        "creating": 60,
        "streams": 60,
        "exports": 60,
    }


def test_the_rates_in_force_are_published(client: Any) -> None:
    rates = client.get("/v1/limits").json["rates"]
    assert [rate["bucket"] for rate in rates] == [*BUCKETS]
    for rate in rates:
        assert (rate["requests"], rate["address_requests"], rate["window_s"]) == (3, 6, 60)
        assert CODES[rate["code"]].status == 429


def test_nothing_stays_in_flight_however_a_request_ends(
    app: Flask, client: Any, player: MakePlayer, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = player()
    client.get("/v1/me", headers=headers)
    client.get("/v1/nothing")
    client.open("/v1/me", method="BREW")
    client.get("/v1/me", headers={"Authorization": "Bearer x"})
    client.options("/v1/me")
    client.put("/v1/games/g_1/decisions/x", data=b"{", headers=headers)
    monkeypatch.setattr(services.players, "find", lambda *_: 1 / 0)
    assert client.get("/v1/me", headers=headers).status_code == 500
    assert services.limiter._lanes == {}
