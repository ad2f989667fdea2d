"""`take5 replay FILE`: a downloaded game in the terminal, step by step or turn by turn."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import BinaryIO, Final, NamedTuple

import click
from rich.console import Console
from rich.text import Text

from take5 import pages, screen
from take5.progress import Progress
from take5.reading import scenes
from take5.story import Scene, Unreadable
from take5.values import printable

_KEYS: Final = "n next  p back  t next turn  r next round  q quit"
_NEXT: Final = frozenset({"n", " ", "\r", "\n", "\x1b[C"})
_BACK: Final = frozenset({"p", "b", "\x7f", "\x1b[D"})
_QUIT: Final = frozenset({"q", "\x1b", "\x03", "\x04"})
_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
_MOMENT: Final = re.compile(r"r?(\d{1,4})(?:a(\d{1,4}))?(?:\.(?:t?(\d{1,2})|d(\d{1,3})))?")


class Moment(NamedTuple):
    """A turn, or a pick of a draft; None is every attempt at the round, or the whole draft."""

    round: int
    attempt: int | None
    turn: int
    picks: int | None

    def holds(self, scene: Scene) -> bool:
        """Whether the scene belongs to it."""
        number, attempt, turn, picks = scene.place
        return (
            (number, turn) == (self.round, self.turn)
            and self.attempt in (None, attempt)
            and self.picks in (None, picks)
        )

    def __str__(self) -> str:
        number = f"{self.round}" if self.attempt is None else f"{self.round}a{self.attempt}"
        if self.picks is not None:
            return f"pick {number}.d{self.picks}"
        return f"turn {number}.{self.turn}" if self.turn else f"round {number}"


class MomentType(click.ParamType[Moment]):
    """A moment as it is written on the command line, or in the key of a decision."""

    name = "MOMENT"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Moment:
        """Round, attempt, turn and pick."""
        found = _MOMENT.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is not a turn; write 3.4 for turn 4 of round 3.", param, ctx)
        attempt, picks = (None if text is None else int(text) for text in found.group(2, 4))
        return Moment(int(found[1]), attempt, int(found[3] or 0), picks)


@click.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--turn",
    type=MomentType(),
    help="Only this: 3.4 is turn 4 of round 3, 3.d13 pick 13 of its draft, 3 its deal. Where you can step, begin there.",
)
@click.option(
    "--seat",
    type=click.IntRange(0, 9),
    multiple=True,
    help="Show the hand of this seat, from 0; may be repeated.",
)
@click.option("--all", "everybody", is_flag=True, help="Show every hand.")
def replay(file: BinaryIO, turn: Moment | None, seat: tuple[int, ...], *, everybody: bool) -> None:
    """Show a game, step by step or turn by turn.

    FILE is the `events` or the `replay` file of a game; - is standard input. In a terminal you step through it with the
    keys n and p; into a pipe it is written turn by turn. Hands are shown as far as the file has them open. Nothing is
    checked here: `take5 verify FILE` does that.
    """
    try:
        _show_file(file, turn, seat, everybody=everybody)
    except Unreadable as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Whoever wrote the file wrote anything.
        detail = (
            f"this game cannot be shown, for nobody can have played it so ({printable(repr(error), 200)})"
        )
        raise click.BadParameter(detail, param_hint="FILE") from None


def _show_file(file: BinaryIO, turn: Moment | None, seat: tuple[int, ...], *, everybody: bool) -> None:
    try:
        with Progress("reading the game"):
            told = list(scenes(file))
    except OSError as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    if not told:
        raise click.BadParameter("there is no event in it", param_hint="FILE")
    hands = tuple(range(len(told[-1].names))) if everybody else seat
    if hands and max(hands) >= len(told[-1].names):
        raise click.ClickException(
            f"There is no seat {max(hands)}; the last one is {len(told[-1].names) - 1}."
        )
    _show(told, turn, hands)


def _show(told: Sequence[Scene], turn: Moment | None, hands: tuple[int, ...]) -> None:
    steps, terminal = pages.steps_of(told), screen.console()
    chosen = [scene for scene in steps if turn is None or turn.holds(scene)]
    if turn is not None and not chosen:
        number, attempt, last, _ = told[-1].place
        end = f"the last is {Moment(number, attempt or None, last, None)}" if number else "no round has begun"
        raise click.ClickException(f"There is no {turn}; {end}.")
    if terminal.is_terminal and sys.stdin.isatty() and steps:
        step_through(terminal, told, turn, hands)
    elif turn is not None and turn.picks:
        terminal.print(pages.title(told[-1]))
        for scene in chosen:
            terminal.print("", pages.page(scene, None, hands), sep="\n")
    else:
        pages.write(terminal, told, chosen, hands)


def step_through(
    console: Console, told: Sequence[Scene], turn: Moment | None, hands: tuple[int, ...]
) -> None:
    """Show one step at a time, from `turn` on, as the keys say, until somebody quits."""
    steps, reasons = pages.steps_of(told), pages.reasons_of(told)
    place = next((number for number, scene in enumerate(steps) if turn and turn.holds(scene)), 0)
    with console.screen(hide_cursor=True):
        while True:
            scene = steps[place]
            console.clear()
            console.print(
                pages.title(told[-1]), "", pages.page(scene, reasons.get(scene.seq), hands), sep="\n"
            )
            console.print(Text(f"\n{place + 1}/{len(steps)}   {_KEYS}", "dim"), end="")
            for key in _pressed():
                if key in _QUIT:
                    return
                place = min(max(_moved(steps, place, key), 0), len(steps) - 1)


def _pressed() -> list[str]:
    """Wait for a key, and return it with those that came at the same time, as they do while one is held down."""
    try:
        return _KEY.findall(click.getchar())
    except (EOFError, KeyboardInterrupt):
        return ["q"]


def _moved(steps: Sequence[Scene], place: int, key: str) -> int:
    """The place in `steps` to which a key leads; the same for a key that means nothing."""
    if key in _NEXT:
        return place + 1
    if key in _BACK:
        return place - 1
    here = steps[place].place
    for other in range(place + 1, len(steps)):
        there = steps[other].place
        if key == "r" and there[:2] != here[:2]:
            return other
        if key == "t" and there[:3] != here[:3]:
            return other
    return place
