"""The command line: what each command prints, in a terminal, in a pipe and as JSON, and the code it ends with."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from support import vandalise
from typer.testing import CliRunner

import memlite
from memlite import Memory
from memlite.apps.cli import COMMANDS, app
from memlite.apps.terminal.options import CONSOLIDATION
from memlite.embedding.onnx import OnnxEmbedder
from memlite.engine.consolidate import MODES
from memlite.errors import Unreachable
from memlite.rules.presets import PRESETS
from memlite.testing import ScriptedChat

LEXICAL = ["--preset", "lexical"]  # needs no model: half a second less
GROUP: Any = typer.main.get_command(app)
ESCAPE = "\x1b"
LONG = "The " + "very " * 60 + "long memory of a user who has much to tell."
ENVELOPE = {"status", "command", "duration_ms", "scope", "count", "data"}
PLAIN = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS", "PY_COLORS", "MEMLITE_DB")}


class Ids:
    """What the seeded store holds: a note that was changed once, two turns of a session, a deleted memory, and Bob's."""

    def __init__(self, memory: Memory) -> None:
        self.note = memory.add("I am allergic to walnuts.", metadata={"topic": "food"})["results"][0]["id"]
        self.changed = memory.update(self.note, importance=0.9)["change_id"]
        said = [
            {"role": "user", "content": "我家的猫叫年糕。", "timestamp": "2026-03-01T09:00:00Z"},
            {"role": "assistant", "content": LONG, "timestamp": "2026-03-01T09:00:05Z"},
        ]
        turns = memory.add(said, session_id="s1", agent_id="scout", infer=False)
        self.turns = [result["id"] for result in turns["results"]]
        self.told = turns["change_id"]
        self.gone = memory.add("This one goes again.", area="fragments")["results"][0]["id"]
        self.deleted = memory.delete(self.gone)["change_id"]
        self.bobs = memory.add("Bob plays chess.", user_id="bob")["results"][0]["id"]


class Run:
    """A finished command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def rows(self) -> list[list[str]]:
        """The fields of each line."""
        return [line.split("\t") for line in self.out.splitlines()]

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output."""
        assert self.out.count("\n") == 1
        value: dict[str, Any] = json.loads(self.out)
        return value


@pytest.fixture(scope="module", autouse=True)
def made_once() -> Iterator[None]:
    """What each run would make anew, and take most of its time for: the loaded model, and all commands as Typer has them."""
    model = OnnxEmbedder.minilm()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OnnxEmbedder, "minilm", lambda **_: model)
        patch.setattr("typer.testing._get_command", lambda _: GROUP)
        yield


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ids]:
    path = tmp_path_factory.mktemp("seed") / "memory.db"
    with Memory(path) as memory:
        return path, Ids(memory)


@pytest.fixture
def ids(seed: tuple[Path, Ids]) -> Ids:
    return seed[1]


@pytest.fixture
def db(seed: tuple[Path, Ids], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the seeded store, called memory.db, in the current folder."""
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "MEMLITE_DB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(seed[0], tmp_path / "memory.db"))


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "MEMLITE_DB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, stdin: str | bytes | None = None, **env: str) -> Run:
    """A command in this process."""
    done = CliRunner().invoke(app, list(words), input=stdin, env=env, catch_exceptions=False)
    return Run(done.exit_code, done.stdout, done.stderr)


def spawn(*words: str, **options: Any) -> subprocess.Popen[bytes]:
    """A command in a process of its own, with pipes."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # a suite in the background ignores it
        "from memlite.apps.cli import main; main()"
    )
    command = [sys.executable, "-c", code, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN, **options)


def filled(words: Sequence[str], ids: Ids) -> list[str]:
    """The words with {note}, {changed} and so on replaced."""
    return [word.format(**vars(ids)) if word.startswith("{") and word[1:2].isalpha() else word for word in words]


# -- help


def test_the_commands_are_these() -> None:
    assert sorted(GROUP.commands) == (
        "add changes check compact consolidate delete delete-all demo get history init list log move redo reindex reset search "
        "sessions stats undo update users"
    ).split(" ")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_with_an_example_it_understands(command: Any) -> None:
    done = run(command.name, "--help", COLUMNS="200")
    assert done.code == 0
    assert f"Example: {command.example}" in done.out
    program, name, *words = shlex.split(command.example)
    assert (program, name) == ("memlite", command.name)
    typed: Any = GROUP.commands[name]
    typed.make_context(name, words)  # raises for what it does not understand
    options = [option for option in typed.params if option.param_type_name == "option"]
    assert [option.name for option in options if not option.help] == []


