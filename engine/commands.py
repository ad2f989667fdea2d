"""What somebody wants, in the imperative; `engine.decide` answers each with events or a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import Card
from engine.options import Options
from engine.players import Kind
from engine.rows import Mode


@dataclass(frozen=True, slots=True)
class CreateGame:
    """Open a table; `host` is the creator's player id and takes a seat by a command of its own."""

    game: str
    host: str
    options: Options


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """The host wants other options, in the lobby; whoever was ready has to say so again."""

    player: str
    options: Options


@dataclass(frozen=True, slots=True)
class JoinSeat:
    """A player wants a seat: the given one, or the first free one."""

    player: str
    name: str
    kind: Kind
    seat: int | None = None
    client_seed: str = ""
    accept_bots: bool = False


@dataclass(frozen=True, slots=True)
class ChangeSeat:
    """A seated player says whether it is ready, or adds its client seed; None leaves a thing as it is."""

    player: str
    ready: bool | None = None
    client_seed: str | None = None


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """A seated player leaves the lobby."""

    player: str


@dataclass(frozen=True, slots=True)
class SeatBot:
    """The host seats a house bot of a level."""

    player: str
    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """The host takes a house bot off its seat."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class CloseLobby:
    """The host gives the game up before its start."""

    player: str


@dataclass(frozen=True, slots=True)
class StartGame:
    """The host starts the game."""

    player: str


@dataclass(frozen=True, slots=True)
class LayCard:
    """A seat lays a card, in the turn it names."""

    seat: int
    round: int
    turn: int
    card: Card
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class ChooseRow:
    """A seat chooses the row for its card, in the turn it names; `mode` may be left out for a number card."""

    seat: int
    round: int
    turn: int
    row: int
    mode: Mode | None = None
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class PlayFor:
    """Answer for a seat by the table's policy, in the turn it names: its house bot has failed."""

    seat: int
    round: int
    turn: int
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Advance:
    """Do all that is due without anybody's choice: reveal, place, close the turn, score, deal, finish."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Play for every seat whose deadline has passed."""


LobbyCommand: TypeAlias = (
    ChangeOptions | JoinSeat | ChangeSeat | LeaveSeat | SeatBot | RemoveBot | CloseLobby | StartGame
)
"""What belongs before the start."""

Command: TypeAlias = LobbyCommand | LayCard | ChooseRow | PlayFor | Advance | Expire
"""What may be wanted of a game that exists."""
