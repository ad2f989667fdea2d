"""How a child process ends with its parent, whichever way the parent ends."""

from __future__ import annotations

import os
import signal
import time
from threading import Thread
from typing import Final

PATIENCE_S: Final = 12.0
"""How long an orphan may take to end in order; then its whole process group is killed."""


def end_with_parent() -> None:
    """Have this process, the leader of a group of its own, end as by SIGTERM when its standard input is closed.

    The parent holds the other end of that pipe and never writes; the system closes it even after `kill -9`.
    """
    Thread(target=_watch, name="take5-lifeline", daemon=True).start()


def _watch() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE_S)
    os.killpg(0, signal.SIGKILL)
