"""What a new text may not lose and may not invent: numbers, dates, units, names and negations, checked by action.

A model's word is not taken for it. The check reads texts only, so it holds whatever made the decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memlite.rules.settle import chinese, cues, english
from memlite.rules.settle.atoms import Atom, atoms, counted, missing
from memlite.rules.settle.statement import PEOPLE, read
from memlite.rules.terms import has_cjk


def invented(text: str, sources: Sequence[str]) -> tuple[Atom, ...]:
    """Names, numbers and dates of a text that none of its sources has."""
    held = " \n ".join(sources)
    return tuple(atom for atom in missing(held, text) if atom.type in ("name", "number", "date"))


def lost_by_merge(text: str, sources: Iterable[str]) -> tuple[Atom, ...]:
    """What a merged text lacks of any of its sources, negations counted."""
    lost: list[Atom] = []
    kept = list(sources)
    for source in kept:
        lost += missing(text, source)
    if any(atom.type == "negation" for atom in lost):
        return tuple(lost)
    denied = sum(counted(source)["negation", "not"] for source in dict.fromkeys(kept))
    if counted(text)["negation", "not"] < min(denied, max((counted(s)["negation", "not"] for s in kept), default=0)):
        lost += [atom for source in kept for atom in atoms(source) if atom.type == "negation"][:1]
    return tuple(lost)


def lost_by_change(text: str, new: str, old: str) -> tuple[Atom, ...]:
    """What an updated or replacing text lacks of the new text, or of the old one without the new one giving something for it.

    What the new text itself calls wrong ("in the hall, not in the school") need not be repeated. An atom of the old text may go
    where the new text gives another of its type, or where the rules read the new text as taking the old one back or saying all
    of it.
    """
    lost = list(missing(text, affirmed(new)))
    gone = missing(text, old)
    if gone and relation(new, old) is None:
        gained = {atom.type for atom in missing(old, new)}
        lost += [atom for atom in gone if atom.type not in gained and not (atom.type == "unit" and "number" in gained)]
    return tuple(lost)


def affirmed(new: str) -> str:
    """A text without what it only mentions as wrong."""
    found = chinese.correction(new) if has_cjk(new) else cues.correction(new)
    return found.kept if found else new


def other_subject(new: str, old: str) -> bool:
    """Whether two texts are plainly about different people, as far as their subjects say."""
    if has_cjk(new) or has_cjk(old):
        return has_cjk(new) and has_cjk(old) and chinese.owners(new) != chinese.owners(old)
    mine, theirs = read(new), read(old)
    if cues.correction(new):
        return False
    if not (mine.known and theirs.known):
        return _first_owner(new) != _first_owner(old)
    owners = [(s.people & PEOPLE) & s.subject for s in (mine, theirs)]
    return owners[0] != owners[1] and not (owners[0] <= theirs.words and owners[1] <= mine.words)


def _first_owner(text: str) -> str | None:
    """Whose matter a text begins with, where no verb was found in it: "User's niece …"."""
    begun = re.findall(r"[^\W\d_]+(?:-in-law)?", text.lower().replace("’", "'"))[:4]
    return next((word for word in begun if word in PEOPLE), None)


def relation(new: str, old: str) -> str | None:
    """How the rules read the new text beside the old one; None where nothing is certain or the languages differ."""
    if has_cjk(new) != has_cjk(old):
        return None
    found = chinese.move(new, old) if has_cjk(new) else english.move(new, old)
    return found.relation if found else None
