"""What can be told of one English statement: its clauses, whether it denies, its tense and dates, what its numbers count."""

from __future__ import annotations

import re

from memlite.rules.settle import cues
from memlite.rules.settle.atoms import Atom, atoms
from memlite.rules.settle.statement import Statement, stem

_CLAUSE = re.compile(r"(?<=[.;])\s+|,? and (?=(?:the |they |he |she |it )?[a-z]+s\b)")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_CONTRARY = tuple(
    frozenset(group.split())
    for group in (
        "from to towards",
        "before after until since during",
        "in on under above below over behind beside inside outside near out off",
        "up down",
        "for with by against about",
        "old new current former latest young",
        "may must can could should might will would shall",
        "all some most few several none both each every any",
        "always often usually mostly sometimes rarely seldom hardly never",
        "more less fewer",
        "this that",
        "he she they",
        "his her their",
    )
)
_LIMITS = frozenset(
    "only just merely almost nearly sometimes rarely seldom hardly most some few half unless except if when".split()
)
_FREQUENCIES = frozenset("daily weekly monthly quarterly yearly annually".split())
_DIMENSIONS = (
    frozenset({"kg", "lb", "lbs", "pound", "stone", "g"}),
    frozenset({"°c", "°f"}),
    frozenset({"km", "mile", "m", "cm", "inch", "foot"}),
    frozenset({"litre", "liter", "gallon", "ml"}),
    frozenset({"day", "week", "month", "year", "hour", "minute", "second", "s", "ms", "min", "h"}),
    frozenset({"euro", "eur", "dollar", "usd", "gbp", "$", "€", "£"}),
)


def joined(*texts: str) -> str:
    """The texts as sentences of one."""
    sentences = []
    for text in texts:
        plain = text.strip().strip(";,").strip()
        if plain:
            sentences.append(plain if plain[-1] in ".!?。！？" else plain + ".")
    return " ".join(sentence[:1].upper() + sentence[1:] if index else sentence for index, sentence in enumerate(sentences))


def without_item(text: str, item: str) -> str | None:
    """The text without one item of a list of three or more; None where there is no such list."""
    if text.count(item) != 1 or text.count(",") < 2:
        return None
    cut = re.sub(rf",\s*(?:and )?{re.escape(item)}(?=[,.;]|$)|(?<=[:,])\s*{re.escape(item)},", "", text)
    return cut if cut != text else None


def clauses(statement: Statement) -> list[str]:
    return [part.strip() for part in _CLAUSE.split(statement.text) if part and part.strip()]


def negated(text: str) -> bool:
    """Of its first clause: what is denied after a semicolon or "not X" of a correction is another matter."""
    first = re.split(r"[;.](?:\s|$)|,\s*(?:and )?not ", text)[0]
    gone = re.search(r"\b(?:stopped|quit|gave up|given up|dropped|abandoned)\b", first) is not None
    return (sum(atom.type == "negation" for atom in atoms(first)) + gone) % 2 == 1


def past(statement: Statement) -> bool:
    match = re.search(r"\b(\w+ed|" + "|".join(cues.PAST) + r")\b", statement.text.split(";")[0])
    return (bool(match) and match is not None and stem(match[1]) == statement.verb) or statement.verb in cues.PAST


def dates_of(statement: Statement) -> frozenset[str]:
    """Years, months and days that are part of the subject: it is the matter of that time only."""
    days = {word for word in statement.subject if word.isdigit()} if statement.subject & _MONTHS else frozenset()
    return frozenset(word for word in statement.subject if _YEAR.match(word) or word in _MONTHS) | days


def dates_clash(new: Statement, old: Statement) -> bool:
    return bool(dates_of(new) and dates_of(old) and dates_of(new) != dates_of(old))


def is_log(new: Statement, old: Statement) -> bool:
    """Both tell of an event of their own time."""
    dates = [{a.value for a in atoms(s.text) if _YEAR.match(a.value) or a.value in _MONTHS} for s in (new, old)]
    return (past(new) and past(old) and dates[0] != dates[1]) or bool(
        dates_of(new) and dates_of(old) and dates_of(new) != dates_of(old)
    )


def is_version(word: str) -> bool:
    """A version or the place in an order; a bare number may be the name of the thing ("Hive 2")."""
    return bool(re.match(r"^(?:v?\d+(?:\.\d+)+|v\d+|\d+(?:st|nd|rd|th))$", word))


def sort(atom: Atom) -> str:
    """What kind of value it is; how often something happens is a number: "monthly", "every three months"."""
    return "number" if atom.value in _FREQUENCIES else atom.type


def contrary(one: str, other: str) -> bool:
    """Whether two texts differ in a small word that turns the sense: "to Oslo", "from Oslo"."""
    mine, theirs = _small(one), _small(other)
    return any((mine - theirs) & group and (theirs - mine) & group for group in _CONTRARY)


def limits(text: str) -> frozenset[str]:
    """The words that make a statement narrower, such as "only"."""
    return _small(text) & _LIMITS


def _small(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower()))


def is_ordinal(word: str) -> bool:
    """The place in an order, as a number."""
    return bool(re.match(r"^\d+(?:st|nd|rd|th)$", word))


def is_name(word: str, statement: Statement) -> bool:
    return any(atom.type == "name" and word in (atom.value, stem(atom.value)) for atom in atoms(statement.text))


def measure(atom: Atom, text: str) -> str:
    """The word that follows a number, as a stem: what it counts."""
    sign = re.match(r"[$£€]", text[atom.start : atom.end])
    if sign:
        return sign[0]
    attached = re.match(r"[\d.,:/]+([a-zµ°]+)$", text[atom.start : atom.end].lower())
    if attached:
        return attached[1]
    match = re.match(r"[\s-]*([^\W\d_]+|[%°]\w*)", text[atom.end :])
    return stem(match[1]) if match else ""


def same_measure(lost: list[Atom], old: str, gained: list[Atom], new: str) -> bool:
    """Whether the numbers count the same thing: the word after them is the same, or one of them has none."""
    measures = {measure(atom, new) for atom in gained if atom.type == "number"}
    for atom in lost:
        mine = measure(atom, old) if atom.type == "number" else ""
        if mine and measures and not measures & {mine, ""} and not _converted(mine, measures):
            return False
    return True


def _converted(mine: str, others: set[str]) -> bool:
    return any({mine, other} <= group for other in others for group in _DIMENSIONS)


def folded(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text)}
