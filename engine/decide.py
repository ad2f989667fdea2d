"""Commands to events: `decide` says what a command causes in a game, or refuses it and changes nothing."""

from __future__ import annotations

import re
from typing import Final, TypeAlias, assert_never

from engine import __version__, deals, policies
from engine import commands as c
from engine import events as e
from engine.cards import Card
from engine.decisions import Decision, open_decisions
from engine.errors import Refusal
from engine.game import Game, fold
from engine.options import Options
from engine.players import ActorKind, By, Seat
from engine.rows import chosen_mode
from engine.stages import Context, settle
from engine.views import view

_CLIENT_SEED: Final = re.compile(r"[0-9a-fA-F]{1,64}")

Events: TypeAlias = tuple[e.Event, ...]


def create(command: c.CreateGame, context: Context) -> e.GameCreated:
    """The first event of a game."""
    commit = deals.seed_commit(context.chance.master)
    return e.GameCreated(command.options, __version__, deals.SHUFFLE, commit, command.host, By("player"))


def decide(game: Game, command: c.Command, context: Context) -> Events:
    """The events that the command causes now; none when there is nothing (left) to do. Raises `Refusal`."""
    return act(game, command, context)[1]


def act(game: Game, command: c.Command, context: Context) -> tuple[Game, Events]:
    """The game after the command, and the events that made it so; raises `Refusal`."""
    match command:
        case c.LayCard():
            return _after(game, _lay(game, command), context)
        case c.ChooseRow():
            return _after(game, _choose(game, command), context)
        case c.PlayFor():
            return _after(game, _play_for(game, command, context), context)
        case c.Advance():
            return _advance(game, context)
        case c.Expire():
            return _expire(game, context)
        case _:
            return _in_lobby(game, command, context)


def actor(game: Game, seat: int) -> By:
    """Who answers when the holder of a seat does."""
    holder = game.seats[seat]
    return By("player" if holder is None or holder.kind == "human" else holder.kind, seat)


def _after(game: Game, events: Events, context: Context) -> tuple[Game, Events]:
    return fold(game, events, context.now), events


def _advance(game: Game, context: Context, *done: e.Event) -> tuple[Game, Events]:
    """The game after `done` and all that is due then."""
    after, events = settle(fold(game, done, context.now) if done else game, context)
    return after, done + events


def _lay(game: Game, command: c.LayCard) -> Events:
    _check_moment(game, command)
    seat, card = command.seat, command.card
    laid = game.laid[seat]
    if laid and laid.card == card:
        return ()
    if game.phase != "lay_card":
        raise Refusal("decision_closed", "The laid cards of this turn have been revealed.")
    if laid and not game.options.recommit:
        raise Refusal("already_answered", "A card laid at this table is final.")
    _check_in_hand(game, seat, card)
    return (e.CardLaid(seat, card, actor(game, seat)),)


def _check_in_hand(game: Game, seat: int, card: Card) -> None:
    hand = game.hands[seat]
    if card not in hand:
        listed = ", ".join(map(str, hand))
        detail = f"Card {card} is not in your hand: {listed}."
        raise Refusal("card_not_in_hand", detail, legal={"cards": list(hand)}, pointers=("/card",))


def _choose(game: Game, command: c.ChooseRow) -> Events:
    _check_moment(game, command)
    request = game.request
    if request is None or request.seat != command.seat:
        raise Refusal("no_row_choice")
    mode = chosen_mode(game.rows, request.card, game.rules.row_limit, command.row, command.mode)
    if game.chosen:
        if (game.chosen.row, game.chosen.mode) == (command.row, mode):
            return ()
        raise Refusal("already_answered", "A row choice is final.")
    return (e.RowChosen(command.seat, command.row, mode, actor(game, command.seat)),)


def _play_for(game: Game, command: c.PlayFor, context: Context) -> Events:
    _check_moment(game, command)
    return tuple(
        _automatic(game, decision, "policy", context)
        for decision in open_decisions(game)
        if decision.seat == command.seat
    )


def _check_moment(game: Game, command: c.LayCard | c.ChooseRow | c.PlayFor) -> None:
    """Refuse an answer to another turn than the one that is played."""
    if not 0 <= command.seat < len(game.seats):
        raise Refusal("seat_out_of_range")
    asked, now = (command.round, command.attempt, command.turn), (game.round, game.attempt, game.turn)
    if asked < now or (asked == now and game.status not in ("lobby", "playing")):
        raise Refusal("decision_closed")
    if game.status != "playing":
        raise Refusal("game_not_playing")
    if asked > now:
        raise Refusal("decision_not_open")


def _expire(game: Game, context: Context) -> tuple[Game, Events]:
    """The answers of the table's policy for every decision whose deadline has passed, then what follows from them."""
    answers = [
        _automatic(game, decision, "timeout", context)
        for decision in open_decisions(game)
        if decision.deadline is not None and decision.deadline <= context.now
    ]
    return _advance(game, context, *answers) if answers else (game, ())


def _automatic(game: Game, decision: Decision, kind: ActorKind, context: Context) -> e.Event:
    """The answer of the table's policy to a decision; `kind` says in the log why it is not the seat's own."""
    seat, by = decision.seat, By(kind, decision.seat)
    seen = view(game, seat, "")
    if decision.key.kind == "row":
        return e.RowChosen(seat, policies.cheapest_row(seen), "take", by)
    seed = deals.bot_seed(context.chance.round_seed(game.round, game.attempt), seat, game.turn)
    return e.CardLaid(seat, policies.CARD_POLICIES[game.options.on_timeout](seen, seed), by)


