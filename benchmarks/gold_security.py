"""Secrets, personal details and orders in hiding: what the first detectors find, and what they take for one of these wrongly."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.gold_sets import Figure, Record, share
from memlite.rules.redact import findings
from memlite.rules.tripwire import tripped

LABELS = ("secret", "pii", "injection")


def figures(records: Sequence[Record]) -> list[Figure]:
    """Found of each label and of each of its kinds; harmless texts with any alarm."""
    judged = [(record["label"], record["kind"], record["id"], _alarms(record["text"])) for record in records]
    made = []
    for label in LABELS:
        mine = [(kind, (id_, label in alarms)) for given, kind, id_, alarms in judged if given == label]
        made.append(share(f"{label}: found", [one for _, one in mine]))
        if label == "injection":
            kinds = sorted({kind for kind, _ in mine})
            made += [share(f"{label}: found, {wanted}", [one for kind, one in mine if kind == wanted]) for wanted in kinds]
    harmless = [(id_, alarms) for given, _, id_, alarms in judged if given == "benign"]
    made += [
        share(f"{label}: alarms at harmless texts", [(id_, label in alarms) for id_, alarms in harmless], wanted=False)
        for label in LABELS
    ]
    return made


def _alarms(text: str) -> set[str]:
    found: set[str] = {one.class_ for one in findings(text)}
    return found | {"injection"} if tripped(text) is not None else found
