"""The doctor: holds the file against itself, and rebuilds what can be rebuilt.

It trusts nothing it reads: text arrives as bytes, and the vector indexes are read through vec0's own tables, never through vec0,
which takes their rows for granted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any

from memlite.errors import Damaged, NotMemlite
from memlite.rules.filters import flatten
from memlite.rules.terms import segmented
from memlite.rules.text import content_hash
from memlite.storage import migrate
from memlite.storage.audit import Run, chained, payload_hash
from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import SCOPE_BITS, Vectors, space_key, state_hash
from memlite.values import Problem

_SHOWN = 5
_OF_WORDS = re.compile(r"fts5: |memories_fts\b")
_OF_INDEX = re.compile(
    r"row \d+ missing from index |wrong # of entries in index |non-unique entry in index |row not in PRIMARY KEY"
)
_WORDS_DIFFER = Problem(code="words.differ", message="the full-text index differs from the memories", repairable=True)
_RUN = ("run", "change_id", "scope", "user_id", "verb", "at_ms", "undoes", "idempotency_key", "request_hash")
_BESIDES = ("after_hash", "linked", "space", "dimension", "v", "hash", "truncated")
_BLOBS = frozenset({"after_hash", "payload_hash", "hash", "request_hash", "salt", "vectors", "v", "content_hash"})


class Checker:
    """Checks one file through one session. Reads only, but for `rebuild`."""

    def __init__(self, session: Session, path: Path) -> None:
        self._session = session
        self._path = path

    def problems(self) -> list[Problem]:
        """Everything wrong with the file, the gravest first; an empty list for a sound one.

        Pages, foreign keys, each memory's text hash, each vector's hash and length, the agreement of memories, vectors, both
        indexes and metadata, the chain of the audit, and that replaying the audit gives the memories there are. Takes about
        a second for 20,000 memories, and no more memory for a million.

        Raises:
            Busy, Full, StorageError: the file couldn't be read now. That is never reported as a problem of the file.
        """
        with self._session.snapshot():
            try:
                migrate.verify(self._session, self._path, migrate.steps())
            except (Damaged, NotMemlite) as error:
                return [Problem(code="schema", message=str(error), repairable=False)]
            try:
                grave, mendable = self._pages()
                return grave or [*self._keys(), *self._audit(), *self._memories(), *self._indexes(), *self._derived(), *mendable]
            except Damaged as error:
                return [Problem(code="pages", message=f"the file is damaged: {error}", repairable=False)]

    def words(self) -> list[Problem]:
        """FTS5's own comparison of index and memories, which belongs inside a change."""
        if not self._words_settled():
            return []  # `problems` tells
        try:
            self._session.run(sql("check_words"))
        except Damaged:
            return [_WORDS_DIFFER]
        return []

    def rebuild(self) -> None:
        """Rebuilds the derived half from the memories and their vectors. Belongs inside a change.

        What is damaged there is left out of it: a memory whose metadata can't be read has no filter rows, for instance.

        Raises:
            Damaged, NotMemlite: a table is missing or was added.
        """
        session = self._session
        migrate.verify(session, self._path, migrate.steps())
        session.run(sql("rebuild_indexes"))
        session.run(sql("clear_terms"))
        session.many(sql("insert_terms"), self._terms())
        session.run(sql("clear_meta"))
        session.many(sql("insert_meta"), self._metas())
        if not self._words_settled():
            session.run(sql("clear_words_settings"))
            session.run(sql("insert_words_settings"))
        session.run(sql("rebuild_words"))
        for space, dimension in session.rows(sql("each_space")):
            session.run(sql("drop_vectors", space=space))
            session.run(migrate.create_vectors(space, dimension))
            session.run(sql("fill_vectors", space=space), {"space_key": space_key(space), "dimension": dimension})

    # ---------------------------------------------------------------------------------------------- pages and keys

    def _pages(self) -> tuple[list[Problem], list[Problem]]:
        """(damage that only a backup mends, damage of indexes). FTS5, which SQLite asks too, is judged by `words`."""
        if not self._words_settled():  # FTS5 would answer with an error, and SQLite with nothing else
            return [], [_WORDS_DIFFER]
        said = [line for (line,) in self._session.rows(sql("pages")) if line != "ok"]
        words = [line for line in said if _OF_WORDS.search(line)]
        indexes = [line for line in said if _OF_INDEX.match(line)]
        rest = [line for line in said if line not in words and line not in indexes]
        grave = [_shown("pages", "the file is damaged", rest, repairable=False)] if rest else []
        mendable = [_shown("words.damaged", "the full-text index is damaged", words, repairable=True)] if words else []
        mendable += [_shown("pages.index", "indexes are damaged", indexes, repairable=True)] if indexes else []
        return grave, mendable

    def _words_settled(self) -> bool:
        return self._session.one(sql("words_settings")) == (1, 1)

    def _keys(self) -> Iterator[Problem]:
        if broken := sum(1 for _ in self._session.each(sql("foreign_keys_broken"))):
            yield Problem(code="keys", message=f"{broken} rows point at rows that are gone", repairable=False)
        for code, name, what in (
            ("scope", "wrong_scope", "memories lie outside their user's keys"),
            ("scope.next", "keys_given_out_again", "users would be given keys that were theirs before"),
            ("vector.orphan", "vectors_without_memory", "vectors belong to no memory"),
            ("vector.space", "vectors_without_space", "vectors belong to no model"),
            ("run.empty", "runs_without_action", "changes in the audit did nothing: they were added, or their actions taken out"),
        ):
            if count := self._session.value(sql(name)):
                yield Problem(code=code, message=f"{count} {what}", repairable=False)
        names = _Tally()
        for (name,) in self._session.each(sql("each_name")):
            if not _is_text(name):
                names.add(_text(name))
        yield from names.problems("names", "names of users or links that are no text")
        models = _Tally()
        for space, name, languages, thresholds in self._session.rows(sql("each_model")):
            if not (_is_text(name) and _is_json(_text(languages), list) and _is_json(_text(thresholds), dict)):
                models.add(space)
        yield from models.problems("space", "descriptions of models that can't be read: space")

    # ---------------------------------------------------------------------------------------------- audit

    def _audit(self) -> Iterator[Problem]:
        before, last = b"", 0
        altered, payloads = _Tally(), _Tally()
        for row in self._session.each_record(sql("each_action")):
            action = _decoded(row)
            expected = _chained(before, action)
            if action["hash"] != expected or action["action"] != last + 1:
                altered.add(f"action {action['action']}")
            if not _payload_sound(action):
                payloads.add(f"action {action['action']}")
            before, last = action["hash"], action["action"]
        yield from altered.problems("audit.chain", "places where the audit was altered")
        yield from payloads.problems("audit.payload", "texts kept for undo were altered")
        if strays := self._session.value(sql("payloads_without_action")):
            yield Problem(code="audit.payload", message=f"{strays} texts kept for undo belong to no action", repairable=False)

    # ---------------------------------------------------------------------------------------------- memories

    def _memories(self) -> Iterator[Problem]:
        """One walk over the memories with their vectors and links, held against their hashes and the audit."""
        texts, vectors, differing = _Tally(), _Tally(), _Tally()
        for rid, rows in groupby(self._session.each_record(sql("each_memory")), itemgetter("rid")):
            whole = list(rows)
            kept = [{name: row.pop(name) for name in _BESIDES} for row in whole]
            memory = _decoded(whole[0])
            found = [row for row in kept if row["v"] is not None]
            if not _readable(memory):
                texts.add(memory["id"])
            if not all(_vector_sound(row) for row in found):
                vectors.add(memory["id"])
            state = _state(memory, tuple((r["space"], r["v"], bool(r["truncated"])) for r in found), self._links(kept[0], rid))
            if state is None or state != kept[0]["after_hash"]:
                differing.add(memory["id"])
        for (memory_id,) in self._session.each(sql("each_missing")):
            differing.add(_text(memory_id))
        yield from texts.problems("text", "memories whose text or JSON does not match its hash or can't be read")
        yield from vectors.problems("vector", "memories whose vector does not match its hash or is no unit vector of its model")
        yield from differing.problems("audit.replay", "memories are not what the audit says")

    def _links(self, row: Mapping[str, Any], rid: int) -> list[tuple[str, str, str]]:
        if not row["linked"]:
            return []
        return [(_text(c), _text(p), _text(r)) for c, p, r in self._session.rows(sql("each_link_of"), {"rid": rid})]

    # ---------------------------------------------------------------------------------------------- indexes

    def _indexes(self) -> Iterator[Problem]:
        for space, dimension in self._session.rows(sql("each_space")):
            if not self._session.value(sql("has_vectors", space=space)):
                yield Problem(code="index.gone", message=f"the vector index is gone (space {space})", repairable=True)
                continue
            params = {"space_key": space_key(space), "dimension": dimension}
            counts = {
                "vectors_not_indexed": self._session.value(sql("vectors_not_indexed", space=space), params),
                "index_without_vector": self._session.value(sql("index_without_vector", space=space), params),
            }
            counts["misplaced"], counts["wrong_bits"] = self._entries(space, params)
            for name, what in (
                ("vectors_not_indexed", "vectors are missing from the index"),
                ("index_without_vector", "entries of the vector index have no vector"),
                ("misplaced", "entries of the vector index are not where it looks for them"),
                ("wrong_bits", "entries of the vector index differ from their vector"),
            ):
                if counts[name]:
                    yield Problem(code=f"index.{name}", message=f"{counts[name]} {what} (space {space})", repairable=True)

    def _entries(self, space: int, params: dict[str, int]) -> tuple[int, int]:
        """(entries that are not where the index looks for them, entries that differ from their vector)."""
        placed = strays = wrong = 0
        for chunk, size, scope, *parts in self._session.each(sql("each_chunk", space=space)):
            entries = _unpacked(size, params["dimension"], *parts)
            if entries is None:
                strays += 1
                continue
            offsets, rids, bits = entries
            places = self._session.rows(sql("each_place", space=space), {**params, "rids": json.dumps(rids)})
            for offset, rid, have, (in_chunk, at, vector) in zip(offsets, rids, bits, places, strict=True):
                if (in_chunk, at) != (chunk, offset):
                    strays += 1
                    continue
                placed += 1
                wrong += scope != rid >> SCOPE_BITS or (vector is not None and have != _signs(vector))
        listed = self._session.value(sql("count_entries", space=space))
        return strays + abs(listed - placed), wrong

    def _derived(self) -> Iterator[Problem]:
        if missing := self._session.value(sql("words_missing")):
            yield Problem(code="words.missing", message=f"{missing} memories and full-text entries do not match", repairable=True)
        terms = ((row["rid"], row["content"].encode()) for row in self._terms())
        if _differ(terms, self._session.each(sql("each_terms"))):
            yield Problem(code="words.terms", message="segmented texts differ from the memories", repairable=True)
        want = ((row["rid"], row["scope"], row["key"].encode(), *_plain(row["value"])) for row in self._metas())
        if _differ(_sets(want), _sets(self._session.each(sql("each_meta")))):
            yield Problem(code="meta", message="the filter table differs from the memories' metadata", repairable=True)

    def _terms(self) -> Iterator[dict[str, Any]]:
        """What `memory_terms` should hold, by key."""
        for rid, content in self._session.each(sql("each_text")):
            if _is_text(content) and (words := segmented(_text(content))):
                yield {"rid": rid, "content": words}

    def _metas(self) -> Iterator[dict[str, Any]]:
        """What `meta_kv` should hold, by key of the memory."""
        for rid, metadata in self._session.each(sql("each_metadata")):
            for key, value in _flattened(_text(metadata)) or ():
                yield {"scope": rid >> SCOPE_BITS, "key": key, "value": value, "rid": rid}


