"""What remains of a game: files that verify and never change, a check of itself, and nothing of what is hidden yet."""

import csv
import gzip
import io
import json
import re
from typing import Any

import pytest

from engine import commands as c, compact, verify
from engine.cards import bullheads
from engine.referee import AUTOMATIC
from engine.replay import frames, rebuild, steps
from service.api.placements import COLUMNS
from service.schemas.replays import ReplaySchema, VerificationSchema
from tests.api.kinds import Refused
from tests.api.played import Table, finished, seated, started

FORMATS = ("replay", "events", "csv")
EXTENSIONS = {"replay": "json", "events": "ndjson", "csv": "csv"}


def file(client: Any, kind: str, headers: dict[str, str] | None = None) -> Any:
    return client.get(f"/v1/games/g_1/replay?format={kind}", headers=headers)


def viewers(table: Table) -> list[tuple[int | None, dict[str, str]]]:
    """Return everybody who may look: the public, and each seat."""
    return [(None, {}), *enumerate(table.headers)]


@pytest.mark.parametrize(
    "options", [{}, {"seats": 10, "reveal": "game"}, {"end": {"points": 66, "when": "reached"}}]
)
def test_the_events_of_a_finished_game_verify(client: Any, options: dict[str, Any]) -> None:
    finished(client, **options)
    report = verify.verify(io.BytesIO(file(client, "events").data))
    assert report.outcome == "ok", report


