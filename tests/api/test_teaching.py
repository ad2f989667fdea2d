"""What is taught of a rule set: true of it by what it consists of, with examples that the rules themselves have placed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Refusal
from engine.options import RoundsEnd
from engine.resolve import resolve
from engine.rulesets import RULESETS, RuleSet
from service.schemas.options import CONFLICTS, conflicts, options_schema
from service.schemas.teaching import RuleSetSchema
from service.teaching.rulings import rulings
from service.teaching.worked import WORKED, examples

VECTORS = {
    vector["id"]: vector
    for vector in map(
        json.loads, (Path(__file__).parents[1] / "vectors" / "rules.jsonl").read_text().splitlines()
    )
}
OF_VECTORS = {
    "closest_row": "B01",
    "sixth_card": "B03",
    "low_card": "B05",
    "choice_changes_the_rest": "B07",
    "full_row_is_not_low": "B14",
    "dearest_row": "B20",
    "waiting_for_a_row": "X01",
    "joker_joins": "J01",
    "joker_takes": "J03",
    "several_jokers": "J04",
    "joker_makes_a_row_dearer": "J08",
    "where_a_joker_can_go": "J13",
}
"""The vector that each example is."""
TOPICS = ("set_up", "turn", "scoring", "ends")


def words(shown: dict[str, Any]) -> str:
    """Return everything that is said of a rule set."""
    said = [shown["goal"], *(sentence for topic in TOPICS for sentence in shown[topic])]
    return " ".join([*said, *(ruling["ruling"] for ruling in shown["rulings"])])


@pytest.fixture
def taught(client: Any) -> dict[str, dict[str, Any]]:
    """Every rule set as it is shown."""
    return {name: client.get(f"/v1/rulesets/{name}").json for name in RULESETS}


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_every_topic_is_taught_in_sentences(client: Any, name: str) -> None:
    shown = client.get(f"/v1/rulesets/{name}").json
    assert RuleSetSchema().load(shown) == shown
    for topic in TOPICS:
        assert shown[topic], topic
        assert all(sentence.endswith(".") for sentence in shown[topic])
    assert "{" not in words(shown)
    assert shown["goal"].endswith("the fewest bullheads win.")
    assert len({ruling["about"] for ruling in shown["rulings"]}) == len(shown["rulings"])


def test_each_is_taught_what_it_has_and_nothing_else(taught: dict[str, dict[str, Any]]) -> None:
    has = {name: words(shown) for name, shown in taught.items()}
    assert {name for name, said in has.items() if "Joker" in said} == {"jokers"}
    assert {name for name, said in has.items() if "pick" in said.replace("or a pick, is chosen", "")} == {
        "pro"
    }
    assert {name for name, said in has.items() if "as many cards as are needed" in said} == {"pro", "tactics"}
    assert {name for name, said in has.items() if "for learning" in said} == {
        name for name, rules in RULESETS.items() if rules.learning
    }
    assert "66 or more" in taught["classic"]["ends"][0]
    assert "more than 74" in taught["category-5"]["ends"][0]
    assert "3 rounds" in taught["three-rounds"]["ends"][0]
    assert "11 turns" in has["jokers"]


DECIDED = {
    "laying a card",
    "choosing a row in advance",
    "66 bullheads",
    "places",
    "a seat that is late",
    "the last card",
    "agreeing",
    "giving a seat up",
}
DECIDED_OF_DRAFTS = {"the rows of a draft", "the first drafter", "plans"}
DECIDED_OF_JOKERS = {
    "the turns of a round",
    "a Joker's bullheads",
    "Jokers in a draft",
    "a Joker that is late",
}


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_what_we_decided_is_told_apart_from_what_is_printed(name: str) -> None:
    rules = RULESETS[name]
    decided = {ruling["about"] for ruling in rulings(rules) if ruling["decided"]}
    assert decided == DECIDED | (DECIDED_OF_DRAFTS if rules.drafts else set()) | (
        DECIDED_OF_JOKERS if rules.jokers else set()
    )


def test_every_example_is_a_worked_case() -> None:
    assert [one.name for one in WORKED] == [*OF_VECTORS]


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_examples_show_what_the_worked_cases_say(client: Any, name: str) -> None:
    shown = client.get(f"/v1/rulesets/{name}").json["examples"]
    assert shown
    for example in shown:
        vector = VECTORS[OF_VECTORS[example["name"]]]
        assert example["rows"] == vector["rows"]
        assert [play["card"] for play in example["plays"]] == [*vector["plays"].values()]
        assert_as_worked(example, vector)
        asked = {field: example[field] for field in ("rows", "plays", "choices")}
        answer = client.post("/v1/simulate", json={"ruleset": name, **asked})
        assert answer.json == example["result"]


def assert_as_worked(example: dict[str, Any], vector: dict[str, Any]) -> None:
    seats = {player: seat for seat, player in enumerate(vector["plays"])}
    result = example["result"]
    if "pending" in vector:
        pending = vector["pending"]
        assert (result["pending"]["seat"], result["pending"]["card"]) == (
            seats[pending["player"]],
            pending["card"],
        )
        assert [play["card"] for play in result["pending"]["queue"]] == [card for _, card in pending["queue"]]
        return
    assert result["rows"] == vector["rows_after"]
    assert result["pending"] is None
    captured = {capture["seat"]: capture["cards"] for capture in result["captures"]}
    assert captured == {seats[player]: cards for player, cards in vector.get("captures", {}).items()}
    counted = {capture["seat"]: capture["bullheads"] for capture in result["captures"]}
    assert counted == {seats[player]: points for player, points in vector.get("points", {}).items()}


def test_a_rule_set_that_nobody_knows_yet_is_taught_with_its_own_numbers(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = replace(
        RULESETS["classic"],
        name="wide",
        title="Five rows",
        rows=5,
        row_limit=6,
        end=RoundsEnd(1),
        max_seats=9,
    )
    monkeypatch.setitem(RULESETS, "wide", new)
    shown = client.get("/v1/rulesets/wide").json
    said = words(shown)
    assert "There are 5 rows, counted from 0 to 4" in said
    assert "A row takes up to 6 cards. The card that would be number 7 captures those 6" in said
    assert (shown["ends"][0], shown["examples"]) == (
        "The game ends after 1 round, whatever the totals.",
        [],
    )
    assert shown["options"]["properties"]["seats"]["maximum"] == 9
    assert examples(replace(new, rows=4, row_limit=5)) == examples(RULESETS["classic"])


REFUSED: dict[tuple[str, str], dict[str, Any]] = {
    ("/end/points", "/end/rounds"): {"end": {"points": 66, "when": "reached", "rounds": 3}},
    ("/seats", "/ruleset"): {"seats": 10},
    ("/first_drafter", "/ruleset"): {"first_drafter": 1},
    ("/rotate_drafter", "/ruleset"): {"rotate_drafter": True},
    ("/pace/draft_ms", "/ruleset"): {"pace": {"turn_ms": 5000, "row_ms": 5000, "draft_ms": 5000}},
    ("/pace/bank_ms", "/pace/turn_ms"): {"pace": {"turn_ms": None, "row_ms": None, "bank_ms": 5000}},
    ("/first_drafter", "/seats"): {"first_drafter": 4},
    ("/learning_rounds", "/ruleset"): {"learning_rounds": 1},
    ("/learning_only", "/learning_rounds"): {"learning_only": True},
}
"""A request that meets each conflict, beside a rule set and four seats."""


def test_every_conflict_has_a_request_that_meets_it() -> None:
    assert {conflict.pointers for conflict in CONFLICTS} == REFUSED.keys()


def cases() -> list[tuple[RuleSet, tuple[str, str], str]]:
    return [
        (rules, conflict.pointers, conflict.sentence)
        for rules in RULESETS.values()
        for conflict in conflicts(rules)
    ]


@pytest.mark.parametrize(("rules", "pointers", "sentence"), cases())
def test_options_that_do_not_fit_are_refused_with_both_pointers_and_said_to_be(
    rules: RuleSet, pointers: tuple[str, str], sentence: str
) -> None:
    asked = {"ruleset": rules.name, "seats": 4, **REFUSED[pointers]}
    with pytest.raises(Refusal) as caught:
        resolve(asked)
    assert (caught.value.code, caught.value.pointers) == ("bad_options", pointers)
    assert sentence in options_schema(rules)["description"]


def test_conflicts_that_a_rule_set_does_not_have_are_not_told_of_it() -> None:
    for rules in RULESETS.values():
        missing = {conflict.pointers for conflict in CONFLICTS} - {one.pointers for one in conflicts(rules)}
        for pointers in missing - {("/seats", "/ruleset")}:
            change = REFUSED[pointers]
            if pointers == ("/first_drafter", "/seats"):
                continue  # where there is no draft, that there is none is the conflict
            resolve({"ruleset": rules.name, "seats": 4, **change})


def test_every_option_is_described_with_its_default_or_its_bounds(client: Any) -> None:
    for name in RULESETS:
        properties = client.get(f"/v1/rulesets/{name}").json["options"]["properties"]
        for option, schema in properties.items():
            assert schema["description"].endswith("."), option
            assert option in ("ruleset", "seats") or "default" in schema, option
