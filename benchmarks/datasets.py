"""Public conversations with questions whose answers are known, read from a folder that is not part of the project.

Two sets, laid out as their sources have them:

    DIR/locomo/locomo10.json                                  LoCoMo (snap-research/LoCoMo, CC BY-NC 4.0)
    DIR/memorybank/memory_bank_{cn,en}.json                   MemoryBank-SiliconFriend (MIT)
    DIR/memorybank/evidence_{cn,en}.json                      which rounds answer each of its questions

One memory is one turn of LoCoMo or one round (what the user said and the answer) of MemoryBank. A question's gold set is the ids
of the memories that hold its answer; a ranking is the ids a search returned, best first.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SETS = ("locomo", "memorybank-cn", "memorybank-en")
SPLITS = ("all", "dev", "test")

_LOCOMO_HELD_OUT = frozenset({"conv-47", "conv-48", "conv-49", "conv-50"})
_MEMORYBANK_DEV = 7  # users before this place are for development
_LOCOMO_CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop"}
_ADVERSARIAL = 5  # asks about the wrong speaker on purpose: no answer is right
_SIDES = {"cn": ("用户：", "AI伴侣："), "en": ("User: ", "AI companion: ")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is stored as one memory. `session` names the session it belongs to; sessions and turns come in order."""

    id: str
    session: str
    speaker: str
    content: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the ids of the turns that answer it, at least one."""

    text: str
    gold: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One store's worth: everything two people said, and what is asked about it."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def asked_at(self) -> datetime:
        """When the questions are asked: one hour after the last turn."""
        return max(turn.at for turn in self.turns) + timedelta(hours=1)

    @property
    def sessions(self) -> dict[str, str]:
        """The session of each turn, by id."""
        return {turn.id: turn.session for turn in self.turns}


# ------------------------------------------------------------------------------------------------ reading


def data_folder(given: Path | None = None) -> Path | None:
    """The folder with the sets: `given`, else $MEMLITE_DATA, else `shared/data` beside the checkout; None where it is absent."""
    beside = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    folder = given or Path(os.environ.get("MEMLITE_DATA") or beside)
    return folder if folder.is_dir() else None


def conversations(name: str, folder: Path, split: str = "all") -> list[Conversation]:
    """The conversations of a set; none where its files are not in the folder.

    Args:
        name: locomo, memorybank-cn or memorybank-en.
        folder: holds `locomo/` and `memorybank/`.
        split: all, dev, or test (conversations 47 to 50 of LoCoMo; users from the eighth on of MemoryBank).
    """
    if name == "locomo":
        found = _locomo(folder / "locomo")
        held_out = {conversation.id for conversation in found} & _LOCOMO_HELD_OUT
    else:
        found = _memorybank(folder / "memorybank", name.removeprefix("memorybank-"))
        held_out = {conversation.id for conversation in found[_MEMORYBANK_DEV:]}
    return [one for one in found if split == "all" or (one.id in held_out) == (split == "test")]


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _locomo(folder: Path) -> list[Conversation]:
    path = folder / "locomo10.json"
    return [_locomo_conversation(sample) for sample in _read(path)] if path.is_file() else []


def _locomo_conversation(sample: Mapping[str, Any]) -> Conversation:
    talk = sample["conversation"]
    numbers = sorted(int(key[len("session_") :]) for key in talk if re.fullmatch(r"session_\d+", key))
    turns = []
    for number in numbers:
        at = _locomo_time(talk[f"session_{number}_date_time"])
        for said in talk[f"session_{number}"]:
            photo = f" [photo: {said['blip_caption']}]" if said.get("blip_caption") else ""
            content = f"{said['speaker']}: {said['text'].strip()}{photo}"
            turns.append(Turn(id=said["dia_id"], session=str(number), speaker=said["speaker"], content=content, at=at))
    known = {turn.id for turn in turns}
    questions = [
        Question(text=item["question"], gold=gold, category=_LOCOMO_CATEGORIES[item["category"]])
        for item in sample["qa"]
        if item["category"] != _ADVERSARIAL and (gold := _evidence(item.get("evidence", []), known))
    ]
    return Conversation(id=sample["sample_id"], turns=tuple(turns), questions=tuple(questions))


def _evidence(given: Sequence[str], known: set[str]) -> frozenset[str]:
    """The turn ids in LoCoMo's evidence, which also has `D8:6; D9:17`, `D:11:26`, `D30:05`, `D`, and ids of no turn."""
    named = (match for text in given for match in re.findall(r"D:?(\d+):(\d+)", text))
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in named) & known


