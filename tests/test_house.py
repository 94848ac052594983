"""The rules of the house that a reader can check in the source: who imports whom, sizes, excepts, clocks, docstrings.

Each rule is a function from a module to its offences. One test holds it over memlite, another shows that it bites.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import memlite

PACKAGE = Path(memlite.__path__[0])

FLOOR = {"model", "values", "ports", "errors", "settings", "resources", "ids"}
EDGES = {"storage", "embedding", "llm"}
PUBLIC = {"memlite"}  # the names `memlite/__init__.py` gives out

MAY_IMPORT = {
    **dict.fromkeys(FLOOR - {"ports"}, FLOOR - {"ports"}),
    "rules": {"rules"} | FLOOR - {"ports"},
    "ports": {"rules"} | FLOOR,  # a port's signature may name a pure value of the rules; never the other way round
    "engine": {"engine", "rules"} | FLOOR,
    **{edge: {edge, "rules"} | FLOOR for edge in EDGES},
    "memory": {"engine", "rules"} | EDGES | FLOOR,
    "aio": {"memory"} | FLOOR,
    "tools": {"tools", "memory"} | FLOOR,
    "apps": {"apps", "memory", "aio", "tools", "rules"} | FLOOR | PUBLIC,
    "testing": {"testing", "memory", "aio", "engine", "rules"} | EDGES | FLOOR | PUBLIC,
    "memlite": {"memory", "aio", "llm"} | FLOOR,
}
DRIVERS = {"sqlite3", "pysqlite3"}
ONLY_DRIVER = "storage/connection.py"

CLOCKS = {
    "time.time",
    "time.time_ns",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "datetime.date.today",
}
ONLY_CLOCK = "ids.py"

MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 40
EXCUSE = "longer than the house limit because"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A source file of the package; `path` is relative to the package, with slashes."""

    path: str
    source: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder or module directly under `memlite/`; `memlite` itself for its `__init__.py`."""
        head = self.path.split("/")[0].removesuffix(".py")
        return "memlite" if head == "__init__" else head


def module(path: str, source: str) -> Module:
    return Module(path=path, source=source, tree=ast.parse(source))


MODULES = [
    module(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))
]
ROOMS = {m.room for m in MODULES}


# -- the rules


def wrong_imports(m: Module) -> Iterator[str]:
    """Imports that run against the layers of ARCHITECTURE.md."""
    if m.room not in MAY_IMPORT:
        yield f"{m.path}: `{m.room}` has no place in the layers yet: give it one in this test"
        return
    for line, target in imports(m):
        if (room := room_of(target)) is not None and room not in MAY_IMPORT[m.room]:
            yield f"{m.path}:{line}: {m.room} may not import {target}"


def wrong_drivers(m: Module) -> Iterator[str]:
    """Imports of a SQLite driver; another module's `except` would catch the wrong driver's errors."""
    if m.path == ONLY_DRIVER:
        return
    for line, target in imports(m):
        if DRIVERS & {target.split(".")[0], target.split(".")[-1]}:  # the last part: `from sqlite_utils.utils import sqlite3`
            yield f"{m.path}:{line}: only {ONLY_DRIVER} imports the driver, not {target}"


def too_long(m: Module) -> Iterator[str]:
    """Modules and functions past the limits. A function's docstring isn't counted, its nested functions are."""
    lines = len(m.source.splitlines())
    if lines > MAX_MODULE_LINES and not excused(m.tree):
        yield f"{m.path}: {lines} lines, the limit is {MAX_MODULE_LINES}"
    for node in ast.walk(m.tree):
        if isinstance(node, Function) and (lines := length(node)) > MAX_FUNCTION_LINES and not excused(node):
            yield f"{m.path}:{node.lineno}: {node.name} has {lines} lines, the limit is {MAX_FUNCTION_LINES}"


def broad_excepts(m: Module) -> Iterator[str]:
    """Handlers that also catch what they can't answer.

    `BaseException` may be caught to clean up and raise again. An edge may turn any `Exception` into one of ours, because some
    libraries raise errors without a common base.
    """
    for node in ast.walk(m.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = broadest(node.type) if node.type else "everything"
            fine = {"": True, "BaseException": raises_again(node), "Exception": m.room in EDGES and translates(node)}
            if not fine.get(caught, False):
                yield f"{m.path}:{node.lineno}: catches {caught}"
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("suppress") and any(broadest(a) for a in node.args):
            yield f"{m.path}:{node.lineno}: suppresses everything"


def stray_clocks(m: Module) -> Iterator[str]:
    """Uses of the system's clock; everything but `ids.py` gets the time from its caller."""
    if m.path == ONLY_CLOCK:
        return
    names = {"time": "", "datetime": "", "date": ""} | local_names(m)
    for node in ast.walk(m.tree):
        if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
            head, _, rest = dotted(node).partition(".")
            full = ".".join(part for part in (names.get(head, ""), rest) if part)
            if full in CLOCKS:
                yield f"{m.path}:{node.lineno}: reads the clock by {full}"


def missing_docstring(m: Module) -> Iterator[str]:
    """Modules that don't say what they are for."""
    if not ast.get_docstring(m.tree):
        yield f"{m.path}: no docstring"


