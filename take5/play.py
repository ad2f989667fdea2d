"""`take5 play`: a person at the terminal, against house bots or other people, through the same API as everybody else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from engine.options import LEARNING_ROUNDS, POINTS, ROUNDS
from engine.policies import HOUSE_LEVELS
from engine.rulesets import RULESETS
from take5 import pages, screen, timing, tokens, typed as typed_in, wishes
from take5.client import ApiProblem, Client, Json, Unreachable
from take5.keeping import Keeper, NotKept
from take5.own_service import own_service
from take5.person import Person
from take5.typed import Left
from take5.values import printable

_KNOCK_S: Final = 3.0
"""How long an address is tried at first; a service that was there and goes is waited for longer."""


@click.command("play")
@click.option(
    "--url", envvar="TAKE5_URL", help="The service to play on; without it one is started for this game."
)
@click.option("--join", metavar="GAME", help="Sit down at this table; --code where it is private.")
@click.option("--code", envvar="TAKE5_CODE", help="The join code of a private table.")
@click.option(
    "--ruleset",
    type=click.Choice(list(RULESETS)),
    default="classic",
    show_default=True,
    help="The rules to play by.",
)
@click.option(
    "--seats",
    type=click.IntRange(2, 10),
    default=4,
    show_default=True,
    help="How many sit at the table, you among them.",
)
@click.option(
    "--people",
    type=click.IntRange(1, 10),
    default=1,
    show_default=True,
    help="How many of them are people, who come with --join.",
)
@click.option(
    "--level",
    type=click.Choice(HOUSE_LEVELS),
    default=HOUSE_LEVELS[-1],
    show_default=True,
    help="How strong the bots are.",
)
@click.option(
    "--points", type=click.IntRange(*POINTS), help="The game ends at so many, not where the rule set says."
)
@click.option("--rounds", type=click.IntRange(*ROUNDS), help="The game ends after so many rounds.")
@click.option(
    "--learning",
    type=click.IntRange(*LEARNING_ROUNDS),
    default=0,
    help="So many rounds with open hands first, each card explained, none counted.",
)
@click.option(
    "--option",
    "options",
    type=wishes.Option(),
    multiple=True,
    help="Any other option of the table, as recommit=true, or JSON; may be repeated.",
)
@click.option(
    "--game", metavar="GAME", help="Come back to your seat in this game, with the token that took it."
)
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Play as whoever's token is in this file, made for you if there is none; else TAKE5_TOKEN.",
)
@click.option("--name", default="you", show_default=True, help="What you are called at the table.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Keep the finished game in this file; of several the last.",
)
@click.option("--force", is_flag=True, help="Let --save write over a file that is there.")
def play(
    *,
    url: str | None,
    join: str | None,
    code: str | None,
    people: int,
    level: str,
    name: str,
    **asked: Any,
) -> None:
    """Play against house bots, or other people.

    You are asked for each card; rows and seats are numbered from 0.
    """
    token = tokens.held(asked["token_file"]) if url else None
    _check(url, join, people, asked, has_token=bool(token))
    keeper = Keeper(asked["save"], force=asked["force"])
    console = screen.console()
    back = ""
    with ExitStack() as stack:
        try:
            where = url or stack.enter_context(own_service())
            with Client(where, patience_s=_KNOCK_S) as door:
                door.call("GET", "/healthz")
            client = stack.enter_context(
                Client(where, token) if token else Client.signed_up(where, name, "human")
            )
            if asked["token_file"] and client.token and not token:
                tokens.keep(asked["token_file"], client.token)
            is_known = bool(token or asked["token_file"])
            if asked["game"]:
                game = _own_seat(client, asked["game"])
            elif join:
                game = client.join(join, accept_bots=True, **({"code": code} if code else {}))["game"]
            else:
                game = client.create_game(**wishes.table(asked, people, is_kept=bool(url)))
                for seat in range(people, asked["seats"]):
                    client.seat_bot(game["id"], seat, level)
            for line in _greeting(game, people, where):
                console.print(line, soft_wrap=line.no_wrap)
            if url and not is_known:
                console.print(
                    "With --token-file FILE you could come back to your seat from another terminal."
                )
            told = game["seq"] if asked["game"] else 0
            while True:
                back = tokens.way_back(where, asked["token_file"], game["id"]) if is_known else ""
                _play(client, game["id"], console, told, leaving=_leaving(url, back))
                _keep_finished(client, game["id"], console, keeper)
                if not _wants_more(client, game["id"], console, keeper):
                    break
                game, told = client.rematch(game["id"]), 0
        except (Left, EOFError, KeyboardInterrupt) as end:
            is_left = isinstance(end, _leaving(url, back))
            console.print("\nYou have left the table." + " The house plays on for you." * is_left)
            if back and not is_left:
                console.print(Text(f"Your seat is kept: {back}"), soft_wrap=True)
            if isinstance(end, KeyboardInterrupt):
                sys.exit(130)
        except ApiProblem as problem:
            raise click.ClickException(wishes.refused(problem, asked["options"])) from None
        except (Unreachable, OSError) as error:
            raise click.ClickException(str(error)) from None


def _check(url: str | None, join: str | None, people: int, asked: dict[str, Any], *, has_token: bool) -> None:
    """Refuse what contradicts itself."""
    if people > asked["seats"]:
        raise click.UsageError(f"At {asked['seats']} seats there is no room for {people} people.")
    if not url and (join or people > 1):
        raise click.UsageError("Other people are met at some --url.")
    if not url and (asked["game"] or asked["token_file"]):
        raise click.UsageError("A seat is kept at some --url; what is played without one is gone at the end.")
    if asked["game"] and join:
        raise click.UsageError("--join takes a seat, --game comes back to one that you have.")
    if asked["game"] and not has_token:
        raise click.UsageError("Say whose seat it is: --token-file with your token in it, or TAKE5_TOKEN.")
    if asked["points"] and asked["rounds"]:
        raise click.UsageError("A game ends by --points or by --rounds, never by both.")


def _own_seat(client: Client, game: str) -> Json:
    """The game, in which the person has a seat; raises click.ClickException."""
    found = client.game(game)
    if found["you"] is None:
        raise click.ClickException(f"You have no seat in {printable(game)}; --join takes one.")
    return found


def _leaving(url: str | None, back: str) -> tuple[type[BaseException], ...]:
    """With what one gives the seat up: by a word alone, where one can come back; at one's own service not at all."""
    if not url:
        return ()
    return (Left,) if back else (Left, EOFError, KeyboardInterrupt)


