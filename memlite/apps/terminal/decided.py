"""How decisions are told: what was asked for, what was done, why, and what the memory said before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from memlite.apps.terminal import options, outcome
from memlite.apps.terminal.screen import Column, minute, printable, with_id
from memlite.apps.terminal.shell import Report, Shell

if TYPE_CHECKING:
    from memlite.memory import Memory


def traced(memory: Memory, data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each turn and each memory that a call of `add` touched, with its change, its ruling and the text before it.

    What the call itself returns names one change for all; a conversation makes a change for each fact.
    """
    turns = [{"id": turn, "event": "ADD", "memory": memory.get(turn)["memory"]} for turn in data.get("turns", ())]
    rows = [*turns, *data["results"]]
    if "turns" not in data and all("action" not in row for row in rows):
        return rows  # stored as they came, all in one change
    seen: Counter[tuple[str, str]] = Counter()  # one call may add a memory and update it twice
    found = []
    for row in rows:
        same = [
            entry
            for entry in memory.history(row["id"])
            if entry["event"] == row["event"] and entry["change_id"] in data["change_ids"]
        ]
        found.append(_with(row, same[seen[row["id"], row["event"]]]))
        seen[row["id"], row["event"]] += 1
    return found


def _with(row: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    ruling = entry["ruling"] or {}
    return {
        **row,
        "change_id": entry["change_id"],
        "action": ruling.get("applied") or row.get("action"),
        "why": why(entry) or ("" if row["event"] == "ADD" else row["reason"]),
        "before": entry["old_memory"] if row["event"] == "UPDATE" else None,
    }


def why(entry: Mapping[str, Any]) -> str:
    """Why an entry of a memory's history came to be; empty where nothing was decided."""
    ruling = entry["ruling"] or {}
    return ruled(ruling.get("requested"), ruling.get("applied"), ruling.get("reason"), entry["told"])


def ruled(requested: str | None, applied: str | None, reason: str | None, told: Mapping[str, str] | None) -> str:
    """Why something was done, in a few words.

    >>> ruled("update", "update", None, {"reasoning": "another value for the same thing"})
    'another value for the same thing'
    >>> ruled("replace", "keep_separate", "lost", {"detail": "number 7443"})
    'replace was refused: lost (number 7443)'
    >>> ruled(None, "keep_separate", "no_candidates", None)
    'no_candidates'
    """
    said = told or {}
    if not reason:
        return said.get("reasoning", "")
    detail = f" ({said['detail']})" if "detail" in said else ""
    return (f"{requested} was refused: " if requested not in (None, applied) else "") + reason + detail


def before_and_after(row: Mapping[str, Any]) -> Text:
    """The text as it is now, below what it was where that differs; struck out where it is gone."""
    after = printable(row.get("memory") or "")
    if row["event"] == "DELETE":
        return Text(after, style="strike dim")
    before = printable(row.get("before") or "")
    return Text.assemble((before, "strike dim"), "\n", after) if before and before != after else Text(after)


def log(
    shell: Shell,
    what: Annotated[str | None, typer.Argument(metavar="[rejected]", help="What to list: decisions, or rejected texts.")] = None,
    limit: options.Limit = 20,
    cursor: options.Cursor = None,
) -> Report:
    """List what was decided about new memories, the newest first; `log rejected`: what was found in talk and not kept."""
    if what not in (None, "rejected"):
        raise typer.BadParameter(f"{what!r} is not rejected: give that or nothing", param_hint="what")
    with shell.memory() as memory:
        data = memory.log(limit=limit, cursor=cursor, rejected=what is not None)
    return outcome.page(shell, data, _REJECTED, "log rejected") if what else outcome.page(shell, data, _LOG)


def _asked_and_done(row: Mapping[str, Any]) -> str:
    asked = row["requested"]
    return row["action"] if asked in (None, row["action"]) else f"{asked} → {row['action']}"


def _logged(row: Mapping[str, Any]) -> Text:
    old = "\n".join(printable(was["memory"] or "") for was in row["before"])
    new = printable(row["memory"] or "")
    return Text.assemble((old, "strike dim"), "\n", new, "\n", (row["change_id"], "dim")) if old else with_id(_as_memory(row))


def _as_memory(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"memory": row["memory"] or "", "id": row["change_id"]}


def _offered(row: Mapping[str, Any]) -> str:
    """What it could choose from, the likest first: relevance, or the share of words where no vectors were compared."""
    return " | ".join(
        (f"{other['coverage']:.2f} of its words" if other["relevance"] is None else f"{other['relevance']:.2f}")
        + f" {other['memory'] or other['id']}"
        for other in row["offered"]
    )


def _why_logged(row: Mapping[str, Any]) -> str:
    return ruled(row["requested"], row["action"], row["reason"], row["told"])


_WHEN = Column(title="when (UTC)", cell=lambda row: minute(row["created_at"]))
_CHANGE = Column(title="change", cell=lambda row: row["change_id"], on=("pipe",))
_LOG = (
    _WHEN,
    Column(title="", cell=lambda row: "undone" if row["undone_by"] else "", on=("terminal",), style="dim"),
    Column(title="action", cell=_asked_and_done, on=("terminal",), style="bold"),
    Column(title="memory", cell=_logged, on=("terminal",), flexible=True),
    Column(title="why", cell=lambda row: f"{_why_logged(row)} ({row['decider']})", on=("terminal",), flexible=True),
    Column(title="beside", cell=_offered, on=("terminal",), flexible=True, style="dim"),
    _CHANGE,
    Column(title="id", cell=lambda row: row["memory_id"], on=("pipe",)),
    Column(title="requested", cell=lambda row: row["requested"] or "", on=("pipe",)),
    Column(title="action", cell=lambda row: row["action"], on=("pipe",)),
    Column(title="why", cell=_why_logged, on=("pipe",)),
    Column(title="decider", cell=lambda row: row["decider"], on=("pipe",)),
    Column(title="memory", cell=lambda row: row["memory"] or "", on=("pipe",)),
    Column(title="before", cell=lambda row: " | ".join(was["memory"] or was["id"] for was in row["before"]), on=("pipe",)),
    Column(title="beside", cell=_offered, on=("pipe",)),
    Column(title="undone by", cell=lambda row: row["undone_by"] or "", on=("pipe",)),
)
_REJECTED = (
    _WHEN,
    Column(title="why", cell=lambda row: row["reason"], style="bold"),
    Column(title="found", cell=lambda row: row["rejected"] or "", flexible=True),
    Column(title="in turn", cell=lambda row: row["memory_id"], style="dim"),
    _CHANGE,
)
COLUMNS = (
    Column(title="event", cell=lambda row: row["event"], style="bold"),
    Column(title="id", cell=lambda row: row["id"], style="dim", on=("pipe",)),
    Column(title="change", cell=lambda row: row.get("change_id") or "", on=("pipe",)),
    Column(title="action", cell=lambda row: row.get("action") or "", on=("terminal",)),
    Column(title="memory", cell=before_and_after, on=("terminal",), flexible=True),
    Column(title="why", cell=lambda row: row.get("why") or "", on=("terminal",), flexible=True, style="dim"),
    Column(title="memory", cell=lambda row: row.get("memory") or "", on=("pipe",)),
    Column(title="action", cell=lambda row: row.get("action") or "", on=("pipe",)),
    Column(title="why", cell=lambda row: row.get("why") or "", on=("pipe",)),
    Column(title="before", cell=lambda row: row.get("before") or "", on=("pipe",)),
)
"""What `add` shows. In a pipe the first four are those of every other change."""
