"""The published codes of every refusal: one table from code to status, title and explanation.

Clients decide by `code`, so a code never changes its meaning; the rest of a problem document may be reworded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine import errors


@dataclass(frozen=True, slots=True)
class Code:
    """What one code stands for: its HTTP status, a title that never changes, and a sentence that explains it."""

    status: int
    title: str
    meaning: str


_HTTP: Final[dict[str, Code]] = {
    "bad_request": Code(
        400, "Bad request", "The request is not well-formed HTTP, or a header of it cannot be read."
    ),
    "malformed_json": Code(
        400,
        "Malformed JSON",
        "The body is not one JSON value in UTF-8. Duplicate keys, NaN, Infinity and very deep nesting are refused too.",
    ),
    "body_not_expected": Code(
        400, "Body not expected", "This route takes no body. Send none, or the empty object `{}`."
    ),
    "token_required": Code(401, "Token required", "This route needs `Authorization: Bearer <token>`."),
    "token_invalid": Code(401, "Token invalid", "The token is malformed, unknown or revoked."),
    "forbidden": Code(403, "Forbidden", "Your token does not allow this."),
    "not_found": Code(404, "Not found", "There is nothing at this address; /docs lists all there is."),
    "bot_not_found": Code(404, "Bot not found", "You own no bot of that id."),
    "bots_own_nothing": Code(403, "Bots own nothing", "Bots belong to people; this is the token of a bot."),
    "game_not_found": Code(404, "Game not found", "There is no such game, or you may not see it."),
    "other_seat": Code(
        403, "Another seat", "While the game is played you may look as your own seat, or as the public."
    ),
    "decision_not_found": Code(404, "Decision not found", "There is no such decision, or it is not yours."),
    "ruleset_not_found": Code(404, "Rule set not found", "There is no rule set of that name."),
    "token_not_found": Code(404, "Token not found", "You have no token of that id."),
    "method_not_allowed": Code(
        405, "Method not allowed", "This address does not know the method; `Allow` lists those that it knows."
    ),
    "not_acceptable": Code(
        406, "Not acceptable", "This address cannot answer in any of the types in `Accept`."
    ),
    "request_timeout": Code(408, "Request timeout", "The request took too long to arrive."),
    "conflict": Code(409, "Conflict", "The request does not fit what is there now."),
    "game_not_over": Code(409, "Game not over", "This is to be had once the game is over."),
    "idempotency_key_running": Code(
        409,
        "Request still running",
        "A request with this Idempotency-Key is still running; ask again in a moment.",
    ),
    "last_token": Code(
        409, "Last token", "This is your last token: without it nobody could act for you any more."
    ),
    "own_token": Code(
        409,
        "Own token",
        "This is the token that you are asking with. Ask with another one, or say `?own=true` if you mean it.",
    ),
    "bot_busy": Code(409, "Bot busy", "The bot plays in as many games as it has promised to play at a time."),
    "too_many_bots": Code(409, "Too many bots", "You own as many bots as a player may; give one up first."),
    "too_many_games": Code(
        409,
        "Too many games",
        "You sit in as many games that are not over as a player may; end or leave one first.",
    ),
    "too_many_tokens": Code(
        409, "Too many tokens", "You hold as many tokens as a player may; revoke one first."
    ),
    "gone": Code(410, "Gone", "What was here has been removed for good."),
    "precondition_failed": Code(412, "Precondition failed", "A condition in the headers does not hold."),
    "body_too_large": Code(
        413, "Body too large", "The body is larger than the limit published at /v1/limits."
    ),
    "uri_too_long": Code(414, "Address too long", "The address of the request is too long."),
    "bot_unknown": Code(422, "Unknown bot", "There is no bot of that id that you may seat."),
    "unsupported_media_type": Code(
        415,
        "Unsupported media type",
        "Bodies are `application/json` in UTF-8, said by `Content-Type`, uncompressed.",
    ),
    "range_not_satisfiable": Code(
        416, "Range not satisfiable", "There is nothing in the range that was asked for."
    ),
    "invalid_request": Code(
        422,
        "Invalid request",
        "Some fields or arguments are missing, unknown or wrong; `errors` names each of them.",
    ),
    "name_too_long": Code(422, "Name too long", "A name is longer than the bound published at /v1/limits."),
    "page_too_large": Code(
        422, "Page too large", "A page cannot have so many items; the bound is published at /v1/limits."
    ),
    "plan_too_long": Code(
        422, "Plan too long", "A plan cannot have so many cards: there are fewer in the deck."
    ),
    "invalid_cursor": Code(
        422, "Invalid cursor", "The cursor was not made by this list. Start again without a cursor."
    ),
    "idempotency_key_invalid": Code(
        422,
        "Invalid Idempotency-Key",
        "A key is 1 to 255 printable ASCII characters without spaces; without a token it needs at least 22 random ones.",
    ),
    "idempotency_key_reused": Code(
        422, "Idempotency-Key reused", "This Idempotency-Key was used for another request. Take a new key."
    ),
    "rate_limited": Code(
        429, "Too many requests", "You ask too often; `Retry-After` says when to ask again."
    ),
    "reading_limited": Code(
        429,
        "Too many requests",
        "You read more at the same time than the rate at /v1/limits; one request after the other is never refused.",
    ),
    "laying_limited": Code(
        429,
        "Too many answers",
        "You answer more decisions at the same time than the rate at /v1/limits; one after the other is never refused.",
    ),
    "writing_limited": Code(
        429,
        "Too many changes",
        "You change more at the same time than the rate at /v1/limits; one request after the other is never refused.",
    ),
    "creating_limited": Code(
        429,
        "Too much created",
        "You create more at the same time than the rate at /v1/limits; one request after the other is never refused.",
    ),
    "streams_limited": Code(
        429,
        "Too many streams opened",
        "You open more streams at the same time than the rate at /v1/limits; one after the other is never refused.",
    ),
    "exports_limited": Code(
        429,
        "Too many downloads",
        "You download more at the same time than the rate at /v1/limits; one file after the other is never refused.",
    ),
    "too_many_new_games": Code(
        429, "Too many new games", "You have created as many games as a player may in a day; come back later."
    ),
    "too_many_new_players": Code(
        429,
        "Too many new players",
        "As many players have been created from your address as may be in a day; come back later.",
    ),
    "too_many_changes": Code(
        429,
        "Too many changes of a game",
        "You have changed this game as often as a player may in an hour. Its decisions you can answer all the same.",
    ),
    "too_many_idempotency_keys": Code(
        429,
        "Too many idempotency keys",
        "As many of your keys are kept as may be; send the request without one, or when the oldest has been forgotten.",
    ),
    "waiting_limited": Code(
        429,
        "Too many wait",
        "As many of your requests are being held as one client may have. Ask without `wait`, or when one of them is over.",
    ),
    "too_many_streams": Code(
        429,
        "Too many streams",
        "Your token, or your address, holds as many streams as it may (see /v1/limits). End one of them first.",
    ),
    "headers_too_large": Code(431, "Headers too large", "The headers of the request are too large."),
    "internal_error": Code(
        500, "Internal error", "Something broke on our side. The `request_id` helps us to find out what."
    ),
    "not_implemented": Code(501, "Not implemented", "The service does not know how to do this."),
    "unavailable": Code(
        503,
        "Unavailable",
        "The store cannot be reached at the moment. Nothing is lost; repeat the request after `Retry-After`.",
    ),
    "store_full": Code(
        503,
        "Store full",
        "The store has no room for anything new at the moment. What is there can be read; nothing of your request was done, "
        "so repeat it after `Retry-After`.",
    ),
    "too_many_waiting": Code(
        503,
        "Too many are waiting",
        "Too many requests are being held already. Ask again soon, or without `wait`.",
    ),
    "no_stream_free": Code(
        503,
        "No stream is free",
        "The service keeps as many streams open as it can. Ask again after `Retry-After`, or poll with `wait`.",
    ),
}

_RULES: Final[dict[str, tuple[int, str]]] = {
    "already_answered": (409, "Already answered"),
    "already_seated": (409, "Already seated"),
    "bad_options": (422, "Bad options"),
    "bot_level_unknown": (422, "Unknown bot level"),
    "bots_not_accepted": (409, "Bots not accepted"),
    "card_not_in_draft": (422, "Card not in the draft"),
    "card_not_in_hand": (422, "Card not in hand"),
    "client_seed_invalid": (422, "Invalid client seed"),
    "decision_closed": (409, "Decision closed"),
    "decision_not_open": (409, "Decision not open"),
    "game_full": (409, "Game full"),
    "game_not_playing": (409, "Game not playing"),
    "game_over": (409, "Game over"),
    "game_paused": (409, "Game paused"),
    "game_started": (409, "Game started"),
    "if_low_not_allowed": (422, "No row in advance"),
    "mode_not_legal": (422, "Mode not legal"),
    "no_row_choice": (409, "No row choice"),
    "not_a_voter": (403, "Not a voter"),
    "not_enough_players": (409, "Not enough players"),
    "not_host": (403, "Not the host"),
    "not_seated": (403, "Not seated"),
    "not_your_pick": (409, "Not your pick"),
    "position_impossible": (422, "Impossible position"),
    "row_out_of_range": (422, "Row out of range"),
    "ruleset_unknown": (422, "Unknown rule set"),
    "seat_kept": (409, "Seat kept"),
    "seat_out_of_range": (422, "Seat out of range"),
    "seat_taken": (409, "Seat taken"),
    "too_many_votes": (409, "Too many votes"),
    "vote_not_possible": (409, "Vote not possible"),
    "vote_open": (409, "Vote open"),
    "vote_too_soon": (409, "Vote too soon"),
    "votes_off": (409, "No votes here"),
}
"""Status and title of what the rules refuse; the explanations are the engine's own."""

CODES: Final[dict[str, Code]] = _HTTP | {
    code: Code(status, title, errors.CODES[code])
    for code, (status, title) in _RULES.items()
    if code in errors.CODES
}
"""Every code that a problem document of this service can carry."""

_BY_STATUS: Final = {
    400: "bad_request",
    401: "token_required",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "request_timeout",
    409: "conflict",
    410: "gone",
    412: "precondition_failed",
    413: "body_too_large",
    414: "uri_too_long",
    415: "unsupported_media_type",
    416: "range_not_satisfiable",
    422: "invalid_request",
    429: "rate_limited",
    431: "headers_too_large",
    500: "internal_error",
    501: "not_implemented",
    503: "unavailable",
}


def code_for_status(status: int) -> str:
    """Return the code for an error that knows no more than its HTTP status; the general one of its hundred at worst."""
    return _BY_STATUS.get(status) or ("internal_error" if status >= 500 else "bad_request")