def typed(prompt: str) -> str:
    """What the person types; raises EOFError when there is nobody any more."""
    return input(prompt)


def _greeting(game: Json, people: int, where: str) -> Iterator[Text]:
    """What is said before the game begins."""
    options, you = game["options"], game["you"]
    yield Text(f"You are on seat {you} of {options['seats']}: {options['ruleset']}, {pages.aim(options)}.")
    if told := timing.pace(options):
        yield Text(told)
    if game["status"] == "lobby" and people > 1:
        code = f" --code {game['join_code']}" if options["visibility"] == "private" else ""
        come = f"take5 play --url {where} --join {game['id']}{code}"
        yield Text(
            f"{people - 1} more can sit down: {come}", no_wrap=True
        )  # one line, so that it can be copied
    yield Text("Type what you are asked for. `help` explains the game, `?` your cards, `q` leaves.")


def _play(
    client: Client, game: str, console: Console, told: int, *, leaving: tuple[type[BaseException], ...]
) -> None:
    """Play the game to its end, telling what happens after the event `told`.

    Whoever leaves before gives the seat to the house, so that nobody waits for them.
    """
    try:
        client.ready(game)
        Person(client, game, console, typed, told).play()
    except leaving:
        with suppress(ApiProblem, Unreachable):
            _leave(client, game)
        raise


def _keep_finished(client: Client, game: str, console: Console, keeper: Keeper) -> None:
    """Keep the game where it was asked to be, or say how."""
    if keeper.path:
        _keep(client, game, console, keeper, keeper.path)
    else:
        console.print("\n`save game.ndjson` keeps this game in a file, to look at it again and to check it.")


def _keep(client: Client, game: str, console: Console, keeper: Keeper, path: Path) -> None:
    """Keep the game in a file, or say why not and how else."""
    try:
        console.print(Text(keeper.keep(client, game, path)))
    except NotKept as problem:
        console.print(Text(f"{problem} `save` and another name keeps the game there."))


def _leave(client: Client, game: str) -> None:
    if client.game(game)["status"] == "lobby":
        client.leave(game)
    else:
        client.resign(game)


def _wants_more(client: Client, game: str, console: Console, keeper: Keeper) -> bool:
    """Whether the person wants the next game of the same table; until that is said the last one can be kept."""
    while True:
        try:
            text = typed("\nPlay again at this table, yes or no: ").strip()
            match text.split(maxsplit=1):
                case ["save", name]:
                    _keep(client, game, console, keeper, Path(name).expanduser())
                case [_, *_] if typed_in.word(text) is None:
                    return bool(typed_in.ballot_answer(text)["choice"] == "yes")
                case _:
                    pass
        except (Left, EOFError, KeyboardInterrupt):
            return False
        except typed_in.NotUnderstood as not_understood:
            console.print(Text(printable(str(not_understood), 100)))
