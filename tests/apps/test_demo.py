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
from memlite.apps.demo.command import NEEDED
from memlite.apps.demo.steps import Decision, chat_from, store, take_back
from memlite.errors import BadInput, ModelNotFound, Unreachable
from memlite.rules.presets import PRESETS
from memlite.rules.times import to_ms
from memlite.testing import ScriptedChat

QUESTIONS = [json.loads(line) for line in resources.text("demo/questions.jsonl").splitlines()]
TURNS = [json.loads(line) for line in resources.text("demo/conversation.jsonl").splitlines()]
COLOURS = re.compile("\x1b" + r"\[[\d;]*m")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "MEMLITE_DB", "MEMLITE_CHAT"):
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
    for answer, question in zip(data["questions"], QUESTIONS, strict=True):
        assert answer["expects"] in (question["expects"], question.get("fact"))
        found = [answer["expects"] in hit["memory"] for hit in answer["results"]]
        assert answer["rank"] == (found.index(True) + 1 if any(found) else None)
        assert answer["found"] == (answer["results"][found.index(True)]["what"] if any(found) else None)
        for hit in answer["results"]:
            assert hit["score"] == pytest.approx(sum(hit["parts"].values()))
    assert data["in_top_3"] == sum(answer["rank"] is not None for answer in data["questions"])
    assert sum(data["found_in"].values()) == data["in_top_3"]


def test_the_demo_is_asked_an_hour_after_its_last_turn(kept: tuple[Path, dict[str, Any]]) -> None:
    preset = PRESETS["balanced"]
    asked_ms = max(to_ms(turn["timestamp"], what="timestamp") for turn in TURNS) + 3_600_000
    kinds = {"turn": "episodic", "fact": "semantic", "solution": "procedural"}
    for answer in kept[1]["data"]["questions"]:
        for hit in answer["results"]:
            age_hours = (asked_ms - to_ms(hit["occurred_at"], what="occurred_at")) / 3_600_000
            assert age_hours >= 1
            aged = preset.recency * math.exp(-preset.decay_per_hour[kinds[hit["what"]]] * age_hours)
            assert hit["parts"]["recency"] == pytest.approx(aged, abs=1e-9)


def test_changed_values_are_kept_up_with_in_both_languages(kept: tuple[Path, dict[str, Any]]) -> None:
    distilled = kept[1]["data"]["distilled"]
    assert (distilled["by"], distilled["failed"]) == ("rules", None)
    changed = [(one["action"], one["before"], one["memory"]) for one in distilled["decisions"] if one["before"]]
    assert ("update", ["The user lives in Rotterdam."], "The user lives in Vienna now.") in changed
    budget = "用户京都旅行的预算是两个人一共{}欧元，不含机票。"
    assert ("update", [budget.format(1800)], budget.format(2200)) in changed
    assert "replace" in [action for action, _, _ in changed]
    assert sum(distilled["actions"].values()) == len(distilled["decisions"])
    assert {one["area"] for one in distilled["decisions"]} == {"fragments", "solutions"}
    assert all(one["why"] for one in distilled["decisions"])


def test_one_decision_is_taken_back_and_made_again(kept: tuple[Path, dict[str, Any]]) -> None:
    path, envelope = kept
    undo, decisions = envelope["data"]["undo"], envelope["data"]["distilled"]["decisions"]
    decision = next(one for one in decisions if one["change_id"] == undo["change_id"])
    assert (undo["restored"], undo["redone"], undo["action"]) == (True, True, decision["action"])
    assert sorted(filter(None, undo["texts"].values())) == sorted(decision["before"])
    with Memory(path) as memory:
        [taken] = [change for change in memory.changes(limit=1000)["results"] if change["change_id"] == undo["change_id"]]
        assert taken["undone_by"] is None  # redone
        for memory_id, text in undo["texts"].items():
            told = memory.history(memory_id)
            assert [entry["verb"] for entry in told][-2:] == ["undo", "redo"]
            assert told[-2]["new_memory"] == text


def test_json_is_one_envelope(kept: tuple[Path, dict[str, Any]]) -> None:
    path, envelope = kept
    assert envelope.keys() == {"status", "command", "duration_ms", "scope", "count", "data"}
    assert (envelope["status"], envelope["command"], envelope["count"]) == ("ok", "demo", len(QUESTIONS))
    assert envelope["scope"] == {"db": None, "user_id": None, "agent_id": None}  # its file is its own
    data = envelope["data"]
    found = sum(one["event"] == "ADD" for one in data["distilled"]["decisions"])
    found -= sum(len(one["before"]) for one in data["distilled"]["decisions"] if one["event"] == "ADD")
    assert (data["kept"], data["sound"], data["memories"]) == (str(path), True, len(TURNS) + found)
    assert data["file_bytes"] > 100_000


def test_the_kept_file_is_the_conversation_and_what_was_distilled(kept: tuple[Path, dict[str, Any]]) -> None:
    with Memory(kept[0]) as memory:
        stored = memory.get_all(limit=1000)["results"]
        turns = [m for m in stored if m["granularity"] == "turn"]
        assert [m["memory"] for m in reversed(turns)] == [turn["content"] for turn in TURNS]
        assert {m["session_id"] for m in turns} == {turn["session"] for turn in TURNS}
        told = {one["memory"] for one in kept[1]["data"]["distilled"]["decisions"]}
        assert {m["memory"] for m in stored if m["granularity"] != "turn"} < told  # the decision was made again
        assert memory.check() == []


