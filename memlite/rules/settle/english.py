"""English: whether a new statement repeats, extends, changes or withdraws a stored one.

Silence (None) is the answer to everything uncertain: two memories kept apart do less harm than one lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memlite.rules.settle import cues
from memlite.rules.settle.atoms import UNITS, Atom, Type, atoms
from memlite.rules.settle.move import Move, Relation
from memlite.rules.settle.statement import PEOPLE, Statement, read, stem

_CLAUSE = re.compile(r"(?<=[.;])\s+|,? and (?=(?:the |they |he |she |it )?[a-z]+s\b)")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_MONTHS = frozenset("january february march april may june july august september october november december".split())


def move(new_text: str, old_text: str) -> Move | None:
    """What to do with the new statement beside the old one; None: nothing is certain.

    >>> move("User weighs 79 kg now.", "User weighs 84 kg.").relation
    'changed'
    >>> move("User's brother weighs 79 kg now.", "User weighs 84 kg.") is None
    True
    """
    if cues.HEDGED.search(new_text):
        return None
    pair = _Pair(read(new_text), read(old_text))
    found = (
        pair.corrected()
        or pair.repeated()
        or pair.reissued()
        or pair.grown()
        or pair.flipped()
        or pair.changed()
        or pair.withdrawn()
    )
    return found or _in_a_clause(pair)


def _in_a_clause(pair: _Pair) -> Move | None:
    """A change of one clause of a longer text; the others stay."""
    clauses = _clauses(pair.old)
    if len(clauses) < 2:
        return None
    for clause in clauses:
        part = read(clause)
        subject = part.subject if part.known else frozenset()
        if (
            not part.known
            or not pair.new.subject <= part.words | pair.old.subject
            or not subject <= pair.new.words | pair.old.subject
        ):
            continue
        aligned = replace(
            part, subject=pair.new.subject, about_user=pair.new.about_user or part.about_user, text=clause.rstrip(" .;")
        )
        if aligned.people != pair.new.people:
            continue
        small = _Pair(pair.new, aligned)
        found = small.changed() or small.withdrawn()
        if found is not None:
            rest = [other for other in clauses if other != clause]
            place = clauses.index(clause)
            return pair.made(found.relation, joined(*rest[:place], found.text, *rest[place:]), found.why)
    return None


@dataclass(frozen=True, slots=True)
class _Pair:
    new: Statement
    old: Statement

    # ------------------------------------------------------------------------------------------ what they share

    @property
    def verbs(self) -> frozenset[str]:
        return frozenset({self.new.verb, self.old.verb})

    @property
    def lost(self) -> frozenset[str]:
        """Telling words of the old statement that the new one lacks."""
        return self.old.words - self.new.words - {self.old.verb}

    @property
    def gained(self) -> frozenset[str]:
        return self.new.words - self.old.words - {self.new.verb}

    @property
    def shared(self) -> frozenset[str]:
        return self.new.words & self.old.words

    def same_subject(self) -> bool:
        """Both are about the same thing, as far as both say so. Numbers of versions and editions don't count."""
        if not (self.new.known and self.old.known) or self.new.people != self.old.people:
            return False
        mine, theirs = (frozenset(w for w in s.subject if not _is_version(w) and w not in UNITS) for s in (self.new, self.old))
        if _dates_of(self.new) != _dates_of(self.old):
            return False
        if not mine and not theirs:
            return self.new.about_user and self.old.about_user
        return mine == theirs or self._subject_as_object(mine, theirs)

    def _subject_as_object(self, mine: frozenset[str], theirs: frozenset[str]) -> bool:
        """ "User's metformin was raised" is about what "User takes metformin" is about."""
        if not (self.new.about_user and self.old.about_user and self._cued()) or bool(mine) == bool(theirs):
            return False
        told = len(self.shared - mine - theirs)
        return told >= 2 and (mine <= self.old.words if mine else theirs <= self.new.words)

    def same_polarity(self) -> bool:
        return _negated(self.new.text) == _negated(self.old.text)

    def made(self, relation: Relation, text: str, why: str) -> Move:
        weight = len(self.shared) + len(self.shared) / (1 + len(self.old.words | self.new.words))
        return Move(relation, text, weight, why)

    # ------------------------------------------------------------------------------------------ the relations

    def repeated(self) -> Move | None:
        """The same, or all of one in the other."""
        if not self.same_polarity() or not self.shared:
            return None
        if _past(self.new) != _past(self.old) and not (self._cued() and self.same_subject()):
            return None
        if self.new.words == self.old.words and self.new.people == self.old.people:
            if self._same_order():
                return self.made("same", self.new.text, "says the same")
            return None
        subjects = self.same_subject()
        if self.old.words <= self.new.words | self.verbs and (subjects or self._within(self.old, self.new)):
            return self.made("richer", self.new.text, "says all of the old text and more")
        if (
            self.new.words <= self.old.words | self.verbs
            and (subjects or self._within(self.new, self.old))
            and not cues.CUE.search(self.new.text)
        ):
            return self.made("poorer", self.old.text, "the old text says all of it already")
        return None

    def _within(self, small: Statement, large: Statement) -> bool:
        """The larger statement adds no person and no owner to the subject of the smaller."""
        if not small.known or not large.known or len(small.words) < 2:
            return False
        if (
            not small.people <= large.people
            or (large.people - small.people) & large.subject
            or small.about_user != large.about_user
        ):
            return False
        return small.subject == large.subject or (not small.subject and small.verb == "has" and small.about_user)

    def reissued(self) -> Move | None:
        """A later version of the same document or list: the same label with another number."""
        if not (self.new.verb == self.old.verb == ":") or not self.same_subject():
            return None
        numbers = [{word for word in s.subject if _is_version(word)} for s in (self.new, self.old)]
        if numbers[0] == numbers[1] or not all(numbers) or 2 * len(self.shared) < len(self.old.words):
            return None
        return self.made("changed", self.new.text, "a later version of it")

    def _same_order(self) -> bool:
        """Names in the same order, or a list whose order tells nothing."""
        orders = [[a.value for a in atoms(s.text) if a.type in ("name", "number")] for s in (self.new, self.old)]
        return orders[0] == orders[1] or (self.new.verb == self.old.verb == ":" and "," in self.new.text)

    def grown(self) -> Move | None:
        """One more of what the old statement lists."""
        if not cues.MORE.search(self.new.text) or not self.same_polarity() or not self.gained:
            return None
        if (
            cues.JOINS.search(self.new.text)
            and self.old.subject
            and self.old.subject <= frozenset(self.new.said)
            and not self.old.people
        ):
            return self.made("grown", joined(self.old.text, self.new.text), "adds to a list")
        if not self.same_subject():
            return None
        if self.new.verb != self.old.verb and not (frozenset(self.new.said) & frozenset(self.old.said)) and not self.new.subject:
            return None
        return self.made("grown", joined(self.old.text, self.new.text), "adds to a list")

    def flipped(self) -> Move | None:
        """The new statement says yes where the old one said no, or no where it said yes."""
        if self.new.people != self.old.people:
            return None
        for clause in _clauses(self.old):
            part = read(clause)
            if _negated(self.new.text) == _negated(clause) or not (part.words - {part.verb}):
                continue
            told = part.words - {part.verb, "be"}
            if told <= self.new.words and self._same_matter(part):
                return self.made("withdrawn", self._with_rest(clause), "says the opposite")
        return None

    def _same_matter(self, part: Statement) -> bool:
        subject = part.subject or self.old.subject
        return bool(subject <= self.new.words) and self.new.subject <= part.words | self.old.subject

    def changed(self) -> Move | None:
        """Another value for the same thing."""
        if (
            not self.same_subject()
            or not self.same_polarity()
            or _is_log(self.new, self.old)
            or (_past(self.new) and not self._cued())
        ):
            return None
        lost, gained = self._values(self.old, self.lost), self._values(self.new, self.gained)
        values = {a.value for a in lost} | {stem(a.value) for a in lost}
        words = {word for word in self.lost if word not in values and word not in UNITS}
        if not lost or not gained or not self._anchored(lost):
            return None
        swapped = self._swapped(lost, gained)
        if swapped is not None:
            return self.made("changed", swapped, "another value for the same thing")
        loose = self._cued() and self.new.verb == self.old.verb
        if len(words) > (1 if self._cued() else 0) or not self._same_measure(lost, gained):
            return None
        if not {a.type for a in lost} <= {a.type for a in gained} and not loose:
            return None
        return self.made("changed", self._with_rest(None), "another value for the same thing")

    def _anchored(self, lost: list[Atom]) -> bool:
        """It is clear that one value takes the place of the other."""
        predicate = frozenset(self.new.said) & frozenset(self.old.said) - self.old.subject
        alike = self.new.verb == self.old.verb
        if (
            any(atom.type == "name" for atom in lost)
            and (self.new.verb in cues.SEVERAL or not self.old.subject)
            and not self._cued()
        ):
            return bool(predicate) and alike
        return bool(predicate) or alike or (bool(self.old.subject) and self._cued() and not any(a.type == "name" for a in lost))

    def _same_measure(self, lost: list[Atom], gained: list[Atom]) -> bool:
        """Numbers count the same thing: the word after them is the same, or one of them has none."""
        for atom in lost:
            if atom.type != "number":
                continue
            measures = {_measure(other, self.new.text) for other in gained if other.type == "number"}
            mine = _measure(atom, self.old.text)
            if mine and measures and mine not in measures and "" not in measures and not self._converted(mine, measures):
                return False
        return True

    @staticmethod
    def _converted(mine: str, others: set[str]) -> bool:
        return any({mine, other} <= group for other in others for group in _DIMENSIONS)

    def _swapped(self, lost: list[Atom], gained: list[Atom]) -> str | None:
        """The old text with the new values in their places, where they are all the new text adds and the old one has more to say."""
        values = {a.value for a in gained} | {stem(a.value) for a in gained}
        new = [word for word in self.gained if word not in values and word not in UNITS and not cues.CUE.search(word)]
        if new or len(lost) <= len(gained) and not (self.lost - {a.value for a in lost} - UNITS):
            return None
        text = self.old.text
        for value in sorted(gained, key=lambda atom: -atom.start):
            fits = [a for a in lost if a.type == value.type and _measure(a, self.old.text) == _measure(value, self.new.text)]
            told = self.old.text[fits[0].start : fits[0].end] if len(fits) == 1 else ""
            if not told or text.count(told) != 1:
                return None
            text = text.replace(told, self.new.text[value.start : value.end])
        return text

    def corrected(self) -> Move | None:
        """ "Y, not X" and "Y; X was wrong": X in the old statement becomes Y."""
        if cues.REVERSED.search(self.new.text) and 3 * len(self.shared) >= 2 * len(self.new.words) and len(self.shared) > 1:
            return self.made("changed", self.new.text, "says it the other way round")
        found = cues.correction(self.new.text)
        if found is None or _dates_clash(self.new, self.old):
            return None
        wrong = frozenset(stem(word) for word in re.findall(r"[^\W_]+", found.wrong)) - {"user", "and"}
        told = {word for word in wrong if word in self.old.words or word in _folded(self.old.text)}
        kept = read(found.kept)
        if not told or (self.old.people & PEOPLE) - self.new.people:
            return None
        if not (kept.subject & self.old.words) and not (frozenset(kept.said) & self.old.words):
            return None
        if len(kept.subject - self.old.words - wrong) > 1:
            return None
        return self.made("changed", self._put_right(found.wrong, kept), "corrects it")

    def _put_right(self, wrong: str, kept: Statement) -> str:
        """The old text with the right words in the place of the wrong ones, where it has more to say; else the corrected text."""
        old = self.old.text
        more = self.old.words - self.new.words - {self.old.verb}
        tail = re.search(r"(?:is|are|was|were|in|on|at|from|by|to|called|spelt|named) (?:the )?([^,;]+)$", kept.text.rstrip(". "))
        if more and tail is not None and old.count(wrong) == 1:
            return old.replace(wrong, tail[1].strip())
        alone = kept.text[:1].upper() + kept.text[1:]
        return joined(alone, *self._others()) if more else alone

    def _others(self) -> list[str]:
        """The clauses of the old statement but for the one closest to the new."""
        clauses = _clauses(self.old)
        closest = max(clauses, key=lambda part: len(read(part).words & self.new.words), default="")
        return [part for part in clauses if part != closest]

    def withdrawn(self) -> Move | None:
        """The new statement names what no longer holds, and the old one says it."""
        if self.new.people != self.old.people or (self.new.about_user != self.old.about_user):
            return None
        for pattern in cues.WITHDRAWN:
            match = pattern.search(self.new.text)
            if match is None:
                continue
            gone = read(match["old"]).words | frozenset(stem(w) for w in re.findall(r"[^\W_]+", match["old"]))
            gone = frozenset(word for word in gone if word in self.old.words or word in self.new.words)
            told = gone & self.old.words
            if not told or len(told) * 2 < len(gone) or not self.new.subject <= self.old.words:
                continue
            clause = next((c for c in _clauses(self.old) if told <= read(c).words), None)
            if clause is not None and (self.new.subject or len(told) >= 2 or any(_is_name(word, self.old) for word in told)):
                listed = _without_item(self.old.text, match["old"].strip())
                text = self._with_rest(clause) if listed is None else joined(listed, self.new.text)
                return self.made("withdrawn", text, "takes it back")
        return None

    # ------------------------------------------------------------------------------------------ helpers

    def _cued(self) -> bool:
        return cues.CUE.search(self.new.text) is not None

    @staticmethod
    def _values(statement: Statement, words: frozenset[str]) -> list[Atom]:
        plain = {stem(word) for word in words} | words
        kinds: tuple[Type, ...] = ("number", "date", "name")
        return [a for a in atoms(statement.text) if a.type in kinds and (a.value in plain or stem(a.value) in plain)]

    def _with_rest(self, clause: str | None) -> str:
        """The new text and what else the old one says; `clause` is the part that no longer holds, None: the closest one."""
        rest = self._others() if clause is None else [part for part in _clauses(self.old) if part != clause]
        return joined(self.new.text, *rest) if rest else self.new.text


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


