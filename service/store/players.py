"""Players and their tokens, and which games they sit in: what every store of them promises.

A token is 256 random bits that its owner sees once; the store keeps its SHA-256, which nobody can turn back, so finding a
token by its digest gives nothing away.  All times are milliseconds since the epoch.
"""

import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, Protocol

TOKENS_MAX = 20
"""How many tokens one player may have at a time."""

FIRST_TOKEN = "first"  # noqa: S105  # the name of a token, not a token
"""What the token is called that a new player is given."""

USED_TO_MS = 60_000
"""To how many milliseconds the last use of a token is known; so one that is used all the time is noted once a minute."""

BOTS_MAX = 20
"""How many bots one player may own at a time."""

BEGUN_MS = 60_000
"""After so long a bot, or a game, that was noted and never came is forgotten."""

SEATING_MS = 10_000
"""How long who seats a player keeps others from doing so, at most: longer than it takes."""

ENTERED_MOST = 200
"""How many games are known in the order in which a player entered them."""

PlayerKind = Literal["human", "bot"]
"""Who plays: a person at some front end, or a program of somebody's."""

Invitations = Literal["owner", "anyone"]
"""Who may seat a bot at a table of theirs."""


Games = Literal["all", "active", "listed"]
"""Which games of a player: all, those that are not over, those that others may find."""


class LastToken(Exception):
    """The player has no other token; without any nobody could act for it again."""


class TooManyTokens(Exception):
    """The player has `TOKENS_MAX` tokens; one must be revoked before another is issued."""


class TooManyBots(Exception):
    """The player owns `BOTS_MAX` bots; one must go before another is made."""


class TooManyGames(Exception):
    """The player holds as many seats in games that are not over as it may: `most` of them, a bot by its own promise."""

    def __init__(self, most: int) -> None:
        """Keep how many they are."""
        super().__init__(most)
        self.most = most


@dataclass(frozen=True, slots=True)
class Player:
    """Who may hold seats; the id is public and never changes, the name is for people.

    A bot may have an `owner`, the id of a person. It plays at most `most_games` at a time, if it has promised that.
    """

    id: str
    name: str
    kind: PlayerKind
    created_ms: int
    owner: str | None = None
    most_games: int | None = None
    invitations: Invitations = "owner"


@dataclass(frozen=True, slots=True)
class Token:
    """What can be shown of a token: its id, the name its owner gave it, since when it is good, and its last use.

    The use is rounded down to `USED_TO_MS`; None for a token that was never used.
    """

    id: str
    name: str
    created_ms: int
    used_ms: int | None = None


