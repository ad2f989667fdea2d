"""Secrets are compared in a time that tells nothing of how much of a guess was right."""

import hmac
from typing import Any

import pytest

from service.store.players import digest
from service.store.players_memory import MemoryPlayers
from tests.api.kinds import MakePlayer, Refused


def test_a_join_code_is_compared_whole_whatever_of_it_is_right(
    client: Any, player: MakePlayer, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def noted(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    headers = player()
    options = {"ruleset": "classic", "seats": 2, "visibility": "private"}
    game = client.post("/v1/games", json=options, headers=headers).json
    code, path = game["join_code"], f"/v1/games/{game['id']}/seats"
    monkeypatch.setattr(hmac, "compare_digest", noted)
    for wrong in ("", code[:-1] + "!", "x" * 64):
        problem = refused(client.post(path, json={"code": wrong}, headers=player("Eve")))
        assert problem["code"] == "game_not_found"
    assert client.post(path, json={"code": code}, headers=player("Bob")).status_code == 201
    # Of a wrong code the store has looked for the digest, and found none; only the right one comes so far as to be compared.
    assert [(one.decode(), other.decode()) for one, other in compared] == [(code, code)]


def test_of_a_token_only_a_digest_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    store, asked = MemoryPlayers(), []

    class Noting(dict[str, str]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.append(key)
            return super().get(key, default)

    monkeypatch.setattr(store, "_owners", Noting())
    token = "t5_" + "a" * 43
    assert store.find(token) is None
    assert asked == [digest(token)]
