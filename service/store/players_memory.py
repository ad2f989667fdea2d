"""Players in this process's memory: for tests and for trying things out; gone when the process ends."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock

from service.store.players import (
    BEGUN_MS,
    BOTS_MAX,
    ENTERED_MOST,
    TOKENS_MAX,
    Games,
    Invitations,
    LastToken,
    Player,
    Token,
    TooManyBots,
    TooManyGames,
    TooManyTokens,
    digest,
    digest_id,
    minute,
)


@dataclass(slots=True)
class _Kept:
    """One player's row: changed under the lock only."""

    player: Player | None
    tokens: dict[str, Token] = field(default_factory=dict[str, Token])
    games: dict[str, int] = field(default_factory=dict[str, int])
    active: set[str] = field(default_factory=set[str])
    listed: set[str] = field(default_factory=set[str])
    bots: dict[str, int] = field(default_factory=dict[str, int])
    seating: str | None = None
    entered: dict[str, int] = field(default_factory=dict[str, int])
    entries: int = 0


class MemoryPlayers:
    """`Players` in memory, safe to share between threads; `notify` is told the player of every `add_game`, `revoke`
    and `remove`.
    """

    def __init__(self, notify: Callable[[str], None] | None = None) -> None:
        """Begin with no players."""
        self._notify = notify
        self._lock = Lock()
        self._kept: dict[str, _Kept] = {}
        self._owners: dict[str, str] = {}

    def create(self, player: Player, token: str, token_name: str) -> None:
        """Keep a player with a first token; see `Players.create`."""
        with self._lock:
            self._kept.setdefault(player.id, _Kept(player))
        self.issue(player.id, token, token_name, player.created_ms)

    def get(self, player_id: str) -> Player | None:
        """Return a player; see `Players.get`."""
        with self._lock:
            kept = self._kept.get(player_id)
            return kept.player if kept else None

    def change(
        self,
        player_id: str,
        *,
        name: str | None = None,
        most_games: int | None = None,
        invitations: Invitations | None = None,
    ) -> Player | None:
        """Change what is given of a player; see `Players.change`."""
        with self._lock:
            kept = self._kept.get(player_id)
            if kept is None or kept.player is None:
                return None
            kept.player = replace(
                kept.player,
                name=name or kept.player.name,
                most_games=most_games or kept.player.most_games,
                invitations=invitations or kept.player.invitations,
            )
            return kept.player

    def remove(self, player_id: str) -> None:
        """Forget a player, tokens and all; see `Players.remove`."""
        with self._lock:
            kept = self._kept.get(player_id)
            if kept is not None:
                kept.player = None
                for of_token in kept.tokens:
                    del self._owners[of_token]
                kept.tokens.clear()
        self._tell(player_id)

    def own_bot(self, owner_id: str, bot_id: str, now_ms: int) -> None:
        """Note that a player owns a bot; see `Players.own_bot`."""
        with self._lock:
            bots = self._kept[owner_id].bots
            if len(bots) >= BOTS_MAX and bot_id not in bots:
                raise TooManyBots
            bots.setdefault(bot_id, now_ms)

    def disown_bot(self, owner_id: str, bot_id: str) -> None:
        """Forget that a player owns a bot; see `Players.disown_bot`."""
        with self._lock:
            self._kept[owner_id].bots.pop(bot_id, None)

    def bots(self, owner_id: str, now_ms: int) -> list[Player]:
        """Return the bots that a player owns; see `Players.bots`."""
        with self._lock:
            kept = self._kept.get(owner_id)
            noted = sorted(kept.bots.items(), key=lambda bot: (bot[1], bot[0])) if kept else []
        found: list[Player] = []
        for bot_id, noted_ms in noted:
            bot = self.get(bot_id)
            if bot is not None:
                found.append(bot)
            elif now_ms - noted_ms > BEGUN_MS:
                self.disown_bot(owner_id, bot_id)
        return found

    def find(self, token: str, now_ms: int | None = None) -> Player | None:
        """Return whose token this is; see `Players.find`."""
        of_token = digest(token)
        with self._lock:
            owner = self._owners.get(of_token)
            if owner is None:
                return None
            kept = self._kept[owner]
            if now_ms is not None:
                used_ms = max(minute(now_ms), kept.tokens[of_token].used_ms or 0)
                kept.tokens[of_token] = replace(kept.tokens[of_token], used_ms=used_ms)
            return kept.player

    def issue(self, player_id: str, token: str, name: str, created_ms: int) -> Token:
        """Make one more token good; see `Players.issue`."""
        of_token = digest(token)
        with self._lock:
            kept = self._kept.get(player_id)
            if kept is None or kept.player is None:
                raise LookupError(player_id)
            tokens = kept.tokens
            if of_token not in tokens and len(tokens) >= TOKENS_MAX:
                raise TooManyTokens
            self._owners[of_token] = player_id
            return tokens.setdefault(of_token, Token(digest_id(of_token), name, created_ms))

    def tokens(self, player_id: str) -> list[Token]:
        """Return a player's good tokens; see `Players.tokens`."""
        with self._lock:
            kept = self._kept.get(player_id)
            return (
                sorted(kept.tokens.values(), key=lambda token: (token.created_ms, token.id)) if kept else []
            )

    def revoke(self, player_id: str, token_id: str, *, last: bool = False) -> bool:
        """End a player's token; see `Players.revoke`."""
        with self._lock:
            tokens = self._kept[player_id].tokens if player_id in self._kept else {}
            found = [of_token for of_token, token in tokens.items() if token.id == token_id]
            if not found:
                return False
            if len(tokens) == 1 and not last:
                raise LastToken
            del self._owners[found[0]], tokens[found[0]]
        self._tell(player_id)
        return True

    def add_game(
        self, player_id: str, game: str, created_ms: int, most: int | None = None, *, is_listed: bool = True
    ) -> None:
        """Note that a player takes a seat; see `Players.add_game`."""
        with self._lock:
            kept = self._kept[player_id]
            if most is not None and game not in kept.active:
                promised = kept.player.most_games if kept.player else None
                most = min(most, promised or most)
                if len(kept.active) >= most:
                    raise TooManyGames(most)
            kept.games[game] = created_ms
            kept.active.add(game)
            if game not in kept.entered:
                kept.entries += 1
                kept.entered[game] = kept.entries
                if len(kept.entered) > ENTERED_MOST:
                    del kept.entered[next(iter(kept.entered))]
            (kept.listed.add if is_listed else kept.listed.discard)(game)
        self._tell(player_id)

    def begin_seat(self, player_id: str, nonce: str) -> bool:
        """Keep all others from seating this player; see `Players.begin_seat`."""
        with self._lock:
            kept = self._kept[player_id]
            if kept.seating not in (None, nonce):
                return False
            kept.seating = nonce
            return True

    def end_seat(self, player_id: str, nonce: str) -> None:
        """Let others seat the player; see `Players.end_seat`."""
        with self._lock:
            if self._kept[player_id].seating == nonce:
                self._kept[player_id].seating = None

    def _tell(self, player_id: str) -> None:
        if self._notify:
            self._notify(player_id)

    def list_game(self, player_id: str, game: str, created_ms: int, *, is_listed: bool) -> None:
        """Note whether others may find a game of the player; see `Players.list_game`."""
        with self._lock:
            listed = self._kept[player_id].listed
            (listed.add if is_listed else listed.discard)(game)

    def end_game(self, player_id: str, game: str) -> None:
        """Note that a game is over for a player; see `Players.end_game`."""
        with self._lock:
            self._kept[player_id].active.discard(game)

    def drop_game(self, player_id: str, game: str) -> None:
        """Forget that a player had a seat; see `Players.drop_game`."""
        with self._lock:
            kept = self._kept[player_id]
            kept.games.pop(game, None)
            kept.entered.pop(game, None)
            kept.active.discard(game)
            kept.listed.discard(game)

    def entered(self, player_id: str) -> list[tuple[int, str]]:
        """Return the games that a player entered last; see `Players.entered`."""
        with self._lock:
            kept = self._kept.get(player_id)
            return [(number, game) for game, number in kept.entered.items()] if kept else []

    def games_of(
        self, player_id: str, limit: int, before: tuple[int, str] | None = None, *, of: Games = "all"
    ) -> list[tuple[int, str]]:
        """Return a player's games, newest first; see `Players.games_of`."""
        with self._lock:
            kept = self._kept.get(player_id)
            if kept is None:
                return []
            wanted = {"all": kept.games.keys(), "active": kept.active, "listed": kept.listed}[of]
            found = [(at, game) for game, at in kept.games.items() if game in wanted]
        return heapq.nlargest(limit, (pair for pair in found if before is None or pair < before))
