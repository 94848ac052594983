"""What becomes of the gold memories: each case in a store of its own, through the public API, with discovery on.

The stored memories go in as they are, then the new text is added. Compared are the action with those a reviewer would accept,
and the store afterwards with what it must, may and must not say:

- A fact is *recoverable* where one memory holds all its telling words (one wording of `A || B` is enough; in Chinese, all parts
  between spaces). `scattered` counts those whose words stand in the store, but in no single memory.
- A fact that is gone is *presented as current* where one sentence of a memory that need not be kept holds all its telling words
  in their order ("Ida owns search" is not in "Tom owns search, Ida owns ads") without denying them. A sentence denies with a
  negation or a word of the past that the fact itself has not ("no longer", "until", "不再"). Metadata presents nothing:
  historical notes are not read.
- skip and keep_separate do the same and count for each other; storing nothing counts where the case allows it.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.gold_sets import Figure, share
from memlite import Memory, Settings
from memlite.embedding.onnx import OnnxEmbedder
from memlite.rules.terms import ENGLISH_STOP_WORDS
from memlite.testing import ScriptedChat

FLOORS = {"kept": 1.0, "recovered": 0.97, "accepted en": 0.70, "accepted zh": 0.60}
MOST_STALE = 0.35
TARGETS = {"stale": 0.15, "accepted en": 0.85, "accepted zh": 0.85}

_LATIN = re.compile(r"[^\W_]+")
_CJK = re.compile("[\u3400-\u9fff]")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。！？；;]")
_DENIES = re.compile(
    r"\b(?:not|no|never|nothing|without|until|till|formerly|previously|used to|was|were|wrong|cancelled|stopped|gave up|"
    r"dropped)\b|n't\b|instead of|rather than|不|没|无|曾|以前|之前|原来|取消|停|放弃|改"
)
_FILE_NAME = re.compile(r"^[^\s:：]+\.\w{2,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What became of one case. The tuples hold the facts or ids behind each shortfall."""

    id: str
    kind: str
    lang: str
    action: str
    requested: str | None
    reason: str | None
    accepted: bool
    facts: int
    gone: int
    keeps: int
    lost: tuple[str, ...]
    scattered: tuple[str, ...]
    stale: tuple[str, ...]
    touched: tuple[str, ...]
    store: tuple[str, ...]


def judged(records: Iterable[Mapping[str, Any]], *, best: bool = False) -> list[Case]:
    """Every record carried out in a store of its own; with `best` by a model that gives the best answer there is."""
    embedder = OnnxEmbedder.minilm()
    with tempfile.TemporaryDirectory(prefix="memlite-gold-") as name:
        return [
            _case(record, Path(name, f"{place}.db"), embedder, _best_answers(record) if best else None)
            for place, record in enumerate(records)
        ]


def figures(records: Sequence[Mapping[str, Any]]) -> list[Figure]:
    """What the rules do with the cases, and what a perfect model's answers come to under the same checks."""
    by_rules, by_model = judged(records), judged(records, best=True)
    return [*_by_rules(by_rules), *_by_model(by_model)]


def _by_rules(cases: Sequence[Case]) -> Iterator[Figure]:
    for lang in ("en", "zh"):
        some = [(case.id, case.accepted) for case in cases if case.lang == lang]
        name = f"accepted {lang}"
        yield share(f"action accepted, {lang}", some, least=FLOORS[name], target=TARGETS[name])
    lost = {case.id: len(case.lost) + len(case.scattered) for case in cases}
    facts = sum(case.facts for case in cases)
    yield _counted("facts recoverable", facts - sum(lost.values()), facts, lost, least=FLOORS["recovered"])
    stale = {case.id: len(case.stale) for case in cases}
    gone = sum(case.gone for case in cases)
    yield _counted("overtaken facts still current", sum(stale.values()), gone, stale, most=MOST_STALE, target=TARGETS["stale"])
    yield _touched("must stay, touched", cases)


def _by_model(cases: Sequence[Case]) -> Iterator[Figure]:
    some = [(case.id, case.accepted) for case in cases]
    yield share("best answers: action accepted after the checks", some)
    lost = {case.id: len(case.lost) for case in cases}
    facts = sum(case.facts for case in cases)
    yield _counted("best answers: facts in the store", facts - sum(lost.values()), facts, lost, least=FLOORS["recovered"])
    yield _touched("best answers: must stay, touched", cases)


def _touched(name: str, cases: Sequence[Case]) -> Figure:
    touched = {case.id: len(case.touched) for case in cases}
    return _counted(name, sum(touched.values()), sum(case.keeps for case in cases), touched, most=0.0)


def _counted(name: str, count: int, of: int, short: Mapping[str, int], **limits: float) -> Figure:
    return Figure(name=name, count=count, of=of, missed=tuple(id_ for id_, number in short.items() if number), **limits)


