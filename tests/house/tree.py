"""What lies in the tree: its root, its packages, its files, and the blocks of code in its documents."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "service", "worker", "take5")
ROOMS = (*PACKAGES, "openapi", "tests", "docs", "deploy", ".ci")

BLOCK = re.compile(
    r"^<!-- (?P<verb>run|save): (?P<name>\S+) -->\n```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block under a marker: `run` it in the story `name`, or `save` it as the file `name`."""

    document: str
    verb: str
    name: str
    language: str
    text: str


def project() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def files(*suffixes: str) -> Iterator[Path]:
    """Yield the project's own files, those with one of the suffixes, or all: never environments, data or caches."""
    rooms = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*")))
    for path in (*sorted(ROOT.glob("*")), *rooms):
        if path.is_file() and "__pycache__" not in path.parts and (not suffixes or path.suffix in suffixes):
            yield path


def modules() -> Iterator[Path]:
    """Yield every module of the four packages."""
    return (path for path in files(".py") if path.relative_to(ROOT).parts[0] in PACKAGES)


def documents() -> list[Path]:
    """Return every page of prose."""
    return list(files(".md"))


def blocks(document: Path) -> list[Block]:
    """Return the marked blocks of a document, in order."""
    return [Block(document.name, **found.groupdict()) for found in BLOCK.finditer(document.read_text())]
