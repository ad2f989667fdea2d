"""The fair shuffle against the published test vector, and what its commitments promise."""

from __future__ import annotations

import hashlib

from engine import deals
from engine.cards import JOKERS, in_order
from tests.rules.table import FAIR

MASTER = bytes(range(32))
SEEDS = ("aa" * 16, "", "bb" * 16)


def test_the_published_vector_comes_out() -> None:
    seed = deals.round_seed(MASTER, 1, 0)
    key = deals.deck_key(seed, "g_test", 1, 0, SEEDS)
    assert deals.seed_commit(MASTER) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert seed.hex() == "921ed3ee1a1cd2c6c2377664a87707d3ca5864687bc196ddba79210859b128de"
    assert deals.round_commit(seed) == "b009234b9643a312be2624e4799c300ba2cc59b789940ee02e49da27ac167ea8"
    assert key.hex() == "f0ff46fe6a1daf82e1ca1395a00207625bbe7dce6c723f5182f9b57c0fa8dc91"
    deck = deals.number_deck(key, 104)
    assert deck[:14] == (84, 97, 59, 33, 79, 82, 92, 47, 66, 25, 24, 75, 71, 63)
    assert in_order(deck[:10]) == (25, 33, 47, 59, 66, 79, 82, 84, 92, 97)
    assert deck[30:34] == (4, 73, 2, 67)
    assert deals.shuffled(key, JOKERS) == ("J3", "J4", "J1", "J7", "J5", "J9", "J2", "J8", "J6", "J0")


def test_a_game_s_chance_is_that_shuffle() -> None:
    key = deals.deck_key(deals.round_seed(MASTER, 1, 0), "g_test", 1, 0, SEEDS)
    assert FAIR.deck("g_test", 1, 0, SEEDS, 104) == deals.number_deck(key, 104)
    assert "00010203" not in repr(FAIR)


def test_every_deal_depends_on_everything_it_is_made_from() -> None:
    decks = {
        FAIR.deck("g_test", 1, 0, SEEDS, 104),
        FAIR.deck("g_other", 1, 0, SEEDS, 104),
        FAIR.deck("g_test", 2, 0, SEEDS, 104),
        FAIR.deck("g_test", 1, 1, SEEDS, 104),
        FAIR.deck("g_test", 1, 0, ("aa" * 16, "cc", "bb" * 16), 104),
        FAIR.deck("g_test", 1, 0, SEEDS[::-1], 104),
        deals.FairShuffle(b"\1" * 32).deck("g_test", 1, 0, SEEDS, 104),
    }
    assert len(decks) == 7
    assert {frozenset(deck) for deck in decks} == {frozenset(range(1, 105))}


def test_salts_bots_and_draws_come_from_their_seeds_alone() -> None:
    assert FAIR.salt(7, "s1") == deals.salt(MASTER, 7, "s1")
    assert len({FAIR.salt(7, "s1"), FAIR.salt(8, "s1"), FAIR.salt(7, "s2")}) == 3
    assert len(bytes.fromhex(FAIR.salt(7, "s1"))) == 16
    seed = deals.bot_seed(FAIR.round_seed(1, 0), 2, "t3")
    assert seed != deals.bot_seed(FAIR.round_seed(1, 0), 3, "t2")
    assert [deals.draw(seed, str(number), 4) for number in range(5)] == [
        int.from_bytes(hashlib_hmac(seed, str(number))) % 4 for number in range(5)
    ]


def hashlib_hmac(key: bytes, message: str) -> bytes:
    """HMAC-SHA256 written out, as RFC 2104 defines it."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message.encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()