def _without_item(text: str, item: str) -> str | None:
    """The text without one item of a list of three or more; None where there is no such list."""
    if text.count(item) != 1 or text.count(",") < 2:
        return None
    cut = re.sub(rf",\s*(?:and )?{re.escape(item)}(?=[,.;]|$)|(?<=[:,])\s*{re.escape(item)},", "", text)
    return cut if cut != text else None


def _clauses(statement: Statement) -> list[str]:
    return [part.strip() for part in _CLAUSE.split(statement.text) if part and part.strip()]


def _negated(text: str) -> bool:
    """Of its first clause: what is denied after a semicolon or "not X" of a correction is another matter."""
    first = re.split(r"[;.](?:\s|$)|,\s*(?:and )?not ", text)[0]
    gone = re.search(r"\b(?:stopped|quit|gave up|given up|dropped|abandoned)\b", first) is not None
    return (sum(atom.type == "negation" for atom in atoms(first)) + gone) % 2 == 1


def _past(statement: Statement) -> bool:
    match = re.search(r"\b(\w+ed|" + "|".join(cues.PAST) + r")\b", statement.text.split(";")[0])
    return bool(match) and match is not None and stem(match[1]) == statement.verb or statement.verb in cues.PAST


def _dates_of(statement: Statement) -> frozenset[str]:
    """Years, months and days that are part of the subject: it is the matter of that time only."""
    days = {word for word in statement.subject if word.isdigit()} if statement.subject & _MONTHS else frozenset()
    return frozenset(word for word in statement.subject if _YEAR.match(word) or word in _MONTHS) | days


