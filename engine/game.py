"""A game as it stands: frozen state, and `evolve`, the one way it changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never

from engine import events as e
from engine.cards import TENTHS, Card, bullheads
from engine.options import Options
from engine.outcome import Standing
from engine.players import By, Seat
from engine.rows import Mode, Modes, Rows, Why
from engine.rulesets import RULESETS, RuleSet
from engine.times import Millis

Status: TypeAlias = Literal["lobby", "playing", "finished", "abandoned"]
Phase: TypeAlias = Literal[
    "lobby", "between", "deal", "turn", "lay_card", "place", "choose_row", "score", "scored", "seal", "over"
]
"""What the game waits for, or what is due next. Clients see `lay_card` and `choose_row`, the phases that wait."""


class Laid(NamedTuple):
    """A card face down, with the seq and the moment of its event."""

    card: Card
    seq: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Request:
    """A row choice that is asked for: whose, for which card, from what."""

    seat: int
    card: Card
    why: Why
    rows: Modes
    opened_at: Millis
    deadline: Millis | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row choice that was made and waits to be carried out."""

    row: int
    mode: Mode
    seq: int
    at: Millis


@dataclass(frozen=True)
class Game:
    """Everything the rules need to go on, and nothing that cannot be folded from the log.

    `seq` is the number of events so far, `last_at` the moment of the last. `seats` has an entry a seat, None while it is
    free. Hands are ascending; `piles` are the captured cards of this round, `totals` the bullheads of the rounds before
    it. `plays` are the revealed cards of this turn in placing order, `queue` those not placed yet.
    """

    id: str
    options: Options
    seed_commit: str
    host: str
    created_at: Millis
    seats: tuple[Seat | None, ...]
    seq: int = 1
    last_at: Millis = Millis(0)
    status: Status = "lobby"
    phase: Phase = "lobby"
    round: int = 0
    attempt: int = 0
    turn: int = 0
    round_commit: str = ""
    dealt_seq: int = 0
    opened_at: Millis = Millis(0)
    deadline: Millis | None = None
    rows: Rows = ()
    hands: tuple[tuple[Card, ...], ...] = ()
    laid: tuple[Laid | None, ...] = ()
    plays: tuple[e.Play, ...] = ()
    queue: tuple[e.Play, ...] = ()
    request: Request | None = None
    chosen: Chosen | None = None
    piles: tuple[tuple[Card, ...], ...] = ()
    totals: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()

    @property
    def rules(self) -> RuleSet:
        """The rule set the game is played by."""
        return RULESETS[self.options.ruleset]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or without."""
        return self.status in ("finished", "abandoned")

    @property
    def round_bullheads(self) -> tuple[int, ...]:
        """Bullheads captured in this round, per seat."""
        return tuple([bullheads(pile) for pile in self.piles])

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The seats that are taken, in order; all of them once the game has started."""
        return tuple([seat for seat in self.seats if seat])

    def seat_of(self, player: str) -> int | None:
        """The seat that a player holds, or None."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player == player:
                return number
        return None


def created(game: str, event: e.GameCreated, at: Millis) -> Game:
    """The game that its first event begins."""
    seats = (None,) * event.options.seats
    return Game(game, event.options, event.seed_commit, event.host, at, seats, last_at=at)


def evolve(game: Game, event: e.Event, at: Millis) -> Game:
    """The game after one more event; `at` is the event's moment. Knows no rules: what happened has happened."""
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
        fields["last_at"] = at


def _change(game: Game, fields: dict[str, Any], event: e.Event, at: Millis) -> None:
    """Set the fields of a draft that an event changes; the frequent events come first."""
    match event:
        case e.CardLaid():
            fields["laid"] = _put(game.laid, event.seat, Laid(event.card, game.seq + 1, at))
            _count_timeout(game, fields, event.seat, event.by)
        case e.CardPlaced():
            row = (*game.rows[event.row], event.card) if event.position else (event.card,)
            fields["phase"] = "place"
            fields["rows"] = _put(game.rows, event.row, row)
            fields["queue"] = game.queue[1:]
            fields["request"] = fields["chosen"] = None
            if event.captured:
                fields["piles"] = _put(game.piles, event.seat, game.piles[event.seat] + event.captured)
        case e.TurnOpened():
            fields["phase"] = "lay_card"
            fields["turn"] = event.turn
            fields["opened_at"] = at
            fields["deadline"] = event.deadline
            fields["laid"] = (None,) * len(game.hands)
            fields["plays"] = ()
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
            _count_timeout(game, fields, event.seat, event.by)
        case _:
            fields.update(_between_turns(game, event))


