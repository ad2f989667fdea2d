"""What a game looked like after each event, from the events alone: what `replay` and `play` show.

Only public data and opened parts are read, so a log that is still sealed in places is shown as far as it is open. Nothing
is checked here: `take5 verify` is for that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

from engine.cards import Card, bullheads, in_order
from engine.rulesets import RULESETS
from take5.values import Cards, badged, card_of, cards_of, harmless, rows_of, seats_of

Envelope: TypeAlias = dict[str, Any]

SERVED: Final = {"timeout": "late", "away": "away"}
"""What is said of a seat for which the service answered, by who is named in the log."""

_ROW_LIMIT: Final = RULESETS["classic"].row_limit


class Unreadable(Exception):
    """The lines are not those of a game's events; the text says which line and why."""


class Place(NamedTuple):
    """Where in a game something happened: the round and its attempt, the turn, and in a draft the picks so far."""

    round: int
    attempt: int
    turn: int
    picks: int


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
    served: tuple[str, ...] = ()
    """Per seat: "late" or "away" when the service answered for it in this turn or pick, else empty."""
    attempt: int = 0
    table: str = "hidden"
    pool: Cards = ()
    """The cards that can still be drafted."""
    order: tuple[int, ...] = ()
    """While there is a draft: the seats in the order of their picks."""
    called: int | None = None
    laid: tuple[tuple[int, Card], ...] = ()
    """At an open table: the cards of this turn as they were laid, until they are placed."""
    ahead: frozenset[int] = frozenset()
    """The seats that chose a row in advance, should their card of this turn be too low."""
    vote: dict[str, Any] | None = None
    """What the newest vote is about, until the event after its close."""
    is_paused: bool = False

    @property
    def kind(self) -> str:
        """The type of the event."""
        return str(self.event["type"])

    @property
    def data(self) -> dict[str, Any]:
        """The public data of the event."""
        data: dict[str, Any] = self.event["data"]
        return data

    @property
    def seq(self) -> int:
        """The number of the event."""
        return int(self.event["seq"])

    @property
    def place(self) -> Place:
        """Where in the game the event stands."""
        picks = sum(len(hand or ()) for hand in self.hands) if self.order else 0
        return Place(self.event["round"], self.attempt, self.event["turn"], picks)

    @property
    def row_limit(self) -> int:
        """How many cards a row of this game holds."""
        rules = RULESETS.get(str(self.options.get("ruleset")))
        return rules.row_limit if rules else _ROW_LIMIT

    @property
    def is_open(self) -> bool:
        """Whether the cards of this round lie open: it is for learning, and nothing of it counts."""
        return self.table == "open"

    @property
    def is_voting(self) -> bool:
        """Whether a vote is open."""
        return self.vote is not None and self.kind != "vote.closed"

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
        return _next(scene, harmless(event))
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise Unreadable(f"event {event.get('seq')} cannot be understood ({error!r})") from None


def _next(scene: Scene | None, event: Envelope) -> Scene:
    data = event["data"]
    if scene is None:
        if event["type"] != "game.created":
            raise Unreadable("the first event of a game is game.created; this is not the beginning")
        return Scene(event, data["options"], (None,) * seats_of(data["options"]))
    scene = replace(scene, event=event, vote=None if scene.kind == "vote.closed" else scene.vote)
    match event["type"]:
        case "game.changed":
            options = data["options"]
            names = (*scene.names, *[None] * seats_of(options))[: seats_of(options)]
            return replace(scene, options=options, names=names)
        case "seat.joined":
            owner = data.get("owner")
            name = badged(data["name"], data["kind"], owner and owner["name"])
            return replace(scene, names=_with(scene.names, data["seat"], name))
        case "seat.left":
            return replace(scene, names=_with(scene.names, data["seat"], None))
        case "game.started":
            return replace(scene, totals=(0,) * len(scene.names), served=_nobody(scene))
        case "vote.opened":
            return replace(scene, vote=data)
        case "game.paused" | "game.resumed" as what:
            return replace(scene, is_paused=what == "game.paused")
        case "round.started" | "round.dealt" | "round.voided" | "round.scored":
            return _round(scene, event)
        case "draft.opened" | "draft.picked" | "draft.closed":
            return _draft(scene, event)
        case _:
            return _turn(scene, event)