def _locomo_time(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023` as a time. No zone is given; UTC does."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def _memorybank(folder: Path, language: str) -> list[Conversation]:
    bank, labels = folder / f"memory_bank_{language}.json", folder / f"evidence_{language}.json"
    if not bank.is_file() or not labels.is_file():
        return []
    evidence = _read(labels)
    return [_memorybank_conversation(name, user, evidence[name], language) for name, user in _read(bank).items()]


def _memorybank_conversation(name: str, user: Mapping[str, Any], asked: Sequence[Any], language: str) -> Conversation:
    mine, theirs = _SIDES[language]
    turns = [
        Turn(
            id=f"{day}#{place}",
            session=day,
            speaker=name.strip(),
            content=f"{mine}{talk['query'].strip()} {theirs}{talk['response'].strip()}",
            at=datetime.fromisoformat(day).replace(tzinfo=UTC),
        )
        for day, rounds in user["history"].items()
        for place, talk in enumerate(rounds, 1)
    ]
    questions = [
        Question(text=item["question"], gold=frozenset(item["evidence"]), category=item["kind"])
        for item in asked
        if item["evidence"]
    ]
    return Conversation(id=name.strip(), turns=tuple(turns), questions=tuple(questions))


# ------------------------------------------------------------------------------------------------ measuring

METRICS = (
    "recall@5",
    "recall@10",
    "recall@20",
    "hit@5",
    "hit@10",
    "hit@20",
    "all@10",
    "MRR",
    "NDCG@10",
    "session-hit@5",
    "session-hit@10",
)
"""recall@k: share of the gold memories in the top k; hit@k: any of them; all@10: every one. MRR: 1 / rank of the first, 0 where
the ranking ends before. NDCG@10: with a gain of 1 each. session-hit@k: any of their sessions, ranked by their best memory."""


def measure(ranking: Sequence[str], gold: frozenset[str], sessions: Mapping[str, str]) -> dict[str, float]:
    """Each of `METRICS` for one question, in [0, 1].

    >>> found = measure(["b", "a", "c"], frozenset({"a", "z"}), {"a": "1", "b": "1", "c": "2", "z": "3"})
    >>> found["recall@5"], found["hit@5"], found["all@10"], found["MRR"], found["session-hit@5"]
    (0.5, 1.0, 0.0, 0.5, 1.0)
    """
    right = [place for place, memory in enumerate(ranking, 1) if memory in gold]
    found: dict[str, float] = {}
    for k in (5, 10, 20):
        inside = sum(place <= k for place in right)
        found[f"recall@{k}"] = inside / len(gold)
        found[f"hit@{k}"] = float(inside > 0)
    found["all@10"] = float(found["recall@10"] == 1.0)
    found["MRR"] = 1 / right[0] if right else 0.0
    best = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(gold)) + 1))
    found["NDCG@10"] = sum(1 / math.log2(place + 1) for place in right if place <= 10) / best
    order = list(dict.fromkeys(sessions[memory] for memory in ranking))
    wanted = {sessions[memory] for memory in gold}
    for k in (5, 10):
        found[f"session-hit@{k}"] = float(not wanted.isdisjoint(order[:k]))
    return found


def mean(values: Sequence[float]) -> float:
    """Their mean; NaN for none."""
    return sum(values) / len(values) if values else math.nan


def interval(values: Sequence[float], rounds: int = 2_000) -> tuple[float, float]:
    """The 95 % bootstrap interval of their mean. Same values, same interval; (NaN, NaN) for none."""
    import numpy as np

    if not values:
        return math.nan, math.nan
    array = np.array(values)
    means = array[np.random.default_rng(0).integers(0, len(array), (rounds, len(array)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
