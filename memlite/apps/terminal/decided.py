"""How decisions are told: what was asked for, what was done, why, and what the memory said before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from memlite.apps.terminal.screen import Column, printable

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
    why = ruled(ruling.get("requested"), ruling.get("applied"), ruling.get("reason"), entry["told"])
    return {
        **row,
        "change_id": entry["change_id"],
        "action": ruling.get("applied") or row.get("action"),
        "why": why or (row.get("reason") if row["event"] != "ADD" else "") or "",
        "before": entry["old_memory"] if row["event"] == "UPDATE" else None,
    }


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
    if requested is not None and requested != applied:
        detail = said.get("detail")
        return f"{requested} was refused: {reason}" + (f" ({detail})" if detail else "")
    return reason or said.get("reasoning", "")


def before_and_after(row: Mapping[str, Any]) -> Text:
    """The text as it is now, below what it was where that differs; struck out where it is gone."""
    after = printable(row.get("memory") or "")
    if row["event"] == "DELETE":
        return Text(after, style="strike dim")
    before = printable(row.get("before") or "")
    return Text.assemble((before, "strike dim"), "\n", after) if before and before != after else Text(after)


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
