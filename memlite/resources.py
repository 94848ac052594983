"""The data files that travel with the package: `schema.sql`, migrations, prompts and the demo's conversation."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def text(name: str) -> str:
    """The text of a data file, such as `schema.sql` or `demo/conversation.jsonl`."""
    return _root().joinpath(name).read_text(encoding="utf-8")


def names(folder: str, ending: str) -> list[str]:
    """Names (`folder/file`) of the data files of a folder with that ending, sorted; empty when there is no such folder."""
    place = _root().joinpath(folder)
    if not place.is_dir():
        return []
    return sorted(f"{folder}/{entry.name}" for entry in place.iterdir() if entry.name.endswith(ending))


def _root() -> Traversable:
    data = files("memlite") / "_data"  # there only in an installed wheel
    return data if data.is_dir() else Path(__file__).resolve().parent.parent  # a checkout or an editable install
