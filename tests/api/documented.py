"""The published document as tests look things up in it."""

import json
import re
from typing import Any, Final

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from service.app import published
from service.codes import CODES

ABSOLUTE: Final[dict[str, Any]] = json.loads(published().replace('"#/', '"urn:take5#/'))
"""The document, with references that can be followed from anywhere."""
REGISTRY: Final[Registry[Any]] = Registry().with_resource("urn:take5", DRAFT202012.create_resource(ABSOLUTE))
OPERATIONS: Final[list[tuple[str, dict[str, Any]]]] = [
    (
        f"{method} {path}",
        operation | {"parameters": item.get("parameters", []) + operation.get("parameters", [])},
    )
    for path, item in ABSOLUTE["paths"].items()
    for method, operation in item.items()
    if method in {"get", "put", "post", "patch", "delete"}
]
"""Every operation by its method and path, with all its parameters."""
_ADDRESSES: Final = [
    (name.split()[0], re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(name.split()[1]))), operation)
    for name, operation in OPERATIONS
]


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference points to, or the node itself."""
    if "$ref" not in node:
        return node
    found: dict[str, Any] = REGISTRY.resolver().lookup(node["$ref"]).contents
    return found


def examples(body: dict[str, Any]) -> list[Any]:
    """Return the values of every example of a body."""
    named = [resolved(example)["value"] for example in body.get("examples", {}).values()]
    return [*named, *([body["example"]] if "example" in body else [])]


def operation_at(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation that a request is for; None for a page, and for what is not there."""
    method = {"HEAD": "get"}.get(method, method.lower())
    found = [
        operation for verb, address, operation in _ADDRESSES if verb == method and address.fullmatch(path)
    ]
    return min(found, key=lambda operation: len(operation["parameters"]), default=None)


def codes(operation: dict[str, Any], status: int) -> set[str]:
    """Return the codes with which an operation may answer in a problem document of this status."""
    answers = operation["responses"]
    answer = resolved(answers.get(str(status), answers["default"]))
    listed = answer.get("content", {}).get("application/problem+json", {}).get("examples", {})
    return {code for code in listed if CODES[code].status == status}
