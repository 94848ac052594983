"""The doctor: holds the file against itself, and rebuilds what can be rebuilt."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memlite.errors import Damaged, StorageError
from memlite.ports import Problem
from memlite.rules.filters import flatten
from memlite.rules.terms import segmented
from memlite.rules.text import content_hash
from memlite.storage import migrate
from memlite.storage.audit import Run, chained, payload_hash
from memlite.storage.connection import Session, refused
from memlite.storage.queries import sql
from memlite.storage.rows import SCOPE_BITS, SPACE_BITS, space_key, state_hash

_SHOWN = 5
_OF_WORDS = re.compile(r"fts5: |memories_fts\b")
_OF_INDEX = re.compile(
    r"row \d+ missing from index |wrong # of entries in index |non-unique entry in index |row not in PRIMARY KEY"
)
_RUN = ("run", "change_id", "scope", "verb", "at_ms", "undoes", "idempotency_key", "request_hash")


class Checker:
    """Checks one file through one session. Reads only, but for `rebuild`."""

    def __init__(self, session: Session, path: Path) -> None:
        self._session = session
        self._path = path

    def problems(self) -> list[Problem]:
        """Everything wrong with the file, the gravest first; an empty list for a sound one.

        Pages, foreign keys, each memory's text hash, each vector's hash and length, the agreement of memories, vectors, both
        indexes and metadata, the chain of the audit, and that replaying the audit gives the memories there are. Takes about
        a second for 20,000 memories.

        Raises:
            Busy, Full, StorageError: the file couldn't be read now. That is never reported as a problem of the file.
        """
        with self._session.snapshot():
            grave, mendable = self._pages()
            if grave:
                return grave
            unreadable = list(self._unreadable())
            if unreadable:  # nothing else can be read past it
                return [*unreadable, *mendable]
            return [*self._content(), *self._audit(), *self._indexes(), *mendable]

    def _pages(self) -> tuple[list[Problem], list[Problem]]:
        """(damage that only a backup mends, damage of indexes)."""
        try:
            said = [row[0] for row in self._session.rows(sql("pages")) if row[0] != "ok"]
        except Damaged as error:
            said = [str(error)]
        words = [line for line in said if _OF_WORDS.search(line)]
        indexes = [line for line in said if _OF_INDEX.match(line)]
        rest = [line for line in said if line not in words and line not in indexes]
        grave = [_shown("pages", "the file is damaged", rest, repairable=False)] if rest else []
        mendable = [_shown("words.damaged", "the full-text index is damaged", words, repairable=True)] if words else []
        mendable += [_shown("pages.index", "indexes are damaged", indexes, repairable=True)] if indexes else []
        return grave, mendable

    def words(self) -> list[Problem]:
        """FTS5's own comparison of index and memories, which belongs inside a change."""
        try:
            self._session.run(sql("check_words"))
        except Damaged:
            return [Problem(code="words.differ", message="the full-text index differs from the memories", repairable=True)]
        return []

    def rebuild(self) -> None:
        """Rebuilds the derived half from the memories and their vectors. Belongs inside a change."""
        session = self._session
        session.run(sql("rebuild_indexes"))
        session.run(sql("clear_terms"))
        session.run(sql("clear_meta"))
        terms, metas = [], []
        for row in session.each_record(sql("each_memory")):
            if words := segmented(row["content"]):
                terms.append({"rid": row["rid"], "content": words})
            metas += _meta(row)
        session.many(sql("insert_terms"), terms)
        session.many(sql("insert_meta"), metas)
        session.run(sql("rebuild_words"))
        for (space,) in session.rows(sql("each_space")):
            dimension = session.value(sql("vector_dimension"), {"space": space})
            session.run(sql("drop_vectors", space=space))
            session.run(migrate.create_vectors(space, dimension))
            session.run(sql("fill_vectors", space=space), {"space_key": space_key(space)})

    # ---------------------------------------------------------------------------------------------- content

    def _content(self) -> Iterator[Problem]:
        broken = self._session.rows(sql("foreign_keys_broken"))
        if broken:
            yield Problem(code="keys", message=f"{len(broken)} rows point at rows that are gone", repairable=False)
        if wrong := self._session.value(sql("wrong_scope")):
            yield Problem(code="scope", message=f"{wrong} memories lie outside their user's keys", repairable=False)
        changed = [
            row["id"]
            for row in self._session.each_record(sql("each_memory"))
            if row["content_hash"] != content_hash(row["content"])
        ]
        if changed:
            yield _listed("text", "memories whose text does not match its hash", changed)
        flipped = [
            key & ((1 << SPACE_BITS) - 1)
            for key, v, digest, dimension in self._session.each(sql("each_embedding"))
            if _bad(v, digest) or dimension not in (None, len(v) // 4)
        ]
        if flipped:
            yield _listed("vector", "vectors that do not match their hash or are not unit vectors", flipped)
        if orphans := self._session.value(sql("vectors_without_memory")):
            yield Problem(code="vector.orphan", message=f"{orphans} vectors belong to no memory", repairable=False)

    def _unreadable(self) -> Iterator[Problem]:
        broken = [
            memory_id
            for memory_id, content, metadata in self._session.each(sql("each_text"))
            if not _is_text(content) or not _is_object(metadata)
        ]
        if broken:
            yield _listed("text", "memories whose text or metadata can't be read", broken)

    # ---------------------------------------------------------------------------------------------- audit

    def _audit(self) -> Iterator[Problem]:
        before, last = b"", 0
        final: dict[str, bytes | None] = {}
        for action in self._session.each_record(sql("each_action")):
            run = Run(**{name: action[name] for name in _RUN})
            before = chained(before, action, run)
            if action["hash"] != before or action["action"] != last + 1:
                yield Problem(code="audit.chain", message=f"the audit was altered at action {action['action']}", repairable=False)
                return
            if _payload_altered(action):
                yield Problem(
                    code="audit.payload", message=f"the text kept by action {action['action']} was altered", repairable=False
                )
            last = action["action"]
            if action["event"] != "NONE":
                final[action["memory_id"]] = action["after_hash"]
        yield from self._replayed(final)

    def _replayed(self, final: dict[str, bytes | None]) -> Iterator[Problem]:
        spaces = [row[0] for row in self._session.rows(sql("each_space"))]
        wrong = []
        for row in self._session.each_record(sql("each_memory")):
            vectors = []
            for space in spaces:
                found = self._session.one(sql("embedding"), {"key": space_key(space) + row["rid"]})
                if found:
                    vectors.append((space, found[0], bool(found[2])))
            links = [(c, p, r) for c, p, r in self._session.rows(sql("links_of"), {"id": row["id"]})]
            if final.pop(row["id"], None) != state_hash(row, tuple(vectors), links):
                wrong.append(row["id"])
        wrong += [memory_id for memory_id, after in final.items() if after is not None]
        if wrong:
            yield _listed("audit.replay", "memories are not what the audit says", wrong)

    # ---------------------------------------------------------------------------------------------- indexes

    def _indexes(self) -> Iterator[Problem]:
        for (space,) in self._session.rows(sql("each_space")):
            try:
                yield from self._index(space)
            except StorageError as error:
                if not isinstance(error, Damaged) and not refused(error):
                    raise
                yield Problem(code="index.unreadable", message=f"the vector index can't be read (space {space})", repairable=True)
        if missing := self._session.value(sql("words_missing")):
            yield Problem(code="words.missing", message=f"{missing} memories and full-text entries do not match", repairable=True)
        yield from self._derived()

    def _index(self, space: int) -> Iterator[Problem]:
        for name, what in (
            ("vectors_not_indexed", "vectors are missing from the index"),
            ("index_without_vector", "entries of the vector index have no vector"),
            ("wrong_bits", "entries of the vector index differ from their vector"),
        ):
            if count := self._session.value(sql(name, space=space), {"space_key": space_key(space)}):
                yield Problem(code=f"index.{name}", message=f"{count} {what} (space {space})", repairable=True)
        lost = sum(not _stands(*row) for row in self._session.each(sql("places_in_chunks", space=space)))
        lost += sum(_marks(bits) != held for bits, held in self._session.each(sql("marks_in_chunks", space=space)))
        if lost:
            yield Problem(
                code="index.unfindable", message=f"{lost} entries or chunks are mismarked (space {space})", repairable=True
            )

    def _derived(self) -> Iterator[Problem]:
        terms, metas = [], []
        for row in self._session.each_record(sql("each_memory")):
            if words := segmented(row["content"]):
                terms.append((row["rid"], words))
            metas += [(pair["rid"], pair["scope"], pair["key"], pair["value"]) for pair in _meta(row)]
        if self._session.rows(sql("each_terms")) != terms:
            yield Problem(code="words.terms", message="segmented texts differ from the memories", repairable=True)
        if sorted(map(repr, set(metas))) != sorted(map(repr, self._session.rows(sql("each_meta")))):
            yield Problem(code="meta", message="the filter table differs from the memories' metadata", repairable=True)


def _meta(row: dict[str, Any]) -> list[dict[str, Any]]:
    if not row["metadata"]:
        return []
    return [
        {"scope": row["rid"] >> SCOPE_BITS, "key": key, "value": value, "rid": row["rid"]}
        for key, value in flatten(json.loads(row["metadata"]))
    ]


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_object(metadata: bytes | None) -> bool:
    try:
        return metadata is None or isinstance(json.loads(metadata), dict)
    except ValueError:
        return False


def _payload_altered(action: dict[str, Any]) -> bool:
    if action["payload_hash"] is None or action["state"] is None:
        return action["payload_hash"] is not None or action["state"] is not None
    if action["state"] == "kept":
        return bool(payload_hash(action) != action["payload_hash"])
    return action["image"] is not None or action["vectors"] is not None


def _stands(rid: int, place: int, validity: bytes | None, keys: bytes | None) -> bool:
    if validity is None or keys is None or place // 8 >= len(validity):
        return False
    marked = validity[place // 8] >> place % 8 & 1
    return bool(marked) and int.from_bytes(keys[8 * place : 8 * place + 8], "little", signed=True) == rid


def _marks(validity: bytes) -> int:
    return int.from_bytes(validity, "little").bit_count()


def _shown(code: str, what: str, lines: Sequence[str], *, repairable: bool) -> Problem:
    return Problem(code=code, message=f"{what}: {'; '.join(lines[:_SHOWN])}", repairable=repairable)


def _bad(vector: bytes, digest: bytes) -> bool:
    import numpy as np  # noqa: PLC0415 - only the doctor computes with vectors here

    if hashlib.sha256(vector).digest()[:16] != digest:
        return True
    return not abs(float(np.linalg.norm(np.frombuffer(vector, "<f4"))) - 1.0) < 1e-3


def _listed(code: str, what: str, which: Sequence[object]) -> Problem:
    shown = ", ".join(map(str, which[:_SHOWN])) + (", …" if len(which) > _SHOWN else "")
    return Problem(code=code, message=f"{len(which)} {what}: {shown}", repairable=False)