def _best_answers(record: Mapping[str, Any]) -> ScriptedChat:
    """A model that knows the labels: the best action, on what the case is about, with a text that keeps what must be kept."""
    cores = [old["content"] for old in record["existing"] if old["id"] in record["core_ids"]]
    new = record["new"]["content"]

    def decide(_: str, message: str) -> str:
        lines = [json.loads(line) for line in message.splitlines() if line.startswith("{")]
        offered = [line for line in lines if "alias" in line and line["text"] in cores]
        action = record["acceptable"][0] if offered else "keep_separate"
        if action == "update":
            offered = offered[:1]
        texts = [line["text"] for line in offered]
        text = _best_text(record, action, new, texts) if action in ("merge", "replace", "update") else ""
        targets = [line["alias"] for line in offered] if text else []
        return json.dumps({"reasoning": "as labelled", "action": action, "targets": targets, "text": text}, ensure_ascii=False)

    return ScriptedChat([json.dumps({"keywords": []}), decide])


def _best_text(record: Mapping[str, Any], action: str, new: str, olds: Sequence[str]) -> str:
    """The new text alone where nothing that must stay is lost by it, else all of them."""
    wanted = [fact for fact in record["facts_after"] if _held(fact, [new, *olds])]
    if action != "merge" and all(_held(fact, [new]) for fact in wanted):
        return new
    return " ".join(text if text.endswith((".", "。")) else f"{text}." for text in (*olds, new))


def _case(record: Mapping[str, Any], path: Path, embedder: OnnxEmbedder, chat: ScriptedChat | None = None) -> Case:
    with Memory(path, embedder=embedder, chat=chat, settings=Settings(durability="normal")) as memory:
        ids = {old["id"]: _add(memory, old, infer=False)["id"] for old in record["existing"]}
        before = {gold_id: memory.get(memory_id) for gold_id, memory_id in ids.items()}
        stored = _add(memory, record["new"], infer=True)
        after = {entry["id"]: entry for entry in memory.get_all(limit=100)["results"]}
        history = memory.history(stored["id"])[-1]
    keeps = record["must_keep_ids"]
    said = {memory_id: entry["memory"] for memory_id, entry in after.items()}
    free = [text for memory_id, text in said.items() if memory_id not in {ids[gold_id] for gold_id in keeps}]
    missing = [fact for fact in record["facts_after"] if not _held(fact, said.values())]
    everything = " \n ".join(said.values())
    action = "none" if stored["event"] == "NONE" else stored["action"]
    return Case(
        id=record["id"],
        kind=record["kind"],
        lang=record["lang"],
        action=action,
        requested=(history["ruling"] or {}).get("requested"),
        reason=stored["reason"],
        accepted=_accepted(action, record),
        facts=len(record["facts_after"]),
        gone=len(record["facts_gone"]),
        keeps=len(keeps),
        lost=tuple(fact for fact in missing if not _held(fact, [everything])),
        scattered=tuple(fact for fact in missing if _held(fact, [everything])),
        stale=tuple(fact for fact in record["facts_gone"] if any(_presents(text, fact) for text in free)),
        touched=tuple(gold_id for gold_id in keeps if after.get(ids[gold_id]) != before[gold_id]),
        store=tuple(said.values()),
    )


def _add(memory: Memory, said: Mapping[str, Any], *, infer: bool) -> dict[str, Any]:
    options: dict[str, Any] = {"origin": "user_stated"}
    if said["source"] == "knowledge":
        name = _FILE_NAME.match(said["content"])
        options = {"origin": "document", "metadata": {"source_file": name[0]} if name else {}}
    found: dict[str, Any] = memory.add(said["content"], infer=infer, occurred_at=said["created_at"], **options)["results"][0]
    return found


def _accepted(action: str, record: Mapping[str, Any]) -> bool:
    if action == "none":
        return bool(record["noop_ok"])
    alike = {"skip", "keep_separate"}
    return action in record["acceptable"] or (action in alike and bool(alike & set(record["acceptable"])))


def _held(fact: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts holds every part of one wording."""
    wordings = [_parts(wording) for wording in fact.split("||")]
    return any(_has(text, parts) for text in texts for parts in wordings)


def _presents(text: str, fact: str) -> bool:
    wordings = fact.split("||")
    denials = {match.casefold() for match in _DENIES.findall(fact.casefold())}
    for sentence in filter(None, _SENTENCE.split(text)):
        if set(_DENIES.findall(sentence.casefold())) - denials:
            continue
        if any(_in_order(sentence, _parts(wording)) for wording in wordings):
            return True
    return False


def _parts(wording: str) -> list[str]:
    if _CJK.search(wording):
        return [part.casefold() for part in wording.split()]
    words = _LATIN.findall(wording.casefold())
    return [word for word in words if word not in ENGLISH_STOP_WORDS] or words


def _has(text: str, parts: Iterable[str]) -> bool:
    plain = text.casefold()
    words = set(_LATIN.findall(plain))
    return all(part in words or (_CJK.search(plain) is not None and part in plain) for part in parts)


def _in_order(text: str, parts: Sequence[str]) -> bool:
    plain, at = text.casefold(), 0
    for part in parts:
        found = plain.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return _has(text, parts)
