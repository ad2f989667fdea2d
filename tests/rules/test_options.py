"""Options resolved: whole, within their bounds, and every mistake named with its pointer."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from engine.cards import JOKERS
from engine.errors import Refusal
from engine.options import (
    AWAY_AFTER,
    DURATION_MS,
    LEARNING_ROUNDS,
    PACES,
    POINTS,
    ROUNDS,
    Options,
    Pace,
    PointsEnd,
    RoundsEnd,
)
from engine.resolve import resolve
from engine.rulesets import LEARNING_STAGES, RULESETS, ruleset
from engine.stages import STAGES


def test_two_names_are_enough() -> None:
    assert resolve({"ruleset": "classic", "seats": 4}) == Options(
        "classic",
        4,
        PointsEnd(66, "reached"),
        Pace("live", 60_000, 30_000),
        away_after_timeouts=2,
        votes=True,
    )
    assert resolve({"seats": 2}).ruleset == "classic"


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("classic", PointsEnd(66, "reached")),
        ("take5-us-2018", PointsEnd(66, "exceeded")),
        ("category-5", PointsEnd(74, "exceeded")),
        ("three-rounds", RoundsEnd(3)),
        ("tactics", PointsEnd(66, "reached")),
        ("pro", PointsEnd(66, "reached")),
        ("jokers", PointsEnd(66, "reached")),
    ],
)
def test_a_preset_brings_its_end(name: str, end: object) -> None:
    assert resolve({"ruleset": name, "seats": 3}).end == end


def test_presets_differ_in_their_end_alone() -> None:
    classic = ruleset("classic")
    for name in ("take5-us-2018", "category-5", "three-rounds"):
        rules = ruleset(name)
        assert replace(rules, name=classic.name, title=classic.title, end=classic.end) == classic


@pytest.mark.parametrize("name", RULESETS)
def test_a_rule_set_stands_under_its_name_and_has_cards_for_every_table(name: str) -> None:
    rules = ruleset(name)
    assert rules.name == name
    for seats in range(rules.min_seats, rules.max_seats + 1):
        low, high = rules.deck_range(seats)
        assert high - low + 1 >= rules.dealt * seats + rules.rows
        assert rules.jokers * seats <= len(JOKERS)


def test_every_stage_of_a_rule_set_exists_and_every_stage_is_used() -> None:
    used = {name for rules in RULESETS.values() for name in rules.stages} | {*LEARNING_STAGES}
    assert used == STAGES.keys()


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
        "row_policy": "ahead",
        "away_after_timeouts": None,
        "votes": False,
        "learning_rounds": 2,
        "learning_only": True,
    }
    drafted = {"first_drafter", "rotate_drafter"}
    assert asked.keys() | drafted == {field.name for field in fields(Options)}
    resolved = resolve(asked)
    assert resolved.end == RoundsEnd(7)
    assert resolved.pace == Pace("custom", 500, None)
    for name in asked.keys() - {"end", "pace"}:
        assert getattr(resolved, name) == asked[name]


def test_a_draft_has_options_of_its_own() -> None:
    asked = {"ruleset": "pro", "seats": 6, "first_drafter": 5, "rotate_drafter": True}
    resolved = resolve(asked | {"pace": {"turn_ms": 1000, "row_ms": 2000, "draft_ms": 3000}})
    assert (resolved.first_drafter, resolved.rotate_drafter, resolved.pace.pick_ms) == (5, True, 3000)
    assert resolve({"ruleset": "pro", "seats": 6, "pace": "blitz"}).pace.pick_ms == 15_000


@pytest.mark.parametrize("name", PACES)
def test_a_pace_may_be_named(name: str) -> None:
    assert resolve({"seats": 2, "pace": name}).pace == PACES[name]


@pytest.mark.parametrize(
    ("option", "bounds"),
    [
        ("points", POINTS),
        ("rounds", ROUNDS),
        ("turn_ms", DURATION_MS),
        ("row_ms", DURATION_MS),
        ("draft_ms", DURATION_MS),
        ("learning_rounds", LEARNING_ROUNDS),
        ("away_after_timeouts", AWAY_AFTER),
    ],
)
def test_bounds_are_inclusive(option: str, bounds: tuple[int, int]) -> None:
    within = "/pace" if option.endswith("ms") else "/end" if option in ("points", "rounds") else ""

    def asked(value: int) -> dict[str, Any]:
        ruleset = "pro" if option == "draft_ms" else "classic"
        table: dict[str, Any] = {"ruleset": ruleset, "seats": 4}
        if within == "/pace":
            return table | {"pace": {"turn_ms": None, "row_ms": None, option: value}}
        if within == "/end":
            return table | {"end": {option: value} | ({"when": "exceeded"} if option == "points" else {})}
        return table | {option: value}

    low, high = bounds
    for value in bounds:
        resolve(asked(value))
    for value in (low - 1, high + 1):
        with pytest.raises(Refusal, match=f"from {low} to {high}") as refused:
            resolve(asked(value))
        assert refused.value.pointers == (f"{within}/{option}",)


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
        ({"end": {"points": 66}}, ["/end/when"]),
        ({"end": {"when": "reached"}}, ["/end/points"]),
        ({"end": {"rounds": 3, "when": "reached"}}, ["/end/when"]),
        ({"end": {"points": 66, "when": "soon"}}, ["/end/when"]),
        ({"end": {"points": "66", "when": "reached"}}, ["/end/points"]),
        ({"end": {"points": 66, "when": "reached", "more": 1}}, ["/end/more"]),
        ({"end": {"points": 66, "when": "reached", "rounds": 3}}, ["/end/points", "/end/rounds"]),
        ({"end": {"points": 66, "rounds": 3}}, ["/end/points", "/end/rounds"]),
        ({"end": {"rounds": True}}, ["/end/rounds"]),
        ({"pace": "fast"}, ["/pace"]),
        ({"pace": "custom"}, ["/pace"]),
        ({"pace": None}, ["/pace"]),
        ({"pace": {}}, ["/pace/turn_ms", "/pace/row_ms"]),
        ({"pace": {"turn_ms": 500}}, ["/pace/row_ms"]),
        ({"pace": {"row_ms": 500, "bank_ms": 500}}, ["/pace/turn_ms"]),
        ({"pace": {"turn_ms": 500, "row_ms": 500, "plan_ms": 500}}, ["/pace/plan_ms"]),
        ({"pace": {"turn_ms": 500, "row_ms": 500, "a/b~c": 500}}, ["/pace/a~1b~0c"]),
        ({"pace": {"turn_ms": 500, "row_ms": 500, "draft_ms": 5}}, ["/pace/draft_ms"]),
        ({"pace": {"turn_ms": 500.0, "row_ms": 500}}, ["/pace/turn_ms"]),
        ({"on_timeout": "cleverest"}, ["/on_timeout"]),
        ({"on_timeout": None}, ["/on_timeout"]),
        ({"recommit": 1}, ["/recommit"]),
        ({"auto_last_card": "yes"}, ["/auto_last_card"]),
        ({"reveal": "never"}, ["/reveal"]),
        ({"visibility": "hidden"}, ["/visibility"]),
        ({"spectators": None}, ["/spectators"]),
        ({"row_policy": "always"}, ["/row_policy"]),
        ({"votes": None}, ["/votes"]),
        ({"away_after_timeouts": "2"}, ["/away_after_timeouts"]),
        ({"away_after_timeouts": True}, ["/away_after_timeouts"]),
        ({"learning_rounds": None}, ["/learning_rounds"]),
        ({"first_drafter": 10}, ["/first_drafter"]),
        ({"first_drafter": -1}, ["/first_drafter"]),
    ],
    ids=str,
)
def test_a_mistake_is_named_with_its_place(wrong: dict[str, Any], pointers: list[str]) -> None:
    with pytest.raises(Refusal) as refused:
        resolve({"ruleset": "classic", "seats": 4} | wrong)
    assert (refused.value.code, list(refused.value.pointers)) == ("bad_options", pointers)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"pace": "fast"}, r"pace must be one of bot, .* perhaps with draft_ms and bank_ms\."),
        (
            {"pace": {"turn_ms": 500}},
            r"pace lacks row_ms; .* turn_ms, row_ms, and perhaps draft_ms, bank_ms\.",
        ),
        ({"pace": {"turn_ms": 500, "rows_ms": 500}}, r"pace has no field 'rows_ms'; it consists of turn_ms"),
        ({"end": {"points": 66}}, r"end lacks when; it consists of points, when\."),
        ({"end": {"rounds": 3, "more": 1}}, r"end has no field 'more'; it consists of rounds\."),
    ],
    ids=str,
)
def test_a_field_that_is_missing_or_unknown_is_named(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(Refusal, match=says):
        resolve({"ruleset": "classic", "seats": 4} | wrong)


@pytest.mark.parametrize(
    ("wrong", "pointers"),
    [
        ({"ruleset": "pro", "seats": 7}, ["/seats", "/ruleset"]),
        ({"ruleset": "pro", "first_drafter": 4}, ["/first_drafter", "/seats"]),
        ({"first_drafter": 1}, ["/first_drafter", "/ruleset"]),
        ({"rotate_drafter": True}, ["/rotate_drafter", "/ruleset"]),
        ({"pace": {"turn_ms": None, "row_ms": None, "draft_ms": 500}}, ["/pace/draft_ms", "/ruleset"]),
        ({"ruleset": "tactics", "learning_rounds": 1}, ["/learning_rounds", "/ruleset"]),
        ({"ruleset": "pro", "learning_rounds": 1}, ["/learning_rounds", "/ruleset"]),
        ({"ruleset": "jokers", "learning_rounds": 1}, ["/learning_rounds", "/ruleset"]),
        ({"learning_only": True}, ["/learning_only", "/learning_rounds"]),
    ],
    ids=str,
)
def test_options_that_do_not_fit_each_other_are_named_both(
    wrong: dict[str, Any], pointers: list[str]
) -> None:
    with pytest.raises(Refusal) as refused:
        resolve({"ruleset": "classic", "seats": 4} | wrong)
    assert (refused.value.code, list(refused.value.pointers)) == ("bad_options", pointers)


def test_an_unknown_rule_set_is_answered_with_those_there_are() -> None:
    with pytest.raises(Refusal, match=r"ruleset_unknown: .*classic, take5-us-2018, category-5") as refused:
        resolve({"ruleset": "chess", "seats": 2})
    assert refused.value.pointers == ("/ruleset",)
