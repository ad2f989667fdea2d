"""What happened, in the past tense: every event of a game's log, as a frozen value.

Fields are the event's public data, except those that `SEALED_FIELDS` lists: these are known to one seat, or to nobody,
until a later event opens them. `by` says who caused an event, where that can differ.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, get_args

from engine.parts import (
    CardAheadPart as CardAheadPart,
    CardPart as CardPart,
    HandPart as HandPart,
    Opening as Opening,
    Part as Part,
    PlanPart as PlanPart,
    Play as Play,
    card_part as card_part,
)
from engine.players import By as By
from engine.round_events import (
    CardExplained as CardExplained,
    CardLaid as CardLaid,
    CardPlaced as CardPlaced,
    DraftClosed as DraftClosed,
    DraftOpened as DraftOpened,
    DraftPicked as DraftPicked,
    DraftPlanned as DraftPlanned,
    RoundDealt as RoundDealt,
    RoundRevealed as RoundRevealed,
    RoundScored as RoundScored,
    RoundStarted as RoundStarted,
    RoundVoided as RoundVoided,
    RowChosen as RowChosen,
    RowRequested as RowRequested,
    SeatCalled as SeatCalled,
    TurnClosed as TurnClosed,
    TurnOpened as TurnOpened,
    TurnRevealed as TurnRevealed,
)
from engine.table_events import (
    GameAbandoned as GameAbandoned,
    GameChanged as GameChanged,
    GameCreated as GameCreated,
    GameFinished as GameFinished,
    GamePaused as GamePaused,
    GameResumed as GameResumed,
    GameSealed as GameSealed,
    GameStarted as GameStarted,
    SeatAway as SeatAway,
    SeatJoined as SeatJoined,
    SeatLeft as SeatLeft,
    SeatReplaced as SeatReplaced,
    SeatResigned as SeatResigned,
    SeatReturned as SeatReturned,
    SeatUpdated as SeatUpdated,
    VoteCast as VoteCast,
    VoteClosed as VoteClosed,
    VoteOpened as VoteOpened,
)

Event: TypeAlias = (
    GameCreated
    | GameChanged
    | SeatJoined
    | SeatUpdated
    | SeatLeft
    | GameStarted
    | RoundStarted
    | RoundDealt
    | DraftOpened
    | DraftPlanned
    | DraftPicked
    | DraftClosed
    | TurnOpened
    | SeatCalled
    | CardLaid
    | TurnRevealed
    | RowRequested
    | RowChosen
    | CardExplained
    | CardPlaced
    | TurnClosed
    | RoundScored
    | RoundRevealed
    | RoundVoided
    | SeatAway
    | SeatReturned
    | SeatResigned
    | SeatReplaced
    | VoteOpened
    | VoteCast
    | VoteClosed
    | GamePaused
    | GameResumed
    | GameFinished
    | GameAbandoned
    | GameSealed
)

EVENTS: Final[dict[str, type[Event]]] = {kind.type: kind for kind in get_args(Event)}
"""Every event by the type under which it stands in the log."""

SEALED_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "round.dealt": ("hands",),
    "card.laid": ("card", "if_low"),
    "draft.planned": ("plan",),
}
"""The fields of an event type that are sealed; every other field is public."""


def sealed_parts(event: Event) -> dict[str, Part]:
    """What an event seals, by part; part `s2` is known to seat 2."""
    match event:
        case RoundDealt():
            return {f"s{seat}": HandPart(hand) for seat, hand in enumerate(event.hands)}
        case CardLaid():
            return {f"s{event.seat}": card_part(event.card, event.if_low)}
        case DraftPlanned():
            return {f"s{event.seat}": PlanPart(event.plan)}
        case _:
            return {}


def sealed_fields(kind: str, parts: dict[str, Any]) -> dict[str, Any]:
    """The JSON of the sealed fields of an event type, from all its opened parts as JSON."""
    if kind == "round.dealt":
        return {"hands": [parts[f"s{seat}"]["hand"] for seat in range(len(parts))]}
    (part,) = parts.values()
    fields: dict[str, Any] = part
    return fields
