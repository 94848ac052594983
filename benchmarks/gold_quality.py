"""The quality gate on single sentences: how often it is right, and what it lets through that it should not."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.gold_sets import Figure, Record, share
from memlite.rules.quality import judge

NOISE = ("local_coordinate", "command_history", "agent_action", "ai_instruction")
"""What a session leaves behind; of these next to nothing may pass."""


def figures(records: Sequence[Record]) -> list[Figure]:
    """Accuracy whole and by language, acceptance of good sentences, false accepts by kind."""
    accepted = {record["id"]: judge(record["text"]).accept for record in records}
    right = [(record["id"], accepted[record["id"]] == record["accept"]) for record in records]
    languages = {record["id"]: record["lang"] for record in records}
    good = [(record["id"], accepted[record["id"]]) for record in records if record["accept"]]
    bad = [(record["reason"], (record["id"], accepted[record["id"]])) for record in records if not record["accept"]]
    return [
        share("accuracy", right, least=0.90),
        *(
            share(f"accuracy, {lang}", [one for one in right if languages[one[0]] == lang])
            for lang in sorted(set(languages.values()))
        ),
        share("kept of what is good", good),
        share("kept of the noise kinds", [one for reason, one in bad if reason in NOISE], wanted=False, most=0.03),
        *(
            share(f"kept of {kind}", [one for reason, one in bad if reason == kind], wanted=False)
            for kind in sorted({reason for reason, _ in bad})
        ),
    ]
