"""`memlite demo`: a conversation is stored and asked about, with no chat model and no network."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from memlite import resources
from memlite.apps.terminal.screen import Screen, day, number, printable, size
from memlite.apps.terminal.shell import Report, Shell
from memlite.errors import BadInput
from memlite.rules.times import to_ms

if TYPE_CHECKING:
    from memlite.memory import Memory

NEEDED = 8
"""Answers of ten that must be among the first three."""

_HOUR_MS = 3_600_000
_WIDEST = 110
_SHOWN = 3
_NEWS = "I moved again: I live in Graz now."


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was found for one question.

    Attributes:
        expects: a text that the right memory contains.
        rank: where that memory came, from 1; None = not among the first three.
        hits: the first three, as `Memory.search` gives them.
    """

    question: str
    expects: str
    rank: int | None
    hits: list[dict[str, Any]]


def demo(
    shell: Shell,
    keep: Annotated[Path | None, typer.Option(metavar="PATH", help="Keep the file there instead of removing it.")] = None,
) -> Report:
    """Store a conversation of several weeks and answer ten questions from it: no chat model, no network.

    Exit code 1 when fewer than eight of the ten answers are among the first three memories found.
    """
    from memlite.memory import Memory  # noqa: PLC0415 - slow to load

    started = time.perf_counter()
    turns = _lines("demo/conversation.jsonl")
    asked_ms = max(to_ms(turn["timestamp"], what="timestamp") for turn in turns) + _HOUR_MS
    screen = shell.screen
    with _place(keep) as path, Memory(path, clock=lambda: asked_ms) as memory:
        _store(shell, memory, turns)
        _introduce(screen, turns, memory, time.perf_counter() - started)
        answers = []
        for place, line in enumerate(_lines("demo/questions.jsonl"), start=1):
            answers.append(_ask(memory, line["question"], line["expects"]))
            _show(screen, place, answers[-1])
        first = next((hit for answer in answers for hit in answer.hits), None)
        sound = first is not None and _change_and_undo(screen, memory, first)
        data = _figures(answers, time.perf_counter() - started, memory, sound, keep)
    passed = data["in_top_3"] >= NEEDED and data["sound"]
    return Report(data=data, count=len(answers), show=lambda screen: _close(screen, data), passed=passed)


# ---------------------------------------------------------------------------------------------- doing it


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="memlite-demo-", ignore_cleanup_errors=True) as folder:
            yield Path(folder) / "memory.db"
        return
    if keep.exists():
        raise BadInput(f"{keep} exists already and the demo starts with an empty file: name another")
    yield keep


def _store(shell: Shell, memory: Memory, turns: list[dict[str, Any]]) -> None:
    with shell.notes.progress("Storing the conversation", len(turns)) as advance:
        for session_id, group in groupby(turns, key=lambda turn: turn["session"]):
            said = [{name: turn[name] for name in ("role", "content", "timestamp")} for turn in group]
            memory.add(said, session_id=session_id)
            advance(len(said))


def _ask(memory: Memory, question: str, expects: str) -> Answer:
    hits = memory.search(question, limit=_SHOWN, touch=False)["results"]
    rank = next((place for place, hit in enumerate(hits, start=1) if expects in hit["memory"]), None)
    return Answer(question=question, expects=expects, rank=rank, hits=hits)


def _change_and_undo(screen: Screen, memory: Memory, before: Mapping[str, Any]) -> bool:
    """Changes a memory, looks at its history and undoes the change; whether it then reads as before in a sound file."""
    changed = memory.update(before["id"], _NEWS)
    events = memory.history(before["id"])
    memory.undo(changed["change_id"])
    after = memory.get(before["id"])
    problems = memory.check()
    table = _table(screen)
    table.add_row("update", f"the first memory becomes: {changed['memory']}")
    for place, event in enumerate(events):
        said = f"{event['event']} by {event['verb']}: {event['new_memory']}"
        table.add_row("" if place else "history", _clipped(said))
    table.add_row("undo", _clipped(f"it reads again: {after['memory']}"))
    table.add_row("check", "the file is NOT sound" if problems else "sound")
    screen.say()
    screen.say("A change, and back", style="bold")
    screen.console.print(table)
    return after["memory"] == before["memory"] and not problems


