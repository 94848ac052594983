"""Decisions no sane decider makes: whatever they say, nothing is removed that was not offered, and the new text is kept.

Most go through the plan alone; a few thousand are carried out in one store of two users, while others change what was offered.
Prints how many were made, what became of them, and how many broke an invariant.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import print_header, print_table
from memlite import Encoded, Memory, Record, Settings, SpaceInfo
from memlite.engine.kit import Mind, rules_distil
from memlite.ports import Deadline
from memlite.rules import guard, text
from memlite.rules.consolidate import PROTECTED, Limits, Plan, plan
from memlite.rules.decision import ACTIONS, Candidate, Decision, Ruling
from memlite.rules.tiers import is_document, may_replace

LIMITS = Limits(max_text_bytes=65_536)
ORIGINS = (
    "user_stated",
    "user_stated",
    "user_stated",
    "user_stated",
    "user_confirmed",
    "agent_inferred",
    "tool_output",
    "document",
    "import",
)
SUBJECTS = ("User", "User's sister", "The barn", "Project Teal", "用户", "用户的妈妈", "谷仓")
SAYINGS = (
    "weighs {n} kg",
    "lives in {name}",
    "does not eat {name} cheese",
    "is at {n} °C now",
    "met {name} in May",
    "的体重是 {n} 公斤",
    "现在住在{name}",
    "不再用 {name}",
)
NAMES = ("Aurich", "Ystad", "Emden", "Rust", "苏州", "无锡")
ALIASES: tuple[Any, ...] = (
    0,
    -1,
    1,
    1,
    1,
    2,
    2,
    3,
    4,
    5,
    99,
    2**70,
    10**5_000,
    True,
    False,
    1.0,
    "1",
    "all",
    None,
    [1],
    (1, 2),
    float("nan"),
)
HOSTILE: tuple[Any, ...] = (
    None,
    "None",
    [],
    {"id": "mem_x", "user_id": "bob", "area": "solutions", "origin": "user_stated", "pinned": True},
    {"a": float("nan"), "b": 2**80, "c": "\ud800", "\udfff": 1, "d": {"e": []}, 7: 8},
    {"tags": ["x" * 100, 3, None, "ok"], "historical_notes": ["forged"]},
    {f"k{n}": "v" * 200 for n in range(50)},
    {"deep": [[[[[]]]]]},
)
ODD_TEXTS: tuple[Any, ...] = (
    None,
    "",
    "  \n",
    "\x00",
    "half \ud83d",
    "x" * 70_000,
    42,
    b"bytes",
    ["a"],
    "a\u202eb",
    "delete everything",
)


def sentence(chance: random.Random) -> str:
    """A short statement about someone."""
    saying = chance.choice(SAYINGS).format(n=chance.randrange(1, 200), name=chance.choice(NAMES))
    return f"{chance.choice(SUBJECTS)} {saying}."


def memory(chance: random.Random, name: str) -> Record:
    """A memory with fields of all kinds."""
    content, at = sentence(chance), chance.randrange(1_000)
    return Record(
        id=name,
        user_id="alice",
        content=content,
        content_hash=text.content_hash(content).hex(),
        origin=chance.choice(ORIGINS),
        pinned=chance.random() < 0.1,
        created_ms=at,
        occurred_ms=at,
        version=chance.randrange(1, 5),
        expires_ms=chance.choice((None, None, 5_000)),
        importance=chance.random(),
        metadata={"tags": ["t"], "n": 1} if chance.random() < 0.3 else {},
    )


def offer(chance: random.Random) -> list[Candidate]:
    """One to four memories, some close and some not."""
    return [
        Candidate(
            alias=place,
            record=memory(chance, f"mem_{place}"),
            relevance=chance.choice((None, 0.70, 0.7499, 0.75, 0.9, 1.0)),
            coverage=chance.choice((0.0, 0.3, 0.5, 0.9)),
        )
        for place in range(1, chance.randrange(1, 5) + 1)
    ]


def decision(chance: random.Random, new: str, stored: Sequence[str]) -> Decision:
    """A decision as a confused or hostile model makes it: two of three parts of it are sound, so that some of them pass."""
    places = range(1, len(stored) + 1)
    chosen = chance.sample(places, chance.randrange(1, len(stored) + 1)) if chance.random() < 0.5 else [chance.choice(places)]
    odd = [chance.choice(ALIASES) for _ in range(chance.choice((0, 1, 2, 40)))]
    whole = " ".join([new, *(stored[place - 1] for place in chosen)])
    return Decision(
        action=chance.choice(ACTIONS[:3]) if chance.random() < 0.8 else chance.choice((*ACTIONS, "explode", "MERGE", None, 42)),  # type: ignore[arg-type]
        targets=tuple(chosen) if chance.random() < 0.7 else tuple(odd),
        text=chance.choice((None, new, whole))
        if chance.random() < 0.7
        else chance.choice((*stored, *ODD_TEXTS, sentence(chance))),
        reasoning=chance.choice(("", "because", "half \ud83d", "and " * 5_000)),
        metadata=chance.choice(HOSTILE),
    )


def broken(new: Record, offered: Sequence[Candidate], made: Plan) -> list[str]:
    """The invariants that a plan breaks."""
    known = {candidate.alias: candidate for candidate in offered}
    wrong = []
    if any(known.get(target.alias) is not target for target in made.targets):
        wrong.append("touches what was not offered")
    if len({target.record.id for target in made.targets}) < len(made.targets):
        wrong.append("touches one twice")
    for target in made.targets:
        old = target.record
        if old.pinned or is_document(old.origin) != is_document(new.origin) or not may_replace(new.origin, old.origin):
            wrong.append("touches what is pinned, a document's or more trusted")
        if made.action == "replace" and target.relevance is not None and target.relevance < LIMITS.replace_floor:
            wrong.append("replaces what is not alike")
    if not made.targets and made.record != new:
        wrong.append("rewrites the new text for nothing")
    if made.action == "merge" and guard.lost_by_merge(
        made.record.content, [new.content, *(t.record.content for t in made.targets)]
    ):
        wrong.append("loses something by a merge")
    if made.targets and guard.lost_by_change(made.record.content, new.content, new.content):
        wrong.append("loses something of the new text")
    if made.record.user_id != new.user_id or made.record.area != new.area:
        wrong.append("moves it elsewhere")
    given = {key for record in (new, *(t.record for t in made.targets)) for key in record.metadata}
    if set(made.record.metadata) & PROTECTED - given:
        wrong.append("forges where it came from")
    return wrong


def planned(count: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Plans made of `count` decisions: what became of them, and what they broke."""
    chance = random.Random(seed)
    became, wrong = Counter[str](), Counter[str]()
    for _ in range(count):
        new, offered = memory(chance, "mem_new"), offer(chance)
        made = plan(new, offered, decision(chance, new.content, [c.record.content for c in offered]), LIMITS)
        became[made.reason or f"done: {made.action}"] += 1
        wrong.update(broken(new, offered, made))
    return became, wrong


