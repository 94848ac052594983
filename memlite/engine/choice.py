"""What is to be done with a memory: a decider's ruling after every check, and how it came to that, for the audit."""

from __future__ import annotations

from dataclasses import dataclass

from memlite.engine import discover, embed
from memlite.engine.kit import Kit
from memlite.errors import ChatError
from memlite.model import Record
from memlite.rules import consolidate as rules
from memlite.rules.consolidate import Plan
from memlite.rules.decision import Candidate, Ruling
from memlite.values import Verdict

MAX_QUOTED = 32_768
"""Characters of a reply or its reasoning that the audit keeps."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A plan, how it came about, and the vector of what it stores."""

    plan: Plan
    verdict: Verdict
    embedded: embed.Embedded


def ruled(kit: Kit, new: Record, offered: tuple[Candidate, ...], ruling: Ruling, embedded: embed.Embedded) -> Choice:
    """What a ruling comes to after every check. `embedded` holds the vector of `new`; another text gets another one."""
    limits = rules.Limits(max_text_bytes=kit.settings.max_text_bytes, coverage_floor=discover.COVERAGE_FLOOR)
    plan = rules.plan(new, offered, ruling.decision, limits)
    if plan.record.content != new.content:
        embedded = embed.for_storage(kit, [plan.record.content])
    return Choice(plan, _verdict(plan, ruling, offered), embedded)


def plain(new: Record, embedded: embed.Embedded, reason: str, offered: tuple[Candidate, ...] = (), detail: str = "") -> Choice:
    """What leaves every stored memory as it is, and why."""
    plan = rules.as_it_came(new, reason, detail=detail)
    verdict = Verdict(requested=None, applied=plan.action, reason=reason, decider="none", offered=_listed(offered), detail=detail)
    return Choice(plan, verdict, embedded)


def code(error: ChatError) -> str:
    """The reason code of a decider that gave no usable answer."""
    return {"Timeout": "timeout", "Unreachable": "unreachable", "ModelNotFound": "model_not_found"}.get(
        type(error).__name__, "bad_reply"
    )


def quoted(said: object) -> str:
    """What a decider wrote, as the audit can keep it: a reply may hold half a surrogate pair, or be without end."""
    return str(said)[:MAX_QUOTED].encode("utf-8", "replace").decode()


def _verdict(plan: Plan, ruling: Ruling, offered: tuple[Candidate, ...]) -> Verdict:
    return Verdict(
        requested=plan.requested,
        applied=plan.action,
        reason=plan.reason,
        decider=ruling.decider,
        prompt=ruling.prompt,
        prompt_sha256=ruling.prompt_sha256,
        offered=_listed(offered),
        reasoning=quoted(ruling.decision.reasoning),
        reply=None if ruling.reply is None else quoted(ruling.reply),
        detail=plan.detail,
    )


def _listed(offered: tuple[Candidate, ...]) -> tuple[tuple[str, int, float | None, float], ...]:
    return tuple((c.record.id, c.record.version, c.relevance, c.coverage) for c in offered)
