"""The settings: what is read, and what is refused rather than guessed."""

import pytest

from service.config import Config, ConfigError, from_environment


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
        ({"TAKE5_REDIS_ULR": "redis://x"}, "unknown setting TAKE5_REDIS_ULR"),
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
        ({"TAKE5_PUBLIC_URL": "play.example"}, "TAKE5_PUBLIC_URL must start with http:// or https://"),
        ({"TAKE5_PUBLIC_URL": "https://play.example/"}, "TAKE5_PUBLIC_URL must not end with a slash"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_by_name(environ: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError) as error:
        from_environment(environ)
    assert words in str(error.value)