class Players(Protocol):
    """The players of the service.  Every method may raise `service.store.connect.Unavailable`; all may be repeated."""

    def create(self, player: Player, token: str, token_name: str) -> None:
        """Keep a player with a first token; a player that is there already, and its token, stay as they are."""
        ...

    def get(self, player_id: str) -> Player | None:
        """Return a player, or None for an unknown id."""
        ...

    def change(
        self,
        player_id: str,
        *,
        name: str | None = None,
        most_games: int | None = None,
        invitations: Invitations | None = None,
    ) -> Player | None:
        """Change what is given of a player and return the player; None for an unknown id."""
        ...

    def remove(self, player_id: str) -> None:
        """Forget a player, whose tokens end at once; whoever waits as the player is woken.  Its games stay."""
        ...

    def own_bot(self, owner_id: str, bot_id: str, now_ms: int) -> None:
        """Note that a player owns a bot, which is about to be made.  Raises TooManyBots, whoever makes others meanwhile."""
        ...

    def disown_bot(self, owner_id: str, bot_id: str) -> None:
        """Forget that a player owns a bot."""
        ...

    def bots(self, owner_id: str, now_ms: int) -> list[Player]:
        """Return the bots that a player owns, oldest first; forgets those that never came."""
        ...

    def find(self, token: str, now_ms: int | None = None) -> Player | None:
        """Return whose token this is, or None when it never was one or has been revoked: from that moment on.

        With `now_ms` that is its use at this moment, and is noted; unless the store is full, which keeps nobody out.
        """
        ...

    def issue(self, player_id: str, token: str, name: str, created_ms: int) -> Token:
        """Make one more token good; one that is good already stays as it is.

        Raises TooManyTokens, and LookupError for an unknown player.
        """
        ...

    def tokens(self, player_id: str) -> list[Token]:
        """Return a player's good tokens, oldest first."""
        ...

    def revoke(self, player_id: str, token_id: str, *, last: bool = False) -> bool:
        """End a player's token at once; False when the player has no such token.  Whoever waits as the player is woken.

        Raises LastToken when the player has no other, whoever revokes others at the same time, unless it may be the `last`.
        """
        ...

    def add_game(
        self, player_id: str, game: str, created_ms: int, most: int | None = None, *, is_listed: bool = True
    ) -> None:
        """Note that a player takes a seat, and wake whoever waits for this player.

        Whether the game `is_listed` says if others may find it among the player's games.  Called before the game's own
        append, so that no seat is ever missed; a reader must bear a game that never came.
        With `most` it raises TooManyGames when the game would be one more than so many that are not over, or than a bot has
        promised, whoever else asks at this moment.
        """
        ...

    def begin_seat(self, player_id: str, nonce: str) -> bool:
        """Keep all others from seating this player, until `end_seat` or for `SEATING_MS`; False while others do so."""
        ...

    def end_seat(self, player_id: str, nonce: str) -> None:
        """Let others seat the player."""
        ...

    def list_game(self, player_id: str, game: str, created_ms: int, *, is_listed: bool) -> None:
        """Note whether others may find a game of the player."""
        ...

    def end_game(self, player_id: str, game: str) -> None:
        """Note that a game is over for a player: it stays among all games, but is active no more."""
        ...

    def drop_game(self, player_id: str, game: str) -> None:
        """Forget that a player had a seat: one who left in the lobby, or a game that never came."""
        ...

    def entered(self, player_id: str) -> list[tuple[int, str]]:
        """Return the last `ENTERED_MOST` games that a player has entered, numbered in that order, the last one at the end.

        Numbers only grow, for ever; a game keeps its own until it is dropped, also after its end.
        """
        ...

    def games_of(
        self, player_id: str, limit: int, before: tuple[int, str] | None = None, *, of: Games = "all"
    ) -> list[tuple[int, str]]:
        """Return at most `limit` pairs `(created_ms, game)`, newest first, from below `before` on."""
        ...


def new_player_id() -> str:
    """Return `p_` and 128 random bits as 26 small letters and digits."""
    return _player_id(secrets.token_bytes(16))


def new_token() -> str:
    """Return `t5_` and 256 random bits as 43 characters of URL-safe base64."""
    return _token(secrets.token_bytes(32))


def derived_player_id(key: str, salt: bytes) -> str:
    """Return the player id that a secret idempotency key and the salt kept for it always give; shaped like any other."""
    return _player_id(_derived(key, b"player/" + salt)[:16])


def derived_token(key: str, salt: bytes) -> str:
    """Return the token that a secret idempotency key and the salt kept for it always give.

    Whoever knows the salt alone, as the store does, cannot make it; so a repeated request gets its token again, although
    only its digest is kept.
    """
    return _token(_derived(key, b"token/" + salt))


def digest(token: str) -> str:
    """Return what is kept of a token: its SHA-256 in hexadecimal."""
    return sha256(token.encode()).hexdigest()


def token_id(token: str) -> str:
    """Return the id under which a token is listed and revoked."""
    return digest_id(digest(token))


def digest_id(of_token: str) -> str:
    """Return the id of the token with this digest: its first 64 bits, which lead nowhere."""
    return f"k_{of_token[:16]}"


def minute(now_ms: int) -> int:
    """Return a moment as the use of a token is noted: rounded down to `USED_TO_MS`."""
    return now_ms - now_ms % USED_TO_MS


def _derived(key: str, message: bytes) -> bytes:
    return hmac.digest(key.encode(), message, "sha256")


def _player_id(bits: bytes) -> str:
    return "p_" + b32encode(bits).decode().rstrip("=").lower()


def _token(bits: bytes) -> str:
    return "t5_" + urlsafe_b64encode(bits).decode().rstrip("=")
