"""A memory as a value and as a row: one place that knows both shapes."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from memlite.errors import Damaged
from memlite.model import Record

SCOPE_BITS = 32
SPACE_BITS = 56
_VOLATILE = frozenset({"rid", "scope", "importance_level", "accessed_ms", "access_count", "version"})
_COLUMNS = tuple(field.name for field in fields(Record) if field.name != "user_id")
_REALS = ("importance", "confidence", "valence", "decay_per_hour")
_values = attrgetter(*_COLUMNS)

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False)

Row = dict[str, Any]
Vectors = tuple[tuple[int, bytes, bool], ...]
"""(space, float32 bytes, truncated) of one memory, by space."""


def key_range(scope: int) -> dict[str, int]:
    """The keys a user's memories can have, as parameters :low and :high."""
    low = scope << SCOPE_BITS
    return {"low": low, "high": low + (1 << SCOPE_BITS) - 1}


def space_key(space: int) -> int:
    """What added to a rid gives the key of its vector in that space."""
    return space << SPACE_BITS


def dumps(value: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, no NaN."""
    return _CANONICAL.encode(value)


def to_row(record: Record, rid: int, scope: int) -> Row:
    """The parameters of `insert_memory` and `update_memory`."""
    row: Row = dict(zip(_COLUMNS, _values(record), strict=True))
    row["rid"] = rid
    row["scope"] = scope
    row["pinned"] = int(record.pinned)
    for name in _REALS:
        if row[name] is not None:
            row[name] = float(row[name]) + 0.0  # as SQLite gives it back: a real, and zero without a sign
    row["content_hash"] = bytes.fromhex(record.content_hash)
    row["keywords"] = dumps(record.keywords) if record.keywords else None
    row["flags"] = dumps(record.flags) if record.flags else None
    row["metadata"] = dumps(dict(record.metadata)) if record.metadata else None
    return row


def to_record(row: Mapping[str, Any], user_id: str) -> Record:
    """The value of a row of `memories`.

    Raises:
        Damaged: its JSON is none.
    """
    values = {name: row[name] for name in _COLUMNS}
    values["user_id"] = user_id
    values["pinned"] = bool(row["pinned"])
    values["content_hash"] = row["content_hash"].hex()
    values["keywords"] = tuple(_read(row["keywords"], list, row["id"])) if row["keywords"] else ()
    values["flags"] = tuple(_read(row["flags"], list, row["id"])) if row["flags"] else ()
    values["metadata"] = _read(row["metadata"], dict, row["id"]) if row["metadata"] else {}
    return Record(**values)


def state_hash(row: Mapping[str, Any], vectors: Vectors, links: Iterable[tuple[str, str, str]]) -> bytes:
    """SHA-256 of what undo must bring back: the row without its access times and version, its vectors and links."""
    digest = hashlib.sha256(_row_json(row, _VOLATILE).encode())
    for space, vector, truncated in vectors:
        digest.update(struct.pack("<BBI", space, truncated, len(vector)))
        digest.update(vector)
    for link in links:
        digest.update(dumps(link).encode())
    return digest.digest()


def to_image(row: Mapping[str, Any], links: Iterable[tuple[str, str, str]]) -> str:
    """A before-image of a row and its links, as JSON; columns that are NULL are left out."""
    return dumps({"row": json.loads(_row_json(row, frozenset({"importance_level"}))), "links": list(links)})


def from_image(image: str) -> tuple[Row, list[tuple[str, str, str]]]:
    """The row and the links of a before-image; a column it does not name is NULL.

    Raises:
        Damaged: it is none.
    """
    loaded = _read(image, dict, "a kept text")
    row: Row = dict.fromkeys((*_COLUMNS, "rid", "scope"))
    try:
        row |= loaded["row"]
        row["content_hash"] = bytes.fromhex(row["content_hash"])
        return row, [(child, parent, relation) for child, parent, relation in loaded["links"]]
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged("a kept text is not as it was written: run memlite check") from error


def pack(vectors: Vectors) -> bytes | None:
    """The vectors of one memory as one blob; None for none."""
    if not vectors:
        return None
    return b"".join(struct.pack("<BBI", space, flag, len(vector)) + vector for space, vector, flag in vectors)


def unpack(blob: bytes | None) -> Vectors:
    """What `pack` packed.

    Raises:
        Damaged: it is cut short.
    """
    found, at = [], 0
    while blob and at < len(blob):
        try:
            space, flag, size = struct.unpack_from("<BBI", blob, at)
        except struct.error as error:
            raise Damaged("kept vectors are cut short: run memlite check") from error
        at += 6
        found.append((space, blob[at : at + size], bool(flag)))
        at += size
    if at > len(blob or b""):
        raise Damaged("kept vectors are cut short: run memlite check")
    return tuple(found)


def bumped(record: Record, *, now_ms: int, **changes: Any) -> Record:
    """The record with these changes, one version on."""
    return replace(record, version=record.version + 1, updated_ms=now_ms, **changes)


def _read(text: str, kind: type, whose: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Damaged(f"{whose} holds what is no JSON: run memlite check") from error
    if not isinstance(value, kind):
        raise Damaged(f"{whose} holds a {type(value).__name__} for a {kind.__name__}: run memlite check")
    return value


def _row_json(row: Mapping[str, Any], without: frozenset[str]) -> str:
    kept = {name: value for name, value in row.items() if value is not None and name not in without}
    kept["content_hash"] = kept["content_hash"].hex()
    return dumps(kept)
