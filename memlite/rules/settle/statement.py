"""A short English statement taken apart: whom or what it is about, and what it says of it.

There is no parser here, only a list of verbs to find where the subject ends. Where none is found the subject is unknown, and the
rules that need one stay silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memlite.rules.settle.atoms import UNITS, Atom, atoms, singular
from memlite.rules.terms import ENGLISH_STOP_WORDS

PEOPLE = frozenset(
    """wife husband partner spouse fiancé fiancée girlfriend boyfriend son daughter child kid baby twin mother father mum mom dad
    parent brother sister sibling grandmother grandfather grandma grandpa nonna oma opa aunt uncle cousin niece nephew
    stepfather stepmother stepson stepdaughter godson goddaughter mother-in-law father-in-law sister-in-law brother-in-law ex
    ex-husband ex-wife colleague coworker boss manager neighbour neighbor flatmate roommate friend landlord landlady client
    customer teacher tutor doctor dentist employer supervisor mentor vendor supplier tenant lodger family""".split()
)
"""Whose matter it is: two statements with different ones of these are about different people."""

_VERBS = frozenset(
    """is are was were be been being am has have had do does did will would can could should must may might shall live work use
    run take prefer like dislike love hate drink eat own keep hold weigh need want plan deploy pin pay weigh teach study
    learn speak play read write drive walk cycle commute travel fly sleep wake get go come move stay sit stand start
    stop begin end finish quit leave join adopt buy sell rent store send host serve support require depend release ship
    publish rotate renew expire cost earn spend save owe report manage lead own belong contain include cover open close
    live use wear train coach meet call name say think believe wish hope know mean become grow raise lower increase
    decrease drop switch change replace upgrade update migrate swap roll return accept refuse allow forbid block enable
    disable handle process build compile test monitor log back measure track record order book cook bake grind brew feed
    water plant prune collect gather organise organize rehearse perform sing dance paint draw photograph film swim ski
    sail row climb hike fish hunt shoot ride race compete win lose carry bring put set lay place arrange prepare clean
    wash repair fix service inspect check verify approve sign file submit apply receive deliver transfer deposit
    withdraw invest borrow lend donate visit attend celebrate born die marry divorce suffer recover treat prescribe
    avoid tolerate trust doubt fear enjoy mind identify describe consider choose select pick decide agree follow respect
    expect remember forget remind ask answer reply talk discuss explain show demonstrate target limit exceed reach
    refinance rename reschedule rebook reassign extend shorten downgrade relocate
    average total amount equal peak last remain continue resume pause delay postpone cancel schedule recur repeat happen
    occur""".split()
)
_HELPERS = frozenset("is are was were be been being has have had does do did will would can could should must may might".split())
_SAME_VERB = {
    "move": "live",
    "relocate": "live",
    "own": "has",
    "have": "has",
    "had": "has",
    "are": "is",
    "was": "is",
    "were": "is",
}
_LEADS = re.compile(
    r"^(?:(?:correction|update|updated|note|fyi|post-mortem|user corrects|the user corrects|reminder|now|currently|actually|"
    r"as of (?:now|today)|from now on|since (?:then|recently))\s*[:,]\s*|it is (?:actually )?(?=the user)|"
    r"for the (?=[\w-]+(?: [\w-]+){0,2} the user ))",
    re.IGNORECASE,
)
_DOES = re.compile(r"(?:the )?user (?!has |is |was |had )\w+(?<!s)s\b(?! (?:is|are|was|were|has|have)\b)", re.IGNORECASE)
"""Right after the user a word in -s is a verb, known or not."""

_POSSESSIVE = re.compile(r"\b(?:the\s+)?user(?:'s|’s)\b|\bof the user\b", re.IGNORECASE)
_USER = re.compile(r"\bthe user\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"[$£€¥]?\d[\d,]*(?:[.:/]\d+)*(?:st|nd|rd|th)?(?![^\W_])|[^\W_]+(?:[_'’.+#&/-]+[^\W_]+)*(?:\+\+|#)?|[%°$£€¥][A-Za-z]*|[:;,.]"
)
_LIGHT = frozenset(
    """now currently again still already also too well recently lately anymore any more instead longer just mostly usually
    always often sometimes really very quite soon today new old current former latest own way kind sort thing bit lot please
    that which who whom this these those there here so since because due after before during while although though however
    only even ever yet almost about around roughly approximately exactly all every each both""".split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement's parts, as stems in lower case.

    Attributes:
        text: as it came, without a lead such as "Correction:".
        subject: what stands before the verb or the colon, without "user"; empty for the user himself.
        about_user: the user or something of the user's is the subject.
        known: a verb or a colon was found.
        people: words for people and names in the subject, and owners anywhere.
        words: telling words of the whole, numbers as their values.
        said: telling words after the subject.
        verb: the stem of the verb; ":" for a label.
    """

    text: str
    subject: frozenset[str]
    about_user: bool
    known: bool
    people: frozenset[str]
    words: frozenset[str]
    said: tuple[str, ...]
    verb: str


