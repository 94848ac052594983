"""The command that goes over what is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from memlite.apps.terminal import options, outcome
from memlite.apps.terminal.screen import Column, Screen, number, printable
from memlite.apps.terminal.shell import Report, Shell

_PLANNED = (
    Column(title="action", cell=lambda row: row["action"], style="bold"),
    Column(title="ids", cell=lambda row: ",".join(old["id"] for old in row["before"]), on=("pipe",)),
    Column(title="after", cell=lambda row: row["after"], on=("pipe",)),
)
_DONE = (
    Column(title="action", cell=lambda row: row["action"], style="bold"),
    Column(title="id", cell=lambda row: row["id"], style="dim"),
    Column(title="removed", cell=lambda row: ",".join(row["removed"]), on=("pipe",)),
    Column(title="change", cell=lambda row: row["change_id"], style="dim"),
)


def consolidate(
    shell: Shell,
    area: options.Area = None,
    loss_budget: Annotated[
        float,
        typer.Option(min=0, max=1, help="The share of the memories that may go, 0 to 1; the sweep stops before it takes more."),
    ] = 0.2,
    batch: Annotated[int, typer.Option(min=1, max=1_000, help="Memories read at once.")] = 100,
    cursor: options.Cursor = None,
    dry_run: options.DryRun = False,
) -> Report:
    """Merge, replace or update what says the same as an older memory or overtakes it. Each change can be undone."""
    with shell.memory(writes=not dry_run) as memory:
        counts = memory.stats(user_id="default" if shell.user_id is None else shell.user_id)["by_granularity"]
        total = sum(count for name, count in counts.items() if name != "turn")
        with shell.notes.progress("Comparing", total) as advance:
            data = memory.consolidate(
                area=area,
                loss_budget=loss_budget,
                batch=batch,
                cursor=cursor,
                dry_run=dry_run,
                progress=_moving(advance),
            )
    return Report(
        data=data, count=data["removed"], show=lambda screen: _show(shell, data, screen), passed=data["refused"] is None
    )


def _moving(advance: Callable[[int], None]) -> Callable[[Mapping[str, Any]], None]:
    """Moves the bar on; what the first batch was planned for does not move it again."""
    reached = 0

    def move(told: Mapping[str, Any]) -> None:
        nonlocal reached
        now = max(reached, told["examined"], told["planned"])
        advance(now - reached)
        reached = now

    return move


def _show(shell: Shell, data: Mapping[str, Any], screen: Screen) -> None:
    if not screen.is_terminal:
        screen.table(_PLANNED if data["dry_run"] else _DONE, data["plan"] or data["changes"])
    else:
        for entry in data["plan"]:
            screen.say(f"{entry['action']}: {printable(entry['reason'])}", style="bold")
            for old in entry["before"]:
                screen.say(f"  - {printable(old['memory'])}", style="red")
            screen.say(f"  + {printable(entry['after'])}", style="green")
        screen.table(_DONE, data["changes"])
    done = ", ".join(f"{data[name]:,} {name}" for name in ("merged", "replaced", "updated"))
    shell.notes.say(f"{data['examined']:,} examined, {done}: {number(data['removed'], 'memory')} fewer")
    if data["dry_run"]:
        shell.notes.say("dry run: nothing was changed", style="dim")
    if data["refused"] is not None:
        shell.notes.say(f"stopped: {printable(_here(data['refused']))}")
    if data["cursor"] is not None:
        shell.notes.say(f"Go on: {outcome.call(shell, 'consolidate --cursor ' + data['cursor'])}", style="dim")


def _here(refused: str) -> str:
    """A reason with the options by their names on the command line."""
    return refused.replace("dry_run", "--dry-run").replace("a larger loss_budget", "a larger --loss-budget")
