"""The placed cards of a game as a table: who laid each, and what is not in it."""

import csv
import io
from typing import Any

import pytest

from engine import commands as c
from engine.decisions import Key
from engine.log import Envelope, fold_log
from engine.scores import COLUMNS as SHEET_COLUMNS
from service.api.placements import COLUMNS, placements_csv
from tests.house.tree import ROOT
from tests.rules.retold import told


def rows(log: list[Envelope]) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(placements_csv(log).decode())))


def lays(before: list[tuple[float, c.Command]], place: int, seats: int) -> list[c.LayCard]:
    """The card at a place of each seat's hand, after these commands."""
    game = fold_log(told(before, seats=seats)).game
    return [c.LayCard(seat, 1, 1, hand[place]) for seat, hand in enumerate(game.hands)]


def test_house_bots_are_told_apart_by_name() -> None:
    start: list[tuple[float, c.Command]] = [
        (0, c.JoinSeat("p0", "@ada", "human", accept_bots=True)),
        (0, c.SeatBot("p0", 1, "random")),
        (0, c.SeatBot("p0", 2, "lowest_risk")),
        (0, c.StartGame("p0")),
    ]
    answers: list[tuple[float, c.Command]] = [(1, lays(start, -1, 3)[0])]
    answers += [(1, c.PlayFor(Key(1, 0, 1, seat, "card"))) for seat in (1, 2)]
    placed = rows(told([*start, *answers, (1, c.Advance())], seats=3))
    assert sorted((row["seat"], row["player"], row["name"]) for row in placed) == [
        ("0", "p0", "'@ada"),
        ("1", "", "house random 1"),
        ("2", "", "house lowest_risk 2"),
    ]


def test_a_card_that_was_turned_up_and_never_placed_is_not_in_the_table() -> None:
    start: list[tuple[float, c.Command]] = [
        (0, c.JoinSeat("p0", "ada", "human")),
        (0, c.JoinSeat("p1", "bob", "human")),
        (0, c.StartGame("p0")),
    ]
    answers = [*start, *((1.0, lay) for lay in lays(start, 0, 2))]
    log = told([*answers, (2, c.OpenVote("p0", "redeal")), (3, c.CastBallot("p1", 1, "yes"))])
    types = [one["type"] for one in log]
    assert {"turn.revealed", "row.requested", "round.voided"} <= {*types}
    assert "card.placed" not in types
    assert rows(log) == []


@pytest.mark.parametrize("columns", [[*COLUMNS], [*SHEET_COLUMNS]], ids=["placements", "scores"])
def test_every_column_of_a_table_is_listed_in_its_order(columns: list[str]) -> None:
    page = (ROOT / "docs" / "replays.md").read_text()
    assert ", ".join(f"`{column}`" for column in columns) in " ".join(page.split())
