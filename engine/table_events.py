"""What happens to a table and its seats: the lobby, absences, votes, the end."""

from __future__ import annotations

from typing import ClassVar

from engine.event import event
from engine.options import Options
from engine.outcome import Reason, Standing
from engine.players import SYSTEM, By, Kind, Owner
from engine.table import Ballot, VoteKind, VoteReason, WhyAway
from engine.times import Millis


@event
class GameCreated:
    """A table was opened; `engine` names the version of the rules, `seed_commit` fixes the master secret.

    A rematch names the game before it, and keeps each seat for the player who held it there, until `kept_until`.
    """

    type: ClassVar[str] = "game.created"
    options: Options
    engine: str
    shuffle: str
    seed_commit: str
    host: str
    by: By
    rematch_of: str | None = None
    kept: tuple[str | None, ...] = ()
    kept_until: Millis | None = None


@event
class GameChanged:
    """The host changed the options in the lobby."""

    type: ClassVar[str] = "game.changed"
    options: Options
    by: By


@event
class SeatJoined:
    """Somebody took a seat; `player` is None and `level` is set for a house bot, `owner` for a bot that is somebody's.

    `accepts_bots`: whether it plays with bots. Who seats a bot as the host accepts them from then on.
    """

    type: ClassVar[str] = "seat.joined"
    seat: int
    player: str | None
    name: str
    kind: Kind
    level: str | None
    client_seed: str
    by: By
    owner: Owner | None = None
    accepts_bots: bool = True


@event
class SeatUpdated:
    """A seat said whether it is ready, added its client seed, or agreed to bots."""

    type: ClassVar[str] = "seat.updated"
    seat: int
    ready: bool
    client_seed: str
    by: By
    accepts_bots: bool = True


@event
class SeatLeft:
    """A seat became free again; `host` is who may start the game from now on."""

    type: ClassVar[str] = "seat.left"
    seat: int
    host: str
    by: By


@event
class GameStarted:
    """The seats are fixed, with what each added to the shuffle."""

    type: ClassVar[str] = "game.started"
    players: tuple[str | None, ...]
    client_seeds: tuple[str, ...]
    by: By


@event
class SeatAway:
    """A seat is played for by the table's policy from now on, because its holder asked for it or was late too often."""

    type: ClassVar[str] = "seat.away"
    seat: int
    why: WhyAway
    by: By


@event
class SeatReturned:
    """The holder of a seat answers for it again."""

    type: ClassVar[str] = "seat.returned"
    seat: int
    by: By


@event
class SeatResigned:
    """The holder of a seat gave it up; a house bot of `level` plays on."""

    type: ClassVar[str] = "seat.resigned"
    seat: int
    level: str
    by: By


@event
class SeatReplaced:
    """The table voted that a house bot of `level` plays on for a seat."""

    type: ClassVar[str] = "seat.replaced"
    seat: int
    level: str
    vote: int
    by: By


@event
class VoteOpened:
    """A seated person asks the others for their agreement; `target` is the seat that a vote to replace is about."""

    type: ClassVar[str] = "vote.opened"
    vote: int
    kind: VoteKind
    seat: int
    target: int | None
    deadline: Millis
    by: By


@event
class VoteCast:
    """A seated person said yes or no."""

    type: ClassVar[str] = "vote.cast"
    vote: int
    seat: int
    choice: Ballot
    by: By


@event
class VoteClosed:
    """The vote is over: passed when everybody said yes, else failed, by a no, because the time was up, or
    because what it was about had passed (moot).

    Nobody may open another before `next_vote_at`.
    """

    type: ClassVar[str] = "vote.closed"
    vote: int
    kind: VoteKind
    passed: bool
    reason: VoteReason
    next_vote_at: Millis
    by: By


@event
class GamePaused:
    """The table agreed to wait, at most until `until`; no time runs meanwhile."""

    type: ClassVar[str] = "game.paused"
    vote: int
    until: Millis
    by: By


@event
class GameResumed:
    """The game goes on; every deadline moves by as long as it was paused."""

    type: ClassVar[str] = "game.resumed"
    by: By


@event
class GameFinished:
    """The end was reached; the lowest total wins, ties share, ranks are competition ranks.

    A game for learning only has no standings.
    """

    type: ClassVar[str] = "game.finished"
    by: ClassVar[By] = SYSTEM
    reason: Reason
    standings: tuple[Standing, ...]
    lowest_wins: bool


@event
class GameAbandoned:
    """The game ended without a winner."""

    type: ClassVar[str] = "game.abandoned"
    reason: Reason
    by: By


@event
class GameSealed:
    """The last event: the master secret, the number of events before this one and the hash of the last of them."""

    type: ClassVar[str] = "game.sealed"
    by: ClassVar[By] = SYSTEM
    master: bytes
    events: int
    head: str
