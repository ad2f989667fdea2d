"""The stages of a game: each says what is due now without anybody's choice, or nothing.

A rule set lists the stages it runs by name, in order; `due` asks one after the other and takes the first that answers.
Every event changes the phase or the queue, so that asking again after each gives the next one, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

from engine import events as e, rounds, turns
from engine.agreements import agreed
from engine.chance import Context
from engine.evolve import draft_of, happen
from engine.game import Game, Phase
from engine.rulesets import LEARNING_STAGES, StageName

Stage: TypeAlias = Callable[[Game, Context], tuple[e.Event, ...]]
_ByPhase: TypeAlias = dict[Phase, tuple[Stage, ...]]


def due(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The next events that follow from the rules alone; empty when the game waits for somebody, or is over."""
    return _due(_stages(game), game, context)


def settle(game: Game, context: Context) -> tuple[Game, tuple[e.Event, ...]]:
    """The game after all that is due, one thing after another, and the events of it."""
    draft, happened = draft_of(game), list[e.Event]()
    table, stages = draft.table, _stages(draft)
    while events := _due(stages, draft, context):
        happen(draft, events, context.now)
        happened += events
        if draft.table != table:
            table, stages = draft.table, _stages(draft)
    return draft, tuple(happened)


def _due(stages: _ByPhase, game: Game, context: Context) -> tuple[e.Event, ...]:
    if game.vote or game.overdue or game.status == "paused":
        events = agreed(game, context)
        if events or game.status == "paused":
            return events
    for stage in stages.get(game.phase, ()):
        if events := stage(game, context):
            return events
    return ()


STAGES: Final[dict[StageName, tuple[tuple[Phase, ...], Stage]]] = {
    "finish": (("between",), rounds.finish),
    "start_round": (("between", "redeal"), rounds.start_round),
    "deal": (("deal",), rounds.deal),
    "open_draft": (("deal",), rounds.open_draft),
    "pick_as_planned": (("draft",), rounds.pick_as_planned),
    "close_draft": (("draft",), rounds.close_draft),
    "open_turn": (("turn",), turns.open_turn),
    "call_seat": (("call",), turns.call_seat),
    "lay_last_card": (("lay_card",), turns.lay_last_card),
    "lay_last_cards": (("lay_card",), turns.lay_last_cards),
    "reveal": (("lay_card", "call"), turns.reveal),
    "choose_ahead": (("choose_row",), turns.choose_ahead),
    "explain": (("place",), turns.explain),
    "place": (("place", "choose_row"), turns.place_cards),
    "place_one": (("place", "choose_row"), turns.place_one),
    "close_turn": (("place",), turns.close_turn),
    "score_round": (("score",), rounds.score_round),
    "show_round": (("score",), rounds.show_round),
    "reveal_round": (("scored", "voided"), rounds.reveal_round),
    "seal": (("seal",), rounds.seal),
}
"""Every stage by the name under which rule sets list it, with the phases in which it is asked."""


def _stages(game: Game) -> _ByPhase:
    return _by_phase(LEARNING_STAGES if game.table == "open" else game.rules.stages)


@cache
def _by_phase(names: tuple[StageName, ...]) -> _ByPhase:
    phases: dict[Phase, None] = {phase: None for name in names for phase in STAGES[name][0]}
    return {phase: tuple(STAGES[name][1] for name in names if phase in STAGES[name][0]) for phase in phases}
