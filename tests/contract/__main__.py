"""Whether service and document keep to each other: `python -m tests.contract [schemathesis] [client] [--seed N]`."""

from __future__ import annotations

import argparse
import sys

from tests.contract import client, fuzzing

PARTS = ("schemathesis", "client")


def main() -> int:
    """Check what is named, or everything; 0 when all is well, 1 when something is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="part", help="schemathesis, client; both if none is named"
    )
    parser.add_argument("--seed", type=int, help="repeat the random requests of an earlier run")
    wanted = parser.parse_args()
    for unknown in {*wanted.parts} - {*PARTS}:
        parser.error(f"no such part: {unknown}")
    print("This takes three minutes or more.", flush=True)
    met = [client.check()] if "client" in wanted.parts or not wanted.parts else []
    if "schemathesis" in wanted.parts or not wanted.parts:
        met.append(fuzzing.check(wanted.seed))
    return int(not all(met))


if __name__ == "__main__":
    sys.exit(main())
