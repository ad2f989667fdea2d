"""What schemathesis is told beyond the document: who asks, checks that the document itself cannot ask for, and exceptions.

The exceptions are of one kind: a request that the document's schemas allow, refused for a reason that no schema can say.
"""

from __future__ import annotations

import atexit
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import schemathesis
from schemathesis.openapi.checks import EnsureResourceAvailability, RejectedPositiveData

from engine.errors import CODES as RULES
from take5.client import Client

URL: Final = os.environ["CONTRACT_URL"]
TALLY: Final = Path(os.environ["CONTRACT_TALLY"])
GUESTS: Final = {"take_seat", "change_seat", "leave_seat"}
PROBLEM: Final = "application/problem+json"

_answers: Final[Counter[str]] = Counter()
_in_use: Final[set[str]] = set()

BEYOND_SCHEMAS: Final = {
    **{code: "the rules decide by the game as it stands" for code in RULES if code != "bad_options"},
    "invalid_cursor": "a cursor is opaque: only the service can tell its own from a made-up one",
    "bot_unknown": "whose bot that is, and whether there is one, is not a property of the request",
    "idempotency_key_reused": "whether a key was used before is not a property of the request",
}
"""The codes of refusals that no schema can foresee, and why."""

BEYOND_FIELDS: Final = {
    (
        "/name",
        r"A name has .*",
    ): "patterns know no Unicode categories, and lengths are counted after composition",
    ("/client_seed", r"Only who takes a seat .*"): "depends on another field",
    ("?to", r"Comes before `from`\."): "depends on another argument",
    ("?limit", r"Not for an answer that stays open\."): "depends on another argument, and on `Accept`",
    ("?wait", r"Not for an answer that stays open\."): "likewise",
    (
        "Last-Event-ID",
        r"Not the id of an event .*",
    ): "matters for an answer that stays open only, so no schema may bind it",
    (
        "/card",
        r"(Not part of the answer|Missing data|Give one of the two).*",
    ): "depends on the kind of the decision in the path",
    ("/row", r"(Not part of the answer|Missing data).*"): "likewise",
    ("/mode", r"Not part of the answer.*"): "likewise",
    ("/if_low", r"Not part of the answer.*"): "likewise",
    ("/plan", r"(Not part of the answer|Give one of the two).*"): "likewise",
    ("/choice", r"(Not part of the answer|Missing data).*"): "likewise",
    ("/house", r"Give either .*"): "depends on another field",
}
"""The same for `invalid_request`: pointers and what is said of them."""

ABSENT: Final = {
    **dict.fromkeys(GUESTS, "a table may be hidden from a guest who has no code"),
    **dict.fromkeys(
        (
            *("revoke_token", "show_bot", "change_bot", "give_up_bot"),
            *("create_bot_token", "list_bot_tokens", "revoke_bot_token"),
        ),
        "an Idempotency-Key brings back the first answer, though its token or bot may have gone since",
    ),
}
"""The operations to which something may be absent that was created just before, and why."""


def _who(case: Any, context: Any) -> str:
    if _name(case) == "show_metrics":
        return "operator"
    return "guest" if _name(case) in GUESTS else "host"


@schemathesis.auth(refresh_interval=24 * 3600, cache_by_key=_who)
class Player:
    """Two players: one opens tables, fills and starts them, plays and looks; the other one joins and leaves.

    And the operator, who reads what is counted.
    """

    def get(self, case: Any, context: Any) -> str:
        """Become a player, and remember which of its tokens must not be revoked."""
        if _who(case, context) == "operator":
            return os.environ["CONTRACT_OPERATOR"]
        with Client.signed_up(URL, "schemathesis", "human") as client:
            _in_use.add(client.call("GET", "/v1/me/tokens")["items"][0]["id"])
            return client.token or ""

    def set(self, case: Any, data: str, context: Any) -> None:
        """Send the token as the document says."""
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Make the document stricter: no status is excused by `default`, and what a link says is the whole body."""
    anywhere = raw_schema["components"]["responses"]["DEFAULT_ERROR"]["content"][PROBLEM]["examples"]
    examples = raw_schema["components"]["examples"]
    statuses = {str(examples[code]["value"]["status"]) for code in anywhere} - {"500"}
    for item in raw_schema["paths"].values():
        for operation in item.values():
            if not isinstance(operation, dict):
                continue
            default = operation["responses"].pop("default")
            for status in statuses - operation["responses"].keys():
                operation["responses"][status] = default
            for response in operation["responses"].values():
                for link in response.get("links", {}).values():
                    link["x-schemathesis"] = {"merge_body": False}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Write whole numbers without a fraction: JSON Schema takes 5.0 for an integer, this API says that it does not.

    And spare the token in use: without it nothing but 401 would follow. And make some tables small: only full ones start.
    """
    if case.path_parameters.get("token_id") in _in_use:
        case.path_parameters["token_id"] = "k_0000000000000000"
    if isinstance(case.body, dict):
        case.body = _whole(case.body)
        if case.body.get("seats") in (4, 6, 8):
            case.body["seats"] = 2


def _whole(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_whole(item) for item in value]
        case dict():
            return {name: _whole(item) for name, item in value.items()}
        case _:
            return value


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Count the answers of each operation."""
    _answers[f"{_name(case)} {response.status_code}"] += 1


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Drop a failure where the tables above know better."""
    match failure:
        case RejectedPositiveData():
            return not _is_beyond_schemas(response.json())
        case EnsureResourceAvailability():
            return _name(case) not in ABSENT
        case _:
            return True


def _is_beyond_schemas(problem: dict[str, Any]) -> bool:
    if problem["code"] == "bad_options":
        return len(problem["errors"]) > 1  # options that do not fit each other; /v1/rulesets/{id} says which
    if problem["code"] != "invalid_request":
        return problem["code"] in BEYOND_SCHEMAS
    return all(
        any(
            error["pointer"] == pointer and re.fullmatch(said, error["detail"])
            for pointer, said in BEYOND_FIELDS
        )
        for error in problem["errors"]
    )


@schemathesis.check
def problem_conformance(ctx: Any, response: Any, case: Any) -> None:
    """A refusal carries a code that the document lists for this operation and status."""
    if response.status_code < 400 or PROBLEM not in response.headers["content-type"][0]:
        return
    schema = case.operation.schema.raw_schema
    answer = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    if "$ref" in answer:
        answer = schema["components"]["responses"]["DEFAULT_ERROR"]
    if not answer:
        return  # `status_code_conformance` says so
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["code"] in answer["content"][PROBLEM]["examples"], f"undocumented code {problem['code']}"


def _name(case: Any) -> str:
    name: str = case.operation.definition.raw["operationId"]
    return name


atexit.register(lambda: TALLY.write_text(json.dumps(_answers, indent=1, sort_keys=True)))
