"""A game over HTTP by a rule set that somebody has put among the others before the service was loaded."""

from __future__ import annotations

import json
import random
from typing import Any, Final

from service.app import create_app
from service.config import Config
from service.schemas.games import GameSchema
from service.services import in_memory
from worker.bots import play_bots
from worker.turns import advance

NAME: Final = "long-rows"


def played() -> dict[str, Any]:
    """All there is to see of a whole game of a person, a house bot that plays well and one that plays anything."""
    services = in_memory(Config())
    client, luck = create_app(services).test_client(), random.Random(5)
    made: Any = client.post("/v1/players", json={"name": "Ada", "kind": "human"}).json
    headers = {"Authorization": f"Bearer {made['token']}"}

    def asked(method: str, path: str, body: Any = None) -> Any:
        answer = client.open(path, method=method, json=body, headers=headers)
        assert answer.status_code < 300, (method, path, answer.json)
        return answer.json

    made = asked("POST", "/v1/games", {"ruleset": NAME, "seats": 3, "pace": "untimed", "learning_rounds": 1})
    game = f"/v1/games/{made['id']}"
    for seat, level in ((1, "lowest_risk"), (2, "random")):
        asked("POST", f"{game}/seats/{seat}/bot", {"house": level})
    asked("POST", f"{game}/start")
    longest, answers = 0, 0
    while (state := asked("GET", game))["status"] == "playing":
        assert GameSchema().load(state)
        longest = max([longest, *(len(row["cards"]) for row in state["rows"])])
        for decision in asked("GET", "/v1/me/decisions")["items"]:
            legal = decision["legal"]
            answer = {"card": luck.choice(legal.get("cards") or [0])}
            if decision["kind"] == "row":
                answer = {"row": luck.randrange(len(legal["rows"]))}
            else:
                assert len(asked("GET", f"{game}/hints")["items"]) == len(legal["cards"])
            asked("PUT", f"{game}/decisions/{decision['key']}", answer)
            answers += 1
        play_bots(services.play, made["id"])
        advance(services.play, made["id"])
    return {
        "listed": [one["id"] for one in asked("GET", "/v1/rulesets")["items"]],
        "ruleset": asked("GET", f"/v1/rulesets/{NAME}"),
        "documented": NAME in json.dumps(asked("GET", "/v1/openapi.json")),
        "state": state,
        "longest": longest,
        "answers": answers,
        "verification": asked("GET", f"{game}/verification"),
        "frames": asked("GET", f"{game}/frames?limit=50"),
        "replay": asked("GET", f"{game}/replay?format=replay"),
        "scores": asked("GET", f"{game}/scores"),
        "turn": asked(
            "POST",
            "/v1/simulate",
            {
                "ruleset": NAME,
                "rows": [[10, 11, 12, 13, 14, 15], [50], [51], [52], [53]],
                "plays": [{"seat": 0, "card": 30}, {"seat": 1, "card": 31}],
                "choices": [],
            },
        ),
    }
