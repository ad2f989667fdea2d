"""What belongs before the start: options, seats, readiness, house bots, and the start itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, assert_never

from engine import commands as c, events as e, policies
from engine.chance import Context
from engine.errors import Refusal
from engine.evolve import fold
from engine.game import Game
from engine.options import Options
from engine.players import By, Seat
from engine.resolve import changed

_CIRCLES: Final = ("private", "unlisted", "listed")
"""Whom a game is shown to, the fewest first."""

_CLIENT_SEED: Final = re.compile(r"[0-9a-fA-F]{1,64}")


def decide_lobby(game: Game, command: c.LobbyCommand, context: Context) -> tuple[e.Event, ...]:
    """The events of a command in the lobby; what follows from a start is due then. Raises `Refusal`."""
    if game.status != "lobby":
        raise Refusal("game_started" if game.is_running else "game_over")
    match command:
        case c.JoinSeat():
            return _join(game, command, context)
        case c.ChangeSeat():
            return _change_seat(game, command, context)
        case c.LeaveSeat():
            return _leave(game, command.player)
        case _:
            _check_host(game, command.player)
            return _by_host(game, command, context)


def _by_host(
    game: Game,
    command: c.ChangeOptions | c.SeatBot | c.InviteBot | c.RemoveBot | c.CloseLobby | c.StartGame,
    context: Context,
) -> tuple[e.Event, ...]:
    match command:
        case c.ChangeOptions():
            return _change_options(game, changed(game.options, command.wanted))
        case c.SeatBot():
            return _seated(game, _seat_bot(game, command, context), context)
        case c.InviteBot():
            return _seated(game, _invite_bot(game, command, context), context)
        case c.RemoveBot():
            return _remove_bot(game, command.seat)
        case c.CloseLobby():
            return (e.GameAbandoned("host_closed", By("host")),)
        case c.StartGame():
            return (_started(game, By("host")),)
        case _:
            assert_never(command)


def _check_host(game: Game, player: str) -> None:
    if player != game.host:
        raise Refusal("not_host")


def _own_seat(game: Game, player: str) -> tuple[int, Seat]:
    for number, holder in enumerate(game.seats):
        if holder is not None and holder.player == player:
            return number, holder
    raise Refusal("not_seated")


def _check_free(game: Game, seat: int) -> None:
    if not 0 <= seat < len(game.seats):
        detail = f"Seats are numbered 0 to {len(game.seats) - 1}."
        raise Refusal("seat_out_of_range", detail, pointers=("/seat",))
    if game.seats[seat] is not None:
        free = [number for number, holder in enumerate(game.seats) if holder is None]
        others = f"free: {_numbered(free)}" if free else "no other is free"
        raise Refusal("seat_taken", f"Seat {seat} is taken; {others}.", pointers=("/seat",))


def _change_options(game: Game, options: Options) -> tuple[e.Event, ...]:
    if options == game.options:
        return ()
    if game.rematch_of is not None:
        _check_no_wider(game.options, options)
    if any(holder for holder in game.seats[options.seats :]):
        raise Refusal("bad_options", "A seat that would go is taken; free it first.", pointers=("/seats",))
    return (e.GameChanged(options, By("host")),)


def _check_no_wider(agreed: Options, options: Options) -> None:
    """Refuse to show a rematch to more people: it names the game before it, and who played there."""
    if _CIRCLES.index(options.visibility) > _CIRCLES.index(agreed.visibility):
        detail = f"This is the rematch of a game that was {agreed.visibility}, and names its players."
        raise Refusal("bad_options", detail, pointers=("/visibility",))
    if options.spectators and not agreed.spectators:
        detail = "This is the rematch of a game without spectators, and names its players."
        raise Refusal("bad_options", detail, pointers=("/spectators",))


def _join(game: Game, command: c.JoinSeat, context: Context) -> tuple[e.Event, ...]:
    held = game.seat_of(command.player)
    if held is not None:
        raise Refusal("already_seated", f"You hold seat {held} already.")
    if not command.accept_bots and any(holder.kind != "human" for holder in game.taken):
        detail = 'Bots sit at this table: send "accept_bots": true to play with them.'
        raise Refusal("bots_not_accepted", detail, pointers=("/accept_bots",))
    if command.kind != "human":
        _check_consent(game)
    _check_client_seed(command.client_seed)
    seat = _seat_for(game, command, context)
    _check_free(game, seat)
    _check_not_kept(game, seat, command.player, context)
    kind = By("player" if command.kind == "human" else command.kind, seat)
    owner = None if command.kind == "human" else command.owner
    return (
        e.SeatJoined(
            seat,
            command.player,
            command.name,
            command.kind,
            None,
            command.client_seed,
            kind,
            owner,
            command.accept_bots,
        ),
    )


def _check_consent(game: Game, but: str | None = None) -> None:
    """Refuse a bot where somebody sits who has not agreed to bots, but for the player who brings it."""
    against = [
        number
        for number, holder in enumerate(game.seats)
        if holder and not holder.accepts_bots and holder.player != but
    ]
    if against:
        detail = f'Who sits here has not said "accept_bots": true: {_numbered(against)}.'
        raise Refusal("bots_not_accepted", detail)


def _numbered(seats: Sequence[int]) -> str:
    return f"{'seat' if len(seats) == 1 else 'seats'} {', '.join(map(str, seats))}"


def _seat_for(game: Game, command: c.JoinSeat, context: Context) -> int:
    """The seat that is asked for; else the one that is kept for the player, else the first that is free for it."""
    if command.seat is not None:
        return command.seat
    free = [seat for seat, holder in enumerate(game.seats) if holder is None]
    mine = [seat for seat in free if _keeper(game, seat) == command.player]
    others = [seat for seat in free if not _is_kept(game, seat, command.player, context)]
    if not mine and not others:
        raise _kept(game, context) if free else Refusal("game_full")
    return (mine or others)[0]


def _is_kept(game: Game, seat: int, player: str, context: Context) -> bool:
    """Whether a seat of a rematch is still kept for somebody else."""
    if game.kept_until is None or context.now >= game.kept_until:
        return False
    return _keeper(game, seat) not in (None, player)


def _keeper(game: Game, seat: int) -> str | None:
    """For whom a seat of a rematch is kept, if for anybody; the table may have grown since."""
    return game.kept[seat] if seat < len(game.kept) else None


def _check_not_kept(game: Game, seat: int, player: str, context: Context) -> None:
    if _is_kept(game, seat, player, context):
        raise _kept(game, context)


def _kept(game: Game, context: Context) -> Refusal:
    wait = None if game.kept_until is None else game.kept_until - context.now
    return Refusal("seat_kept", pointers=("/seat",), retry_after_ms=wait)


def _check_client_seed(client_seed: str) -> None:
    if client_seed and not _CLIENT_SEED.fullmatch(client_seed):
        raise Refusal("client_seed_invalid", pointers=("/client_seed",))


def _change_seat(game: Game, command: c.ChangeSeat, context: Context) -> tuple[e.Event, ...]:
    """The seat's word; and the start, when it was the last that the table waited for."""
    seat, holder = _own_seat(game, command.player)
    ready = holder.ready if command.ready is None else command.ready
    client_seed = holder.client_seed if command.client_seed is None else command.client_seed
    _check_client_seed(client_seed)
    accepts_bots = holder.accepts_bots if command.accept_bots is None else command.accept_bots
    if (ready, client_seed, accepts_bots) == (holder.ready, holder.client_seed, holder.accepts_bots):
        return ()
    if not accepts_bots and any(other.kind != "human" for other in game.taken):
        detail = 'Bots sit at this table already; "accept_bots" can be taken back when they are gone.'
        raise Refusal("bots_not_accepted", detail, pointers=("/accept_bots",))
    return _seated(game, e.SeatUpdated(seat, ready, client_seed, game.actor(seat), accepts_bots), context)


