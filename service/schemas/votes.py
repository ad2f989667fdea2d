"""Bodies about votes: what is asked of the table, and what became of it."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields

from engine.options import MOST_SEATS
from engine.table import Ballot, VoteKind, VoteReason
from engine.votes import Result
from service.schemas.base import AnswerSchema, Schema
from service.schemas.fields import Choice, Integer, Timestamp


class NewVoteSchema(Schema):
    """What to ask the others for."""

    kind = Choice(*get_args(VoteKind), required=True)
    seat = Integer(
        0,
        MOST_SEATS - 1,
        metadata={"description": "The seat that a vote to `replace` is about; no other vote names one."},
    )


class BallotSchema(AnswerSchema):
    """What a seat has said."""

    seat = Integer(0, required=True)
    choice = Choice(*get_args(Ballot), required=True)
    at = Timestamp(required=True)


class VoteSchema(AnswerSchema):
    """A vote, open or over."""

    vote = Integer(1, required=True, metadata={"description": "Its number in this game."})
    kind = Choice(*get_args(VoteKind), required=True)
    seat = Integer(0, required=True, metadata={"description": "Who asked for it."})
    target = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "The seat that a vote to replace is about."},
    )
    opened_at = Timestamp(required=True)
    deadline = Timestamp(required=True, metadata={"description": "Silence until then is no."})
    voters = fields.List(
        Integer(0),
        required=True,
        metadata={"description": "The seats whose agreement it needs, or needed when it was closed."},
    )
    ballots = fields.List(
        fields.Nested(BallotSchema),
        required=True,
        metadata={"description": "By seat; whoever has said nothing is not among them."},
    )
    result = Choice(*get_args(Result), required=True)
    reason = Choice(
        *get_args(VoteReason),
        required=True,
        allow_none=True,
        metadata={
            "description": "Why it is over: all said yes, somebody said no, the time was up, or what it was about had "
            "passed (`moot`). Null while it is open."
        },
    )
    closed_at = Timestamp(required=True, allow_none=True)


class VoteListSchema(AnswerSchema):
    """Every vote of a game, in order; there are at most 200."""

    items = fields.List(fields.Nested(VoteSchema), required=True)