def _figures(answers: list[Answer], seconds: float, memory: Memory, sound: bool, keep: Path | None) -> dict[str, Any]:
    stats = memory.stats()
    return {
        "questions": [
            {"question": a.question, "expects": a.expects, "rank": a.rank, "results": [_brief(hit) for hit in a.hits]}
            for a in answers
        ],
        "at_rank_1": sum(a.rank == 1 for a in answers),
        "in_top_3": sum(a.rank is not None for a in answers),
        "sound": sound,
        "memories": stats["memories"],
        "vectors": stats["vectors"],
        "file_bytes": stats["file_bytes"],
        "seconds": round(seconds, 3),
        "kept": None if keep is None else str(keep),
    }


def _brief(hit: Mapping[str, Any]) -> dict[str, Any]:
    return {name: hit[name] for name in ("memory", "occurred_at", "score", "parts")}


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in resources.text(name).split("\n") if line]


# ---------------------------------------------------------------------------------------------- showing it


def _introduce(screen: Screen, turns: list[dict[str, Any]], memory: Memory, seconds: float) -> None:
    sessions = len({turn["session"] for turn in turns})
    first, last = day(turns[0]["timestamp"]), day(turns[-1]["timestamp"])
    stats = memory.stats()
    prose = (
        f"A conversation of {number(len(turns), 'turn')} in {number(sessions, 'session')}, {first} to {last}, English and "
        f"Chinese, stored in {seconds:.1f} s. {number(stats['vectors'], 'turn')} got a vector from {stats['space']['model']}, "
        "which reads English only; the others are found by their words. Each memory below has its score, the sum of its "
        "relevance, recency and importance."
    )
    screen.console.print(prose, width=_width(screen))


def _show(screen: Screen, place: int, answer: Answer) -> None:
    found = f"rank {answer.rank}" if answer.rank else "not found"
    mark = ("✓ ", "bold green") if answer.rank == 1 else ("• ", "bold yellow") if answer.rank else ("✗ ", "bold red")
    title = Text.assemble(mark, (f"{place}. {answer.question}", "bold"), (f"  {found}: “{answer.expects}”", "dim"))
    table = _table(screen, "memory", "date", "score", "= rel.", "+ rec.", "+ imp.")
    for rank, hit in enumerate(answer.hits, start=1):
        text = Text(printable(hit["memory"]), overflow="fold") if rank == 1 else _clipped(hit["memory"], "dim")
        text.highlight_words([answer.expects], style="bold green")
        parts = [f"{hit['parts'][name]:.3f}" for name in ("relevance", "recency", "importance")]
        table.add_row(text, day(hit["occurred_at"]), f"{hit['score']:.3f}", *parts)
    screen.say()
    screen.console.print(title)
    screen.console.print(table)


def _close(screen: Screen, data: Mapping[str, Any]) -> None:
    good = data["in_top_3"] >= NEEDED and data["sound"]
    asked = len(data["questions"])
    screen.say()
    screen.say(
        f"{data['at_rank_1']} of {asked} answers at rank 1, {data['in_top_3']} in the top {_SHOWN}; {data['seconds']:.1f} s, "
        f"{number(data['memories'], 'row')}, {size(data['file_bytes'])}.",
        style="bold green" if good else "bold red",
    )
    if data["kept"] is not None:
        screen.say(f"The file is {data['kept']}.")


def _clipped(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style, no_wrap=True, overflow="ellipsis")


def _table(screen: Screen, *titles: str) -> Table:
    """As wide as the others, the first of its titled columns taking the room that the rest leave."""
    table = Table(
        box=None, width=_width(screen), show_header=bool(titles), header_style="dim", pad_edge=True, padding=(0, 1, 0, 1)
    )
    for place, title in enumerate(titles):
        table.add_column(title, ratio=None if place else 1, no_wrap=bool(place), justify="right" if place > 1 else "left")
    return table


def _width(screen: Screen) -> int:
    return min(screen.console.width, _WIDEST)