def test_help_loads_neither_the_engine_nor_numpy() -> None:
    code = (
        "import sys, memlite.apps.cli; print(sorted({'memlite.memory', 'numpy', 'onnxruntime', 'pysqlite3'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_version_is_printed() -> None:
    assert run("--version").out == f"memlite {memlite.__version__}\n"


def test_the_presets_are_named_in_the_help() -> None:
    told = " ".join(run("search", "--help", COLUMNS="300").out.split())
    assert ", ".join(list(PRESETS)[:-1]) in told


# -- JSON

CALLS: list[tuple[list[str], set[str] | type[list[Any]], int]] = [
    (["init"], {"path", "created", "memories"}, 4),
    (["add", "Something new.", "--metadata", '{"a": 1}'], {"results", "change_id", "change_ids"}, 1),
    (["search", "walnuts", *LEXICAL], {"results", "exact"}, 1),
    (["list"], {"results", "cursor"}, 3),
    (["get", "{note}"], {"id", "memory", "metadata", "version", "occurred_at", "importance"}, 1),
    (["sessions"], list, 1),
    (["update", "{note}", "--importance", "0.1"], {"id", "memory", "event", "change_id"}, 1),
    (["move", "{note}", "--to-area", "solutions"], {"results", "change_id"}, 1),
    (["delete", "{note}"], {"id", "memory", "event", "change_id", "dry_run"}, 1),
    (["delete-all", "--user-id", "bob", "--yes"], {"deleted", "ids", "change_id", "dry_run"}, 1),
    (["reset", "--user-id", "default", "--yes"], {"deleted", "ids", "change_id", "dry_run"}, 3),
    (["consolidate", "--dry-run"], {"examined", "removed", "plan", "cursor", "refused", "dry_run"}, 0),
    (["history", "{note}"], list, 2),
    (["changes"], {"results", "cursor"}, 5),
    (["log"], {"results", "cursor"}, 2),
    (["undo", "{changed}"], {"results", "change_id", "change_ids"}, 1),
    (["stats"], {"memories", "by_area", "file_bytes", "vectors"}, 4),
    (["users"], list, 2),
    (["check"], list, 0),
    (["reindex"], {"memories"}, 4),
    (["compact"], {"bytes_before", "bytes_after", "texts_dropped"}, 0),
]
ELSEWHERE = {"demo", "redo"}  # test_demo.py, and below after an undo


def test_every_command_is_called_with_json() -> None:
    assert {words[0] for words, _, _ in CALLS} | ELSEWHERE == {command.name for command in COMMANDS}


@pytest.mark.parametrize(("words", "keys", "count"), CALLS, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_json_is_one_envelope_and_nothing_else(words: list[str], keys: Any, count: int, db: Path, ids: Ids) -> None:
    done = run(*filled(words, ids), "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json.keys() == ENVELOPE
    assert done.json["status"] == "ok"
    assert done.json["command"] == words[0]
    assert done.json["scope"].keys() == {"db", "user_id", "agent_id"}
    assert done.json["scope"]["db"] == "memory.db"
    assert isinstance(done.json["duration_ms"], int)
    assert done.json["count"] == count
    data = done.json["data"]
    assert isinstance(data, list) if keys is list else keys <= data.keys()


def test_json_data_is_what_the_python_verb_returns(db: Path, ids: Ids) -> None:
    with Memory(db) as memory:
        expected = memory.get_all(limit=2, filters={"topic": {"exists": False}}), memory.history(ids.note)
    assert run("list", "-k", "2", "--filter", '{"topic": {"exists": false}}', "--json").json["data"] == expected[0]
    assert run("history", ids.note, "--json").json["data"] == expected[1]


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        pytest.param(
            ["list", "--user-id", "bob"], {"db": "memory.db", "user_id": "bob", "agent_id": None}, id="after the command"
        ),
        pytest.param(
            ["--user-id", "bob", "--agent-id", "x", "list"],
            {"db": "memory.db", "user_id": "bob", "agent_id": "x"},
            id="before it",
        ),
        pytest.param(
            ["--user-id", "bob", "list", "--user-id", "ana"],
            {"db": "memory.db", "user_id": "ana", "agent_id": None},
            id="the later wins",
        ),
        pytest.param(["check", "--db", "memory.db"], {"db": "memory.db", "user_id": None, "agent_id": None}, id="of no user"),
        pytest.param(["stats"], {"db": "memory.db", "user_id": None, "agent_id": None}, id="of all users"),
        pytest.param(["stats", "--user-id", "bob"], {"db": "memory.db", "user_id": "bob", "agent_id": None}, id="of one"),
    ],
)
def test_the_scope_is_what_was_asked(words: list[str], scope: dict[str, Any], db: Path) -> None:
    assert run(*words, "--json").json["scope"] == scope


def test_the_file_comes_from_the_environment(db: Path) -> None:
    other = db.rename(db.with_name("other.db"))
    assert run("stats", "--json", MEMLITE_DB=str(other)).json["count"] == 4
    assert run("--db", "nope.db", "stats", MEMLITE_DB=str(other)).code == 1


def test_json_errors_go_to_standard_output(db: Path) -> None:
    done = run("--json", "get", "mem_nope")
    assert (done.code, done.err) == (1, "")
    assert done.json.keys() == {"status", "command", "error"}
    assert (done.json["status"], done.json["command"]) == ("error", "get")
    assert done.json["error"].keys() == {"type", "message"}
    assert done.json["error"]["type"] == "NotFound"


# -- failures


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["add"], 2, "give either a text", id="add: nothing"),
        pytest.param(["add", "x", "--jsonl", "y"], 2, "give either a text", id="add: both"),
        pytest.param(["add", "  "], 1, "error: messages", id="add: empty"),
        pytest.param(["add", "x", "--metadata", "[1]"], 2, "JSON object", id="add: a list as metadata"),
        pytest.param(["add", "x", "--metadata", '{"a": NaN}'], 2, "NaN", id="add: NaN"),
        pytest.param(["add", "x", "--importance", "1.5"], 2, "--importance", id="add: importance"),
        pytest.param(["add", "x", "--consolidate", "half"], 2, "full, simple, off", id="add: consolidate"),
        pytest.param(["add", "x", "--area", "attic"], 2, "main, fragments, solutions", id="add: area"),
        pytest.param(["add", "x", "--occurred-at", "yesterday"], 1, "error: occurred_at is 'yesterday'", id="add: time"),
        pytest.param(["add", "--jsonl", "nope.jsonl"], 1, "error: nope.jsonl can't be read", id="add: no such file"),
        pytest.param(["search", "x", "--filter", "{"], 2, "this is no JSON", id="search: a filter that is no JSON"),
        pytest.param(
            ["search", "x", "--filter", '{"a": {"near": 1}}', *LEXICAL], 1, "error: filter operator 'near'", id="operator"
        ),
        pytest.param(["search", "x", "--filter", '{"user_id": "bob"}', *LEXICAL], 1, "set --user-id", id="search: another user"),
        pytest.param(["search", "x", "-k", "0"], 2, "--limit", id="search: limit"),
        pytest.param(["search", "x", "--preset", "best"], 2, "relevance_only", id="search: preset"),
        pytest.param(["search", " ", *LEXICAL], 1, "error: query", id="search: empty"),
        pytest.param(["list", "--cursor", "zzz"], 1, "error: cursor 'zzz'", id="list: cursor"),
        pytest.param(["get", "mem_nope"], 1, "error: no memory mem_nope", id="get: unknown"),
        pytest.param(["get", "{bobs}"], 1, "error: no memory", id="get: another user's"),
        pytest.param(["get"], 2, "ID", id="get: no id"),
        pytest.param(["update", "mem_nope", "x"], 1, "error: no memory mem_nope", id="update: unknown"),
        pytest.param(["update", "{note}"], 1, "error: update was given nothing", id="update: nothing"),
        pytest.param(["update", "{note}", "--pinned", "--expected-version", "7"], 1, "error: mem_", id="update: stale"),
        pytest.param(["update", "{note}", "--no-expiry", "--expires-at", "2030-01-01"], 2, "not both", id="update: both"),
        pytest.param(["move", "{note}", "{bobs}", "--to-area", "main"], 1, "nothing was moved", id="move: not all mine"),
        pytest.param(["move", "{note}"], 1, "error: move wants", id="move: nowhere"),
        pytest.param(["delete", "mem_nope"], 1, "error: no memory mem_nope", id="delete: unknown"),
        pytest.param(["delete", "mem_nope", "--dry-run"], 1, "error: no memory mem_nope", id="delete: unknown, dry run"),
        pytest.param(["delete-all", "--yes"], 1, "pass --user-id", id="delete-all: whose"),
        pytest.param(["delete-all", "--user-id", "bob"], 2, "removes 1 memory of bob: pass --yes", id="delete-all: sure?"),
        pytest.param(["reset", "--yes"], 1, "pass --user-id", id="reset: whose"),
        pytest.param(["reset", "--user-id", "default"], 2, "all 3 memories of default: pass --yes", id="reset: sure?"),
        pytest.param(["history", "mem_nope"], 1, "`memlite list`", id="history: unknown"),
        pytest.param(["changes", "--cursor", "zzz"], 1, "error: cursor 'zzz'", id="changes: cursor"),
        pytest.param(["log", "accepted"], 2, "'accepted' is not rejected", id="log: what"),
        pytest.param(["log", "rejected", "--cursor", "zzz"], 1, "error: cursor 'zzz'", id="log: cursor"),
        pytest.param(["undo", "chg_nope"], 1, "`memlite changes`", id="undo: unknown"),
        pytest.param(["redo", "{changed}"], 1, "was not undone", id="redo: not undone"),
        pytest.param(["--db", "nope.db", "check"], 1, "error: there is no file nope.db: `memlite init`", id="no file"),
        pytest.param(["--db", ".", "stats"], 1, "is a folder", id="a folder"),
        pytest.param(["--db", "no/such/memory.db", "init"], 1, "does not exist", id="init: no folder"),
        pytest.param(["remember", "x"], 2, "No such command", id="unknown command"),
        pytest.param(["list", "--colour"], 2, "No such option", id="unknown option"),
    ],
)
def test_a_failure_says_why_and_changes_nothing(words: list[str], code: int, said: str, db: Path, ids: Ids) -> None:
    before = db.read_bytes()
    done = run(*filled(words, ids), COLUMNS="300", TERMINAL_WIDTH="300")
    told = " ".join(re.sub("[│╭╮╰╯─]", " ", done.err).split())
    assert (done.code, done.out) == (code, "")
    assert said in told
    assert "Traceback" not in done.err
    assert db.read_bytes() == before
    assert [path.name for path in db.parent.iterdir()] == ["memory.db"]


