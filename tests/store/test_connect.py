"""One error for all that will pass, and settings that neither wait nor repeat too long."""

import pytest
from redis import Redis, exceptions as redis_errors

from service.store import connect
from service.store.connect import Unavailable, reaching


@pytest.mark.parametrize(
    "error",
    [
        redis_errors.ConnectionError("refused"),
        redis_errors.TimeoutError("no answer"),
        redis_errors.BusyLoadingError("LOADING"),
        redis_errors.MaxConnectionsError("pool"),
        redis_errors.ReadOnlyError("READONLY"),
        redis_errors.NoScriptError("NOSCRIPT No matching script."),
        redis_errors.ClusterDownError("CLUSTERDOWN"),
        redis_errors.MasterDownError("MASTERDOWN"),
        redis_errors.TryAgainError("TRYAGAIN"),
        redis_errors.MovedError("1 host:1"),
        redis_errors.SlotNotCoveredError("slot"),
        redis_errors.ResponseError("BUSY Redis is busy running a script."),
        redis_errors.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
    ],
)
def test_what_will_pass_is_unavailable_for_now(error: Exception) -> None:
    with pytest.raises(Unavailable) as raised, reaching():
        raise error
    assert raised.value.retry_after_ms == 1000
    assert raised.value.__cause__ is error
    assert raised.value.reason


def test_a_full_memory_is_given_more_time() -> None:
    with pytest.raises(Unavailable) as raised, reaching():
        raise redis_errors.OutOfMemoryError("command not allowed")
    assert raised.value.retry_after_ms == 5000


@pytest.mark.parametrize(
    "error",
    [redis_errors.ResponseError("WRONGTYPE Operation"), redis_errors.DataError("no"), ValueError("no")],
)
def test_what_waiting_does_not_mend_passes_through(error: Exception) -> None:
    with pytest.raises(type(error)) as raised, reaching():
        raise error
    assert raised.value is error


def test_no_more_threads_than_connections_wait_for_long() -> None:
    client = connect.games_client("redis://127.0.0.1:1", threads=3)
    settings = client.connection_pool.connection_kwargs
    assert client.connection_pool.max_connections == 3 + connect.SPARE_CONNECTIONS
    assert settings["socket_timeout"] == settings["socket_connect_timeout"] == connect.PATIENCE_S
    assert settings["retry"].get_retries() == connect.RETRIES


def test_a_server_that_is_not_there_is_unavailable() -> None:
    @reaching()
    def ping(client: Redis) -> bool:
        return client.ping()

    for make in (connect.queue_client, connect.blocking_client):
        with pytest.raises(Unavailable, match="away"):
            ping(make("unix:///nowhere/server.sock"))


def test_another_kind_of_url_is_refused() -> None:
    with pytest.raises(ValueError, match="scheme"):
        connect.games_client("http://localhost", threads=1)
