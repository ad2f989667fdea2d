"""Options resolved: whole, within their bounds, and every mistake named with its pointer."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from engine.errors import Refusal
from engine.options import DURATION_MS, PACES, POINTS, ROUNDS, Options, Pace, PointsEnd, RoundsEnd
from engine.resolve import resolve
from engine.rulesets import RULESETS, ruleset
from engine.stages import STAGES


def test_two_names_are_enough() -> None:
    assert resolve({"ruleset": "classic", "seats": 4}) == Options(
        "classic", 4, PointsEnd(66, "reached"), Pace("live", 60_000, 30_000)
    )
    assert resolve({"seats": 2}).ruleset == "classic"


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("classic", PointsEnd(66, "reached")),
        ("take5-us-2018", PointsEnd(66, "exceeded")),
        ("category-5", PointsEnd(74, "exceeded")),
        ("three-rounds", RoundsEnd(3)),
    ],
)
def test_a_preset_brings_its_end(name: str, end: object) -> None:
    assert resolve({"ruleset": name, "seats": 3}).end == end


def test_presets_differ_in_their_end_alone() -> None:
    classic = ruleset("classic")
    for name, rules in RULESETS.items():
        assert rules.name == name
        assert replace(rules, name=classic.name, title=classic.title, end=classic.end) == classic


def test_every_stage_of_a_rule_set_exists_and_every_stage_is_used() -> None:
    assert {name for rules in RULESETS.values() for name in rules.stages} == STAGES.keys()


def test_everything_may_be_asked_for() -> None:
    asked = {
        "ruleset": "category-5",
        "seats": 10,
        "end": {"rounds": 7},
        "pace": {"turn_ms": 500, "row_ms": None},
        "on_timeout": "random",
        "recommit": True,
        "auto_last_card": False,
        "reveal": "game",
        "visibility": "private",
        "spectators": False,
    }
    assert asked.keys() == {field.name for field in fields(Options)}
    resolved = resolve(asked)
    assert resolved.end == RoundsEnd(7)
    assert resolved.pace == Pace("custom", 500, None)
    for name in ("on_timeout", "recommit", "auto_last_card", "reveal", "visibility", "spectators"):
        assert getattr(resolved, name) == asked[name]


@pytest.mark.parametrize("name", PACES)
def test_a_pace_may_be_named(name: str) -> None:
    assert resolve({"seats": 2, "pace": name}).pace == PACES[name]


@pytest.mark.parametrize(
    ("option", "bounds"),
    [("points", POINTS), ("rounds", ROUNDS), ("turn_ms", DURATION_MS), ("row_ms", DURATION_MS)],
)
def test_bounds_are_inclusive(option: str, bounds: tuple[int, int]) -> None:
    def asked(value: int) -> dict[str, Any]:
        if option in ("turn_ms", "row_ms"):
            return {"seats": 2, "pace": {"turn_ms": None, "row_ms": None, option: value}}
        return {"seats": 2, "end": {option: value} | ({"when": "exceeded"} if option == "points" else {})}

    low, high = bounds
    for value in bounds:
        resolve(asked(value))
    for value in (low - 1, high + 1):
        with pytest.raises(Refusal, match=f"from {low} to {high}") as refused:
            resolve(asked(value))
        place = "pace" if option.endswith("ms") else "end"
        assert refused.value.pointers == (f"/{place}/{option}",)


@pytest.mark.parametrize(
    ("wrong", "pointers"),
    [
        ({"seats": None}, ["/seats"]),
        ({"seats": 1}, ["/seats"]),
        ({"seats": 11}, ["/seats"]),
        ({"seats": "4"}, ["/seats"]),
        ({"seats": 4.0}, ["/seats"]),
        ({"seats": True}, ["/seats"]),
        ({"colour": "red"}, ["/colour"]),
        ({"ruleset": 5}, ["/ruleset"]),
        ({"end": None}, ["/end"]),
        ({"end": {}}, ["/end"]),
        ({"end": 66}, ["/end"]),
        ({"end": {"points": 66}}, ["/end"]),
        ({"end": {"points": 66, "when": "soon"}}, ["/end/when"]),
        ({"end": {"points": "66", "when": "reached"}}, ["/end/points"]),
        ({"end": {"points": 66, "when": "reached", "more": 1}}, ["/end"]),
        ({"end": {"points": 66, "when": "reached", "rounds": 3}}, ["/end/points", "/end/rounds"]),
        ({"end": {"points": 66, "rounds": 3}}, ["/end/points", "/end/rounds"]),
        ({"end": {"rounds": True}}, ["/end/rounds"]),
        ({"pace": "fast"}, ["/pace"]),
        ({"pace": "custom"}, ["/pace"]),
        ({"pace": {}}, ["/pace"]),
        ({"pace": {"turn_ms": 500}}, ["/pace"]),
        ({"pace": {"turn_ms": 500, "row_ms": 500, "draft_ms": 5}}, ["/pace"]),
        ({"pace": {"turn_ms": 500.0, "row_ms": 500}}, ["/pace/turn_ms"]),
        ({"on_timeout": "cleverest"}, ["/on_timeout"]),
        ({"on_timeout": None}, ["/on_timeout"]),
        ({"recommit": 1}, ["/recommit"]),
        ({"auto_last_card": "yes"}, ["/auto_last_card"]),
        ({"reveal": "never"}, ["/reveal"]),
        ({"visibility": "hidden"}, ["/visibility"]),
        ({"spectators": None}, ["/spectators"]),
    ],
    ids=str,
)
def test_a_mistake_is_named_with_its_place(wrong: dict[str, Any], pointers: list[str]) -> None:
    with pytest.raises(Refusal) as refused:
        resolve({"ruleset": "classic", "seats": 4} | wrong)
    assert (refused.value.code, list(refused.value.pointers)) == ("bad_options", pointers)


def test_an_unknown_rule_set_is_answered_with_those_there_are() -> None:
    with pytest.raises(Refusal, match=r"ruleset_unknown: .*classic, take5-us-2018, category-5") as refused:
        resolve({"ruleset": "chess", "seats": 2})
    assert refused.value.pointers == ("/ruleset",)
