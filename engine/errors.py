"""What the rules answer instead of events: a refusal with its published code."""

from __future__ import annotations

from typing import Any, Final

CODES: Final[dict[str, str]] = {
    "already_answered": "This decision was answered before, and this table does not let an answer change.",
    "bad_options": "The options of the game do not fit together or lie outside their bounds.",
    "bot_level_unknown": "There is no house bot of that level.",
    "bots_not_accepted": "A bot sits at this table; join with accept_bots to play with it.",
    "card_not_in_hand": "The card is not in the hand that answers.",
    "client_seed_invalid": "A client seed is 1 to 64 hexadecimal characters.",
    "decision_closed": "This decision is over; nothing can be changed about it.",
    "decision_not_open": "This decision is not open now.",
    "game_full": "Every seat of this game is taken.",
    "game_not_playing": "The game is not being played.",
    "game_over": "The game is over.",
    "game_started": "The game has started; this belongs before the start.",
    "mode_not_legal": "That way of placing the card is not legal on that row.",
    "no_row_choice": "No row choice is asked of this seat.",
    "not_enough_players": "Every seat must be taken and every player ready before the game can start.",
    "not_host": "Only the host of the game may do this.",
    "not_seated": "You hold no seat in this game.",
    "position_impossible": "The position cannot occur in this game.",
    "row_out_of_range": "There is no row of that number.",
    "ruleset_unknown": "There is no rule set of that name.",
    "seat_out_of_range": "There is no seat of that number in this game.",
    "seat_taken": "The seat is taken.",
    "already_seated": "You hold a seat in this game.",
}
"""Every code a `Refusal` may carry, with the sentence that explains it."""


class Refusal(Exception):
    """The rules say no, and nothing has changed.

    `code` is one of `CODES`; `detail` says what was wrong and what would be right; `legal` lists what would be accepted
    now, where that helps; `pointers` name the offending fields of the request as JSON Pointers.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        legal: dict[str, Any] | None = None,
        pointers: tuple[str, ...] = (),
    ) -> None:
        self.code = code
        self.detail = detail or CODES[code]
        self.legal = legal
        self.pointers = pointers
        super().__init__(f"{code}: {self.detail}")
