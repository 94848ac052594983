"""English: whether a new statement repeats, extends, changes or withdraws a stored one.

Silence (None) is the answer to everything uncertain: two memories kept apart do less harm than one lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memlite.rules.settle import cues
from memlite.rules.settle.atoms import UNITS, Atom, Type, atoms
from memlite.rules.settle.move import Move, Relation
from memlite.rules.settle.parts import (
    clauses,
    contrary,
    dates_clash,
    dates_of,
    folded,
    is_log,
    is_name,
    is_ordinal,
    is_version,
    joined,
    limits,
    measure,
    negated,
    past,
    same_measure,
    sort,
    without_item,
)
from memlite.rules.settle.statement import PEOPLE, Statement, read, stem

_NEW = re.compile(r"\bnew\b", re.IGNORECASE)  # of a thing, where another is old


def move(new_text: str, old_text: str) -> Move | None:
    """What to do with the new statement beside the old one; None: nothing is certain.

    >>> move("User weighs 79 kg now.", "User weighs 84 kg.").relation
    'changed'
    >>> move("User's brother weighs 79 kg now.", "User weighs 84 kg.") is None
    True
    """
    if max(len(new_text), len(old_text)) > 4_000 or cues.HEDGED.search(new_text):  # a page is no statement, and takes long
        return None
    pair = _Pair(read(new_text), read(old_text))
    if (found := pair.corrected()) is not None or pair.of_other_times():
        return found
    found = pair.repeated() or pair.reissued() or pair.grown() or pair.flipped() or pair.changed() or pair.withdrawn()
    return found or _in_a_clause(pair)


def _in_a_clause(pair: _Pair) -> Move | None:
    """A change of one clause of a longer text; the others stay."""
    parts = clauses(pair.old)
    if len(parts) < 2:
        return None
    for clause in parts:
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
            told = [found.text if other == clause else other for other in parts]
            return pair.made(found.relation, joined(*told), found.why)
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
    def _light_verbs(self) -> frozenset[str]:
        """Both verbs where they may stand for each other: "has a parrot", "feeds the parrot"; not "loves" for "hates"."""
        return self.verbs if len(self.verbs - cues.NEUTRAL) < 2 or (self._cued() and self.old.subject) else frozenset()

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
        mine, theirs = (frozenset(w for w in s.subject if not is_version(w) and w not in UNITS) for s in (self.new, self.old))
        if dates_of(self.new) != dates_of(self.old):
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

    def of_other_times(self) -> bool:
        """One tells what was, or what may come; the other what is."""
        told = [cues.REASON.split(s.text)[0] for s in (self.new, self.old)]
        if any(bool(pattern.search(told[0])) != bool(pattern.search(told[1])) for pattern in (cues.BYGONE, cues.INTENDED)):
            return True
        return (
            past(self.old)
            and not past(self.new)
            and not cues.CUE.search(self.old.text)
            and not cues.CORRECTS.search(self.new.text)
        )

    def other_scope(self) -> bool:
        """Their values are for different people or things: "rent for the flat", "rent for the garage"."""
        mine, theirs = ({stem(match["what"]) for match in cues.SCOPE.finditer(s.text)} - UNITS for s in (self.new, self.old))
        return bool(mine - self.old.words) and bool(theirs - self.new.words)

    def other_deed(self) -> bool:
        """The user does something else: "runs 5 km", "swims 1 km"."""
        return not self.old.subject and len(self.verbs - cues.NEUTRAL) > 1

    def other_occasion(self, lost: list[Atom], gained: list[Atom]) -> bool:
        """They tell of different occasions: the first and the second, weekdays and weekends, one day only."""
        orders = [{word for word in s.words if is_ordinal(word)} for s in (self.new, self.old)]
        parts = [s.words & cues.DAYPARTS for s in (self.new, self.old)]
        if orders[0] != orders[1] or (all(parts) and parts[0] != parts[1] and any(atom.type == "number" for atom in lost)):
            return True
        sorts = [{atom.type for atom in some} for some in (lost, gained)]
        return not self._cued() and ("date" in sorts[1] - sorts[0] or sorts[0] >= {"number", "date"})

    def same_polarity(self) -> bool:
        return negated(self.new.text) == negated(self.old.text)

    def made(self, relation: Relation, text: str, why: str) -> Move:
        weight = len(self.shared) + len(self.shared) / (1 + len(self.old.words | self.new.words))
        return Move(relation, text, weight, why)

    # ------------------------------------------------------------------------------------------ the relations

    def repeated(self) -> Move | None:
        """The same, or all of one in the other."""
        if not self.same_polarity() or not self.shared or contrary(self.new.text, self.old.text):
            return None
        if past(self.new) != past(self.old) and not (self._cued() and self.same_subject()):
            return None
        if self.new.words == self.old.words and self.new.people == self.old.people:
            if self._same_order() and limits(self.new.text) == limits(self.old.text):
                return self.made("same", self.new.text, "says the same")
            return None
        subjects = self.same_subject()
        found = cues.correction(self.new.text)
        said = read(found.kept).words if found else self.new.words  # what it calls wrong is not said again
        keeps = limits(self.old.text) <= limits(self.new.text)
        if (
            keeps
            and self.old.said
            and self.old.words <= said | self._light_verbs
            and (subjects or self._within(self.old, self.new))
        ):
            return self.made("richer", self.new.text, "says all of the old text and more")
        if (
            self.new.said
            and limits(self.new.text) <= limits(self.old.text)
            and self.new.words <= self.old.words | self._light_verbs
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
        numbers = [{word for word in s.subject if is_version(word)} for s in (self.new, self.old)]
        if numbers[0] == numbers[1] or not all(numbers) or 2 * len(self.shared) < len(self.old.words):
            return None
        return self.made("changed", self.new.text, "a later version of it")

    def _same_order(self) -> bool:
        """Names in the same order, or a list whose order tells nothing."""
        orders = [[a.value for a in atoms(s.text) if a.type in ("name", "number")] for s in (self.new, self.old)]
        if cues.DIRECTED.search(self.new.text) and self.new.said != self.old.said:
            return False
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
        for clause in clauses(self.old):
            part = read(clause)
            if negated(self.new.text) == negated(clause) or not (part.words - {part.verb}):
                continue
            told = part.words - {part.verb, "be"}
            if told <= self.new.words and self._same_matter(part) and not self._narrower(part):
                return self.made("withdrawn", self._with_rest(clause), "says the opposite")
        return None

    def _narrower(self, part: Statement) -> bool:
        """The denial is of less than the old statement says: "likes tea", "does not like tea with milk"."""
        if not negated(self.new.text):
            return False
        denied = read(cues.REASON.split(self.new.text)[0]).words
        return any(not cues.CUE.fullmatch(word) for word in denied - part.words - self.old.words - {self.new.verb})

    def _same_matter(self, part: Statement) -> bool:
        subject = part.subject or self.old.subject
        return bool(subject <= self.new.words) and self.new.subject <= part.words | self.old.subject

    def changed(self) -> Move | None:
        """Another value for the same thing."""
        if (
            not self.same_subject()
            or not self.same_polarity()
            or is_log(self.new, self.old)
            or (past(self.new) and not self._cued())
            or self.other_scope()
            or self.other_deed()
            or (contrary(self.new.text, self.old.text) and not cues.CUE.search(_NEW.sub("", self.new.text)))
        ):
            return None
        lost, gained = self._values(self.old, self.lost), self._values(self.new, self.gained)
        words = self._plain(self.lost, lost)
        if not lost or not gained or not self._anchored(lost) or self.other_occasion(lost, gained):
            return None
        swapped = self._swapped(lost, gained)
        if swapped is not None:
            return self.made("changed", swapped, "another value for the same thing")
        loose = self._cued() and self.new.verb == self.old.verb and {sort(a) for a in lost} & {sort(a) for a in gained}
        if words and not self.old.subject and self.new.verb not in cues.SINGLE and self._plain(self.gained, gained):
            return None  # what the user does it to is another thing
        if len(words) > (1 if self._cued() else 0) or not same_measure(lost, self.old.text, gained, self.new.text):
            return None
        if not {sort(a) for a in lost} <= {sort(a) for a in gained} and not loose:
            return None
        before = [f"Until then: {self.old.text}"] if words else []  # what else it told is not dropped with the value
        return self.made("changed", joined(self._with_rest(None), *before), "another value for the same thing")

    @staticmethod
    def _plain(words: frozenset[str], values: list[Atom]) -> set[str]:
        """Words that are neither values nor units."""
        told = {a.value for a in values} | {stem(a.value) for a in values}
        return {word for word in words if word not in told and word not in UNITS}

    def _anchored(self, lost: list[Atom]) -> bool:
        """It is clear that one value takes the place of the other."""
        predicate = frozenset(self.new.said) & frozenset(self.old.said) - self.old.subject
        alike = self.new.verb == self.old.verb
        if (
            any(atom.type == "name" for atom in lost)
            and (self.new.verb in cues.SEVERAL | cues.LISTED or not self.old.subject)
            and not self._cued()
        ):
            one = (self.old.subject and not cues.ONE_OF_SEVERAL.search(self.old.text)) or self.new.verb not in cues.SEVERAL
            return bool(predicate) and alike and bool(one) and self.new.verb not in cues.LISTED
        return bool(predicate) or alike or (bool(self.old.subject) and self._cued() and not any(a.type == "name" for a in lost))

    def _swapped(self, lost: list[Atom], gained: list[Atom]) -> str | None:
        """The old text with the new values in place, where they are all the new text adds and the old one has more to say."""
        values = {a.value for a in gained} | {stem(a.value) for a in gained}
        new = [word for word in self.gained if word not in values and word not in UNITS and not cues.CUE.search(word)]
        if new or (len(lost) <= len(gained) and not (self.lost - {a.value for a in lost} - UNITS)):
            return None
        text = self.old.text
        for value in sorted(gained, key=lambda atom: -atom.start):
            fits = [a for a in lost if a.type == value.type and measure(a, self.old.text) == measure(value, self.new.text)]
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
        if found is None or dates_clash(self.new, self.old):
            return None
        wrong = frozenset(stem(word) for word in re.findall(r"[^\W_]+", found.wrong)) - {"user", "and"}
        told = {word for word in wrong if word in self.old.words or word in folded(self.old.text)}
        kept = read(found.kept)
        if not told or (self.old.people & PEOPLE) - self.new.people:
            return None
        shared = kept.subject & self.old.words or frozenset(kept.said) & self.old.words
        if not shared and not (kept.verb == self.old.verb and self.same_subject()):
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
        parts = clauses(self.old)
        closest = max(parts, key=lambda part: len(read(part).words & self.new.words), default="")
        return [part for part in parts if part != closest]

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
            clause = next((c for c in clauses(self.old) if told <= read(c).words), None)
            if clause is not None and (self.new.subject or len(told) >= 2 or any(is_name(word, self.old) for word in told)):
                listed = without_item(self.old.text, match["old"].strip())
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
        rest = self._others() if clause is None else [part for part in clauses(self.old) if part != clause]
        return joined(self.new.text, *rest) if rest else self.new.text
