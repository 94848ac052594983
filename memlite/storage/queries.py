"""Statements by name, read from the `.sql` files beside this module."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def load(file: str) -> dict[str, str]:
    """name -> statement of a file of `-- name:` blocks, `queries.sql`, `recall.sql` or `alike.sql`."""
    parts = _NAME.split((Path(__file__).parent / file).read_text(encoding="utf-8"))
    return {name: _without_comments(sql).strip().rstrip(";") for name, sql in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def sql(name: str, *, space: int | None = None) -> str:
    """The statement of that name in `queries.sql`; `vec_N` in it becomes the table of `space`, a number."""
    statement = load("queries.sql")[name]
    return statement if space is None else statement.replace("vec_N", f"vec_{int(space)}")


def statements(script: str) -> list[str]:
    """A script cut into its statements. Comments end at the line; no statement here holds a `;` inside quotes."""
    return [part.strip() for part in _without_comments(script).split(";") if part.strip()]


def _without_comments(script: str) -> str:
    return "\n".join(line for line in (line.partition("--")[0].rstrip() for line in script.splitlines()) if line)