@dataclass(slots=True)
class _Tally:
    """How many, and the first few."""

    count: int = 0
    shown: list[str] = field(default_factory=list)

    def add(self, what: object) -> None:
        self.count += 1
        if len(self.shown) < _SHOWN:
            self.shown.append(str(what).encode(errors="replace").decode())

    def problems(self, code: str, what: str) -> Iterator[Problem]:
        if self.count:
            shown = ", ".join(self.shown) + (", …" if self.count > _SHOWN else "")
            yield Problem(code=code, message=f"{self.count} {what}: {shown}", repairable=False)


def _shown(code: str, what: str, lines: Sequence[str], *, repairable: bool) -> Problem:
    return Problem(code=code, message=f"{what}: {'; '.join(lines[:_SHOWN])}", repairable=repairable)


def _text(value: bytes) -> str:
    """The text of these bytes; what is no UTF-8 becomes lone surrogates, which no hash takes."""
    return value.decode(errors="surrogateescape")


def _is_text(value: bytes) -> bool:
    return _text(value).encode(errors="replace") == value


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    """The row, its texts that came as bytes made text."""
    for name, value in row.items():
        if type(value) is bytes and name not in _BLOBS:
            row[name] = _text(value)
    return row


def _is_json(text: str, kind: type[list[Any]] | type[dict[str, Any]]) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        return False


