"""The commands that find memories and look back on what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.text import Text

from memlite.apps.terminal import decided, options, outcome
from memlite.apps.terminal.options import Area, ChangeId, Cursor, DryRun, Filter, Limit, MemoryId, SessionId, Status
from memlite.apps.terminal.screen import Column, Screen, day, minute, printable, with_id
from memlite.apps.terminal.shell import Report, Shell


def _afterwards(row: Mapping[str, Any]) -> Text:
    text = row["new_memory"] if row["event"] != "DELETE" else row["old_memory"]
    style = "strike dim" if row["event"] == "DELETE" else ""
    return Text.assemble((printable(text or ""), style), "\n", (row["change_id"], "dim"))


def _counts(events: list[dict[str, str]]) -> str:
    kinds = [event["event"] for event in events]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))


def _part(title: str, name: str) -> Column:
    return Column(title=title, cell=lambda row: f"{row['parts'][name]:.3f}", right=True, style="dim")


_ID = Column(title="id", cell=lambda row: row["id"], on=("pipe",))
_TEXT = Column(title="memory", cell=lambda row: row["memory"], on=("pipe",))
_TEXT_AND_ID = Column(title="memory", cell=with_id, on=("terminal",), flexible=True)
_DATE = Column(title="date", cell=lambda row: day(row["occurred_at"]))
_SCORE = Column(title="score", cell=lambda row: f"{row['score']:.3f}", right=True, style="bold")
_PARTS = (_part("= rel.", "relevance"), _part("+ rec.", "recency"), _part("+ imp.", "importance"))
_HITS = (_ID, _TEXT_AND_ID, _DATE, _SCORE, *_PARTS, _TEXT)
_MEMORIES = (
    _ID,
    _TEXT_AND_ID,
    _DATE,
    Column(title="area", cell=lambda row: row["area"]),
    Column(title="kind", cell=lambda row: row["kind"]),
    Column(title="session", cell=lambda row: row["session_id"] or ""),
    _TEXT,
)
_HISTORY = (
    Column(title="when (UTC)", cell=lambda row: minute(row["created_at"])),
    Column(title="event", cell=lambda row: row["event"], style="bold"),
    Column(title="by", cell=lambda row: row["verb"]),
    Column(title="change", cell=lambda row: row["change_id"], on=("pipe",)),
    Column(title="memory afterwards", cell=_afterwards, on=("terminal",), flexible=True),
    Column(title="before", cell=lambda row: row["old_memory"] or "", on=("pipe",)),
    Column(title="after", cell=lambda row: row["new_memory"] or "", on=("pipe",)),
    Column(title="why", cell=decided.why, flexible=True, style="dim"),
)
_CHANGES = (
    Column(title="when (UTC)", cell=lambda row: minute(row["at"])),
    Column(title="change", cell=lambda row: row["change_id"]),
    Column(title="by", cell=lambda row: row["verb"], style="bold"),
    Column(title="what", cell=lambda row: _counts(row["events"])),
    Column(title="undone by", cell=lambda row: row["undone_by"] or "", on=("pipe",)),
    Column(title="", cell=lambda row: "undone" if row["undone_by"] else "", on=("terminal",), style="dim"),
)
_USERS = (
    Column(title="user", cell=lambda row: row["user_id"], flexible=True),
    Column(title="memories", cell=lambda row: str(row["memories"]), right=True),
    Column(title="last change (UTC)", cell=lambda row: minute(row["updated_at"])),
)
_SESSIONS = (
    Column(title="session", cell=lambda row: row["session_id"], flexible=True),
    Column(title="memories", cell=lambda row: str(row["memories"]), right=True),
    Column(title="turns", cell=lambda row: str(row["turns"]), right=True),
    Column(title="first (UTC)", cell=lambda row: minute(row["first_at"])),
    Column(title="last (UTC)", cell=lambda row: minute(row["last_at"])),
)


def search(
    shell: Shell,
    query: Annotated[str, typer.Argument(help="A question or some words; - reads it from standard input.")],
    limit: Limit = 10,
    filters: Filter = None,
    area: Area = None,
    session_id: SessionId = None,
    preset: options.Preset = None,
    floor: Annotated[float | None, typer.Option(min=0, max=1, help="Leave out lower scores.")] = None,
    status: Status = "active",
    exact: Annotated[bool, typer.Option("--exact", help="Scan everything of the user.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show every number behind each score; counts as no access.")] = False,
) -> Report:
    """Find memories, the best first: score = relevance + recency + importance, each already weighed."""
    asked = options.typed_or_piped(query)
    with shell.memory() as memory:
        data = memory.search(
            asked, limit=limit, filters=filters, area=area, agent_id=shell.agent_id, session_id=session_id, preset=preset,
            floor=floor, status=status, exact=exact, explain=explain, touch=not explain,
        )  # fmt: skip

    def show(screen: Screen) -> None:
        why = Column(title="why", cell=lambda row: _why(row["explain"]), on=("pipe",))
        screen.table((*_HITS, why) if explain else _HITS, data["results"])
        if not data["results"]:
            shell.notes.say("nothing found", style="dim")
        if explain and screen.is_terminal:
            for hit in data["results"]:
                screen.say(Text.assemble("\n", (hit["id"], "bold"), "  ", _why(hit["explain"])))

    return Report(data=data, count=len(data["results"]), show=show)


def get(shell: Shell, memory_id: MemoryId) -> Report:
    """Show a memory with all its fields."""
    with shell.memory() as memory:
        data = memory.get(memory_id)
    shown = {name: value for name, value in data.items() if name != "run_id"}  # session_id's other name
    return Report(data=data, count=1, show=lambda screen: screen.pairs(shown))


def list_(
    shell: Shell,
    limit: Limit = 20,
    cursor: Cursor = None,
    filters: Filter = None,
    area: Area = None,
    session_id: SessionId = None,
    status: Status = "active",
) -> Report:
    """List memories, the newest first, a page at a time."""
    with shell.memory() as memory:
        data = memory.get_all(
            limit=limit, cursor=cursor, filters=filters, area=area, agent_id=shell.agent_id, session_id=session_id, status=status
        )
    return outcome.page(shell, data, _MEMORIES)


def history(shell: Shell, memory_id: MemoryId) -> Report:
    """Tell what happened to a memory, the oldest first; also to one that is gone."""
    with shell.memory() as memory:
        data = memory.history(memory_id)
    return Report(data=data, count=len(data), show=lambda screen: screen.table(_HISTORY, data))


def changes(shell: Shell, limit: Limit = 20, cursor: Cursor = None) -> Report:
    """List a user's changes, the newest first."""
    with shell.memory() as memory:
        data = memory.changes(limit=limit, cursor=cursor)
    return outcome.page(shell, data, _CHANGES)


