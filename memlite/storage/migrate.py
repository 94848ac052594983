"""A file's format: made from `schema.sql`, moved up by numbered steps, and compared with what it should be."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from memlite import resources
from memlite.errors import Busy, Damaged, NotMemlite, StorageError
from memlite.storage import gate
from memlite.storage.connection import Session, schema_of
from memlite.storage.queries import statements

FIRST_VERSION = 1
PAGE_SIZE = 8192
"""Five vectors of 384 numbers fit a page of 8 KiB, two a page of 4."""

_SPACES = re.compile(r"\s+")
_STEP = re.compile(r"(\d{4})_\w+\.sql$")
_VECTORS = re.compile(r"vec_(\d{1,3})(_info|_chunks|_rowids|_vector_chunks00)?$")
_TOLERATED = re.compile(r"sqlite_stat\d$|_litestream_(seq|lock)$")


@cache
def steps() -> Mapping[int, str]:
    """version -> script that lifts a file to it: the files `migrations/NNNN_what.sql`."""
    found = {}
    for name in resources.names("migrations", ".sql"):
        match = _STEP.search(name)
        if match is None:
            raise StorageError(f"{name} is not named NNNN_what.sql")
        found[int(match[1])] = resources.text(name)
    return found


def newest(known: Mapping[int, str]) -> int:
    """The format a file has after all steps."""
    return max(known, default=FIRST_VERSION)


def prepare(session: Session, path: Path, known: Mapping[int, str]) -> None:
    """Leaves the file in the newest format and in WAL mode. Safe when many processes do it at once.

    A new file is built in rollback mode first, so that its header names us whatever happens next.

    Raises:
        NotMemlite, FileTooNew: the file is another program's or newer.
        Busy: others kept it locked.
    """
    session.run(f"pragma page_size = {PAGE_SIZE}")
    if _numbers(session) != (gate.APPLICATION_ID, newest(known)):
        with session.change():
            application_id, version = _numbers(session)
            if application_id == 0 and version == 0 and not session.value("select count(*) from sqlite_schema"):
                _create(session, known)
            else:
                gate.judge(path, application_id, version, newest(known))
                _upgrade(session, version, known)
    gate.judge(path, *_numbers(session), newest(known))
    _switch_to_wal(session)


def _create(session: Session, known: Mapping[int, str]) -> None:
    for statement in statements(resources.text("schema.sql")):
        session.run(statement)
    session.run(f"pragma application_id = {gate.APPLICATION_ID}")
    session.run(f"pragma user_version = {FIRST_VERSION}")
    _upgrade(session, FIRST_VERSION, known)


def _upgrade(session: Session, version: int, known: Mapping[int, str]) -> None:
    """Every step above `version`, inside the caller's transaction; user_version moves with it."""
    for number in sorted(number for number in known if number > version):
        for statement in statements(known[number]):
            session.run(statement)
        session.run(f"pragma user_version = {number}")


def _numbers(session: Session) -> tuple[int, int]:
    return session.value("pragma application_id"), session.value("pragma user_version")


def _switch_to_wal(session: Session) -> None:
    """WAL needs the file to itself for a moment, and does not wait for it by the busy timeout."""
    deadline = time.monotonic() + session.busy_ms / 1000
    while True:
        try:
            mode = session.value("pragma journal_mode = wal")
        except Busy:
            mode = "busy"
        if mode == "wal":
            return
        if time.monotonic() >= deadline:
            raise Busy(f"the file stayed locked for {session.busy_ms} ms while it was opened: try again")
        time.sleep(random.uniform(0.001, 0.02))


def verify(session: Session, path: Path, known: Mapping[int, str]) -> None:
    """Refuses a file with anything missing from, changed in or added to its schema.

    Must run before the first statement on a vec0 table: one whose shadow tables were taken away ends the process.

    Raises:
        Damaged: a table, index or view is missing or changed.
        NotMemlite: something was added, a trigger for instance.
    """
    want = dict(_expected(tuple(sorted(known.items()))))
    have: dict[tuple[str, str], str] = {}
    for kind, name, sql in session.rows("select type, name, sql from sqlite_schema where sql is not null"):
        have[kind, name] = _normal(sql)
    for space in {match[1] for _, name in have if (match := _VECTORS.match(name))}:
        dimension = _dimension(have.get(("table", f"vec_{space}"), ""))
        want |= {
            (kind, name.replace("vec_1", f"vec_{space}", 1)): sql.replace("vec_1", f"vec_{space}").replace("bit[8]", dimension)
            for (kind, name), sql in _vector_tables().items()
        }
    changed = sorted(name for (kind, name), sql in want.items() if have.get((kind, name)) != sql)
    if changed:
        raise Damaged(f"{path}: {', '.join(changed[:3])} missing or changed in its schema: restore a backup")
    added = sorted(name for kind, name in have.keys() - want.keys() if not _TOLERATED.match(name))
    if added:
        raise NotMemlite(f"{path}: {', '.join(added[:3])} does not belong in a memlite file: refuse it, or drop what was added")


@cache
def _expected(known: tuple[tuple[int, str], ...]) -> Mapping[tuple[str, str], str]:
    """(type, name) -> SQL of all that a file of the newest format holds, vec0 tables aside."""
    scripts = [resources.text("schema.sql"), *(step for _, step in known)]
    rows = schema_of(statement for script in scripts for statement in statements(script))
    return {(kind, name): _normal(sql) for kind, name, sql in rows}


@cache
def _vector_tables() -> Mapping[tuple[str, str], str]:
    """The same for a vec0 table, with sqlite-vec as it is installed."""
    rows = schema_of([create_vectors(1, 8)])
    return {(kind, name): _normal(sql) for kind, name, sql in rows if name.startswith("vec_1")}


def create_vectors(space: int, dimension: int) -> str:
    """The statement that makes a space's vec0 table.

    chunk_size 64: with sqlite-vec's 1,024 each user takes a chunk of 49 KB, however few memories he has.
    """
    return (
        f"create virtual table vec_{int(space)} using vec0(scope integer partition key, v bit[{int(dimension)}], chunk_size=64)"
    )


def _dimension(sql: str) -> str:
    match = re.search(r"bit\[\d{1,4}\]", sql)
    return match[0] if match else "bit[8]"


def _normal(sql: str) -> str:
    return _SPACES.sub(" ", sql).strip()
