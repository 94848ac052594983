"""How what a command changed is told: an event a memory, and how to take it back."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memlite.apps.terminal.screen import Column, Screen, number, printable
from memlite.apps.terminal.shell import DEFAULT_DB, Report, Shell

_SHOWN = 10
_COLUMNS = (
    Column(title="event", cell=lambda row: row["event"], style="bold"),
    Column(title="id", cell=lambda row: row["id"], style="dim"),
    Column(title="change", cell=lambda row: row.get("change_id") or "", on=("pipe",)),
    Column(title="memory", cell=lambda row: row.get("memory") or "", flexible=True),
)


def told(
    shell: Shell, data: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], columns: Sequence[Column] = _COLUMNS
) -> Report:
    """The report of a change: a row a memory in a pipe; a person gets the sum where there are more than ten."""
    events = [{"change_id": data["change_id"], **row} for row in rows]
    return Report(data=data, count=len(events), show=lambda screen: _show(shell, data, events, screen, columns))


def call(shell: Shell, arguments: str) -> str:
    """A command line for the same file and user, to be copied."""
    words = ["memlite"]
    words += [] if shell.db == DEFAULT_DB else ["--db", shlex.quote(shell.db)]
    words += [] if shell.user_id is None else ["--user-id", shlex.quote(shell.user_id)]
    return f"{' '.join(words)} {arguments}"


def page(shell: Shell, data: Mapping[str, Any], columns: Sequence[Column], words: str = "") -> Report:
    """The report of a page of a listing, with the command for the next one; `words`: what was typed, where not only its name."""

    def show(screen: Screen) -> None:
        screen.table(columns, data["results"])
        if not data["results"]:
            shell.notes.say("nothing there", style="dim")
        if data["cursor"] is not None:
            following = call(shell, f"{words or shell.command} --cursor {data['cursor']}")
            shell.notes.say(f"More: {following}", style="dim")

    return Report(data=data, count=len(data["results"]), show=show)


def _show(shell: Shell, data: Mapping[str, Any], events: list[dict[str, Any]], screen: Screen, columns: Sequence[Column]) -> None:
    rehearsal = data.get("dry_run", False)
    if not screen.is_terminal or len(events) <= _SHOWN:
        screen.table(columns, events)
    else:
        kinds = [event["event"] for event in events]
        counts = ", ".join(f"{kinds.count(kind):,} {kind}" for kind in dict.fromkeys(kinds))
        screen.say(f"{number(len(events), 'memory')}: {counts}")
    if not events:
        shell.notes.say("nothing to do", style="dim")
    if data.get("failed"):
        kept = "wait to be distilled" if data["waiting"] else "were not all distilled"
        shell.notes.say(f"the turns are stored and {kept}: {printable(data['failed'])}", style="yellow")
    if rehearsal:
        shell.notes.say("dry run: nothing was changed", style="dim")
    elif screen.is_terminal and len(data.get("change_ids", ())) > 1:
        screen.say(f"Its {number(len(data['change_ids']), 'change')} can be undone: {call(shell, 'changes')}", style="dim")
    elif screen.is_terminal and data["change_id"]:
        screen.say(f"Take it back: {call(shell, 'undo ' + data['change_id'])}", style="dim")
