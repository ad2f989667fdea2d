"""The whole fault matrix: `python -m tests.faults` writes docs/faults.md; with words, only the rows that have one in them.

Exits with 1 when a row is not as it should be. Takes some minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.faults.matrix import FAULTS, Row, rows
from tests.house.tree import ROOT

PAGE = ROOT / "docs" / "faults.md"
HEAD = """# What happens when something breaks

Written by `make faults`, which plays tables at a whole service, breaks something meanwhile, and judges every log afterwards.
Each row has eight tables of its own, people and house bots mixed, two of them with a player who never answers, so that the
clock must play for them. *In play* are those that had begun and were not over when it happened. A process that is killed is
started again, as `take5 serve` does it; network and memory are mended after three seconds.

*Acknowledged* are the answers of people that the service confirmed, *lost* those that do not stand in the log as they were
confirmed, *doubled* whatever stands there twice, *stuck* the tables that did not come to their end. *Standstill* is the
longest that any of the tables did nothing, from the fault to its end; waiting for an absent player is 0.75 s of it anyway.

The points are set from outside, by `tests/faults/mortal.py`, around calls that the processes make anyway: nothing in the
service can be told to die.

| what | how | in play | acknowledged | lost | doubled | stuck | standstill |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def line(row: Row) -> str:
    """A row as the page has it."""
    figures = (row.games, row.acknowledged, row.lost, row.doubled, row.stuck)
    return f"| {row.process} | {row.point} | {' | '.join(map(str, figures))} | {row.still_s:.1f} s |\n"


def main() -> int:
    """Judge every fault that is wanted, and print its row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--tables", type=int, default=6, help="how many tables beside the two slow ones")
    asked = parser.parse_args()
    wanted = [
        fault
        for fault in FAULTS
        if not asked.words or any(word in f"{fault.process} {fault.point}" for word in asked.words)
    ]
    page, is_good = HEAD, True
    with tempfile.TemporaryDirectory(prefix="take5-faults-") as place:
        for row in rows(wanted, Path(place), asked.tables):
            page += line(row)
            is_good &= row.is_good
            print(line(row), end="", flush=True)
            for fault in row.others[:10]:
                print(f"    {fault}", flush=True)
    if not asked.words:
        PAGE.write_text(page)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
