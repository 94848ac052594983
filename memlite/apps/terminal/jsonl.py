"""Storing a file of messages, one JSON value a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from memlite.apps.terminal import decided, options, outcome
from memlite.apps.terminal.screen import number
from memlite.apps.terminal.shell import Report, Shell
from memlite.errors import BadInput
from memlite.rules import inputs
from memlite.settings import Settings

_BATCH = 100  # a transaction of its own each; more and the progress bar moves in jumps
_SESSION_NAMES = ("session_id", "session", "run_id")
_FIELDS = {"role", "content", "name", "timestamp", *_SESSION_NAMES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message and the conversation it belongs to."""

    message: str | dict[str, Any]
    session_id: str | None


def read(path: Path, session_id: str | None, role: str | None) -> list[Line]:
    """The messages of a file, `-` being standard input; all of them are checked before any is stored.

    Args:
        session_id: the session of lines that name none.
        role: the role of objects that name none.

    Raises:
        BadInput: the file can't be read, a line is no message (it is named), or there is none.
    """
    stdin = str(path) == options.STDIN
    text = options.read_stdin() if stdin else options.decoded(_bytes(path), str(path))
    numbered = enumerate(text.split("\n"), start=1)  # not splitlines(): JSON texts may hold U+2028 and its kind
    lines = [_line(number, line, session_id, role) for number, line in numbered if line.strip()]
    if not lines:
        raise BadInput(f"{'standard input' if stdin else path} holds no messages: give one JSON object a line")
    return lines


def store(shell: Shell, lines: list[Line], given: Mapping[str, Any]) -> Report:
    """Stores the messages session by session, in their order, with a progress bar."""
    stored = 0
    rows: list[dict[str, Any]] = []
    whole: dict[str, Any] = {"results": [], "change_id": None, "change_ids": []}
    with shell.memory(create=True, writes=True) as memory, shell.notes.progress("Storing", len(lines)) as advance:
        try:
            for session_id, batch in _batches(lines):
                data = memory.add([line.message for line in batch], session_id=session_id, **given)
                told = [{"change_id": data["change_id"], **row} for row in decided.traced(memory, data)]
                _join(whole, data, told)
                rows += told
                stored += len(batch)
                advance(len(batch))
        except BaseException:  # Ctrl-C too: who repeats the command should know
            shell.notes.say(f"{stored:,} of {number(len(lines), 'message')} were stored before this")
            raise
    return outcome.told(shell, whole, rows, decided.COLUMNS)


def _join(whole: dict[str, Any], data: Mapping[str, Any], rows: list[dict[str, Any]]) -> None:
    """Puts the envelope of a batch to those before it, each result with the change that made it."""
    made = rows[len(rows) - len(data["results"]) :]
    whole["results"] += [{**result, "change_id": row["change_id"]} for result, row in zip(data["results"], made, strict=True)]
    whole["change_ids"] += data["change_ids"]
    whole["change_id"] = data["change_id"] or whole["change_id"]
    if "turns" in data:
        whole["turns"] = [*whole.get("turns", ()), *data["turns"]]
        whole["failed"] = data["failed"] or whole.get("failed")
        whole["waiting"] = data["waiting"] or whole.get("waiting", False)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} can't be read ({error.strerror}): give a file of JSON lines, or - for standard input") from None


def _line(number: int, text: str, session_id: str | None, role: str | None) -> Line:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"line {number} is no JSON ({error}): nothing was stored") from None
    if isinstance(value, dict):
        unknown = sorted(value.keys() - _FIELDS)
        if unknown:
            raise BadInput(f"line {number} has {unknown[0]!r}: give {', '.join(sorted(_FIELDS))} only; nothing was stored")
        named = [value.pop(name) for name in _SESSION_NAMES if name in value]
        session_id = next((name for name in named if name is not None), session_id)
        if role is not None:
            value.setdefault("role", role)
    try:
        inputs.messages([value], max_bytes=Settings().max_text_bytes)
    except BadInput as error:
        raise BadInput(f"line {number}: {str(error).removeprefix('messages[0] ')}; nothing was stored") from None
    if session_id is not None and not isinstance(session_id, str):
        raise BadInput(f"line {number} has a session_id of {type(session_id).__name__}: give text; nothing was stored")
    return Line(message=value, session_id=session_id)


def _batches(lines: list[Line]) -> Iterator[tuple[str | None, list[Line]]]:
    for session_id, group in groupby(lines, key=lambda line: line.session_id):
        together = list(group)
        for start in range(0, len(together), _BATCH):
            yield session_id, together[start : start + _BATCH]
