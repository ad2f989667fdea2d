"""Players on Redis or Valkey: one hash a player, tokens included, beside a hint from each token to its owner.

Only the player's own hash says which tokens are good.  The hint is written before and removed after, so a crash leaves
at worst a hint to a token that is not there; and since an owner never changes, a process may remember it, which makes
finding a player one command.
"""

from contextlib import suppress
from typing import Any, cast

import orjson
from redis import Redis

from service.store import keys, newest, players_scripts as scripts
from service.store.connect import Unavailable, reaching
from service.store.players import (
    BEGUN_MS,
    BOTS_MAX,
    ENTERED_MOST,
    SEATING_MS,
    TOKENS_MAX,
    Games,
    Invitations,
    LastToken,
    Player,
    PlayerKind,
    Token,
    TooManyBots,
    TooManyGames,
    TooManyTokens,
    digest,
    digest_id,
    minute,
)

_REMEMBERED_MAX = 100_000
_LAST = -1
_FIELDS = ["name", "kind", "created_ms", "owner", "most_games", "invitations"]
_INDEXES = {"all": keys.player_games, "active": keys.player_active, "listed": keys.player_listed}
_MARK = "token:"  # before a token's digest, in the same hash
_USED = "used:"  # the same for its last use, if there was any


class RedisPlayers:
    """`Players` on a server that several processes share.  It owns no connection: the client does."""

    def __init__(self, client: Redis) -> None:
        """Use a client of `connect.games_client`."""
        self._client = client
        self._create = client.register_script(scripts.CREATE)
        self._change = client.register_script(scripts.CHANGE)
        self._issue = client.register_script(scripts.ISSUE)
        self._revoke = client.register_script(scripts.REVOKE)
        self._use = client.register_script(scripts.USE)
        self._remove = client.register_script(scripts.REMOVE)
        self._own_bot = client.register_script(scripts.OWN_BOT)
        self._add_game = client.register_script(scripts.ADD_GAME)
        self._begin_seat = client.register_script(scripts.BEGIN_SEAT)
        self._end_seat = client.register_script(scripts.END_SEAT)
        self._owners: dict[str, str] = {}

    @reaching()
    def create(self, player: Player, token: str, token_name: str) -> None:
        """Keep a player with a first token; see `Players.create`."""
        fields = {name: getattr(player, name) for name in _FIELDS}
        self._create(keys=[keys.player(player.id)], args=_given(fields))
        self.issue(player.id, token, token_name, player.created_ms)

    @reaching()
    def get(self, player_id: str) -> Player | None:
        """Return a player; see `Players.get`."""
        fields = self._client.hmget(keys.player(player_id), _FIELDS)
        return _player(player_id, cast("list[bytes | None]", fields))

    @reaching()
    def change(
        self,
        player_id: str,
        *,
        name: str | None = None,
        most_games: int | None = None,
        invitations: Invitations | None = None,
    ) -> Player | None:
        """Change what is given of a player; see `Players.change`."""
        given = _given({"name": name, "most_games": most_games, "invitations": invitations})
        if given:
            self._change(keys=[keys.player(player_id)], args=given)
        return self.get(player_id)

    @reaching()
    def remove(self, player_id: str) -> None:
        """Forget a player, tokens and all; see `Players.remove`."""
        hints = [keys.token(of_token) for of_token in _records(self._fields(player_id))]
        self._remove(keys=[keys.player(player_id)], args=[keys.WAKE, f"{player_id} 0"])
        for hint in hints:
            self._client.delete(hint)

    @reaching()
    def own_bot(self, owner_id: str, bot_id: str, now_ms: int) -> None:
        """Note that a player owns a bot; see `Players.own_bot`."""
        if not self._own_bot(keys=[keys.player_bots(owner_id)], args=[bot_id, now_ms, BOTS_MAX]):
            raise TooManyBots

    @reaching()
    def disown_bot(self, owner_id: str, bot_id: str) -> None:
        """Forget that a player owns a bot; see `Players.disown_bot`."""
        self._client.zrem(keys.player_bots(owner_id), bot_id)

    @reaching()
    def bots(self, owner_id: str, now_ms: int) -> list[Player]:
        """Return the bots that a player owns; see `Players.bots`."""
        noted = newest.scored(
            cast("Any", self._client.zrange(keys.player_bots(owner_id), 0, -1, withscores=True))
        )
        asked = self._client.pipeline(transaction=False)
        for _, bot_id in noted:
            asked.hmget(keys.player(bot_id), _FIELDS)
        found: list[Player] = []
        for (noted_ms, bot_id), fields in zip(noted, asked.execute(), strict=True):
            bot = _player(bot_id, fields)
            if bot is not None:
                found.append(bot)
            elif now_ms - noted_ms > BEGUN_MS:
                self.disown_bot(owner_id, bot_id)
        return found

    @reaching()
    def find(self, token: str, now_ms: int | None = None) -> Player | None:
        """Return whose token this is; see `Players.find`."""
        of_token = digest(token)
        owner = self._owner(of_token)
        if owner is None:
            return None
        found = self._client.hmget(keys.player(owner), [_MARK + of_token, _USED + of_token, *_FIELDS])
        record, used_ms, *fields = cast("list[bytes | None]", found)
        if not record:
            return None
        if now_ms is not None and int(used_ms or 0) < minute(now_ms):
            with suppress(Unavailable):  # a full store notes nothing, and must not keep anybody out for that
                self._note_use(owner, of_token, minute(now_ms))
        return _player(owner, fields)

    @reaching()
    def _note_use(self, owner: str, of_token: str, used_ms: int) -> None:
        self._use(keys=[keys.player(owner)], args=[_MARK + of_token, _USED + of_token, used_ms])

    def _owner(self, of_token: str) -> str | None:
        owner = self._owners.get(of_token)
        if owner is None:
            hint = cast("bytes | None", self._client.get(keys.token(of_token)))
            if hint is None:
                return None
            if len(self._owners) >= _REMEMBERED_MAX:
                self._owners.clear()
            owner = self._owners[of_token] = hint.decode()
        return owner

    @reaching()
    def issue(self, player_id: str, token: str, name: str, created_ms: int) -> Token:
        """Make one more token good; see `Players.issue`."""
        of_token = digest(token)
        self._client.set(keys.token(of_token), player_id)
        record = orjson.dumps({"name": name, "created_ms": created_ms})
        kept = self._issue(keys=[keys.player(player_id)], args=[_MARK, _MARK + of_token, record, TOKENS_MAX])
        if kept in (b"nobody", b"many"):
            self._client.delete(keys.token(of_token))
            raise TooManyTokens if kept == b"many" else LookupError(player_id)
        return _token(of_token, cast("bytes", kept), None)

    @reaching()
    def tokens(self, player_id: str) -> list[Token]:
        """Return a player's good tokens; see `Players.tokens`."""
        fields = self._fields(player_id)
        found = [
            _token(of_token, record, fields.get(_USED + of_token))
            for of_token, record in _records(fields).items()
        ]
        return sorted(found, key=lambda token: (token.created_ms, token.id))

    @reaching()
    def revoke(self, player_id: str, token_id: str, *, last: bool = False) -> bool:
        """End a player's token; see `Players.revoke`."""
        for of_token in _records(self._fields(player_id)):
            if digest_id(of_token) == token_id:
                told = f"{player_id} 0"
                revoked = self._revoke(
                    keys=[keys.player(player_id)],
                    args=[_MARK, _MARK + of_token, _USED + of_token, int(not last), keys.WAKE, told],
                )
                if revoked == _LAST:
                    raise LastToken
                self._client.delete(keys.token(of_token))
                return bool(revoked)
        return False

    def _fields(self, player_id: str) -> dict[str, bytes]:
        fields = cast("dict[bytes, bytes]", self._client.hgetall(keys.player(player_id)))
        return {name.decode(): kept for name, kept in fields.items()}

    @reaching()
    def add_game(
        self, player_id: str, game: str, created_ms: int, most: int | None = None, *, is_listed: bool = True
    ) -> None:
        """Note that a player takes a seat; see `Players.add_game`."""
        of_player = [
            keys.player(player_id),
            keys.player_games(player_id),
            keys.player_active(player_id),
            keys.player_entered(player_id),
            keys.player_listed(player_id),
        ]
        told = f"{player_id} {created_ms}"
        bound = -1 if most is None else most
        args: list[str | int] = [game, created_ms, bound, keys.WAKE, told, ENTERED_MOST, int(is_listed)]
        reached = cast("int", self._add_game(keys=of_player, args=args))
        if reached >= 0:
            raise TooManyGames(reached)

    @reaching()
    def begin_seat(self, player_id: str, nonce: str) -> bool:
        """Keep all others from seating this player; see `Players.begin_seat`."""
        return bool(self._begin_seat(keys=[keys.player_seating(player_id)], args=[nonce, SEATING_MS]))

    @reaching()
    def end_seat(self, player_id: str, nonce: str) -> None:
        """Let others seat the player; see `Players.end_seat`."""
        self._end_seat(keys=[keys.player_seating(player_id)], args=[nonce])

    @reaching()
    def list_game(self, player_id: str, game: str, created_ms: int, *, is_listed: bool) -> None:
        """Note whether others may find a game of the player; see `Players.list_game`."""
        listed = keys.player_listed(player_id)
        if is_listed:
            self._client.zadd(listed, {game: created_ms})
        else:
            self._client.zrem(listed, game)

    @reaching()
    def end_game(self, player_id: str, game: str) -> None:
        """Note that a game is over for a player; see `Players.end_game`."""
        self._client.zrem(keys.player_active(player_id), game)

    @reaching()
    def drop_game(self, player_id: str, game: str) -> None:
        """Forget that a player had a seat; see `Players.drop_game`."""
        pipe = self._client.pipeline()
        pipe.zrem(keys.player_games(player_id), game)
        pipe.zrem(keys.player_active(player_id), game)
        pipe.zrem(keys.player_entered(player_id), game)
        pipe.zrem(keys.player_listed(player_id), game)
        pipe.execute()

    @reaching()
    def entered(self, player_id: str) -> list[tuple[int, str]]:
        """Return the games that a player entered last; see `Players.entered`."""
        found = self._client.zrange(keys.player_entered(player_id), 0, -1, withscores=True)
        return [(number, game) for number, game in newest.scored(found) if game]

    @reaching()
    def games_of(
        self, player_id: str, limit: int, before: tuple[int, str] | None = None, *, of: Games = "all"
    ) -> list[tuple[int, str]]:
        """Return a player's games, newest first; see `Players.games_of`."""
        pipe = self._client.pipeline(transaction=False)
        newest.ask(pipe, _INDEXES[of](player_id), before, limit)
        return newest.merged(pipe.execute(), before, limit)


def _player(player_id: str, fields: list[bytes | None]) -> Player | None:
    name, kind, created_ms, owner, most_games, invitations = fields
    if name is None or kind is None or created_ms is None:
        return None
    return Player(
        player_id,
        name.decode(),
        cast("PlayerKind", kind.decode()),
        int(created_ms),
        owner.decode() if owner else None,
        int(most_games) if most_games else None,
        cast("Invitations", invitations.decode()) if invitations else "owner",
    )


def _given(fields: dict[str, str | int | None]) -> list[str | int]:
    """Return the fields that are not None, and their values, one after the other."""
    return [part for name, value in fields.items() if value is not None for part in (name, value)]


def _records(fields: dict[str, bytes]) -> dict[str, bytes]:
    """Return the records of a player's good tokens by their digests."""
    return {name.removeprefix(_MARK): kept for name, kept in fields.items() if name.startswith(_MARK)}


def _token(of_token: str, record: bytes, used_ms: bytes | None) -> Token:
    return Token(id=digest_id(of_token), used_ms=int(used_ms) if used_ms else None, **orjson.loads(record))
