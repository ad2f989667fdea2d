"""The rule sets: what can be played, with which options, and how we read the rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from flask import Response

from engine.cards import BULLHEADS, JOKERS
from engine.rulesets import RULESETS, RuleSet
from service.http.answers import answer, represent
from service.http.blueprint import Blueprint
from service.http.pages import page, read_cursor
from service.problems import Problem
from service.schemas.base import PageQuery
from service.schemas.options import conflicts, options_schema
from service.schemas.rulesets import RuleSetPageSchema
from service.schemas.teaching import RuleSetSchema
from service.teaching import worked
from service.teaching.ends import ends
from service.teaching.goal import GOAL
from service.teaching.rulings import rulings
from service.teaching.said import said
from service.teaching.scoring import SCORING
from service.teaching.set_up import SET_UP
from service.teaching.turn import TURN

blp = Blueprint(
    "rulesets", __name__, description="What can be played: the rule sets, their options and their cards."
)


def _summary(rules: RuleSet) -> dict[str, Any]:
    return {
        "id": rules.name,
        "title": rules.title,
        "min_seats": rules.min_seats,
        "max_seats": rules.max_seats,
        "end": asdict(rules.end),
    }


def _whole(rules: RuleSet) -> dict[str, Any]:
    low, high = rules.deck_range(rules.max_seats)
    return {
        **_summary(rules),
        "rows": rules.rows,
        "row_limit": rules.row_limit,
        "hand_size": rules.hand_size,
        "jokers": rules.jokers,
        "lowest_wins": True,
        "goal": " ".join(said(GOAL, rules)),
        "set_up": said(SET_UP, rules),
        "turn": said(TURN, rules),
        "scoring": said(SCORING, rules),
        "ends": ends(rules),
        "rulings": rulings(rules),
        "examples": worked.examples(rules),
        "options": options_schema(rules),
        "conflicts": [
            {"options": list(conflict.pointers), "sentence": conflict.sentence}
            for conflict in conflicts(rules)
        ],
        "cards": [
            {"card": card, "bullheads": BULLHEADS[card]}
            for card in (*range(low, high + 1), *(JOKERS if rules.jokers else ()))
        ],
    }


_CLASSIC: Final = _whole(RULESETS["classic"])


@blp.route("/v1/rulesets")
@blp.arguments(PageQuery, location="query")
@blp.response(200, RuleSetPageSchema, example={"items": [_summary(RULESETS["classic"])], "next_cursor": None})
@blp.refuses("invalid_cursor")
@blp.leads_to("list_rulesets", {"cursor": "$response.body#/next_cursor"})
@blp.leads_to("show_ruleset", {"ruleset_id": "$response.body#/items/0/id"})
def list_rulesets(wanted: dict[str, Any]) -> Response:
    """List the rule sets."""
    names = list(RULESETS)
    start = read_cursor(wanted.get("cursor"), int) or (0,)
    end = start[0] + wanted["limit"]
    shown = [_summary(RULESETS[name]) for name in names[start[0] : end]]
    return page(shown, (end,) if end < len(names) else None)


@blp.route("/v1/rulesets/<ruleset_id>")
@blp.response(
    200,
    RuleSetSchema,
    example={**_CLASSIC, "cards": _CLASSIC["cards"][:3], "examples": _CLASSIC["examples"][:1]},
)
@blp.refuses("ruleset_not_found")
@blp.leads_to("create_game", body={"ruleset": "$response.body#/id", "seats": 2})
@blp.polled
def show_ruleset(ruleset_id: str) -> Response:
    """Show one rule set, and teach it.

    What it is about, how a round begins, a turn, what counts, how it ends, how we read its rules, and worked examples; its
    options as JSON Schema, and which of them do not fit each other; its deck.
    """
    rules = RULESETS.get(ruleset_id)
    if rules is None:
        raise Problem("ruleset_not_found")
    return answer(lambda: represent(_whole(rules)))
