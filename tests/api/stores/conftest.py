"""What stands here is asked of the API on both stores: the one in memory and the real one."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(params=["memory", "server"])
def client(request: pytest.FixtureRequest) -> Any:
    """A client of an application on one of them, without a token."""
    if request.param == "server":
        return request.getfixturevalue("real_client")
    return request.getfixturevalue("app").test_client()
