"""The check of the packages finds what it is there for."""

from packaging.version import Version

from tests.house import audit

PINS = {"flask": Version("3.1.3"), "redis": Version("8.1.0")}


def found(
    holes: list[tuple[str, Version, str]] | None = None,
    here: dict[str, Version] | None = None,
    running: set[str] | None = None,
) -> list[str]:
    return [*audit.findings(PINS, holes or [], here or {}, running or set())]


def test_nothing_is_wrong_with_our_packages() -> None:
    assert [*audit.findings(audit.pins(), audit.holes(), audit.installed(), audit.needed("take5"))] == []


def test_a_pin_with_a_known_hole_is_found() -> None:
    (words,) = found([("flask", Version("3.1.4"), "CVE-1"), ("redis", Version("8.1.0"), "CVE-2")])
    assert words == "flask is pinned at 3.1.3, which has the hole CVE-1; 3.1.4 has not"


def test_a_package_beside_its_pin_is_found() -> None:
    (words,) = found(here={"flask": Version("3.1.2"), "redis": Version("8.1"), "other": Version("1")})
    assert words == "flask 3.1.2 is installed, and 3.1.3 is pinned"


def test_what_is_needed_to_run_must_be_pinned() -> None:
    assert found(running={"take5", "flask", "surprise"}) == ["surprise is needed to run, and not pinned"]


def test_what_is_needed_is_followed_to_its_end() -> None:
    assert {"flask", "jinja2", "markupsafe", "limits", "deprecated", "wrapt"} <= audit.needed("take5")
    assert "pytest" not in audit.needed("take5")


def test_every_known_hole_is_one_of_a_package_that_we_pin() -> None:
    assert {package for package, _, _ in audit.holes()} <= audit.pins().keys()
