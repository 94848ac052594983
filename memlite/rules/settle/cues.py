"""Words and phrases by which an English statement tells how it relates to what was said before."""

from __future__ import annotations

import re
from dataclasses import dataclass

HEDGED = re.compile(
    r"\b(?:thinks?|believes?|guess(?:es)?|suspects?|maybe|perhaps|probably|possibly|might|not (?:quite |entirely )?sure|unsure|"
    r"seems?|apparently|rumou?r|mentioned that|wonders?|is said to|may be|could be)\b",
    re.IGNORECASE,
)
CUE = re.compile(
    r"\b(?:now|no longer|any ?more|any longer|this (?:week|month|season|year|spring|summer|autumn|winter)|currently|these days|"
    r"since|from now on|instead|has (?:moved|changed|switched|grown|become)|moved|moves|changed|switched|upgraded|downgraded|"
    r"migrated|swapped|replaced|raised|lowered|increased|reduced|extended|shortened|renamed|rolled back|postponed|rescheduled|"
    r"refinanced|became|again|correct(?:ion|s|ed)|actually|was wrong|other way round|new)\b",
    re.IGNORECASE,
)
BYGONE = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|used to|once|back then|at the time|as a (?:child|kid|boy|girl|student))\b|\bex-",
    re.IGNORECASE,
)
"""What is said with these was true and says nothing of today."""
INTENDED = re.compile(
    r"\b(?:plans?|planning|considers?|considering|intends?|hopes?|hoping|wishes|dreams? of|thinking (?:of|about))\b",
    re.IGNORECASE,
)
"""What is said with these is not so yet."""
SCOPE = re.compile(
    r"\b(?:for|of|about|against|per) (?:(?:the|a|an|his|her|their|its|my|user's) )?(?P<what>[^\W\d][\w'-]*)", re.IGNORECASE
)
"""Whom or what a value is for."""
DIRECTED = re.compile(r"\b(?:than|to|from|before|after|over|instead|for)\b", re.IGNORECASE)
"""What stands on either side of these can't be exchanged."""
REASON = re.compile(r"[;,]|\b(?:because|since|as|due to|after|so)\b", re.IGNORECASE)
"""Where a statement turns to why it is so."""
DAYPARTS = frozenset("morning noon afternoon evening night weekday weekend".split())
NEUTRAL = frozenset(
    """is has : live switch change upgrade downgrade migrate swap replace raise lower increase reduce decrease drop extend shorten
    rename postpone reschedule delay refinance become go get grow start""".split()
)
"""Verbs that can tell of the same thing as any other: "takes 50 mg", "was raised to 75 mg"."""
SINGLE = frozenset({"live", "weigh"})
"""What a person does in one way at a time."""
LISTED = frozenset("support include contain cover call know like love speak own collect want wish hope plan".split())
"""What is said with these is one of several, whoever it is said of."""
ONE_OF_SEVERAL = re.compile(r"\b(?:has|have|owns?) (?:a|an)\b", re.IGNORECASE)
MORE = re.compile(
    r"\b(?:too|as well|also|another|in addition|additionally|likewise|besides|one more|joined|added)\b", re.IGNORECASE
)
JOINS = re.compile(r"\b(?:joined|was added to|were added to|has joined|have joined)\b", re.IGNORECASE)
CORRECTS = re.compile(r"\b(?:correct(?:ion|s|ed)|actually|was wrong|not)\b", re.IGNORECASE)
REVERSED = re.compile(r"\b(?:the other way (?:round|around)|vice versa|mixed up|swapped round)\b", re.IGNORECASE)
WITHDRAWN = (
    re.compile(r"\b(?:swapped|traded|exchanged) (?:the |a |an |his |her |their )?(?P<old>.+?) for\b", re.IGNORECASE),
    re.compile(r"\breplaced (?:the |a |an |his |her |their )?(?P<old>.+?) (?:with|by)\b", re.IGNORECASE),
    re.compile(r"\b(?:moved|switched|changed|migrated|went|upgraded) from (?:the |a |an )?(?P<old>.+?) to\b", re.IGNORECASE),
    re.compile(r"\b(?:instead of|rather than) (?:the |a |an )?(?P<old>[^.,;]+)", re.IGNORECASE),
    re.compile(
        r"\b(?:dropped|stopped|quit|gave up|given up|abandoned|cancelled|retired from|left) (?:using |taking |doing |being )?"
        r"(?:the |a |an )?(?P<old>[^.,;]+?)(?= (?:because|since|and|after|for good)\b|[.,;]|$)",
        re.IGNORECASE,
    ),
    re.compile(r"\bno longer (?P<old>[^.,;]+?)(?= (?:because|since|as)\b|[.,;]|$)", re.IGNORECASE),
)
NOT = re.compile(
    r",\s*(?:and )?not (?P<tail>(?:(?:from|in|on|at|by|to|of|with|the|a|an) )*)(?P<old>[^.,;:]+?)(?=\s*,|[.;]|$)", re.IGNORECASE
)
WRONG = re.compile(
    r";\s*(?P<old>[^;.]+?) (?:was|were)(?: both| all)? (?:a slip|wrong|a mistake|a typo|an error|mistaken)", re.IGNORECASE
)
PAST = frozenset(
    "was were had did went came got took gave made ran saw sang swam flew drove wrote bought sold left met paid".split()
)
SEVERAL = frozenset(
    """use like love hate dislike enjoy speak have has own play read know visit eat drink learn call support include take study
    teach collect grow want wish hope plan need buy subscribe""".split()
)
"""What is said with these can be true of several things at once."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A statement that says what was wrong: the wrong words, and the statement without that part."""

    wrong: str
    kept: str


def correction(text: str) -> Correction | None:
    """What a statement puts right, if it says so.

    >>> correction("The choir rehearses in the hall, not in the school.")
    Correction(wrong='school', kept='The choir rehearses in the hall.')
    """
    match = NOT.search(text) or WRONG.search(text)
    if match is None:
        return None
    after = re.sub(r"^\s*,\s*(?=(?:who|which|that)\b)", " ", text[match.end() :])
    kept = text[: match.start()].rstrip(" ,;") + after
    return Correction(match["old"].strip(), kept if kept.endswith((".", "!", "?")) else kept + ".")
