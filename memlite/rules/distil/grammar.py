"""The skeleton of an English clause: who, with which verb, in which form. A word list and word order, no model.

It answers one question, whether a clause can be a lasting statement and about whom, and gives up (None) where it can't tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlite.rules.distil import lexicon_en as lexicon

MAX_NOUN_PHRASE = 8
"""Most words between "my" and its verb."""

_WORD = re.compile(r"[^\W_][\w'’.+#/&@-]*|[^\w\s]|_")
_BE = frozenset("am is are was were be".split())
_HAVE = frozenset("have has had".split())
_DO = frozenset("do does did".split())
_MODALS = frozenset("can could will would should shall may might must".split())
FINITE = _BE | _HAVE | _DO | _MODALS
_PRONOUNS = frozenset("I we he she they it you that this there".split())
_DETERMINERS = frozenset("my our the all both each every most one some none his her their its your no".split())
_COMMON = (
    lexicon.VERBS
    | lexicon.PEOPLE
    | lexicon.PETS
    | lexicon.GROUPS
    | lexicon.PROJECTS
    | lexicon.POSSESSIONS
    | lexicon.PASSING_NOUNS
)
_SAME_IN_PAST = frozenset("put cut set let quit hit cost read hurt split".split())
_TITLES = frozenset("mr mrs ms dr prof herr frau".split())
_PLURALS = frozenset("children people men women mice hens bees sheep cattle both kids parents police data fish".split())
_NEVER_VERBS_AFTER_NOUN = frozenset("and or of in on at for with to from by a an the".split())


@dataclass(frozen=True, slots=True)
class Parsed:
    """A clause taken apart.

    Attributes:
        subject: I, we, my, our, the, name, bare, all, or a pronoun; empty for an order or a fragment.
        noun: the head noun of the subject, lower case; empty for pronouns.
        owner: the subject as it stands in the text.
        form: be, have, perfect, progressive, passive, present, past, modal, used.
        verb: its base form; for `be` the base is "be".
        modal: can, will, must …; empty.
        negated: "not" or "never" stands with the verb.
        adverbs: those around the verb.
        rest: the words after the verb.
        was: the verb group begins with a past auxiliary: was, were, had, did.
    """

    subject: str
    noun: str
    owner: str
    form: str
    verb: str
    modal: str
    negated: bool
    adverbs: frozenset[str]
    rest: tuple[str, ...]
    was: bool = False

    @property
    def after(self) -> str:
        """The words after the verb in lower case."""
        return " ".join(self.rest).lower()


def words(text: str) -> list[str]:
    """Words and marks; a full stop at the end of a word is no part of it.

    >>> words("We're on Node.js, v2.")
    ["We're", 'on', 'Node.js', ',', 'v2']
    """
    return [word.rstrip(".'’-/&") or word for word in _WORD.findall(text)]


def base(word: str) -> str:
    """The base form of a verb in the third person or the past, the word itself if it's known as one; else empty.

    >>> base("carries"), base("moved"), base("ran"), base("table")
    ('carry', 'move', 'run', '')
    """
    word = word.lower()
    if word in lexicon.IRREGULAR_PAST:
        return lexicon.IRREGULAR_PAST[word]
    if word in lexicon.VERBS:
        return word
    stems: tuple[str, ...] = ()
    if word.endswith(("ies", "ied")):
        stems = (word[:-3] + "y",)
    elif word.endswith(("es", "ed")):
        stems = (word[:-1], word[:-2], word[:-3] if word[-3:-2] == word[-4:-3] else "")
    elif word.endswith("s"):
        stems = (word[:-1],)
    return next((stem for stem in stems if stem in lexicon.VERBS), "")


def is_past(word: str) -> bool:
    """Whether the word has the form of a past tense."""
    word = word.lower()
    return word in lexicon.IRREGULAR_PAST or (word.endswith("ed") and word not in lexicon.NO_PAST and word not in lexicon.VERBS)


def is_name(word: str) -> bool:
    """Whether the word is written like a name and is none of the words that often begin a sentence."""
    return word[:1].isupper() and word not in lexicon.NAMES_OF_NO_ONE and word[1:2] != "'"


def parse(clause: str) -> Parsed | None:
    """The skeleton, or None where no subject with a finite verb is found."""
    every = words(clause)
    if not every:
        return None
    subject, at = _subject(every)
    if not subject:
        return None
    owner = every[:at]
    noun = _head(owner) if subject not in _PRONOUNS else ""
    return _verb_group(every, at, subject, noun, " ".join(owner))


def _subject(every: list[str]) -> tuple[str, int]:
    """(kind, index of the first word of the verb group); an empty kind where there is none."""
    first = every[0]
    lower = "I" if first == "I" else first.lower()
    if lower in _PRONOUNS:
        if lower in ("that", "this") and len(every) > 1 and every[1].lower() not in FINITE and not _finite(every, 1):
            lower = "the"
        else:
            return lower, 1
    kind = lower if lower in ("my", "our", "the", "his", "her", "its", "their") else ""
    if lower in _DETERMINERS and not kind:
        kind = next((word.lower() for word in every[1:4] if word.lower() in ("my", "our")), "all")
    start = 1
    if not kind:
        kind, start = ("name" if is_name(first) and first.lower() not in _COMMON else "bare"), 0
    at = _find_verb(every, start + 1)
    return (kind, at) if at else ("", 0)


def _find_verb(every: list[str], start: int) -> int:
    """Where the verb group begins, 0 if not within eight words. An apposition between commas is skipped."""
    index, inside = start, False
    while index < min(len(every), MAX_NOUN_PHRASE + start):
        word = every[index]
        if word == ",":
            inside = not inside
            if inside and "," not in every[index + 1 : index + 6]:
                return 0
        elif not inside and _finite(every, index):
            return index
        index += 1
    return 0


def _finite(every: list[str], index: int) -> bool:
    word, before = every[index].lower(), every[index - 1].lower()
    if word in FINITE:
        return True
    if before in _NEVER_VERBS_AFTER_NOUN:
        return False
    follows = every[index + 1].lower() if index + 1 < len(every) else ""
    if word in lexicon.HABIT or word in ("also", "still", "now", "both", "all", "just", "really"):
        return follows in FINITE or bool(base(follows))
    if not base(word) or follows in FINITE:
        return False
    plural = (
        (before.endswith("s") and not before.endswith("ss")) or before in _PLURALS or "and" in (w.lower() for w in every[:index])
    )
    if is_past(word) or word in _SAME_IN_PAST or (word.endswith("s") and base(word) != word):
        return True
    return plural and word in lexicon.VERBS


def _head(owner: list[str]) -> str:
    """The noun that a noun phrase is about: the last word before "of", "who", "in" and the like or a name in apposition."""
    kept: list[str] = []
    for word in owner:
        if kept and word.lower() in (
            "of",
            "who",
            "that",
            "which",
            "in",
            "at",
            "on",
            "for",
            "with",
            "from",
            ",",
            "and",
            "called",
            "named",
        ):
            break
        kept.append(word)
    common = [
        word
        for word in kept
        if (not is_name(word) or word.lower() in lexicon.PROJECTS | lexicon.BODY) and word.lower() not in _DETERMINERS | _TITLES
    ] or kept
    return common[-1].lower()


def _verb_group(every: list[str], at: int, subject: str, noun: str, owner: str) -> Parsed | None:
    adverbs: set[str] = set()
    auxiliaries: list[str] = []
    index = at
    while index < len(every):
        word = every[index].lower()
        if word in lexicon.ADVERBS:
            adverbs.add(word)
        elif (word in FINITE and (not auxiliaries or auxiliaries[-1] in _MODALS or word not in _BE)) or (
            word == "been" and auxiliaries and auxiliaries[-1] in _HAVE
        ):
            auxiliaries.append(word)
        else:
            break
        index += 1
    form, verb, took = _form(
        auxiliaries,
        every[index].lower() if index < len(every) else "",
        every[index + 1 : index + 2],
        bool(adverbs & {"not", "never"}),
    )
    if not form:
        return None
    rest = tuple(every[index + took :])
    modal = next((word for word in auxiliaries if word in _MODALS), "")
    negated = bool(adverbs & {"not", "never"})
    was = bool(auxiliaries) and auxiliaries[0] in ("was", "were", "had", "did")
    return Parsed(subject, noun, owner, form, verb, modal, negated, frozenset(adverbs), rest, was)


def _form(auxiliaries: list[str], word: str, follows: list[str], negated: bool) -> tuple[str, str, int]:
    """(form, base verb, words taken beyond the auxiliaries)."""
    last = auxiliaries[-1] if auxiliaries else ""
    if not auxiliaries:
        if word == "used" and follows == ["to"]:
            return "used", "use", 2
        if not word.isalpha() and "-" not in word:
            return "", "", 0
        return ("past" if is_past(word) else "present"), base(word) or word, 1
    if auxiliaries[0] in _MODALS:
        return "modal", (base(word) or word) if last in _MODALS else ("be" if last == "be" else last), int(last in _MODALS)
    if last in _BE or last == "been":
        if word.endswith("ing") and len(word) > 4 and word not in ("nothing", "something", "everything", "anything", "during"):
            return ("perfect" if last == "been" else "progressive"), word, 1
        if last != "been" and (word in lexicon.PARTICIPLES or (word.endswith("ed") and word not in lexicon.LASTING_STATE)):
            return "passive", word, 1
        return ("perfect" if last == "been" else "be"), "be", 0
    if last in _HAVE:
        if word in lexicon.PARTICIPLES or (word.endswith("ed") and len(word) > 4 and word not in lexicon.NO_PAST):
            return "perfect", base(word) or word, 1
        return "have", "have", 0
    if last in _DO and last != "did" and not negated and (not base(word) or not follows):  # "I do pottery", "she does design"
        return "present", "do", 0
    if last in _DO and word:
        return ("past" if last == "did" else "present"), base(word) or word, 1
    return "", "", 0
