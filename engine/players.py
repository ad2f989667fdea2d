"""Who may act in a game: the seats' holders and, in the log, who caused an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["human", "bot", "house"]
"""A person, a program of somebody's, a bot of the service's own."""

ActorKind: TypeAlias = Literal[
    "player", "bot", "house", "policy", "timeout", "away", "host", "vote", "system"
]


class By(NamedTuple):
    """Who caused an event, with the seat where there is one."""

    kind: ActorKind
    seat: int | None = None


SYSTEM: Final = By("system")
"""What follows from the rules, with nobody choosing."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat: its holder, and how it has answered so far.

    `player` is the holder's id, None for a house bot, whose strength is `level`. `timeouts` counts the answers the
    service had to give in the seat's place.
    """

    player: str | None
    name: str
    kind: Kind
    level: str | None = None
    ready: bool = False
    client_seed: str = ""
    timeouts: int = 0
