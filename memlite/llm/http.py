"""What calls of any chat server share: time limits, size caps, a second attempt, and which hosts are this machine."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

import httpx

from memlite.errors import BadInput, MemliteError, ReplyError, Timeout, Unreachable, shown
from memlite.llm.replies import MAX_BYTES
from memlite.ports import Deadline

CONNECT_S = 2.0
"""A local server takes a connection at once; one that doesn't is not running."""

MAX_BODY_BYTES = 4 * MAX_BYTES
"""Of a whole response: JSON may write a byte of the answer as `\\u003c`, and thinking stands beside the answer."""

_PAUSE_S = 0.2
_LONGEST_SAID = 200

T = TypeVar("T")


class Passing(Exception):
    """A failure that may pass: the server is busy or the connection broke. `error` is raised if it doesn't."""

    def __init__(self, error: Unreachable) -> None:
        super().__init__(str(error))
        self.error = error


def attempted(call: Callable[[float], T], *, limit_s: float, deadline: Deadline) -> T:
    """What `call(seconds)` gives, tried a second time after a pause where it raised Passing and time is left.

    Raises:
        Unreachable: both attempts met it, or there was no time for the second.
        Timeout: no time is left.
    """
    end = time.monotonic() + min(limit_s, deadline.left_s())
    try:
        return call(_left(end))
    except Passing as passing:
        if end - time.monotonic() <= _PAUSE_S:
            raise passing.error from passing.__cause__
    time.sleep(_PAUSE_S)
    try:
        return call(_left(end))
    except Passing as passing:
        raise passing.error from passing.__cause__


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise Timeout("no time is left for another attempt")
    return left


def client_options(url: str, seconds: float) -> dict[str, Any]:
    """Arguments of an `httpx.Client` for one call of at most `seconds`.

    A client a call: it is made in two milliseconds, while a kept one would share its time limit between threads, its sockets
    with a forked child, and its dead connections with the next call. Redirects are not followed: they would send memories to
    a host nobody named. Waiting for response headers that drip in byte by byte is the one thing without a limit on the whole.
    """
    end = time.monotonic() + seconds

    def bounded(response: httpx.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ReplyError("the server compressed its response although it was asked not to")
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _Bounded(response.stream, end, seconds)

    options: dict[str, Any] = {
        "timeout": httpx.Timeout(seconds, connect=min(CONNECT_S, seconds)),
        "follow_redirects": False,
        "headers": {"accept-encoding": "identity"},
        "event_hooks": {"response": [bounded]},
    }
    if is_loopback(url):  # a proxy would look for this machine's servers on its own
        options["trust_env"] = False
        if urlsplit(url).scheme == "http":  # no TLS, so the 30 ms of loading certificates can be saved
            options["verify"] = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return options


class _Bounded(httpx.SyncByteStream):
    """A response's bytes up to the size cap and the end of the time."""

    def __init__(self, stream: httpx.SyncByteStream, end: float, seconds: float) -> None:
        self._stream = stream
        self._end = end
        self._seconds = seconds

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise ReplyError(f"the response is larger than {MAX_BODY_BYTES:,} bytes")
            if time.monotonic() > self._end:
                raise Timeout(f"the answer was still coming in after {self._seconds:.3g} s")
            yield chunk

    def close(self) -> None:
        self._stream.close()


def refused(status: int, said: str, who: str, *, secret: str | None = None) -> MemliteError:
    """The error for a response with an HTTP status that no caller knows better."""
    quote = brief(said, secret)
    if status in (408, 504):
        return Timeout(f"{who} took too long, it says (status {status}): {quote}")
    if 400 <= status < 500 and status not in (401, 403, 404, 429):
        return ReplyError(f"{who} does not take the request (status {status}): {quote}")
    return Unreachable(f"{who} gave no answer (status {status}): {quote}")


def brief(said: str, secret: str | None = None) -> str:
    """A server's message on one line of at most 200 characters, without the secret it may repeat."""
    if secret:
        said = said.replace(secret, "[key]")
    line = " ".join(said.split()) or "no message"
    return line if len(line) <= _LONGEST_SAID else f"{line[:_LONGEST_SAID]}…"


def split_url(url: object, *, what: str) -> SplitResult:
    """The parts of an http(s) address.

    Raises:
        BadInput: it is none.
    """
    if not isinstance(url, str):
        raise BadInput(f"{what} is {shown(url)}: give an address such as http://127.0.0.1:11434")
    if "@" in url:
        raise BadInput(f"{what} holds a user name or password, which messages would show: leave it out")
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound, parts = False, urlsplit("")
    if not sound or any(character.isspace() for character in url):
        raise BadInput(f"{what} is {shown(url)}: give an address such as http://127.0.0.1:11434")
    return parts


def is_loopback(url: str) -> bool:
    """Whether the address is this machine's. 0.0.0.0 is what servers listen on; as a target it means this machine."""
    host = (urlsplit(url).hostname or "").lower()
    return host in ("localhost", "::1", "::", "0.0.0.0") or host.startswith("127.")  # noqa: S104 - compared, not bound
