"""How the demo looks: prose and tables as wide as each other, the same in a pipe without colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from memlite.apps.demo.steps import SHOWN, Answer, Decision, TakenBack
from memlite.apps.terminal.screen import Screen, day, number, printable, size

_WIDEST = 110
_DONE = {"keep_separate": "kept", "skip": "kept", "merge": "merged", "replace": "replaced", "update": "updated", "none": "known"}
_PLAINLY = {"no_candidates": "nothing is like it", "same_text": "stored already, word for word"}


def introduce(screen: Screen, turns: Sequence[Mapping[str, Any]], stats: Mapping[str, Any], seconds: float) -> None:
    """What was stored."""
    sessions = len({turn["session"] for turn in turns})
    first, last = day(turns[0]["timestamp"]), day(turns[-1]["timestamp"])
    found = stats["memories"] - len(turns)
    prose = (
        f"A conversation of {number(len(turns), 'turn')} in {number(sessions, 'session')}, {first} to {last}, English and "
        f"Chinese, stored word for word, and {number(found, 'memory')} distilled from it, in {seconds:.1f} s. "
        f"{stats['vectors']} of these texts got a vector from {stats['space']['model']}, which reads English only; the others "
        "are found by their words."
    )
    screen.console.print(prose, width=_width(screen))


def distilled(screen: Screen, decisions: Sequence[Decision], by: str, failed: str | None) -> None:
    """What became of each text that was found: kept, merged, replaced or updated, and why."""
    done = [_DONE[one.action] for one in decisions]
    counts = ", ".join(f"{done.count(name)} {name}" for name in dict.fromkeys(done))
    _title(screen, "Distilled, and decided about", f"{counts or 'nothing'}; by {by}")
    if failed is not None:
        screen.say(f"Not all turns could be read: {printable(failed)}", style="yellow")
    table = _table(screen)
    table.add_column(no_wrap=True, style="bold")
    table.add_column(ratio=5, overflow="fold")
    table.add_column(ratio=2, overflow="fold", style="dim")
    for one, name in zip(decisions, done, strict=True):
        text = _change(one.before.values(), one.memory) if one.before else _clipped(one.memory)
        table.add_row(name, text, printable(_PLAINLY.get(one.why, one.why)))
    screen.console.print(table)


def taken_back(screen: Screen, done: TakenBack | None, problems: Sequence[Mapping[str, Any]]) -> None:
    """A decision that was undone, whether the store was as before it, and that it was made again."""
    _title(screen, "One decision taken back")
    table = _table(screen)
    table.add_column(no_wrap=True, style="bold")
    table.add_column(ratio=1, overflow="fold")
    if done is None:
        table.add_row("undo", "nothing was merged, replaced or updated")
    else:
        table.add_row(done.decision.action, _change(done.decision.before.values(), done.decision.memory))
        for memory_id, text in done.texts.items():
            table.add_row("undo", f"{memory_id} {'is gone' if text is None else 'reads: ' + printable(text)}")
        kept = f"all {number(done.compared, 'memory')} of the store read as before the {done.decision.action}"
        table.add_row("restored", kept if done.restored else "NO: the store is not as it was before")
        table.add_row("redo", "all is as before the undo" if done.redone else "NO: the store is not as it was")
    table.add_row("check", "the file is NOT sound" if problems else "sound")
    screen.console.print(table)


def answer(screen: Screen, place: int, given: Answer) -> None:
    """What was found for a question; the right memory is marked."""
    found = f"rank {given.rank}, a {given.found}" if given.rank else "not found"
    mark = ("✓ ", "bold green") if given.rank == 1 else ("• ", "bold yellow") if given.rank else ("✗ ", "bold red")
    title = Text.assemble(mark, (f"{place}. {given.question}", "bold"), (f"  {found}: “{given.expects}”", "dim"))
    table = _table(screen, "memory", "date", "score", "= rel.", "+ rec.", "+ imp.")
    for rank, hit in enumerate(given.hits, start=1):
        text = Text(printable(hit["memory"]), overflow="fold") if rank == 1 else _clipped(hit["memory"], "dim")
        text.highlight_words([given.expects], style="bold green")
        parts = [f"{hit['parts'][name]:.3f}" for name in ("relevance", "recency", "importance")]
        table.add_row(text, day(hit["occurred_at"]), f"{hit['score']:.3f}", *parts)
    screen.say()
    screen.console.print(title)
    screen.console.print(table)


def close(screen: Screen, data: Mapping[str, Any], *, passed: bool) -> None:
    """The sum of it."""
    found = ", ".join(number(count, what) for what, count in data["found_in"].items())
    ranks = f"{data['at_rank_1']} of {len(data['questions'])} answers at rank 1, {data['in_top_3']} in the top {SHOWN}"
    screen.say()
    screen.say(f"{ranks}{found and f': {found}'}.", style="bold green" if passed else "bold red")
    screen.say(f"{data['seconds']:.1f} s, {number(data['memories'], 'row')}, {size(data['file_bytes'])}.")
    if data["kept"] is not None:
        screen.say(f"The file is {data['kept']}.")


def _title(screen: Screen, text: str, more: str = "") -> None:
    screen.say()
    screen.console.print(Text.assemble((text, "bold"), (f"  {more}" if more else "", "dim")))


def _change(before: Iterable[str], after: str) -> Text:
    """Old and new text as a change is written where there are no colours."""
    lines = [(f"- {printable(text)}\n", "red") for text in before]
    return Text.assemble(*lines, (f"+ {printable(after)}", "green"))


def _clipped(text: str, style: str = "") -> Text:
    return Text(printable(text).replace("\n", " "), style=style, no_wrap=True, overflow="ellipsis")


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
