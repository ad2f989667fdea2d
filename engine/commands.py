"""What somebody wants, in the imperative; `engine.decide` answers each with events or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.cards import Card
from engine.decisions import Key
from engine.options import IfLow, Options
from engine.players import Kind, Owner
from engine.rows import Mode
from engine.table import Ballot, VoteKind


@dataclass(frozen=True, slots=True)
class CreateGame:
    """Open a table; `host` is the creator's player id and takes a seat by a command of its own.

    A rematch names the game before it as `rematch_of`, and `kept`, the player for whom each seat is kept for a while.
    """

    game: str
    host: str
    options: Options
    rematch_of: str | None = None
    kept: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """The host wants other options, in the lobby; whoever was ready has to say so again.

    `wanted` are those to be changed, as in `resolve.changed`: two changes at once do not take each other back.
    """

    player: str
    wanted: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JoinSeat:
    """A player wants a seat: the given one, or the first free one."""

    player: str
    name: str
    kind: Kind
    seat: int | None = None
    client_seed: str = ""
    accept_bots: bool = False
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class ChangeSeat:
    """A seated player says whether it is ready, adds its client seed, or agrees to bots; None leaves a thing as it is."""

    player: str
    ready: bool | None = None
    client_seed: str | None = None
    accept_bots: bool | None = None


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
class InviteBot:
    """The host seats a bot that is a player."""

    player: str
    seat: int
    bot: str
    name: str
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """The host takes a bot off its seat."""

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
    """A seat lays a card, in the turn it names; `if_low` chooses the row in advance, should the card be low."""

    seat: int
    round: int
    turn: int
    card: Card
    attempt: int = 0
    if_low: IfLow | None = None


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
class Pick:
    """A seat picks a card in the draft, as the pick of that number, from 1 over all seats."""

    seat: int
    round: int
    pick: int
    card: Card
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class PlanPicks:
    """A seat says which cards it wants at its picks of this draft, the dearest first; `pick` is the next of its own."""

    seat: int
    round: int
    pick: int
    plan: tuple[Card, ...]
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class PlayFor:
    """Answer a decision by the table's policy: the house bot that owes it has failed."""

    key: Key


@dataclass(frozen=True, slots=True)
class GoAway:
    """A seated player wants to be played for until it returns."""

    player: str


@dataclass(frozen=True, slots=True)
class Return:
    """A player that is away answers for its seat again."""

    player: str


@dataclass(frozen=True, slots=True)
class Resign:
    """A seated player gives its seat up for good; a house bot plays on."""

    player: str


@dataclass(frozen=True, slots=True)
class OpenVote:
    """A seated person asks for the others' agreement; `target` is the seat that a vote to replace is about."""

    player: str
    kind: VoteKind
    target: int | None = None


@dataclass(frozen=True, slots=True)
class CastBallot:
    """A seated person answers the vote of that number."""

    player: str
    vote: int
    choice: Ballot


@dataclass(frozen=True, slots=True)
class Abandon:
    """The operator of the service ends a game, before its start or after."""


@dataclass(frozen=True, slots=True)
class Advance:
    """Do all that is due without anybody's choice: reveal, place, close the turn, score, deal, finish."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Play for every seat whose deadline has passed so much time ago: what was sent before may still be on its way."""

    grace_ms: int = 0


LobbyCommand: TypeAlias = (
    ChangeOptions
    | JoinSeat
    | ChangeSeat
    | LeaveSeat
    | SeatBot
    | InviteBot
    | RemoveBot
    | CloseLobby
    | StartGame
)
"""What belongs before the start."""

TableCommand: TypeAlias = GoAway | Return | Resign | OpenVote | CastBallot
"""What a seated player may want of a running game beside the play."""

Answer: TypeAlias = LayCard | ChooseRow | Pick | PlanPicks
"""What answers a decision of the play."""

Command: TypeAlias = LobbyCommand | TableCommand | Answer | PlayFor | Abandon | Advance | Expire
"""What may be wanted of a game that exists."""
