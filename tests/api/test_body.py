"""Bodies are read strictly, and every way to get one wrong has its own answer."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.bounds import BODY_DEPTH
from service.config import Config
from tests.api.kinds import Refused

URL = "/v1/players"
GOOD = b'{"name":"Ada","kind":"human"}'
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (b"{", "malformed_json", "line 1, column 2"),
        (b"", "invalid_request", "missing"),
        (b'{"name":"Ada","kind":"human"} {}', "malformed_json", "Extra data"),
        (b'{"name":"A","name":"B","kind":"human"}', "malformed_json", "names a key twice"),
        (b'{"name":NaN,"kind":"human"}', "malformed_json", "NaN is not JSON"),
        (b'{"name":-Infinity}', "malformed_json", "-Infinity is not JSON"),
        (b'{"name":"\xff"}', "malformed_json", "not UTF-8: the error is at byte 9"),
        (b'\xef\xbb\xbf{"name":"Ada","kind":"human"}', "malformed_json", "not JSON"),
        ('{"name":"Ada","kind":"human"}'.encode("utf-16"), "malformed_json", "not UTF-8"),
        (b"[" * 30_000, "malformed_json", ""),
        (b"[" * 30_000 + b"]" * 30_000, "malformed_json", "nested deeper"),
        (b'{"a":' * 50 + b"1" + b"}" * 50, "malformed_json", f"nested deeper than {BODY_DEPTH} levels"),
        (b'{"name":' + b"9" * 5000 + b"}", "malformed_json", "number that is too long"),
        (b'{"name":"\\ud800","kind":"human"}', "invalid_request", "surrogate"),
        (b'{"\\udfff":1}', "invalid_request", "surrogate"),
        (b'{"name":"Ada\tB","kind":"human"}', "malformed_json", "Invalid control character"),
        (b"[]", "invalid_request", "Invalid input type"),
        (b"null", "invalid_request", "Invalid input type"),
        (b'"text"', "invalid_request", "Invalid input type"),
        (b"5", "invalid_request", "Invalid input type"),
    ],
)
def test_a_bad_body_is_refused_with_its_reason(
    client: Any, refused: Refused, body: bytes, code: str, words: str
) -> None:
    response = client.post(URL, data=body, headers=JSON)
    problem = refused(response)
    assert problem["code"] == code
    assert words.lower() in response.text.lower()
    assert response.status_code == (400 if code == "malformed_json" else 422)


def test_every_wrong_field_is_named_by_its_pointer(client: Any, refused: Refused) -> None:
    problem = refused(client.post(URL, json={"kind": "robot", "x/y": 1}))
    assert {(error["in"], error["pointer"]) for error in problem["errors"]} == {
        ("body", "/name"),
        ("body", "/kind"),
        ("body", "/x~1y"),
    }


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/vnd.api+json",
        "application/json; charset=latin-1",
    ],
)
def test_a_body_that_is_not_said_to_be_json_is_refused(
    client: Any, refused: Refused, content_type: str | None
) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    response = client.post(URL, data=GOOD, headers=headers)
    assert refused(response)["code"] == "unsupported_media_type"
    assert response.status_code == 415


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'],
)
def test_json_may_be_said_in_several_ways(client: Any, content_type: str | None) -> None:
    assert client.post(URL, data=GOOD, headers={"Content-Type": content_type}).status_code == 201


def test_a_compressed_body_is_refused(client: Any, refused: Refused) -> None:
    response = client.post(URL, data=GOOD, headers={**JSON, "Content-Encoding": "gzip"})
    assert refused(response)["code"] == "unsupported_media_type"


def test_a_body_over_the_limit_is_refused_and_one_at_the_limit_read(client: Any, refused: Refused) -> None:
    limit = Config().body_limit_bytes
    at_limit = GOOD + b" " * (limit - len(GOOD))
    assert client.post(URL, data=at_limit, headers=JSON).status_code == 201
    response = client.post(URL, data=at_limit + b" ", headers=JSON)
    assert refused(response)["code"] == "body_too_large"
    assert response.status_code == 413


@pytest.mark.parametrize(("more", "status"), [(0, 201), (1, 413), (65_536, 413)])
def test_a_body_that_does_not_say_its_length_has_the_same_limit(client: Any, more: int, status: int) -> None:
    body = GOOD + b" " * (Config().body_limit_bytes + more - len(GOOD))
    chunked = {"wsgi.input_terminated": True, "CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
    assert client.post(URL, data=body, headers=JSON, environ_overrides=chunked).status_code == status


def test_a_route_that_takes_no_body_takes_the_empty_object_only(client: Any, refused: Refused) -> None:
    assert client.get("/v1/limits", data=b"{}", headers=JSON).status_code == 200
    assert refused(client.get("/v1/limits", data=b'{"a":1}', headers=JSON))["code"] == "body_not_expected"
    assert refused(client.get("/v1/limits", data=b"[]", headers=JSON))["code"] == "body_not_expected"
    assert refused(client.get("/v1/limits", data=b"{", headers=JSON))["code"] == "malformed_json"


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u3000",
        "a" * 41,
        "a\nb",
        "a\u0000b",
        "\u202eadA",
        "a\u200bb",
        "a\u2028b",
        "\fAda",
        "Ada\n",
        "\u2028Ada",
        "\u200d",
        "\u0301",
        "\ue000",
        "\u3164",
        "a\u2800\u2800b",
        "Z" + 5 * "\u0316",
        5,
        None,
        ["Ada"],
        True,
    ],
)
def test_a_name_that_could_disturb_is_refused(client: Any, refused: Refused, name: Any) -> None:
    problem = refused(client.post(URL, json={"name": name, "kind": "human"}))
    assert [error["pointer"] for error in problem["errors"]] == ["/name"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ada ", "Ada"),
        ("a" * 40, "a" * 40),
        ("e\u0301", "\u00e9"),
        ("山田 太郎", "山田 太郎"),
        ("👩‍🚀", "👩‍🚀"),
        ("<b>", "<b>"),
        ("Z" + 4 * "\u0316", "Z" + 4 * "\u0316"),
        ("กี้", "กี้"),
    ],
)
def test_a_name_is_kept_trimmed_and_composed(client: Any, name: Any, kept: str) -> None:
    assert client.post(URL, json={"name": name, "kind": "human"}).json["player"]["name"] == kept


def test_a_field_that_is_misspelt_is_told_from_one_that_nobody_knows(
    client: Any, player: Any, refused: Refused
) -> None:
    def details(body: Mapping[str, object]) -> list[str]:
        return [
            each["detail"]
            for each in refused(client.post("/v1/games", json=body, headers=player()))["errors"]
        ]

    asked: dict[str, object] = {"ruleset": "classic", "seats": 3}
    assert details(asked | {"recomit": 1}) == ["Unknown field. Did you mean recommit?"]
    assert details(asked | {"surprise": 1}) == ["Unknown field."]
    assert details(asked | {"recommit" * 1000: 1}) == ["Unknown field."]
    many = details(asked | {f"recommi{number}": 1 for number in range(20)})
    assert (many.count("Unknown field. Did you mean recommit?"), many.count("Unknown field.")) == (5, 15)


def test_an_argument_that_is_misspelt_is_told_from_one_that_nobody_knows(
    client: Any, refused: Refused
) -> None:
    assert refused(client.get("/v1/games?ruelset=pro"))["errors"] == [
        {"in": "query", "pointer": "?ruelset", "detail": "Unknown argument. Did you mean ruleset?"}
    ]
