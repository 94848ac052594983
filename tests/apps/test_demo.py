"""`memlite demo`: it answers its questions, shows how, and fails when it can't."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from memlite import Memory, resources
from memlite.apps.cli import app
from memlite.apps.demo import NEEDED
from memlite.rules.presets import PRESETS
from memlite.rules.times import to_ms

QUESTIONS = [json.loads(line) for line in resources.text("demo/questions.jsonl").splitlines()]
TURNS = [json.loads(line) for line in resources.text("demo/conversation.jsonl").splitlines()]
COLOURS = re.compile("\x1b" + r"\[[\d;]*m")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "MEMLITE_DB"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The file of a kept demo and its `--json` envelope."""
    path = tmp_path_factory.mktemp("kept") / "demo.db"
    done = CliRunner().invoke(app, ["demo", "--json", "--keep", str(path)], catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    envelope: dict[str, Any] = json.loads(done.stdout)
    return path, envelope


def test_the_expected_memory_is_found_for_each_question(kept: tuple[Path, dict[str, Any]]) -> None:
    data = kept[1]["data"]
    assert [answer["question"] for answer in data["questions"]] == [question["question"] for question in QUESTIONS]
    assert data["in_top_3"] >= NEEDED
    assert data["at_rank_1"] >= NEEDED  # a taste that starts with misses is none
    for answer in data["questions"]:
        found = [answer["expects"] in hit["memory"] for hit in answer["results"]]
        assert answer["rank"] == (found.index(True) + 1 if any(found) else None)
        for hit in answer["results"]:
            assert hit["score"] == pytest.approx(sum(hit["parts"].values()))
    assert data["in_top_3"] == sum(answer["rank"] is not None for answer in data["questions"])


def test_the_demo_is_asked_an_hour_after_its_last_turn(kept: tuple[Path, dict[str, Any]]) -> None:
    preset = PRESETS["balanced"]
    asked_ms = max(to_ms(turn["timestamp"], what="timestamp") for turn in TURNS) + 3_600_000
    for answer in kept[1]["data"]["questions"]:
        for hit in answer["results"]:
            age_hours = (asked_ms - to_ms(hit["occurred_at"], what="occurred_at")) / 3_600_000
            assert age_hours >= 1
            aged = preset.recency * math.exp(-preset.decay_per_hour["episodic"] * age_hours)
            assert hit["parts"]["recency"] == pytest.approx(aged, abs=1e-9)


def test_json_is_one_envelope(kept: tuple[Path, dict[str, Any]]) -> None:
    path, envelope = kept
    assert envelope.keys() == {"status", "command", "duration_ms", "scope", "count", "data"}
    assert (envelope["status"], envelope["command"], envelope["count"]) == ("ok", "demo", len(QUESTIONS))
    assert envelope["scope"] == {"db": None, "user_id": None, "agent_id": None}  # its file is its own
    data = envelope["data"]
    assert (data["kept"], data["sound"], data["memories"]) == (str(path), True, len(TURNS))
    assert data["file_bytes"] > 100_000


def test_the_kept_file_is_the_conversation(kept: tuple[Path, dict[str, Any]]) -> None:
    with Memory(kept[0]) as memory:
        stored = memory.get_all(limit=1000)["results"]
        assert [m["memory"] for m in reversed(stored)] == [turn["content"] for turn in TURNS]  # the change was undone
        assert {m["session_id"] for m in stored} == {turn["session"] for turn in TURNS}
        assert memory.check() == []


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"
    path.write_text("mine")
    done = CliRunner().invoke(app, ["demo", "--keep", str(path)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "exists already" in done.stderr
    assert path.read_text() == "mine"


def test_a_pipe_gets_the_tables_without_colours(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
    environment |= {"TMPDIR": str(tmp_path), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", "from memlite.apps.cli import main; main()", "demo"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert max(map(cell_len, lines)) <= 100
    for place, question in enumerate(QUESTIONS, start=1):
        head = next(number for number, line in enumerate(lines) if f" {place}. {question['question']}  " in line)
        assert lines[head].startswith("✓")
        assert lines[head + 1].split() == "memory date score = rel. + rec. + imp.".split()
        assert re.search(r" 2026-\d\d-\d\d +0\.\d{3} +0\.\d{3} +0\.\d{3} +0\.\d{3} *$", lines[head + 2])
    told = re.search(r"^10 of 10 answers at rank 1, 10 in the top 3; [\d.]+ s, 114 rows, \d+ KiB\.$", done.stdout, re.MULTILINE)
    assert told
    assert re.search(r"^ check +sound *$", done.stdout, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def test_a_demo_that_finds_too_little_fails_and_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [question | {"expects": "no memory says this"} for question in QUESTIONS[: 10 - NEEDED + 1]]
    asked = "\n".join(map(json.dumps, [*wrong, *QUESTIONS[10 - NEEDED + 1 :]]))
    original = resources.text
    monkeypatch.setattr(resources, "text", lambda name: asked if name.endswith("questions.jsonl") else original(name))
    done = CliRunner().invoke(app, ["demo"], env={"FORCE_COLOR": "1", "COLUMNS": "80"}, catch_exceptions=False)
    assert done.exit_code == 1
    shown = COLOURS.sub("", done.stdout)
    assert shown.count("✗") == len(wrong)
    assert shown.count("  not found: ") == len(wrong)
    assert f"{NEEDED - 1} of 10 answers at rank 1" in shown
    assert max(map(cell_len, shown.splitlines())) <= 80
