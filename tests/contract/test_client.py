"""The document is whole: a client that a public generator makes of it needs nothing else to play."""

from pathlib import Path

from tests.contract.client import generate, play
from tests.e2e.serving import serving


def test_a_generated_client_plays_a_whole_game(tmp_path: Path) -> None:
    package = generate(tmp_path)
    with serving(tmp_path / "data", tmp_path / "log") as served:
        assert "verification ok" in play(package, served.url)
