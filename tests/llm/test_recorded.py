"""Real models' wrong answers as they were recorded: each becomes a ruling, an extraction or a ReplyError; nothing invented stays.

The records are not part of the repository: $MEMLITE_ANSWERS names their folder, else `shared/bench/ollama` beside the checkout.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memlite.errors import ReplyError
from memlite.llm.decider import LLMDecider
from memlite.llm.distiller import LLMDistiller
from memlite.model import Record
from memlite.ports import Deadline
from memlite.rules.decision import ACTIONS, Candidate
from memlite.rules.distil.dialogue import Turn
from memlite.testing import ScriptedChat

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "bench" / "ollama"

# The talks and pairs the models were shown, told again: the records hold the answers only.
TALKS = [
    "I'm Dana, I live in Lisbon and I'm allergic to peanuts. Can you suggest a dinner?",
    "We deploy to staging every Friday. The staging host is stg-07, and only Omar has root.",
    "Thanks for the information, have a nice day!",
    "Je préfère les réunions le matin, merci.",
    "What is 17 * 23?",
    "我叫李雷，在杭州工作，用Go写后端。今天天气不错。",
    "下周我要去东京出差 (Tokyo).",
    "The project is on Postgres 15 and we can't upgrade before March because of the audit.",
    "I switched from coffee to green tea last year for health reasons.",
    "Write a unit test for the function add(a, b).",
]
PAIRS = [
    ("The user lives in Berlin.", "The user moved to Munich last month."),
    ("The user likes black coffee.", "User enjoys coffee black."),
    ("The user works at Acme.", "The user's dog is called Rex."),
    ("The API uses OAuth2.", "The API uses OAuth2 with 1-hour tokens."),
    ("Project Orion is written in Rust.", "Project Orion uses SQLite for storage."),
    ("The deadline is 3 May.", "The deadline is now 17 May."),
    ("用户住在上海。", "用户已经搬到深圳。"),
    ("用户喜欢喝绿茶。", "用户爱喝绿茶。"),
    ("To restart nginx run systemctl restart nginx.", "The user prefers dark mode in editors."),
    ("Backups run nightly at 02:00.", "Backups run nightly at 02:00 and are kept for 30 days."),
]
FROM_THE_RECORDERS_EXAMPLE = ("Tom", "Acme", "Alex")


def folder() -> Path:
    named = os.environ.get("MEMLITE_ANSWERS")
    place = Path(named) if named else BESIDE
    if not any(place.glob("tasks_*.json")):
        pytest.skip("the recorded answers are absent: set MEMLITE_ANSWERS to the folder that holds tasks_*.json")
    return place


def records(task: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(model, number of the task from 0, record) of each answer."""
    for path in sorted(folder().glob("tasks_*.json")):
        of_task = [record for record in json.loads(path.read_text(encoding="utf-8")) if record["task"] == task]
        yield from ((path.stem, number, record) for number, record in enumerate(of_task))


def extracted(talk: str, reply: str) -> list[str]:
    chat = ScriptedChat([reply, '{"solutions": []}'])
    distilled = LLMDistiller(chat).extract([Turn("user", talk)], now_ms=1_772_323_200_000, deadline=Deadline(60))
    return [fact.text for fact in distilled.extraction.facts]


def test_facts_in_the_form_of_the_record_are_refused() -> None:
    refused = 0
    for _, number, record in records("facts"):
        if record["j"]["facts"]:
            with pytest.raises(ReplyError):
                extracted(TALKS[number], record["raw"])
            refused += 1
        else:
            assert extracted(TALKS[number], record["raw"]) == []
    assert refused >= 20


def test_no_invented_name_or_number_gets_through() -> None:
    kept, dropped = [], []
    for _, number, record in records("facts"):
        texts = list(dict.fromkeys(record["j"]["facts"]))
        reply = json.dumps({"facts": [{"text": text, "subject": "user", "turns": [1]} for text in texts]})
        found = extracted(TALKS[number], reply)
        kept += found
        dropped += [text for text in texts if text not in found]
    assert [text for text in kept if any(name in text for name in FROM_THE_RECORDERS_EXAMPLE)] == []
    assert [text for text in kept if "421" in text or "391" in text] == [], "a product nobody gave"
    for right in ("Dana lives in Lisbon.", "The user's name is李雷.", "The staging host is stg-07."):
        assert right in kept
    assert len(kept) >= 20
    assert len(dropped) >= 12


def test_decisions_in_the_form_of_the_record_are_refused() -> None:
    count = 0
    for _, number, record in records("cons"):
        with pytest.raises(ReplyError):
            decided(number, record["raw"])
        count += 1
    assert count == 30


def test_every_decision_is_a_ruling_or_a_reply_error() -> None:
    outcomes = []
    for _, number, record in records("cons"):
        answer = record["j"]
        reply = {
            "reasoning": answer["reasoning"],
            "action": answer["action"],
            "targets": [1],
            "text": answer["new_memory_content"],
        }
        try:
            ruling = decided(number, json.dumps(reply))
        except ReplyError:
            outcomes.append("refused")
        else:
            assert ruling.decision.action in ACTIONS
            assert ruling.decision.text is None or ruling.decision.text.strip()
            outcomes.append(ruling.decision.action)
    assert len(outcomes) == 30
    assert {"merge", "replace", "update"} <= set(outcomes)


def decided(number: int, reply: str) -> Any:
    old, new = (Record(id=f"mem_{place}", user_id="u", content=text) for place, text in enumerate(PAIRS[number]))
    offered = [Candidate(alias=1, record=old, relevance=0.8, coverage=0.5)]
    return LLMDecider(ScriptedChat([reply])).decide(new, offered, deadline=Deadline(60))
