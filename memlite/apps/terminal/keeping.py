"""The commands that look after the file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memlite.apps.terminal import outcome
from memlite.apps.terminal.screen import Column, Screen, number, size
from memlite.apps.terminal.shell import Report, Shell

_PROBLEMS = (
    Column(title="problem", cell=lambda row: row["code"], style="bold"),
    Column(title="can be rebuilt", cell=lambda row: "yes" if row["repairable"] else "no"),
    Column(title="what is wrong", cell=lambda row: row["message"], flexible=True),
)


def init(shell: Shell) -> Report:
    """Make the file, and tell where it is and how to go on. A memlite file that is there already is left as it is."""
    created = not shell.path.exists()
    with shell.memory(create=True, writes=True) as memory:
        memories = memory.stats()["memories"]
    path = str(shell.path.resolve())

    def show(screen: Screen) -> None:
        screen.say(f"Made {path}" if created else f"{path} is a memlite file already, with {number(memories, 'memory')}")
        if screen.is_terminal:
            screen.say("\nRemember something:  " + outcome.call(shell, 'add "I am allergic to walnuts."'))
            screen.say("Find it again:       " + outcome.call(shell, 'search "What must I not eat?"'))

    return Report(data={"path": path, "created": created, "memories": memories}, count=memories, show=show)


def stats(shell: Shell) -> Report:
    """Count a user's memories, or with no --user-id those of the whole file, and name the model in use."""
    with shell.memory() as memory:
        data = memory.stats(user_id=shell.user_id)
    return Report(data=data, count=data["memories"], show=lambda screen: screen.pairs(_readable(shell, data)), whole_file=True)


def check(
    shell: Shell, fix: Annotated[bool, typer.Option("--fix", help="Rebuild what can be rebuilt, then check again.")] = False
) -> Report:
    """Hold the file against itself. Exit code 1 when anything is wrong with it, or with --fix still is."""
    with shell.memory(writes=fix) as memory, shell.notes.working("Checking"):
        found = memory.check()
        left = memory.check(fix=True) if fix and found else found

    def show(screen: Screen) -> None:
        if len(left) < len(found):
            shell.notes.say(f"{number(len(found) - len(left), 'problem')} fixed")
        if left:
            screen.table(_PROBLEMS, left)
            if not fix and any(problem["repairable"] for problem in left):
                shell.notes.say(f"Rebuild it: {outcome.call(shell, 'check --fix')}", style="dim")
        else:
            screen.say("sound")

    return Report(data=left, count=len(left), show=show, passed=not left)


def reindex(shell: Shell) -> Report:
    """Rebuild both indexes and the filter table from the memories and their vectors. Needs no model."""
    with shell.memory(writes=True) as memory, shell.notes.working("Rebuilding"):
        memory.admin.reindex()
        memories = memory.stats()["memories"]
    return Report(
        data={"memories": memories},
        count=memories,
        show=lambda screen: screen.say(f"Rebuilt the indexes of {number(memories, 'memory')}"),
    )


def compact(shell: Shell) -> Report:
    """Rebuild what churn has spread out, and give its space back."""
    with shell.memory(writes=True) as memory, shell.notes.working("Compacting"):
        data = memory.admin.compact()
    return Report(
        data=data,
        count=data["texts_dropped"],
        show=lambda screen: screen.say(f"{size(data['bytes_before'])} before, {size(data['bytes_after'])} now"),
    )


def _readable(shell: Shell, data: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {"file": str(shell.path.resolve()), "user": shell.user_id}
    for name, value in data.items():
        if isinstance(value, dict) and name.startswith("by_"):
            shown[name] = ", ".join(f"{count:,} {what}" for what, count in value.items())
        elif isinstance(value, dict):
            shown |= {key: item for key, item in value.items() if key != name}
        elif isinstance(value, int):
            shown[name.replace("bytes", "size")] = size(value) if name.endswith("_bytes") else f"{value:,}"
        else:
            shown[name] = value
    return shown
