"""A game as it stands: frozen state, and `evolve`, the one way it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

    `seq` is the number of events so far. `seats` has an entry a seat, None while it is free. Hands are ascending; `piles`
    are the captured cards of this round, `totals` the bullheads of the rounds before it. `plays` are the revealed cards
    of this turn in placing order, `queue` those not placed yet.
    """

    id: str
    options: Options
    seed_commit: str
    host: str
    created_at: Millis
    seats: tuple[Seat | None, ...]
    seq: int = 1
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
    return Game(game, event.options, event.seed_commit, event.host, at, (None,) * event.options.seats)


def evolve(game: Game, event: e.Event, at: Millis) -> Game:
    """The game after one more event; `at` is the event's moment. Knows no rules: what happened has happened."""
    return fold(game, (event,), at)


def fold(game: Game, events: Iterable[e.Event], at: Millis) -> Game:
    """The game after several events of one moment."""
    draft = _copy(game)
    _append(draft, events, at)
    return draft


def settle(
    game: Game, due: Callable[[Game], tuple[e.Event, ...]], at: Millis
) -> tuple[Game, tuple[e.Event, ...]]:
    """The game after all that is due, and the events of it; `due` is asked again until it answers with nothing."""
    draft, happened = _copy(game), list[e.Event]()
    while events := due(draft):
        _append(draft, events, at)
        happened.extend(events)
    return draft, tuple(happened)


def _copy(game: Game) -> Game:
    """A game like this one that nobody else has yet, so that it may still change: one copy a command, not one an event."""
    draft = object.__new__(Game)
    draft.__dict__.update(game.__dict__)
    return draft


def _append(draft: Game, events: Iterable[e.Event], at: Millis) -> None:
    state = draft.__dict__
    for event in events:
        state.update(_changes(draft, event, at))
        state["seq"] += 1


def _changes(game: Game, event: e.Event, at: Millis) -> dict[str, Any]:
    """The fields that an event changes, with their new values; the frequent events come first."""
    match event:
        case e.CardLaid():
            laid = _put(game.laid, event.seat, Laid(event.card, game.seq + 1, at))
            return {"laid": laid, "seats": _count_timeout(game, event.seat, event.by)}
        case e.CardPlaced():
            return _placed(game, event)
        case e.TurnOpened():
            return {
                "phase": "lay_card",
                "turn": event.turn,
                "opened_at": at,
                "deadline": event.deadline,
                "laid": (None,) * len(game.hands),
                "plays": (),
            }
        case e.TurnRevealed():
            return {
                "phase": "place",
                "hands": _without(game.hands, event.plays),
                "plays": event.plays,
                "queue": event.plays,
                "deadline": None,
            }
        case e.TurnClosed():
            return {"phase": "turn" if game.hands[0] else "score"}
        case e.RowRequested():
            request = Request(event.seat, event.card, event.why, event.rows, at, event.deadline)
            return {"phase": "choose_row", "request": request}
        case e.RowChosen():
            return {
                "chosen": Chosen(event.row, event.mode, game.seq + 1, at),
                "seats": _count_timeout(game, event.seat, event.by),
            }
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


def _placed(game: Game, event: e.CardPlaced) -> dict[str, Any]:
    row = (*game.rows[event.row], event.card) if event.position else (event.card,)
    changes: dict[str, Any] = {
        "phase": "place",
        "rows": _put(game.rows, event.row, row),
        "queue": game.queue[1:],
        "request": None,
        "chosen": None,
    }
    if event.captured:
        changes["piles"] = _put(game.piles, event.seat, game.piles[event.seat] + event.captured)
    return changes


def _without(hands: tuple[tuple[Card, ...], ...], plays: tuple[e.Play, ...]) -> tuple[tuple[Card, ...], ...]:
    left = list(hands)
    for seat, card in plays:
        hand = left[seat]
        at = hand.index(card)
        left[seat] = hand[:at] + hand[at + 1 :]
    return tuple(left)


def _count_timeout(game: Game, seat: int, by: By) -> tuple[Seat | None, ...]:
    holder = game.seats[seat]
    if by.kind != "timeout" or holder is None:
        return game.seats
    return _put(game.seats, seat, replace(holder, timeouts=holder.timeouts + 1))


LobbyEvent: TypeAlias = e.GameCreated | e.GameChanged | e.SeatJoined | e.SeatUpdated | e.SeatLeft


def _in_lobby(game: Game, event: LobbyEvent) -> dict[str, Any]:
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
    return (*values[:index], value, *values[index + 1 :])


def laid_in_order(game: Game) -> tuple[e.Play, ...]:
    """The laid cards in the order they will be placed: ascending, Jokers first."""
    ordered = sorted([(TENTHS[laid.card], seat, laid.card) for seat, laid in enumerate(game.laid) if laid])
    return tuple([e.Play(seat, card) for _, seat, card in ordered])
