"""Is it said of somebody or something one can find again: the user, a named person or animal, a thing of the user's?"""

from __future__ import annotations

import re
from itertools import pairwise

from memlite.rules.gate import words_en as words
from memlite.rules.gate import words_zh as zh
from memlite.rules.gate.deeds import leaves_a_rule
from memlite.rules.gate.reading import Reading, sign
from memlite.rules.gate.relations import is_plural, says_how_it_is

_USER = sign(
    r"""
    \busers?\b|\bmy\b|\bi\b(?!\.)|\bwe\b|\bours\b|用户|用戶
    |\bour\b(?! (?:solar|planet|world|bod(?:y|ies)|ancestors|species|society|brains?|galaxy|universe|lungs))
    """
)

# A predicate that explains the world.
_GENERAL = sign(
    r"""
    \b(?:is|was|are) (?:the |a |an )?(?:\w{1,20} ){0,2}(?:capital (?:city )?of|planet|continent|country|mammals?|reptiles?
    |insects?|species|(?:programming|markup|query|scripting|natural|spoken|romance|official) language|chemical element
    |noble gas|metal)\b
    |\b(?:in the world|on earth|in history|of all time|in the universe|around the world)\b|\bboils? at\b|\bfreezes at\b
    |\b(?:was|were) (?:invented|discovered|first released|founded) (?:by|in)\b
    |\b(?:is|are) (?:made|composed) (?:of|from|out of)\b
    |\b(?:is|are) (?:used|known|considered|needed) (?:to|for|as)\b
    |\b(?:lives?|found) in (?:the wild|africa|asia|water)\b
    """
)
_LABEL = sign(r"^(?:correction|update|note|fact|memory|info|reminder) ?: ?")
_TITLED = re.compile(
    r"^(?:The )?(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Herr|Frau|Sir|Madame|Monsieur|Señora?|Aunt|Uncle|Grandma|Grandpa|Coach"
    r"|Captain|Nurse|Father|Sister)\.? [A-Z]"
)
_CAPITAL = re.compile(r"^[A-ZÀ-ÖØ-Þ]")
_THE_CAPITAL = re.compile(r"^The [A-Z]")
_IDENTIFIER = re.compile(r"^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+\b|^[A-Z][a-z]+[A-Z]\w*")
_TWO_CAPITALS = re.compile(r"^[A-Z]\w+ [A-Z]\w+")
_NAME_ENDS = re.compile(  # what may follow a first name; a common noun goes on in small letters: "Electric cars"
    r"^[^\W\d_][\w'-]*(?:,|'s\b| (?:[A-Z(]|\d|(?:de|van|von|der|la|di|el|al|bin|zu|da|du|le|the|and|or|of|from|who|usually"
    r"|often|always|never|also|only|still|rarely|mostly|has|is)\b))"
)
_ABSTRACT = re.compile(r"(?:tion|ment|ness|ism|ology|ance|ence|ship|ics|ing)$")

_PRONOUNS = frozenset("he she it they that his her its their him them who which".split())
_LINKS = frozenset("in on at for with from to by of as if when while because although after before since during unless".split())
_PREPOSITIONS = frozenset("of in on at for with from to by".split())
_ADVERBS = frozenset("usually often generally typically always never also only still sometimes rarely mostly".split())
_DETERMINERS = frozenset("the a an this that each every user's".split())
_MANKIND = frozenset("best easiest fastest safest cheapest human average typical earth world".split())


def no_durable_subject(r: Reading) -> bool:
    """Nobody and nothing of the user's is spoken of: general knowledge, people in general, a place or a thing unnamed."""
    if _USER.search(r.bare) or leaves_a_rule(r):
        return False
    return not (_subject_zh(r.zh) if r.is_chinese else _subject_en(r))