@pytest.mark.parametrize("command", [c for c in COMMANDS if "db" in c.shared], ids=lambda command: command.name)
def test_a_foreign_or_newer_file_is_refused_by_every_command(command: Any, db: Path) -> None:
    words = {name: ["x"] for name in ("add", "search", "get", "delete", "history", "undo", "redo")}
    words |= {"update": ["x", "y"], "move": ["x", "--to-area", "main"]}
    call = [command.name, *words.get(command.name, [])]
    vandalise(db, "pragma user_version = 99")
    newer = run(*call, "--json")
    assert (newer.code, newer.json["error"]["type"]) == (1, "FileTooNew")
    db.write_text("This is my diary, not a database. " * 9)
    foreign = run(*call)
    assert (foreign.code, foreign.out) == (1, "")
    assert foreign.err.startswith(f"error: {db.resolve()} is no SQLite file")
    assert db.read_text().startswith("This is my diary")


def test_a_replaced_memory_is_refused_with_what_replaced_it(db: Path, ids: Ids) -> None:
    vandalise(db, f"insert into lineage (child, parent, relation) values ('{ids.note}', 'mem_old', 'replaced')")
    assert run("get", "mem_old").err.rstrip().endswith(f"it was replaced by {ids.note}")


# -- what each command does


def test_init_makes_the_file_once(empty: Path) -> None:
    first = run("init", "--db", "mine.db")
    assert (first.code, first.out) == (0, f"Made {empty.resolve() / 'mine.db'}\n")
    again = run("--db", "mine.db", "init")
    assert (again.code, again.out) == (0, f"{empty.resolve() / 'mine.db'} is a memlite file already, with 0 memories\n")
    told = run("init", "--db", "new.db", FORCE_COLOR="1").out
    assert 'memlite --db new.db search "' in told