@lru_cache(maxsize=1024)
def read(text: str) -> Statement:
    """The parts of a statement."""
    body = _LEADS.sub("", text.strip().strip("*").strip())
    body = _LEADS.sub("", body)
    plain = _USER.sub("user", _POSSESSIVE.sub("user ", body))
    found = atoms(plain)
    tokens = [(match[0], match.start()) for match in _TOKEN.finditer(plain)]
    cut = 1 if _DOES.match(body) else _verb_at(tokens)
    head = tokens if cut is None else tokens[:cut]
    subject = _stems(_without_amounts(head), found) - {"user"}
    tail = tokens if cut is None else tokens[cut + 1 :]
    every = _stems(tokens, found) - {"user"}
    return Statement(
        text=body,
        subject=frozenset(subject) if cut is not None else frozenset(),
        about_user="user" in [token.lower() for token, _ in head],
        known=cut is not None,
        people=frozenset(_people(head, tail) | _names_in(head, found)),
        words=frozenset(every),
        said=tuple(dict.fromkeys(word for word in _ordered(tail, found) if word != "user")),
        verb="" if cut is None else _main_verb(tokens, cut),
    )


def stem(token: str) -> str:
    """A word without its commonest endings; good enough to tell that "deploys" and "deployed" are one word.

    >>> [stem(word) for word in ("Deploys", "deployed", "running", "switched", "user's", "coriander")]
    ['deploy', 'deploy', 'run', 'switch', 'user', 'coriander']
    """
    word = token.lower().replace("’", "'").removesuffix("'s")
    if not word.isalpha() or word in _VERBS:
        return word
    plain = singular(word)
    if plain in _VERBS:
        return plain
    if plain.endswith("ly") and len(plain) > 6:
        return plain[:-2]
    for ending in ("ing", "ed"):
        if plain.endswith(ending) and len(plain) > len(ending) + 2:
            root = plain[: -len(ending)]
            for base in (
                root,
                root + "e",
                root[:-1] if root[-1:] == root[-2:-1] else root,
                root[:-1] + "y" if root.endswith("i") else root,
            ):
                if base in _VERBS:
                    return base
            return root if len(root) > 3 else plain
    return plain


def _verb_at(tokens: list[tuple[str, int]]) -> int | None:
    """Where the first verb or the label's colon stands; within the first dozen words or not at all."""
    for place, (word, _) in enumerate(tokens[:14]):
        if word == ":" and place:
            return place
        if word in (".", ";"):
            return None
        if place and stem(word) in _VERBS and word not in ("May", "March") and not _noun_like(tokens, place):
            return place
    return None


def _main_verb(tokens: list[tuple[str, int]], cut: int) -> str:
    """The stem of the verb; after "has", "is" and the like, of the one they help."""
    if tokens[cut][0] == ":":
        return ":"
    verb = stem(tokens[cut][0])
    if verb in _HELPERS:
        for token, _ in tokens[cut + 1 : cut + 4]:
            word = stem(token)
            if word in _VERBS and word not in _HELPERS and (token.endswith(("ed", "ing")) or word in ("become", "grow")):
                verb = word
                break
            if token.lower() not in _LIGHT and token.lower() not in ("not", "been", "no", "never"):
                break
    return _SAME_VERB.get(verb, verb)


def _noun_like(tokens: list[tuple[str, int]], place: int) -> bool:
    """ "test shop", "the release window": a word that could be a verb, right before another candidate, after an article."""
    token = tokens[place][0].lower()
    if token in ("is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "will"):
        return False
    before = tokens[place - 1][0].lower()
    if before in ("the", "a", "an", "of", "for", "in", "on", "and", "new", "default", ","):
        return True
    following = [stem(word) for word, _ in tokens[place + 1 : place + 4]]
    third_person = token.endswith(("s", "ed"))
    return not third_person and before != "user" and any(word in _VERBS for word in following)


def _stems(tokens: Iterable[tuple[str, int]], found: tuple[Atom, ...]) -> set[str]:
    return set(_ordered(tokens, found))


def _ordered(tokens: Iterable[tuple[str, int]], found: tuple[Atom, ...]) -> list[str]:
    """Telling stems in order: numbers as their values, negations and function words left out."""
    values = {atom.start: atom for atom in found}
    out: list[str] = []
    for token, start in tokens:
        atom = values.get(start)
        if atom is not None and atom.type == "negation":
            continue
        if atom is not None and atom.type in ("number", "date"):
            out.append(atom.value)
            continue
        if token in set(":;,."):
            continue
        word = stem(token)
        if word in ENGLISH_STOP_WORDS or word in _LIGHT or token.lower() in _LIGHT:
            continue
        out.append(word)
    return out


def _without_amounts(head: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The subject without "of 210,000 euros": how much it is of does not tell what it is."""
    kept = []
    for place, (token, start) in enumerate(head):
        following = head[place + 1][0].lower() if place + 1 < len(head) else ""
        if not (token[:1].isdigit() and (following in UNITS or singular(following) in UNITS)):
            kept.append((token, start))
    return kept


def _people(head: list[tuple[str, int]], tail: list[tuple[str, int]]) -> set[str]:
    """Words for people in the subject, and for owners anywhere."""
    owners = [token for token, _ in tail if token.lower().replace("’", "'").endswith("'s")]
    return {word for token in [*(token for token, _ in head), *owners] if (word := stem(token)) in PEOPLE}


def _names_in(tokens: list[tuple[str, int]], found: tuple[Atom, ...]) -> set[str]:
    starts = {start for _, start in tokens}
    return {atom.value for atom in found if atom.type == "name" and atom.start in starts}
