"""Scenes as text: what stands beside each other stays together, however narrow the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from take5.screen import Flow


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
