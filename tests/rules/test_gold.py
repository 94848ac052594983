"""The gold floors, where the sets are at hand; and how their figures are counted and shown."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from benchmarks.gold_sets import Figure

pytestmark = pytest.mark.usefixtures("checkout")  # the benchmarks are not in the wheel

SETS = ("quality_gate", "extraction", "importance", "security")


def figures(name: str, records: list[dict[str, Any]]) -> list[Figure]:
    from benchmarks import gold

    made: list[Figure] = importlib.import_module(gold.SETS[name]).figures(records)
    return made


def written(folder: Path, name: str, records: list[dict[str, Any]]) -> Path:
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", SETS)
def test_the_floors_hold(name: str) -> None:
    from benchmarks.gold_sets import gold_folder, records

    folder = gold_folder()
    if folder is None:
        pytest.skip("the gold sets are absent: set MEMLITE_GOLD to their folder")
    found = figures(name, [dict(record) for record in records(folder, name)])
    assert found
    assert [(one.name, one.verdict, one.missed) for one in found if (one.verdict or "").startswith("FAIL")] == []


def test_every_set_is_judged() -> None:
    from benchmarks import gold

    assert set(SETS) <= set(gold.SETS)


# -- figures


def test_a_floor_names_what_speaks_against_it() -> None:
    from benchmarks.gold_sets import share

    judged = [("a", True), ("b", False), ("c", True), ("d", True)]
    found = share("found", judged, least=0.8)
    assert (found.count, found.of, found.rate, found.verdict, found.missed) == (3, 4, 0.75, "FAIL (>= 0.8)", ("b",))
    kept = share("kept", judged, wanted=False, most=0.8)
    assert (kept.rate, kept.verdict, kept.missed) == (0.75, "PASS (<= 0.8)", ("a", "c", "d"))
    nothing = share("nothing", [], least=0.8)
    assert (nothing.rate, nothing.verdict) == (None, None)


TALK: dict[str, Any] = {
    "id": "t-1",
    "split": "dev",
    "turns": [{"role": "user", "content": "I live in Turku and keep two geese."}],
    "expect": [{"any_of": [["Turku"]]}, {"any_of": [["swan"], ["ducks"]]}],
    "forbid": [["Turku", "geese"], ["Oslo"]],
    "expect_empty": False,
    "expect_solution": None,
}


@pytest.mark.parametrize(
    ("name", "record", "counted"),
    [
        pytest.param(
            "extraction",
            TALK,
            {"expected facts found": (1, 2), "forbidden lists violated": (1, 2), "no fact where none is wanted": (0, 0)},
            id="facts found and forbidden",
        ),
        pytest.param(
            "extraction",
            TALK | {"expect": [], "forbid": [], "expect_empty": True},
            {"no fact where none is wanted": (0, 1), "nothing at all where nothing is wanted": (0, 1)},
            id="a fact where none is wanted",
        ),
        pytest.param(
            "quality_gate",
            {"id": "q-1", "lang": "en", "text": "User is allergic to penicillin.", "accept": False, "reason": "agent_action"},
            {"accuracy": (0, 1), "kept of the noise kinds": (1, 1), "kept of agent_action": (1, 1)},
            id="kept against the label",
        ),
        pytest.param(
            "importance",
            {"id": "i-1", "text": "User is allergic to penicillin.", "band": "high"},
            {"in the band": (1, 1), "in the band, high": (1, 1), "in the band, low": (0, 0)},
            id="in its band",
        ),
        pytest.param(
            "security",
            {"id": "s-1", "text": "The password is hunter2.", "label": "benign", "kind": "lookalike"},
            {"secret: alarms at harmless texts": (1, 1), "pii: alarms at harmless texts": (0, 1), "secret: found": (0, 0)},
            id="an alarm",
        ),
    ],
)
def test_counts(name: str, record: dict[str, Any], counted: dict[str, tuple[int, int]]) -> None:
    found = {one.name: (one.count, one.of) for one in figures(name, [record])}
    assert {what: found[what] for what in counted} == counted


# -- the command


def test_without_sets_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.gold import main

    assert main(["--gold", str(tmp_path / "absent")]) == 0
    assert "no sets, nothing was measured" in capsys.readouterr().out


def test_a_floor_that_breaks_is_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.gold import main

    bad = {"id": "i-7", "split": "dev", "text": "User said good night.", "band": "high"}
    folder = written(tmp_path, "importance", [bad, bad | {"id": "i-8", "split": "held"}])
    assert main(["--gold", str(folder), "--set", "importance", "--missed"]) == 1
    out = capsys.readouterr().out
    assert "FAIL (>= 0.75)" in out
    assert "i-7" in out
    assert "i-8" not in out
    assert main(["--gold", str(folder), "--set", "quality_gate"]) == 0
    assert "no records of split dev" in capsys.readouterr().out