def _flattened(metadata: str) -> list[tuple[str, Any]] | None:
    """The scalars of a memory's metadata; None where it can't be read or holds what no column takes."""
    try:
        loaded = json.loads(metadata)
        if not isinstance(loaded, dict):
            return None
        pairs = list(flatten(loaded))
        for key, value in pairs:
            key.encode()
            if isinstance(value, str):
                value.encode()
    except (ValueError, RecursionError):
        return None
    fits = all(not isinstance(value, int) or -(2**63) <= value < 2**63 for _, value in pairs)
    return pairs if fits else None


def _readable(memory: Mapping[str, Any]) -> bool:
    if memory["metadata"] is not None and _flattened(memory["metadata"]) is None:
        return False
    if any(memory[name] is not None and not _is_json(memory[name], list) for name in ("keywords", "flags")):
        return False
    try:
        return bool(memory["content_hash"] == content_hash(memory["content"]))
    except ValueError:
        return False


def _state(memory: Mapping[str, Any], vectors: Vectors, links: Iterable[tuple[str, str, str]]) -> bytes | None:
    """The hash of a memory as it is; None where it holds what none is made of."""
    try:
        return state_hash(memory, vectors, links)
    except ValueError:
        return None


def _chained(before: bytes, action: Mapping[str, Any]) -> bytes | None:
    try:
        return chained(before, action, Run(**{name: action[name] for name in _RUN}).said())
    except ValueError:
        return None


