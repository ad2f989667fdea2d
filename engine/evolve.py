"""What each event changes in a game; knows no rules, for what happened has happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, assert_never

from engine import events as e
from engine.cards import Card, in_order
from engine.evolve_table import at_table, holder_of, put
from engine.game import Chosen, Game, Laid, Plan, Request
from engine.times import Millis


def created(game: str, event: e.GameCreated, at: Millis) -> Game:
    """The game that its first event begins."""
    return Game(
        game,
        event.options,
        event.seed_commit,
        event.host,
        at,
        (None,) * event.options.seats,
        rematch_of=event.rematch_of,
        kept=event.kept,
        kept_until=event.kept_until,
        at=at,
    )


def evolve(game: Game, event: e.Event, at: Millis) -> Game:
    """The game after one more event; `at` is the event's moment."""
    return fold(game, (event,), at)


def fold(game: Game, events: Iterable[e.Event], at: Millis) -> Game:
    """The game after several events of one moment."""
    draft = draft_of(game)
    happen(draft, events, at)
    return draft


def draft_of(game: Game) -> Game:
    """A copy that nobody else has yet, so that `happen` may change it: one copy a command, not one an event."""
    draft = object.__new__(Game)
    object.__setattr__(draft, "__dict__", game.__dict__.copy())
    return draft


def happen(draft: Game, events: Iterable[e.Event], at: Millis) -> None:
    """Let events of one moment happen in a draft, in place; no game that anybody else has may be given here."""
    fields = draft.__dict__
    for event in events:
        _change(draft, fields, event, at)
        fields["seq"] += 1
        fields["at"] = at


def _change(game: Game, fields: dict[str, Any], event: e.Event, at: Millis) -> None:
    """Set the fields of a draft that an event changes; the frequent events come first."""
    match event:
        case e.CardLaid():
            laid = Laid(event.card, game.seq + 1, at, event.if_low)
            fields["laid"] = put(game.laid, event.seat, laid)
            if event.table == "open":
                fields["phase"] = "call"
                fields["called"] = None
            _keep_time(game, fields, event)
        case e.CardPlaced():
            row = (*game.rows[event.row], event.card) if event.position else (event.card,)
            fields["phase"] = "place"
            fields["rows"] = put(game.rows, event.row, row)
            fields["queue"] = game.queue[1:]
            fields["request"] = fields["chosen"] = None
            if event.captured:
                fields["piles"] = put(game.piles, event.seat, game.piles[event.seat] + event.captured)
        case e.TurnOpened():
            fields["phase"] = "lay_card" if game.table == "hidden" else "call"
            fields["turn"] = event.turn
            fields["opened_at"] = at
            fields["deadline"] = event.deadline
            fields["laid"] = (None,) * len(game.hands)
            fields["plays"] = fields["explanations"] = ()
        case e.TurnRevealed():
            fields["phase"] = "place"
            fields["hands"] = _without(game.hands, event.plays)
            fields["plays"] = fields["queue"] = event.plays
            fields["deadline"] = None
        case e.TurnClosed():
            fields["phase"] = "turn" if game.hands[0] else "score"
        case e.RowRequested():
            fields["phase"] = "choose_row"
            fields["request"] = Request(event.seat, event.card, event.why, event.rows, at, event.deadline)
        case e.RowChosen():
            fields["chosen"] = Chosen(event.row, event.mode, game.seq + 1, at)
            _keep_time(game, fields, event)
        case e.SeatCalled():
            fields.update(phase="lay_card", called=event.seat, opened_at=at, deadline=event.deadline)
        case e.CardExplained():
            fields["explanations"] = (*game.explanations, event)
        case e.DraftPlanned():
            fields["plans"] = put(game.plans, event.seat, Plan(event.plan, game.seq + 1, at))
        case e.DraftPicked():
            fields.update(_picked(game, event, at))
            _keep_time(game, fields, event)
        case (
            e.RoundStarted()
            | e.RoundDealt()
            | e.DraftOpened()
            | e.DraftClosed()
            | e.RoundScored()
            | e.RoundRevealed()
            | e.RoundVoided()
        ):
            fields.update(_between_turns(game, event, at))
        case _:
            fields.update(at_table(game, event, at))


