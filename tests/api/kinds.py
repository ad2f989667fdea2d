"""The types of what the fixtures of these tests give."""

from collections.abc import Callable
from typing import Any

from werkzeug.test import TestResponse

from tests.api.streamed import Follower

MakePlayer = Callable[..., dict[str, str]]
"""Makes a player of a name and returns the headers that prove it."""

Refused = Callable[[TestResponse], dict[str, Any]]
"""Checks that an answer is a whole problem document and returns it."""

Follow = Callable[..., Follower]
"""Opens a stream, with the headers of who follows; see `tests.api.streamed.Follower`."""

Until = Callable[[Callable[[], bool]], None]
"""Waits for a condition that another thread brings about."""