def _dates_clash(new: Statement, old: Statement) -> bool:
    return bool(_dates_of(new) and _dates_of(old) and _dates_of(new) != _dates_of(old))


def _is_log(new: Statement, old: Statement) -> bool:
    """Both tell of an event of their own time."""
    dates = [{a.value for a in atoms(s.text) if _YEAR.match(a.value) or a.value in _MONTHS} for s in (new, old)]
    return (
        _past(new)
        and _past(old)
        and dates[0] != dates[1]
        or bool(_dates_of(new) and _dates_of(old) and _dates_of(new) != _dates_of(old))
    )


def _is_version(word: str) -> bool:
    """A version or the place in an order; a bare number may be the name of the thing ("Hive 2")."""
    return bool(re.match(r"^(?:v?\d+(?:\.\d+)+|v\d+|\d+(?:st|nd|rd|th))$", word))


def _is_name(word: str, statement: Statement) -> bool:
    return any(atom.type == "name" and word in (atom.value, stem(atom.value)) for atom in atoms(statement.text))


def _measure(atom: Atom, text: str) -> str:
    """The word that follows a number, as a stem: what it counts."""
    sign = re.match(r"[$£€]", text[atom.start : atom.end])
    if sign:
        return sign[0]
    attached = re.match(r"[\d.,:/]+([a-zµ°]+)$", text[atom.start : atom.end].lower())
    if attached:
        return attached[1]
    match = re.match(r"[\s-]*([^\W\d_]+|[%°]\w*)", text[atom.end :])
    return stem(match[1]) if match else ""


def _folded(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text)}
