"""What travels in the wheel, and the data that comes with it."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import memlite
from memlite import resources

CHINESE = re.compile(r"[\u4e00-\u9fff]")
PACKAGE = Path(memlite.__path__[0])


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    """The project file, which also lies beside the tests when they run against a wheel."""
    return tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def turns() -> list[dict[str, str]]:
    return _lines("demo/conversation.jsonl")


@pytest.fixture(scope="module")
def questions() -> list[dict[str, str]]:
    return _lines("demo/questions.jsonl")


# -- the wheel


def test_every_data_file_is_listed_for_the_wheel(checkout: Path, pyproject: dict[str, Any]) -> None:
    patterns = ("schema.sql", "prompts/*.md", "migrations/*.sql", "demo/*.jsonl")
    present = {path.relative_to(checkout).as_posix() for pattern in patterns for path in checkout.glob(pattern)}
    listed = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert listed == {name: f"memlite/_data/{name}" for name in present}


def test_every_listed_data_file_can_be_read(pyproject: dict[str, Any]) -> None:
    listed = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert [name for name in listed if not resources.text(name).strip()] == []


def test_the_checkout_has_no_data_folder(checkout: Path) -> None:
    assert not (checkout / "memlite" / "_data").exists(), "it would be read instead of the files at the top: remove it"


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_one_version(pyproject: dict[str, Any]) -> None:
    assert memlite.__version__ == importlib.metadata.version("memlite") == pyproject["project"]["version"]


def test_the_changelog_knows_the_version(checkout: Path, pyproject: dict[str, Any]) -> None:
    assert f"## [{pyproject['project']['version']}]" in (checkout / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_dependency_has_its_reason_beside_it(checkout: Path, pyproject: dict[str, Any]) -> None:
    lines = (checkout / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    bare = [
        name for name in pyproject["project"]["dependencies"] if not any(f'"{name}",' in line and "# " in line for line in lines)
    ]
    assert bare == []


# -- the demo's conversation


def test_a_turn_has_these_fields(turns: list[dict[str, str]]) -> None:
    fields = {"session", "timestamp", "role", "content"}
    assert [
        turn for turn in turns if turn.keys() != fields or turn["role"] not in ("user", "assistant") or not turn["content"]
    ] == []


def test_the_conversation_is_long_enough(turns: list[dict[str, str]]) -> None:
    assert len(turns) >= 60


def test_the_conversation_spans_sessions_and_weeks(turns: list[dict[str, str]]) -> None:
    days = {turn["session"]: _moment(turn).date() for turn in reversed(turns)}
    assert len(days) == len(set(days.values())) == 7
    assert (max(days.values()) - min(days.values())).days >= 60


def test_a_session_is_one_stretch(turns: list[dict[str, str]]) -> None:
    starts = [after["session"] for before, after in pairwise(turns) if before["session"] != after["session"]]
    assert len(starts) == len(set(starts))


def test_time_only_moves_on(turns: list[dict[str, str]]) -> None:
    assert [after for before, after in pairwise(turns) if _moment(before) >= _moment(after)] == []


def test_the_conversation_is_in_two_languages(turns: list[dict[str, str]]) -> None:
    chinese = sum(bool(CHINESE.search(turn["content"])) for turn in turns)
    assert chinese >= 25
    assert len(turns) - chinese >= 25


# -- the demo's questions


def test_ten_questions_in_two_languages(questions: list[dict[str, str]]) -> None:
    assert [question for question in questions if question.keys() - {"fact"} != {"question", "expects"}] == []
    assert len(questions) == 10
    assert sum(bool(CHINESE.search(question["question"])) for question in questions) == 4


def test_every_answer_was_said(turns: list[dict[str, str]], questions: list[dict[str, str]]) -> None:
    assert [q for q in questions if not q["expects"] or not any(q["expects"] in turn["content"] for turn in turns)] == []


def test_no_question_gives_its_answer_away(questions: list[dict[str, str]]) -> None:
    assert [q for q in questions if q["expects"].lower() in q["question"].lower()] == []


def test_a_chinese_question_shares_words_with_its_answer(turns: list[dict[str, str]], questions: list[dict[str, str]]) -> None:
    lost = [
        q
        for q in questions
        if CHINESE.search(q["question"])
        and not any(q["expects"] in t["content"] and len(_bigrams(q["question"]) & _bigrams(t["content"])) >= 3 for t in turns)
    ]
    assert lost == []


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in resources.text(name).splitlines()]


def _moment(turn: dict[str, str]) -> datetime:
    return datetime.strptime(turn["timestamp"], "%Y-%m-%dT%H:%M:%S%z")


def _bigrams(text: str) -> set[str]:
    return {a + b for a, b in pairwise(text) if CHINESE.match(a) and CHINESE.match(b)}
