"""Conditional and held answers: 304, waiting without a lost wake-up, and an end to how many may wait."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from service.app import create_app
from service.config import Config
from service.http.answers import Representation, answer, etag_of, represent
from service.services import Services, in_memory
from tests.api.kinds import Refused


class Board:
    """A thing to watch: its text, how often it was read, and whether a reader may go on."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.text = "one"
        self.ready = True
        self.is_broken = False
        self.reads = 0
        self.was_read = threading.Event()

    def read(self) -> Representation:
        self.reads += 1
        if self.is_broken:
            raise RuntimeError
        found = represent({"text": self.text}, watch={"board"}, ready=self.ready)
        self.was_read.set()
        return found

    def write(self, text: str) -> None:
        self.text, self.ready = text, True
        self.services.hub.notify("board")


def serve(services: Services) -> tuple[Flask, Board]:
    app = create_app(services)
    board = Board(services)
    app.add_url_rule("/board/<int:wait>", view_func=lambda wait: answer(board.read, wait))
    return app, board


@pytest.fixture
def served() -> tuple[Flask, Board]:
    return serve(in_memory())


def held(app: Flask, path: str, **headers: str) -> Callable[[], Any]:
    """Start a request that will be held, and return how to get its answer."""
    answers: list[Any] = []
    thread = threading.Thread(
        target=lambda: answers.append(
            app.test_client().get(path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        )
    )
    thread.start()

    def finish() -> Any:
        thread.join(10)
        return answers[0]

    return finish


def test_the_etag_is_the_hash_of_the_body_and_strong(served: tuple[Flask, Board]) -> None:
    app, _ = served
    response = app.test_client().get("/board/0")
    assert response.headers["ETag"] == f'"{etag_of(response.data)}"'
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert response.headers["Vary"] == "Authorization"


@pytest.mark.parametrize("held_etags", ['"{}"', 'W/"{}"', '"other", "{}"', 'W/"other" , W/"{}"', "*"])
def test_who_holds_the_answer_gets_304(served: tuple[Flask, Board], held_etags: str) -> None:
    app, _ = served
    client = app.test_client()
    etag = client.get("/board/0").headers["ETag"].strip('"')
    response = client.get("/board/0", headers={"If-None-Match": held_etags.format(etag)})
    assert (response.status_code, response.data) == (304, b"")
    assert response.headers["ETag"] == f'"{etag}"'
    assert "Content-Type" not in response.headers


@pytest.mark.parametrize("held_etags", ['"other"', "", "nonsense", '"', 'W/"x"'])
def test_who_holds_something_else_gets_the_answer(served: tuple[Flask, Board], held_etags: str) -> None:
    app, _ = served
    assert app.test_client().get("/board/25", headers={"If-None-Match": held_etags}).json == {"text": "one"}


def test_a_held_answer_comes_when_it_changes(served: tuple[Flask, Board]) -> None:
    app, board = served
    etag = app.test_client().get("/board/0").headers["ETag"]
    board.was_read.clear()
    finish = held(app, "/board/25", If_None_Match=etag)
    assert board.was_read.wait(10)
    board.write("two")
    assert finish().json == {"text": "two"}


def test_a_held_answer_that_is_not_ready_waits_for_one_that_is(served: tuple[Flask, Board]) -> None:
    app, board = served
    board.ready = False
    finish = held(app, "/board/25")
    assert board.was_read.wait(10)
    board.write("two")
    assert finish().json == {"text": "two"}


def test_news_between_the_reading_and_the_waiting_are_not_lost(served: tuple[Flask, Board]) -> None:
    app, board = served
    etag = app.test_client().get("/board/0").headers["ETag"]
    read = board.read

    def read_and_then_change() -> Representation:
        found = read()
        if board.text == "one":
            board.write("two")
        return found

    board.read = read_and_then_change  # type: ignore[method-assign]  # the fault of this test
    before = time.monotonic()
    assert app.test_client().get("/board/25", headers={"If-None-Match": etag}).json == {"text": "two"}
    assert time.monotonic() - before < 5


def test_a_needless_wake_up_changes_nothing(served: tuple[Flask, Board]) -> None:
    app, board = served
    etag = app.test_client().get("/board/0").headers["ETag"]
    board.was_read.clear()
    finish = held(app, "/board/25", If_None_Match=etag)
    assert board.was_read.wait(10)
    board.was_read.clear()
    board.services.hub.notify("board")
    assert board.was_read.wait(10)
    board.write("two")
    assert finish().json == {"text": "two"}


def test_at_the_end_nothing_new_is_304(served: tuple[Flask, Board]) -> None:
    app, _ = served
    etag = app.test_client().get("/board/0").headers["ETag"]
    response = app.test_client().get("/board/1", headers={"If-None-Match": etag})
    assert (response.status_code, response.data) == (304, b"")


def test_at_the_end_an_answer_that_is_not_ready_comes_anyway(served: tuple[Flask, Board]) -> None:
    app, board = served
    board.ready = False
    assert app.test_client().get("/board/1").json == {"text": "one"}


def test_the_wait_is_cut_to_the_cap() -> None:
    app, board = serve(in_memory(Config(wait_cap_s=0)))
    board.ready = False
    assert app.test_client().get("/board/25").json == {"text": "one"}
    assert board.reads == 1


def test_one_too_many_waiting_is_503_and_a_place_comes_free_again(refused: Refused) -> None:
    services = in_memory(Config(max_waiting=1))
    app, board = serve(services)
    board.ready = False
    finish = held(app, "/board/25")
    assert board.was_read.wait(10)
    while services.waiting.acquire(blocking=False):  # until the held request has the only place
        services.waiting.release()
    response = app.test_client().get("/board/25")
    assert refused(response)["code"] == "too_many_waiting"
    assert response.headers["Retry-After"] == "1"
    assert app.test_client().get("/board/0").status_code == 200
    board.write("two")
    assert finish().json == {"text": "two"}
    board.ready = False
    assert app.test_client().get("/board/1").status_code == 200


def test_a_reading_that_fails_gives_its_place_back(refused: Refused) -> None:
    services = in_memory(Config(max_waiting=1))
    app, board = serve(services)
    board.ready = False
    finish = held(app, "/board/25")
    assert board.was_read.wait(10)
    board.is_broken = True
    board.write("two")
    assert refused(finish())["code"] == "internal_error"
    assert services.waiting.acquire(blocking=False)


def test_a_process_that_ends_sends_everybody_home(served: tuple[Flask, Board]) -> None:
    app, board = served
    board.ready = False
    finish = held(app, "/board/25")
    assert board.was_read.wait(10)
    board.services.close()
    assert finish().status_code == 200
    assert app.test_client().get("/board/25").status_code == 200
