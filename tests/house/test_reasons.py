"""Nothing is excused from a check without the reason beside it, and the checks for holes are on."""

import re

from tests.house.tree import PACKAGES, ROOT, files, project

# Written so that the pattern does not find itself.
EXCUSE = re.compile(r"#\s*(?:noq[a]|type:\s*ignor[e]|pyright:\s*ignor[e]|pragma:\s*no cove[r])")
REASONED = re.compile(
    r"#\s*(?:noq[a]: [A-Z]+\d+(?:, [A-Z]+\d+)*|(?:type|pyright): ignor[e]\[[\w, -]+\]|pragma: no cove[r])\s+(?:#|-) ?\S+ \S"
)


def test_every_excuse_of_what_runs_in_production_names_what_it_excuses_and_why() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files(".py")
        if path.relative_to(ROOT).parts[0] in PACKAGES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if EXCUSE.search(line) and not REASONED.search(line)
    ]
    assert not found


def test_all_of_ruff_s_checks_for_holes_are_on_for_what_runs_in_production() -> None:
    lint = project()["tool"]["ruff"]["lint"]
    assert "S" in lint["select"]
    assert not [code for code in lint["ignore"] if re.fullmatch(r"S\d*", code)]
    excused = {
        place
        for place, codes in lint["per-file-ignores"].items()
        if any(re.fullmatch(r"S\d*", code) for code in codes)
    }
    assert excused == {"tests/**"}
