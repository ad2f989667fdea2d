"""`take5 play`: a person at the terminal against house bots, through the same API as everybody else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from engine.options import POINTS
from engine.policies import HOUSE_LEVELS
from take5 import screen
from take5.client import LONGEST_WAIT_S, ApiProblem, Card, Client, Decision, Unreachable
from take5.own_service import own_service
from take5.story import Scene, follow
from take5.values import printable

_HELP: Final = """\
Everybody lays a card, all are turned up together and placed from the lowest to the highest: each behind the nearest \
lower row end. Who lays the sixth card of a row captures the five before it. A card lower than all row ends takes a \
row of its owner's choice. Every captured card costs its bullheads; when somebody has too many, the lowest total wins.
  bullheads of a card: 1, ends in 5: 2, tens: 3, elevens: 5, 55: 7.
  beside each name: bullheads of the rounds before + of this one.
  The last card of a hand is laid for you. q leaves the table."""


_KNOCK_S: Final = 3.0
"""How long an address is tried at first; a service that was there and goes is waited for longer."""


class Left(Exception):
    """The person leaves the table."""


@click.command("play")
@click.option(
    "--url", envvar="TAKE5_URL", help="The service to play on; without it one is started for this game."
)
@click.option(
    "--seats",
    type=click.IntRange(2, 10),
    default=4,
    show_default=True,
    help="How many sit at the table, you among them.",
)
@click.option(
    "--level",
    type=click.Choice(HOUSE_LEVELS),
    default=HOUSE_LEVELS[-1],
    show_default=True,
    help="How strong the bots are.",
)
@click.option(
    "--points", type=click.IntRange(*POINTS), default=66, show_default=True, help="The game ends at so many."
)
@click.option("--name", default="you", show_default=True, help="What you are called at the table.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Keep the finished game in this file.",
)
def play(*, url: str | None, seats: int, level: str, points: int, name: str, save: Path | None) -> None:
    """Play against house bots.

    You are asked for each card; rows and seats are numbered from 0.
    """
    console = screen.console()
    with ExitStack() as stack:
        try:
            where = url or stack.enter_context(own_service())
            with Client(where, patience_s=_KNOCK_S) as door:
                door.call("GET", "/healthz")
            client = stack.enter_context(Client.signed_up(where, name, "human"))
            # Nobody waits for the person but bots; a game that is left on somebody's server still has to end some day.
            pace = "slow" if url else "untimed"
            end = {"points": points, "when": "reached"}
            game = client.create_game(ruleset="classic", seats=seats, end=end, pace=pace)["id"]
            for seat in range(1, seats):
                client.seat_bot(game, seat, level)
            client.start(game)
            console.print(
                f"You are on seat 0, against {seats - 1} of the house ({level}), to {screen.heads(points)}."
            )
            console.print("Lay cards by their number; ? explains the game, q leaves it.")
            Person(client, game, console, typed).play()
            if save:
                save.write_bytes(client.replay(game))
                console.print(
                    f"The game is kept in {save}: see `take5 replay {save}` and `take5 verify {save}`."
                )
        except (Left, EOFError, KeyboardInterrupt) as end:
            console.print(
                "\nYou have left the table."
                + (" The house plays your cards when their time is up." * bool(url))
            )
            if isinstance(end, KeyboardInterrupt):
                sys.exit(130)
        except ApiProblem as problem:
            raise click.ClickException(printable(str(problem), 500)) from None
        except (Unreachable, OSError) as error:
            raise click.ClickException(str(error)) from None


def typed(prompt: str) -> str:
    """What the person types; raises EOFError when there is nobody any more."""
    return input(prompt)


class Person:
    """Somebody who plays a game at the terminal."""

    def __init__(self, client: Client, game: str, console: Console, ask: Callable[[str], str]) -> None:
        """Show `game` on `console`, ask `client` for news, and the person by `ask`."""
        self._client = client
        self._game = game
        self._console = console
        self._ask = ask
        self._scene: Scene | None = None

    def play(self) -> None:
        """Play until the game is over; raises Left, EOFError and what the client raises."""
        while self._scene is None or not self._scene.is_over:
            after = self._scene.seq if self._scene else 0
            for event in self._client.events(self._game, after, wait=LONGEST_WAIT_S)["items"]:
                self._scene = follow(self._scene, event)
                self._tell(self._scene)
            for decision in self._client.decisions(game=self._game):
                # What led to the decision is shown before it is asked.
                if self._scene and decision.view["seq"] <= self._scene.seq:
                    self._answer(self._scene, decision)

    def _tell(self, scene: Scene) -> None:
        match scene.kind:
            case "turn.revealed":
                self._console.print("", screen.laid_line(scene), sep="\n")
            case "card.placed":
                self._console.print(screen.placed_line(scene))
            case "round.scored":
                self._console.print("", screen.round_table(scene), sep="\n")
            case "game.finished":
                self._console.print(Text("\nThe game is over; the lowest total wins.\n", "bold"))
                self._console.print(screen.standings_table(scene))
            case "game.abandoned":
                self._console.print(Text("\nThe game was abandoned.", "bold"))
            case _:
                pass

    def _answer(self, scene: Scene, decision: Decision) -> None:
        try:
            if decision.kind == "card":
                self._client.answer(decision, card=self.card(scene, decision))
            else:
                self._client.answer(decision, row=self.row(scene, decision))
        except ApiProblem as problem:  # late, or answered elsewhere: the events say what happened instead
            self._console.print(printable(problem.detail, 500))

    def card(self, scene: Scene, decision: Decision) -> Card:
        """The card that the person lays."""
        self._console.print("", screen.heading(scene), screen.row_lines(scene), sep="\n")
        self._console.print(screen.score_line(scene))
        self._console.print(Text.assemble("your hand  ", screen.cards_text(decision.cards)))
        legal = {str(card): card for card in decision.cards}
        return legal[self._chosen("lay a card: ", legal, "You hold no card {}.")]

    def row(self, scene: Scene, decision: Decision) -> int:
        """The row that the person takes."""
        card = decision.view["pending"]["card"]
        self._console.print("", screen.row_lines(scene), Text(f"Your {card} fits nowhere."), sep="\n")
        legal = [str(row) for row in range(len(decision.rows))]
        return int(self._chosen(f"take a row (0 to {len(legal) - 1}): ", legal, "There is no row {}."))

    def _chosen(self, prompt: str, legal: Iterable[str], otherwise: str) -> str:
        """One of the legal words, asked for until it is given."""
        while True:
            word = self._ask(prompt).strip()
            match word.lower():
                case "q" | "quit" | "exit":
                    raise Left
                case "?" | "h" | "help":
                    self._console.print(_HELP)
                case "":
                    pass
                case _ if word in legal:
                    return word
                case _:
                    self._console.print(otherwise.format(printable(word)))
