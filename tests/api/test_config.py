"""The settings: what is read, and what is refused rather than guessed."""

import pytest

from service.config import Config, ConfigError, from_environment, without_secrets


def test_an_empty_environment_gives_the_defaults() -> None:
    assert from_environment({}) == Config()


def test_settings_are_read_by_their_type_and_other_programs_variables_left_alone() -> None:
    environ = {
        "TAKE5_WAIT_CAP_S": "10",
        "TAKE5_PUBLIC_URL": "https://play.example",
        "PATH": "/bin",
        "TAKE5_PORT": "80",
    }
    assert from_environment(environ) == Config(wait_cap_s=10, public_url="https://play.example")


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"TAKE5_REDIS_ULR": "redis://x"}, "unknown setting TAKE5_REDIS_ULR; did you mean TAKE5_REDIS_URL?"),
        ({"TAKE5_PROT": "8001"}, "unknown setting TAKE5_PROT; did you mean TAKE5_PORT?"),
        ({"TAKE5_WHATEVER": "1"}, "unknown setting TAKE5_WHATEVER; the settings are TAKE5_ADDRESS_FACTOR, "),
        ({"TAKE5_THREADS": "many"}, "TAKE5_THREADS must be a whole number, not 'many'"),
        ({"TAKE5_THREADS": "1"}, "TAKE5_THREADS must be between 2 and 10000"),
        ({"TAKE5_WAIT_CAP_S": "26"}, "TAKE5_WAIT_CAP_S must be between 0 and 25"),
        (
            {"TAKE5_MAX_WAITING": "1024"},
            "TAKE5_MAX_WAITING and TAKE5_MAX_STREAMS together must be below TAKE5_THREADS",
        ),
        ({"TAKE5_LOG_LEVEL": "loud"}, "TAKE5_LOG_LEVEL must be one of debug, info, warning, error"),
        (
            {"TAKE5_REDIS_URL": "localhost:6379"},
            "TAKE5_REDIS_URL must start with redis:// or rediss:// or unix://",
        ),
        ({"TAKE5_QUEUE_URL": "http://x"}, "TAKE5_QUEUE_URL must start with redis://"),
        ({"TAKE5_RATE_READING": "often"}, 'TAKE5_RATE_READING must be like "600 per 10 seconds", or "none"'),
        ({"TAKE5_GAMES_PER_PLAYER": "0"}, "TAKE5_GAMES_PER_PLAYER must be between 1 and 1000000"),
        ({"TAKE5_PUBLIC_URL": "play.example"}, "TAKE5_PUBLIC_URL must start with http:// or https://"),
        ({"TAKE5_PUBLIC_URL": "https://play.example/"}, "TAKE5_PUBLIC_URL must not end with a slash"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_by_name(environ: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError) as error:
        from_environment(environ)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "url", ["redis://:hush/hush@store", "redis://me:hush?@store", "redis:hush", "hush://store", "unix:/hush"]
)
def test_a_store_s_address_that_cannot_be_read_is_refused_without_a_word_of_it(url: str) -> None:
    with pytest.raises(ConfigError) as error:
        from_environment({"TAKE5_REDIS_URL": url})
    assert "TAKE5_REDIS_URL" in str(error.value)
    assert "hush" not in str(error.value) + repr(error.value.__cause__)


def test_settings_do_not_show_their_secrets() -> None:
    config = Config(
        redis_url="redis://:hush@store", queue_url="redis://:hush@store:6380", metrics_token="hush"
    )
    assert "hush" not in repr(config)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://me:hush@store:6379/0", "redis://store:6379/0"),
        ("rediss://:h%40sh@[::1]:6380", "rediss://[::1]:6380"),
        ("unix://:hush@/run/store.sock?password=hush", "unix:///run/store.sock"),
        ("redis://store", "redis://store"),
        ("", ""),
    ],
)
def test_the_address_of_a_store_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_secrets(url) == shown
