"""Files that nobody can have played: `take5 replay` shows them or says that it cannot, whatever stands where."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any, Final

import orjson
import pytest
from click.testing import CliRunner

from engine.compact import compact
from engine.log import Envelope
from take5.cli import main
from tests.cli.replayed import GAMES

ODD: Final[tuple[Any, ...]] = (-5, 13, 10**12, None, True, "", "\x1b[2J", 1.5, [], {}, [[]], "no such thing")
TRIES: Final = 120


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything that stands in a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield (*way, name)
        yield from places(one, (*way, name))


def altered(value: Any, luck: random.Random) -> Any:
    """The value with one thing in it replaced, taken out, doubled, or exchanged with another."""
    found = copy.deepcopy(value)
    *way, last = luck.choice(list(places(found)))
    holder = found
    for name in way:
        holder = holder[name]
    kind = luck.randrange(4)
    if kind == 0:
        del holder[last]
    elif isinstance(holder, list) and kind == 1:
        holder.insert(last, copy.deepcopy(luck.choice(holder)))
    elif isinstance(holder, list) and kind == 2:
        luck.shuffle(holder)
    else:
        holder[last] = luck.choice(ODD)
    return found


def shown(file: bytes) -> None:
    """Assert that the file is shown or refused in a sentence."""
    done = CliRunner().invoke(main, ["replay", "-", "--all"], input=file)
    assert done.exit_code in (0, 2), (done.output, done.exception)
    assert "\x1b" not in done.output


@pytest.mark.parametrize("name", GAMES)
def test_a_compact_file_in_which_anything_was_altered(name: str) -> None:
    luck, file = random.Random(name), orjson.loads(orjson.dumps(compact(GAMES[name]())))
    for _ in range(TRIES):
        shown(orjson.dumps(altered(file, luck)))


@pytest.mark.parametrize("name", GAMES)
def test_a_log_in_which_anything_was_altered(name: str) -> None:
    luck, log = random.Random(name), orjson.loads(orjson.dumps(GAMES[name]()))
    for _ in range(TRIES // 3):
        shown(lines(altered(log, luck)))
    for _ in range(TRIES // 3):
        place = luck.randrange(len(log))
        shown(lines([*log[:place], *log[place + luck.randrange(1, 4) :]]))


def lines(log: list[Envelope]) -> bytes:
    """The events one a line."""
    return b"".join(orjson.dumps(envelope) + b"\n" for envelope in log)


@pytest.mark.parametrize("name", ["game", "seats"])
def test_what_is_no_text(name: str) -> None:
    file = orjson.dumps(compact(GAMES["tactics"]())).replace(b'"game":"g_test"', b'"game":"g_\\ud800"')
    shown(file if name == "game" else file.replace(b'"client_seed":""', b'"client_seed":"\\ud800"'))
