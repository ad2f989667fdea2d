"""What stands under deploy/ for other programs speaks of figures, labels and codes that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from service.api.metrics import Gauges
from service.codes import CODES
from service.config import Config
from service.metrics import counted
from service.services import in_memory
from tests.house.tree import ROOT

DEPLOY = ROOT / "deploy"
PARTS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


def rules() -> list[dict[str, Any]]:
    """The rules of the alerts."""
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """The panels of the dashboard."""
    found: list[dict[str, Any]] = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    return found


def expressions() -> Iterator[str]:
    """Everything that is asked of Prometheus."""
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


def figures() -> set[str]:
    """The names of all series that the service has."""
    registry = counted()
    registry.register(Gauges(in_memory()))
    return {family.name + part for family in registry.collect() for part in PARTS[family.type]}


def test_alerts_and_dashboard_ask_for_figures_that_there_are() -> None:
    named = {name for expression in expressions() for name in re.findall(r"\btake5_\w+", expression)}
    assert len(named) > 10
    assert named <= figures()


def test_every_figure_is_drawn() -> None:
    asked = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in figures()}
    assert not {name for name in families if not re.search(rf"\b{name}\b|\b{name}_bucket\b", asked)}


def test_labels_that_are_asked_for_are_those_of_the_table() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    told = dict(re.findall(r"`(take5_\w+)\{([\w,]+)\}`", page))
    for expression in expressions():
        for name, labels in re.findall(r"(take5_\w+)\{([^}]*)\}", expression):
            assert {label.split("=")[0] for label in labels.split(",")} <= {*told[name].split(",")}, (
                expression
            )


def test_every_alert_says_what_to_do() -> None:
    assert len({rule["alert"] for rule in rules()}) == len(rules()) > 10
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert all(rule["annotations"][name].endswith(".") for name in ("summary", "action"))


def test_panels_lie_beside_each_other() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()]
    assert len({*places}) == len({panel["id"] for panel in panels()}) == len(places)


@pytest.mark.parametrize("document", re.findall(r"'(\{.*\})'", (DEPLOY / "nginx.conf").read_text()))
def test_what_the_proxy_says_is_a_problem_of_ours(document: str) -> None:
    problem = json.loads(document)
    code = CODES[problem["code"]]
    assert (problem["status"], problem["title"]) == (code.status, code.title)
    assert problem["type"] == f"/docs/problems#{problem['code']}"
    assert problem["retry_after_ms"]


def test_the_proxy_waits_longer_than_the_service_holds_an_answer() -> None:
    found = re.search(r"proxy_read_timeout (\d+)s", (DEPLOY / "nginx.conf").read_text())
    assert found
    assert int(found[1]) > Config().wait_cap_s + 5


def test_the_installation_is_the_one_that_the_unit_expects() -> None:
    unit, page = (DEPLOY / "take5.service").read_text(), (DEPLOY / "README.md").read_text()
    program, data = re.findall(r"^ExecStart=(\S+)/bin/take5 serve --data (\S+)$", unit, re.MULTILINE)[0]
    (settings,) = re.findall(r"^EnvironmentFile=-(\S+)$", unit, re.MULTILINE)
    (user,) = re.findall(r"^User=(\w+)$", unit, re.MULTILINE)
    for command in (
        f"useradd --system --home-dir {data} --shell /usr/sbin/nologin {user}\n",
        f"ln -sfn {program}-$VERSION {program}\n",
        f"install -m 600 /dev/null {settings}\n",
        f"sudo -u {user} {program}/bin/take5 admin games --data {data}`",
        f"tar -C {data} -czf",
        f"chown -R {user}: {data}/games\n",
    ):
        assert command in page