def _subject_en(r: Reading) -> bool:
    if _GENERAL.search(r.bare):
        return False
    label = _LABEL.match(r.bare)
    zone = _before_the_verb(r.words[1:] if label else r.words)
    cased = r.cased[label.end() :] if label else r.cased
    known = words.DURABLE_NOUNS | words.RELATIVES
    if not zone or zone[0] in _PRONOUNS:
        return False
    if zone[0] in words.GENERIC:
        return zone[0] in ("all", "every", "each", "these") and not words.DURABLE_NOUNS.isdisjoint(zone)
    if zone[0] in _LINKS:
        found = not known.isdisjoint(zone) or any("-" in word for word in zone)
        return found and len(zone) > 1 and zone[1] not in words.GENERIC
    if zone[0] in ("the", "this", "both"):
        return _definite(cased, zone[1:])
    if not words.RELATIVES.isdisjoint(zone[1:]) and zone[0] not in words.RELATIVES:
        return True
    first = zone[0] in words.DURABLE_NOUNS and (not zone[0].endswith("s") or zone[0] in words.PROCESS_NOUNS)
    return first or not words.DURABLE_NOUNS.isdisjoint(zone[1:]) or _is_name(cased, zone)


def _definite(cased: str, zone: tuple[str, ...]) -> bool:
    """What stands after "the" is one known thing: of a kind that users have, a relative, or named in two words."""
    if not (words.DURABLE_NOUNS | words.RELATIVES).isdisjoint(zone):
        return True
    head = next((before for before, word in pairwise(zone) if word in _PREPOSITIONS), zone[-1] if zone else "")
    if head in words.WORLD_NOUNS or not _MANKIND.isdisjoint(zone) or not words.PUBLIC_NAMES.isdisjoint(zone):
        return False
    return (len(zone) > 1 and not _THE_CAPITAL.match(cased)) or any("-" in word for word in zone)


def _is_name(cased: str, zone: tuple[str, ...]) -> bool:
    """The sentence begins with a name, and not one that everybody knows."""
    if _TITLED.match(cased):
        return True
    if not words.PUBLIC_NAMES.isdisjoint(zone):
        return False
    if _IDENTIFIER.match(cased):
        return True
    name = tuple(word for word in zone if word not in _ADVERBS)
    if not _CAPITAL.match(cased) or not name or name[0] in words.WORLD_NOUNS:
        return False
    if len(name) > 1 and not _NAME_ENDS.match(cased):
        return False
    plural = is_plural(name[-1]) and not name[-1].endswith("as") and "and" not in name and not _TWO_CAPITALS.match(cased)
    return not plural and not _ABSTRACT.search(name[0])


def _before_the_verb(every: tuple[str, ...]) -> tuple[str, ...]:
    zone = every[:8]
    for i in range(1, len(every)):
        follows_a_determiner = every[i - 1] in _DETERMINERS or every[i - 1].endswith("'s")
        if not follows_a_determiner and (says_how_it_is(every, i) or every[i] in words.PASSING_VERBS):
            zone = every[:i]
            break
    return tuple(word.removesuffix("'s") for word in zone)


# -- Chinese

_VERB_ZH = re.compile(
    "是|有(?!限)|使用|采用|用|必须|需要|应该|应当|不得|禁止|每(?!日)|默认|支持|规定|要求|位于|可以|能够|都|只能|由|，"
)
_KNOWN_ZH = re.compile(zh.KNOWN)
_PERSON_ZH = re.compile(f"(?:^|的|[，。]){zh.PERSON}[^，。；]{{0,10}}{zh.PERSONAL_RELATION}|^([\u4e00-\u9fff])\\1")
_ANIMAL_ZH = re.compile("^[\u4e00-\u9fff]{1,4}是[^，。]{0,4}[只条头匹]")
_LATIN_NAME_ZH = re.compile("^[a-z][a-z0-9_.-]+(?: [a-z][a-z0-9_.-]+)?(?=[\u4e00-\u9fff])")
_GENERIC_ZH = re.compile(f"^(?:其实|据说|听说|现在|如今|通常|一般)?{zh.GENERIC_SUBJECT}")
_GENERAL_ZH = re.compile(zh.GENERAL)
_PUBLIC_ZH = re.compile(zh.PUBLIC)
_NEAR = 14


def _subject_zh(text: str) -> bool:
    if _GENERIC_ZH.match(text) or _GENERAL_ZH.search(text):
        return False
    verb = _VERB_ZH.search(text, 2)
    if _KNOWN_ZH.search(text[: verb.start() if verb else _NEAR]):
        return True
    if _PUBLIC_ZH.match(text):
        return False
    return any(name.search(text) for name in (_ANIMAL_ZH, _PERSON_ZH, _LATIN_NAME_ZH))
