"""How much memory a game takes is what docs/operating.md tells those who must plan for it."""

from __future__ import annotations

import re
from collections.abc import Callable

from redis import Redis

from engine.game import Game
from service.store import keys
from service.store.play import Play
from tests.house.tree import ROOT
from worker.bots import play_bots
from worker.turns import advance


def test_an_event_takes_as_much_memory_as_the_operator_is_told(
    play: Play, opened: Callable[..., Game], games_client: Redis
) -> None:
    opened(seats=4, bots=dict.fromkeys(range(4), "random"), end={"rounds": 2})
    while not play.live("g_1").game.is_over:
        play_bots(play, "g_1")
        advance(play, "g_1")
    page = (ROOT / "docs" / "operating.md").read_text()
    found = re.search(r"^\| an event, on the average \| (\d+) bytes \|", page, re.MULTILINE)
    assert found
    taken = games_client.memory_usage(keys.of_game("g_1").log, samples=0)
    assert taken
    assert 0.75 < taken / len(play.log("g_1")) / int(found[1]) < 1.25