def test_add_stores_all_that_was_said_about_a_text(empty: Path) -> None:
    added = run(
        *("add", "We fixed it with an index.", "--session-id", "s9", "--metadata", '{"topic": "db"}', "--importance", "0.7"),
        *("--area", "solutions", "--kind", "procedural", "--occurred-at", "2026-03-01T09:30:00Z", "--pinned"),
        *("--expires-at", "2099-01-01", "--origin", "tool_output", "--agent-id", "scout", "--user-id", "ana"),
    )
    assert added.err == "Making memory.db.\n"
    event, memory_id, change_id, text, action, why, before = added.rows[0]
    assert (action, why, before) == ("keep_separate", "no_candidates", "")
    assert (event, text) == ("ADD", "We fixed it with an index.")
    assert change_id.startswith("chg_")
    stored = run("get", memory_id, "--user-id", "ana", "--json").json["data"]
    assert {name: stored[name] for name in ("session_id", "metadata", "importance", "area", "kind", "pinned", "origin")} == {
        "session_id": "s9",
        "metadata": {"topic": "db"},
        "importance": 0.7,
        "area": "solutions",
        "kind": "procedural",
        "pinned": True,
        "origin": "tool_output",
    }
    assert (stored["occurred_at"], stored["expires_at"]) == ("2026-03-01T09:30:00.000Z", "2099-01-01T00:00:00.000Z")
    assert (stored["agent_id"], stored["role"], stored["granularity"]) == ("scout", None, "proposition")
    known = run("add", "We fixed it with an index.", "--area", "solutions", "--user-id", "ana").rows[0]
    assert known[:2] == ["NONE", memory_id]
    copy = run("add", "We fixed it with an index.", "--area", "solutions", "--user-id", "ana", "--no-infer").rows[0]
    assert copy[0] == "ADD"
    assert copy[1] != memory_id


def test_add_with_a_role_is_a_turn(db: Path) -> None:
    memory_id = run("add", "-", "--role", "assistant", "--session-id", "s1", stdin="\ufeff一杯茶，\n谢谢。\n").rows[0][1]
    stored = run("get", memory_id, "--json").json["data"]
    assert (stored["memory"], stored["role"], stored["granularity"], stored["seq"]) == (
        "一杯茶，\n谢谢。",
        "assistant",
        "turn",
        2,
    )


def test_add_shows_what_became_of_what_was_there(empty: Path) -> None:
    first = run("add", "The user's rent is 900 euros a month.").rows[0]
    raised = run("add", "The user's rent is 950 euros a month now.").rows
    assert raised == [
        [
            *("UPDATE", first[1], raised[0][2], "The user's rent is 950 euros a month now.", "update"),
            *("another value for the same thing", "The user's rent is 900 euros a month."),
        ]
    ]
    told = run("add", "The user's rent is 950 euros a month now, heating included.").rows
    assert [row[0] for row in told] == ["ADD", "DELETE"]
    assert told[0][2] == told[1][2] != raised[0][2]
    assert told[0][4:6] == ["replace", "says all of the old text and more"]
    assert told[1][1] == first[1]
    assert run("undo", told[0][2]).code == 0
    assert [row[-1] for row in run("list").rows] == ["The user's rent is 950 euros a month now."]


@pytest.mark.parametrize(
    ("mode", "events", "action", "why"),
    [
        pytest.param("full", ["UPDATE"], "update", "another value for the same thing", id="decided"),
        pytest.param("simple", ["ADD", "DELETE"], "replace", "relevance above 0.90", id="what is nearly the same is replaced"),
        pytest.param("off", ["ADD"], "", "", id="stored as it comes"),
    ],
)
def test_consolidate_says_how_much_is_decided(mode: str, events: list[str], action: str, why: str, empty: Path) -> None:
    run("add", "The user's rent is 900 euros a month.")
    rows = run("add", "The user's rent is 950 euros a month.", "--consolidate", mode).rows
    assert [row[0] for row in rows] == events
    assert rows[0][4:6] == [action, why]


