"""A memory as a value and as a row: one place that knows both shapes."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from memlite.errors import Damaged
from memlite.model import Record
from memlite.ports import SpaceInfo

SCOPE_BITS = 32
SPACE_BITS = 56
_REALS = ("importance", "confidence", "valence", "decay_per_hour")
_COLUMNS = tuple(field.name for field in fields(Record) if field.name != "user_id")
_values = attrgetter(*_COLUMNS)
_HASHED = tuple(sorted({*_COLUMNS, "user_id"} - {"accessed_ms", "access_count", "version"}))
_IMAGED = tuple(sorted({*_COLUMNS, "rid", "scope", "user_id"}))

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False)

_IN_ORDER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False)

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
    row["user_id"] = record.user_id  # no column: the audit covers whose a memory is, not only his number
    row["pinned"] = int(record.pinned)
    for name in _REALS:
        if row[name] is not None:
            row[name] = float(row[name]) + 0.0  # SQLite keeps no sign of a zero, and the audit hashes what it keeps
    row["content_hash"] = bytes.fromhex(record.content_hash)
    row["keywords"] = dumps(record.keywords) if record.keywords else None
    row["flags"] = dumps(record.flags) if record.flags else None
    row["metadata"] = dumps(dict(record.metadata)) if record.metadata else None
    return row


def to_record(row: Mapping[str, Any], user_id: str) -> Record:
    """The value of a row of `memories`."""
    values = {name: row[name] for name in _COLUMNS}
    values["user_id"] = user_id
    values["pinned"] = bool(row["pinned"])
    values["content_hash"] = row["content_hash"].hex()
    values["keywords"] = tuple(_loaded(row, "keywords", list, []))
    values["flags"] = tuple(_loaded(row, "flags", list, []))
    values["metadata"] = _loaded(row, "metadata", dict, {})
    return Record(**values)


def _loaded(row: Mapping[str, Any], column: str, kind: type, default: Any) -> Any:
    if not row[column]:
        return default
    try:
        value = json.loads(row[column])
    except ValueError:
        value = None
    if not isinstance(value, kind):
        raise Damaged(f"{row['id']}: its {column} can't be read: run memlite check")
    return value


def state_hash(row: Mapping[str, Any], vectors: Vectors, links: Iterable[tuple[str, str, str]]) -> bytes:
    """SHA-256 of what undo must bring back: whose it is, the row without access times and version, its vectors and links."""
    digest = hashlib.sha256(_row_json(row, _HASHED).encode())
    for space, vector, truncated in vectors:
        digest.update(struct.pack("<BBI", space, truncated, len(vector)))
        digest.update(vector)
    for link in links:
        digest.update(dumps(link).encode())
    return digest.digest()


def to_image(row: Mapping[str, Any], links: Iterable[tuple[str, str, str]]) -> str:
    """A before-image of a row and its links, as JSON; columns that are NULL are left out."""
    return f'{{"links":{dumps(list(links))},"row":{_row_json(row, _IMAGED)}}}'


def from_image(image: str) -> tuple[Row, list[tuple[str, str, str]]]:
    """The row and the links of a before-image; a column it does not name is NULL."""
    try:
        loaded = json.loads(image)
        row: Row = dict.fromkeys(_IMAGED)
        row |= loaded["row"]
        row["content_hash"] = bytes.fromhex(row["content_hash"])
        return row, [(child, parent, relation) for child, parent, relation in loaded["links"]]
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"a text kept for undo can't be read ({error}): run memlite check") from error


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
    found, at, end = [], 0, len(blob or b"")
    while blob and at + 6 <= end:
        space, flag, size = struct.unpack_from("<BBI", blob, at)
        at += 6
        found.append((space, blob[at : at + size], bool(flag)))
        at += size
    if at != end:
        raise Damaged("kept vectors are cut short: run memlite check")
    return tuple(found)


def _row_json(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Canonical JSON of these columns, which come sorted; those that are NULL are left out."""
    kept = {name: value for name in names if (value := row[name]) is not None}
    kept["content_hash"] = kept["content_hash"].hex()
    return _IN_ORDER.encode(kept)


def space_info(row: Mapping[str, Any]) -> SpaceInfo:
    """The value of a row of `spaces`."""
    return SpaceInfo(
        model=row["model"],
        dimension=row["dimension"],
        model_sha256=row["model_sha256"],
        tokenizer_sha256=row["tokenizer_sha256"],
        max_tokens=row["max_tokens"],
        languages=tuple(json.loads(row["languages"])),
        max_unknown=row["max_unknown"],
        thresholds=json.loads(row["thresholds"]),
    )
