"""What one seat, or the public, may see of a game: `view/1`, built field by field from an allow-list.

A view is JSON-ready: dicts, lists, strings, integers, booleans and None. Nothing here copies state and takes parts away;
what is not written below is never served.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from engine import wire
from engine.cards import Card, bullheads, in_order
from engine.game import Game
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
        "you": seat,
        "rows": [
            {"cards": list(row), "end_tenths": end_tenths(row), "bullheads": bullheads(row)}
            for row in game.rows
        ],
        "hand": list(hand),
        "laid_card": _laid_card(game, seat),
        "plays": [{"seat": play.seat, "card": play.card} for play in game.plays],
        "queue": [{"seat": play.seat, "card": play.card} for play in game.queue],
        "pending": _pending(game),
        "seen": list(in_order([card for pile in game.piles for card in pile])),
        "seats": _seats(game),
        "standings": [wire.write(type(place), place) for place in game.standings],
        "rules": _rules(game),
    }


def public_phase(game: Game) -> str | None:
    """`lay_card` or `choose_row` while the game is played, None before and after."""
    return game.phase if game.phase in ("lay_card", "choose_row") else None


def _laid_card(game: Game, seat: int | None) -> Card | None:
    if seat is None or game.phase != "lay_card":
        return None
    laid = game.laid[seat]
    return laid.card if laid else None


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
    laying = game.phase == "lay_card"
    return [
        None
        if holder is None
        else {
            "seat": number,
            "player": holder.player,
            "name": holder.name,
            "kind": holder.kind,
            "level": holder.level,
            "ready": holder.ready,
            "laid": laying and game.laid[number] is not None,
            "hand_size": len(game.hands[number]) if game.hands else 0,
            "round_bullheads": gained[number],
            "total_bullheads": totals[number],
            "controller": "house" if holder.kind == "house" else "player",
            "presence": "online",
            "timeouts": holder.timeouts,
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
        "end": wire.write(End, game.options.end),
        "recommit": game.options.recommit,
        "lowest_wins": True,
    }
