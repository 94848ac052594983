"""Sessions: one connection each, and the only place that knows the SQLite driver.

Facts this module rests on (each has a test): a plain BEGIN that turns into a write fails at once however long the timeout is;
`with connection` of the driver does not roll back when isolation_level is None; the driver's errors are not the standard
library's.
"""

from __future__ import annotations

import importlib.util
import random
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memlite.errors import Busy, Damaged, Full, NotMemlite, OldSQLite, ReadOnly, StorageError
from memlite.settings import Settings

try:
    import pysqlite3 as driver
except ImportError:  # pragma: no cover - platforms without the wheel: the standard library's, if new enough
    import sqlite3 as driver

Params = Mapping[str, Any] | Sequence[Any]

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can lose acknowledged commits in WAL mode with several connections (the WAL-reset bug, 3.7.0 to 3.51.2)."""

_BUSY, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB, _IOERR_WRITE = 5, 8, 10, 11, 13, 14, 26, 778
_LOCKED, _PERM, _AUTH, _ERROR = 6, 3, 23, 1


def require_driver() -> None:
    """Makes sure of a SQLite that is new enough and can load extensions.

    Raises:
        OldSQLite: it is not.
    """
    if driver.sqlite_version_info < OLDEST_SQLITE:
        raise OldSQLite(
            f"SQLite {driver.sqlite_version} can lose commits in WAL mode, {'.'.join(map(str, OLDEST_SQLITE))} is the oldest "
            "accepted: pip install 'pysqlite3>=0.6.1'"
        )
    if not hasattr(driver.Connection, "enable_load_extension"):
        raise OldSQLite("this Python's sqlite3 can't load extensions: pip install 'pysqlite3>=0.6.1'")


def translated(error: Exception, doing: str) -> Exception:
    """Our error for the driver's; the original stays its cause."""
    code = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    said = f"{doing}: {error}"
    if str(error).startswith("Could not decode to UTF-8"):
        return Damaged(f"{doing}: a text in the file is no UTF-8: run memlite check")
    if primary in (_BUSY, _LOCKED):
        return Busy(f"{said}: another writer holds the file, try again")
    if primary == _FULL or code == _IOERR_WRITE:
        return Full(f"{said}: the disk took no more; free space and try again, the change was rolled back")
    if primary in (_READONLY, _PERM, _AUTH):
        return ReadOnly(f"{said}: the file or its folder can't be written")
    if primary == _NOTADB:
        return NotMemlite(f"{said}: this is no SQLite file, or it is encrypted")
    if primary == _CORRUPT:
        return Damaged(f"{said}: run memlite check")
    if primary == _CANTOPEN:
        return StorageError(f"{said}: can the folder be read and written?")
    if primary == _IOERR:
        return StorageError(f"{said}: the disk failed to answer, try again")
    return StorageError(said)


def refused(error: StorageError) -> bool:
    """Whether SQLite or an extension refused a statement as such: not for want of a lock, of space or of the disk."""
    return (getattr(error.__cause__, "sqlite_errorcode", 0) or 0) & 0xFF == _ERROR


def schema_of(script: Iterable[str]) -> list[tuple[str, str, str]]:
    """(type, name, SQL) of everything that these statements make in an empty database."""
    connection = driver.connect(":memory:", isolation_level=None)
    try:
        _load_vectors(connection)
        for statement in script:
            connection.execute(statement)
        found: list[tuple[str, str, str]] = connection.execute(
            "select type, name, sql from sqlite_schema where sql is not null"
        ).fetchall()
    finally:
        connection.close()
    return found


