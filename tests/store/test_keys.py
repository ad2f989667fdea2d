"""The names of keys: they are part of what is stored, and what changes together lies together on a cluster."""

from redis.crc import key_slot

from service.store import keys
from service.store.contract import STATUSES


def slots(*names: str) -> set[int]:
    return {key_slot(name.encode()) for name in names}


def test_the_names_are_those_of_the_games_already_stored() -> None:
    assert keys.of_game("g_1") == keys.GameKeys(
        "take5:{b}:g:g_1:log",
        "take5:{b}:g:g_1:snapshot",
        "take5:{b}:g:g_1:secrets",
        "take5:{b}:g:g_1:nowhere",
    )
    assert keys.due("b", "turns") == "take5:{b}:due:turns"
    assert keys.games("b", "lobby") == "take5:{b}:games:lobby"
    assert keys.player("p_1") == "take5:{p_1}:player"
    assert keys.token("00ff") == "take5:t:00ff"
    assert keys.answers("p_1") == "take5:{p_1}:answers"
    assert keys.WAKE == "take5:wake"


def test_everything_an_append_touches_lies_in_one_slot() -> None:
    for number in range(100):
        game = f"g_{number}"
        of_game, tag = keys.of_game(game), keys.shard(game)
        touched = (of_game.log, of_game.snapshot, of_game.secrets, of_game.nowhere, *keys.indexes(tag))
        assert len(slots(*touched, keys.due(tag, "turns"), keys.due(tag, "bots"))) == 1
        assert len({*touched}) == 4 + len(STATUSES)


def test_all_of_a_player_lies_in_one_slot() -> None:
    of_player = (
        keys.player,
        keys.player_games,
        keys.player_active,
        keys.answers,
        keys.answers_age,
    )
    assert len(slots(*(name("p_1") for name in of_player))) == 1
    assert len({name("p_1") for name in of_player}) == len(of_player)


def test_games_spread_over_all_shards() -> None:
    assert {keys.shard(f"g_{number}") for number in range(500)} == set(keys.SHARDS)
    assert len(slots(*(keys.due(tag, "turns") for tag in keys.SHARDS))) == len(keys.SHARDS)
