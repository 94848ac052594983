"""The commands that change memories."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memlite.apps.terminal import decided, jsonl, options, outcome
from memlite.apps.terminal.options import Area, DryRun, ExpiresAt, Filter, Importance, Kind, MemoryId, Metadata, OccurredAt, Yes
from memlite.apps.terminal.screen import number
from memlite.apps.terminal.shell import Report, Shell


def add(
    shell: Shell,
    text: Annotated[str | None, typer.Argument(help="What to remember; - reads it from standard input.")] = None,
    lines: options.Lines = None,
    session_id: options.SessionId = None,
    role: options.Role = None,
    metadata: Metadata = None,
    importance: Importance = None,
    area: Area = None,
    kind: Kind = None,
    origin: options.Origin = None,
    occurred_at: OccurredAt = None,
    expires_at: ExpiresAt = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Never merged or replaced by consolidation.")] = False,
    infer: options.Infer = None,
    consolidate: options.Consolidate = "full",
) -> Report:
    """Remember a text, a turn of a conversation, or a file of them. Makes the file where there is none."""
    if (text is None) == (lines is None):
        raise typer.BadParameter("give either a text (- reads standard input) or --jsonl")
    given: dict[str, Any] = {
        "metadata": metadata, "importance": importance, "area": area, "kind": kind, "origin": origin,
        "occurred_at": occurred_at, "expires_at": expires_at, "pinned": pinned, "consolidate": consolidate,
        "infer": infer if infer is not None else lines is None,
    }  # fmt: skip
    if text is None:
        assert lines is not None
        return jsonl.store(shell, jsonl.read(lines, session_id, role), given)
    content = options.typed_or_piped(text)
    message: str | dict[str, Any] = content if role is None else {"role": role, "content": content}
    with shell.memory(create=True, writes=True) as memory:
        data = memory.add(message, session_id=session_id, **given)
        rows = decided.traced(memory, data)
    return outcome.told(shell, data, rows, decided.COLUMNS)


def update(
    shell: Shell,
    memory_id: MemoryId,
    text: Annotated[str | None, typer.Argument(help="The new text; - reads it from standard input.")] = None,
    metadata: Metadata = None,
    importance: Importance = None,
    pinned: Annotated[bool | None, typer.Option("--pinned/--no-pinned", help="Pin it, or no longer.")] = None,
    occurred_at: OccurredAt = None,
    expires_at: ExpiresAt = None,
    no_expiry: Annotated[bool, typer.Option("--no-expiry", help="It no longer expires.")] = False,
    area: Area = None,
    kind: Kind = None,
    expected_version: Annotated[int | None, typer.Option(min=1, help="Refuse if it has another version.")] = None,
) -> Report:
    """Change a memory's text or fields; the id stays. Metadata keys set to null are removed, others stay."""
    if no_expiry and expires_at is not None:
        raise typer.BadParameter("give --expires-at or --no-expiry, not both")
    given: dict[str, Any] = {
        "metadata": metadata, "importance": importance, "pinned": pinned, "occurred_at": occurred_at,
        "area": area, "kind": kind, "expected_version": expected_version,
    }  # fmt: skip
    if no_expiry or expires_at is not None:
        given["expires_at"] = expires_at
    content = None if text is None else options.typed_or_piped(text)
    with shell.memory(writes=True) as memory:
        data = memory.update(memory_id, content, **given)
    return outcome.told(shell, data, [data])


def delete(shell: Shell, memory_id: MemoryId, dry_run: DryRun = False) -> Report:
    """Remove a memory. `memlite undo` brings it back."""
    with shell.memory(writes=True) as memory:
        data = memory.delete(memory_id, dry_run=dry_run)
    return outcome.told(shell, data, [data])


def delete_all(
    shell: Shell,
    session_id: options.SessionId = None,
    area: Area = None,
    filters: Filter = None,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> Report:
    """Remove a user's memories, or those that pass the conditions. Wants --user-id. `memlite undo` brings them back."""
    with shell.memory(writes=True) as memory:
        given: dict[str, Any] = {
            "user_id": shell.user_id, "agent_id": shell.agent_id, "session_id": session_id, "area": area, "filters": filters,
        }  # fmt: skip
        data = memory.delete_all(**given, dry_run=True)
        if not dry_run:
            shell.confirm(f"This removes {number(data['deleted'], 'memory')} of {shell.user_id}", yes=yes)
            data = memory.delete_all(**given)
    return outcome.told(shell, data, _gone(data))


def reset(shell: Shell, yes: Yes = False, dry_run: DryRun = False) -> Report:
    """Remove everything of a user, whatever its status. Wants --user-id. `memlite undo` brings it back."""
    with shell.memory(writes=True) as memory:
        data = memory.reset(user_id=shell.user_id, dry_run=True)
        if not dry_run:
            shell.confirm(f"This removes all {number(data['deleted'], 'memory')} of {shell.user_id}", yes=yes)
            data = memory.reset(user_id=shell.user_id)
    return outcome.told(shell, data, _gone(data))


def move(
    shell: Shell,
    memory_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="The memories' ids, mem_….")],
    to_user_id: Annotated[str | None, typer.Option(help="The new user.")] = None,
    to_session_id: Annotated[str | None, typer.Option(help="The new session.")] = None,
    to_agent_id: Annotated[str | None, typer.Option(help="The new agent.")] = None,
    to_area: Annotated[str | None, typer.Option(**options.one_of(options.AREAS, "The new area:"))] = None,
) -> Report:
    """Give memories to another user, or another session, agent or area. The ids stay."""
    with shell.memory(writes=True) as memory:
        data = memory.move(
            memory_ids, to_user_id=to_user_id, to_session_id=to_session_id, to_agent_id=to_agent_id, to_area=to_area
        )
    return outcome.told(shell, data, [{"event": "MOVE", **moved} for moved in data["results"]])


def _gone(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"event": "DELETE", "id": memory_id} for memory_id in data["ids"]]
