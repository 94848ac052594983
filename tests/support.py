"""What the tests of a store share: an embedder without a model, a clock set by hand, stores, vandals, power cuts, processes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from memlite import Encoded, Memory, Settings, SpaceInfo
from memlite.storage.connection import Session

NOON = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp() * 1000)
"""Where a test's clock starts."""

UNCOVERED = "¤"
"""A text that starts with it gets no vector, as Chinese gets none from an English model."""

QUICK = Settings(durability="normal", busy_ms=5_000)
"""No sync a change, and a wait for the lock that ends before the test does."""

IMPATIENT = Settings(durability="normal", busy_ms=200)
"""For tests that want to be told that the file is busy."""


class FakeEmbedder:
    """Vectors from the words of a text: equal texts give equal vectors, texts with common words near ones.

    Args:
        dimension: numbers in a vector, a multiple of 8.
        name: embedders of different names are different models.
    """

    def __init__(self, dimension: int = 16, name: str = "fake") -> None:
        digest = hashlib.sha256(f"{name}:{dimension}".encode()).hexdigest()
        self.info = SpaceInfo(
            model=name,
            dimension=dimension,
            model_sha256=digest,
            tokenizer_sha256=digest[::-1],
            max_tokens=256,
            languages=("en",),
            thresholds={"found": 0.7},
        )

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """One result a text, in order."""
        return [self._encoded(text) for text in texts]

    def _encoded(self, text: str) -> Encoded:
        words = text.casefold().split()
        if not words or text.startswith(UNCOVERED):
            return Encoded(vector=None, unknown_share=1.0)
        vector = np.sum([self._direction(word) for word in words], axis=0)
        vector /= np.linalg.norm(vector)
        return Encoded(vector=vector.astype(np.float32), truncated=len(words) > self.info.max_tokens)

    def _direction(self, word: str) -> Any:
        digest = hashlib.shake_256(word.encode()).digest(self.info.dimension)
        return np.frombuffer(digest, np.uint8).astype(np.float64) - 127.5


class SetClock:
    """UTC milliseconds that move only when a test says so."""

    def __init__(self, now_ms: int = NOON) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms

    def advance(self, *, hours: float = 0, seconds: float = 0, ms: int = 0) -> int:
        """Moves the clock, also back, and gives the time it shows then."""
        self.now_ms += round(hours * 3_600_000 + seconds * 1000) + ms
        return self.now_ms


def open_memory(folder: Path, name: str = "memory.db", **options: Any) -> Memory:
    """A store in `folder`, with a fake embedder, a clock of its own and quick settings where `options` name no others."""
    chosen: dict[str, Any] = {"embedder": FakeEmbedder(), "clock": SetClock(), "settings": QUICK} | options
    return Memory(folder / name, **chosen)


def quick_folder() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder, on a RAM disk where there is one: many tests would otherwise mostly wait for the disk."""
    disk = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="memlite-test-", dir=disk if os.access(disk, os.W_OK) else None)


def texts(memory: Memory, user_id: str | None = None) -> list[str]:
    """The texts of a user, oldest first."""
    found = memory.get_all(user_id=user_id, limit=1_000, status="any")["results"]
    return [entry["memory"] for entry in reversed(found)]


def codes(problems: Iterable[dict[str, Any]]) -> set[str]:
    """What kinds of problems a check found."""
    return {problem["code"] for problem in problems}


# -- the file, seen from outside


def driver() -> Any:
    """The SQLite driver that memlite uses, for connections of a test's own."""
    return import_module("memlite.storage.connection").driver


def raw(path: Path) -> Any:
    """A plain connection to a store's file, in autocommit and able to read vec0 tables."""
    connection = driver().connect(str(path), isolation_level=None)
    connection.enable_load_extension(True)
    import_module("sqlite_vec").load(connection)
    connection.enable_load_extension(False)
    return connection


def vandalise(path: Path, *statements: str) -> None:
    """Runs statements on the file of a closed store, past memlite and past the checks of SQLite."""
    connection = raw(path)
    try:
        for pragma in ("foreign_keys = off", "ignore_check_constraints = on", "writable_schema = on"):
            connection.execute(f"pragma {pragma}")
        for statement in statements:
            connection.execute(statement)
        connection.execute("pragma wal_checkpoint(truncate)")
    finally:
        connection.close()


_TABLES = (
    "scopes",
    "memories",
    "spaces",
    "embeddings",
    "lineage",
    "runs",
    "actions",
    "payloads",
    "memory_terms",
    "meta_kv",
    "memories_fts_docsize",
)


