"""What every command shares: where the file is, whose memories are meant, how results and errors leave."""

from __future__ import annotations

import errno
import inspect
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from memlite.apps.terminal import options
from memlite.apps.terminal.screen import Screen, printable
from memlite.errors import BadInput, MemliteError, NotFound

if TYPE_CHECKING:
    from memlite.memory import Memory

DEFAULT_DB = "memory.db"
_INTERRUPTED = 130  # what shells report for a program that Ctrl-C ended
_TYPED_HERE: Mapping[str, str] = {  # what messages call by its Python name
    "get_all()": "`memlite list`",
    "history()": "`memlite history`",
    "changes()": "`memlite changes`",
    "redo()": "`memlite redo`",
    "or set cascade": "or pass --cascade",
    " or open it with read_only=True": "",
    "pass user_id": "pass --user-id",
    "set user_id of the call": "set --user-id",
    'preset="lexical"': "--preset lexical",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a command found or did.

    Attributes:
        data: what the Python verb of that name returns, for `--json`.
        count: how many memories, entries or problems that is about.
        show: prints it for people.
        passed: False = the command worked and its verdict is no: exit code 1.
        whole_file: it is about all users, unless one was named.
    """

    data: Any
    count: int
    show: Callable[[Screen], None]
    passed: bool = True
    whole_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """One run of one command.

    Attributes:
        takes: the shared options that mean something to the command.
    """

    command: str = ""
    takes: tuple[str, ...] = ()
    db: str = DEFAULT_DB
    user_id: str | None = None
    agent_id: str | None = None
    json: bool = False
    started: float = field(default_factory=time.perf_counter)

    @property
    def path(self) -> Path:
        """The store's file."""
        return Path(self.db)

    @property
    def screen(self) -> Screen:
        """Standard output; silent with `--json`, which has it to itself."""
        return Screen(quiet=self.json)

    @property
    def notes(self) -> Screen:
        """Standard error: progress and remarks."""
        return Screen(stderr=True)

    @contextmanager
    def memory(self, *, create: bool = False, writes: bool = False) -> Iterator[Memory]:
        """The store, opened for the length of a `with`. What only reads also works on a file that can't be written.

        Raises:
            BadInput: there is no such file, and the command makes none.
        """
        from memlite.memory import Memory  # noqa: PLC0415 - a third of a second that `--help` need not wait for

        if not self.path.exists():
            if not create:
                raise BadInput(f"there is no file {self.db}: `memlite init` makes it, --db names another")
            if not self.json:
                self.notes.say(f"Making {self.db}.", style="dim")
        read_only = not writes and not os.access(self.path, os.W_OK)
        user_id = "default" if self.user_id is None else self.user_id
        with Memory(self.db, user_id=user_id, agent_id=self.agent_id, read_only=read_only) as memory:
            yield memory

    def run(self, command: Callable[..., Report], given: Mapping[str, Any]) -> None:
        """Runs a command, prints its report, and ends with its exit code."""
        try:
            report = command(self, **given)
            if self.json:
                self._envelope(report)
            else:
                report.show(self.screen)
            sys.stdout.flush()  # here, where a reader that went away can still be told from a failure
        except (MemliteError, OSError) as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # Typer ends the program quietly
            self._fail(error)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            self.notes.say("\ninterrupted")
            raise typer.Exit(_INTERRUPTED) from None
        if not report.passed:
            raise typer.Exit(1)

    def confirm(self, what: str, *, yes: bool) -> None:
        """Asks before something large is removed; without a person to ask it takes `--yes`."""
        if yes:
            return
        if self.json or not sys.stdin.isatty():
            raise typer.BadParameter(f"{what}: pass --yes to do it, or --dry-run to see what it would remove", param_hint="--yes")
        typer.confirm(f"{what}. Go on?", abort=True, err=True)

    def _envelope(self, report: Report) -> None:
        user_id = None if report.whole_file else "default"
        scope = {
            "db": self.db,
            "user_id": user_id if self.user_id is None else self.user_id,
            "agent_id": self.agent_id,
        }
        _write_json(
            {
                "status": "ok" if report.passed else "failed",
                "command": self.command,
                "duration_ms": round((time.perf_counter() - self.started) * 1000),
                "scope": {name: value if name in self.takes else None for name, value in scope.items()},
                "count": report.count,
                "data": report.data,
            }
        )

    def _fail(self, error: MemliteError | OSError) -> None:
        message = str(error)
        for python, here in _TYPED_HERE.items():
            message = message.replace(python, here)
        if isinstance(error, NotFound) and error.successors:
            message += f"; it was replaced by {', '.join(error.successors)}"
        if self.json:
            said = {"type": type(error).__name__, "message": message}
            _write_json({"status": "error", "command": self.command, "error": said})
        else:
            self.notes.say(f"error: {printable(message)}", style="red" if self.notes.is_terminal else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as the list of all commands has it.

    Attributes:
        run: does it; its first argument is the shell, the others are the command's own arguments and options.
        panel: the heading it stands under in `memlite --help`.
        example: a line that works, shown in its help.
        shared: which options of `memlite` itself are also taken after the command's name.
    """

    run: Callable[..., Report]
    panel: str
    example: str
    shared: tuple[str, ...] = ("db", "user_id", "json")

    @property
    def name(self) -> str:
        """What is typed: `delete_all` is `delete-all`, and `list_` is `list`."""
        return self.run.__name__.strip("_").replace("_", "-")


def bound(command: Command) -> Callable[..., None]:
    """The command as Typer wants it: a function whose arguments are the command's own and the shared options."""

    def run(ctx: typer.Context, **given: Any) -> None:
        own = {name: given.pop(name) for name in command.shared}
        chosen = {name: value for name, value in own.items() if value not in (None, False)}
        base = ctx.obj if isinstance(ctx.obj, Shell) else Shell()
        replace(base, command=command.name, takes=command.shared, **chosen).run(command.run, given)

    own = list(inspect.signature(command.run, eval_str=True).parameters.values())[1:]  # the first is the shell
    shared = [options.shared(name) for name in command.shared]
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [context, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own), *shared]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what Typer reads
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__name__ = command.run.__name__
    run.__doc__ = command.run.__doc__
    return run


def _write_json(value: Any) -> None:
    plain = (sys.stdout.encoding or "").lower().replace("-", "") not in ("utf8", "utf8sig")
    sys.stdout.write(json.dumps(value, ensure_ascii=plain, indent=2 if sys.stdout.isatty() else None) + "\n")
