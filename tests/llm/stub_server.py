"""A web server in a thread that answers as a test tells it, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handling = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """One request; `body` is its JSON."""

    protocol_version = "HTTP/1.1"
    body: Any = None

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Says nothing."""

    def do_POST(self) -> None:
        assert isinstance(self.server, _Server)
        self.body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.stub.requests.append(Request(self.path, dict(self.headers.items()), self.body))
        answers = self.server.stub.answers
        self.close_connection = True
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def send(self, body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """A whole response."""
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), "connection": "close", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


@dataclass(frozen=True, slots=True)
class Request:
    """What came in."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Stub:
    """A running server. `answers` are used one a request, the last one again and again."""

    url: str
    answers: list[Handling]
    requests: list[Request] = field(default_factory=list)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stub: Stub

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone away is no error here."""


@contextmanager
def serving(*answers: Handling) -> Iterator[Stub]:
    """A server on a free port of this machine."""
    server = _Server(("127.0.0.1", 0), Handler)
    server.stub = Stub(f"http://127.0.0.1:{server.server_address[1]}", list(answers))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def deaf_port() -> Iterator[str]:
    """The address of a port that nothing listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


# -- answers


def raw(body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> Handling:
    """These bytes."""
    return lambda handler: handler.send(body, status, kind, **headers)


def value(body: Any, status: int = 200) -> Handling:
    """This value as JSON."""
    return raw(json.dumps(body).encode(), status)


def dropped(handler: Handler) -> None:
    """Closes the connection without an answer."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def reset(handler: Handler) -> None:
    """Breaks the connection off."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def half(handler: Handler) -> None:
    """Promises more than it sends."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"model"')


def silent(seconds: float) -> Handling:
    """Says nothing for a while."""
    return lambda handler: time.sleep(seconds)


def dripping(seconds: float) -> Handling:
    """Sends a byte now and then, so that no single wait is long."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "100000")
        handler.end_headers()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.02)

    return answer


def endless(handler: Handler) -> None:
    """Sends more than anybody asked for."""
    handler.send_response(200)
    handler.send_header("content-length", str(50_000_000))
    handler.end_headers()
    for _ in range(50):
        handler.wfile.write(b" " * 1_000_000)
