"""Replays: a compact file gives back every step of its log, for whoever looks and however much is still sealed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from engine import commands as c
from engine.compact import REPLAY_FORMAT, Replay, compact, read
from engine.decisions import Key
from engine.log import Envelope, fold_log, redact
from engine.players import Owner
from engine.replay import Viewer, frame, frames, rebuild, steps
from engine.views import view
from engine.wire import MalformedError
from tests.rules.chosen import games
from tests.rules.retold import told
from tests.rules.table import Step, after, lobby, logged, played
from tests.searching import examples

LOG: Final = logged(played(5, 3, end={"rounds": 2}))


def kept(log: Sequence[Envelope]) -> Replay:
    """The compact replay of a log, written to JSON and read back."""
    return read(json.loads(json.dumps(compact(log))))


def without_heads(seen: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one | {"view": one["view"] | {"head": ""}} for one in seen]


def assert_same(log: Sequence[Envelope], readable: Sequence[Envelope], viewer: Viewer) -> None:
    """Every frame of the log from its start is that of the compact replay of what is readable, but for the head."""
    replay = kept(readable)
    assert replay.started is not None
    told_by_log = list(frames(steps(log), viewer, first=replay.started))
    assert list(frames(rebuild(replay), viewer)) == without_heads(told_by_log)


@examples(12)
@given(games())
def test_a_whole_game_is_rebuilt_for_every_viewer(done: list[Step]) -> None:
    log = logged(done)
    for viewer in ("public", "all", 0, done[0].before.options.seats - 1):
        assert_same(log, log, viewer)


@examples(15)
@given(games(max_seats=4), st.sampled_from([None, 0, 1]), st.data())
def test_a_game_that_is_played_is_rebuilt_from_what_its_reader_may_know(
    done: list[Step], seat: int | None, data: st.DataObject
) -> None:
    log = logged(done)
    started = done[0].before.seq + 1
    for _ in range(5):
        now = log[: data.draw(st.integers(started, len(log) - 1))]
        assert_same(now, redact(now, seat), "public" if seat is None else seat)


def automatic() -> list[Envelope]:
    """A game of two people and a house bot, in which each kind of answer is given, and given by somebody else."""
    start = (
        c.JoinSeat("p0", "ada", "human", client_seed="ab", accept_bots=True),
        c.JoinSeat("p1", "bob", "bot", accept_bots=True, owner=Owner("p0", "ada")),
        c.SeatBot("p0", 2, "random"),
        c.ChangeSeat("p0", ready=True),
        c.StartGame("p0"),
    )
    options: dict[str, Any] = {"seats": 3, "recommit": True, "end": {"rounds": 2}, "reveal": "game"}
    options["away_after_timeouts"] = None
    commands: list[tuple[float, c.Command]] = [(0, command) for command in start]
    game, seconds = after(lobby(**options), *start), 0
    while game.status == "playing":
        seconds += 100
        wanted: list[c.Command] = [c.Expire()]
        if game.phase == "lay_card":
            turn = game.round, game.turn
            lays = [c.LayCard(0, *turn, card) for card in (game.hands[0][0], game.hands[0][-1])]
            wanted = [
                *lays,
                *[c.PlayFor(Key(game.round, 0, game.turn, 2, "card"))][: game.turn % 2],
                c.Expire(),
            ]
        for command in wanted:
            if isinstance(command, c.Expire) or game.phase == "lay_card":
                game = after(game, command, seconds=seconds)
                commands.append((seconds, command))
    return told(commands, **options)


def test_answers_that_were_changed_or_given_by_the_service_are_rebuilt() -> None:
    log = automatic()
    kinds = {(envelope["type"], envelope["by"]["kind"]) for envelope in log}
    assert {("card.laid", "policy"), ("card.laid", "timeout"), ("row.chosen", "timeout")} <= kinds
    for viewer in ("public", "all", 0, 1, 2):
        assert_same(log, log, viewer)
    last = list(frames(rebuild(kept(log)), "public"))[-1]["view"]
    assert last["seats"][1]["timeouts"] >= 18
    for cut in range(8, len(log), 11):
        for seat in (None, 0, 2):
            assert_same(log[:cut], redact(log[:cut], seat), "public" if seat is None else seat)


def test_a_choice_made_in_time_is_rebuilt_as_the_seat_s_own() -> None:
    log = logged(played(5, 2, end={"rounds": 2}))
    assert {("row.chosen", "player")} <= {(one["type"], one["by"]["kind"]) for one in log}
    (choice, *_) = [choice for one in compact(log)["rounds"] for choice in one["choices"]]
    assert len(choice) == 4
    assert_same(log, log, "all")


def test_the_steps_of_a_log_are_its_game_at_every_version() -> None:
    for seq, step in list(enumerate(steps(LOG), 1))[::5]:
        live = fold_log(LOG[:seq])
        assert (step.game, step.head) == (live.game, live.head)
        assert step.event.type == LOG[seq - 1]["type"]


def test_a_frame_is_a_view_and_the_cards_of_others_only_for_all() -> None:
    step = next(step for step in steps(LOG) if step.event.type == "card.laid")
    assert frame(step, 1) == {
        "type": "card.laid",
        "view": view(step.game, 1, step.head),
        "hands": None,
        "laid_cards": None,
    }
    public, everything = frame(step, "public"), frame(step, "all")
    assert public["view"] == everything["view"] == view(step.game, None, step.head)
    assert everything["hands"] == [list(hand) for hand in step.game.hands]
    assert [one is not None for one in everything["laid_cards"]] == [
        seat["laid"] for seat in public["view"]["seats"]
    ]
    assert (public["hands"], public["laid_cards"]) == (None, None)


def test_laid_cards_are_no_more_face_down_once_they_are_turned_up() -> None:
    revealed = next(step for step in steps(LOG) if step.event.type == "turn.revealed")
    assert frame(revealed, "all")["laid_cards"] == [None, None, None]


def test_frames_are_counted_from_the_first_to_the_last_asked_for() -> None:
    seqs = [one["view"]["seq"] for one in frames(steps(LOG), "public", 5, 9)]
    assert seqs == [5, 6, 7, 8, 9]
    assert [one["view"]["seq"] for one in frames(rebuild(kept(LOG)), 0, 20, 22)] == [20, 21, 22]


def test_a_compact_replay_holds_what_the_rules_cannot_know() -> None:
    value = compact(LOG)
    first = value["rounds"][0]
    dealt = next(envelope for envelope in LOG if envelope["type"] == "round.dealt")
    laid = [one for one in LOG if one["type"] == "card.laid" and (one["round"], one["turn"]) == (1, 1)]
    assert value["format"] == REPLAY_FORMAT
    assert (value["events"], value["head"]) == (len(LOG), LOG[-1]["hash"])
    assert value["result"]["standings"] == LOG[-2]["data"]["standings"]
    assert value["master"] == LOG[-1]["data"]["master"]
    assert first["rows"] == [row[0] for row in dealt["data"]["rows"]]
    assert first["hands"] == [dealt["open"][f"s{seat}"]["data"]["hand"] for seat in range(3)]
    assert first["turns"][0] == [
        [one["data"]["seat"], one["open"][f"s{one['data']['seat']}"]["data"]["card"]] for one in laid
    ]
    assert first["turns"][9] == []
    assert len(first["turns"]) == 10


def test_a_compact_replay_is_small() -> None:
    log = logged(played(5, 4))
    size = len(json.dumps(compact(log), separators=(",", ":")))
    assert size < 4500
    assert size < sum(len(json.dumps(one, separators=(",", ":"))) for one in log) / 40


def test_a_game_that_was_never_started_is_kept_without_steps() -> None:
    replay = kept(told([(0, c.JoinSeat("p0", "ada", "human")), (1, c.CloseLobby("p0"))]))
    assert (replay.started, replay.rounds) == (None, ())
    assert list(rebuild(replay)) == []
    assert replay.result is not None
    assert (replay.result.reason, replay.result.standings) == ("host_closed", ())
    assert [seat and seat.name for seat in replay.seats] == ["ada", None]


def test_what_is_sealed_is_null() -> None:
    laid = next(seq for seq, one in enumerate(LOG, 1) if one["type"] == "card.laid")
    first = compact(redact(LOG[:laid], None))["rounds"][0]
    assert first["hands"] == [None, None, None]
    assert [card for _, card in first["turns"][0]] == [None]
    assert first["seed"] is None


def broken(**changes: Any) -> Any:
    """The JSON of a replay with a few of its fields changed."""
    return json.loads(json.dumps(compact(LOG))) | changes


def broken_round(**changes: Any) -> Any:
    """The same in the first of its rounds."""
    value = broken()
    value["rounds"][0] |= changes
    return value


def hands(*changed: Any) -> list[Any]:
    return [*changed, *compact(LOG)["rounds"][0]["hands"][len(changed) :]]


UNREADABLE: Final[list[Any]] = [
    None,
    [],
    {},
    "take5-replay/1",
    broken(format="take5-replay/2"),
    broken(format=None),
    broken(extra=1),
    broken(rounds=5),
    broken(rounds=[5]),
    broken(rounds={}),
    broken(events="5"),
    broken(options={}),
    broken(options=compact(LOG)["options"] | {"ruleset": "chess"}),
    broken(options=compact(LOG)["options"] | {"seats": 4}),
    broken(seats=[], options=compact(LOG)["options"] | {"seats": 0}),
    broken(seats=[None, *compact(LOG)["seats"][1:]]),
    broken_round(turns=5),
    broken_round(turns=[5]),
    broken_round(turns=[[5]]),
    broken_round(turns={}),
    broken_round(turns=[{}]),
    broken_round(turns=[["ab"]]),
    broken_round(turns=[[[0]]]),
    broken_round(turns=[[[0, 5, "ghost"]]]),
    broken_round(turns=[[[0, 5, "policy", 1]]]),
    broken_round(turns=[[[0, 5, None, None, 0, 0, 0, 0]]]),
    broken(words=[[5, "turn.opened", {"kind": "system"}, {}]]),
    broken_round(choices=[[1, 0, 0]]),
    broken_round(rows=[1, 2, 3]),
    broken_round(hands=[]),
    broken_round(hands=hands([1, 2, 3])),
    broken_round(hands=hands([5] * 10)),
]


@pytest.mark.parametrize("value", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_file_that_is_no_replay_is_not_read(value: Any) -> None:
    with pytest.raises(MalformedError):
        read(value)


UNPLAYABLE: Final[dict[str, Any]] = {
    "seat 0 cannot lay 104": broken_round(turns=[[[0, 104]]]),
    "seat 0 cannot lay 105": broken_round(turns=[[[0, 105]]]),
    "seat 7 cannot lay 5": broken_round(turns=[[[7, 5]]]),
    "seat -1 cannot lay": broken_round(turns=[[[-1, None]]]),
    "round 1 is missing": broken(rounds=[]),
    "does not follow": broken(events=10**6),
    "follow": broken_round(turns=[]),
}


@pytest.mark.parametrize("says", UNPLAYABLE)
def test_a_replay_that_cannot_be_played_says_where(says: str) -> None:
    with pytest.raises(MalformedError, match=says):
        list(rebuild(read(UNPLAYABLE[says])))


def other_results() -> list[Any]:
    """What may stand as the result in a file that somebody has edited."""
    result = compact(LOG)["result"]
    first, *others = result["standings"]
    return [
        None,
        result | {"reason": "points"},
        result | {"standings": []},
        result | {"standings": others},
        result | {"standings": [first | {"winner": not first["winner"]}, *others]},
        result | {"standings": [first | {"total_bullheads": first["total_bullheads"] + 1}, *others]},
    ]


@pytest.mark.parametrize("result", other_results(), ids=range(6))
def test_a_result_that_does_not_follow_from_the_cards_is_told(result: Any) -> None:
    with pytest.raises(MalformedError, match="result that it names does not follow"):
        list(rebuild(read(broken(result=result))))


def test_a_game_that_is_not_over_has_no_result() -> None:
    value = compact(LOG[:-2])
    assert list(rebuild(read(value)))
    with pytest.raises(MalformedError, match="result"):
        list(rebuild(read(value | {"result": compact(LOG)["result"]})))


def test_a_pick_that_cannot_be_made_says_where() -> None:
    people: list[c.Command] = [
        c.JoinSeat("p0", "ada", "human"),
        c.JoinSeat("p1", "bob", "human"),
        c.StartGame("p0"),
    ]
    log = told(
        [*((0.0, command) for command in people), (1.0, c.Pick(0, 1, 1, 5))], ruleset="pro", pace="untimed"
    )
    value = json.loads(json.dumps(compact(log)))
    assert [step.head for step in rebuild(read(value))]
    value["rounds"][0]["picks"] = [[104]]
    with pytest.raises(MalformedError, match="pick 1 of round 1 cannot be 104"):
        list(rebuild(read(value)))


def test_a_choice_that_cannot_be_made_says_where() -> None:
    log = logged(played(5, 2, end={"rounds": 2}))
    for at, wrong in ((2, 4), (1, 9), (3, "append")):
        value = json.loads(json.dumps(compact(log)))
        (choices, *_) = [one["choices"] for one in value["rounds"] if one["choices"]]
        choices[0][at] = wrong
        with pytest.raises(MalformedError, match="in turn"):
            list(rebuild(read(value)))
