"""`take5 replay`: what stands in the file is what is seen, whatever the file; and nothing else gets into the terminal."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import orjson
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from engine.compact import compact
from engine.files import events_file
from engine.log import Envelope, redact
from engine.replay import steps
from take5 import replay_file
from take5.reading import scenes
from take5.replay_file import Moment
from take5.values import printable


def replay(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(replay_file.replay, [str(argument) for argument in arguments], input=stdin)


def test_every_turn_is_written_with_the_rows_that_lay_there(log: list[Envelope], events_path: Path) -> None:
    told = replay(events_path).stdout
    expected = [
        [list(row) for row in step.game.rows] for step in steps(log) if step.event.type == "turn.revealed"
    ]
    seen = [
        [[int(card) for card in line[5:].split() if card.isdigit()] for line in turn]
        for turn in _rows_of_turns(told)
    ]
    assert seen == expected


def _rows_of_turns(told: str) -> Iterator[list[str]]:
    """The four row lines of each turn, without number and bullheads."""
    lines = told.splitlines()
    for place, line in enumerate(lines):
        if re.match(r"Round \d+, turn \d+$", line):
            yield [re.sub(r"\s+\d+ bullheads?$", "", row) for row in lines[place + 1 : place + 5]]


def test_every_capture_and_the_standings_are_written(log: list[Envelope], events_path: Path) -> None:
    told = replay(events_path).stdout
    captured = [one["data"] for one in log if one["type"] == "card.placed" and one["data"]["captured"]]
    for data in captured:
        assert f"{' '.join(map(str, data['captured']))} (" in told
    (finished,) = (one["data"] for one in log if one["type"] == "game.finished")
    lines = [line.split() for line in told.partition("place")[2].splitlines()[1:]]
    assert sorted((int(line[0]), int(line[-1])) for line in lines) == sorted(
        (place["rank"], place["total_bullheads"]) for place in finished["standings"]
    )


def test_the_compact_file_is_shown_as_the_log_is(events_path: Path, compact_path: Path) -> None:
    assert replay(compact_path, "--all").stdout == replay(events_path, "--all").stdout


def test_bare_events_and_standard_input_will_do(log: list[Envelope], events_path: Path) -> None:
    bare = b"".join(orjson.dumps(envelope) + b"\n" for envelope in log)
    assert replay("-", stdin=bare).stdout == replay(events_path).stdout


def test_one_turn_is_shown_alone(events_path: Path) -> None:
    told = replay(events_path, "--turn", "2.4").stdout
    assert re.findall(r"^Round .*$", told, re.MULTILINE) == ["Round 2, turn 4"]


@pytest.mark.parametrize("form", ["events", "replay"])
def test_a_deal_alone_shows_the_rows_and_the_hands_that_were_asked_for(
    log: list[Envelope], events_path: Path, compact_path: Path, form: str
) -> None:
    path = events_path if form == "events" else compact_path
    dealt = [one for one in log if one["type"] == "round.dealt"][1]
    told = replay(path, "--turn", 2).stdout
    assert re.findall(r"^Round .*$", told, re.MULTILINE) == ["Round 2"]
    assert [line.split()[2] for line in told.splitlines() if line.startswith("row ")] == [
        str(card) for (card,) in dealt["data"]["rows"]
    ]
    hands = [" ".join(map(str, dealt["open"][f"s{seat}"]["data"]["hand"])) for seat in range(3)]
    assert [hand in told for hand in hands] == [False] * 3
    assert [hand in replay(path, "--turn", 2, "--all").stdout for hand in hands] == [True] * 3


def test_a_file_that_ends_with_a_deal_shows_its_rows(log: list[Envelope]) -> None:
    dealt = next(one["seq"] for one in log if one["type"] == "round.dealt")
    told = replay("-", stdin=b"".join(events_file(log[:dealt]))).stdout
    assert len([line for line in told.splitlines() if line.startswith("row ")]) == 4


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ("3.1", "There is no turn 3.1; the last is turn 2.10."),
        ("3", "There is no round 3; the last is turn 2.10."),
        ("2a1", "There is no round 2a1; the last is turn 2.10."),
        ("2a1.3", "There is no turn 2a1.3; the last is turn 2.10."),
        ("1.d3", "There is no pick 1.d3; the last is turn 2.10."),
        ("4.", "not a turn"),
        ("first", "not a turn"),
    ],
)
def test_a_turn_that_is_none_is_refused(events_path: Path, turn: str, why: str) -> None:
    refused = replay(events_path, "--turn", turn)
    assert refused.exit_code != 0
    assert why in refused.output


def test_a_turn_of_a_game_that_has_only_begun_is_refused_with_what_there_is(log: list[Envelope]) -> None:
    def refused(last: str, turn: str) -> str:
        end = next(one["seq"] for one in log if one["type"] == last)
        return replay("-", "--turn", turn, stdin=b"".join(events_file(log[:end]))).output

    assert "There is no turn 1.1; no round has begun." in refused("game.started", "1.1")
    assert "There is no turn 1.1; the last is round 1." in refused("round.dealt", "1.1")


def test_a_result_that_does_not_follow_is_not_shown(compact_path: Path) -> None:
    value = orjson.loads(compact_path.read_bytes())
    for standing in value["result"]["standings"]:
        standing["winner"] = not standing["winner"]
    refused = replay("-", stdin=orjson.dumps(value))
    assert refused.exit_code == 2
    assert "the result that it names does not follow from its cards" in " ".join(refused.output.split())


def test_hands_are_shown_for_whom_they_were_asked(log: list[Envelope], events_path: Path) -> None:
    dealt = next(one for one in log if one["type"] == "round.dealt")
    hands = [" ".join(map(str, dealt["open"][f"s{seat}"]["data"]["hand"])) for seat in range(3)]
    one, everybody, nobody = (
        replay(events_path, "--seat", 1),
        replay(events_path, "--all"),
        replay(events_path),
    )
    assert [hand in one.output for hand in hands] == [False, True, False]
    assert [hand in everybody.output for hand in hands] == [True] * 3
    assert [hand in nobody.output for hand in hands] == [False] * 3


def test_a_turn_alone_shows_the_hands_from_which_its_cards_were_laid(
    log: list[Envelope], events_path: Path
) -> None:
    dealt = next(one for one in log if one["type"] == "round.dealt")
    revealed = [one["data"]["plays"] for one in log if one["type"] == "turn.revealed"]
    before = {play["card"] for play in revealed[0] if play["seat"] == 1}
    hand = [card for card in dealt["open"]["s1"]["data"]["hand"] if card not in before]
    told = replay(events_path, "--turn", "1.2", "--seat", 1).output
    (line,) = [line for line in told.splitlines() if line.startswith("hand")]
    assert line.split()[-9:] == [str(card) for card in sorted(hand)]
    assert replay(events_path, "--turn", "1.2", "--all").output.count("hand ") == 3
    assert "hand" not in replay(events_path, "--turn", "1.2").output


def test_a_seat_that_is_none_is_refused(events_path: Path) -> None:
    refused = replay(events_path, "--seat", 3)
    assert refused.exit_code == 1
    assert "There is no seat 3; the last one is 2." in refused.output


@pytest.mark.parametrize("form", ["events", "compact"])
def test_a_game_that_is_still_on_shows_what_is_open_and_no_more(log: list[Envelope], form: str) -> None:
    upto = next(one["seq"] for one in log if one["type"] == "turn.opened" and one["turn"] == 4)
    live = redact(log[:upto], 1)
    file = b"".join(events_file(live)) if form == "events" else orjson.dumps(compact(live))
    told = replay("-", "--all", stdin=file).output
    assert told.count("hidden") == 2
    assert "Round 1, turn 3" in told
    assert "The game goes on" in told


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "no event"),
        (b"{}\n", "no event"),
        (b"not json\n", "line 1 is not JSON; `events` and `replay` files can be shown"),
        (b"[" * 100_000, "line 1 is not JSON"),
        (b"\xff\xfe\x00", "line 1 is not JSON"),
        (b'{"a": "' + b"x" * 2_000_000 + b'"}\n', "line 1 is not JSON"),
        (b"[1]\n", "line 1 is not an object"),
        (b'{"format":"take5-replay/1"}', "not a take5-replay/1 file"),
        (
            b'{"format":"take5-replay/2"}',
            "its format take5-replay/2 is not known here; known are take5-events/1 and take5-replay/1",
        ),
        (b'{"format":"take5-events/2"}\n', "its format take5-events/2 is not known here"),
        (b'{"format":["\\u001b"]}', "is not known here"),
        (b'{"seq":1,"type":"card.laid","data":{}}', "not the beginning"),
        (b'{"seq":1,"type":"game.created"}', "event 1 cannot be understood"),
        (
            b'{"seq":1,"type":"game.created","data":{"options":{"seats":"two"}}}',
            "event 1 cannot be understood",
        ),
        (
            b'{"seq":1,"type":"game.created","data":{"options":{"seats":1000000000000}}}',
            "event 1 cannot be understood",
        ),
        (b'{"seq":1,"type":"game.created","data":' + b"[" * 500 + b"]" * 500 + b"}", "cannot be understood"),
    ],
)
def test_a_file_that_is_no_game_is_refused_with_a_sentence(file: bytes, why: str) -> None:
    refused = replay("-", stdin=file)
    assert refused.exit_code == 2
    assert why in " ".join(refused.output.split())
    assert isinstance(refused.exception, SystemExit)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("card.placed", {"card": 200}),
        ("card.placed", {"seat": 7}),
        ("card.placed", {"row": 9}),
        ("card.placed", {"captured": [{}]}),
        ("round.dealt", {"rows": [[0]]}),
        ("turn.revealed", {"plays": [{"seat": 0, "card": True}]}),
        ("turn.closed", {"rows": 5}),
        ("round.scored", {"total_bullheads": 5}),
        ("seat.joined", {"name": None}),
    ],
)
def test_an_event_that_cannot_be_is_named(log: list[Envelope], kind: str, change: dict[str, Any]) -> None:
    first = next(one["seq"] for one in log if one["type"] == kind)
    edited = [one | {"data": one["data"] | change} if one["seq"] == first else one for one in log]
    refused = replay("-", stdin=b"".join(orjson.dumps(one) + b"\n" for one in edited))
    assert refused.exit_code == 2
    assert f"event {first} cannot be understood" in " ".join(refused.output.split())


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("card.placed", {"why": None, "bullheads": []}),
        ("round.scored", {"round_bullheads": 3}),
        ("game.finished", {"standings": [1]}),
    ],
)
def test_what_cannot_be_shown_is_refused_as_well(
    log: list[Envelope], kind: str, change: dict[str, Any]
) -> None:
    edited = [one | {"data": one["data"] | change} if one["type"] == kind else one for one in log]
    told = replay("-", stdin=b"".join(orjson.dumps(one) + b"\n" for one in edited))
    assert told.exception is None or isinstance(told.exception, SystemExit)
    assert told.exit_code == (0 if kind == "card.placed" else 2)


def test_nothing_in_a_file_can_steer_the_terminal(log: list[Envelope]) -> None:
    evil = "\x1b[2J\x1b]0;title\x07\r\n[red]you[/red]"
    text = b"".join(orjson.dumps(one) + b"\n" for one in log).decode()
    edited = text.replace('"Player 1"', json.dumps(evil)).replace('"g_1"', json.dumps(evil))
    told = replay("-", stdin=edited.encode()).output
    assert "\x1b" not in told
    assert "\x07" not in told
    assert "[red]you[/red]" in told


def test_printable_text_is_one_short_line() -> None:
    assert printable("a\u202eb\nc") == "a?b?c"
    assert printable("x" * 100, 10) == "x" * 9 + "…"


@pytest.fixture
def step(events_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Steps through the game with the given keys and returns the headings of what was on the screen."""

    def press(*keys: str | type[BaseException], turn: Moment | None = None) -> list[str]:
        waiting = list(keys)

        def pressed() -> str:
            key = waiting.pop(0)
            if isinstance(key, str):
                return key
            raise key

        monkeypatch.setattr(click, "getchar", pressed)
        told = list(scenes(io.BytesIO(events_path.read_bytes())))
        screen = io.StringIO()
        console = Console(file=screen, force_terminal=True, color_system=None, width=120)
        replay_file.step_through(console, told, turn, (0,))
        assert not waiting
        return re.findall(
            r"^Round .*?$|^ +\d+  .*(?:joins|row).*$|^[^\n]*lowest total[^\n]*$",
            screen.getvalue(),
            re.MULTILINE,
        )

    return press


