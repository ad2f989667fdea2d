"""What was made lately is given again for the state it was made from, and for no other."""

from service.store.recent import Recent


def test_what_was_made_is_given_for_its_own_state_alone() -> None:
    recent: Recent[bytes] = Recent(2)
    recent.put("game", "one", b"1")
    assert recent.get("game", "one") == b"1"
    assert recent.get("game", "two") is None
    assert recent.get("other", "one") is None


def test_a_newer_state_takes_the_place_of_an_older() -> None:
    recent: Recent[bytes] = Recent(2)
    recent.put("game", "one", b"1")
    recent.put("game", "two", b"2")
    assert recent.get("game", "one") is None
    assert recent.get("game", "two") == b"2"


def test_what_was_not_asked_for_longest_goes_first() -> None:
    recent: Recent[str] = Recent(2)
    for key in ("a", "b"):
        recent.put(key, "s", key)
    recent.get("a", "s")
    recent.put("c", "s", "c")
    assert [recent.get(key, "s") for key in ("a", "b", "c")] == ["a", None, "c"]


def test_what_nobody_asks_for_is_let_go_when_something_new_comes() -> None:
    now_s = [0.0]
    recent: Recent[str] = Recent(10, idle_s=60, clock=lambda: now_s[0])
    for key in ("idle", "asked for"):
        recent.put(key, "s", key)
    now_s[0] = 50
    assert recent.get("asked for", "s")
    now_s[0] = 61
    recent.put("new", "s", "new")
    assert [recent.get(key, "s") for key in ("idle", "asked for", "new")] == [None, "asked for", "new"]
    assert len(recent) == 2


def test_what_is_dropped_is_gone() -> None:
    recent: Recent[str] = Recent(10)
    for key in ("a", "b"):
        recent.put(key, "", key)
    recent.drop("a")
    recent.drop("a")
    assert [recent.get(key) for key in ("a", "b")] == [None, "b"]
    recent.clear()
    assert len(recent) == 0
