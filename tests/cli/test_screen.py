"""Scenes as text: what stands beside each other stays together, however narrow the terminal."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from rich.text import Text

from take5.open_table import Deck
from take5.screen import Flow
from take5.story import follow


def shown(width: int, *, soft_wrap: bool = False) -> list[str]:
    console = Console(file=io.StringIO(), width=width, soft_wrap=soft_wrap)
    console.print(Flow("laid  ", (Text(f"{card} house random {card}") for card in (7, 23, 104))))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (80, ["laid  7 house random 7   23 house random 23   104 house random 104"]),
        (66, ["laid  7 house random 7   23 house random 23   104 house random 104"]),
        (65, ["laid  7 house random 7   23 house random 23", "      104 house random 104"]),
        (30, ["laid  7 house random 7", "      23 house random 23", "      104 house random 104"]),
    ],
)
def test_a_line_ends_between_two_things_and_never_within_one(width: int, lines: list[str]) -> None:
    assert shown(width) == lines


def test_in_a_pipe_there_is_one_line() -> None:
    assert shown(20, soft_wrap=True) == shown(80)


@pytest.mark.parametrize(("width", "longest"), [(80, 10), (50, 10), (49, 9), (25, 5), (9, 1)])
def test_a_line_of_the_deck_has_whole_cells_as_many_as_fit(width: int, longest: int) -> None:
    created = {"type": "game.created", "seq": 1, "data": {"options": {"seats": 2}}}
    scene = replace(follow(None, created), pool=tuple(range(1, 25)), hands=((), ()))
    console = Console(file=io.StringIO(), width=width)
    console.print(Deck(scene))
    assert isinstance(console.file, io.StringIO)
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert [len(line) for line in lines][: 24 // longest] == [longest] * (24 // longest)
    assert [int(card) for line in lines for card in line] == [*range(1, 25)]