def _between_turns(
    game: Game,
    event: e.RoundStarted
    | e.RoundDealt
    | e.DraftOpened
    | e.DraftClosed
    | e.RoundScored
    | e.RoundRevealed
    | e.RoundVoided,
    at: Millis,
) -> dict[str, Any]:
    nothing: tuple[tuple[Card, ...], ...] = ((),) * len(game.seats)
    match event:
        case e.RoundStarted():
            return {
                "phase": "deal",
                "round": event.round,
                "attempt": event.attempt,
                "turn": 0,
                "table": event.table,
                "round_commit": event.round_commit,
                "rows": (),
                "hands": (),
                "laid": (),
                "piles": nothing,
                "plans": (None,) * len(game.seats),
            }
        case e.RoundDealt():
            return {"phase": "turn", "rows": event.rows, "hands": event.hands, "dealt_seq": game.seq + 1}
        case e.DraftOpened():
            opened = {"phase": "draft", "pool": event.cards, "order": event.order, "hands": nothing}
            return opened | {"opened_at": at, "deadline": event.deadline}
        case e.DraftClosed():
            return {
                "phase": "turn",
                "rows": event.rows,
                "hands": event.hands,
                "pool": (),
                "order": (),
                "deadline": None,
            }
        case e.RoundScored():
            return {"phase": "scored", "totals": event.total_bullheads, "piles": event.piles}
        case e.RoundVoided():
            return {
                "phase": "voided",
                "deadline": None,
                "plays": (),
                "queue": (),
                "request": None,
                "chosen": None,
                "called": None,
                "explanations": (),
                "piles": nothing,
                "pool": (),
                "order": (),
            }
        case e.RoundRevealed():
            return {"phase": "redeal" if game.phase == "voided" else "between"}
        case _:
            assert_never(event)


def _picked(game: Game, event: e.DraftPicked, at: Millis) -> dict[str, Any]:
    hand = in_order((*game.hands[event.seat], event.card))
    return {
        "pool": tuple([card for card in game.pool if card != event.card]),
        "hands": put(game.hands, event.seat, hand),
        "opened_at": at,
        "deadline": event.deadline,
    }


def _without(hands: tuple[tuple[Card, ...], ...], plays: tuple[e.Play, ...]) -> tuple[tuple[Card, ...], ...]:
    left = list(hands)
    for seat, card in plays:
        hand = left[seat]
        at = hand.index(card)
        left[seat] = hand[:at] + hand[at + 1 :]
    return tuple(left)


def _keep_time(game: Game, fields: dict[str, Any], event: e.CardLaid | e.RowChosen | e.DraftPicked) -> None:
    """Take from the seat's bank what the answer took beyond its limit; and count how often the seat was late.

    Late is an answer that came from the service because of that; a seat's own answer ends the count.
    """
    seat, by = event.seat, event.by
    holder = holder_of(game, seat)
    bank_ms = holder.bank_ms - event.bank_used_ms
    if by.kind == "timeout":
        late, limit = holder.late + 1, game.options.away_after_timeouts
        changed = replace(holder, timeouts=holder.timeouts + 1, late=late, bank_ms=bank_ms)
        if limit is not None and late >= limit and holder.controller == "player":
            fields["overdue"] = (*game.overdue, seat)
    elif holder.late and by.kind in ("player", "bot"):
        changed = replace(holder, late=0, bank_ms=bank_ms)
    elif event.bank_used_ms:
        changed = replace(holder, bank_ms=bank_ms)
    else:
        return
    fields["seats"] = put(game.seats, seat, changed)
