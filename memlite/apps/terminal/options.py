"""The arguments and options that commands have in common, and how what was typed is read."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from memlite.errors import BadInput
from memlite.model import AREAS, KINDS, ORIGINS, STATUSES
from memlite.rules.presets import PRESETS

ROLES = ("user", "assistant", "tool", "system")
CONSOLIDATION = ("full", "simple", "off")
STDIN = "-"


def json_object(text: str) -> dict[str, Any]:
    """A JSON object as it was typed; anything else is a usage error."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"this is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise typer.BadParameter("""give a JSON object such as '{"topic": "travel"}'""")
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def one_of(choices: Sequence[str], what: str) -> dict[str, Any]:
    """What an option takes that has these choices, and its help; another value is a usage error."""

    def parse(value: str) -> str:
        if value not in choices:
            raise typer.BadParameter(f"{value!r} is none of {', '.join(choices)}")
        return value

    told = f"{what} {', '.join(choices[:-1])} or {choices[-1]}."
    return {"parser": parse, "metavar": "NAME", "help": told, "autocompletion": lambda: list(choices)}


MemoryId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, mem_…")]
ChangeId = Annotated[str, typer.Argument(metavar="CHANGE", help="The change's id, chg_…; `memlite changes` lists them.")]

Limit = Annotated[int, typer.Option("--limit", "-k", min=1, help="At most so many.")]
Cursor = Annotated[str | None, typer.Option(help="Go on where the page before ended: the cursor it gave.")]
Filter = Annotated[
    dict[str, Any] | None,
    typer.Option(
        "--filter",
        parser=json_object,
        metavar="JSON",
        help="""Conditions on fields and metadata, such as '{"topic": "travel", "importance": {"gte": 0.5}}'.""",
    ),
]
SessionId = Annotated[str | None, typer.Option(help="The conversation.")]
Area = Annotated[str | None, typer.Option(**one_of(AREAS, "The area:"))]
Kind = Annotated[str | None, typer.Option(**one_of(KINDS, "The kind of memory:"))]
Origin = Annotated[str | None, typer.Option(**one_of(ORIGINS, "Where it comes from:"))]
Role = Annotated[str | None, typer.Option(**one_of(ROLES, "Store it as a turn of a conversation, said by"))]
Status = Annotated[str, typer.Option(**one_of((*STATUSES, "any"), "Only memories with this status:"))]
Preset = Annotated[str | None, typer.Option(**one_of(tuple(PRESETS), "How the parts of the score are weighed:"))]
Lines = Annotated[
    Path | None,
    typer.Option(
        "--jsonl",
        metavar="PATH",
        help="Store the messages of a file (- for standard input), one JSON object a line: role, content, "
        "and where known name, timestamp and session_id. A JSON text is a memory of its own.",
    ),
]
Infer = Annotated[
    bool | None,
    typer.Option(
        "--infer/--no-infer",
        help="Decide about a text beside what is stored, and distil turns into facts; or store all word for word. "
        "Without either: a text is decided about, a file stored word for word.",
    ),
]
Consolidate = Annotated[
    str,
    typer.Option(
        **one_of(CONSOLIDATION, "Beside what is stored, decide in full, simply replace what is nearly the same, or not:")
    ),
]
Metadata = Annotated[
    dict[str, Any] | None, typer.Option(parser=json_object, metavar="JSON", help="A JSON object of your own, usable in filters.")
]
Importance = Annotated[float | None, typer.Option(min=0, max=1, help="How much it matters, 0 to 1.")]
OccurredAt = Annotated[
    str | None, typer.Option(metavar="TIME", help="When it happened, ISO 8601 (UTC unless it says otherwise).")
]
ExpiresAt = Annotated[str | None, typer.Option(metavar="TIME", help="From when on it is not returned, ISO 8601.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would happen.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]

Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="PATH", help="The file; without it MEMLITE_DB, else memory.db.", rich_help_panel="Whose and where"
    ),
]
UserId = Annotated[
    str | None, typer.Option("--user-id", help="Whose memories; without it: default.", rich_help_panel="Whose and where")
]
AgentId = Annotated[
    str | None,
    typer.Option(
        "--agent-id", help="The agent: noted on what is added, a condition on what is found.", rich_help_panel="Whose and where"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.", rich_help_panel="Whose and where")]
_SHARED: dict[str, tuple[Any, Any]] = {
    "db": (Db, None),
    "user_id": (UserId, None),
    "agent_id": (AgentId, None),
    "json": (Json, False),
}


def shared(name: str) -> inspect.Parameter:
    """An option of `memlite` itself, for a command that takes it too."""
    annotation, default = _SHARED[name]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def typed_or_piped(text: str) -> str:
    """The text as it was typed; for `-` all of standard input.

    Raises:
        BadInput: standard input is not UTF-8.
    """
    return read_stdin() if text == STDIN else text


def read_stdin() -> str:
    """All of standard input.

    Raises:
        BadInput: it is not UTF-8.
    """
    return decoded(sys.stdin.buffer.read(), "standard input")


def decoded(raw: bytes, what: str) -> str:
    """UTF-8 bytes as text, without a byte order mark.

    Raises:
        BadInput: they are not UTF-8.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{what} is no UTF-8 text (byte {error.start}): convert it first") from None