class Alike:
    """An embedder for which all texts are nearly the same."""

    def __init__(self) -> None:
        digest = hashlib.sha256(b"alike").hexdigest()
        self.info = SpaceInfo(model="alike", dimension=8, model_sha256=digest, tokenizer_sha256=digest, max_tokens=50)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Vectors close to one axis; a text whose hash ends in 0 has none."""
        return [self._encoded(hashlib.sha256(each.encode()).digest()) for each in texts]

    @staticmethod
    def _encoded(digest: bytes) -> Encoded:
        if digest[0] % 16 == 0:
            return Encoded(vector=None, unknown_share=1.0)
        vector = np.array([200, *digest[1:8]], np.float32)
        return Encoded(vector=vector / np.linalg.norm(vector))


class Hostile:
    """A decider that says anything, while somebody changes what it was offered."""

    def __init__(self, chance: random.Random, meddle: Callable[[Record], object]) -> None:
        self._chance, self._meddle = chance, meddle
        self.offered: set[str] = set()
        self.new = ""

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:  # noqa: ARG002 - the port's
        """A ruling without sense."""
        self.offered |= {candidate.record.id for candidate in offered}
        if self._chance.random() < 0.1:
            self._meddle(offered[0].record)
        made = decision(self._chance, new.content, [candidate.record.content for candidate in offered])
        return Ruling(decision=made, decider="hostile", reply="\ud800" if self._chance.random() < 0.2 else None)


def carried_out(count: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """`count` texts added to one store under hostile decisions: what became of them, and what was broken."""
    chance = random.Random(seed)
    became, wrong = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="memlite-decisions-") as folder:
        path = Path(folder, "memory.db")
        with Memory(path, embedder=Alike(), settings=Settings(durability="normal")) as store:
            store.add([sentence(chance) for _ in range(20)], infer=False, user_id="bob")
            others = store.get_all(user_id="bob", limit=100)
            decider = Hostile(chance, lambda record: store.update(record.id, f"Somebody says: {sentence(chance)}"))
            store._kit = dataclasses.replace(store._kit, mind=Mind(lambda: decider, rules_distil))
            for _ in range(count):
                became[_step(store, decider, chance, wrong)] += 1
            if store.get_all(user_id="bob", limit=100) != others:
                wrong["another user's memories changed"] += 1
            wrong.update(problem["code"] for problem in store.check())
    return became, wrong


def _step(store: Memory, decider: Hostile, chance: random.Random, wrong: Counter[str]) -> str:
    before = {entry["id"] for entry in store.get_all(limit=1_000)["results"]}
    decider.offered.clear()
    content = sentence(chance)
    options: dict[str, Any] = {"origin": chance.choice(ORIGINS), "pinned": chance.random() < 0.05}
    stored = store.add(content, **options)["results"]
    after = {entry["id"]: entry["memory"] for entry in store.get_all(limit=1_000)["results"]}
    if (before - after.keys()) - decider.offered:
        wrong["removed what was not offered"] += 1
    kept = after.get(stored[0]["id"])
    if kept is None:
        wrong["the new memory is not there"] += 1
    elif kept != content and stored[0]["event"] != "NONE" and guard.lost_by_change(kept, content, content):
        wrong["the new text is not answered for"] += 1
    if len(after) > 60:  # keep the scope small, so that each is offered now and then
        store.delete(chance.choice(sorted(after)))
    told = store.history(stored[0]["id"])[-1]["ruling"] if stored[0]["event"] != "NONE" else None
    return str(told["reason"] or f"done: {stored[0]['action']}") if told else "the same text"


def main(argv: Sequence[str] = ()) -> int:
    """Prints the counts; 0 if nothing was broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks decisions", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="decisions that are planned")
    parser.add_argument("--stored", type=int, default=3_000, help="decisions that are carried out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a hundredth of both")
    given = parser.parse_args(argv)
    share = 100 if given.quick else 1
    print_header("Hostile decisions")
    fine = _told("planned", *planned(given.count // share, given.seed))
    fine &= _told("carried out", *carried_out(given.stored // share, given.seed))
    return 0 if fine else 1


def _told(what: str, became: Counter[str], wrong: Counter[str]) -> bool:
    print_table(("outcome", "count"), became.most_common(), title=f"{became.total():,} decisions {what}")
    verdict = "PASS: none broke an invariant" if not wrong else "FAIL: " + ", ".join(f"{n}: {c}" for n, c in wrong.most_common())
    print(f"\n{verdict}", flush=True)
    return not wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
