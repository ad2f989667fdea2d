"""gunicorn's threaded worker, answering what never becomes a request as the application would: with problem documents.

Use it as `--worker-class service.gateway.Worker`.
"""

from __future__ import annotations

import socket
from typing import Any

import orjson
from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from service.http.headers import EVERY_ANSWER, new_request_id
from service.problems import MEDIA_TYPE, Problem


class Worker(ThreadWorker):  # type: ignore[misc]  # the package ships no types
    """Serves a request a thread; a client that speaks no HTTP gets a problem document and a closed connection."""

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer what gunicorn could not read, or could not write; a client that has gone is told nothing."""
        request_id = new_request_id()
        problem = Problem(_code(exc))
        self.log.warning("unreadable request: %s, request_id %s", type(exc).__name__, request_id)
        try:
            util.write_nonblock(client, _written(problem, request_id))
        except OSError:
            self.log.debug("the client of request_id %s has gone", request_id)


def _code(error: BaseException) -> str:
    match error:
        case errors.LimitRequestLine():
            return "uri_too_long"
        case errors.LimitRequestHeaders():
            return "headers_too_large"
        case errors.UnsupportedTransferCoding():
            return "not_implemented"
        case errors.ParseException():
            return "bad_request"
        case _:
            return "internal_error"


def _written(problem: Problem, request_id: str) -> bytes:
    """Return the whole answer as it goes over the wire."""
    body = orjson.dumps(problem.document(request_id))
    headers = {
        **EVERY_ANSWER,
        "Cache-Control": "no-store",
        "Connection": "close",
        "Content-Length": str(len(body)),
        "Content-Type": MEDIA_TYPE,
        "X-Request-Id": request_id,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {problem.status} {problem.title}\r\n{head}\r\n".encode() + body