def undo(
    shell: Shell,
    change_id: ChangeId,
    cascade: Annotated[bool, typer.Option("--cascade", help="Undo later changes to the same memories first.")] = False,
    dry_run: DryRun = False,
) -> Report:
    """Take a change back: its memories are as they were before it."""
    with shell.memory(writes=True) as memory:
        data = memory.undo(change_id, cascade=cascade, dry_run=dry_run)
    return outcome.told(shell, data, data["results"])


def redo(shell: Shell, change_id: ChangeId) -> Report:
    """Make a change again that was undone."""
    with shell.memory(writes=True) as memory:
        data = memory.redo(change_id)
    return outcome.told(shell, data, data["results"])


def users(shell: Shell) -> Report:
    """List the users of the file."""
    with shell.memory() as memory:
        data = memory.users()
    return Report(data=data, count=len(data), show=lambda screen: screen.table(_USERS, data))


def sessions(shell: Shell) -> Report:
    """List a user's conversations, the latest first."""
    with shell.memory() as memory:
        data = memory.sessions()
    return Report(data=data, count=len(data), show=lambda screen: screen.table(_SESSIONS, data))


def _why(explained: Mapping[str, Any]) -> str:
    flat: dict[str, Any] = {}
    for name, value in explained.items():
        flat |= {f"{name}.{key}": item for key, item in value.items()} if isinstance(value, Mapping) else {name: value}
    return " · ".join(f"{name} {_short(value)}" for name, value in flat.items() if value is not None)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