_LobbyEvent: TypeAlias = e.GameCreated | e.GameChanged | e.SeatJoined | e.SeatUpdated | e.SeatLeft
_RoundEvent: TypeAlias = (
    e.GameStarted
    | e.RoundStarted
    | e.RoundDealt
    | e.RoundScored
    | e.RoundRevealed
    | e.GameFinished
    | e.GameAbandoned
    | e.GameSealed
)


def _between_turns(game: Game, event: _RoundEvent | _LobbyEvent) -> dict[str, Any]:
    match event:
        case e.RoundStarted():
            return {
                "phase": "deal",
                "round": event.round,
                "attempt": event.attempt,
                "turn": 0,
                "round_commit": event.round_commit,
            }
        case e.RoundDealt():
            return {
                "phase": "turn",
                "rows": event.rows,
                "hands": event.hands,
                "dealt_seq": game.seq + 1,
                "piles": ((),) * len(event.hands),
            }
        case e.RoundScored():
            return {"phase": "scored", "totals": event.total_bullheads, "piles": event.piles}
        case e.RoundRevealed():
            return {"phase": "between"}
        case e.GameFinished():
            return {"status": "finished", "phase": "seal", "standings": event.standings}
        case e.GameAbandoned():
            return {"status": "abandoned", "phase": "seal"}
        case e.GameSealed():
            return {"phase": "over"}
        case e.GameStarted():
            return {"status": "playing", "phase": "between", "totals": (0,) * len(game.seats)}
        case _:
            return _in_lobby(game, event)


def _without(hands: tuple[tuple[Card, ...], ...], plays: tuple[e.Play, ...]) -> tuple[tuple[Card, ...], ...]:
    left = list(hands)
    for seat, card in plays:
        hand = left[seat]
        at = hand.index(card)
        left[seat] = hand[:at] + hand[at + 1 :]
    return tuple(left)


def _count_timeout(game: Game, fields: dict[str, Any], seat: int, by: By) -> None:
    holder = game.seats[seat]
    if by.kind == "timeout" and holder is not None:
        fields["seats"] = _put(game.seats, seat, replace(holder, timeouts=holder.timeouts + 1))


def _in_lobby(game: Game, event: _LobbyEvent) -> dict[str, Any]:
    match event:
        case e.GameCreated():
            raise ValueError("a game is created once")
        case e.GameChanged():
            seats = (*game.seats, *(None,) * event.options.seats)[: event.options.seats]
            return {
                "options": event.options,
                "seats": tuple(seat and replace(seat, ready=seat.kind == "house") for seat in seats),
            }
        case e.SeatJoined():
            ready = event.kind == "house"
            seat = Seat(event.player, event.name, event.kind, event.level, ready, event.client_seed)
            return {"seats": _put(game.seats, event.seat, seat)}
        case e.SeatUpdated():
            holder = game.seats[event.seat]
            if holder is None:
                raise ValueError(f"nobody holds seat {event.seat}")
            changed = replace(holder, ready=event.ready, client_seed=event.client_seed)
            return {"seats": _put(game.seats, event.seat, changed)}
        case e.SeatLeft():
            return {"seats": _put(game.seats, event.seat, None), "host": event.host}
        case _:
            assert_never(event)


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def laid_in_order(game: Game) -> tuple[e.Play, ...]:
    """The laid cards in the order they will be placed: ascending, Jokers first."""
    plays = [e.Play(seat, laid.card) for seat, laid in enumerate(game.laid) if laid]
    return tuple(sorted(plays, key=_tenths))


def _tenths(play: e.Play) -> int:
    return TENTHS[play.card]