def _payload_sound(action: Mapping[str, Any]) -> bool:
    """Whether an action kept what its hash says, or dropped it and says so."""
    if action["payload_hash"] is None or action["state"] is None:
        return action["payload_hash"] is None and action["state"] is None
    if action["state"] != "kept":
        return action["image"] is None and action["vectors"] is None and action["told"] is None
    if action["image"] is None and action["told"] is None:
        return False
    try:
        return bool(payload_hash(action) == action["payload_hash"])
    except (ValueError, OverflowError):
        return False


def _vector_sound(row: Mapping[str, Any]) -> bool:
    import numpy as np  # noqa: PLC0415 - only the doctor computes with vectors here

    if len(row["v"]) != 4 * row["dimension"] or hashlib.sha256(row["v"]).digest()[:16] != row["hash"]:
        return False
    vector = np.frombuffer(row["v"], "<f4")
    return abs(float(np.dot(vector, vector)) - 1.0) < 2e-3  # False for what is no number


def _signs(vector: bytes) -> bytes:
    import numpy as np  # noqa: PLC0415 - as above

    return np.packbits(np.frombuffer(vector, "<f4") > 0, bitorder="little").tobytes()


def _unpacked(
    size: int, dimension: int, validity: object, rowids: object, vectors: object
) -> tuple[list[int], list[int], list[bytes]] | None:
    """(offsets, keys, bits) of the entries in a chunk of vec0; None where its parts do not fit together."""
    import numpy as np  # noqa: PLC0415 - as above

    width = dimension // 8
    if not (isinstance(validity, bytes) and isinstance(rowids, bytes) and isinstance(vectors, bytes)):
        return None
    if (8 * len(validity), len(rowids), len(vectors)) != (size, 8 * size, width * size):
        return None
    used = np.flatnonzero(np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")).tolist()
    rids = np.frombuffer(rowids, "<i8")[used].tolist()
    return used, rids, [vectors[width * at : width * (at + 1)] for at in used]


def _differ(want: Iterable[object], have: Iterable[object]) -> bool:
    return any(one != other for one, other in zip_longest(want, have))


def _sets(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, set[tuple[Any, ...]]]]:
    """The rows of each key as a set, in which equal numbers are one, as they are for SQLite."""
    for rid, found in groupby(rows, itemgetter(0)):
        yield rid, set(found)


def _plain(value: object) -> tuple[bool, object]:
    """(whether it is text, the value as `each_meta` gives it)."""
    return (True, value.encode()) if isinstance(value, str) else (False, value)
