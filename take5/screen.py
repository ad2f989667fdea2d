"""Scenes of a game as text for a terminal: cards coloured by their bullheads, rows, hands, scores."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from rich.cells import set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from engine.cards import BULLHEADS, Card, bullheads as count, in_order, is_joker
from take5.story import Scene
from take5.values import Cards

_STYLES: Final = {1: "", 2: "cyan", 3: "yellow", 5: "red", 7: "bold magenta"}
_JOKER: Final = "green"
_PASSED: Final = "dim"
_GAP: Final = "   "
_ORDINALS: Final = {5: "sixth", 6: "seventh"}
"""What the card is called that is one too many, by how many a row holds."""


class Flow:
    """A label and things beside each other, as many on a line as fit: none is broken, and in a pipe there is one line."""

    def __init__(self, label: str, things: Iterable[Text]) -> None:
        """Show `things` after `label`; further lines begin below the first thing."""
        self._label = label
        self._things = tuple(things)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line, gap = Text(self._label), ""
        for thing in self._things:
            if gap and not options.no_wrap and line.cell_len + len(gap) + thing.cell_len > options.max_width:
                yield line
                line, gap = Text(" " * len(self._label)), ""
            line.append(gap).append_text(thing)
            gap = _GAP
        yield line


class _Screen(Console):
    """A console that leaves it to the command line what becomes of a pipe that nobody reads."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Standard output: lines are broken between words in a terminal, and not at all in a pipe."""
    return _Screen(highlight=False, soft_wrap=not sys.stdout.isatty())


def card_text(card: Card, width: int = 0, *, marked: bool = False) -> Text:
    """A card, right-aligned in `width`; `marked` stands out."""
    style = _JOKER if is_joker(card) else _STYLES.get(BULLHEADS[card], "")
    return Text(f"{card:>{width}}", f"{style} reverse".strip() if marked else style)


def cards_text(cards: Iterable[Card]) -> Text:
    """Cards with a space between."""
    return Text(" ").join(card_text(card) for card in cards)


def heads(number: int) -> str:
    """A number of bullheads in words."""
    return "1 bullhead" if number == 1 else f"{number} bullheads"


def row_lines(scene: Scene, marked: Card | None = None) -> Text:
    """The rows, a line each: number, the places of a row, bullheads."""
    lines = (_row_line(number, row, scene.row_limit, marked) for number, row in enumerate(scene.rows))
    return Text("\n").join(lines)


def laid_line(scene: Scene) -> Flow:
    """The revealed cards in the order in which they are placed."""
    return Flow(
        "laid    ",
        (
            Text.assemble(card_text(card), f" {scene.name(seat)}", served_text(scene, seat))
            for seat, card in scene.plays
        ),
    )


def served_text(scene: Scene, seat: int) -> Text:
    """That the service has answered for a seat in this turn, and why; empty when it has not."""
    return Text(f" ({scene.served[seat]})" if scene.served[seat] else "", _PASSED)


def hand_lines(scene: Scene, shown: Iterable[int]) -> list[Text]:
    """The hands from which the revealed cards were laid, a line each: of the seats in `shown`, as far as they are open."""
    laid = dict(scene.plays)
    return [
        Text.assemble(f"hand    {named(scene, seat)}  ", cards_text(in_order((*hand, laid[seat]))))
        for seat in shown
        if (hand := scene.hands[seat]) is not None
    ]


def named(scene: Scene, seat: int) -> str:
    """What a seat's holder is called, as wide as the longest name of the table."""
    width = max(Text(scene.name(other)).cell_len for other in range(len(scene.names)))
    return set_cell_size(scene.name(seat), width)


