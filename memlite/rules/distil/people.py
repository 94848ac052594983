"""Who and what a talk has named so far, and whom "she", "it", "the site" or a bare name means: English.

The memory of one window, filled in order. Where two could be meant the one named last is taken; where none fits, None: a
sentence whose subject is unknown is not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import FINITE, base, is_name, words

_MENTION = re.compile(
    r"\b([Mm]y|[Oo]ur|[Yy]our|[Tt]he)\s+((?:[\w'-]+\s+){0,2}?)([a-z][\w-]*)(?:(?:,\s+(?=(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau)\b|"
    r"[A-Z][\w-]+(?: [A-Z][\w-]+)?(?:[,.;)]|$))|\s+(?:called\s+|named\s+|"
    r"is called\s+|is named\s+)?)((?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|"
    r"Frau)\.?\s+)?[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?))?"
)
_OF_MINE = re.compile(
    r"\b(?:an? )?(friend|colleague|cousin|neighbour|neighbor|client|student|pupil|flatmate|roommate|"
    r"teammate)(?: of (?:mine|ours))? (?:called |named )?([A-Z][\w-]+)"
)
_IS_MY = re.compile(r"\b([A-Z][\w-]+),? (?:is|was) (my|our) ([a-z][\w-]*(?: [a-z][\w-]*)?)")
_NAMED_PROJECT = re.compile(
    r"\b(?:the|our|my|a|an|called|named)\s+([\w.-]+)\s+(project|repo|repository|app|service|site|codebase|"
    r"library|package|api)\b"
)
_THEN_MY = re.compile(r"\b([A-Z][\w-]+),? (?:he|she|who) (?:is|was) (my|our) ([a-z][\w-]*(?: [a-z][\w-]*)?)")
_SOMEBODY = re.compile(r"\b(?:for|with|to|from|and|about|by|of|meet|met|call) ([A-Z][a-z\u00e0-\u017f'-]+)\b")
_OPENING = re.compile(
    r"^([A-Z][a-z\u00e0-\u017f'-]+)(?: (?:from|in|at) [\w ]{2,20}?)? (?:is|has|was|asked|said|says|wants|"
    r"needs|told|keeps|thinks|works|lives|came|gave|sent|called|texted|moved|got|loves|likes|hates)\b"
)
_GOT = re.compile(
    r"\b(?:have|has|had|want|need|own|bought|run|drive|ride|keep|adopted|inherited|rent|got|built|maintain|play) (?:an?|"
    r"two|three|one) ((?:[\w'-]+ ){0,2}?)([a-z][\w-]*)\b"
)
_A_CHILD = re.compile(r"\b(?:an?|the) (toddler|baby|child|kid|teenager|dog|cat|puppy|kitten|horse|rabbit|kids|children)\b")
_HYPHENATED = re.compile(r"\b(?:the|our|my) ([a-z0-9]+(?:-[a-z0-9]+)*-([a-z]+))\b")
_CALLED = re.compile(
    r"\b(?:an?|my|our|the) (?:[\w-]+ ){0,3}?(project|service|app|site|tool|game|dog|cat|company|band|boat|"
    r"horse|puppy|kitten|library) called ([A-Z][\w-]+)"
)

_KINDS = (
    ("she", lexicon.FAMILY_SHE),
    ("he", lexicon.FAMILY_HE),
    ("person", lexicon.PEOPLE),
    ("pet", lexicon.PETS),
    ("thing", lexicon.GROUPS | lexicon.POSSESSIONS | lexicon.PROJECTS),
)
_FITS = {
    "he": frozenset({"he", "person", "name", "pet"}),
    "she": frozenset({"she", "person", "name", "pet"}),
    "they": frozenset({"many", "person"}),
    "it": frozenset({"pet", "thing"}),
}
_SMALL = frozenset(
    """of in on at for with to from by about into over under near behind without as than per via during and or but so
    because since who which that if when while called named too please again back out up off now here there is""".split()
)
_DETERMINER_FIRST = frozenset("my our the".split())
_YOUR = re.compile(r"\b([Yy])our\b")
_NO_PROJECT_NAME = lexicon.PROJECTS | frozenset("whole new old same web other entire main current".split())
_PROJECT_ENDS = lexicon.PROJECTS | frozenset("viewer cli web lib bot".split())

MAX_KNOWN = 200
"""Entities kept in mind; of a longer talk the earliest are forgotten."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something of the user's.

    Attributes:
        surface: how to name it in the first person: "my sister Anna", "the tide app".
        noun: its class noun, lower case; a name's own relation if known, else empty.
        kind: she, he, person, pet, thing, many, name.
        name: its proper name or empty.
        turn: where it was last named.
    """

    surface: str
    noun: str
    kind: str
    name: str
    turn: int


class Cast:
    """The entities named so far, the latest last."""

    def __init__(self) -> None:
        self._known: list[Entity] = []

    def hear(self, text: str, turn: int, *, from_agent: bool = False) -> None:
        """Takes in the entities a sentence names. An agent's "your sister" is the user's "my sister"."""
        if from_agent:
            text = _YOUR.sub(lambda match: "My" if match[1] == "Y" else "my", text)
        found = list(_relations(text, turn, from_agent=from_agent))
        if not from_agent:
            found += _introduced(text, turn)
        for _, entity in sorted(found, key=lambda pair: pair[0]):
            self.add(entity)
        del self._known[:-MAX_KNOWN]

    def link(self, sentence: str, turn: int) -> None:
        """Joins a name to the relation that a later clause of the sentence gives: "for Imani, she was my intern"."""
        for match in _THEN_MY.finditer(sentence):
            if is_name(match[1]):
                noun = match[3].split()[-1]
                self.add(Entity(f"{match[2]} {match[3]} {match[1]}", noun, _kind(noun), match[1], turn))

    def add(self, entity: Entity) -> None:
        """Puts an entity last; the fuller of two names for the same one is kept."""
        for index, old in enumerate(self._known):
            if _same(old, entity):
                del self._known[index]
                fuller = old if len(old.surface) >= len(entity.surface) else entity
                kind = entity.kind if entity.kind in ("he", "she") or old.kind == "perhaps" else old.kind
                self._known.append(replace(fuller, turn=entity.turn, kind=kind, name=fuller.name or entity.name or old.name))
                return
        self._known.append(entity)

    def meet(self, name: str, turn: int) -> None:
        """A person known by name only."""
        self.add(Entity(name, "", "name", name, turn))

    def touch(self, entity: Entity, pronoun: str) -> None:
        """The entity was spoken of again by a pronoun, which tells its kind."""
        kind = pronoun if pronoun in ("he", "she") and entity.kind in ("person", "name", "perhaps") else entity.kind
        self.add(replace(entity, kind=kind))

    def who(self, pronoun: str, turn: int) -> Entity | None:
        """Whom he, she, they or it means, at most six turns back."""
        fits = _FITS.get(pronoun, frozenset())
        near = [entity for entity in reversed(self._known) if turn - entity.turn <= 6]
        exact = [e for e in near if e.kind in fits and (pronoun == "it" or e.kind != "pet")]
        perhaps = [e for e in near if e.kind == "perhaps" and turn - e.turn <= 2 and pronoun in ("he", "she")]
        return next(iter(exact), None) or next((e for e in near if e.kind in fits), None) or next(iter(perhaps), None)

    def named(self, owner: str) -> Entity | None:
        """The entity whose name or whose last noun the subject of a clause is: "Anna", "the app" for "the tide app"."""
        parts = words(owner)
        if not parts:
            return None
        name, last = parts[0], parts[-1].lower()
        for entity in reversed(self._known):
            if entity.name and (entity.name == owner or (entity.name.split()[0] == name and len(parts) == 1)):
                return entity
            if owner.lower() in (
                "the little one",
                "the wee one",
                "the old boy",
                "the old girl",
                "the poor thing",
            ) and entity.kind in ("pet", "she", "he", "person"):
                return entity
            if parts[0].lower() == "the" and len(parts) == 2 and last == entity.noun and len(words(entity.surface)) > 2:
                return entity
            if (
                parts[0].lower() == "the"
                and len(parts) == 2
                and last == entity.noun
                and entity.surface.startswith(("my ", "our "))
            ):
                return entity
        return None

    def baptise(self, name: str, turn: int) -> bool:
        """Gives a name that was said alone to the person or animal spoken of last, if it has none."""
        last = next((e for e in reversed(self._known) if e.kind in ("she", "he", "person", "pet")), None)
        if last is None or last.name or turn - last.turn > 2:
            return False
        self.add(replace(last, surface=f"{last.surface} {name}", name=name, turn=turn))
        return True

    def fullest(self, surface: str) -> str:
        """The fullest way to name what was called so: "my dog" is "my dog Olive" once its name is known."""
        return next((e.surface for e in reversed(self._known) if e.name and e.surface == f"{surface} {e.name}"), surface)

    def pet(self) -> str:
        """The animal spoken of last."""
        return next((entity.surface for entity in reversed(self._known) if entity.kind == "pet"), "my pet")

    def project(self) -> Entity | None:
        """The project, repository or service named last."""
        return next((entity for entity in reversed(self._known) if entity.noun in lexicon.PROJECTS and entity.name), None)

    def thing(self, noun: str) -> Entity | None:
        """The entity with this class noun."""
        return next((entity for entity in reversed(self._known) if entity.noun == noun), None)


def _relations(text: str, turn: int, *, from_agent: bool) -> Iterator[tuple[int, Entity]]:
    """(place, entity) of what stands in a relation to the user, and of projects with a name."""
    for match in _MENTION.finditer(text):
        compound = not match[4] and _is_compound(match[3], text[match.end(3) :])
        entity = None if compound or (from_agent and match[1].lower() == "the") else _entity(match, turn)
        if entity:
            yield match.start(), entity
    for match in _OF_MINE.finditer(text):
        if is_name(match[2]):
            yield match.start(), Entity(f"my {match[1]} {match[2]}", match[1], "person", match[2], turn)
    for match in _IS_MY.finditer(text):
        if is_name(match[1]):
            noun = match[3].split()[-1]
            yield match.start(), Entity(f"{match[2]} {match[3]} {match[1]}", noun, _kind(noun), match[1], turn)
    for match in _NAMED_PROJECT.finditer(text):
        if match[1].lower() not in _NO_PROJECT_NAME:
            yield match.start(), Entity(f"the {match[1]} {match[2]}", match[2].lower(), "thing", match[1], turn)
    for match in _HYPHENATED.finditer(text):
        if match[2] in _PROJECT_ENDS:
            yield match.start(), Entity(f"the {match[1]}", match[2], "thing", match[1], turn)
    for match in _CALLED.finditer(text):
        noun = match[1].lower()
        yield match.start(), Entity(f"my {match[1]} {match[2]}", noun, _kind(noun), match[2], turn)


def _introduced(text: str, turn: int) -> Iterator[tuple[int, Entity]]:
    """(place, entity) of what a user names without a relation: "for Imani", "we have a cabin", "the baby"."""
    opening = _OPENING.match(text)
    named = [match for match in (opening, *_SOMEBODY.finditer(text)) if match is not None and is_name(match[1])]
    yield from ((match.start(), Entity(match[1], "", "perhaps", match[1], turn)) for match in named)
    for match in _GOT.finditer(text):
        noun = match[2].lower()
        if _kind(noun) in ("pet", "thing") and not any(_is_small(word) for word in match[1].split()):
            yield match.start(), Entity(f"my {match[1]}{match[2]}", noun, _kind(noun), "", turn)
    for match in _A_CHILD.finditer(text):
        yield match.start(), Entity(f"the {match[1]}", match[1], _kind(match[1]), "", turn)


def _is_compound(noun: str, after: str) -> bool:
    """Whether the noun only begins a longer one: "the code" of "the code freeze stays"."""
    follows = re.match(r" ([a-z]+)\b", after)
    if follows is None or noun.endswith("s") or follows[1].endswith("s"):
        return False
    word = follows[1]
    plain = word in FINITE or word in lexicon.ADVERBS or word in _SMALL
    return not plain and base(word) in ("", word)


def _kind(noun: str) -> str:
    if noun in lexicon.PROJECTS and noun.endswith("s") and noun not in ("postgres", "cms", "ios"):
        return "many"
    if noun in (
        "parents",
        "children",
        "kids",
        "siblings",
        "grandparents",
        "friends",
        "colleagues",
        "twins",
        "cats",
        "dogs",
        "hens",
        "bees",
    ):
        return "many"
    return next((kind for kind, group in _KINDS if noun in group), "")


def _entity(match: re.Match[str], turn: int) -> Entity | None:
    determiner, middle, noun, name = match[1].lower(), match[2].strip(), match[3].lower(), match[4] or ""
    kind = _kind(noun)
    if determiner == "your" or not kind or (determiner == "the" and noun not in lexicon.PROJECTS | lexicon.GROUPS):
        return None
    if any(word in _DETERMINER_FIRST or _is_small(word) for word in middle.split()):
        return None
    if name and not is_name(name.split()[-1]):
        name = ""
    surface = " ".join(part for part in (determiner, middle, noun, name) if part)
    return Entity(surface, noun, kind, name, turn)


def _is_small(word: str) -> bool:
    """Words that can't stand between "my" and its noun."""
    return word.lower() in frozenset(
        "is are was were has have and or but in on at for with to of that who which does do can".split()
    )


def _same(old: Entity, new: Entity) -> bool:
    if old.name and new.name:
        return old.name == new.name
    if old.surface == new.surface:
        return True
    return bool(
        old.noun
        and old.noun == new.noun
        and old.kind in ("she", "he", "person", "pet", "thing")
        and not (old.name and new.name)
        and _mods(old, new)
    )


def _mods(old: Entity, new: Entity) -> bool:
    """One of the two is the other's noun without further words: "my car", "my red car"; not "the web app", "the phone app"."""
    short, long = sorted((words(old.surface), words(new.surface)), key=len)
    return len(short) == 2 and len(long) >= 2
