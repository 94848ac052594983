"""Turns of life in English: a past that leaves a lasting state. "Moved to Ghent" and "quit smoking", not "moved the file"."""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import Parsed, is_name

_RELATIVES = "father|mother|dad|mum|mom|wife|husband|brother|sister|son|daughter|job|hearing|sight|leg|arm"
_ACTIVITIES = "working|eating|drinking|smoking|using|learning|studying|training|taking|living"
_EVENTS: tuple[tuple[str, str], ...] = (
    (
        "move relocate emigrate immigrate migrate switch convert change swap",
        (
            r"(?:jobs?|careers?|my name|schools?|out of my parents|in with my|house|abroad|back home|"
            r"everything to|all \w+ to|over to)\b"
            r"|(?:back |over |away |here |there |house )?(?:to|from|in with|into) (?!it|this|that|the next|the other)\w"
        ),
    ),
    ("move relocate switch convert change swap go", r"(?:vegan|vegetarian|freelance|part-time|remote)"),
    (
        "leave quit drop replace abandon retire ditch",
        r"(?:my (?:job|husband|wife|company|studies|position)|school|smoking|drinking|sugar|meat|alcohol|university|\w+ for )",
    ),
    ("retire", r"(?:from|in|as|last|two|three|at)\b|$"),
    (
        "start begin stop",
        (
            rf"(?:{_ACTIVITIES}|(?:a|my) (?:new )?(?:job|company|business|degree|phd|masters?)|at [a-z]|school|"
            rf"university|secondary)\b"
        ),
    ),
    ("swap replace trade exchange", r"(?:the|my|our) .{2,40} (?:for|with) (?:an?|the) [a-z0-9]"),
    ("stop quit", r"(?!(?:working|being)\b)\w+ing (?!(?:the|this|that|it|on|at)\b)\w"),
    ("lose", rf"my (?:\w+ )?(?:{_RELATIVES})\b"),
    (
        "marry inherit adopt grow become found join enrol enroll",
        r"(?!(?:it|this|that|the (?:call|meeting|channel|file|two|lines|strings|bug|error))\b)\w",
    ),
    ("graduate divorce separate", ""),
    ("give", r"up (?!(?:on|it|this|that)\b)"),
    ("have", r"(?:surgery|an operation|a stroke|a heart attack|a baby|a transplant|twins|a bypass)\b"),
)
_BY_VERB: dict[str, tuple[re.Pattern[str], ...]] = {
    verb: tuple(re.compile(pattern) for verbs, pattern in _EVENTS if verb in verbs.split())
    for verbs, _ in _EVENTS
    for verb in verbs.split()
}
_LEFT = frozenset("leave quit drop replace abandon retire ditch".split())


def life_event(parsed: Parsed) -> bool:
    """Whether a clause in the past or the perfect tells a turn of life."""
    if parsed.verb in ("start", "begin", "stop") and parsed.noun in lexicon.PETS:
        return False  # "our cat stopped eating" is a symptom
    named = parsed.verb in _LEFT and bool(parsed.rest) and is_name(parsed.rest[0])
    return named or any(pattern.match(parsed.after) for pattern in _BY_VERB.get(parsed.verb, ()))
