"""What an operator sees of a player, and may do to one who misuses the service: no token is shown, and none is made."""

from __future__ import annotations

import json
from typing import Final

import click
from marshmallow import ValidationError

from engine.times import Millis, rfc3339
from service.schemas.fields import Name
from service.store.moments import now
from service.store.players import Player
from take5.stores import StoresCommand
from worker.connection import Connection

GAMES_SHOWN: Final = 100


@click.command(cls=StoresCommand)
@click.argument("player_id", metavar="ID")
@click.pass_obj
def player(at: Connection, *, player_id: str) -> None:
    """Show as JSON who a player is: name and kind, how many tokens, the games that are not over, the bots."""
    found = _found(at, player_id)
    tokens = at.players.tokens(player_id)
    used_ms = max((token.used_ms or 0 for token in tokens), default=0)
    active = at.players.games_of(player_id, GAMES_SHOWN + 1, of="active")
    shown = {
        "player": found.id,
        "name": found.name,
        "kind": found.kind,
        "owner": found.owner,
        "created_at": rfc3339(Millis(found.created_ms)),
        "tokens": len(tokens),
        "last_used_at": rfc3339(Millis(used_ms)) if used_ms else None,
        "active_games": [game for _, game in active[:GAMES_SHOWN]],
        "has_more_games": len(active) > GAMES_SHOWN,
        "bots": [bot.id for bot in at.players.bots(player_id, now())],
    }
    click.echo(json.dumps(shown, indent=2))


@click.command(cls=StoresCommand)
@click.argument("player_id", metavar="ID")
@click.option("--bots", is_flag=True, help="The bots that the player owns as well.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def shut_out(at: Connection, *, player_id: str, bots: bool, yes: bool) -> None:
    """End all tokens of a player for good, with every stream and held request; nobody can act for it again."""
    found = _found(at, player_id)
    owned = at.players.bots(player_id, now())
    if not yes:
        also = f", and of {len(owned)} bots" if bots else ""
        click.confirm(f"End all tokens of {found.id}, {found.name}{also}, for good?", abort=True)
    for one in (found, *(owned if bots else ())):
        click.echo(f"{one.id} is shut out: {_end_tokens(at, one)} tokens ended.")
    if owned and not bots:
        click.echo(f"Its {len(owned)} bots go on; --bots shuts them out as well.")


@click.command(cls=StoresCommand)
@click.argument("player_id", metavar="ID")
@click.argument("name")
@click.pass_obj
def rename(at: Connection, *, player_id: str, name: str) -> None:
    """Give a player another name, for whatever comes; logs of games keep the one that was there."""
    try:
        wanted = Name().deserialize(name)
    except ValidationError as error:
        raise click.BadParameter(" ".join(map(str, error.messages)), param_hint="NAME") from error
    _found(at, player_id)
    at.players.change(player_id, name=wanted)
    click.echo(f"{player_id} is called {wanted} now.")


def _found(at: Connection, player_id: str) -> Player:
    found = at.players.get(player_id)
    if found is None:
        raise click.ClickException(f"There is no player {player_id}.")
    return found


def _end_tokens(at: Connection, player: Player) -> int:
    """How many tokens were good and are not; those that the player gets meanwhile end as well."""
    ended = 0
    while tokens := at.players.tokens(player.id):
        ended += sum(at.players.revoke(player.id, token.id, last=True) for token in tokens)
    return ended
