"""What each tool takes, as a JSON schema, and how it is read from what a model wrote."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memlite.errors import BadInput, shown
from memlite.model import AREAS

MOST_LOADED = 100
"""Memories that one load shows at most."""

_LARGEST = 2**63
_YES, _NO = ("true", "yes", "1", "on"), ("false", "no", "0", "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument. `kind`: text, area, share, whole, flag, list or equal."""

    name: str
    kind: str
    told: str
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: its name, what it is for, and its arguments."""

    name: str
    told: str
    takes: tuple[Argument, ...]


_AREA = Argument(name="area", kind="area", told=f"The part of the memory: {', '.join(AREAS)}. Left out: all of them.")
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            name="memory_save",
            told="Remember a fact, a preference or a solution for later talks. What it repeats or overtakes is replaced.",
            takes=(
                Argument(
                    name="text", kind="text", told="What to remember, in words that are clear by themselves.", required=True
                ),
                Argument(name="area", kind="area", told=f"Where it belongs: {', '.join(AREAS)}. Left out: main."),
                Argument(name="importance", kind="share", told="How much it matters, 0 to 1. Left out: 0.5."),
                Argument(name="tags", kind="list", told="Words to file it under."),
            ),
        ),
        Tool(
            name="memory_load",
            told="Find what is remembered about something.",
            takes=(
                Argument(name="query", kind="text", told="A question, or words that the memory would hold.", required=True),
                Argument(name="threshold", kind="share", told="Least relevance, 0 to 1. Left out: 0.7."),
                Argument(name="limit", kind="whole", told=f"At most so many, up to {MOST_LOADED}. Left out: 5."),
                _AREA,
                Argument(name="filter", kind="equal", told='Only memories whose metadata has these values: {"topic": "travel"}.'),
            ),
        ),
        Tool(
            name="memory_delete",
            told="Delete memories by their ids.",
            takes=(Argument(name="ids", kind="list", told="The ids that memory_load showed, mem_…", required=True),),
        ),
        Tool(
            name="memory_forget",
            told="Forget everything about something. Shows what would go first; removes it with dry_run false.",
            takes=(
                Argument(name="query", kind="text", told="What to forget.", required=True),
                Argument(name="threshold", kind="share", told="Least relevance of what goes, 0 to 1. Left out: 0.75."),
                _AREA,
                Argument(name="dry_run", kind="flag", told="true only shows what would go, false removes it. Left out: true."),
            ),
        ),
    )
}

_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "area": {"type": "string", "enum": list(AREAS)},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "whole": {"type": "integer", "minimum": 1},
    "flag": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string"}},
    "equal": {"type": "object"},
}


def schema(tool: Tool) -> dict[str, Any]:
    """The tool as OpenAI's function calling wants it; every field is described, none has alternatives."""
    parameters = {
        "type": "object",
        "properties": {one.name: {**_TYPES[one.kind], "description": one.told} for one in tool.takes},
        "required": [one.name for one in tool.takes if one.required],
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": tool.name, "description": tool.told, "parameters": parameters}}


# -- reading what a model wrote


def read(tool: Tool, arguments: object, notes: list[str]) -> dict[str, Any]:
    """The tool's arguments by name, None for what was left out.

    Raises:
        BadInput: one is missing or means nothing.
    """
    given = _parsed(arguments)
    if isinstance(given, str):  # a text of JSON in a text of JSON
        given = _parsed(given)
    if not isinstance(given, Mapping):
        raise BadInput(f"the arguments of {tool.name} are {shown(arguments)}: give a JSON object with {_names(tool)}")
    unknown = [key for key in given if key not in {one.name for one in tool.takes}]
    if unknown:
        notes.append(f"ignored {', '.join(map(shown, unknown[:5]))}: {tool.name} takes {_names(tool)}")
    return {one.name: _value(one, given.get(one.name)) for one in tool.takes}


def _names(tool: Tool) -> str:
    return ", ".join(one.name for one in tool.takes)


def _parsed(value: object) -> object:
    """What a text of JSON stands for; anything else as it is. An empty text is an empty object."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _value(one: Argument, value: object) -> Any:
    if value is None or value in ("", "null", "None"):
        if one.required and value is None:
            raise BadInput(f"{one.name} is missing: {one.told}")
        if not one.required:
            return None
    read = _READERS[one.kind](value)
    if read is None:
        raise BadInput(f"{one.name} is {shown(value)}: {one.told}")
    return read


def _text(value: object) -> str | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def _area(value: object) -> str | None:
    found = value.strip().lower() if isinstance(value, str) else None
    return found if found in AREAS else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _share(value: object) -> float | None:
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None


def _whole(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number >= 1 and number == int(number) else None


def _flag(value: object) -> bool | None:
    told = value.strip().lower() if isinstance(value, str) else str(value).lower() if value in (True, False) else ""
    return True if told in _YES else False if told in _NO else None


def _list(value: object) -> list[str] | None:
    """Texts of a list, of a JSON text of one, or of a text with commas between them."""
    if isinstance(value, str):
        found = _parsed(value) if value.strip().startswith("[") else None
        value = found if isinstance(found, list) else [part.strip(" \t\r\n[]\"'") for part in value.split(",")]
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        return None
    read = [item.strip() if isinstance(item, str) else item for item in value]
    return None if any(not isinstance(item, str) for item in read) else [item for item in read if item]


def _equal(value: object) -> dict[str, Any] | None:
    """Metadata that must be equal: a flat object, or the JSON text of one."""
    found = _parsed(value)
    if not isinstance(found, Mapping) or not all(
        isinstance(key, str) and isinstance(item, (str, int, float, bool)) for key, item in found.items()
    ):
        return None
    return {key: {"eq": item} for key, item in found.items()}


_READERS: Mapping[str, Callable[[object], Any]] = {
    "text": _text,
    "area": _area,
    "share": _share,
    "whole": _whole,
    "flag": _flag,
    "list": _list,
    "equal": _equal,
}