def _seated(game: Game, event: e.SeatUpdated | e.SeatJoined, context: Context) -> tuple[e.Event, ...]:
    """A seat's event; and the start, when that was the last thing that the players waited for.

    A table where only bots sit waits for its host: nobody there has said to be ready.
    """
    after = fold(game, (event,), context.now)
    taken = after.taken
    if (
        None in after.seats
        or not all(holder.ready for holder in taken)
        or all(holder.kind == "house" for holder in taken)
    ):
        return (event,)
    return event, _started(after, event.by)


def _leave(game: Game, player: str) -> tuple[e.Event, ...]:
    seat, _ = _own_seat(game, player)
    others = [holder.player for holder in game.taken if holder.player and holder.player != player]
    host = others[0] if player == game.host and others else game.host
    return (e.SeatLeft(seat, host, game.actor(seat)),)


def _seat_bot(game: Game, command: c.SeatBot, context: Context) -> e.SeatJoined:
    if command.level not in policies.HOUSE_LEVELS:
        detail = f"There is no house bot {command.level!r}; there are: {', '.join(policies.HOUSE_LEVELS)}."
        raise Refusal("bot_level_unknown", detail, pointers=("/house",))
    _check_free(game, command.seat)
    _check_not_kept(game, command.seat, "", context)
    _check_consent(game, but=command.player)
    name = f"house {command.level} {command.seat}"
    return e.SeatJoined(command.seat, None, name, "house", command.level, "", By("host"))


def _invite_bot(game: Game, command: c.InviteBot, context: Context) -> e.SeatJoined:
    held = game.seat_of(command.bot)
    if held is not None:
        raise Refusal("already_seated", f"It holds seat {held} already.", pointers=("/player",))
    _check_free(game, command.seat)
    _check_not_kept(game, command.seat, command.bot, context)
    _check_consent(game, but=command.player)
    return e.SeatJoined(command.seat, command.bot, command.name, "bot", None, "", By("host"), command.owner)


def _remove_bot(game: Game, seat: int) -> tuple[e.Event, ...]:
    if not 0 <= seat < len(game.seats):
        raise Refusal("seat_out_of_range")
    holder = game.seats[seat]
    if holder is None:
        return ()
    if holder.kind == "human":
        raise Refusal("seat_taken", "A person holds that seat; only they may leave it.")
    return (e.SeatLeft(seat, game.host, By("host")),)


def _started(game: Game, by: By) -> e.GameStarted:
    free = [number for number, holder in enumerate(game.seats) if holder is None]
    if free:
        detail = f"Still free: {_numbered(free)}; fill them, or ask for fewer seats."
        raise Refusal("not_enough_players", detail)
    taken = game.taken
    return e.GameStarted(
        tuple([seat.player for seat in taken]), tuple([seat.client_seed for seat in taken]), by
    )
