"""What a user sees first: the names of the package, what importing it costs, its docstrings, and the README's examples."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import memlite
from memlite import errors, memory, model

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def modules() -> Iterator[ModuleType]:
    """Every module of the package."""
    yield memlite
    for found in pkgutil.walk_packages(memlite.__path__, "memlite."):
        yield importlib.import_module(found.name)


MODULES = list(modules())


def public(holder: Any) -> dict[str, Any]:
    """The public classes and functions that a module or class defines itself."""
    name = holder.__name__ if isinstance(holder, ModuleType) else holder.__module__
    return {
        key: value
        for key, value in vars(holder).items()
        if not key.startswith("_")
        and (inspect.isclass(value) or inspect.isroutine(value) or isinstance(value, (property, classmethod, staticmethod)))
        and getattr(value, "__module__", name) == name
    }


# -- names


def test_all_is_sorted_and_has_no_doubles() -> None:
    assert list(memlite.__all__) == sorted(set(memlite.__all__))


@pytest.mark.parametrize("name", memlite.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    namespace: dict[str, Any] = {}
    exec(f"from memlite import {name}", namespace)
    assert namespace[name] is not None


def test_all_is_complete() -> None:
    """Every error, every value that a verb gives out, and everything a signature asks for."""
    wanted = {name for name, value in vars(errors).items() if inspect.isclass(value) and value.__module__ == errors.__name__}
    wanted |= {name for name, value in public(model).items() if inspect.isclass(value)}
    wanted |= {"Memory", "AsyncMemory", "Settings", "Embedder", "Encoded", "SpaceInfo", "__version__"}
    assert sorted(wanted - set(memlite.__all__)) == []


def test_a_star_import_gives_exactly_these_names() -> None:
    namespace: dict[str, Any] = {}
    exec("from memlite import *", namespace)
    assert namespace.keys() - {"__builtins__"} == set(memlite.__all__)


def test_a_name_that_there_is_not_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        memlite.nonsense  # noqa: B018 - reading it is the test
    assert set(memlite.__all__) <= set(dir(memlite))


def test_every_error_is_one_of_ours_and_says_what_it_means() -> None:
    for name, error in vars(errors).items():
        if inspect.isclass(error) and error.__module__ == errors.__name__:
            assert issubclass(error, errors.MemliteError)
            assert inspect.getdoc(error)
            assert re.search(rf"^[│ ]*(?:[├└]── )?{name}\b", errors.__doc__ or "", re.MULTILINE), f"{name} is not in the tree"


# -- docstrings


def test_everything_public_says_what_it_gives() -> None:
    silent = []
    for name, value in public(memory).items():
        if not inspect.isclass(value):
            continue
        silent += [name] if not inspect.getdoc(value) else []
        silent += [f"{name}.{key}" for key, member in public(value).items() if not (getattr(member, "__doc__", "") or "").strip()]
    assert silent == []


def test_every_module_says_what_it_is_for() -> None:
    assert [module.__name__ for module in MODULES if not (module.__doc__ or "").strip()] == []


def test_what_a_verb_can_raise_is_told_by_the_names_there_are() -> None:
    for key, method in inspect.getmembers(memory.Memory, inspect.isfunction):
        section = (inspect.getdoc(method) or "").partition("Raises:\n")[2]
        told = re.findall(r"^ {4}([A-Z]\w+(?:, [A-Z]\w+)*):", section, re.MULTILINE)
        unknown = [name for names in told for name in names.split(", ") if not hasattr(errors, name)]
        assert unknown == [], key


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_are_true(module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_there_are_examples_in_docstrings() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = {module.__name__: sum(len(test.examples) for test in finder.find(module)) for module in MODULES}
    for name in ("memlite.memory", "memlite.rules.terms", "memlite.rules.times", "memlite.model"):
        assert examples[name] > 0, name


# -- what importing costs


def loaded_after(code: str, tmp_path: Path) -> set[str]:
    """The modules a fresh process has loaded after running the code."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


HEAVY = {"numpy", "onnxruntime", "tokenizers", "pydantic", "ollama", "typer", "rich", "sqlite_utils", "sqlite_vec", "asyncio"}


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        pytest.param("import memlite", HEAVY | {"pysqlite3", "sqlite3"}, id="import memlite"),
        pytest.param("from memlite import Memory", HEAVY - {"asyncio"}, id="from memlite import Memory"),
        pytest.param(
            "from memlite import Memory\nMemory('m.db').close()", HEAVY - {"asyncio", "sqlite_vec"}, id="opening a store"
        ),
        pytest.param(
            "from memlite import Memory\nm = Memory('m.db')\nm.search('tea', preset='lexical')\nm.get_all()\nm.close()",
            {"onnxruntime", "tokenizers", "numpy"},
            id="searching by words",
        ),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str, absent: set[str], tmp_path: Path) -> None:
    assert sorted(loaded_after(code, tmp_path) & absent) == []


# -- the README


def blocks() -> list[str]:
    return BLOCK.findall(README.read_text(encoding="utf-8")) if README.is_file() else []


def test_the_readme_has_python_examples() -> None:
    assert blocks(), "no ```python block in README.md"


def test_the_readmes_python_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, in one namespace and one empty folder."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    text = README.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(1))
        code = compile("\n" * line + match[1], str(README), "exec", flags=0, dont_inherit=True)
        exec(code, namespace)
    for value in namespace.values():
        if isinstance(value, memlite.Memory):
            value.close()
