"""The pages for people: everything on them comes from this host."""

import re
from typing import Any

import pytest

from engine.events import EVENTS
from service.codes import CODES


def parts(page: str) -> list[str]:
    """Return the addresses of what a page loads."""
    return re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"', page)


def test_the_documentation_loads_only_what_is_served_here(client: Any) -> None:
    page = client.get("/docs")
    assert page.content_type.startswith("text/html")
    assert len(parts(page.text)) == 4
    for part in parts(page.text):
        assert "//" not in part
        with client.get(f"/{part}") as loaded:
            assert loaded.status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "http" not in policy


def test_the_script_shows_our_document_and_asks_no_other_host(client: Any) -> None:
    script = client.get("/docs/start.js")
    assert script.content_type.startswith("text/javascript")
    assert '"v1/openapi.json"' in script.text
    assert "validatorUrl: null" in script.text
    assert "<script>" not in client.get("/docs").text


def test_the_document_names_no_page_that_is_not_served(client: Any) -> None:
    text = client.get("/v1/openapi.json").text
    assert ".md" not in text
    for address in {*re.findall(r"\]\((/[^)#]*)", text)}:
        assert client.get(address).status_code == 200


def test_the_document_has_an_example_of_each_type_of_event_where_it_says_so(client: Any) -> None:
    document = client.get("/v1/openapi.json").json
    told = document["components"]["schemas"]["Event"]["properties"]["data"]["description"]
    (path,) = re.findall(r"`GET (\S+)`", told)
    content = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
    shown = {one["type"] for example in content["examples"].values() for one in example["value"]["items"]}
    assert shown >= {*EVENTS}


def test_the_licence_of_what_is_served_is_served_too(client: Any) -> None:
    with client.get("/docs/assets/LICENSE") as licence:
        assert "Apache License" in licence.text


@pytest.mark.parametrize(
    "name", ["nothing.js", "../flask_swagger_ui.py", "..%2fflask_swagger_ui.py", "/etc/passwd"]
)
def test_nothing_else_is_served(client: Any, name: str) -> None:
    assert client.get(f"/docs/assets/{name}").status_code == 404


def test_every_code_is_explained_where_its_type_points_to(client: Any) -> None:
    page = client.get("/docs/problems").text
    for code, meant in CODES.items():
        assert f'id="{code}"' in page
        assert meant.title in page
    assert parts(page) == []


def test_what_stands_in_backticks_is_shown_as_code(client: Any) -> None:
    page = client.get("/docs/problems").text
    assert "<dd>This route needs <code>Authorization: Bearer &lt;token&gt;</code>.</dd>" in page
    assert "`" not in page


def test_the_bare_address_leads_to_the_documentation(client: Any) -> None:
    answer = client.get("/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "docs"  # relative, so that it holds below any prefix
