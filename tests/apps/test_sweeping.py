"""`memlite consolidate`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import open_memory
from typer.testing import CliRunner

from memlite.apps.cli import app

TWINS = ("The user lives in Berlin.", "The user lives in Berlin", "The user likes tea.", "Ada plays chess on Sundays.")


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "MEMLITE_DB"):
        monkeypatch.delenv(name, raising=False)
    with open_memory(tmp_path) as memory:
        memory.add(list(TWINS), infer=False)
    return tmp_path / "memory.db"


def run(db: Path, *words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["consolidate", "--db", str(db), *words], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def test_a_dry_run_shows_what_would_become_of_which(db: Path) -> None:
    before = db.read_bytes()
    code, out, err = run(db, "--dry-run", "--loss-budget", "0.5")
    action, ids, after = out.rstrip("\n").split("\t")
    assert (code, action, ids.count("mem_"), after) == (0, "replace", 2, "The user lives in Berlin")
    assert "1 replaced" in err
    assert "dry run: nothing was changed" in err
    assert db.read_bytes() == before


def test_a_sweep_prints_its_changes_and_the_second_finds_nothing(db: Path) -> None:
    code, out, err = run(db, "--loss-budget", "0.5")
    action, new, gone, change = out.rstrip("\n").split("\t")
    assert (code, action, new[:4], gone.count("mem_"), change[:4]) == (0, "replace", "mem_", 2, "chg_")
    assert "1 memory fewer" in err
    assert run(db)[:2] == (0, "")


def test_a_refused_sweep_fails_and_says_what_to_do(db: Path) -> None:
    code, out, err = run(db, "--loss-budget", "0.1")
    assert (code, out) == (1, "")
    assert "look at them with --dry-run, then give a larger --loss-budget" in " ".join(err.split())


def test_json_holds_the_whole_result(db: Path) -> None:
    code, out, err = run(db, "--loss-budget", "0.5", "--json")
    told = json.loads(out)
    assert (code, err, told["status"], told["command"], told["count"]) == (0, "", "ok", "consolidate", 1)
    assert [change["action"] for change in told["data"]["changes"]] == ["replace"]


@pytest.mark.parametrize("words", [["--loss-budget", "2"], ["--batch", "0"], ["--area", "attic"]], ids=" ".join)
def test_what_is_not_understood(db: Path, words: list[str]) -> None:
    assert run(db, *words)[0] == 2


def test_a_cursor_of_nothing_is_an_error(db: Path) -> None:
    code, _, err = run(db, "--cursor", "c5")
    assert (code, "none of a sweep's" in err) == (1, True)
