"""A client that openapi-python-client makes of the committed document, playing a whole game through nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.serving import serving

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "openapi" / "openapi.json"
PACKAGE = "take5_openapi"


def generate(place: Path) -> Path:
    """Generate the package into a directory, and return its path; a warning is a failure, for it means a missing piece."""
    settings = place / "settings.yaml"
    settings.write_text("post_hooks: []\n")  # nobody reads the code: it need not be laid out
    package = place / PACKAGE
    _run(
        *("openapi_python_client", "generate", "--fail-on-warning"),
        *("--path", DOCUMENT, "--config", settings, "--meta", "none", "--output-path", package),
        python_path=(),
    )
    return package


def play(package: Path, url: str) -> str:
    """Have the generated package play a game, and return what is said of it."""
    return _run("tests.contract.game", url, python_path=(package.parent, ROOT))


def check() -> bool:
    """Generate, play and print the figures; whether all of it went well."""
    with tempfile.TemporaryDirectory(prefix="take5-client-") as name:
        place = Path(name)
        began = time.monotonic()
        try:
            package = generate(place)
            modules, generated = sum(1 for _ in package.rglob("*.py")), time.monotonic()
            with serving(place / "data", place / "log") as served:
                ready = time.monotonic()
                said = play(package, served.url)
                played = time.monotonic()
        except subprocess.CalledProcessError as error:
            print(f"client  {error.cmd} ended with {error.returncode}\n{error.stdout}{error.stderr}")
            return False
    print(
        f"client  generated in {generated - began:.1f} s ({modules} modules), played in {played - ready:.1f} s: {said}"
    )
    return True


def _run(module: str, *arguments: str | Path, python_path: tuple[Path, ...]) -> str:
    environment = os.environ | ({"PYTHONPATH": os.pathsep.join(map(str, python_path))} if python_path else {})
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.strip()
