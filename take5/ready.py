"""Whether a service on this machine can be played on."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit


def is_ready(url: str) -> bool:
    """Whether the service says so; no proxy is asked, whatever the environment names, for none leads to this machine."""
    place = urlsplit(url)
    line = HTTPConnection(place.hostname or "", place.port, timeout=2)
    try:
        line.request("GET", "/readyz")
        return line.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        line.close()
