"""What the events of a table and its seats change in a game: the lobby, absences, votes, the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias, assert_never

from engine import events as e
from engine.game import Cast, Game, Vote
from engine.players import Seat
from engine.times import Millis

TableEvent: TypeAlias = (
    e.GameCreated
    | e.GameChanged
    | e.SeatJoined
    | e.SeatUpdated
    | e.SeatLeft
    | e.GameStarted
    | e.SeatAway
    | e.SeatReturned
    | e.SeatResigned
    | e.SeatReplaced
    | e.VoteOpened
    | e.VoteCast
    | e.VoteClosed
    | e.GamePaused
    | e.GameResumed
    | e.GameFinished
    | e.GameAbandoned
    | e.GameSealed
)


def at_table(game: Game, event: TableEvent, at: Millis) -> dict[str, Any]:
    """The fields of the game that the event changes, with their new values."""
    match event:
        case e.GameStarted():
            return {
                "status": "playing",
                "phase": "between",
                "totals": (0,) * len(game.seats),
                "seats": _with_banks(game),
            }
        case e.GameFinished():
            return {"status": "finished", "phase": "seal", "standings": event.standings}
        case e.GameAbandoned():
            over = {"status": "abandoned", "phase": "seal", "deadline": None, "request": None, "pool": ()}
            return over | {"paused_until": None}
        case e.GameSealed():
            return {"phase": "over"}
        case e.GamePaused():
            return {"status": "paused", "paused_at": at, "paused_until": event.until}
        case e.GameResumed():
            return _resumed(game, at)
        case e.VoteOpened() | e.VoteCast() | e.VoteClosed():
            return _voting(game, event, at)
        case e.SeatAway() | e.SeatReturned() | e.SeatResigned() | e.SeatReplaced():
            return _absent(game, event)
        case _:
            return _in_lobby(game, event)


def _with_banks(game: Game) -> tuple[Seat | None, ...]:
    """The seats with their time banks full; a house bot needs none."""
    bank_ms = game.options.pace.bank_ms
    if not bank_ms:
        return game.seats
    return tuple(
        [seat and replace(seat, bank_ms=0 if seat.kind == "house" else bank_ms) for seat in game.seats]
    )


def _resumed(game: Game, at: Millis) -> dict[str, Any]:
    """Every deadline moves by as long as the game was paused, and so does the moment from which it waits for somebody."""
    paused_ms = at - game.paused_at

    def moved(moment: Millis | None) -> Millis | None:
        return None if moment is None else Millis(moment + paused_ms)

    request = game.request
    if request:
        request = replace(
            request, opened_at=Millis(request.opened_at + paused_ms), deadline=moved(request.deadline)
        )
    return {
        "status": "playing",
        "paused_until": None,
        "opened_at": Millis(game.opened_at + paused_ms),
        "deadline": moved(game.deadline),
        "request": request,
    }


def _voting(game: Game, event: e.VoteOpened | e.VoteCast | e.VoteClosed, at: Millis) -> dict[str, Any]:
    match event:
        case e.VoteOpened():
            ballots: tuple[Cast | None, ...] = (None,) * len(game.seats)
            place = game.round, game.attempt
            vote = Vote(event.vote, event.kind, event.seat, event.target, *place, at, event.deadline, ballots)
            return {"vote": vote, "votes": event.vote}
        case e.VoteClosed():
            return {"vote": None, "next_vote_at": event.next_vote_at}
        case e.VoteCast():
            if game.vote is None:
                raise ValueError("no vote is open")
            ballots = put(game.vote.ballots, event.seat, Cast(event.choice, game.seq + 1, at))
            return {"vote": replace(game.vote, ballots=ballots)}
        case _:
            assert_never(event)


def _absent(
    game: Game, event: e.SeatAway | e.SeatReturned | e.SeatResigned | e.SeatReplaced
) -> dict[str, Any]:
    holder = holder_of(game, event.seat)
    overdue = tuple([seat for seat in game.overdue if seat != event.seat])
    if isinstance(event, e.SeatAway):
        changed = replace(holder, away=True)
    elif isinstance(event, e.SeatReturned):
        changed = replace(holder, away=False, late=0)
    else:
        changed = replace(holder, away=False, late=0, level=event.level, bank_ms=0)
    return {"seats": put(game.seats, event.seat, changed), "overdue": overdue}


def _in_lobby(
    game: Game, event: e.GameCreated | e.GameChanged | e.SeatJoined | e.SeatUpdated | e.SeatLeft
) -> dict[str, Any]:
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
            return {"seats": _joined(game, event)}
        case e.SeatUpdated(seat, ready, client_seed):
            holder = holder_of(game, seat)
            changed = replace(holder, ready=ready, client_seed=client_seed, accepts_bots=event.accepts_bots)
            return {"seats": put(game.seats, seat, changed)}
        case e.SeatLeft():
            return {"seats": put(game.seats, event.seat, None), "host": event.host}
        case _:
            assert_never(event)


def _joined(game: Game, event: e.SeatJoined) -> tuple[Seat | None, ...]:
    """The seats with one more holder; whom the host seats is ready, and the host has agreed to bots with that."""
    is_by_host = event.by.kind == "host"
    joined = Seat(
        event.player,
        event.name,
        event.kind,
        event.level,
        is_by_host,
        event.client_seed,
        owner=event.owner,
        accepts_bots=event.accepts_bots,
    )
    seats = [
        replace(seat, accepts_bots=True) if seat and is_by_host and seat.player == game.host else seat
        for seat in game.seats
    ]
    return put(tuple(seats), event.seat, joined)


def holder_of(game: Game, seat: int) -> Seat:
    """Who holds a seat; raises ValueError when nobody does."""
    holder = game.seats[seat]
    if holder is None:
        raise ValueError(f"nobody holds seat {seat}")
    return holder


def put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The values with another one at a place."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)
