"""The command line: the list of its commands, and the options they share.

`--json` prints one object and nothing else on standard output: status, command, duration_ms, scope, count and data, where
data is what the Python verb of that name returns; after an error status, command and error (type, message). Exit codes: 0 =
done, 1 = failed, or `check` found something wrong, 2 = not understood (an unknown option or id-less call, a filter that is
no JSON). Progress and remarks go to standard error. In a pipe, tables are lines with tabs between their fields.
"""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Annotated

import typer

from memlite.apps.demo import command
from memlite.apps.terminal import decided, keeping, options, reading, sweeping, writing
from memlite.apps.terminal.shell import DEFAULT_DB, Command, Shell, bound

_ALL = ("db", "user_id", "agent_id", "json")
_FILE = ("db", "json")

COMMANDS = (
    Command(run=keeping.init, panel="Start", example="memlite init", shared=_FILE),
    Command(run=command.demo, panel="Start", example="memlite demo", shared=("json",)),
    Command(run=writing.add, panel="Remember", example='memlite add "I am allergic to walnuts." --importance 0.9', shared=_ALL),
    Command(run=reading.search, panel="Find", example='memlite search "What must I not eat?" -k 3', shared=_ALL),
    Command(run=reading.list_, panel="Find", example="memlite list --area solutions --limit 50", shared=_ALL),
    Command(run=reading.get, panel="Find", example="memlite get mem_01k9q3"),
    Command(run=reading.sessions, panel="Find", example="memlite sessions --user-id ana"),
    Command(run=writing.update, panel="Change", example='memlite update mem_01k9q3 "I am allergic to walnuts and hazelnuts."'),
    Command(run=writing.move, panel="Change", example="memlite move mem_01k9q3 --to-area solutions"),
    Command(run=writing.delete, panel="Change", example="memlite delete mem_01k9q3 --dry-run"),
    Command(run=writing.delete_all, panel="Change", example="memlite delete-all --user-id ana --area fragments", shared=_ALL),
    Command(run=writing.reset, panel="Change", example="memlite reset --user-id ana --dry-run"),
    Command(run=sweeping.consolidate, panel="Change", example="memlite consolidate --dry-run --loss-budget 0.1"),
    Command(run=reading.history, panel="Look back", example="memlite history mem_01k9q3"),
    Command(run=reading.changes, panel="Look back", example="memlite changes --limit 5"),
    Command(run=decided.log, panel="Look back", example="memlite log rejected"),
    Command(run=reading.undo, panel="Look back", example="memlite undo chg_01k9q3 --cascade"),
    Command(run=reading.redo, panel="Look back", example="memlite redo chg_01k9q3"),
    Command(run=keeping.stats, panel="The file", example="memlite stats --json"),
    Command(run=reading.users, panel="The file", example="memlite users", shared=_FILE),
    Command(run=keeping.check, panel="The file", example="memlite check --fix", shared=_FILE),
    Command(run=keeping.reindex, panel="The file", example="memlite reindex", shared=_FILE),
    Command(run=keeping.compact, panel="The file", example="memlite compact", shared=_FILE),
)

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: memlite init, then memlite add and memlite search. memlite COMMAND --help tells more.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - for this option only

        typer.echo(f"memlite {version('memlite')}")
        raise typer.Exit


@app.callback()
def shared(
    ctx: typer.Context,
    db: Annotated[str, typer.Option("--db", metavar="PATH", envvar="MEMLITE_DB", help="The file.")] = DEFAULT_DB,
    user_id: Annotated[str | None, typer.Option("--user-id", help="Whose memories; without it: default.")] = None,
    agent_id: Annotated[
        str | None, typer.Option("--agent-id", help="The agent: noted on what is added, a condition on what is found.")
    ] = None,
    json: options.Json = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Long-term memory for AI agents in one SQLite file."""
    del version  # its callback has ended the program
    ctx.obj = Shell(db=db, user_id=user_id, agent_id=agent_id, json=json)


for _command in COMMANDS:
    app.command(_command.name, rich_help_panel=_command.panel, epilog=f"Example: {_command.example}")(bound(_command))


def main() -> None:
    """Runs the command that was typed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(OSError, ValueError):
                stream.reconfigure(errors="replace")  # a code page without Chinese is no reason to stop half-way
    app(prog_name="memlite")
