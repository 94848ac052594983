"""`memlite demo`: a conversation is stored, distilled and asked about, with no network and no chat model unless one is named."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memlite import resources
from memlite.apps.demo import shown, steps
from memlite.apps.demo.steps import Answer, Decision, TakenBack
from memlite.apps.terminal.shell import Report, Shell
from memlite.errors import BadInput
from memlite.rules.times import to_ms

if TYPE_CHECKING:
    from memlite.memory import Memory
    from memlite.ports import Chat

NEEDED = 8
"""Answers of ten that must be among the first three."""

_HOUR_MS = 3_600_000


def demo(
    shell: Shell,
    keep: Annotated[Path | None, typer.Option(metavar="PATH", help="Keep the file there instead of removing it.")] = None,
) -> Report:
    """Store a conversation of several weeks, distil it, take one decision back, and answer ten questions from it.

    No network. Rules distil and decide, or with MEMLITE_CHAT=ollama:MODEL a local Ollama model.
    Exit code 1 when fewer than eight of the ten answers are among the first three memories found, or an undo restores less
    than everything.
    """
    from memlite.memory import Memory  # noqa: PLC0415 - slow to load

    started = time.perf_counter()
    turns = _lines("demo/conversation.jsonl")
    asked_ms = max(to_ms(turn["timestamp"], what="timestamp") for turn in turns) + _HOUR_MS
    screen = shell.screen
    chat = _chat(shell)
    with _place(keep) as path, Memory(path, clock=lambda: asked_ms, chat=chat) as memory:
        with shell.notes.progress("Storing and distilling the conversation", len(turns)) as advance:
            decisions, failed = steps.store(memory, turns, advance)
        by = "rules" if chat is None else chat.name
        shown.introduce(screen, turns, memory.stats(), time.perf_counter() - started)
        shown.distilled(screen, decisions, by, failed)
        taken_back = steps.take_back(memory, decisions)
        problems = memory.check()
        shown.taken_back(screen, taken_back, problems)
        answers = []
        for place, line in enumerate(_lines("demo/questions.jsonl"), start=1):
            answers.append(steps.ask(memory, line["question"], line["expects"], line.get("fact")))
            shown.answer(screen, place, answers[-1])
        data = {
            **_answered(answers),
            "distilled": _distilled(decisions, by, failed),
            "undo": _undone(taken_back),
            "sound": not problems and (taken_back is None or (taken_back.restored and taken_back.redone)),
            **_figures(memory, time.perf_counter() - started, keep),
        }
    passed = data["in_top_3"] >= NEEDED and data["sound"]
    return Report(data=data, count=len(answers), show=lambda screen: shown.close(screen, data, passed=passed), passed=passed)


def _chat(shell: Shell) -> Chat | None:
    with shell.notes.working("Waking the model"):
        chat, why_not = steps.chat_from(os.environ)
    if why_not is not None:
        shell.notes.say(f"MEMLITE_CHAT={os.environ['MEMLITE_CHAT']} is not used, rules decide: {why_not}", style="yellow")
    return chat


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="memlite-demo-", ignore_cleanup_errors=True) as folder:
            yield Path(folder) / "memory.db"
        return
    if keep.exists():
        raise BadInput(f"{keep} exists already and the demo starts with an empty file: name another")
    yield keep


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in resources.text(name).split("\n") if line]


def _answered(answers: list[Answer]) -> dict[str, Any]:
    told = [
        {
            "question": answer.question,
            "expects": answer.expects,
            "rank": answer.rank,
            "found": answer.found,
            "results": [_brief(hit) for hit in answer.hits],
        }
        for answer in answers
    ]
    return {
        "questions": told,
        "at_rank_1": sum(answer.rank == 1 for answer in answers),
        "in_top_3": sum(answer.rank is not None for answer in answers),
        "found_in": dict(Counter(answer.found for answer in answers if answer.found is not None)),
    }


def _brief(hit: Mapping[str, Any]) -> dict[str, Any]:
    return {name: hit[name] for name in ("memory", "occurred_at", "score", "parts")} | {"what": steps.what(hit)}


def _distilled(decisions: list[Decision], by: str, failed: str | None) -> dict[str, Any]:
    told = [
        {
            "event": one.event,
            "action": one.action,
            "why": one.why,
            "area": one.area,
            "memory": one.memory,
            "before": list(one.before.values()),
            "change_id": one.change_id,
        }
        for one in decisions
    ]
    return {"by": by, "failed": failed, "actions": dict(Counter(one.action for one in decisions)), "decisions": told}


def _undone(taken_back: TakenBack | None) -> dict[str, Any] | None:
    if taken_back is None:
        return None
    return {
        "change_id": taken_back.decision.change_id,
        "action": taken_back.decision.action,
        "texts": taken_back.texts,
        "compared": taken_back.compared,
        "restored": taken_back.restored,
        "redone": taken_back.redone,
    }


def _figures(memory: Memory, seconds: float, keep: Path | None) -> dict[str, Any]:
    stats = memory.stats()
    return {
        "memories": stats["memories"],
        "vectors": stats["vectors"],
        "file_bytes": stats["file_bytes"],
        "seconds": round(seconds, 3),
        "kept": None if keep is None else str(keep),
    }
