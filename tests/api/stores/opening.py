"""Tables that were just opened."""

from __future__ import annotations

from typing import Any

TWO = {"ruleset": "classic", "seats": 2}


def opened(client: Any, headers: dict[str, str], **options: Any) -> dict[str, Any]:
    """Open a table and return what its creator was told."""
    response = client.post("/v1/games", json={**TWO, **options}, headers=headers)
    assert response.status_code == 201, response.json
    game: dict[str, Any] = response.json
    return game
