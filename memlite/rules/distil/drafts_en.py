"""English statements as drafts: of whom they are, and of which attribute they give the value."""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.dialogue import Draft
from memlite.rules.distil.grammar import Parsed, is_name, parse, words

_SPEAKER = re.compile(r"\b(?:I|we|us|our|my)\b")
_I_AM_NAME = re.compile(r"^I am (?:also |just )?(?=[A-Z][\w-]+(?: [A-Z][\w-]+)?(?:$|[,;.]| and | by | from ))")
_PEOPLES = tuple(
    "ish ese ian ean dutch french greek swiss czech muslim catholic buddhist hindu sikh german american mexican".split()
)
_SEATS = frozenset("run listen live deploy target sit hosted deployed called named written".split())


def said(text: str, turn: int, subject: str, key: str) -> Draft:
    return Draft(text, subject, key, "user_stated", (turn,), chinese=False)


def wish(text: str, turn: int) -> Draft:
    return Draft(text, "user", "", "user_stated", (turn,), chinese=False, final=True)


def draft(text: str, parsed: Parsed, turn: int) -> Draft:
    subject = "user" if parsed.subject in ("I", "we") else _subject_name(text, parsed)
    named = parsed.subject == "I" and parsed.form == "be" and bool(parsed.rest) and is_name(parsed.rest[0])
    if named and not parsed.rest[0].lower().endswith(_PEOPLES):
        text = _I_AM_NAME.sub("my name is ", text)
    if parsed.subject == "bare" and parsed.noun in lexicon.PROJECTS and not _SPEAKER.search(text):
        text = f"in my project, {text[0].lower() if text[1:2].islower() else text[0]}{text[1:]}"
    if _is_person(text, parsed) and not _SPEAKER.search(text):
        text = f"I know {parsed.owner}, who{text[len(parsed.owner) :]}"  # a name alone would tell a later reader nothing
    return said(text, turn, subject, attribute(parse(text) or parsed))


def _is_person(text: str, parsed: Parsed) -> bool:
    """A statement that begins with a name. The capital of a first word makes none: "Raw readings are kept for a year"."""
    owner = words(parsed.owner)
    named = len(owner) == 1 or (len(owner) == 2 and owner[1][:1].isupper())
    return parsed.subject == "name" and text.startswith(parsed.owner) and named


def _subject_name(text: str, parsed: Parsed) -> str:
    owner = (parse(text) or parsed).owner
    return re.sub(r"^(?:my|our|the|all) ", "", owner, flags=re.IGNORECASE).strip() or "user"


def attribute(parsed: Parsed) -> str:
    """Which attribute a statement gives a value to, for attributes that have one value at a time; else empty."""
    if parsed.subject == "I":
        return _attribute_of_speaker(parsed)
    if parsed.noun in lexicon.TRAITS and parsed.form == "be":
        return f"{parsed.owner.lower()} is"
    if parsed.noun not in lexicon.PROJECTS | lexicon.GROUPS | lexicon.POSSESSIONS or not parsed.rest:
        return ""
    first = parsed.rest[0].lower()
    if parsed.form == "be" and (first in ("on", "at", "in") or first[0].isdigit()):
        return f"{parsed.noun} is {first if first.isalpha() else 'number'}"
    if parsed.verb in _SEATS:
        return f"{parsed.noun} {parsed.verb} {first if first in ('on', 'in', 'at', 'to') else ''}".strip()
    return ""


def _attribute_of_speaker(parsed: Parsed) -> str:
    if parsed.form == "be" and parsed.rest and is_name(parsed.rest[0]):
        return "name"
    if re.match(r"\d+ years old", parsed.after):
        return "age"
    if parsed.verb in ("live", "living", "move", "moving", "based") and re.match(
        r"(?:now |back )?(?:in|to|near)\b", parsed.after
    ):
        return "residence"
    return "employer" if parsed.verb == "work" and re.match(r"(?:at|for)\b", parsed.after) else ""
