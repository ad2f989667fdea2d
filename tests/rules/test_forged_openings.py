"""Lies about what was sealed: openings that are missing, of something else, or written otherwise."""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine import events as e
from engine.log import Envelope, redact
from engine.verify import verify_log
from tests.rules.retold import check_of, first_of, found, moments, rechained
from tests.rules.table import logged, played

LOG: Final = logged(played(5, 3, end={"rounds": 1}))
"""A whole game of one round."""


def event_at(seq: int) -> Any:
    return moments(LOG)[seq - 1][0]


LAID: Final = next(event for event, _ in moments(LOG) if isinstance(event, e.CardLaid))


def without_opening(log: list[Envelope]) -> None:
    log[first_of(LOG, "card.laid") - 1]["open"] = {}
    log[first_of(LOG, "turn.revealed") - 1]["data"]["openings"] = []


def test_a_game_that_is_over_is_wholly_open() -> None:
    laid = first_of(LOG, "card.laid")
    report = verify_log(rechained(LOG, without_opening))
    assert found(report)["digests"] == laid
    assert check_of(report, "rules").seq == laid


def test_an_open_part_that_is_not_what_was_sealed_is_found() -> None:
    laid, part = first_of(LOG, "card.laid"), f"s{LAID.seat}"
    opening = LOG[laid - 1]["open"][part]
    for lie in ({"salt": "0" * 32}, {"data": {"card": 104}}):
        log = [*LOG[: laid - 1], LOG[laid - 1] | {"open": {part: opening | lie}}, *LOG[laid:]]
        assert found(verify_log(log))["digests"] == laid


def test_an_opening_to_what_was_not_sealed_is_found() -> None:
    revealed = first_of(LOG, "turn.revealed")
    lies: list[dict[str, Any]] = [
        {"salt": "0" * 32},
        {"data": {"card": 104}},
        {"seq": 1},
        {"seq": 10**9},
        {"part": "s9"},
    ]
    for lie in lies:

        def change(log: list[Envelope], lie: dict[str, Any] = lie) -> None:
            log[revealed - 1]["data"]["openings"][0] |= lie

        assert found(verify_log(rechained(LOG, change)))["digests"] == revealed


def test_an_opening_that_is_of_another_kind_is_malformed() -> None:
    laid, revealed = first_of(LOG, "card.laid"), first_of(LOG, "turn.revealed")

    def change(log: list[Envelope]) -> None:
        log[laid - 1]["open"] = {}
        for opening in log[revealed - 1]["data"]["openings"]:
            if opening["seq"] == laid:
                opening["data"] = {"hand": [5]}

    report = verify_log(rechained(redact(LOG[:revealed], None), change))
    assert found(report)["file"] == laid


def set_in(log: list[Envelope], kind: str, *path: str, value: Any) -> None:
    """Set a field of the first event of a type."""
    place = log[first_of(log, kind) - 1]
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("round.dealt", ["by"], {"kind": "vote"}),
        ("turn.revealed", ["by"], {"kind": "player", "seat": 1}),
        ("turn.closed", ["by"], {}),
        ("turn.opened", ["by"], {"kind": "system", "seat": None}),
        ("game.created", ["by"], {"kind": "player", "seat": None}),
        ("game.sealed", ["data", "master"], event_at(len(LOG)).master.hex().upper()),
        ("game.sealed", ["data", "master"], event_at(len(LOG)).master.hex(" ")),
        ("round.revealed", ["data", "round_seed"], event_at(len(LOG) - 2).round_seed.hex().upper()),
    ],
)
def test_what_means_the_same_and_is_written_otherwise_is_malformed(
    kind: str, path: list[str], value: Any
) -> None:
    report = verify_log(rechained(LOG, lambda log: set_in(log, kind, *path, value=value)))
    assert found(report)["file"] == first_of(LOG, kind)


def test_a_field_that_came_later_may_be_missing() -> None:
    def without(log: list[Envelope]) -> None:
        del log[0]["data"]["options"]["recommit"]

    assert verify_log(rechained(LOG, without)).outcome == "ok"
