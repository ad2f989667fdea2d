"""What a person types at the table, understood: answers to a question, and words that may be said at any."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from take5.client import Card, Json

VoteKind: TypeAlias = Literal["redeal", "abandon", "pause", "resume", "replace"]

VOTES: Final[tuple[VoteKind, ...]] = ("redeal", "abandon", "pause", "resume", "replace")

_LOW: Final = re.compile(r"(\w+)\s*(?:low|!)")
_ROW: Final = re.compile(r"([0-9])\s*(a|append|t|take)?")
_MODES: Final = {"a": "append", "t": "take"}


class Left(Exception):
    """The person leaves the table."""


@dataclass(frozen=True, slots=True)
class Vote:
    """The person opens a vote; `seat` is the one to replace."""

    kind: VoteKind
    seat: int | None


Word: TypeAlias = Vote | Literal["help", "hints", "resign", "back"]
"""What may be said at any question."""


class NotUnderstood(Exception):
    """What was typed answers nothing; the text says what would."""


def word(text: str) -> Word | None:
    """The word that may be said at any question, or None when the text is none of them; raises Left, NotUnderstood."""
    match text.lower().split():
        case ["q" | "quit" | "exit"]:
            raise Left
        case ["h" | "help"]:
            return "help"
        case ["?" | "hint" | "hints"]:
            return "hints"
        case ["resign"]:
            return "resign"
        case ["back"]:
            return "back"
        case ["vote", kind, *seats] if kind in VOTES:
            return _vote(kind, seats)
        case ["vote", *others]:
            wrong = f"There is no vote on {' '.join(others)}. " if others else ""
            raise NotUnderstood(
                f"{wrong}Say what about: vote redeal, abandon, pause, resume, or replace and a seat's number."
            )
        case _:
            return None


def _vote(kind: VoteKind, seats: list[str]) -> Vote:
    """The vote of this kind, on the seat that is named where it takes one."""
    if kind != "replace":
        if seats:
            raise NotUnderstood(f"A vote to {kind} names nothing else: vote {kind}.")
        return Vote(kind, None)
    if len(seats) != 1 or not re.fullmatch("[0-9]", seats[0]):
        raise NotUnderstood("Name the seat by its number: vote replace 2.")
    return Vote(kind, int(seats[0]))


def card_answer(text: str, cards: Iterable[Card], *, ahead: bool) -> Json:
    """The card that is laid, where `ahead` is allowed perhaps with the row in advance (`37 low`)."""
    found = _LOW.fullmatch(text)
    if found and ahead:
        return {"card": _one(found[1], cards, "You hold no card"), "if_low": "fewest_bullheads"}
    return {"card": _one(text, cards, "You hold no card")}


def row_answer(text: str, rows: tuple[tuple[str, ...], ...]) -> Json:
    """The row that is chosen, with its mode, which may be left out where only one is legal."""
    found = _ROW.fullmatch(text.lower())
    if found is None or int(found[1]) >= len(rows):
        raise NotUnderstood(f"There is no row {text}.")
    row, mode = int(found[1]), found[2] and _MODES[found[2][0]]
    legal = rows[row]
    if mode is None and len(legal) > 1:
        raise NotUnderstood(f"Append to row {row} or take it? Type {row} append, or {row} take.")
    if mode is not None and mode not in legal:
        raise NotUnderstood(f"You can only {legal[0]} row {row}.")
    return {"row": row, "mode": mode or legal[0]}


def pick_answer(text: str, cards: tuple[Card, ...]) -> Json:
    """The card that is picked, or a plan of several, the dearest first."""
    wanted = [_one(part, cards, "In the deck there is no card") for part in re.split(r"[\s,]+", text)]
    if len(set(wanted)) < len(wanted):
        raise NotUnderstood("A plan names each card once.")
    return {"card": wanted[0]} if len(wanted) == 1 else {"plan": wanted}


def ballot_answer(text: str) -> Json:
    """Yes or no."""
    choice = {"y": "yes", "yes": "yes", "n": "no", "no": "no"}.get(text.lower())
    if choice is None:
        raise NotUnderstood("Type yes or no.")
    return {"choice": choice}


def only(sentence: str) -> Callable[[str], Json]:
    """What understands no answer at all, where nothing is asked: it says `sentence`."""

    def refuse(text: str) -> Json:
        raise NotUnderstood(sentence)

    return refuse


def _one(text: str, cards: Iterable[Card], otherwise: str) -> Card:
    legal = {str(card): card for card in cards}
    try:
        return legal[text.upper()]
    except KeyError:
        raise NotUnderstood(f"{otherwise} {text}.") from None


def value(text: str) -> Any:
    """An option's value as it is typed: a number, true, false, null, a JSON object, else a word; raises ValueError."""
    match text:
        case "true" | "false":
            return text == "true"
        case "null":
            return None
        case _ if re.fullmatch(r"-?[0-9]{1,9}", text):
            return int(text)
        case _ if text.startswith("{"):
            return json.loads(text)
        case _:
            return text
