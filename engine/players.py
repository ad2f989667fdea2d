"""Who may act in a game: the seats' holders and, in the log, who caused an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["human", "bot", "house"]
"""A person, a program of somebody's, a bot of the service's own."""

Controller: TypeAlias = Literal["player", "policy", "house"]
"""Who answers for a seat: its holder; the table's policy, while the holder is away; a house bot."""

SUBSTITUTE: Final = "lowest_risk"
"""The level of the house bot that plays on for whoever resigned or was replaced."""

ActorKind: TypeAlias = Literal[
    "player", "bot", "house", "policy", "timeout", "away", "host", "vote", "system"
]


class Owner(NamedTuple):
    """Whose bot it is: the player's id, and the name it had when the bot sat down."""

    player: str
    name: str


class By(NamedTuple):
    """Who caused an event, with the seat where there is one."""

    kind: ActorKind
    seat: int | None = None


SYSTEM: Final = By("system")
"""What follows from the rules, with nobody choosing."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat: its holder, and how it has answered so far.

    `player` is the holder's id, None for a house bot; `level` is the strength of the house bot that plays the seat, whether
    from the start or since its holder resigned or was replaced. `timeouts` counts the answers the service had to give
    because the holder was late, `late` those of them since the holder last answered. `bank_ms` is left of its time bank.
    `owner` is whose bot it is. `accepts_bots` says whether the holder plays with bots; logs that do not tell are taken for
    a yes.
    """

    player: str | None
    name: str
    kind: Kind
    level: str | None = None
    ready: bool = False
    client_seed: str = ""
    timeouts: int = 0
    late: int = 0
    away: bool = False
    bank_ms: int = 0
    owner: Owner | None = None
    accepts_bots: bool = True

    @property
    def controller(self) -> Controller:
        """Who answers for the seat."""
        if self.level is not None:
            return "house"
        return "policy" if self.away else "player"
