"""The steps of a game to look at again: complete, in pages, and never more than the viewer may know by now."""

from typing import Any

import pytest

from engine.replay import frames as engine_frames, steps
from engine.views import view
from service.schemas.replays import FramePageSchema
from tests.api.kinds import Refused
from tests.api.played import finished, seated, started


def frames(client: Any, query: str = "", headers: dict[str, str] | None = None) -> Any:
    return client.get(f"/v1/games/g_1/frames?{query}", headers=headers)


@pytest.mark.parametrize("limit", [7, 100])
def test_pages_hold_every_step_once(client: Any, limit: int) -> None:
    table = finished(client)
    items, url = [], f"/v1/games/g_1/frames?as=all&limit={limit}"
    while url:
        answer = client.get(url)
        items += answer.json["items"]
        url = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
        assert bool(url) == (answer.json["next_from"] is not None)
    assert items == list(engine_frames(steps(table.services.play.log("g_1")), "all"))
    assert len(items) == table.state().seq


def test_an_answer_fits_its_schema(client: Any) -> None:
    finished(client)
    for viewer in ("all", "public", "1"):
        answer = frames(client, f"as={viewer}&from=30&limit=40")
        assert FramePageSchema().load(answer.json) == answer.json


def test_a_range_is_what_was_asked_for(client: Any) -> None:
    seq = finished(client).state().seq
    assert [frame["view"]["seq"] for frame in frames(client, "from=5&to=9").json["items"]] == [5, 6, 7, 8, 9]
    assert frames(client, "from=5&to=9").json["next_from"] is None
    assert frames(client, "from=5&to=9&limit=2").json["next_from"] == 7
    assert frames(client, f"from={seq}").json["next_from"] is None
    assert frames(client, f"from={seq + 1}").json == {"items": [], "next_from": None}


def test_the_newest_step_is_the_game_as_it_is_shown(client: Any) -> None:
    table = started(client, seats=3).play(turns=2)
    table.lay(1)
    live = table.services.play.live("g_1")
    for seat, headers in ((None, {}), *enumerate(table.headers)):
        (frame,) = frames(client, f"from={live.game.seq}", headers).json["items"]
        assert frame == {
            "type": "card.laid",
            "view": view(live.game, seat, live.head),
            "hands": None,
            "laid_cards": None,
        }


def test_a_seat_looks_as_itself_unless_it_says_otherwise(client: Any) -> None:
    table = started(client)
    seq = table.state().seq
    own, public = (
        frames(client, f"from={seq}", table.headers[1]),
        frames(client, f"from={seq}&as=public", table.headers[1]),
    )
    assert own.json["items"][0]["view"]["you"] == 1
    assert public.data == frames(client, f"from={seq}").data
    for same in ("seat", "1"):
        assert frames(client, f"from={seq}&as={same}", table.headers[1]).data == own.data


@pytest.mark.parametrize(
    ("viewer", "holder", "status", "code"),
    [
        ("seat", None, 403, "not_seated"),
        ("0", None, 403, "other_seat"),
        ("0", 1, 403, "other_seat"),
        ("all", None, 409, "game_not_over"),
        ("all", 0, 409, "game_not_over"),
        ("2", 0, 422, "seat_out_of_range"),
    ],
)
def test_while_the_game_is_played_nobody_looks_as_another(
    client: Any, refused: Refused, viewer: str, holder: int | None, status: int, code: str
) -> None:
    table = started(client)
    answer = frames(client, f"as={viewer}", None if holder is None else table.headers[holder])
    assert (answer.status_code, refused(answer)["code"]) == (status, code)


def test_once_it_is_over_everybody_looks_as_anybody(client: Any, refused: Refused) -> None:
    table = finished(client)
    assert frames(client, "as=0").data == frames(client, "as=seat", table.headers[0]).data
    assert {len(hand) for frame in frames(client, "as=all").json["items"] for hand in frame["hands"]} == {
        *range(11)
    }
    assert refused(frames(client, "as=seat"))["code"] == "not_seated"


def test_no_step_of_a_game_that_is_played_shows_a_card_that_is_hidden(client: Any) -> None:
    table = started(client, seats=3, end={"rounds": 1})
    for step in table.steps():
        for seat, headers in ((None, {}), *enumerate(table.headers)):
            data = frames(client, f"from={max(1, step - 99)}", headers).data
            assert not [text for text in table.hidden_from(seat) if text in data], (step, seat)


def test_who_holds_a_page_is_answered_304(client: Any) -> None:
    started(client)
    first = frames(client)
    assert frames(client, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("from=0", "?from"),
        ("from=x", "?from"),
        ("from=5&to=4", "?to"),
        ("to=0", "?to"),
        ("limit=101", "?limit"),
        ("limit=0", "?limit"),
        ("as=10", "?as"),
        ("as=Seat", "?as"),
        ("as=-1", "?as"),
    ],
)
def test_arguments_out_of_bounds_are_refused(client: Any, refused: Refused, query: str, pointer: str) -> None:
    seated(client)
    problem = refused(frames(client, query))
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