def _load_vectors(connection: Any) -> None:
    """Loads sqlite-vec, and switches the loading of extensions off again.

    The file is found without importing its package, which would import numpy for a tenth of a second.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise OldSQLite("the package sqlite-vec is missing: pip install sqlite-vec==0.1.9")
    connection.enable_load_extension(True)
    try:
        connection.load_extension(str(Path(spec.submodule_search_locations[0]) / "vec0"))
    finally:
        connection.enable_load_extension(False)


class Session:
    """One connection, used by one thread of one process. All statements go through it, so all errors are ours."""

    def __init__(self, path: Path, settings: Settings, read_only: bool, mode: str = "mode=rw") -> None:
        self.read_only = read_only
        self.lock = threading.RLock()  # held while a statement runs, so that a fork can wait for a moment without any
        self.writes = 0
        self.searcher: Any = None  # what searching through this connection has learnt; see search.py
        self.busy_ms = settings.busy_ms
        self._be_patient = f"pragma busy_timeout = {int(settings.busy_ms)}"
        try:
            # as_uri escapes ?, # and %, so no part of a file's name is taken for an option such as vfs= or mode=memory
            self._connection = driver.connect(
                f"{path.as_uri()}?{mode}",
                uri=True,
                timeout=settings.busy_ms / 1000,
                isolation_level=None,
                check_same_thread=False,  # the pool keeps to one thread; only close() comes from another
                cached_statements=256,
            )
        except driver.Error as error:
            raise translated(error, f"opening {path}") from error
        try:
            self._configure(settings)
        except BaseException:
            self._connection.close()
            raise

    def _configure(self, settings: Settings) -> None:
        _load_vectors(self._connection)
        self._connection.create_function("fold", 1, _fold, deterministic=True)
        for pragma in (
            "trusted_schema = off",
            "cell_size_check = on",
            "mmap_size = 0",  # with cell_size_check on, mapped pages are checked at each fetch: 2-4 times slower
            "foreign_keys = on",
            "recursive_triggers = on",
            "secure_delete = on",
            f"synchronous = {'full' if settings.durability == 'full' else 'normal'}",
            f"cache_size = {-1024 * settings.cache_mb}",
            f"journal_size_limit = {64 * 1024 * 1024}",
            "temp_store = memory",
            "fullfsync = on"
            if settings.durability == "full"
            else "fullfsync = off",  # macOS: fsync alone leaves the drive's cache
        ):
            self.run(f"pragma {pragma}")
        self.run("create temp table picked (rid integer primary key) strict")
        # what `memories_fts` is, without the context and for the memories of one answer
        self.run("create virtual table temp.hit_words using fts5 (content, content='', tokenize='porter unicode61')")
        if self.read_only:
            self._connection.set_authorizer(_allow_reading)

    def rows(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        try:
            with self.lock:
                found: list[tuple[Any, ...]] = self._connection.execute(sql, params).fetchall()
        except driver.Error as error:
            raise translated(error, "reading") from error
        return found

    def records(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """All rows of a statement as dicts by column name."""
        try:
            with self.lock:
                cursor = self._connection.execute(sql, params)
                names = [column[0] for column in cursor.description]
                return [dict(zip(names, row, strict=True)) for row in cursor]
        except driver.Error as error:
            raise translated(error, "reading") from error

    def each(self, sql: str, params: Params = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement one by one, for results too large to hold."""
        try:
            with self.lock:
                yield from self._connection.execute(sql, params)
        except driver.Error as error:
            raise translated(error, "reading") from error

    def each_record(self, sql: str, params: Params = ()) -> Iterator[dict[str, Any]]:
        """The rows of a statement one by one, as dicts by column name."""
        try:
            with self.lock:
                cursor = self._connection.execute(sql, params)
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    yield dict(zip(names, row, strict=True))
        except driver.Error as error:
            raise translated(error, "reading") from error

    def one(self, sql: str, params: Params = ()) -> tuple[Any, ...] | None:
        """The first row, or None."""
        try:
            with self.lock:
                row: tuple[Any, ...] | None = self._connection.execute(sql, params).fetchone()
        except driver.Error as error:
            raise translated(error, "reading") from error
        return row

    def value(self, sql: str, params: Params = ()) -> Any:
        """The first column of the first row, or None."""
        row = self.one(sql, params)
        return None if row is None else row[0]

    def run(self, sql: str, params: Params = ()) -> int:
        """Executes a statement; the number of rows it changed."""
        try:
            with self.lock:
                return int(self._connection.execute(sql, params).rowcount)
        except driver.Error as error:
            raise translated(error, "writing") from error

    def many(self, sql: str, rows: Iterable[Params]) -> int:
        """Executes a statement for each set of parameters; the number of rows changed in all."""
        try:
            with self.lock:
                return int(self._connection.executemany(sql, rows).rowcount)
        except driver.Error as error:
            raise translated(error, "writing") from error

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; not on a closed connection."""
        try:
            return bool(self._connection.in_transaction)
        except driver.ProgrammingError:
            return False

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several reads of one state of the file. Inside a transaction it is that transaction's."""
        if self.in_transaction:
            yield
            return
        try:
            self.run("begin deferred")
            yield
        finally:
            self._end()

    @contextmanager
    def change(self, wait_ms: int | None = None) -> Iterator[None]:
        """One change: all of it is in the file afterwards, or none.

        Raises:
            Busy: another writer held the file for longer than `wait_ms`, by default `busy_ms`.
            ReadOnly: this session can only read.
        """
        try:
            self.begin(self.busy_ms if wait_ms is None else wait_ms)
            yield
            self.commit()
        except BaseException:  # Ctrl-C too
            self.roll_back()
            raise

    def begin(self, wait_ms: int) -> None:
        """Starts a change. Waits for the file with random pauses: SQLite's own fixed ones let sixteen writers starve each other.

        Raises:
            Busy: another writer held the file for longer than `wait_ms`.
            ReadOnly: this session can only read.
        """
        if self.read_only:
            raise ReadOnly("this store was opened read-only: open it without read_only=True to change it")
        self.writes += 1
        deadline = time.monotonic() + wait_ms / 1000
        self.run("pragma busy_timeout = 0")
        try:
            pause = 0.001
            while True:
                try:
                    self.run("begin immediate")
                    return
                except Busy:
                    if time.monotonic() >= deadline:
                        raise Busy(f"another writer held the file for over {wait_ms} ms: try again or raise busy_ms") from None
                time.sleep(random.uniform(0.0005, pause))
                pause = min(0.025, pause * 1.5)
        finally:
            self.run(self._be_patient)

    def commit(self) -> None:
        """Puts the change into the file."""
        self.writes += 1
        self.run("commit")

    def roll_back(self) -> None:
        """Takes back what is open; a full disk or a closed store may have done so already."""
        self.writes += 1
        self._end()

    def _end(self) -> None:
        """Ends what is open. After reads alone that is no change: what was learnt of the file holds on."""
        if self.in_transaction:
            self.run("rollback")

    def shrink_log(self) -> None:
        """Folds the log into the file and empties it, as far as no reader is in the way: a long one is not waited for."""
        self.run("pragma busy_timeout = 0")
        try:
            self.rows("pragma wal_checkpoint(truncate)")
        finally:
            self.run(self._be_patient)

    def close(self) -> None:
        """Closes the connection. The last one to close folds the WAL into the file."""
        with self.lock:
            self._connection.close()


_READING = frozenset({19, 20, 21, 22, 31, 32, 33})  # pragma, read, select, transaction, function, savepoint, recursive


def _allow_reading(action: int, _first: object, _second: object, database: object, _inside: object) -> int:
    """SQLite's question before a statement is compiled: 0 allows it, 1 makes it fail. Temporary tables may be written."""
    return 0 if action in _READING or database == "temp" else 1


def _fold(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value
