"""How tests ask what a player owes in `g_1`, and answer it, over HTTP."""

from typing import Any

from engine import commands as c
from service.schemas.decisions import DecisionListSchema
from tests.api.played import Table, started


def owed(client: Any, headers: dict[str, str], query: str = "") -> list[dict[str, Any]]:
    """Return what a player owes."""
    answer = client.get(f"/v1/me/decisions?{query}", headers=headers)
    assert answer.status_code == 200, answer.json
    assert DecisionListSchema().load(answer.json) == answer.json
    items: list[dict[str, Any]] = answer.json["items"]
    return items


def put(client: Any, headers: dict[str, str], key: str, body: Any) -> Any:
    """Answer a decision of `g_1`."""
    return client.put(f"/v1/games/g_1/decisions/{key}", json=body, headers=headers)


def event(client: Any, seq: int, headers: dict[str, str]) -> dict[str, Any]:
    """Return one event of `g_1` as a player may read it."""
    page = client.get(f"/v1/games/g_1/events?after={seq - 1}&limit=1", headers=headers).json
    found: dict[str, Any] = page["items"][0]
    return found


def with_choice(client: Any, **options: Any) -> tuple[Table, int, str]:
    """Return a table that waits for a row, whose seat has to choose, and the key of that decision."""
    table = started(client, seats=3, **options)
    while (state := table.state()).request is None:
        table.lay(0, 1, 2)
        table.do(c.Advance())
    return table, state.request.seat, f"r{state.round}.t{state.turn}.s{state.request.seat}.row"
