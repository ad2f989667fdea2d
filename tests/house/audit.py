"""Whether the packages are those that we pinned, and none is pinned with a hole that we know: `python -m tests.house.audit`.

It asks nobody.  What it knows of holes stands in `fixed.txt`; `make advisories` asks those who know more.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from typing import Final

from packaging.requirements import Requirement
from packaging.version import Version

from tests.house.tree import ROOT

_OURS: Final = frozenset({"take5", "pip", "setuptools"})


def normal(name: str) -> str:
    """Return the one spelling of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, Version]:
    """Return the version of every pinned package."""
    lines = (ROOT / "constraints.txt").read_text().split()
    return {normal(name): Version(version) for name, version in (line.split("==") for line in lines)}


def holes() -> Iterator[tuple[str, Version, str]]:
    """Yield of every known hole its package, the first version without it, and its name."""
    for line in (ROOT / "tests/house/fixed.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            package, fixed, name = line.split()
            yield normal(package), Version(fixed), name


def installed() -> dict[str, Version]:
    """Return the version of every package that is installed here."""
    return {normal(one.metadata["Name"]): Version(one.version) for one in metadata.distributions()}


def needed(package: str) -> set[str]:
    """Return every package that one needs here, itself included, with what those need, and so on."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            for line in metadata.requires(name) or ():
                wanted = Requirement(line)
                if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                    waiting.append(normal(wanted.name))
    return found


def findings(
    pinned: Mapping[str, Version],
    known: Iterable[tuple[str, Version, str]],
    here: Mapping[str, Version],
    running: Iterable[str],
) -> Iterator[str]:
    """Yield a sentence about everything that is wrong with pins and packages."""
    for package, fixed, name in known:
        if package in pinned and pinned[package] < fixed:
            yield f"{package} is pinned at {pinned[package]}, which has the hole {name}; {fixed} has not"
    for package, version in sorted(here.items()):
        if package in pinned and version != pinned[package]:
            yield f"{package} {version} is installed, and {pinned[package]} is pinned"
    for package in sorted(set(running) - pinned.keys() - _OURS):
        yield f"{package} is needed to run, and not pinned"


def main() -> int:
    """Print what is wrong; 0 when nothing is."""
    found = [*findings(pins(), holes(), installed(), needed("take5"))]
    print("\n".join(found) if found else f"{len(pins())} packages are pinned, without a hole that we know of")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
