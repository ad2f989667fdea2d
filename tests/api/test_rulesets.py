"""The rule sets: the deck, the options as a schema that the engine agrees with, and the rulings."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.errors import Refusal
from engine.options import DURATION_MS, PACES, POINTS, ROUNDS
from engine.rulesets import RULESETS, resolve
from service.schemas.options import options_schema
from tests.api.kinds import Refused

CLASSIC = Draft202012Validator(options_schema(RULESETS["classic"]))

Bounds = tuple[int, int]


def near(bounds: Bounds) -> st.SearchStrategy[Any]:
    """Draw integers about the bounds, and what is no integer."""
    low, high = bounds
    return st.one_of(
        st.integers(low - 1, low + 1),
        st.integers(high - 1, high + 1),
        st.sampled_from([5.0, "5", True, None]),
    )


def words(*known: str) -> st.SearchStrategy[Any]:
    """Draw known words, and what is none of them."""
    return st.sampled_from([*known, "other", "", 1, None])


def flag() -> st.SearchStrategy[Any]:
    return st.sampled_from([True, False, 1, "true", None])


ENDS = st.one_of(
    st.fixed_dictionaries(
        {}, optional={"points": near(POINTS), "when": words("reached", "exceeded"), "rounds": near(ROUNDS)}
    ),
    st.sampled_from([None, "points", 66, []]),
)
CUSTOM_PACES = st.fixed_dictionaries(
    {}, optional={"turn_ms": near(DURATION_MS), "row_ms": near(DURATION_MS), "x": st.just(1)}
)
REQUESTS = st.fixed_dictionaries(
    {"ruleset": st.just("classic"), "seats": near((2, 10))},
    optional={
        "end": ENDS,
        "pace": st.one_of(words(*PACES, "custom"), CUSTOM_PACES),
        "on_timeout": words("lowest_risk", "random", "lowest_card", "highest_card"),
        "recommit": flag(),
        "auto_last_card": flag(),
        "reveal": words("round", "game"),
        "visibility": words("listed", "unlisted", "private"),
        "spectators": flag(),
        "surprise": st.just(1),
    },
)


@settings(deadline=None)
@given(REQUESTS)
def test_the_schema_accepts_what_the_engine_accepts(request: dict[str, Any]) -> None:
    # JSON Schema counts 5.0 as an integer; the service does not, and says so.
    if 5.0 in [type(value) is float and value for value in flat(request)]:
        return
    assert CLASSIC.is_valid(request) == is_accepted(lambda: resolve(request))


def flat(value: Any) -> list[Any]:
    return (
        [leaf for member in value.values() for leaf in flat(member)] if isinstance(value, dict) else [value]
    )


def is_accepted(decide: Callable[[], object]) -> bool:
    try:
        decide()
    except Refusal:
        return False
    return True


def test_the_schema_s_defaults_are_the_engine_s() -> None:
    for rules in RULESETS.values():
        schema = options_schema(rules)
        defaults = {
            name: option["default"] for name, option in schema["properties"].items() if "default" in option
        }
        bare = {"ruleset": rules.name, "seats": 4}
        assert resolve(bare | defaults) == resolve(bare)
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_a_rule_set_is_shown_whole(client: Any, name: str) -> None:
    shown = client.get(f"/v1/rulesets/{name}").json
    assert shown["id"] == name
    assert shown["lowest_wins"] is True
    assert sum(card["bullheads"] for card in shown["cards"]) == 171
    assert [card["card"] for card in shown["cards"]] == [*range(1, 105)]
    assert shown["options"]["properties"]["ruleset"] == {"const": name}
    assert {ruling["about"] for ruling in shown["rulings"]} >= {"winning", "laying a card", "the end"}


def test_an_unknown_rule_set_is_not_found(client: Any, refused: Refused) -> None:
    assert refused(client.get("/v1/rulesets/chess"))["code"] == "ruleset_not_found"
