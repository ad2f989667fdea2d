"""Where the packages come from, what they lean on, and that it is declared."""

import ast
import importlib
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.house.tree import PACKAGES, ROOT, modules, project


def imported(path: Path) -> set[str]:
    """Return the top-level names that a module imports, at whatever depth of the code."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def distribution(name: str) -> str:
    """Return a distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_comes_from_this_repository(package: str) -> None:
    found = importlib.import_module(package).__file__
    assert found is not None
    assert Path(found) == ROOT / package / "__init__.py"


def test_the_engine_imports_nothing_but_itself_and_the_standard_library() -> None:
    foreign = {
        (path.name, name)
        for path in modules()
        if path.relative_to(ROOT).parts[0] == "engine"
        for name in imported(path) - sys.stdlib_module_names - {"engine"}
    }
    assert not foreign


def test_every_library_that_is_imported_is_declared() -> None:
    declared = {
        distribution(re.split(r"[^\w.-]", wish, maxsplit=1)[0])
        for wish in project()["project"]["dependencies"]
    }
    providers = metadata.packages_distributions()
    undeclared = {
        (str(path.relative_to(ROOT)), name)
        for path in modules()
        for name in imported(path) - sys.stdlib_module_names - set(PACKAGES)
        if not declared & {distribution(provider) for provider in providers.get(name, [])}
    }
    assert not undeclared