def _round(scene: Scene, event: Envelope) -> Scene:
    data, seats = event["data"], range(len(scene.names))
    match event["type"]:
        case "round.started":
            # Nothing lies on the table before the deal.
            cleared = replace(scene, rows=(), hands=(None,) * len(seats), plays=(), laid=(), called=None)
            cleared = replace(cleared, pool=(), order=(), gained=(0,) * len(seats), served=_nobody(scene))
            return replace(cleared, attempt=int(data["attempt"]), table=data.get("table", "hidden"))
        case "round.dealt":
            hands = tuple(_opened(event, f"s{seat}") for seat in seats)
            return replace(scene, rows=rows_of(data["rows"]), hands=hands, gained=(0,) * len(seats), plays=())
        case "round.voided":
            return replace(scene, gained=(0,) * len(seats), plays=(), laid=(), called=None, order=(), pool=())
        case _:
            totals = tuple(data["total_bullheads"])
            return replace(scene, totals=totals, gained=(0,) * len(seats), plays=())


def _draft(scene: Scene, event: Envelope) -> Scene:
    data = event["data"]
    match event["type"]:
        case "draft.opened":
            order = tuple(_seat(scene, seat) for seat in data["order"])
            return replace(scene, pool=cards_of(data["cards"]), order=order, hands=((),) * len(scene.names))
        case "draft.picked":
            seat, card = _seat(scene, data["seat"]), card_of(data["card"])
            pool = tuple(other for other in scene.pool if other != card)
            hand = in_order((*(scene.hands[seat] or ()), card))
            served = _with(_nobody(scene), seat, SERVED.get(event["by"]["kind"], ""))
            return replace(scene, pool=pool, hands=_with(scene.hands, seat, hand), served=served)
        case _:
            closed = replace(scene, rows=rows_of(data["rows"]), hands=rows_of(data["hands"]))
            return replace(closed, pool=(), order=(), served=_nobody(scene))


def _turn(scene: Scene, event: Envelope) -> Scene:
    data = event["data"]
    match event["type"]:
        case "turn.opened":
            return replace(
                scene, plays=(), laid=(), called=None, served=_nobody(scene), ahead=frozenset[int]()
            )
        case "seat.called":
            return replace(scene, called=_seat(scene, data["seat"]))
        case "card.laid" | "row.chosen" as what:
            seat = _seat(scene, data["seat"])
            served = _with(scene.served, seat, SERVED.get(event["by"]["kind"], scene.served[seat]))
            scene = replace(scene, served=served)
            if what == "row.chosen" or not scene.is_open:
                return scene
            card = card_of(event["open"][f"s{seat}"]["data"]["card"])
            return replace(scene, laid=(*scene.laid, (seat, card)), called=None)
        case "turn.revealed":
            plays = tuple((_seat(scene, play["seat"]), card_of(play["card"])) for play in data["plays"])
            opened = [opening for opening in data.get("openings", ()) if opening["data"].get("if_low")]
            ahead = frozenset(int(opening["part"][1:]) for opening in opened)
            return replace(scene, plays=plays, hands=_without(scene.hands, plays), laid=(), ahead=ahead)
        case "card.placed":
            row = (*scene.rows[data["row"]][: data["position"]], card_of(data["card"]))
            seat, captured = _seat(scene, data["seat"]), cards_of(data["captured"])
            gained = _with(scene.gained, seat, scene.gained[seat] + bullheads(captured))
            return replace(scene, rows=_with(scene.rows, data["row"], row), gained=gained)
        case "turn.closed":
            return replace(scene, rows=rows_of(data["rows"]))
        case _:
            return scene


def _nobody(scene: Scene) -> tuple[str, ...]:
    return ("",) * len(scene.names)


def _with(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _seat(scene: Scene, seat: Any) -> int:
    if type(seat) is not int or seat not in range(len(scene.names)):
        raise ValueError(f"no such seat: {seat!r}")
    return seat


def _opened(event: Envelope, part: str) -> Cards | None:
    opening = event.get("open", {}).get(part)
    return None if opening is None else cards_of(opening["data"]["hand"])


def _without(
    hands: tuple[Cards | None, ...], plays: tuple[tuple[int, Card], ...]
) -> tuple[Cards | None, ...]:
    """The hands without the cards that were laid."""
    laid = dict(plays)
    return tuple(
        hand and tuple(card for card in hand if card != laid.get(seat)) for seat, hand in enumerate(hands)
    )
