"""The cards of a game as a table: one row for each that was placed, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

from engine.log import Envelope
from engine.scores import as_cell

COLUMNS: Final[dict[str, str]] = {
    "game": "the game",
    "round": "from 1",
    "attempt": "0, or how often the round was dealt again",
    "turn": "from 1",
    "order": "from 1: the place of the card among those of its turn",
    "seat": "from 0",
    "player": "who held the seat when the game began; empty for a house bot",
    "card": "1 to 104, or J0 to J9",
    "laid_by": "who laid it: player, bot, house; timeout, away, policy where the service did",
    "laid_at": "when it was laid",
    "row": "from 0, top to bottom",
    "position": "where in the row it came to lie, from 0",
    "why": "appended, sixth, too_low, joker",
    "chosen_by": "who chose the row, as in laid_by; empty where the rules left no choice",
    "captured": "the cards captured, apart by spaces",
    "bullheads": "what they count",
    "name": "what the holder of the seat was called when the game began, also a house bot",
}
"""What the columns hold, in their order."""


def placements_csv(envelopes: Iterable[Envelope]) -> bytes:
    """Return the placed cards of a log as CSV in UTF-8: a line with the names of the columns, then a line a card.

    Only what the cards on the table show is in it, so it is the same for every viewer.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_placements(envelopes))
    return text.getvalue().encode()


def _placements(envelopes: Iterable[Envelope]) -> Iterable[list[Any]]:
    players: list[str | None] = []
    names: dict[int, str] = {}
    attempt = order = 0
    laid: dict[int, Envelope] = {}
    chosen_by = ""
    for envelope in envelopes:
        data = envelope["data"]
        match envelope["type"]:
            case "seat.joined":
                names[data["seat"]] = as_cell(data["name"])
            case "game.started":
                players = data["players"]
            case "round.started":
                attempt = data["attempt"]
            case "turn.opened":
                order, laid = 0, {}
            case "card.laid":
                laid[data["seat"]] = envelope
            case "row.chosen":
                chosen_by = envelope["by"]["kind"]
            case "card.placed":
                order += 1
                seat = data["seat"]
                yield [
                    envelope["game"],
                    envelope["round"],
                    attempt,
                    envelope["turn"],
                    order,
                    seat,
                    players[seat] or "",
                    data["card"],
                    laid[seat]["by"]["kind"],
                    laid[seat]["at"],
                    data["row"],
                    data["position"],
                    data["why"],
                    chosen_by,
                    " ".join(map(str, data["captured"])),
                    data["bullheads"],
                    names[seat],
                ]
                chosen_by = ""
