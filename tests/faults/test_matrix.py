"""A small part of the fault matrix, and whether the page that the whole of it wrote says that all is well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faults.matrix import FAULTS, rows
from tests.faults.mortal import CALLS, POINTS
from tests.house.tree import ROOT

SOME = [
    ("API", "killed after writing the answer"),
    ("turns worker", "killed after writing what is due"),
    ("clock", "killed before putting a game off"),
]


def test_tables_go_on_whoever_is_killed(tmp_path: Path) -> None:
    wanted = [fault for fault in FAULTS if (fault.process, fault.point) in SOME]
    found = list(rows(wanted, tmp_path, count=2))
    assert len(found) == len(SOME)
    for row in found:
        assert row.is_good, row
        assert row.acknowledged > 0


@pytest.mark.parametrize("process", CALLS)
def test_every_process_can_be_killed_at_a_dozen_points(process: str) -> None:
    assert len(set(POINTS[process])) == 12
    for owner, name in CALLS[process].values():
        assert callable(getattr(owner, name))


def test_the_page_has_every_row_and_nothing_lost_doubled_or_stuck_in_any() -> None:
    page = (ROOT / "docs" / "faults.md").read_text()
    told = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| [\d.]+ s \|$",
        page,
        re.MULTILINE,
    )
    assert [(process, point) for process, point, *_ in told] == [
        (fault.process, fault.point) for fault in FAULTS
    ]
    for process, point, games, acknowledged, lost, doubled, stuck in told:
        assert int(games) > 0, (process, point)
        assert int(acknowledged) > 0, (process, point)
        assert (lost, doubled, stuck) == ("0", "0", "0"), (process, point)
