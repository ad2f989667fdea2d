"""What lies open on a table, as text: the deck and the picks of a draft, the hands and the reasons of a learning round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from engine.cards import Card
from take5.screen import Flow, card_text, cards_text, named, served_text
from take5.story import Scene
from take5.values import Cards, printable

_WIDE: Final = 10
"""How many cards of the deck stand in a line."""
_CELL: Final = 5
"""How wide each of them stands."""
_INDENT: Final = 8
"""How far sentences stand in, behind the cards that they are about."""
_PASSED: Final = "dim"


class Beside:
    """A sentence beside a card, or below it: broken within the terminal, one line in a pipe."""

    def __init__(self, sentence: Text, card: Card | None = None) -> None:
        """Show `sentence`, indented, with `card` before it."""
        self._sentence = sentence
        self._before = Text(" " * _INDENT) if card is None else card_text(card, _INDENT - 2).append("  ")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [self._sentence]
        if not options.no_wrap:
            lines = [*self._sentence.wrap(console, max(options.max_width - _INDENT, _INDENT))]
        for number, line in enumerate(lines):
            yield Text.assemble(" " * _INDENT if number else self._before, line)


class Deck:
    """The open deck from its lowest card to its highest, ten a line or as many as fit; a dot is a card that was picked."""

    def __init__(self, scene: Scene, marked: Card | None = None) -> None:
        """Show the deck of `scene`; `marked` stands out."""
        whole = sorted(number for number in (*scene.pool, *_picked(scene)) if isinstance(number, int))
        left = {*scene.pool} | {marked}
        self._cells = [
            card_text(card, _CELL, marked=card == marked)
            if card in left
            else Text(f"{'·':>{_CELL}}", _PASSED)
            for card in whole
        ]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = _WIDE if options.no_wrap else max(min(_WIDE, options.max_width // _CELL), 1)
        for first in range(0, len(self._cells), wide):
            yield Text.assemble(*self._cells[first : first + wide])


def picked_lines(scene: Scene) -> Text:
    """What each seat has picked so far, in the order of the picks, a line a seat."""
    seats = scene.order or range(len(scene.names))
    lines = (Text.assemble(f"{named(scene, seat)}  ", cards_text(scene.hands[seat] or ())) for seat in seats)
    return Text("\n").join(lines)


def pick_line(scene: Scene) -> Text:
    """Who picked which card."""
    data = scene.data
    return Text.assemble(
        card_text(data["card"], 6),
        f"  {scene.name(data['seat'])}: picks it",
        served_text(scene, data["seat"]),
    )


def around_line(scenes: Sequence[Scene]) -> Flow:
    """The picks of one pass around the table, or the cards that were laid openly one after the other."""
    last = scenes[-1]
    label = f"pass {-(-last.place.picks // len(last.order))}" if last.order else "lays"
    cards = [
        (one.data["card"], one.data["seat"]) if one.order else (one.laid[-1][1], one.laid[-1][0])
        for one in scenes
    ]
    return Flow(
        f"{label:<8}",
        (
            Text.assemble(card_text(card), f" {last.name(seat)}", served_text(last, seat))
            for card, seat in cards
        ),
    )


def plan_line(scene: Scene) -> Text:
    """That a seat has planned its picks, and which, as far as that is open."""
    seat = scene.data["seat"]
    opening = scene.event.get("open", {}).get(f"s{seat}")
    if opening is None:
        return Text(f"{scene.name(seat)}: plans the next picks")
    return Text.assemble(f"{scene.name(seat)}: plans to pick ", cards_text(opening["data"]["plan"]))


def open_hands(scene: Scene, you: int | None = None) -> Text:
    """Every hand of an open table, a line a seat, with what it has laid in this turn; `you` are marked."""
    laid = dict(scene.laid)
    lines: list[Text] = []
    for seat, hand in enumerate(scene.hands):
        line = Text.assemble(("> " if seat == you else "  ") * (you is not None), f"{named(scene, seat)}  ")
        line.append_text(cards_text(_rest(hand, laid.get(seat))))
        if seat in laid:
            line.append("   lays ").append_text(card_text(laid[seat], marked=True))
        lines.append(line)
    return Text("\n").join(lines)


def reason(scene: Scene) -> Beside:
    """The sentence of the scene's event, `card.explained`."""
    return Beside(Text(str(scene.data["sentence"]), _PASSED))


def hinted(hint: dict[str, Any]) -> Beside:
    """What one card would do now."""
    sentence = printable(hint["sentence"], 300).removeprefix(f"{hint['card']} ")
    return Beside(Text(sentence), hint["card"])


def lays_line(scene: Scene) -> Text:
    """Who has laid which card at an open table."""
    seat, card = scene.laid[-1]
    return Text.assemble(card_text(card, 6), f"  {scene.name(seat)}: lays it", served_text(scene, seat))


def _picked(scene: Scene) -> Sequence[Card]:
    return [card for hand in scene.hands for card in hand or ()]


def _rest(hand: Cards | None, laid: Card | None) -> Cards:
    return tuple(card for card in hand or () if card != laid)