def test_the_modes_are_those_of_the_engine() -> None:
    assert CONSOLIDATION == MODES


def test_jsonl_is_distilled_where_asked(empty: Path) -> None:
    lines = [
        {"role": "user", "content": "My rent is 900 euros a month.", "timestamp": "2026-01-01T10:00:00Z", "session": "a"},
        {"role": "user", "content": "My rent is 950 euros a month now.", "timestamp": "2026-02-01T10:00:00Z", "session": "b"},
    ]
    text = "\n".join(map(json.dumps, lines))
    done = run("add", "--jsonl", "-", "--infer", stdin=text)
    assert [(row[0], row[3], row[6]) for row in done.rows] == [
        ("ADD", "My rent is 900 euros a month.", ""),
        ("ADD", "The user's rent is 900 euros a month.", ""),
        ("ADD", "My rent is 950 euros a month now.", ""),
        ("UPDATE", "The user's rent is 950 euros a month now.", "The user's rent is 900 euros a month."),
    ]
    with Memory(empty / "memory.db") as memory:
        changes = {change["change_id"]: change["events"] for change in memory.changes()["results"]}
    for row in done.rows:
        assert {"id": row[1], "event": row[0]} in changes[row[2]]
    again = run("add", "--jsonl", "-", "--infer", "--json", stdin=text).json["data"]
    assert (again["results"], again["turns"], again["change_id"], again["failed"]) == ([], [], None, None)
    verbatim = run("add", "--jsonl", "-", stdin=text).rows
    assert [row[0] for row in verbatim] == ["ADD", "ADD"]


def test_what_one_call_adds_and_changes_is_told_in_its_order(empty: Path) -> None:
    said = ["My rent is 900 euros a month.", "I moved desks.", "My rent is 950 euros a month now."]
    lines = [
        json.dumps({"role": "user", "content": text, "session": "a", "timestamp": f"2026-01-0{day}T10:00:00Z"})
        for day, text in enumerate(said, start=1)
    ]
    rows = [row for row in run("add", "--jsonl", "-", "--infer", stdin="\n".join(lines)).rows if "The user's rent" in row[3]]
    assert [(row[0], row[6]) for row in rows] == [("ADD", ""), ("UPDATE", "The user's rent is 900 euros a month.")]
    assert rows[0][1] == rows[1][1]
    assert rows[0][2] != rows[1][2]


