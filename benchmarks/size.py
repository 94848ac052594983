"""Bytes of a file by users and memories, against what it has to hold: the texts and their float32 vectors.

Without context the memories are plain texts. With context they are turns of a session, and the full-text index holds for each the
words of up to four turns around it as well. Every text has a vector.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import data
from benchmarks.report import Cell, print_header, print_table, verdict
from memlite import Memory, Settings

MOST_WITHOUT = 2.0
MOST_WITH = 2.8
SHAPES = ((1, 20_000), (100, 200), (1_000, 20), (10_000, 2))
JUDGED = (1_000, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """How the memories come into the file."""

    name: str
    context: bool
    apart: bool  # a call of `add` for each memory, not for each user


_TEXTS = _Way(name="texts, one add a user", context=False, apart=False)
_SINGLE = _Way(name="texts, one add each", context=False, apart=True)
_TURNS = _Way(name="turns, one add a user", context=True, apart=False)


def main(argv: Sequence[str] = ()) -> int:
    """Prints a table of sizes and one of what takes the room; 0 if both floors held."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks size", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only 1,000 users of 20 memories")
    chosen = parser.parse_args(argv)
    print_header("Size of the file")
    shapes = (JUDGED,) if chosen.quick else SHAPES
    corpora = {shape: data.corpus({f"u{number}": shape[1] for number in range(shape[0])}, asked=1) for shape in shapes}
    rows: list[tuple[Cell, ...]] = []
    parts: dict[str, dict[str, int]] = {}
    held = True
    for way in (_TEXTS, _TURNS) if chosen.quick else (_TEXTS, _SINGLE, _TURNS):
        for shape in shapes if not way.apart else (JUDGED,):
            corpus = corpora[shape]
            path = _built(corpus, way)
            size, payload = path.stat().st_size, _payload(corpus)
            said = verdict(size / payload, most=MOST_WITH if way.context else MOST_WITHOUT) if shape == JUDGED else ""
            held &= not said.startswith("FAIL")
            rows.append((f"{shape[0]:,} x {shape[1]:,}", way.name, payload / 1e6, size / 1e6, size / payload, said))
            if shape == JUDGED:
                parts[way.name] = _parts(path)
            path.unlink()
    print_table(("users x memories", "added as", "payload MB", "file MB", "ratio", "floor"), rows)
    _print_parts(parts, _payload(corpora[JUDGED]))
    return 0 if held else 1


def _built(corpus: data.Corpus, way: _Way) -> Path:
    data.CACHE.mkdir(exist_ok=True)
    path = data.CACHE / "size.work.db"
    for old in data.CACHE.glob(f"{path.name}*"):
        old.unlink()
    with Memory(path, embedder=corpus.embedder, clock=lambda: data.NOW_MS, settings=Settings(durability="normal")) as memory:
        for user, (first, last) in corpus.users.items():
            step = 1 if way.apart else last - first
            for start in range(first, last, step):
                texts = corpus.texts[start : start + step]
                turns: list[Any] = [{"role": "user", "content": text} for text in texts]
                memory.add(turns if way.context else texts, user_id=user, session_id="s" if way.context else None, infer=False)
    return path


def _payload(corpus: data.Corpus) -> int:
    return sum(len(text.encode()) for text in corpus.texts) + corpus.vectors.nbytes


def _parts(path: Path) -> dict[str, int]:
    """Bytes of each table with its indexes: how many pages are free after it is dropped."""
    connection = data.bare(path)
    connection.execute("pragma foreign_keys = off")
    connection.execute("pragma secure_delete = off")
    page = connection.execute("pragma page_size").fetchone()[0]
    found = {}
    listed = connection.execute(
        "select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
    ).fetchall()
    virtual = [name for name, sql in listed if sql.lower().startswith("create virtual")]
    plain = [name for name, _ in listed if not any(name.startswith(f"{head}_") for head in virtual) and name not in virtual]
    connection.execute("drop view fts_source")
    for name in (*virtual, *plain):
        before = connection.execute("pragma freelist_count").fetchone()[0]
        connection.execute(f'drop table "{name}"')
        found[name] = (connection.execute("pragma freelist_count").fetchone()[0] - before) * page
    connection.close()
    return found


def _print_parts(parts: dict[str, dict[str, int]], payload: int) -> None:
    names = sorted(
        {name for found in parts.values() for name in found}, key=lambda name: -max(f.get(name, 0) for f in parts.values())
    )
    rows: list[tuple[Cell, ...]] = [(name, *(found.get(name, 0) / payload for found in parts.values())) for name in names]
    shape = f"{JUDGED[0]:,} users of {JUDGED[1]}"
    print_table(("table with its indexes", *parts), rows, title=f"Shares of the payload, {shape}")
