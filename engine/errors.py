"""What the rules answer instead of events: a refusal with its published code."""

from __future__ import annotations

from typing import Any, Final

CODES: Final[dict[str, str]] = {
    "already_answered": "This decision was answered before, and this table does not let an answer change.",
    "bad_options": "The options of the game do not fit together or lie outside their bounds.",
    "bot_level_unknown": "There is no house bot of that level.",
    "bots_not_accepted": "Nobody plays with bots without having agreed to it, by `accept_bots`; not everybody here has.",
    "card_not_in_draft": "The card cannot be drafted: it is not in the open deck any more, or never was.",
    "card_not_in_hand": "The card is not in the hand that answers.",
    "client_seed_invalid": "A client seed is 1 to 64 hexadecimal characters.",
    "decision_closed": "This decision is over; nothing can be changed about it.",
    "decision_not_open": "This decision is not open now.",
    "game_full": "Every seat of this game is taken.",
    "game_not_playing": "The game is not being played.",
    "game_paused": "The game is paused; a vote to resume goes on with it.",
    "game_over": "The game is over.",
    "game_started": "The game has started; this belongs before the start.",
    "if_low_not_allowed": "This table does not let a row be chosen in advance.",
    "mode_not_legal": "That way of placing the card is not legal on that row.",
    "no_row_choice": "No row choice is asked of this seat.",
    "not_a_voter": "Only seated persons vote, and not the seat that a vote would replace.",
    "not_enough_players": "Every seat must be taken and every player ready before the game can start.",
    "not_host": "Only the host of the game may do this.",
    "not_seated": "You hold no seat in this game.",
    "not_your_pick": "Another seat picks first; you may give a plan for your own picks meanwhile.",
    "position_impossible": "The position cannot occur in this game.",
    "row_out_of_range": "There is no row of that number.",
    "ruleset_unknown": "There is no rule set of that name.",
    "seat_kept": "The seat is kept for a player of the game before.",
    "seat_out_of_range": "There is no seat of that number in this game.",
    "seat_taken": "The seat is taken.",
    "already_seated": "You hold a seat in this game.",
    "too_many_votes": "This game has had as many votes as a game can have.",
    "vote_not_possible": "There is nothing to vote on in that way now.",
    "vote_open": "Another vote is open.",
    "vote_too_soon": "The last vote failed a short while ago.",
    "votes_off": "This table was opened without votes.",
}
"""Every code a `Refusal` may carry, with the sentence that explains it."""


class Refusal(Exception):
    """The rules say no, and nothing has changed.

    `code` is one of `CODES`; `detail` says what was wrong and what would be right; `legal` lists what would be accepted
    now, where that helps; `pointers` name the offending fields of the request as JSON Pointers; `retry_after_ms` says
    when asking again makes sense, where time alone can change the answer.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        legal: dict[str, Any] | None = None,
        pointers: tuple[str, ...] = (),
        retry_after_ms: int | None = None,
    ) -> None:
        self.code = code
        self.detail = detail or CODES[code]
        self.legal = legal
        self.pointers = pointers
        self.retry_after_ms = retry_after_ms
        super().__init__(f"{code}: {self.detail}")