def test_a_model_that_fails_is_told_and_the_turns_are_kept(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = ScriptedChat([Unreachable("no server there")] * 9)
    monkeypatch.setattr("memlite.memory.Memory", partial(Memory, chat=chat))
    done = run("add", "My rent is 900 euros a month.", "--role", "user")
    assert done.code == 0
    assert [row[0] for row in done.rows] == ["ADD"]
    assert "the turns are stored and wait to be distilled: no server there" in done.err
    assert len(chat.calls) > 0
    failed = run("add", "I play chess on Mondays.", "--role", "user", "--json")
    assert (failed.code, failed.json["status"], failed.json["data"]["failed"]) == (0, "ok", "no server there")


@pytest.mark.parametrize("source", ["-", "chat.jsonl"])
def test_jsonl_is_stored_in_its_order(source: str, empty: Path) -> None:
    lines = [
        {"role": "user", "content": "Hello\u2028there.", "timestamp": "2026-03-01T09:00:00Z", "session_id": "a"},
        {"content": "Hi.", "session": "a", "name": "Ada"},
        {"role": "user", "content": "Something else.", "run_id": "b"},
        "A text of its own.",
    ]
    text = "\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n"
    (empty / "chat.jsonl").write_text(text, encoding="utf-8")
    done = run("add", "--jsonl", source, "--role", "assistant", "--metadata", '{"from": "file"}', stdin=text)
    assert (done.code, [row[0] for row in done.rows]) == (0, ["ADD"] * 4)
    assert len({row[2] for row in done.rows}) == 3  # a change for each stretch of one session
    with Memory(empty / "memory.db") as memory:
        stored = [memory.get(row[1]) for row in done.rows]
    assert [m["memory"] for m in stored] == ["Hello\u2028there.", "Hi.", "Something else.", "A text of its own."]
    assert [m["session_id"] for m in stored] == ["a", "a", "b", None]
    assert [m["role"] for m in stored] == ["user", "assistant", "user", None]
    assert [m["seq"] for m in stored] == [0, 1, 0, None]
    assert stored[0]["occurred_at"] == "2026-03-01T09:00:00.000Z"
    assert stored[1]["subject"] == "Ada"
    assert {m["metadata"]["from"] for m in stored} == {"file"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("{", "line 2 is no JSON", id="no JSON"),
        pytest.param('{"content": "x"}', "line 2: has no role", id="no role"),
        pytest.param('{"role": "user", "content": " "}', "line 2: content", id="empty"),
        pytest.param('{"role": "user", "content": "x", "importance": 1}', "line 2 has 'importance'", id="an unknown field"),
        pytest.param('{"role": "user", "content": "x", "timestamp": "noon"}', "line 2: timestamp is 'noon'", id="a bad time"),
        pytest.param('{"role": "user", "content": "x", "session_id": 7}', "line 2 has a session_id of int", id="a bad session"),
        pytest.param("7", "line 2: is int", id="a number"),
        pytest.param("[" * 99_999, "line 2 is no JSON", id="a deep one"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_stored(line: str, said: str, empty: Path) -> None:
    done = run("add", "--jsonl", "-", stdin='{"role": "user", "content": "fine"}\n' + line + "\n")
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert "nothing was stored" in done.err
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize(("raw", "said"), [(b"\xff\xfe", "no UTF-8"), (b"\n \n", "no messages")])
def test_standard_input_must_hold_something_to_store(raw: bytes, said: str, empty: Path) -> None:
    done = run("add", "--jsonl", "-", stdin=raw)
    assert done.code == 1
    assert said in done.err
    assert list(empty.iterdir()) == []


def test_search_gives_the_score_and_its_parts(db: Path, ids: Ids) -> None:
    done = run("search", "-", "-k", "1", stdin="Which food is bad for me? walnuts")
    [[memory_id, date, score, relevance, recency, importance, text]] = done.rows
    assert (memory_id, text) == (ids.note, "I am allergic to walnuts.")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)
    assert float(score) == pytest.approx(float(relevance) + float(recency) + float(importance), abs=0.002)
    assert run("search", "zebra", *LEXICAL).err == "nothing found\n"


def test_search_passes_its_conditions_on(db: Path, ids: Ids) -> None:
    def found(*words: str) -> list[str]:
        return [row[0] for row in run("search", "walnuts memory chess 年糕", *LEXICAL, *words).rows]

    assert sorted(found()) == sorted([ids.note, *ids.turns])
    assert found("--filter", '{"topic": "food"}') == [ids.note]
    assert found("--area", "solutions") == []
    assert sorted(found("--session-id", "s1")) == sorted(found("--agent-id", "scout")) == sorted(ids.turns)
    assert found("--user-id", "bob") == [ids.bobs]
    assert found("--status", "archived") == []
    assert found("--floor", "1") in ([], found("-k", "1"))


def test_explain_tells_every_number_and_is_no_access(db: Path, ids: Ids) -> None:
    hit = run("search", "walnuts", "--exact", "--explain", "--json").json["data"]["results"][0]
    assert {"preset", "cosine", "bm25"} <= hit["explain"].keys()
    assert run("get", ids.note, "--json").json["data"]["access_count"] == 0
    assert run("search", "walnuts", "--explain", *LEXICAL).rows[0][-1].startswith("preset lexical")
    told = run("search", "walnuts", "--explain", *LEXICAL, FORCE_COLOR="1", COLUMNS="80").out
    assert "preset lexical" in told
    run("search", "walnuts", *LEXICAL)
    assert run("get", ids.note, "--json").json["data"]["access_count"] == 1


def test_list_goes_page_by_page(db: Path, ids: Ids) -> None:
    pages = [run("list", "--limit", "1")]
    while pages[-1].err:
        assert pages[-1].err.startswith("More: memlite list --cursor ")
        pages.append(run("list", "--limit", "1", *pages[-1].err.split()[-2:]))
    assert [[row[0] for row in page.rows] for page in pages] == [[ids.turns[1]], [ids.turns[0]], [ids.note]]
    assert run("list", "--area", "solutions").err == "nothing there\n"


def test_update_changes_what_is_given(db: Path, ids: Ids) -> None:
    def update(*words: str) -> dict[str, Any]:
        data: dict[str, Any] = run("update", ids.note, *words, "--json").json["data"]
        return data

    changed = update("--metadata", '{"seen": 1, "topic": null}', "--pinned", "--expires-at", "2099-01-01", "--kind", "episodic")
    assert (changed["metadata"], changed["pinned"], changed["kind"]) == ({"seen": 1}, True, "episodic")
    assert changed["expires_at"] == "2099-01-01T00:00:00.000Z"
    lifted = update("--no-expiry", "--no-pinned", "--expected-version", str(changed["version"]))
    assert (lifted["expires_at"], lifted["pinned"]) == (None, False)
    assert update("--no-pinned")["event"] == "NONE"
    assert run("update", ids.note, "-", stdin="Hazelnuts too.").rows[0][::3] == ["UPDATE", "Hazelnuts too."]


def test_a_dry_run_changes_nothing(db: Path, ids: Ids) -> None:
    for words in (
        ["delete", ids.note],
        ["delete-all", "--user-id", "default", "--session-id", "s1"],
        ["reset", "--user-id", "bob"],
        ["undo", ids.told],
    ):
        before = run("stats", "--json").json["data"]
        done = run(*words, "--dry-run")
        assert (done.code, done.err) == (0, "dry run: nothing was changed\n")
        assert len(done.rows) >= 1
        assert run("stats", "--json").json["data"] == before


def test_delete_undo_and_redo(db: Path, ids: Ids) -> None:
    event, memory_id, change, text = run("delete", ids.note).rows[0]
    assert (event, memory_id, text) == ("DELETE", ids.note, "I am allergic to walnuts.")
    assert run("get", ids.note).code == 1
    assert run("undo", change).rows[0][:2] == ["ADD", ids.note]
    assert run("get", ids.note).code == 0
    assert "`memlite redo` makes it again" in run("undo", change).err
    redone = run("redo", change, "--json")
    assert redone.json.keys() == ENVELOPE
    assert redone.json["data"]["results"] == [{"id": ids.note, "event": "DELETE"}]
    events = [row[1] for row in run("history", ids.note).rows]
    assert events == ["ADD", "UPDATE", "DELETE", "ADD", "DELETE"]


def test_undo_wants_cascade_where_later_changes_build_on_it(db: Path, ids: Ids) -> None:
    added = run("changes", "--json").json["data"]["results"][-1]["change_id"]
    stale = run("undo", added)
    assert stale.code == 1
    assert "--cascade" in stale.err
    assert [row[0] for row in run("undo", added, "--cascade").rows] == ["UPDATE", "DELETE"]


def test_delete_all_and_reset_remove_what_they_say(db: Path, ids: Ids) -> None:
    gone = run("delete-all", "--user-id", "default", "--filter", '{"session_id": "s1"}', "--yes")
    assert sorted(row[1] for row in gone.rows) == sorted(ids.turns)
    assert [row[0] for row in run("list").rows] == [ids.note]
    assert run("delete-all", "--user-id", "default", "--area", "solutions", "--yes").err == "nothing to do\n"
    assert [row[1] for row in run("reset", "--user-id", "default", "--yes").rows] == [ids.note]
    assert [row[0] for row in run("users").rows] == ["bob"]


def test_move_gives_memories_away(db: Path, ids: Ids) -> None:
    assert [row[0] for row in run("move", *ids.turns, "--to-user-id", "ana").rows] == ["MOVE", "MOVE"]
    assert [row[:2] for row in run("users").rows] == [["ana", "2"], ["bob", "1"], ["default", "1"]]
    assert [row[:3] for row in run("sessions", "--user-id", "ana").rows] == [["s1", "2", "2"]]


def test_changes_tell_what_was_undone(db: Path, ids: Ids) -> None:
    undo = run("undo", ids.deleted).rows[0][2]
    rows = {row[1]: row for row in run("changes").rows}
    assert rows[ids.deleted][2:] == ["delete", "1 DELETE", undo]
    assert rows[ids.told][2:] == ["add", "2 ADD", ""]


def test_log_tells_what_was_decided_and_why(empty: Path) -> None:
    run("add", "The user's rent is 900 euros a month.")
    changed = run("add", "The user's rent is 950 euros a month now.").rows[0]
    undo = run("undo", changed[2]).rows[0][2]
    newest, oldest = run("log").rows
    assert newest[1:9] == [
        *(changed[2], changed[1], "update", "update", "another value for the same thing", "rules"),
        *("The user's rent is 950 euros a month now.", "The user's rent is 900 euros a month."),
    ]
    assert re.fullmatch(r"0\.\d\d The user's rent is 900 euros a month\.", newest[9])
    assert newest[10] == undo
    assert oldest[2:] == [changed[1], "", "keep_separate", "no_candidates", "none", changed[6], "", "", ""]
    more = run("log", "-k", "1")
    assert more.rows == [newest]
    assert run(*more.err.split()[2:]).rows == [oldest]
    told = run("log", FORCE_COLOR="1", COLUMNS="110").out
    assert "undone" in told
    assert "another value" in told
    assert run("history", changed[1]).rows[1][-1] == "another value for the same thing"


def test_log_tells_what_a_check_refused(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = json.dumps({"action": "merge", "targets": [1], "text": "The user's rent is 900 euros a month.", "reasoning": "newer"})
    chat = ScriptedChat([json.dumps({"keywords": ["rent"]}), wrong])
    run("add", "The user's rent is 900 euros a month.")
    monkeypatch.setattr("memlite.memory.Memory", partial(Memory, chat=chat))
    added = run("add", "The user's rent is 950 euros a month.").rows
    assert [row[0] for row in added] == ["ADD"]
    assert added[0][5] == "merge was refused: lost (number 950)"
    row = run("log").rows[0]
    assert (row[3], row[4], row[5], row[6]) == ("merge", "keep_separate", added[0][5], "scripted")
    assert "merge → keep_separate" in " ".join(run("log", FORCE_COLOR="1", COLUMNS="160").out.split())


def test_log_lists_what_was_found_and_not_kept(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = [{"text": "The user said hello.", "subject": "user", "turns": [1]}]
    chat = ScriptedChat([json.dumps({"facts": facts}), '{"solutions": []}'])
    with monkeypatch.context() as patch:
        patch.setattr("memlite.memory.Memory", partial(Memory, chat=chat))
        turn = run("add", "Hello! I said hello.", "--role", "user").rows[0][1]
    [[_, reason, text, told_turn, change]] = run("log", "rejected").rows
    assert (text, told_turn) == ("The user said hello.", turn)
    assert reason
    assert change in [row[1] for row in run("changes").rows]
    assert run("log", "rejected", "--json").json["data"]["results"][0]["reason"] == reason
    run("add", "Nothing else.")
    assert run("log", "rejected", "-k", "1").err == ""


def test_stats_count_the_file_or_a_user(db: Path) -> None:
    rows = dict(run("stats").rows)
    assert (rows["memories"], rows["users"], rows["model"]) == ("4", "2", "all-MiniLM-L6-v2-int8")
    assert rows["file"] == str(db.resolve())
    assert dict(run("stats", "--user-id", "bob").rows)["memories"] == "1"


def test_check_fails_while_something_is_wrong(db: Path) -> None:
    assert (run("check").code, run("check").out) == (0, "sound\n")
    vandalise(db, "delete from meta_kv")
    broken = run("check")
    assert (broken.code, broken.rows[0][:2]) == (1, ["meta", "yes"])
    assert "check --fix" in broken.err
    failed = run("check", "--json")
    assert (failed.code, failed.json["status"], failed.json["count"]) == (1, "failed", 1)
    fixed = run("check", "--fix")
    assert (fixed.code, fixed.out, fixed.err) == (0, "sound\n", "1 problem fixed\n")


def test_check_fails_after_fix_where_content_is_damaged(db: Path) -> None:
    vandalise(db, "update payloads set image = replace(image, 'walnuts', 'peanuts')")
    left = run("check", "--fix")
    assert left.code == 1
    assert left.rows[0][:2] == ["audit.payload", "no"]


def test_reindex_and_compact_say_what_they_did(db: Path) -> None:
    assert run("reindex").out == "Rebuilt the indexes of 4 memories\n"
    assert re.fullmatch(r"[\d,]+ KiB before, [\d,]+ KiB now\n", run("compact").out)
    assert run("check").out == "sound\n"


# -- the screen


def test_a_pipe_gets_plain_whole_lines(db: Path, ids: Ids) -> None:
    process = spawn("list", cwd=db.parent)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    text = out.decode()
    assert ESCAPE not in text
    rows = [line.split("\t") for line in text.splitlines()]
    assert [row[0] for row in rows] == [*reversed(ids.turns), ids.note]
    assert [row[-1] for row in rows] == [LONG, "我家的猫叫年糕。", "I am allergic to walnuts."]
    assert {len(row) for row in rows} == {6}


@pytest.mark.parametrize(
    "words", [["list"], ["search", "long 年糕", *LEXICAL], ["changes"], ["stats"], ["history", "{note}"], ["users"]]
)
def test_a_terminal_gets_tables_within_its_width(words: list[str], db: Path, ids: Ids) -> None:
    out = run(*filled(words, ids), FORCE_COLOR="1", COLUMNS="80").out
    assert ESCAPE in out
    bare = re.sub(ESCAPE + r"\[[\d;]*m", "", out)
    assert "\t" not in bare
    assert max(cell_len(line) for line in bare.splitlines()) <= 80


def test_a_narrow_terminal_loses_nothing(db: Path, ids: Ids) -> None:
    bare = re.sub(ESCAPE + r"\[[\d;]*m", "", run("list", FORCE_COLOR="1", COLUMNS="80").out)
    words = bare.split()
    assert words.count("very") == LONG.split().count("very")
    assert words.count("2026-03-01") == len(ids.turns)
    assert set(ids.turns) <= set(words)


def test_a_terminal_is_told_how_to_take_a_change_back(db: Path, ids: Ids) -> None:
    told = run("--user-id", "bob", "delete", ids.bobs, FORCE_COLOR="1", COLUMNS="120").out
    assert "memlite --user-id bob undo chg_" in told
    many = run("add", "--jsonl", "-", stdin="".join(f'"Text {n}."\n' for n in range(11)), FORCE_COLOR="1", COLUMNS="120").out
    assert "11 memories: 11 ADD" in many


def test_a_memory_can_not_act_on_the_terminal(db: Path) -> None:
    evil = "[bold]one[/bold] \u009b31mtwo \u202ethree\n:smile: four"
    memory_id = run("add", evil, "--session-id", "s\u009b2").rows[0][1]
    for env in ({}, {"FORCE_COLOR": "1", "COLUMNS": "200"}):
        for words in (["list", "-k", "1"], ["get", memory_id], ["history", memory_id], ["sessions"]):
            out = run(*words, **env).out
            assert not {"\u009b", "\u202e"} & set(out)
        assert "[bold]one[/bold]" in run("get", memory_id, **env).out
        assert ":smile:" in run("get", memory_id, **env).out
    assert len(run("list", "-k", "1").rows) == 1
    assert run("get", memory_id, "--json").json["data"]["memory"] == evil


def test_a_reader_that_goes_away_ends_the_command_quietly(db: Path) -> None:
    for words in (["list"], ["list", "--json"]):
        process = spawn(*words, cwd=db.parent)
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=60) == 1
        assert said == b""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe to know that the command has begun")
def test_ctrl_c_ends_a_command_without_a_traceback(empty: Path) -> None:
    os.mkfifo(empty / "chat.jsonl")
    process = spawn("add", "--jsonl", "chat.jsonl", cwd=empty)
    with (empty / "chat.jsonl").open("wb"):  # returns when the command has opened its end, and waits for a line
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"\ninterrupted\n")
    assert [path.name for path in empty.iterdir()] == ["chat.jsonl"]
