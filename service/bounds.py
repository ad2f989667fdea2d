"""How much there may be of everything that a client can send or have kept, and the code that says where it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.agreements import MOST_VOTES
from engine.cards import HIGHEST
from service.config import Config
from service.lines import HEAD_MOST
from service.schemas.base import PAGE_MOST
from service.schemas.fields import Name
from service.store.idempotency import KEPT_MAX
from service.store.players import BOTS_MAX, TOKENS_MAX

REQUEST_LINE_BYTES: Final = 4094
HEADERS: Final = 100
HEADER_BYTES: Final = 8190
"""What the server reads of a request before its body."""

BODY_DEPTH: Final = 32
"""How many arrays and objects may stand inside each other; the deepest body of the API has five."""

KEY_CHARACTERS: Final = 255


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound: of what, how much, which code answers what goes beyond, and what it means."""

    name: str
    most: int
    code: str
    about: str


def bounds_of(config: Config) -> tuple[Bound, ...]:
    """Return every bound in force."""
    return (
        Bound("request_line_bytes", REQUEST_LINE_BYTES, "uri_too_long", "Method and address of a request."),
        Bound("headers", HEADERS, "headers_too_large", "Headers of a request."),
        Bound("head_bytes", HEAD_MOST, "headers_too_large", "All of a request before its body."),
        Bound("header_bytes", HEADER_BYTES, "headers_too_large", "One header."),
        Bound("body_bytes", config.body_limit_bytes, "body_too_large", "The body of a request."),
        Bound("body_depth", BODY_DEPTH, "malformed_json", "Arrays and objects inside each other."),
        Bound("page_items", PAGE_MOST, "page_too_large", "Items in a page of a list."),
        Bound("name_characters", Name.LONGEST, "name_too_long", "The name of a player, or of a token."),
        Bound("plan_cards", HIGHEST, "plan_too_long", "Cards in a plan for a draft."),
        Bound("idempotency_key_characters", KEY_CHARACTERS, "idempotency_key_invalid", "An idempotency key."),
        Bound(
            "idempotency_keys",
            KEPT_MAX,
            "too_many_idempotency_keys",
            "Keys of a player whose answers are kept.",
        ),
        Bound("tokens", TOKENS_MAX, "too_many_tokens", "Good tokens of a player."),
        Bound("bots", BOTS_MAX, "too_many_bots", "Bots of a person."),
        Bound("games", config.games_per_player, "too_many_games", "Games that are not over with one player."),
        Bound(
            "games_a_day", config.games_per_day, "too_many_new_games", "Games created by a player in a day."
        ),
        Bound(
            "players_a_day",
            config.players_per_day,
            "too_many_new_players",
            "Players created from an address, or bots by a person, in a day.",
        ),
        Bound(
            "changes_an_hour",
            config.changes_per_hour,
            "too_many_changes",
            "Changes by one player of a game beside its course in an hour: of its lobby, of a laid card, of being away, "
            "and votes.",
        ),
        Bound("votes", MOST_VOTES, "too_many_votes", "Votes in a game."),
        Bound(
            "waiting",
            config.max_waiting_each,
            "waiting_limited",
            "Requests of a client that are held at a time.",
        ),
        Bound("streams", config.max_streams_per_token, "too_many_streams", "Streams of a token at a time."),
        Bound(
            "address_streams",
            config.max_streams_per_address,
            "too_many_streams",
            "Streams of an address at a time.",
        ),
    )
