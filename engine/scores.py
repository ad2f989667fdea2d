"""The score sheet of a game: per round and seat what was captured, what it counts, and the running totals."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from engine import events as e
from engine.cards import Card, bullheads
from engine.game import Game, Status
from engine.outcome import Standing
from engine.players import Kind
from engine.replay import Step

RoundKind: TypeAlias = Literal["counted", "learning", "voided", "unfinished"]
"""Whether a round counts: in a learning round nothing does, one that was voided was dealt anew, the last may go on."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a seat captured in a round, what that counts, and its total afterwards."""

    seat: int
    captured: tuple[Card, ...]
    bullheads: int
    total_bullheads: int


@dataclass(frozen=True, slots=True)
class RoundScores:
    """One deal of a game, in the order in which they were dealt."""

    round: int
    attempt: int
    kind: RoundKind
    seats: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class Scorer:
    """Who is written at the head of a column."""

    seat: int
    player: str | None
    name: str
    kind: Kind
    level: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """All scores of a game so far; `standings` are empty before the end, and where nobody wins."""

    game: str
    ruleset: str
    status: Status
    lowest_wins: bool
    seats: tuple[Scorer, ...]
    rounds: tuple[RoundScores, ...]
    standings: tuple[Standing, ...]


COLUMNS: Final = (
    "game",
    "round",
    "attempt",
    "kind",
    "seat",
    "player",
    "captured",
    "bullheads",
    "total_bullheads",
    "name",
)
"""The columns of a sheet as a table, a line for each seat of each round; `captured` apart by spaces."""

_FORMULA: Final = ("=", "+", "-", "@")
"""What a formula begins with in a spreadsheet."""


def sheet(steps: Iterable[Step]) -> Sheet:
    """The score sheet of a game, from all its steps so far; what it tells, everybody may know who sees the game."""
    rounds: list[RoundScores] = []
    step = None
    for step in steps:
        match step.event:
            case e.RoundStarted():
                rounds.append(_round(step.game, "unfinished"))
            case e.CardPlaced() if step.event.captured:
                rounds[-1] = _round(step.game, "unfinished")
            case e.RoundScored():
                rounds[-1] = _round(step.game, "counted" if step.game.table == "hidden" else "learning")
            case e.RoundVoided():
                rounds[-1] = replace(rounds[-1], kind="voided")
            case _:
                pass
    if step is None:
        raise ValueError("a game has at least one step")
    return _sheet(step.game, tuple(rounds))


def as_csv(sheet: Sheet) -> str:
    """A line with the names of the columns, then one for each seat of each round."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    holders = {scorer.seat: scorer for scorer in sheet.seats}
    for one in sheet.rounds:
        for score in one.seats:
            writer.writerow(
                [
                    sheet.game,
                    one.round,
                    one.attempt,
                    one.kind,
                    score.seat,
                    holders[score.seat].player or "",
                    " ".join(map(str, score.captured)),
                    score.bullheads,
                    score.total_bullheads,
                    as_cell(holders[score.seat].name),
                ]
            )
    return text.getvalue()


def as_cell(name: str) -> str:
    """A name as it stands in a table: after an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name


def as_text(sheet: Sheet) -> str:
    """The sheet as one would write it beside a table."""
    names = [f"{scorer.seat} {scorer.name}" for scorer in sheet.seats]
    width = max(map(_width, names), default=0)
    padded = [name + " " * (width - _width(name)) for name in names]
    lines = [f"{sheet.game}, {sheet.ruleset}: the fewest bullheads win"]
    for one in sheet.rounds:
        lines += ["", _headline(one)]
        for name, score in zip(padded, one.seats, strict=True):
            took = " ".join(map(str, score.captured)) or "nothing"
            lines.append(f"  {name}  {score.bullheads:4}  {score.total_bullheads:5} in all  took {took}")
    if sheet.standings:
        lines += ["", "The end"]
        for place in sorted(sheet.standings, key=lambda one: (one.rank, one.seat)):
            won = "  wins" if place.winner else ""
            lines.append(f"  {padded[place.seat]}  {place.total_bullheads:4}  place {place.rank}{won}")
    elif sheet.status in ("finished", "abandoned"):
        lines += ["", "It ended without a winner."]
    return "\n".join(lines) + "\n"


def _width(text: str) -> int:
    """How many places of a terminal a text takes up: none for a mark on a letter, two for a wide one."""
    seen = [one for one in text if unicodedata.category(one) not in ("Mn", "Me", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(one) in "WF" for one in seen)


def _headline(one: RoundScores) -> str:
    again = f", dealt again ({one.attempt})" if one.attempt else ""
    said = {
        "counted": "",
        "learning": ": for learning, nothing counts",
        "voided": ": void, nothing counts",
        "unfinished": ": not finished",
    }
    return f"Round {one.round}{again}{said[one.kind]}"


def _round(game: Game, kind: RoundKind) -> RoundScores:
    piles = game.piles or ((),) * len(game.seats)
    scores = tuple([Score(seat, pile, bullheads(pile), game.totals[seat]) for seat, pile in enumerate(piles)])
    return RoundScores(game.round, game.attempt, kind, scores)


def _sheet(game: Game, rounds: tuple[RoundScores, ...]) -> Sheet:
    seats = tuple(
        [
            Scorer(seat, holder.player, holder.name, holder.kind, holder.level)
            for seat, holder in enumerate(game.seats)
            if holder
        ]
    )
    return Sheet(
        game.id,
        game.options.ruleset,
        game.status,
        lowest_wins=True,
        seats=seats,
        rounds=rounds,
        standings=game.standings,
    )
