"""Results for people on a terminal, and the same as tab-separated lines for the next program in a pipe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

PIPED_WIDTH = 100
"""Columns of prose and demo tables where there is no terminal to ask."""

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table.

    Attributes:
        title: its heading; a pipe gets none.
        cell: what it shows of a row.
        on: where it appears. A terminal has room for less, and likes the text first; a pipe wants each field on its own.
    """

    title: str
    cell: Callable[[Mapping[str, Any]], str | Text]
    on: tuple[str, ...] = ("terminal", "pipe")
    right: bool = False
    flexible: bool = False
    style: str = ""


class Screen:
    """One output stream. Memory texts are printed as they are: markup in them means nothing, control characters are dropped."""

    def __init__(self, *, quiet: bool = False, stderr: bool = False) -> None:
        self.console = Console(quiet=quiet, stderr=stderr, highlight=False, markup=False, emoji=False)
        if not self.console.is_terminal:
            self.console = Console(
                quiet=quiet, stderr=stderr, highlight=False, markup=False, emoji=False, width=PIPED_WIDTH, color_system=None
            )

    @property
    def is_terminal(self) -> bool:
        """Whether a person is looking."""
        return self.console.is_terminal

    def say(self, text: str | Text = "", style: str = "") -> None:
        """A line of prose: wrapped between words on a terminal, left whole in a pipe."""
        self.console.print(text, style=style or None, soft_wrap=not self.is_terminal)

    def table(self, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> None:
        """A table, or a line a row with tabs between its fields; nothing for no rows. A person gets no empty columns."""
        if not self.is_terminal:
            chosen = [column for column in columns if "pipe" in column.on]
            for row in rows:
                self._fields(*(column.cell(row) for column in chosen))
            return
        chosen = [column for column in columns if "terminal" in column.on and any(str(column.cell(row)) for row in rows)]
        if not chosen:
            return
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", expand=False)
        for column in chosen:
            table.add_column(
                column.title,
                justify="right" if column.right else "left",
                no_wrap=not column.flexible,
                overflow="fold",
                ratio=1 if column.flexible else None,
                style=column.style,
            )
        for row in rows:
            table.add_row(*(_shown(column.cell(row)) for column in chosen))
        self.console.print(table)

    def pairs(self, values: Mapping[str, Any]) -> None:
        """Names and values below each other; nothing for values that are missing."""
        shown = {name: value for name, value in values.items() if value not in (None, "", {}, [])}
        if not self.is_terminal:
            for name, value in shown.items():
                self._fields(name, _value(value))
            return
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in shown.items():
            grid.add_row(name.replace("_", " "), printable(_value(value)))
        self.console.print(grid)

    def _fields(self, *cells: str | Text) -> None:
        if not self.console.quiet:  # not through the console, which makes spaces of tabs
            self.console.file.write("\t".join(map(one_line, cells)) + "\n")

    def working(self, what: str) -> AbstractContextManager[object]:
        """A spinner while something takes its time; nothing in a pipe."""
        return self.console.status(what) if self.is_terminal else nullcontext()

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Callable[[int], None]]:
        """A bar that is gone when the work is done; nothing in a pipe. Gives what moves it on by so many."""
        from rich.progress import (  # noqa: PLC0415 - few commands need it
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self.console, transient=True, disable=not self.is_terminal) as bar:
            task = bar.add_task(what, total=total)
            yield lambda done: bar.advance(task, done)


def printable(text: str) -> str:
    """The text without control characters and direction overrides, which could act on a terminal; line ends stay."""
    return "\n".join(line.translate(_CONTROLS) for line in text.splitlines())


def one_line(text: str | Text) -> str:
    """The text on one line, every run of white space a single space.

    >>> one_line("first\\n  second\\tthird")
    'first second third'
    """
    return " ".join(str(text).translate(_CONTROLS).split())


def with_id(row: Mapping[str, Any]) -> Text:
    """A memory's text with its id below, so that both have room on a narrow terminal."""
    return Text.assemble(printable(row["memory"]), "\n", (row["id"], "dim"))


def day(iso: str | None) -> str:
    """The date of an ISO 8601 time.

    >>> day("2026-03-01T09:30:00.000Z")
    '2026-03-01'
    """
    return "" if iso is None else iso[:10]


def minute(iso: str | None) -> str:
    """Date and time of an ISO 8601 time, in UTC as it came.

    >>> minute("2026-03-01T09:30:00.000Z")
    '2026-03-01 09:30'
    """
    return "" if iso is None else iso[:16].replace("T", " ")


def size(count: int) -> str:
    """Bytes as people read them.

    >>> size(557056)
    '544 KiB'
    """
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:,.0f} KiB" if count < 1024 * 1024 else f"{count / 1024 / 1024:,.1f} MiB"


def number(count: int, what: str) -> str:
    """A count with its word.

    >>> number(1, "memory"), number(2000, "memory"), number(0, "turn")
    ('1 memory', '2,000 memories', '0 turns')
    """
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{count:,} {what if count == 1 else many}"


def _shown(cell: str | Text) -> str | Text:
    return printable(cell) if isinstance(cell, str) else cell


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