def test_an_edited_file_does_not_verify(client: Any) -> None:
    finished(client)
    data = file(client, "events").data
    edited = re.sub(rb'"bullheads":\d+', b'"bullheads":27', data, count=1)
    assert edited != data
    assert verify.verify(io.BytesIO(edited)).outcome == "failed"
    assert verify.verify(io.BytesIO(data[: len(data) // 2])).outcome == "failed"


def test_the_events_of_a_game_that_is_played_verify_as_far_as_can_be_told(client: Any) -> None:
    table = started(client, seats=3).play(turns=12)
    table.lay(1)
    for _, headers in viewers(table):
        assert verify.verify(io.BytesIO(file(client, "events", headers).data)).outcome == "pending"


def test_a_file_s_events_are_the_lines_that_are_served(client: Any) -> None:
    finished(client)
    lines = client.get("/v1/games/g_1/events", headers={"Accept": "application/x-ndjson"}).data
    assert file(client, "events").data.split(b"\n", 1)[1].startswith(lines)


def test_a_replay_rebuilds_every_step_of_its_game(client: Any) -> None:
    table = finished(client, seats=4)
    answer = file(client, "replay")
    assert ReplaySchema().load(answer.json) == answer.json
    replay = compact.read(answer.json)
    log = table.services.play.log("g_1")
    kept = [
        frame | {"view": frame["view"] | {"head": ""}}
        for frame in frames(steps(log), "all", replay.started or 0)
    ]
    assert list(frames(rebuild(replay), "all")) == kept
    assert len(answer.data) < 4000


def test_without_a_format_it_is_the_replay(client: Any) -> None:
    finished(client)
    assert client.get("/v1/games/g_1/replay").data == file(client, "replay").data


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_has_a_name_and_a_type(client: Any, kind: str) -> None:
    finished(client)
    answer = file(client, kind)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="take5-g_1.{EXTENSIONS[kind]}"'
    types = {"replay": "application/json", "events": "application/x-ndjson", "csv": "text/csv"}
    assert answer.mimetype == types[kind]


@pytest.mark.parametrize("kind", FORMATS)
def test_the_file_of_a_finished_game_is_for_ever_and_the_same_for_all(client: Any, kind: str) -> None:
    table = finished(client, reveal="game")
    answers = [file(client, kind, headers) for _, headers in viewers(table)]
    assert len({(answer.data, answer.headers["ETag"]) for answer in answers}) == 1
    for answer in answers:
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert not answer.headers["ETag"].startswith("W/")
        assert answer.headers["Vary"] == "Accept-Encoding"
    again = file(client, kind, {"If-None-Match": answers[0].headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("options", [{"visibility": "private"}, {"spectators": False}])
def test_the_file_of_a_closed_game_is_kept_by_no_cache_that_others_share(
    client: Any, refused: Refused, options: dict[str, Any]
) -> None:
    table = finished(client, **options)
    answer = file(client, "events", table.headers[1])
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "Authorization" in answer.headers["Vary"]
    for path in ("replay", "verification", "frames"):
        hidden = refused(client.get(f"/v1/games/g_1/{path}"))
        absent = refused(client.get(f"/v1/games/g_2/{path}"))
        assert {**hidden, "request_id": ""} == {**absent, "request_id": ""}
        assert hidden["code"] == "game_not_found"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_finished_file_is_compressed_for_who_accepts_it(client: Any, kind: str) -> None:
    finished(client)
    plain = file(client, kind)
    for accepted in ("gzip", "br, gzip;q=0.5", "*"):
        packed = file(client, kind, {"Accept-Encoding": accepted})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert packed.headers["ETag"] != plain.headers["ETag"]
        held = {"Accept-Encoding": accepted, "If-None-Match": packed.headers["ETag"]}
        assert file(client, kind, held).status_code == 304
    for accepted in ("identity", "gzip;q=0", "br"):
        assert "Content-Encoding" not in file(client, kind, {"Accept-Encoding": accepted}).headers
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("kind", FORMATS)
def test_the_file_of_a_game_that_is_played_is_kept_by_nobody(client: Any, kind: str) -> None:
    started(client)
    answer = file(client, kind, {"Accept-Encoding": "gzip"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("kind", FORMATS)
def test_no_byte_of_a_file_holds_what_the_viewer_may_not_know_yet(client: Any, kind: str) -> None:
    table = started(client, seats=3, end={"rounds": 1})
    for step in table.steps():
        for seat, headers in viewers(table):
            data = file(client, kind, headers).data
            assert not [text for text in table.hidden_from(seat) if text in data], (step, seat)


def test_a_replay_of_a_game_that_is_played_leaves_unknown_cards_out(client: Any) -> None:
    table = started(client, seats=3)
    table.lay(0, 2)
    for seat, headers in viewers(table):
        (round_,) = file(client, "replay", headers).json["rounds"]
        assert [number for number, hand in enumerate(round_["hands"]) if hand] == (
            [] if seat is None else [seat]
        )
        assert [lay[0] for lay in round_["turns"][0] if lay[1] is not None] == (
            [seat] if seat in (0, 2) else []
        )
        assert round_["seed"] is None
        answer = file(client, "replay", headers).json
        assert answer["master"] is None
        assert ReplaySchema().load(answer) == answer


def test_the_placed_cards_as_a_table_tell_the_whole_score(client: Any) -> None:
    table = finished(client, seats=5)
    rows = list(csv.DictReader(io.StringIO(file(client, "csv").data.decode())))
    assert list(rows[0]) == list(COLUMNS)
    assert len(rows) == 50
    assert [int(row["order"]) for row in rows] == [1, 2, 3, 4, 5] * 10
    assert len({row["card"] for row in rows}) == 50
    state = table.state()
    for seat, holder in enumerate(state.taken):
        own = [row for row in rows if row["seat"] == str(seat)]
        assert {(row["player"], row["name"]) for row in own} == {(holder.player, holder.name)}
        assert sum(int(row["bullheads"]) for row in own) == state.totals[seat]
        assert bullheads(int(card) for row in own for card in row["captured"].split()) == state.totals[seat]
    assert {row["laid_by"] for row in rows} == {"player", "policy"}
    assert {bool(row["chosen_by"]) for row in rows if row["why"] == "too_low"} <= {True}
    assert {row["chosen_by"] for row in rows if row["why"] != "too_low"} == {""}


def test_the_table_names_all_who_can_have_laid_a_card(client: Any) -> None:
    table = started(client, seats=3)
    client.put("/v1/games/g_1/away", headers=table.headers[0])
    table.lay(1, 2)
    for command in (c.Expire(), c.Advance()):
        table.do(command)
    table.play()
    rows = csv.DictReader(io.StringIO(file(client, "csv").data.decode()))
    assert "away" in {row["laid_by"] for row in rows}
    named = set(re.findall(r"\w+", COLUMNS["laid_by"]))
    assert named >= {"player", "bot", "house", *AUTOMATIC}


def test_before_the_start_there_are_files_too(client: Any) -> None:
    seated(client)
    assert file(client, "replay").json["started"] is None
    assert file(client, "csv").data.decode().splitlines() == [",".join(COLUMNS)]
    assert json.loads(file(client, "events").data.splitlines()[-1])["count"] == 3


@pytest.mark.parametrize("query", ["format=xml", "format=", "format=Replay"])
def test_an_unknown_format_is_refused(client: Any, refused: Refused, query: str) -> None:
    problem = refused(client.get(f"/v1/games/g_1/replay?{query}"))
    assert [error["pointer"] for error in problem["errors"]] == ["?format"]


def test_a_finished_game_is_found_right(client: Any) -> None:
    table = finished(client, seats=3)
    answer = client.get("/v1/games/g_1/verification")
    assert VerificationSchema().load(answer.json) == answer.json
    assert answer.json["outcome"] == "ok"
    assert {check["outcome"] for check in answer.json["checks"]} == {"ok"}
    assert answer.json["events"] == table.state().seq


def test_a_game_that_is_played_is_found_the_same_by_everybody(client: Any) -> None:
    table = started(client, seats=3).play(turns=2)
    table.lay(0)
    answers = [client.get("/v1/games/g_1/verification", headers=headers) for _, headers in viewers(table)]
    assert len({answer.data for answer in answers}) == 1
    outcomes = {check["name"]: check["outcome"] for check in answers[0].json["checks"]}
    assert outcomes["chain"] == "ok"
    assert answers[0].json["outcome"] == outcomes["commitments"] == "pending"
    held = {"If-None-Match": answers[0].headers["ETag"]}
    assert client.get("/v1/games/g_1/verification", headers=held).status_code == 304
    table.lay(1)
    assert client.get("/v1/games/g_1/verification", headers=held).status_code == 200


def test_a_verification_is_made_once_a_state(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(client)
    first = client.get("/v1/games/g_1/verification")
    monkeypatch.setattr("service.api.replays.verify_log", lambda envelopes: pytest.fail("made again"))
    assert client.get("/v1/games/g_1/verification", headers=table.headers[0]).data == first.data
