"""Bots that are players, and the tables that they are invited to."""

from __future__ import annotations

from typing import Any

TABLE = {"ruleset": "classic", "seats": 3, "pace": "untimed"}


def made(client: Any, headers: dict[str, str], **wanted: Any) -> tuple[str, dict[str, str]]:
    """Make a bot and return its id, and the headers that prove it."""
    answer = client.post("/v1/me/bots", json={"name": "Max", **wanted}, headers=headers)
    assert answer.status_code == 201, answer.json
    return answer.json["player"]["id"], {"Authorization": f"Bearer {answer.json['token']}"}


def opened(client: Any, headers: dict[str, str], **options: Any) -> str:
    """Open a table whose host accepts bots, and return its address."""
    body = {**TABLE, "accept_bots": True, **options}
    return f"/v1/games/{client.post('/v1/games', json=body, headers=headers).json['id']}"


def invite(client: Any, headers: dict[str, str], table: str, bot: str, seat: int = 1) -> Any:
    """Seat a bot that is a player, as the host."""
    return client.post(f"{table}/seats/{seat}/bot", json={"player": bot}, headers=headers)
