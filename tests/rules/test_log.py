"""The log: chained, sealed, folded back to the same game at every version, and open to whoever may read."""

from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given

from engine import events as e, wire
from engine.canonical import digest
from engine.game import Game
from engine.log import NO_HEAD, Envelope, Live, event_of, fold_log, hash_of, part_digest, redact
from tests.rules.chosen import games
from tests.rules.table import Step, logged, played
from tests.searching import examples


@examples(15)
@given(games(max_seats=5))
def test_the_game_at_every_version_is_the_fold_of_its_log(done: list[Step]) -> None:
    envelopes = logged(done)
    live = Live(done[0].before, envelopes[done[0].before.seq - 1]["hash"])
    assert fold_log(envelopes[: live.game.seq]) == live
    for step in done:
        new = envelopes[step.before.seq : step.after.seq]
        live = fold_log(new, live)
        assert live.game == step.after
        if new:
            assert live.head == new[-1]["hash"]
    assert fold_log(envelopes) == live


@examples(10)
@given(games(max_seats=5))
def test_the_chain_has_no_gaps_and_its_hashes_are_over_rfc_8785(done: list[Step]) -> None:
    envelopes = logged(done)
    assert [envelope["seq"] for envelope in envelopes] == list(range(1, len(envelopes) + 1))
    heads = [NO_HEAD, *(envelope["hash"] for envelope in envelopes)]
    assert [envelope["prev"] for envelope in envelopes] == heads[:-1]
    for envelope in envelopes:
        assert hash_of(envelope) == envelope["hash"]
        bare = {name: value for name, value in envelope.items() if name not in ("hash", "open")}
        assert digest(bare) == digest(json.loads(rfc8785.dumps(bare)))
        for part, opened in envelope["open"].items():
            assert part_digest(opened["salt"], opened["data"]) == envelope["sealed"][part]
    assert envelopes[-1]["data"]["head"] == envelopes[-2]["hash"]
    assert envelopes[-1]["data"]["events"] == len(envelopes) - 1


def finished(**options: Any) -> list[Envelope]:
    """The log of a game of one round."""
    return logged(played(5, 3, end={"rounds": 1}, **options))


def test_rounds_and_turns_stand_on_every_envelope() -> None:
    envelopes = logged(played(5, 2, end={"rounds": 2}))
    number, turn = 0, 0
    for envelope in envelopes:
        if envelope["type"] == "round.started":
            number, turn = number + 1, 0
        if envelope["type"] == "turn.opened":
            turn += 1
        assert (envelope["round"], envelope["turn"]) == (number, turn)
    assert (number, turn) == (2, 10)


def test_a_reader_sees_its_own_parts_until_they_are_opened_for_all() -> None:
    envelopes = finished()
    revealed = [position for position, one in enumerate(envelopes) if one["type"] == "turn.revealed"]
    middle = envelopes[: revealed[2]]
    for seat in (None, 0, 1, 2):
        for envelope in redact(middle, seat):
            own = {f"s{seat}"} & envelope["sealed"].keys()
            was_revealed = envelope["type"] == "card.laid" and envelope["turn"] <= 2
            assert envelope["open"].keys() == (envelope["sealed"].keys() if was_revealed else own)
            assert hash_of(envelope) == envelope["hash"]


def test_hands_open_with_their_round_or_with_the_game() -> None:
    for reveal in ("round", "game"):
        envelopes = finished(reveal=reveal)
        (dealt,) = [envelope for envelope in envelopes if envelope["type"] == "round.dealt"]
        before_the_end = redact(envelopes[:-1], None)[dealt["seq"] - 1]
        assert before_the_end["open"] == (dealt["open"] if reveal == "round" else {})
        assert redact(envelopes, None) == envelopes
    assert redact([], None) == []


def test_the_end_of_a_log_is_redacted_like_the_whole() -> None:
    envelopes = finished(auto_last_card=False)
    for cut in range(2, len(envelopes), 7):
        whole = redact(envelopes[:cut], 1)
        for start in range(0, cut, 5):
            assert redact(envelopes[start:cut], 1) == whole[start:]


def test_redacting_leaves_the_log_as_it_was() -> None:
    envelopes = finished()[:-1]
    before = json.dumps(envelopes)
    redact(envelopes, None)
    assert json.dumps(envelopes) == before


def test_a_log_that_cannot_be_folded_is_malformed() -> None:
    envelopes = finished()
    with pytest.raises(wire.MalformedError, match="at least one event"):
        fold_log([])
    with pytest.raises(wire.MalformedError, match=r"begins with game\.created"):
        fold_log(envelopes[1:])
    with pytest.raises(wire.MalformedError, match="no such event type"):
        event_of(envelopes[0] | {"type": "game.exploded"})
    with pytest.raises(wire.MalformedError, match="a sealed part is not open"):
        fold_log(redact(envelopes[:12], None))


def test_the_same_event_is_sealed_to_the_same_bytes() -> None:
    assert finished() == finished()


def test_a_new_event_comes_with_a_way_back_from_its_parts() -> None:
    with_parts = {
        kind for kind, names in e.SEALED_FIELDS.items() if {*names} <= e.EVENTS[kind].__annotations__.keys()
    }
    assert with_parts == e.SEALED_FIELDS.keys() == {"round.dealt", "card.laid", "draft.planned"}


def test_a_live_game_goes_on_from_its_snapshot() -> None:
    done = played(9, 2, end={"rounds": 1})
    envelopes, middle = logged(done), done[len(done) // 2]
    snapshot = json.loads(json.dumps(wire.write(Game, middle.after)))
    live = Live(wire.read(Game, snapshot), envelopes[middle.after.seq - 1]["hash"])
    assert fold_log(envelopes[middle.after.seq :], live) == fold_log(envelopes)
