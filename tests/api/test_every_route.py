"""What holds for every route there is, and for those to come: the table of routes is the list of cases."""

import re
from typing import Any, NamedTuple

import pytest
from flask import Flask

from service.apidoc import noted
from service.app import create_app
from service.services import in_memory
from tests.api.kinds import MakePlayer, Refused

APP = create_app(in_memory())


class Call(NamedTuple):
    """A method and a path that some route serves; every argument in the path is `1`."""

    method: str
    path: str
    rule: str
    endpoint: str


CALLS = sorted(
    Call(method, re.sub(r"<(?:[^:>]+:)?[^>]+>", "1", rule.rule), rule.rule, rule.endpoint)
    for rule in APP.url_map.iter_rules()
    for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
)
PATHS = sorted({call.path for call in CALLS})
NOTES = {call.endpoint: noted(APP.view_functions[call.endpoint]) for call in CALLS}


def arguments(call: Call, location: str) -> list[str]:
    """Return the names of what a route takes in its query or its body."""
    return [
        name
        for parameter in NOTES[call.endpoint].get("arguments", {}).get("parameters", [])
        if parameter["in"] == location
        for name in parameter["schema"]().fields
    ]


API = [call for call in CALLS if not call.endpoint.startswith("pages.")]
WITH_BODY = [call for call in API if arguments(call, "json")]
GUARDED = [call for call in API if NOTES[call.endpoint].get("access") == "required"]
KNOWING = [call for call in API if NOTES[call.endpoint].get("access") in {"required", "optional"}]
REPEATABLE = [call for call in API if NOTES[call.endpoint].get("repeatable")]
GETS = [call for call in CALLS if call.method == "GET"]
POLLED = [call for call in API if NOTES[call.endpoint].get("polled") and call.path == call.rule]


@pytest.fixture
def app() -> Flask:
    """One application for all these tests: none of them minds what another has left."""
    return APP


def test_the_table_of_routes_is_not_empty() -> None:
    assert len(API) >= 12
    assert WITH_BODY
    assert GUARDED
    assert REPEATABLE


@pytest.mark.parametrize("call", CALLS)
def test_an_unknown_argument_is_refused(
    client: Any, player: MakePlayer, refused: Refused, call: Call
) -> None:
    response = client.open(call.path, method=call.method, query_string={"surprise": "1"}, headers=player())
    assert response.status_code == 422
    assert refused(response)["errors"] == [
        {"in": "query", "pointer": "?surprise", "detail": "Unknown argument."}
    ]


@pytest.mark.parametrize("call", CALLS)
def test_a_token_in_the_query_is_an_unknown_argument(
    client: Any, player: MakePlayer, refused: Refused, call: Call
) -> None:
    token = player()["Authorization"].removeprefix("Bearer ")
    response = client.open(call.path, method=call.method, query_string={"token": token})
    assert response.status_code == 422
    assert token not in response.text
    refused(response)


@pytest.mark.parametrize("call", API)
def test_an_argument_given_twice_is_refused(
    client: Any, player: MakePlayer, refused: Refused, call: Call
) -> None:
    for name in arguments(call, "query"):
        response = client.open(
            call.path, method=call.method, query_string=[(name, "1"), (name, "1")], headers=player()
        )
        assert refused(response)["errors"][0] == {
            "in": "query",
            "pointer": f"?{name}",
            "detail": "Given more than once.",
        }


@pytest.mark.parametrize("call", API)
def test_a_number_in_the_query_is_plain_digits(
    client: Any, player: MakePlayer, refused: Refused, call: Call
) -> None:
    for name in {"limit", "wait", "after"} & {*arguments(call, "query")}:
        for value in ("", "x", "5.0", " 5", "1_0", "٣", "0x5", "true", "-1", "99999999999999999999", "1e1"):
            response = client.open(
                call.path, method=call.method, query_string={name: value}, headers=player()
            )
            assert refused(response)["errors"][0]["pointer"] == f"?{name}", value


@pytest.mark.parametrize(
    "body", [b"{", b"\xff", b"[1]", b'{"surprise":1}', b"null", b'{"a":NaN}', b'{"a":1,"a":2}']
)
@pytest.mark.parametrize("call", CALLS)
def test_a_bad_body_is_a_problem_whatever_the_route(
    client: Any, player: MakePlayer, refused: Refused, call: Call, body: bytes
) -> None:
    headers = {**player(), "Content-Type": "application/json"}
    response = client.open(call.path, method=call.method, data=body, headers=headers)
    refused(response)
    assert response.status_code in {400, 422}