def test_keys_lead_forth_and_back(step: Callable[..., list[str]]) -> None:
    seen = [line for line in step("n", " ", "p", "x", "p", "p", "p", "q") if line.startswith("Round")]
    assert (
        seen
        == ["Round 1", "Round 1, turn 1", "Round 1, turn 1", "Round 1, turn 1", "Round 1, turn 1"]
        + ["Round 1"] * 3
    )


def test_keys_that_come_at_the_same_time_count_each(step: Callable[..., list[str]]) -> None:
    def seen(*keys: str) -> list[str]:
        return [line for line in step(*keys) if line.startswith("Round")]

    assert seen("ttr", "\x1b[C\x1b[D", "q") == ["Round 1", "Round 2", "Round 2"]
    assert seen("tqt") == ["Round 1"]


def test_keys_lead_to_turns_and_rounds(step: Callable[..., list[str]]) -> None:
    seen = [line for line in step("t", "t", "r", "t", "r", "q") if line.startswith("Round")]
    assert seen == [
        "Round 1",
        "Round 1, turn 1",
        "Round 1, turn 2",
        "Round 2",
        "Round 2, turn 1",
        "Round 2, turn 1",
    ]


def test_stepping_begins_at_the_turn_that_was_asked_for(step: Callable[..., list[str]]) -> None:
    assert step("q", turn=Moment(2, None, 7, None))[0] == "Round 2, turn 7"


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt, "\x1b", "\x03"])
def test_stepping_ends_whichever_way_somebody_leaves(step: Callable[..., list[str]], end: Any) -> None:
    assert step(end) == ["Round 1"]


@pytest.mark.parametrize("place", [("turn",), ("round",), ("data", "total_bullheads", 0)])
def test_nor_can_what_should_be_a_number(log: list[Envelope], place: tuple[str | int, ...]) -> None:
    edited = copy.deepcopy(log)
    for one in edited:
        part: Any = one
        if len(place) == 1 or "total_bullheads" in one["data"]:
            for name in place[:-1]:
                part = part[name]
            part[place[-1]] = "\x1b[2J"
    assert "\x1b" not in replay("-", stdin=b"".join(orjson.dumps(one) + b"\n" for one in edited)).output
