"""Fields take what they say and no near misses."""

from typing import Any

import marshmallow as ma
import pytest

from service.schemas.fields import Boolean, Card, Integer, QueryInteger


@pytest.mark.parametrize("value", [1, 104, "J0", "J9"])
def test_a_card_is_a_number_or_a_joker(value: Any) -> None:
    assert Card().deserialize(value) == value


@pytest.mark.parametrize("value", [0, 105, -1, 5.0, "5", True, None, "J", "J10", "j1", "J٣", "J1\n", [5], {}])
def test_nothing_else_is_a_card(value: Any) -> None:
    with pytest.raises(ma.ValidationError):
        Card().deserialize(value)


@pytest.mark.parametrize("value", [5.0, "5", True, None, [5], 1, 11])
def test_an_integer_is_whole_typed_and_within_its_bounds(value: Any) -> None:
    with pytest.raises(ma.ValidationError):
        Integer(2, 10).deserialize(value)
    assert Integer(2, 10).deserialize(5) == 5


def test_an_integer_may_be_open_on_either_side() -> None:
    assert Integer().deserialize(-(10**9)) == -(10**9)
    assert Integer(0).deserialize(10**9) == 10**9


@pytest.mark.parametrize("value", [0, 1, "true", "yes", None, []])
def test_a_boolean_is_one_of_two_words(value: Any) -> None:
    with pytest.raises(ma.ValidationError):
        Boolean().deserialize(value)
    assert Boolean().deserialize(value=True) is True
    assert Boolean().deserialize(value=False) is False


@pytest.mark.parametrize("value", ["", "5.0", " 5", "+5", "1_0", "٣", "0x5", "5\n", "-1", "26", "9" * 30])
def test_a_number_in_the_query_is_plain_digits_within_its_bounds(value: str) -> None:
    with pytest.raises(ma.ValidationError):
        QueryInteger(0, 25).deserialize(value)
    assert QueryInteger(0, 25).deserialize("25") == 25
