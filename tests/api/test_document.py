"""The published document: valid, complete, the same as the committed one, with an example for every body."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from service.app import create_app, published
from service.codes import CODES
from service.config import Config
from service.openapi import document
from service.services import in_memory
from tests.api.documented import OPERATIONS, REGISTRY, examples, resolved

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(published())


def bodies(operation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return every body of an operation, asked or answered, with where it stands."""
    holders = {"request": operation.get("requestBody", {}), **operation["responses"]}
    return [
        (f"{where} {media_type}", body)
        for where, holder in holders.items()
        for media_type, body in resolved(holder).get("content", {}).items()
    ]


def test_the_document_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    validate(DOCUMENT)


def test_the_committed_document_is_the_one_the_service_makes() -> None:
    assert COMMITTED.read_text() == published(), "run `make openapi` and look at what changed"


def test_the_service_shows_the_same_document(client: Any) -> None:
    assert client.get("/v1/openapi.json").json == DOCUMENT


def test_settings_do_not_change_the_document() -> None:
    config = Config(public_url="https://play.example", wait_cap_s=5, body_limit_bytes=2048)
    assert document(create_app(in_memory(config))) == DOCUMENT


def test_every_route_of_the_api_is_in_the_document() -> None:
    app = create_app(in_memory())
    path_of = app.extensions["flask-smorest"]["apis"][""]["ext_obj"].flask_plugin.flaskpath2openapi
    served = {
        f"{method.lower()} {path_of(rule.rule)}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.endpoint.startswith("pages.")
    }
    assert served == {name for name, _ in OPERATIONS}


def test_the_document_names_no_other_host() -> None:
    assert DOCUMENT["servers"] == [{"url": "/"}]
    assert "http://" not in published()
    assert "https://" not in published().replace("https://json-schema.org/", "")


def test_operation_ids_are_unique_words() -> None:
    ids = [operation["operationId"] for _, operation in OPERATIONS]
    assert len({*ids}) == len(ids)
    assert all(name.isidentifier() and name.islower() for name in ids)


def test_every_code_has_an_example_that_is_a_whole_problem() -> None:
    validator = Draft202012Validator({"$ref": "urn:take5#/components/schemas/Problem"}, registry=REGISTRY)
    assert DOCUMENT["components"]["examples"].keys() == CODES.keys()
    for code, example in DOCUMENT["components"]["examples"].items():
        assert example["value"]["code"] == code
        validator.validate(example["value"])


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
class TestEveryOperation:
    def test_it_is_described(self, name: str, operation: dict[str, Any]) -> None:
        assert operation["summary"].endswith(".")
        assert operation["tags"]
        for parameter in operation.get("parameters", []):
            assert parameter.get("description") or parameter["in"] == "path", parameter["name"]

    def test_every_body_of_it_has_an_example_that_fits(self, name: str, operation: dict[str, Any]) -> None:
        for where, body in bodies(operation):
            assert examples(body), where
            validator = Draft202012Validator(body["schema"], registry=REGISTRY)
            for example in examples(body):
                validator.validate(example)

    def test_its_problems_are_problem_documents(self, name: str, operation: dict[str, Any]) -> None:
        for status, response in operation["responses"].items():
            if status == "default" or int(status) >= 400:
                assert "application/problem+json" in resolved(response)["content"]
        assert "default" in operation["responses"]

    def test_it_says_who_may_call_it(self, name: str, operation: dict[str, Any]) -> None:
        needs_token = any(
            name in one for one in operation.get("security", []) for name in ("token", "operator")
        )
        assert ("401" in operation["responses"]) == needs_token


def test_nothing_is_suggested_that_must_be_ones_own_or_hides_what_is_there() -> None:
    """The interactive page fills in what has an example: one key for all who try it would share one token among them."""
    suggested = {
        parameter["name"]
        for _, operation in OPERATIONS
        for parameter in operation.get("parameters", [])
        if "example" in parameter or "example" in parameter["schema"]
    }
    assert suggested == {"limit"}


LINKS = [
    (name, status, link)
    for name, operation in OPERATIONS
    for status, answer in operation["responses"].items()
    for link in answer.get("links", {}).values()
]


def pointed_at(schema: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Return the schema of what a JSON Pointer finds in a body; raises KeyError when that may never be there."""
    for step in pointer.split("/")[1:]:
        schema = resolved(schema)
        schema = resolved(next((one for one in schema.get("anyOf", ()) if "$ref" in one), schema))
        schema = schema["items"] if step.isdigit() else schema["properties"][step]
    return schema


@pytest.mark.parametrize(("name", "status", "link"), LINKS)
def test_a_link_leads_to_an_operation_with_what_the_answer_holds(
    name: str, status: str, link: dict[str, Any]
) -> None:
    operations = dict(OPERATIONS)
    (target,) = (one for one in operations.values() if one["operationId"] == link["operationId"])
    wanted = {parameter["name"] for parameter in target["parameters"] if parameter["in"] != "header"}
    assert link.get("parameters", {}).keys() <= wanted
    if "requestBody" in link:
        (body,) = target["requestBody"]["content"].values()
        assert link["requestBody"].keys() <= resolved(body["schema"])["properties"].keys()
    for expression in [*link.get("parameters", {}).values(), *link.get("requestBody", {}).values()]:
        match str(expression).partition("#"):
            case ("$response.body", "#", pointer):
                answer = operations[name]["responses"][status]["content"]["application/json"]
                pointed_at(answer["schema"], pointer)
            case (constant, "", ""):
                place = constant.removeprefix("$request.path.")
                assert not place.startswith("$")
                assert constant == place or f"{{{place}}}" in name


def test_nothing_is_played_without_a_link() -> None:
    """From a new table through the seats, the start, the decisions and the answers to what remains of a game."""
    targets = {link["operationId"] for _, _, link in LINKS}
    played = {operation["operationId"] for name, operation in OPERATIONS if "{game_id}" in name}
    assert played | {"list_decisions"} <= targets


def test_an_example_that_does_not_fit_would_be_found() -> None:
    validator = Draft202012Validator({"$ref": "urn:take5#/components/schemas/Player"}, registry=REGISTRY)
    assert list(validator.iter_errors({"id": 5}))
