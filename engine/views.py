"""What one seat, or the public, may see of a game: `view/1`, built field by field from an allow-list.

A view is JSON-ready: dicts, lists, strings, integers, booleans and None. Nothing here copies state and takes parts away;
what is not written below is never served.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from engine import wire
from engine.cards import Card, bullheads, in_order
from engine.events import CardExplained
from engine.game import Game, Laid
from engine.options import End
from engine.rows import end_tenths

View: TypeAlias = dict[str, Any]

SCHEMA: Final = "view/1"


def view(game: Game, seat: int | None, head: str) -> View:
    """The game as `seat` sees it, or as everybody may when `seat` is None; `head` is the hash of the last event."""
    hand = game.hands[seat] if seat is not None and game.hands else ()
    return {
        "schema": SCHEMA,
        "seq": game.seq,
        "head": head,
        "status": game.status,
        "round": game.round,
        "attempt": game.attempt,
        "turn": game.turn,
        "phase": public_phase(game),
        "table": game.table,
        "you": seat,
        "rows": [
            {"cards": list(row), "end_tenths": end_tenths(row), "bullheads": bullheads(row)}
            for row in game.rows
        ],
        "hand": list(hand),
        "laid_card": _laid_card(game, seat),
        "if_low": _if_low(game, seat),
        "called": game.called,
        "draft": _draft(game),
        "plan": _plan(game, seat),
        "hands": _open_hands(game),
        "laid_cards": _open_cards(game),
        "plays": [{"seat": play.seat, "card": play.card} for play in game.plays],
        "queue": [{"seat": play.seat, "card": play.card} for play in game.queue],
        "pending": _pending(game),
        "explanations": [_explanation(one) for one in game.explanations],
        "vote": _vote(game),
        "seen": list(in_order([card for pile in game.piles for card in pile])),
        "seats": _seats(game),
        "standings": [wire.write(type(place), place) for place in game.standings],
        "rules": _rules(game),
    }


def public_phase(game: Game) -> str | None:
    """`draft`, `lay_card` or `choose_row` while the game is played, None before and after."""
    if game.phase == "call":
        return "lay_card"
    return game.phase if game.phase in ("draft", "lay_card", "choose_row") else None


def laying(game: Game) -> tuple[Laid | None, ...]:
    """What lies before each seat and is not revealed: face down, or at an open table for all to see."""
    return game.laid if game.phase in ("lay_card", "call") else (None,) * len(game.seats)


def _own_laid(game: Game, seat: int | None) -> Laid | None:
    return None if seat is None else laying(game)[seat]


def _laid_card(game: Game, seat: int | None) -> Card | None:
    laid = _own_laid(game, seat)
    return laid.card if laid else None


def _if_low(game: Game, seat: int | None) -> str | None:
    laid = _own_laid(game, seat)
    return laid.if_low if laid else None


def _draft(game: Game) -> dict[str, Any] | None:
    """The open deck, and what each seat has picked: a draft hides nothing."""
    if game.phase != "draft":
        return None
    return {
        "cards": list(game.pool),
        "order": list(game.order),
        "picks": [list(hand) for hand in game.hands],
        "pick": game.picks + 1,
        "seat": game.drafter,
    }


def _plan(game: Game, seat: int | None) -> list[Card] | None:
    plan = game.plans[seat] if seat is not None and game.phase == "draft" else None
    return list(plan.cards) if plan else None


def _open_hands(game: Game) -> list[list[Card]] | None:
    return [list(hand) for hand in game.hands] if game.table == "open" and game.is_running else None


def _open_cards(game: Game) -> list[Card | None] | None:
    if game.table != "open" or public_phase(game) != "lay_card":
        return None
    return [laid and laid.card for laid in game.laid]


def _explanation(one: CardExplained) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "card": one.card,
        "code": one.code,
        "lower": list(one.lower),
        "closest": one.closest,
        "sentence": one.sentence,
    }


def _vote(game: Game) -> dict[str, Any] | None:
    vote = game.vote
    if vote is None:
        return None
    return {
        "vote": vote.number,
        "kind": vote.kind,
        "seat": vote.seat,
        "target": vote.target,
        "voters": list(game.voters()),
        "ballots": [cast and cast.choice for cast in vote.ballots],
    }


def _pending(game: Game) -> dict[str, Any] | None:
    request = game.request
    if request is None:
        return None
    return {
        "seat": request.seat,
        "card": request.card,
        "why": request.why,
        "rows": [list(modes) for modes in request.rows],
    }


def _seats(game: Game) -> list[dict[str, Any] | None]:
    gained = game.round_bullheads or (0,) * len(game.seats)
    totals = game.totals or (0,) * len(game.seats)
    laid = laying(game)
    return [
        None
        if holder is None
        else {
            "seat": number,
            "player": holder.player,
            "name": holder.name,
            "kind": holder.kind,
            "level": holder.level,
            "owner": holder.owner and holder.owner._asdict(),
            "accepts_bots": holder.accepts_bots,
            "ready": holder.ready,
            "laid": laid[number] is not None,
            "hand_size": len(game.hands[number]) if game.hands else 0,
            "round_bullheads": gained[number],
            "total_bullheads": totals[number],
            "controller": holder.controller,
            "presence": "away" if holder.away else "online",
            "timeouts": holder.timeouts,
            "bank_ms": holder.bank_ms,
        }
        for number, holder in enumerate(game.seats)
    ]


def _rules(game: Game) -> dict[str, Any]:
    rules = game.rules
    low, high = rules.deck_range(len(game.seats))
    return {
        "ruleset": rules.name,
        "low": low,
        "high": high,
        "row_limit": rules.row_limit,
        "hand_size": rules.hand_size,
        "jokers": rules.jokers,
        "end": wire.write(End, game.options.end),
        "recommit": game.options.recommit,
        "if_low": game.options.row_policy == "ahead",
        "counts": game.table == "hidden",
        "lowest_wins": True,
    }
