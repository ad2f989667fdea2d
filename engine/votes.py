"""The votes of a game, as its log tells them: who was asked, who said what, and how each ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine import events as e
from engine.game import Game, Vote
from engine.log import Envelope
from engine.replay import steps
from engine.table import Ballot, VoteKind, VoteReason
from engine.times import Millis, parse

Result: TypeAlias = Literal["open", "passed", "failed"]


@dataclass(frozen=True, slots=True)
class BallotCast:
    """What a seat said, and when."""

    seat: int
    choice: Ballot
    at: Millis


@dataclass(frozen=True, slots=True)
class VoteTold:
    """A vote, open or over: `voters` are the seats whose agreement it needs, or needed when it was closed."""

    vote: int
    kind: VoteKind
    seat: int
    target: int | None
    opened_at: Millis
    deadline: Millis
    voters: tuple[int, ...]
    ballots: tuple[BallotCast, ...]
    result: Result = "open"
    reason: VoteReason | None = None
    closed_at: Millis | None = None


def votes(log: Sequence[Envelope]) -> tuple[VoteTold, ...]:
    """Every vote of a game in order, from its log with all parts open."""
    found: dict[int, VoteTold] = {}
    for envelope, step in zip(log, steps(log), strict=True):
        event, game = step.event, step.game
        if game.vote:
            found[game.vote.number] = _told(game, game.vote)
        if isinstance(event, e.VoteClosed):
            found[event.vote] = replace(
                found[event.vote],
                result="passed" if event.passed else "failed",
                reason=event.reason,
                closed_at=parse(envelope["at"]),
            )
    return tuple(found.values())


def _told(game: Game, vote: Vote) -> VoteTold:
    ballots = tuple(
        [BallotCast(seat, cast.choice, cast.at) for seat, cast in enumerate(vote.ballots) if cast]
    )
    return VoteTold(
        vote.number, vote.kind, vote.seat, vote.target, vote.opened_at, vote.deadline, game.voters(), ballots
    )
