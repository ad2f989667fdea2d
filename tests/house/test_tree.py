"""The tree as such: sizes, names that must not stand in it, links, versions."""

import re
from importlib import metadata
from pathlib import Path

import pytest

from tests.house.tree import ROOT, documents, files, project

LINK = re.compile(r"\[[^\]]*\]\((?!https?://|mailto:)(?P<page>[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
# Where packages come from is each machine's own affair. Written so that the pattern does not find itself.
REGISTRY = re.compile(r"pyp[i]\.org|pythonhoste[d]\.|registry\.npmj[s]|registry\.yarnpk[g]|deb\.debia[n]\.")


def anchors(page: Path) -> set[str]:
    """Return what a page's headings can be linked as."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_text(path: Path) -> bool:
    """Tell whether a file is written by hand: vendored, minified and binary ones are not."""
    return ".min." not in path.name and b"\0" not in path.read_bytes()


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files(".py")}
    assert not {path: length for path, length in lengths.items() if length > 400}


def test_no_file_names_a_package_registry() -> None:
    texts = {
        str(path.relative_to(ROOT)): path.read_text(errors="replace") for path in files() if is_text(path)
    }
    assert "README.md" in texts
    assert not {path for path, text in texts.items() if REGISTRY.search(text)}


@pytest.mark.parametrize("page", documents(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in LINK.finditer(page.read_text()):
        target = (page.parent / link["page"]).resolve() if link["page"] else page
        assert target.exists(), link[0]
        assert link["anchor"] is None or link["anchor"] in anchors(target), link[0]


def test_every_decision_is_listed_under_its_own_title() -> None:
    pages = sorted((ROOT / "docs/adr").glob("[0-9]*.md"))
    index = (ROOT / "docs/adr/README.md").read_text()
    titles = {page: page.read_text().partition("\n")[0].removeprefix("# ") for page in pages}
    rows = [
        f"| [{page.name[:4]}]({page.name}) | {title.removeprefix(f'{page.name[:4]}: ')} |"
        for page, title in titles.items()
    ]
    assert [row for row in index.splitlines() if row.startswith("| [")] == rows


def test_the_installed_version_is_the_declared_one() -> None:
    assert metadata.version("take5") == project()["project"]["version"]


def test_the_changelog_s_newest_release_is_the_declared_version_or_older() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    released = [tuple(map(int, heading.split("."))) for heading in headings[1:]]
    assert released == sorted(released, reverse=True)
    assert all(version <= tuple(map(int, project()["project"]["version"].split("."))) for version in released)


def test_every_pinned_version_is_exact_and_carries_no_address() -> None:
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    assert pins
    assert not [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)]
