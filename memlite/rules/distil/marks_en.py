"""Marks of English clauses that speak for or against a lasting statement: time, habit, doubt, places of one machine."""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import Parsed

NO, WEAK, STRONG = 0, 1, 2
"""How sure a statement is: a weak one falls when a word of the day stands beside it, a strong one stays."""

PREPOSITIONS = frozenset(
    "of in on at for with to from by about into over under near behind without as than per via during".split()
)

_PASSING = re.compile(
    r"\b(?:"
    + "|".join(re.escape(phrase) for phrase in lexicon.PASSING_TIME)
    + r")\b(?! (?:mornings|afternoons|evenings|nights)\b)"
)
_HABIT = re.compile(
    r"\b(?:"
    + "|".join(re.escape(phrase) for phrase in lexicon.HABIT_PHRASES)
    + r"|every (?!one\b|body\b|thing\b|time (?:i|we) (?:try|click|open|run|start)\b)\w+|\w+day (?:mornings|afternoons|evenings|nights))\b"
)
_UNSURE = re.compile(
    r"^(?:if|unless|suppose|supposing|imagine|assuming|say|let us|maybe|perhaps|what if|when|whenever|"
    r"while|as if|before|after|once|until)\b"
    r"|\b(?:i think|i guess|i suppose|i believe|i assume|i doubt|i hope|not sure|maybe|perhaps|probably|"
    r"possibly|might|wondering|wonder|"
    r"would be|would have|could be|could have|as far as i know|if i remember|i wish|supposed to be|should be)\b"
)
_HERE = re.compile(r"https?://\[|\bon this (?:laptop|machine|computer|host|box)\b", re.IGNORECASE)
_COORDINATE = re.compile(
    (
        r"\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)(?:~/|/(?:home|users?|usr|tmp|var|etc|opt|mnt|"
        r"root|srv|data|workspace|app)/)|\b[A-Za-z]:\\|\bport \d{2,5}\b.{0,20}\bnow\b|/tmp\b"
    ),
    re.IGNORECASE,
)
_TO_AGENT = re.compile(r"\b(?:you|your|yours)\b")
_OBJECT_ENDS = frozenset("yet now anymore either too today left and who which that because since but".split())
LATER_TALK = re.compile(
    r"^(?!(?:any|every|no)thing (?:with|that|made|from|containing|spicy|raw|in|by|on|through|via)\b)"
    r"(?:it|this|that|these|those|them|him|her|you|so|one|anything|something|everything|nothing)(?![\w-])"
)
"""An object that only the talk itself explains."""

DEFINITE = re.compile(r"^(?:the|this|that|these|those|your|his|her|their|its|another)\b")
"""An object that is one thing at hand, not a kind of thing."""


def is_passing(lower: str) -> bool:
    """Whether words of the day ("tonight", "next week") stand in a text in lower case."""
    return bool(_PASSING.search(lower))


def is_habit(parsed: Parsed, lower: str) -> bool:
    """Whether "always", "every", "on Mondays" and the like make a habit of it."""
    ever = parsed.negated and re.search(r"\bever\b|\bat all\b|\bany ?more\b", lower)
    return bool(parsed.adverbs & (lexicon.HABIT - {"only"}) or _HABIT.search(lower) or ever)


def is_unsure(lower: str) -> bool:
    """Whether the clause is a condition, a guess or a wish."""
    return bool(_UNSURE.search(lower))


def is_refused(clause: str) -> bool:
    """Whether a clause can't be a lasting statement: unsure, about the assistant, or about a place on one machine."""
    lower = clause.lower()
    return is_unsure(lower) or bool(_COORDINATE.search(clause) or _HERE.search(clause) or _TO_AGENT.search(lower))


def object_head(rest: tuple[str, ...]) -> str:
    """The noun of the object in lower case: the last word before a preposition, a mark or a clause."""
    head = ""
    for word in rest[:7]:
        low = word.lower()
        if low in PREPOSITIONS or low in _OBJECT_ENDS or not word[0].isalnum():
            break
        head = low
    return head