@pytest.mark.parametrize(
    ("told", "restored"),
    [
        pytest.param("The user's rent is 900 euros a month.", True, id="it was that"),
        pytest.param("The user's rent is 905 euros a month.", False, id="it was something else"),
    ],
)
def test_an_undo_is_held_to_what_was_told_before_it(told: str, restored: bool, tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as memory:
        first = memory.add("The user's rent is 900 euros a month.")["results"][0]["id"]
        changed = memory.add("The user's rent is 950 euros a month now.")
        decision = Decision(
            memory_id=first,
            change_id=changed["change_id"],
            event="UPDATE",
            action="update",
            why="another value",
            memory=changed["results"][0]["memory"],
            area="main",
            before={first: told},
        )
        done = take_back(memory, [decision])
    assert done is not None
    assert (done.restored, done.redone) == (restored, True)
    assert done.texts == {first: "The user's rent is 900 euros a month."}


def test_a_fact_that_is_told_again_is_known(tmp_path: Path) -> None:
    said = {"role": "user", "content": "My rent is 900 euros a month."}
    turns = [{**said, "session": f"s{day}", "timestamp": f"2026-03-0{day}T10:00:00Z"} for day in (1, 2)]
    stored: list[int] = []
    with Memory(tmp_path / "memory.db") as memory:
        decisions, failed = store(memory, turns, stored.append)
        assert [(one.event, one.action, one.before) for one in decisions] == [("ADD", "keep_separate", {}), ("NONE", "none", {})]
        assert (failed, stored) == (None, [1, 1])
        assert take_back(memory, decisions) is None


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"
    path.write_text("mine")
    done = CliRunner().invoke(app, ["demo", "--keep", str(path)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "exists already" in done.stderr
    assert path.read_text() == "mine"


def test_a_pipe_gets_the_tables_without_colours(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS", "MEMLITE_CHAT")}
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
    sum_of_it = r"^10 of 10 answers at rank 1, 10 in the top 3: .*\d facts.*\.\n[\d.]+ s, \d+ rows, \d+ KiB\.$"
    assert re.search(sum_of_it, done.stdout, re.MULTILINE)
    assert re.search(r"^ updated +- The user lives in Rotterdam\.", done.stdout, re.MULTILINE)
    assert re.search(r"^ restored +all \d+ memories of the store read as before the \w+ *$", done.stdout, re.MULTILINE)
    assert re.search(r"^ check +sound *$", done.stdout, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def test_a_demo_that_finds_too_little_fails_and_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [question | {"expects": "no memory says this", "fact": None} for question in QUESTIONS[: 10 - NEEDED + 1]]
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


# -- a chat model


def test_without_a_name_there_is_no_model() -> None:
    assert chat_from({}) == chat_from({"MEMLITE_CHAT": ""}) == (None, None)


@pytest.mark.parametrize("named", ["qwen2.5:7b", "ollama", "ollama:", "openai:gpt"])
def test_a_model_must_be_named_as_it_is_known(named: str) -> None:
    with pytest.raises(BadInput, match="give ollama: and a model"):
        chat_from({"MEMLITE_CHAT": named})


def test_a_model_that_answers_distils_and_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    fact = {"text": "The user is a backend engineer at Quillfern.", "subject": "user", "turns": [3]}
    some, nothing = json.dumps({"facts": [fact]}), [json.dumps({"facts": []}), json.dumps({"solutions": []})]
    weight = json.dumps({"levels": [5]})
    chat = ScriptedChat(['{"ready": true}', some, nothing[1], weight, *nothing * 6], name="ollama:tiny")
    monkeypatch.setattr("memlite.llm.ollama.OllamaChat", lambda model: chat if model == "tiny" else None)
    done = CliRunner().invoke(app, ["demo", "--json"], env={"MEMLITE_CHAT": "ollama:tiny"}, catch_exceptions=False)
    data = json.loads(done.stdout)["data"]
    assert data["distilled"]["by"] == "ollama:tiny"
    assert (data["undo"], data["sound"], data["distilled"]["failed"]) == (None, True, None)
    told = [(one["event"], one["action"], one["memory"]) for one in data["distilled"]["decisions"]]
    assert told == [("ADD", "keep_separate", fact["text"])]
    assert len(chat.calls) == 16


def test_a_model_that_does_not_answer_leaves_it_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memlite.llm.ollama.OllamaChat", lambda _: ScriptedChat([ModelNotFound("no model tiny")]))
    done = CliRunner().invoke(app, ["demo", "--json"], env={"MEMLITE_CHAT": "ollama:tiny"}, catch_exceptions=False)
    assert done.exit_code == 0
    assert done.stderr == "MEMLITE_CHAT=ollama:tiny is not used, rules decide: no model tiny\n"
    assert json.loads(done.stdout)["data"]["distilled"]["by"] == "rules"


def test_a_model_that_breaks_down_costs_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [Unreachable("gone")] * 50
    monkeypatch.setattr("memlite.llm.ollama.OllamaChat", lambda _: ScriptedChat(['{"ready": true}', *broken]))
    done = CliRunner().invoke(app, ["demo"], env={"MEMLITE_CHAT": "ollama:tiny"}, catch_exceptions=False)
    assert "Not all turns could be read: gone" in done.stdout
    assert "nothing was merged, replaced or updated" in done.stdout
    told = re.search(r"(\d+) in the top 3: (\d+) turns\.\n[\d.]+ s, (\d+) rows", done.stdout)
    assert told
    assert int(told[1]) == int(told[2]) >= NEEDED
    assert int(told[3]) == len(TURNS)
    assert done.exit_code == 0