def dump(path: Path) -> dict[str, list[Any]]:
    """All rows of a store, by table. Stores with equal dumps hold the same."""
    connection = raw(path)
    connection.text_factory = os.fsdecode  # a damaged text is no UTF-8
    try:
        found = {table: connection.execute(f"select * from {table} order by 1, 2").fetchall() for table in _TABLES}
        for (space,) in connection.execute("select space from spaces where dimension > 0").fetchall():
            found[f"vec_{space}"] = connection.execute(f"select rowid, scope, v from vec_{space} order by 1").fetchall()
    finally:
        connection.close()
    return found


def listing(folder: Path) -> dict[str, bytes]:
    """Name and bytes of each file in a folder. Not for a file that this process has open: reading it drops SQLite's locks."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# -- power cuts


class PowerCut(BaseException):
    """The power went. No `except Exception` may take it for an error that it can answer."""


@dataclass
class Cut:
    """A power cut that is set up: statements seen so far, and whether it happened."""

    seen: int = 0
    fired: bool = False


_STATEMENTS = ("run", "many", "rows", "records", "each", "each_record", "one")


@contextmanager
def cut_before(
    statement: int | None, *, inside: bool = False, late: bool = False, meanwhile: Callable[[], object] = lambda: None
) -> Iterator[Cut]:
    """Raises PowerCut in the place of the n-th statement that any session runs, from 0; None only counts. A rollback is none.

    Args:
        statement: which one.
        inside: count only those inside a transaction.
        late: let the statement run and raise then, as an interrupt from the keyboard may.
        meanwhile: called at the moment of the cut, before anything is rolled back.
    """
    cut = Cut()

    def wrapped(original: Callable[..., Any]) -> Callable[..., Any]:
        def method(session: Session, sql: str, *rest: Any) -> Any:
            if cut.fired or sql == "rollback" or (inside and not session.in_transaction):
                return original(session, sql, *rest)
            cut.fired = cut.seen == statement
            cut.seen += 1
            if not cut.fired:
                return original(session, sql, *rest)
            if late:
                original(session, sql, *rest)
            meanwhile()
            raise PowerCut(sql)

        return method

    with ExitStack() as patches:
        for name in _STATEMENTS:
            patches.enter_context(patch.object(Session, name, wrapped(getattr(Session, name))))
        yield cut


# -- processes


def start_child(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Starts Python code in a process of its own that can import this module; `sys.argv[1:]` are the arguments."""
    paths = [str(Path(__file__).resolve().parent), *sys.path]
    return subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)},
    )


def said(child: subprocess.Popen[str], *, timeout: float = 60) -> str:
    """Waits for a child; what it printed. Fails with its traceback where it did not end well."""
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        raise AssertionError(f"still running after {timeout} s\n{out}\n{err}") from None
    assert child.returncode == 0, f"exit {child.returncode}\n{out}\n{err}"
    return out.strip()


def run_child(script: str, *arguments: object, timeout: float = 60) -> str:
    """Runs Python code in a process of its own; what it printed."""
    return said(start_child(script, *arguments), timeout=timeout)


def in_forks(jobs: Sequence[Callable[[], object]]) -> list[str]:
    """Runs each job in a forked process of its own, all at once; what each returned, or its traceback.

    For scripts of `run_child`: pytest itself has threads and must not be forked.
    """
    start, go = os.pipe()
    children = []
    for job in jobs:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(go)
            os.read(start, 1)  # returns when the parent has closed its end: all start together
            os.write(writer, _outcome(job).encode())
            os._exit(0)
        os.close(writer)
        children.append((pid, reader))
    os.close(go)
    os.close(start)
    reports = []
    for pid, reader in children:
        with os.fdopen(reader, encoding="utf-8") as pipe:
            report = pipe.read()
        _, status = os.waitpid(pid, 0)
        reports.append(report if status == 0 else f"ended with status {status}")
    return reports


def _outcome(job: Callable[[], object]) -> str:
    try:
        return str(job())
    except BaseException:  # noqa: BLE001 - the parent reports it
        return traceback.format_exc()


def become_nobody() -> None:
    """Gives up root's rights in a child process. Everything it needs later must be imported before."""
    with tempfile.TemporaryDirectory() as folder, open_memory(Path(folder)) as memory:
        memory.add("warm")
        memory.search("warm")
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