def _in_lobby(game: Game, command: c.LobbyCommand, context: Context) -> tuple[Game, Events]:
    if game.status != "lobby":
        raise Refusal("game_started" if game.status == "playing" else "game_over")
    match command:
        case c.ChangeOptions():
            _check_host(game, command.player)
            return _after(game, _change_options(game, command.options), context)
        case c.JoinSeat():
            return _after(game, _join(game, command), context)
        case c.ChangeSeat():
            return _change_seat(game, command, context)
        case c.LeaveSeat():
            return _after(game, _leave(game, command.player), context)
        case c.SeatBot():
            _check_host(game, command.player)
            return _seated(game, _seat_bot(game, command), context)
        case c.RemoveBot():
            _check_host(game, command.player)
            return _after(game, _remove_bot(game, command.seat), context)
        case c.CloseLobby():
            _check_host(game, command.player)
            return _advance(game, context, e.GameAbandoned("host_closed", By("host")))
        case c.StartGame():
            _check_host(game, command.player)
            return _advance(game, context, _started(game, By("host")))
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
        raise Refusal("seat_taken", f"Seat {seat} is taken; free are: {free}.", pointers=("/seat",))


def _change_options(game: Game, options: Options) -> Events:
    if options == game.options:
        return ()
    if any(holder for holder in game.seats[options.seats :]):
        raise Refusal("bad_options", "A seat that would go is taken; free it first.", pointers=("/seats",))
    return (e.GameChanged(options, By("host")),)


def _join(game: Game, command: c.JoinSeat) -> Events:
    held = game.seat_of(command.player)
    if held is not None:
        raise Refusal("already_seated", f"You hold seat {held} already.")
    if not command.accept_bots and any(holder.kind != "human" for holder in game.taken):
        raise Refusal("bots_not_accepted", pointers=("/accept_bots",))
    _check_client_seed(command.client_seed)
    seat = command.seat
    if seat is None:
        if None not in game.seats:
            raise Refusal("game_full")
        seat = game.seats.index(None)
    _check_free(game, seat)
    kind = By("player" if command.kind == "human" else command.kind, seat)
    return (e.SeatJoined(seat, command.player, command.name, command.kind, None, command.client_seed, kind),)


def _check_client_seed(client_seed: str) -> None:
    if client_seed and not _CLIENT_SEED.fullmatch(client_seed):
        raise Refusal("client_seed_invalid", pointers=("/client_seed",))


def _change_seat(game: Game, command: c.ChangeSeat, context: Context) -> tuple[Game, Events]:
    """The seat's word; and the start, when it was the last that the table waited for."""
    seat, holder = _own_seat(game, command.player)
    ready = holder.ready if command.ready is None else command.ready
    client_seed = holder.client_seed if command.client_seed is None else command.client_seed
    _check_client_seed(client_seed)
    if (ready, client_seed) == (holder.ready, holder.client_seed):
        return game, ()
    return _seated(game, e.SeatUpdated(seat, ready, client_seed, actor(game, seat)), context)


def _seated(game: Game, event: e.SeatUpdated | e.SeatJoined, context: Context) -> tuple[Game, Events]:
    """The game after a seat's event; and started, when that was the last thing that the players waited for.

    A table where only bots sit waits for its host: nobody there has said to be ready.
    """
    after = fold(game, (event,), context.now)
    taken = after.taken
    if (
        None in after.seats
        or not all(holder.ready for holder in taken)
        or all(holder.kind == "house" for holder in taken)
    ):
        return after, (event,)
    return _advance(game, context, event, _started(after, event.by))


def _leave(game: Game, player: str) -> Events:
    seat, _ = _own_seat(game, player)
    others = [holder.player for holder in game.taken if holder.player and holder.player != player]
    host = others[0] if player == game.host and others else game.host
    return (e.SeatLeft(seat, host, actor(game, seat)),)


def _seat_bot(game: Game, command: c.SeatBot) -> e.SeatJoined:
    if command.level not in policies.HOUSE_LEVELS:
        detail = f"There is no house bot {command.level!r}; there are: {', '.join(policies.HOUSE_LEVELS)}."
        raise Refusal("bot_level_unknown", detail, pointers=("/house",))
    _check_free(game, command.seat)
    name = f"house {command.level} {command.seat}"
    return e.SeatJoined(command.seat, None, name, "house", command.level, "", By("host"))


def _remove_bot(game: Game, seat: int) -> Events:
    if not 0 <= seat < len(game.seats):
        raise Refusal("seat_out_of_range")
    holder = game.seats[seat]
    if holder is None:
        return ()
    if holder.kind != "house":
        raise Refusal("seat_taken", "A player holds that seat; only they may leave it.")
    return (e.SeatLeft(seat, game.host, By("host")),)


def _started(game: Game, by: By) -> e.GameStarted:
    free = [number for number, holder in enumerate(game.seats) if holder is None]
    if free:
        raise Refusal("not_enough_players", f"Seats {free} are free; fill them or ask for fewer seats.")
    taken = game.taken
    return e.GameStarted(
        tuple([seat.player for seat in taken]), tuple([seat.client_seed for seat in taken]), by
    )
