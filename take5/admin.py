"""`take5 admin`: what an operator sees of the games, and the little that an operator may do to one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from engine.automatic import next_deadline
from engine.commands import Abandon
from engine.decisions import open_decisions
from engine.game import Game
from engine.times import Millis, rfc3339
from engine.views import public_phase
from service.store.contract import Kind
from service.store.games import NoSuchGame
from service.store.moments import now
from service.store.queue import JOBS
from take5 import admin_players
from take5.stores import DIRECTORY, StoresCommand
from worker.connection import Connection

OPEN: Final = ("playing", "paused", "lobby")
EVENTS_SHOWN: Final = 10
_LATE_MOST: Final = 10_000


class _Seconds(click.FloatRange):
    """So many seconds, and no number that only floats know."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return seconds


@click.group()
@click.option(
    "--data",
    envvar="TAKE5_DATA",
    type=DIRECTORY,
    default=Path("data"),
    show_default="data, below the current directory",
    help="Where `take5 serve` keeps its games; TAKE5_REDIS_URL and TAKE5_QUEUE_URL come first.",
)
@click.pass_context
def admin(ctx: click.Context, *, data: Path) -> None:
    """Look after games and players of a running service.

    Which games hang, and on whom? No card and no token is shown. What is done to a game stands in its log.
    """
    ctx.obj = data


for _command in (admin_players.player, admin_players.shut_out, admin_players.rename):
    admin.add_command(_command)


@admin.command(cls=StoresCommand)
@click.option("--status", type=click.Choice(OPEN), help="Only these; else all that are open.")
@click.option(
    "--overdue",
    type=_Seconds(0),
    metavar="SECONDS",
    help="Only those that a worker should have seen to so long ago, the longest first.",
)
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many at most."
)
@click.pass_obj
def games(at: Connection, *, status: str | None, overdue: float | None, limit: int) -> None:
    """List open games by status, of each the newest first: what each waits for, and for how long."""
    late = _late(at, now() if overdue is None else now() - round(1000 * overdue))
    names = _listed(at, (status,) if status else OPEN, limit) if overdue is None else iter(late)
    click.echo(f"{'game':<30}{'status':<9}{'phase':<12}{'turn':<8}{'waits for':<16}{'until':<26}overdue s")
    shown = 0
    for name in names:
        try:
            game = at.play.live(name).game
        except NoSuchGame:  # noted by who was about to create it
            continue
        if shown == limit or (status and game.status != status):
            continue
        shown += 1
        since = late.get(name)
        waited = "" if since is None else f"{(now() - since) / 1000:.1f}"
        seats = ",".join(str(decision.seat) for decision in open_decisions(game)) or "-"
        click.echo(
            f"{name:<30}{game.status:<9}{public_phase(game) or '-':<12}{f'{game.round}.{game.turn}':<8}"
            f"{seats:<16}{_moment(next_deadline(game)) or '-':<26}{waited}"
        )
    click.echo(f"{shown} games")


@admin.command(cls=StoresCommand)
@click.argument("game")
@click.pass_obj
def show(at: Connection, *, game: str) -> None:
    """Show as JSON how a game stands: who holds the seats, who owes what until when, what happened last."""
    live = at.play.live(game)
    click.echo(json.dumps(_shown(at, live.game), indent=2))


@admin.command(cls=StoresCommand)
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def abandon(at: Connection, *, game: str, yes: bool) -> None:
    """End a game without a winner; its log says that the operator did."""
    state = at.play.live(game).game
    if state.is_over:
        raise click.ClickException(f"The game is over: {state.status}.")
    if not yes:
        click.confirm(f"End {game}, which is {state.status}, for good?", abort=True)
    at.play.execute(game, Abandon())
    at.queue.wake("turns", game)  # notes the end for its players
    click.echo(f"{game} is abandoned.")


@admin.command(cls=StoresCommand)
@click.argument("game")
@click.pass_obj
def nudge(at: Connection, *, game: str) -> None:
    """Send workers to a game now, whatever is due in it; one too many does no harm."""
    at.play.live(game)
    for kind in JOBS:
        at.queue.wake(kind, game)
    if at.queue.failures:
        raise click.ClickException("The queue does not answer; the clock goes on trying.")
    click.echo(f"Workers were sent to {game}.")


def _late(at: Connection, before_ms: int) -> dict[str, int]:
    """The games that have been due since then or longer, with since when, the longest first."""
    since: dict[str, int] = {}
    for since_ms, game in sorted(
        pair for kind in JOBS for pair in at.store.late(kind, before_ms, _LATE_MOST)
    ):
        since.setdefault(game, since_ms)
    return since


def _listed(at: Connection, statuses: tuple[str, ...], limit: int) -> Iterator[str]:
    for status in statuses:
        yield from (game for _, game in at.store.listed(status, None, limit))


def _shown(at: Connection, game: Game) -> dict[str, Any]:
    owed = open_decisions(game)
    log = at.play.log(game.id)
    return {
        "game": game.id,
        "status": game.status,
        "phase": public_phase(game),
        "ruleset": game.options.ruleset,
        "round": game.round,
        "turn": game.turn,
        "created_at": rfc3339(game.created_at),
        "last_event_at": rfc3339(game.at),
        "next_deadline": _moment(next_deadline(game)),
        "overdue_since": {kind: _since(at, kind, game.id) for kind in JOBS},
        "seats": [
            holder
            and {
                "seat": number,
                "player": holder.player,
                "kind": holder.kind,
                "controller": holder.controller,
                "timeouts": holder.timeouts,
                "bank_ms": holder.bank_ms,
                "owes": [str(decision.key) for decision in owed if decision.seat == number],
            }
            for number, holder in enumerate(game.seats)
        ],
        "events": [
            {name: envelope[name] for name in ("seq", "type", "at", "by")} for envelope in log[-EVENTS_SHOWN:]
        ],
    }


def _since(at: Connection, kind: Kind, game: str) -> str | None:
    late = {name: since_ms for since_ms, name in at.store.late(kind, now(), _LATE_MOST)}
    return rfc3339(Millis(late[game])) if game in late else None


def _moment(moment: Millis | None) -> str | None:
    return None if moment is None else rfc3339(moment)
