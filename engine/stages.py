"""The stages of a game: each says what is due now without anybody's choice, or nothing.

A rule set lists the stages it runs by name, in order; `due` asks one after the other and takes the first that answers.
Every event changes the phase or the queue, so that asking again after each gives the next one, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol, TypeAlias

from engine import deals, outcome
from engine import events as e
from engine.cards import Card, in_order, is_joker
from engine.game import Game, Phase, draft_of, happen, laid_in_order
from engine.options import PointsEnd
from engine.players import By
from engine.rows import Placement, Rows, Why, choice, place, place_as
from engine.rulesets import StageName
from engine.times import Millis


class Chance(Protocol):
    """What a game leaves to chance, fixed beforehand; `engine.deals.FairShuffle` is the one that games are served with."""

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The number cards 1 to `high` in the order in which a round deals them."""
        ...

    def round_seed(self, number: int, attempt: int) -> bytes:
        """What fixes the deal of a round; secret until the round is over."""
        ...

    def salt(self, seq: int, part: str) -> str:
        """The salt of a sealed part."""
        ...

    @property
    def master(self) -> bytes:
        """What fixes all of the above; secret until the game is over."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What the world adds to a decision: the moment, and the game's chance."""

    now: Millis
    chance: Chance


Stage: TypeAlias = Callable[[Game, Context], tuple[e.Event, ...]]
_ByPhase: TypeAlias = dict[Phase, tuple[Stage, ...]]