@pytest.mark.parametrize("call", WITH_BODY)
@pytest.mark.parametrize("content_type", [None, "text/plain", "multipart/form-data; boundary=x"])
def test_a_body_of_another_type_is_refused(
    client: Any,
    player: MakePlayer,
    refused: Refused,
    call: Call,
    content_type: str | None,
) -> None:
    headers = {**player(), **({"Content-Type": content_type} if content_type else {})}
    response = client.open(call.path, method=call.method, data=b"{}", headers=headers)
    assert refused(response)["code"] == "unsupported_media_type"


@pytest.mark.parametrize("call", CALLS)
def test_a_body_over_the_limit_is_refused(
    client: Any, player: MakePlayer, refused: Refused, call: Call
) -> None:
    headers = {**player(), "Content-Type": "application/json"}
    response = client.open(call.path, method=call.method, data=b" " * 65_537, headers=headers)
    assert refused(response)["code"] == "body_too_large"


@pytest.mark.parametrize("call", GUARDED)
def test_no_token_is_401_and_says_what_to_send(client: Any, refused: Refused, call: Call) -> None:
    response = client.open(call.path, method=call.method)
    assert refused(response)["code"] == "token_required"
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic dTpw",
        "Bearer  t5_x",
        "t5_" + "a" * 43,
        "Bearer t5_" + "a" * 43,
        "Bearer t5_" + "a" * 44,
        "Bearer t5_" + "é" * 43,
    ],
)
@pytest.mark.parametrize("call", KNOWING)
def test_a_wrong_token_is_401_even_where_none_is_needed(
    client: Any, refused: Refused, call: Call, header: str
) -> None:
    response = client.open(call.path, method=call.method, headers={"Authorization": header})
    assert refused(response)["code"] == "token_invalid"
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("call", REPEATABLE)
@pytest.mark.parametrize("key", ["", " ", "a b", "a" * 256, "é"])
def test_a_bad_idempotency_key_is_refused(
    client: Any, player: MakePlayer, refused: Refused, call: Call, key: str
) -> None:
    response = client.open(
        call.path, method=call.method, json={}, headers={**player(), "Idempotency-Key": key}
    )
    assert response.status_code == 422
    refused(response)


@pytest.mark.parametrize("call", CALLS)
def test_every_answer_has_the_common_headers(client: Any, call: Call) -> None:
    response = client.open(call.path, method=call.method)
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Set-Cookie" not in response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Server-Time-Ms"].isdecimal()
    assert response.headers["X-Request-Id"]
    assert response.headers["Cache-Control"]
    assert response.status_code < 500


@pytest.mark.parametrize("path", [*PATHS, "/v1/nothing"])
def test_a_preflight_is_granted_for_whatever_a_browser_may_ask(client: Any, path: str) -> None:
    for method in ("GET", "PUT", "DELETE", "BREW"):
        headers = {
            "Origin": "https://front.example",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
        }
        response = client.options(path, headers=headers)
        assert response.status_code == 204
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
        assert "Idempotency-Key" in response.headers["Access-Control-Allow-Headers"]
        assert "DELETE" in response.headers["Access-Control-Allow-Methods"]


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_method_is_405(client: Any, refused: Refused, path: str) -> None:
    response = client.open(path, method="BREW")
    assert refused(response)["code"] == "method_not_allowed"
    assert response.headers["Allow"]


@pytest.mark.parametrize("call", GETS)
def test_head_answers_as_get_does_without_the_body(client: Any, player: MakePlayer, call: Call) -> None:
    headers = player()
    got, head = client.get(call.path, headers=headers), client.head(call.path, headers=headers)
    assert head.status_code == got.status_code
    assert head.data == b""
    assert head.headers.get("ETag") == got.headers.get("ETag")
    if got.status_code == 200:
        assert head.headers["Content-Length"] == got.headers["Content-Length"]


@pytest.mark.parametrize("call", POLLED)
def test_what_can_be_polled_answers_304_to_who_holds_it(client: Any, player: MakePlayer, call: Call) -> None:
    headers = player()
    first = client.get(call.path, headers=headers)
    if first.status_code == 200:
        again = client.get(call.path, headers={**headers, "If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
