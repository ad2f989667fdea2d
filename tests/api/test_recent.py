"""What was made lately is given again for the state it was made from, and for no other."""

from service.recent import Recent


def test_what_was_made_is_given_for_its_own_state_alone() -> None:
    recent = Recent(2)
    recent.put("game", "one", b"1")
    assert recent.get("game", "one") == b"1"
    assert recent.get("game", "two") is None
    assert recent.get("other", "one") is None


def test_a_newer_state_takes_the_place_of_an_older() -> None:
    recent = Recent(2)
    recent.put("game", "one", b"1")
    recent.put("game", "two", b"2")
    assert recent.get("game", "one") is None
    assert recent.get("game", "two") == b"2"


def test_what_was_not_asked_for_longest_goes_first() -> None:
    recent = Recent(2)
    for key in ("a", "b"):
        recent.put(key, "s", key)
    recent.get("a", "s")
    recent.put("c", "s", "c")
    assert [recent.get(key, "s") for key in ("a", "b", "c")] == ["a", None, "c"]
