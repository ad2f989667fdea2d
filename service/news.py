"""What a player is told, over all the games at once: their events, and the player's decisions as they open and close.

All of it follows from the logs alone: the same cursor is always followed by the same messages, so whoever comes back with
one misses nothing and hears nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from engine.decisions import Decision, open_decisions
from engine.log import Live, redact
from service.active import active_tables
from service.cursors import GAMES_MOST, START, Cursor, Place, write_cursor
from service.followed import Step
from service.http.streaming import Batch, Message
from service.services import current
from service.shown import decision_document, shown_decisions, shown_game
from service.store.games import NoSuchGame
from service.store.players import Player
from service.tables import Table, table_for
from service.told import end_data

GetLive = Callable[[str, str], Live]
"""How a game is read for a player: as new as it is, or as new as it was heard of; raises NoSuchGame and Unavailable."""


@dataclass(frozen=True, slots=True)
class _Told:
    """One thing to tell of a game, and where its reader stands after it; `is_last` when nothing follows on it."""

    event: str
    data: Any
    place: Place
    is_last: bool = False


def snapshot(player: Player) -> Batch[Cursor | None]:
    """Return the player's games and what they wait for from the player, as they are now, in one message."""
    entered = current().players.entered(player.id)
    tables = list(active_tables(player))[:GAMES_MOST]
    decisions = sorted(decision for table in tables for decision in shown_decisions(table))
    data = b'{"games":[%b],"decisions":[%b]}' % (
        b",".join(shown_game(table).body for table in tables),
        b",".join(written for _, written in decisions),
    )
    places = {table.live.game.id: (table.live.game.seq + 1, 0) for table in tables}
    cursor = Cursor(entered[-1][0] if entered else 0, places)
    return Batch([Message(write_cursor(cursor), "snapshot", data)], cursor, _watched(player, places))


def news(player: Player, cursor: Cursor, live: GetLive, most: int) -> Batch[Cursor | None]:
    """Return at most so many messages that follow on the cursor, in all games that the player follows or has entered."""
    numbers = {game: number for number, game in current().players.entered(player.id)}
    fresh = [
        game for game, number in numbers.items() if number > cursor.entered and game not in cursor.places
    ]
    tables = {game: _table(game, player, live) for game in (*cursor.places, *fresh)}
    places, awaited = _entered(cursor, fresh, tables)
    last = max([cursor.entered, *numbers.values()])
    reached = min([numbers[game] - 1 for game in awaited], default=last)
    told: list[Message] = []
    for game, place in list(places.items()):
        table = tables[game]
        if table is not None and _is_told(table, place) and numbers.get(game, 0) <= reached:
            del places[game]
            continue
        for one in _of_game(table, game, player, place):
            if len(told) == most:
                return Batch(told, Cursor(reached, places), frozenset(), has_more=True)
            places[game] = one.place
            if one.is_last and numbers.get(game, 0) <= reached:
                del places[game]
            told.append(_message(one, Cursor(reached, places)))
    return Batch(told, Cursor(reached, places), _watched(player, places, awaited))


def _table(game: str, player: Player, live: GetLive) -> Table | None:
    """Return a game as the player finds it; None when there is none, or none that the player may see."""
    try:
        table = table_for(live(game, player.id), player)
    except NoSuchGame:
        return None
    return table if table.is_seen else None


def _entered(
    cursor: Cursor, fresh: list[str], tables: Mapping[str, Table | None]
) -> tuple[dict[str, Place], set[str]]:
    """Return the places, those in games that were entered since among them, and the games for which it is too early.

    That is while their player is about to sit down, and while others take all the room there is.
    """
    places, awaited = dict(cursor.places), set[str]()
    for game in fresh:
        table = tables[game]
        if table is None or (table.seat is None and not table.was_seated) or len(places) >= GAMES_MOST:
            awaited.add(game)
        elif table.seat is not None:
            places[game] = START
    return places, awaited


def _is_told(table: Table, place: Place) -> bool:
    """Return whether a game is over and was told to its end."""
    return table.live.game.phase == "over" and place[0] > table.live.game.seq


def _of_game(table: Table | None, game: str, player: Player, place: Place) -> Iterator[_Told]:
    """Yield what there is to tell of a game from a place on."""
    if table is None:
        yield _Told("left", {"game": game}, place, is_last=True)
        return
    live, followed = table.live, current().followed
    begin, told = place
    readable = {envelope["seq"]: envelope for envelope in redact(followed.since(live, begin - 1), table.seat)}
    for step in followed.steps(live, begin - 1):
        for envelope in step.envelopes:
            seq = envelope["seq"]
            if seq < begin:
                continue
            about = [(envelope["type"], readable[seq])]
            if envelope is step.envelopes[-1]:
                about += _decisions(step, player)
                if step.after.game.phase == "over":
                    about.append(("end", end_data(step.after.game)))
            for number, (event, data) in enumerate(about, start=1):
                if seq > begin or number > told:
                    after = (seq + 1, 0) if number == len(about) else (seq, number)
                    yield _Told(event, data, after, is_last=event == "end")
    if table.seat is None and not live.game.is_over:
        yield _Told("left", {"game": game}, (live.game.seq + 1, 0), is_last=True)


def _decisions(step: Step, player: Player) -> Iterator[tuple[str, Any]]:
    """Yield which decisions of the player one command has closed, and which it has opened."""
    before, after = _owed(step.before, player), _owed(step.after, player)
    for (
        key
    ) in before:  # in their own order, which is the same in every process: a cursor counts these messages
        if key not in after:
            yield "decision.closed", {"game": step.after.game.id, "key": key}
    for key, decision in after.items():
        if key not in before:
            yield "decision.opened", decision_document(step.after, decision)


def _owed(live: Live | None, player: Player) -> dict[str, Decision]:
    seat = live.game.seat_of(player.id) if live else None
    if live is None or seat is None:
        return {}
    return {str(one.key): one for one in open_decisions(live.game) if one.seat == seat}


def _message(one: _Told, cursor: Cursor) -> Message:
    return Message(write_cursor(cursor), one.event, orjson.dumps(one.data, option=orjson.OPT_SORT_KEYS))


def _watched(player: Player, *games: Iterable[str]) -> frozenset[str]:
    return frozenset({player.id, *(game for some in games for game in some)})