def placed_line(scene: Scene) -> Text:
    """What became of the card that the scene's event placed, and what it captured."""
    data = scene.data
    seat, row = data["seat"], data["row"]
    line = Text.assemble(card_text(data["card"], 6), f"  {scene.name(seat)}:")
    captured, price = data["captured"], heads(data["bullheads"])
    match data["why"]:
        case "sixth":
            line.append(f" lays the {_ORDINALS.get(scene.row_limit, 'next')} card of row {row} and captures ")
        case "too_low":
            ahead = ", as said with the card," if seat in scene.ahead else ""
            line.append(f" fits nowhere and takes row {row}{ahead} with ")
        case _ if captured:
            line.append(f" takes row {row} with ")
        case _:
            return line.append(f" joins row {row}", _PASSED)
    return line.append_text(cards_text(captured)).append(f" ({price})", "bold")


def score_table(scene: Scene, shown: Iterable[int] = ()) -> Table:
    """Every seat with its bullheads; and the hands of the seats in `shown`, as far as they are open."""
    table = Table(box=None, pad_edge=False, header_style=_PASSED)
    seats = set(shown)
    for heading in ("seat", "name", "before", "round"):
        table.add_column(heading, justify="left" if heading == "name" else "right")
    if seats:
        table.add_column("hand")
    for seat, (gained, total) in enumerate(zip(scene.gained, scene.totals, strict=True)):
        cells: list[str | Text] = [str(seat), Text(scene.name(seat)), str(total), f"+{gained}"]
        if seats:
            cells.append(_hand_text(scene.hands[seat]) if seat in seats else "")
        table.add_row(*cells)
    return table


def score_line(scene: Scene) -> Flow:
    """Every seat's bullheads, of the rounds before and of this one."""
    scores = zip(range(len(scene.names)), scene.totals, scene.gained, strict=True)
    return Flow(
        "bullheads  ",
        (
            Text.assemble(scene.name(seat), f" {total}", (f"+{gained}", _PASSED))
            for seat, total, gained in scores
        ),
    )


def round_table(scene: Scene) -> Table:
    """What the scene's event, `round.scored`, counted."""
    data = scene.data
    table = Table(box=None, pad_edge=False, header_style=_PASSED, title_justify="left")
    table.add_column("name")
    for heading in ("round", "total"):
        table.add_column(heading, justify="right")
    for seat, (gained, total) in enumerate(
        zip(data["round_bullheads"], data["total_bullheads"], strict=True)
    ):
        table.add_row(Text(scene.name(seat)), f"+{gained}", str(total))
    return table


def standings_table(scene: Scene) -> Table:
    """The places that the scene's event, `game.finished`, gave; the lowest total has won."""
    table = Table(box=None, pad_edge=False, header_style=_PASSED)
    table.add_column("place", justify="right")
    table.add_column("name")
    table.add_column("bullheads", justify="right")
    for place in sorted(scene.data["standings"], key=lambda place: (place["rank"], place["seat"])):
        style = "bold green" if place["winner"] else ""
        cells = (str(place["rank"]), scene.name(place["seat"]), str(place["total_bullheads"]))
        table.add_row(*(Text(cell, style) for cell in cells))
    return table


def heading(scene: Scene) -> Text:
    """Where in the game the scene is, as keys of decisions count; a round that was dealt anew is 2a1, 2a2 and so on."""
    number, attempt, turn, picks = scene.place
    words = f"{'Learning round' if scene.is_open else 'Round'} {number}"
    words += f"a{attempt}" if attempt else ""
    if scene.order:
        words += f", pick {picks}" if picks else ", draft"
    elif turn:
        words += f", turn {turn}"
    return Text(words, "bold")


def _row_line(number: int, row: Cards, limit: int, marked: Card | None) -> Text:
    places = [card_text(card, 5, marked=card == marked) for card in row]
    places += [Text(f"{'·':>5}", _PASSED)] * (limit - len(row))
    return Text.assemble(f"row {number}", *places, (f"    {heads(count(row))}", _PASSED))


def _hand_text(hand: Cards | None) -> Text:
    return Text("hidden", _PASSED) if hand is None else cards_text(hand)
