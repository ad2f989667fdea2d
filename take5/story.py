"""What a game looked like after each event, from the events alone: what `replay` and `play` show.

Only public data and opened parts are read, so a log that is still sealed in places is shown as far as it is open. Nothing
is checked here: `take5 verify` is for that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from engine.cards import Card, bullheads, is_card
from engine.rulesets import RULESETS

Cards: TypeAlias = tuple[Card, ...]
Envelope: TypeAlias = dict[str, Any]

MOST_SEATS: Final = max(rules.max_seats for rules in RULESETS.values())
"""How many seats the largest table has."""

_LONGEST: Final = 32
_LATE: Final = frozenset({"timeout", "away"})
"""Who acts when the service answers for a player who is not there."""


class Unreadable(Exception):
    """The lines are not those of a game's events; the text says which line and why."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table after an event, seats and rows counted from 0.

    `names` and `hands` have an entry a seat; None is a free seat, or a hand that is not open. `gained` are the bullheads
    of this round, `totals` those of the rounds before it.
    """

    event: Envelope
    options: dict[str, Any]
    names: tuple[str | None, ...]
    rows: tuple[Cards, ...] = ()
    hands: tuple[Cards | None, ...] = ()
    plays: tuple[tuple[int, Card], ...] = ()
    gained: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    late: frozenset[int] = frozenset()
    """The seats that the service had to play for in this turn."""

    @property
    def kind(self) -> str:
        """The type of the event."""
        return str(self.event["type"])

    @property
    def seq(self) -> int:
        """The number of the event."""
        return int(self.event["seq"])

    @property
    def turn(self) -> tuple[int, int]:
        """Round and turn."""
        return self.event["round"], self.event["turn"]

    @property
    def is_over(self) -> bool:
        """Whether no event follows."""
        return self.kind == "game.sealed"

    def name(self, seat: int) -> str:
        """What a seat's holder is called, fit for a terminal."""
        return self.names[seat] or f"seat {seat}"


def follow(scene: Scene | None, event: Envelope) -> Scene:
    """The scene after one more event; None before the first. Raises Unreadable for one that cannot be understood."""
    try:
        return _next(scene, _safe(event))
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise Unreadable(f"event {event.get('seq')} cannot be understood ({error!r})") from None


def _next(scene: Scene | None, event: Envelope) -> Scene:
    data = event["data"]
    if scene is None:
        if event["type"] != "game.created":
            raise Unreadable("the first event of a game is game.created; this is not the beginning")
        return Scene(event, data["options"], (None,) * _seats(data["options"]))
    scene = replace(scene, event=event)
    match event["type"]:
        case "game.changed":
            options = data["options"]
            names = (*scene.names, *[None] * _seats(options))[: _seats(options)]
            return replace(scene, options=options, names=names)
        case "seat.joined":
            return replace(scene, names=_with(scene.names, data["seat"], printable(data["name"])))
        case "seat.left":
            return replace(scene, names=_with(scene.names, data["seat"], None))
        case "game.started":
            return replace(scene, totals=(0,) * len(scene.names))
        case "round.dealt":
            return replace(
                scene,
                rows=_rows(data["rows"]),
                hands=tuple(_opened(event, f"s{seat}") for seat in range(len(scene.names))),
                gained=(0,) * len(scene.names),
                plays=(),
            )
        case "turn.opened":
            return replace(scene, plays=(), late=frozenset())
        case "card.laid" | "row.chosen" if event["by"]["kind"] in _LATE:
            return replace(scene, late=scene.late | {data["seat"]})
        case "turn.revealed":
            plays = tuple((_seat(scene, play["seat"]), _card(play["card"])) for play in data["plays"])
            return replace(scene, plays=plays, hands=_without(scene.hands, plays))
        case "card.placed":
            row = (*scene.rows[data["row"]][: data["position"]], _card(data["card"]))
            seat, captured = _seat(scene, data["seat"]), _cards(data["captured"])
            gained = scene.gained[seat] + bullheads(captured)
            return replace(
                scene, rows=_with(scene.rows, data["row"], row), gained=_with(scene.gained, seat, gained)
            )
        case "turn.closed":
            return replace(scene, rows=_rows(data["rows"]))
        case "round.scored":
            return replace(scene, totals=tuple(data["total_bullheads"]))
        case _:
            return scene


def printable(text: str, most: int = _LONGEST) -> str:
    """Text of somebody else's as it may stand in a terminal: one line, no control characters, cut at `most`."""
    safe = "".join(character if character.isprintable() else "?" for character in text)
    return safe if len(safe) <= most else safe[: most - 1] + "…"


def _safe(value: Any) -> Any:
    """The same JSON value, with nothing in it that a terminal would obey."""
    match value:
        case str():
            return printable(value, len(value))
        case {}:
            return {_safe(name): _safe(item) for name, item in value.items()}
        case [*items]:
            return [_safe(item) for item in items]
        case _:
            return value


def _seats(options: dict[str, Any]) -> int:
    seats = options["seats"]
    if type(seats) is not int or not 1 <= seats <= MOST_SEATS:
        raise ValueError(f"no table has {seats!r} seats")
    return seats


def _with(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _seat(scene: Scene, seat: Any) -> int:
    if seat not in range(len(scene.names)):
        raise ValueError(f"no such seat: {seat!r}")
    return int(seat)


def _card(card: Any) -> Card:
    if not is_card(card):
        raise ValueError(f"no such card: {card!r}")
    return card  # type: ignore[no-any-return]  # is_card has just told


def _cards(cards: list[Any]) -> Cards:
    return tuple(_card(card) for card in cards)


def _rows(rows: list[list[Any]]) -> tuple[Cards, ...]:
    return tuple(_cards(row) for row in rows)


def _opened(event: Envelope, part: str) -> Cards | None:
    opening = event.get("open", {}).get(part)
    return None if opening is None else _cards(opening["data"]["hand"])


def _without(
    hands: tuple[Cards | None, ...], plays: tuple[tuple[int, Card], ...]
) -> tuple[Cards | None, ...]:
    """The hands without the cards that were laid."""
    laid = dict(plays)
    return tuple(
        hand and tuple(card for card in hand if card != laid.get(seat)) for seat, hand in enumerate(hands)
    )
