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

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import print_header, print_table, verdict
from memlite import Memory, Settings
from memlite.embedding.onnx import OnnxEmbedder
from memlite.rules.terms import ENGLISH_STOP_WORDS

FILE = "consolidation.jsonl"
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


def measure(folder: Path) -> dict[str, Any]:
    """Counts over the cases of `folder`, each with what it is a part of.

    Returns:
        `accepted` of `cases` by language; `recovered` and `scattered` of `facts`; `stale` of `gone` (facts that should no longer
        be presented as current); `touched` of `keeps` (memories that must stay and were removed or changed); and every `Case`
        under `each`.
    """
    lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
    return summed(judged([json.loads(line) for line in lines]))


def judged(records: Iterable[Mapping[str, Any]]) -> list[Case]:
    """Every record carried out in a store of its own."""
    embedder = OnnxEmbedder.minilm()
    with tempfile.TemporaryDirectory(prefix="memlite-gold-") as name:
        return [_case(record, Path(name, f"{place}.db"), embedder) for place, record in enumerate(records)]


def summed(cases: Sequence[Case]) -> dict[str, Any]:
    """The counts of some cases."""
    languages = {case.lang for case in cases}
    lost = sum(len(case.lost) for case in cases)
    facts = sum(case.facts for case in cases)
    return {
        "cases": {lang: sum(case.lang == lang for case in cases) for lang in sorted(languages)},
        "accepted": {lang: sum(case.accepted for case in cases if case.lang == lang) for lang in sorted(languages)},
        "facts": facts,
        "recovered": facts - lost - sum(len(case.scattered) for case in cases),
        "scattered": sum(len(case.scattered) for case in cases),
        "gone": sum(case.gone for case in cases),
        "stale": sum(len(case.stale) for case in cases),
        "keeps": sum(case.keeps for case in cases),
        "touched": sum(len(case.touched) for case in cases),
        "each": list(cases),
    }


def _case(record: Mapping[str, Any], path: Path, embedder: OnnxEmbedder) -> Case:
    with Memory(path, embedder=embedder, settings=Settings(durability="normal")) as memory:
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


def main(argv: Sequence[str] = ()) -> int:
    """Prints the figures and a table by kind; 0 if every floor held."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gold_consolidation", description=__doc__)
    parser.add_argument("folder", type=Path, help=f"holds {FILE}")
    parser.add_argument("--cases", action="store_true", help="name the cases behind each shortfall")
    given = parser.parse_args(argv)
    print_header("Consolidation of the gold cases by rules")
    found = measure(given.folder)
    held = _print_figures(found)
    _print_kinds(found["each"])
    if given.cases:
        _print_cases(found["each"])
    return 0 if held else 1


def _print_figures(found: Mapping[str, Any]) -> bool:
    rows: list[tuple[str, int, int, float, str]] = []
    for lang, cases in found["cases"].items():
        share = found["accepted"][lang] / cases
        name = f"accepted {lang}"
        rows.append((name, found["accepted"][lang], cases, share, verdict(share, least=FLOORS[name])))
    for name, whole, limit in (("recovered", "facts", {"least": FLOORS["recovered"]}), ("stale", "gone", {"most": MOST_STALE})):
        share = found[name] / found[whole] if found[whole] else 0.0
        rows.append((f"{name} of {whole}", found[name], found[whole], share, verdict(share, **limit)))
    rows.append(("scattered", found["scattered"], found["facts"], found["scattered"] / max(1, found["facts"]), ""))
    rows.append(("must stay, touched", found["touched"], found["keeps"], found["touched"] / max(1, found["keeps"]), ""))
    rows[-1] = (*rows[-1][:4], verdict(found["touched"], most=0))
    print_table(("figure", "count", "of", "share", "floor"), rows, title="All cases")
    return not any(row[4].startswith("FAIL") for row in rows)


def _print_kinds(cases: Sequence[Case]) -> None:
    rows = []
    for kind in sorted({case.kind for case in cases}):
        some = [case for case in cases if case.kind == kind]
        total = summed(some)
        accepted = sum(case.accepted for case in some)
        rows.append(
            (kind, len(some), accepted, total["facts"], total["recovered"], total["gone"], total["stale"], total["touched"])
        )
    print_table(("kind", "cases", "accepted", "facts", "recovered", "gone", "stale", "touched"), rows, title="By kind")


def _print_cases(cases: Sequence[Case]) -> None:
    for case in cases:
        short = {name: getattr(case, name) for name in ("lost", "scattered", "stale", "touched") if getattr(case, name)}
        if not case.accepted or short:
            print(f"\n{case.id} {case.lang} {case.kind}: {case.action}, asked for {case.requested} ({case.reason}); {short}")
            for text in case.store:
                print(f"  - {text[:300]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