def due(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The next events that follow from the rules alone; empty when the game waits for somebody, or is over."""
    return _due(_by_phase(game.rules.stages), game, context)


def settle(game: Game, context: Context) -> tuple[Game, tuple[e.Event, ...]]:
    """The game after all that is due, one thing after another, and the events of it."""
    draft, happened = draft_of(game), list[e.Event]()
    stages = _by_phase(game.rules.stages)
    while events := _due(stages, draft, context):
        happen(draft, events, context.now)
        happened += events
    return draft, tuple(happened)


def _due(stages: _ByPhase, game: Game, context: Context) -> tuple[e.Event, ...]:
    for stage in stages.get(game.phase, ()):
        if events := stage(game, context):
            return events
    return ()


def finish(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The result, between two rounds, once the end condition holds."""
    end = game.options.end
    if game.round == 0 or not outcome.is_over(end, game.totals, game.round):
        return ()
    reason: outcome.Reason = "points" if isinstance(end, PointsEnd) else "rounds"
    return (e.GameFinished(reason, outcome.standings(game.totals), lowest_wins=True),)


def start_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """A new round: the commitment to its seed, and the deck in play."""
    number = game.round + 1
    commit = deals.round_commit(context.chance.round_seed(number, 0))
    return (e.RoundStarted(number, 0, commit, *game.rules.deck_range(len(game.seats))),)


def deal(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The rows and the hands, from the round's deck."""
    deck, rules = _deck(game, context), game.rules
    dealt = rules.hand_size * len(game.seats)
    rows = tuple([(card,) for card in deck[dealt : dealt + rules.rows]])
    return (e.RoundDealt(game.attempt, rows, rules.hand_size, _hands(game, deck)),)


def open_turn(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The next turn, with its deadline."""
    return (e.TurnOpened(game.turn + 1, _deadline(context, game.options.pace.turn_ms)),)


def lay_last_cards(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The last card of every hand, where the table lets the service lay it."""
    if len(game.hands[0]) != 1 or not game.options.auto_last_card:
        return ()
    return tuple(
        e.CardLaid(seat, game.hands[seat][0], By("policy", seat))
        for seat, laid in enumerate(game.laid)
        if not laid
    )


def reveal(game: Game, context: Context) -> tuple[e.Event, ...]:
    """All laid cards turned up together, as soon as every seat has laid one."""
    if None in game.laid:
        return ()
    openings = tuple(
        [
            _opening(context, laid.seq, seat, e.CardPart(laid.card))
            for seat, laid in enumerate(game.laid)
            if laid
        ]
    )
    return (e.TurnRevealed(laid_in_order(game), openings),)


def place_cards(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The cards not placed yet, lowest first, each against the rows as they stand then.

    Stops where a card's owner has to choose: asks for the row, or places the card where the owner has chosen.
    """
    placed: list[e.Event] = []
    rows, chosen, limit = game.rows, game.chosen, game.rules.row_limit
    if game.request and not chosen:
        return ()
    for play in game.queue:
        if chosen:
            placement: Placement | None = place_as(rows, play.card, chosen.row, chosen.mode)
            chosen = None
        else:
            placement = place(rows, play.card, limit)
        if placement is None:
            return (*placed, _request(game, rows, play, context))
        row, position, why, captured, price, rows = placement
        placed.append(e.CardPlaced(play.seat, play.card, row, position, why, captured, price))
    return tuple(placed)


def close_turn(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The end of a turn, when every card is placed."""
    return (e.TurnClosed(game.rows, game.round_bullheads, game.totals),)


def score_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The count of the piles when the hands are empty."""
    gained = game.round_bullheads
    totals = tuple([total + new for total, new in zip(game.totals, gained, strict=True)])
    return (e.RoundScored(game.piles, gained, totals),)


def reveal_round(game: Game, context: Context) -> tuple[e.Event, ...]:
    """How the round had been dealt; nothing of it yet where the table keeps that until the end."""
    if game.options.reveal == "game":
        return (e.RoundRevealed(None, None, None, ()),)
    deck, seq = _deck(game, context), game.dealt_seq
    hands = _hands(game, deck)
    openings = tuple([_opening(context, seq, seat, e.HandPart(hand)) for seat, hand in enumerate(hands)])
    stock = deck[game.rules.hand_size * len(hands) + game.rules.rows :]
    return (e.RoundRevealed(context.chance.round_seed(game.round, game.attempt), deck, stock, openings),)


def seal(game: Game, context: Context) -> tuple[e.Event, ...]:
    """The last event, with the master secret."""
    return (e.GameSealed(context.chance.master, game.seq, ""),)


STAGES: Final[dict[StageName, tuple[tuple[Phase, ...], Stage]]] = {
    "finish": (("between",), finish),
    "start_round": (("between",), start_round),
    "deal": (("deal",), deal),
    "open_turn": (("turn",), open_turn),
    "lay_last_cards": (("lay_card",), lay_last_cards),
    "reveal": (("lay_card",), reveal),
    "place": (("place", "choose_row"), place_cards),
    "close_turn": (("place",), close_turn),
    "score_round": (("score",), score_round),
    "reveal_round": (("scored",), reveal_round),
    "seal": (("seal",), seal),
}
"""Every stage by the name under which rule sets list it, with the phases in which it is asked."""


@cache
def _by_phase(names: tuple[StageName, ...]) -> _ByPhase:
    phases: dict[Phase, None] = {phase: None for name in names for phase in STAGES[name][0]}
    return {phase: tuple(STAGES[name][1] for name in names if phase in STAGES[name][0]) for phase in phases}


def _deck(game: Game, context: Context) -> tuple[Card, ...]:
    client_seeds = tuple([seat.client_seed for seat in game.taken])
    high = game.rules.deck_range(len(game.seats))[1]
    return context.chance.deck(game.id, game.round, game.attempt, client_seeds, high)


def _hands(game: Game, deck: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    size = game.rules.hand_size
    return tuple([in_order(deck[start : start + size]) for start in range(0, size * len(game.seats), size)])


def _opening(context: Context, seq: int, seat: int, data: e.Part) -> e.Opening:
    part = f"s{seat}"
    return e.Opening(seq, part, context.chance.salt(seq, part), data)


def _deadline(context: Context, limit_ms: int | None) -> Millis | None:
    return None if limit_ms is None else Millis(context.now + limit_ms)


def _request(game: Game, rows: Rows, play: e.Play, context: Context) -> e.RowRequested:
    legal = choice(rows, play.card, game.rules.row_limit) or ()
    why: Why = "joker" if is_joker(play.card) else "too_low"
    return e.RowRequested(play.seat, play.card, why, legal, _deadline(context, game.options.pace.row_ms))
