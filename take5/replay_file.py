"""`take5 replay FILE`: a downloaded game in the terminal, step by step or turn by turn."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import BinaryIO, Final

import click
from rich.console import Console, Group, RenderableType
from rich.text import Text

from take5 import screen
from take5.progress import Progress
from take5.reading import scenes
from take5.story import Scene, Unreadable, printable

STEPS: Final = frozenset(
    {"round.dealt", "turn.revealed", "card.placed", "round.scored", "game.finished", "game.abandoned"}
)
"""The events at which the table looks different, and which are shown as a step each."""
_KEYS: Final = "n next  p back  t next turn  r next round  q quit"
_NEXT: Final = frozenset({"n", " ", "\r", "\n", "\x1b[C"})
_BACK: Final = frozenset({"p", "b", "\x7f", "\x1b[D"})
_QUIT: Final = frozenset({"q", "\x1b", "\x03", "\x04"})


class TurnNumber(click.ParamType[tuple[int, int]]):
    """A turn as it is written on the command line: 3.4 is turn 4 of round 3, 3 is round 3 from its deal."""

    name = "ROUND.TURN"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Round and turn."""
        found = re.fullmatch(r"(\d{1,4})(?:\.(\d{1,2}))?", str(value))
        if found is None:
            self.fail(f"{value!r} is not a turn; write 3.4 for turn 4 of round 3.", param, ctx)
        return int(found[1]), int(found[2] or 0)


@click.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option("--turn", type=TurnNumber(), help="Only this turn; where you can step, begin there.")
@click.option(
    "--seat",
    type=click.IntRange(0, 9),
    multiple=True,
    help="Show the hand of this seat, from 0; may be repeated.",
)
@click.option("--all", "everybody", is_flag=True, help="Show every hand.")
def replay(file: BinaryIO, turn: tuple[int, int] | None, seat: tuple[int, ...], *, everybody: bool) -> None:
    """Show a game, step by step or turn by turn.

    FILE is the `events` or the `replay` file of a game; - is standard input. In a terminal you step through it with the
    keys n and p; into a pipe it is written turn by turn. Hands are shown as far as the file has them open. Nothing is
    checked here: `take5 verify FILE` does that.
    """
    try:
        with Progress("reading the game"):
            told = list(scenes(file))
    except (Unreadable, OSError) as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    if not told:
        raise click.BadParameter("there is no event in it", param_hint="FILE")
    hands = tuple(range(len(told[-1].names))) if everybody else seat
    if hands and max(hands) >= len(told[-1].names):
        raise click.ClickException(
            f"There is no seat {max(hands)}; the last one is {len(told[-1].names) - 1}."
        )
    steps = [scene for scene in told if scene.kind in STEPS]
    if turn is not None and not any(scene.turn == turn for scene in steps):
        number, last = told[-1].turn
        raise click.ClickException(f"There is no turn {turn[0]}.{turn[1]}; the last one is {number}.{last}.")
    terminal = screen.console()
    try:
        if terminal.is_terminal and sys.stdin.isatty() and steps:
            step_through(terminal, told[-1], steps, turn, hands)
        else:
            _write(terminal, told, [scene for scene in steps if turn in (None, scene.turn)], hands)
    except (
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:  # whoever wrote the file wrote anything
        raise click.BadParameter(f"this game cannot be shown ({error!r})", param_hint="FILE") from None


def step_through(
    console: Console,
    last: Scene,
    steps: Sequence[Scene],
    turn: tuple[int, int] | None,
    hands: tuple[int, ...],
) -> None:
    """Show one step at a time, as the keys say, until somebody quits."""
    place = next((number for number, scene in enumerate(steps) if scene.turn == turn), 0)
    with console.screen(hide_cursor=True):
        while True:
            console.clear()
            console.print(_title(last), "", _page(steps[place], hands), sep="\n")
            console.print(Text(f"\n{place + 1}/{len(steps)}   {_KEYS}", "dim"), end="")
            key = _pressed()
            if key in _QUIT:
                return
            place = min(max(_moved(steps, place, key), 0), len(steps) - 1)


def _pressed() -> str:
    try:
        return click.getchar()
    except (EOFError, KeyboardInterrupt):
        return "q"


def _moved(steps: Sequence[Scene], place: int, key: str) -> int:
    """The place in `steps` to which a key leads; the same for a key that means nothing."""
    if key in _NEXT:
        return place + 1
    if key in _BACK:
        return place - 1
    later = range(place + 1, len(steps))
    if key == "t":
        return next((other for other in later if steps[other].turn != steps[place].turn), place)
    if key == "r":
        return next((other for other in later if steps[other].turn[0] != steps[place].turn[0]), place)
    return place


def _page(scene: Scene, hands: tuple[int, ...]) -> RenderableType:
    """One step: where we are, the rows, what has just happened, the scores."""
    marked = scene.event["data"]["card"] if scene.kind == "card.placed" else None
    parts: list[RenderableType] = [screen.heading(scene), "", screen.row_lines(scene.rows, marked), ""]
    if scene.plays and scene.kind in ("turn.revealed", "card.placed"):
        parts += [screen.laid_line(scene), ""]
    parts.append(_happened(scene))
    if scene.kind not in ("round.scored", "game.finished"):
        parts += ["", screen.score_table(scene, hands) if hands else screen.score_line(scene)]
    return Group(*parts)


def _happened(scene: Scene) -> RenderableType:
    match scene.kind:
        case "round.dealt":
            return Text("The cards are dealt.")
        case "turn.revealed":
            return Text("The cards are turned up.")
        case "card.placed":
            return screen.placed_line(scene)
        case "round.scored":
            return screen.round_table(scene)
        case "game.finished":
            return Group(
                Text("The game is over; the lowest total wins.", "bold"), "", screen.standings_table(scene)
            )
        case _:
            reason = printable(str(scene.event["data"].get("reason")))
            return Text(f"The game was abandoned: {reason}.", "bold")


def _write(console: Console, told: Sequence[Scene], steps: Sequence[Scene], hands: tuple[int, ...]) -> None:
    """Write steps one below the other, as for a file: of each turn the rows before it, the cards, where they went."""
    console.print(_title(told[-1]))
    for scene in steps:
        match scene.kind:
            case "round.dealt":
                console.print("", Text(f"Round {scene.turn[0]}", "bold underline"), sep="\n")
                if hands:
                    console.print(screen.score_table(scene, hands))
            case "turn.revealed":
                console.print("", screen.heading(scene), screen.row_lines(scene.rows), sep="\n")
                console.print(*screen.hand_lines(scene, hands), screen.laid_line(scene), sep="\n")
            case "card.placed":
                console.print(screen.placed_line(scene))
            case _:
                console.print("", _happened(scene), sep="\n")
    if not told[-1].is_over:
        console.print(Text("\nThe game goes on where this file ends.", "dim"))


def _title(scene: Scene) -> Text:
    names = " · ".join(scene.name(seat) for seat in range(len(scene.names)))
    game, rules = printable(str(scene.event.get("game"))), printable(str(scene.options.get("ruleset")))
    return Text.assemble((game, "bold"), f"  {rules}, {_aim(scene.options.get('end'))}\n{names}")


def _aim(end: object) -> str:
    match end:
        case {"rounds": int(rounds)}:
            return "1 round" if rounds == 1 else f"{rounds} rounds"
        case {"points": int(points), "when": "exceeded"}:
            return f"past {screen.heads(points)}"
        case {"points": int(points)}:
            return f"to {screen.heads(points)}"
        case _:
            return "to an end unknown here"