Rule = Callable[[Module], Iterator[str]]
RULES: list[Rule] = [wrong_imports, wrong_drivers, too_long, broad_excepts, stray_clocks, missing_docstring]


# -- held over memlite


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_house_holds(rule: Rule) -> None:
    assert [offence for m in MODULES for offence in rule(m)] == []


def test_the_source_was_found() -> None:
    assert {"memlite", "rules", "engine", "storage", "embedding", *FLOOR} <= ROOMS


# -- every rule bites

LONG_BODY = "    x = 1\n" * MAX_FUNCTION_LINES


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        pytest.param(wrong_imports, "rules/score.py", "from memlite.storage.store import Tx", id="rules don't know storage"),
        pytest.param(wrong_imports, "rules/score.py", "from memlite import engine", id="a room imported from the package"),
        pytest.param(wrong_imports, "rules/score.py", "from ..engine import recall", id="a relative import"),
        pytest.param(wrong_imports, "rules/score.py", "import memlite.engine as e", id="an import under another name"),
        pytest.param(wrong_imports, "rules/score.py", "from memlite import Memory", id="rules don't know the public names"),
        pytest.param(wrong_imports, "rules/score.py", "def f():\n    import memlite.llm.ollama", id="an import in a function"),
        pytest.param(
            wrong_imports, "rules/a.py", "import importlib\nimportlib.import_module('memlite.llm')", id="an import by name"
        ),
        pytest.param(
            wrong_imports, "engine/recall.py", "from memlite.storage import search", id="the engine doesn't know the edges"
        ),
        pytest.param(wrong_imports, "engine/recall.py", "from memlite.memory import Memory", id="nothing below knows the facade"),
        pytest.param(wrong_imports, "storage/store.py", "from memlite.embedding import onnx", id="an edge doesn't know another"),
        pytest.param(
            wrong_imports, "storage/store.py", "from memlite.engine import recall", id="an edge doesn't know the engine"
        ),
        pytest.param(
            wrong_imports, "rules/score.py", "from memlite.ports import Embedder", id="rules ask nothing of the outside"
        ),
        pytest.param(wrong_imports, "ids.py", "from memlite.rules import text", id="the floor knows itself only"),
        pytest.param(wrong_imports, "memory.py", "from memlite.apps import cli", id="the facade doesn't know the apps"),
        pytest.param(wrong_imports, "memory.py", "from memlite.testing import Clock", id="nothing imports testing"),
        pytest.param(wrong_imports, "aio.py", "from memlite.engine import recall", id="aio goes through the facade"),
        pytest.param(wrong_imports, "apps/cli.py", "from memlite.engine import recall", id="apps go through the facade"),
        pytest.param(
            wrong_imports, "__init__.py", "from memlite.storage.store import Store", id="the public names are the facade's"
        ),
        pytest.param(wrong_imports, "extra/new.py", "", id="a new room asks for its place"),
        pytest.param(wrong_drivers, "storage/store.py", "import sqlite3", id="the standard library's driver"),
        pytest.param(wrong_drivers, "storage/store.py", "from pysqlite3 import dbapi2", id="a driver's submodule"),
        pytest.param(wrong_drivers, "storage/store.py", "from sqlite_utils.utils import sqlite3", id="a driver at second hand"),
        pytest.param(too_long, "a.py", "x = 1\n" * (MAX_MODULE_LINES + 1), id="a long module"),
        pytest.param(too_long, "a.py", f"def f():\n{LONG_BODY}", id="a long function"),
        pytest.param(too_long, "a.py", f"async def f():\n{LONG_BODY}", id="a long coroutine"),
        pytest.param(too_long, "a.py", f'def f():\n    """One.\n\n    {EXCUSE} no.\n    """\n{LONG_BODY}', id="excused too late"),
        pytest.param(broad_excepts, "a.py", "try: f()\nexcept: raise", id="a bare except, even one that raises again"),
        pytest.param(broad_excepts, "a.py", "try: f()\nexcept Exception: raise", id="Exception, even raised again"),
        pytest.param(
            broad_excepts, "a.py", "try: f()\nexcept Exception as e: raise Ours() from e", id="translated, but not at an edge"
        ),
        pytest.param(
            broad_excepts, "llm/a.py", "try: f()\nexcept Exception: raise Ours() from None", id="translated, the cause lost"
        ),
        pytest.param(broad_excepts, "llm/a.py", "try: f()\nexcept Exception as e: log(e)", id="swallowed at an edge"),
        pytest.param(broad_excepts, "a.py", "try: f()\nexcept (OSError, Exception): pass", id="Exception among others"),
        pytest.param(broad_excepts, "a.py", "try: f()\nexcept BaseException: pass", id="BaseException swallowed"),
        pytest.param(
            broad_excepts, "a.py", "try: f()\nexcept BaseException:\n    if x: raise", id="BaseException raised sometimes"
        ),
        pytest.param(broad_excepts, "a.py", "with contextlib.suppress(Exception): f()", id="suppressed"),
        pytest.param(stray_clocks, "a.py", "import time\ntime.time()", id="time.time"),
        pytest.param(stray_clocks, "a.py", "from time import time_ns as t\nt()", id="under another name"),
        pytest.param(stray_clocks, "a.py", "import time\ndef f(clock=time.time): ...", id="as a default"),
        pytest.param(stray_clocks, "a.py", "from datetime import UTC, datetime\ndatetime.now(UTC)", id="datetime.now"),
        pytest.param(stray_clocks, "a.py", "import datetime as dt\ndt.date.today()", id="date.today"),
        pytest.param(missing_docstring, "a.py", "x = 1", id="no docstring"),
        pytest.param(missing_docstring, "a.py", "", id="an empty module"),
    ],
)
def test_an_offence_is_found(rule: Rule, path: str, source: str) -> None:
    assert len(list(rule(module(path, source)))) == 1


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        pytest.param(
            wrong_imports, "engine/recall.py", "from memlite.rules import score\nfrom memlite import ports", id="downwards"
        ),
        pytest.param(wrong_imports, "ports.py", "from memlite.rules.presets import Preset", id="a rule's value in a port"),
        pytest.param(wrong_imports, "storage/store.py", "from .search import near", id="within a room"),
        pytest.param(wrong_imports, "memory.py", "from memlite.storage.store import Store", id="the facade wires the edges"),
        pytest.param(wrong_imports, "apps/cli.py", "from memlite import Memory", id="apps use the public names"),
        pytest.param(wrong_imports, "rules/score.py", "import math\nfrom memlite_other import x", id="other packages"),
        pytest.param(wrong_drivers, ONLY_DRIVER, "import pysqlite3", id="the one place for the driver"),
        pytest.param(
            too_long, "a.py", f'"""A table, {EXCUSE} it is one.\n"""\n' + "x = 1\n" * MAX_MODULE_LINES, id="an excused module"
        ),
        pytest.param(too_long, "a.py", f'def f():\n    """Story, {EXCUSE} so."""\n{LONG_BODY}', id="an excused function"),
        pytest.param(too_long, "a.py", 'def f():\n    """A.' + "\n" * 60 + '    """\n    return 1', id="a long docstring"),
        pytest.param(broad_excepts, "a.py", "try: f()\nexcept BaseException:\n    g()\n    raise", id="clean up and raise again"),
        pytest.param(
            broad_excepts, "llm/a.py", "try: f()\nexcept Exception as e:\n    raise Ours() from e", id="translated at an edge"
        ),
        pytest.param(broad_excepts, "a.py", "try: f()\nexcept (OSError, ValueError): pass", id="what one can answer"),
        pytest.param(stray_clocks, ONLY_CLOCK, "import time\ntime.time_ns()", id="the one place for the clock"),
        pytest.param(stray_clocks, "a.py", "import time\ntime.monotonic()", id="a stopwatch is no clock"),
        pytest.param(stray_clocks, "a.py", "from datetime import datetime\ndatetime.fromtimestamp(0)", id="a conversion"),
        pytest.param(stray_clocks, "a.py", "def f(time):\n    return time.time", id="an argument called time"),
    ],
)
def test_no_offence_is_found(rule: Rule, path: str, source: str) -> None:
    assert list(rule(module(path, source))) == []


