"""Is an extracted fragment worth keeping? Ordered rules, each with a name; the first that holds is the reason.

A fragment is kept that says, of the user or of somebody or something of the user's, how things are, for longer than today.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memlite.rules.gate.coordinates import local_coordinate
from memlite.rules.gate.courtesies import low_value
from memlite.rules.gate.deeds import agent_action
from memlite.rules.gate.orders import ai_instruction
from memlite.rules.gate.passing import date_only, transient
from memlite.rules.gate.reading import Reading, columns, read
from memlite.rules.gate.relations import no_durable_relation
from memlite.rules.gate.runs import command_history
from memlite.rules.gate.subjects import no_durable_subject
from memlite.rules.gate.vagueness import vague

MIN_COLUMNS = 24
"""What is narrower says too little; a Chinese character is two columns wide."""

OK = "ok"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reason` is `ok` or the first rule that refuses; `also` are the later rules that would have refused as well."""

    accept: bool
    reason: str
    also: tuple[str, ...]


def too_short(r: Reading) -> bool:
    """Less than 24 columns."""
    return columns(r.cased, MIN_COLUMNS) < MIN_COLUMNS


RULES: tuple[tuple[str, Callable[[Reading], bool]], ...] = (
    ("too_short", too_short),
    ("local_coordinate", local_coordinate),
    ("command_history", command_history),
    ("agent_action", agent_action),
    ("ai_instruction", ai_instruction),
    ("transient", transient),
    ("date_only", date_only),
    ("low_value", low_value),
    ("vague", vague),
    ("no_durable_subject", no_durable_subject),
    ("no_durable_relation", no_durable_relation),
)
"""In this order. Each rule sees the text alone and knows nothing of the others."""


def judge(text: str) -> Verdict:
    """The verdict on one fragment; any text has one, the same each time.

    >>> judge("User is allergic to penicillin.")
    Verdict(accept=True, reason='ok', also=())
    >>> judge("Agent fixed two typing errors in the README.").reason
    'agent_action'
    """
    reading = read(text)
    refusing = [code for code, refuses in RULES if refuses(reading)]
    return Verdict(not refusing, refusing[0] if refusing else OK, tuple(refusing[1:]))