# -- reading the source


def imports(m: Module) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything imported, wherever it stands: `from a import b` gives `a.b`."""
    package = ["memlite", *m.path.split("/")[:-1]]
    for node in ast.walk(m.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and dotted(node.func).split(".")[-1] in ("import_module", "__import__"):
            yield from ((node.lineno, a.value) for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def room_of(target: str) -> str | None:
    """The room of memlite a dotted name lies in, `memlite` for a public name, None for another package."""
    package, _, rest = target.partition(".")
    if package != "memlite":
        return None
    head = rest.split(".")[0]
    return head if head in MAY_IMPORT or head in ROOMS else "memlite"


def local_names(m: Module) -> dict[str, str]:
    """What the imported names of a module stand for: `from time import time as t` gives `{"t": "time.time"}`."""
    found: dict[str, str] = {}
    for node in ast.walk(m.tree):
        if isinstance(node, ast.Import):
            found |= {(alias.asname or alias.name.split(".")[0]): alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {(alias.asname or alias.name): f"{node.module}.{alias.name}" for alias in node.names}
    return found


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text; empty for anything but names and attributes."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr) if inner := dotted(value):
            return f"{inner}.{attr}"
    return ""


def broadest(node: ast.expr) -> str:
    """The widest of the classes an `except` names: `BaseException`, `Exception` or an empty text."""
    classes = node.elts if isinstance(node, ast.Tuple) else [node]
    names = {dotted(c).split(".")[-1] for c in classes}
    return next((name for name in ("BaseException", "Exception") if name in names), "")


def raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def translates(handler: ast.ExceptHandler) -> bool:
    """The handler ends with `raise Ours(...) from error`, `error` being what it caught."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.cause is not None and dotted(last.cause) == handler.name


def length(function: Function) -> int:
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def excused(node: ast.Module | Function) -> bool:
    return EXCUSE in (ast.get_docstring(node) or "").partition("\n")[0]
