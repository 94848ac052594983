"""Which English clauses of a user state something that lasts. Everything not recognised is refused.

The present tense of a verb of doing tells a habit ("I mend clocks"); what happens now stands in other forms or beside words of
the day. On that rest most of the rules; word lists tell apart the verbs and nouns that behave otherwise.
"""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil import speaker_en as speaker
from memlite.rules.distil import states_en as states
from memlite.rules.distil.grammar import Parsed, is_name, words
from memlite.rules.distil.life_en import life_event
from memlite.rules.distil.marks_en import DEFINITE, LATER_TALK, NO, PREPOSITIONS, STRONG, WEAK, is_habit, is_passing, is_refused

_PERSONS = lexicon.FAMILY_SHE | lexicon.FAMILY_HE | lexicon.PEOPLE | lexicon.PETS
_THINGS = lexicon.GROUPS | lexicon.POSSESSIONS | lexicon.PROJECTS
_OF_OURS = lexicon.PROJECTS | lexicon.OWN_GROUPS | lexicon.PETS | lexicon.PEOPLE
_TAKES = re.compile(
    r"take (?!\d|a (?:few|couple|minute|second|long|while|lot)|ages|forever|too|so|long|hours|minutes|seconds|"
    r"time|it\b|up\b)\w"
)
_MINE = re.compile(r"(?:my|our|one of (?:my|our))\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\byears ago\b|\bas a (?:child|kid|teenager|student)\b")
_RULE = re.compile(
    r"\b(?:must|never|always|only|every|all|forbidden|forbid|required|mandatory|compulsory|not allowed|"
    r"banned|prohibited|(?:has|have) to be|"
    r"without exception|requires?|insists?)\b"
)
_OURS = re.compile(
    r"\b(?:our|us|we|my|mine|ours|the (?:company|team|project|repo|firm|app|site|product|office|school|client|"
    r"customer))\b"
)
_TOUCHES_ME = re.compile(
    r"^(?:scares?|bothers?|annoys?|irritates?|disgusts?|upsets?|relax(?:es)?|calms?|terrif(?:y|ies)|"
    r"frightens?|stress(?:es)?|bores?) me\b"
    r"|^(?:make|makes|give|gives|leave|leaves) me (?!a minute|a second|the|that|this|an? (?:example|list|hint|error))\w+"
)
_PUT_ON = re.compile(r"(?:put|start|get) (?:me|us) on (?!hold|the|a list|speaker)\w")
_SURGERY = re.compile(r"(?:\w+ )?(?:surgery|an operation|a stroke|a heart attack|a transplant|twins|a bypass)\b")
_SCHOOLS = re.compile(r"\b(?:school|kindergarten|nursery|university|college|church|mosque|daycare)\b")
_IN_RELATION = re.compile(r"\b(?:my|our)\b")
_KEPT_FOR = re.compile(r"\b(?:for|after|within|every) (?:\d|\w+ )\w* ?(?:days?|weeks?|months?|years?|hours?)\b")
_COUNTED = re.compile(r"(?:\d|(?:one|two|three|four|five|six|ten|an?) \w)")
_CHRONIC = re.compile(r"\b(?:easily|chronically|badly|since|for years|in winter|when)\b")
_SINCE_YEAR = re.compile(r"\b(?:since|in) (?:19|20)\d\d\b")
_SPOILT = re.compile(
    r"(?:only |just |nothing but )?(?:blank|empty|black|wrong|garbled|corrupted|broken|crooked|smudged|duplicate|random|strange|weird)\b|nothing\b"
    r"|(?:garbage|gibberish|nonsense|rubbish|errors?|stripes|streaks|smudges|sparks|smoke)\b"
)
_SINGLE_ACTS = frozenset("keep look seem need want feel smell sound go start come".split()) | states.ALWAYS_PASSING


def weight(parsed: Parsed, clause: str, noun: str = "") -> int:
    """NO, WEAK or STRONG: does the clause state something lasting?

    Args:
        parsed: the skeleton of `clause`.
        clause: with contractions in full.
        noun: the head noun of what a pronoun or a name as the subject stands for; empty if unknown.
    """
    lower = clause.lower()
    if is_refused(clause) or _is_over(parsed, lower):
        return NO
    found = max(_by_subject(parsed, lower, noun), _rule_of_ours(parsed, lower))
    return NO if found < STRONG and is_passing(lower) else found


def is_plain_statement(parsed: Parsed, clause: str) -> bool:
    """Whether a clause states anything at all about anything: enough where the user asked to remember it."""
    told = parsed.form in ("be", "have", "present", "modal", "passive", "perfect") and bool(parsed.rest)
    lasting = not (is_refused(clause) or is_passing(clause.lower()) or LATER_TALK.match(parsed.after))
    return told and lasting and parsed.subject not in ("this", "there", "you")


def is_trait(parsed: Parsed, clause: str) -> bool:
    """Whether a confirmed guess is worth keeping: what one is, not where one stands at the moment."""
    if parsed.form != "be" or not parsed.rest or parsed.subject in ("there", "this", "that", "it"):
        return False
    momentary = states.is_mood(parsed.rest) or parsed.rest[0].lower() in PREPOSITIONS
    pointing = DEFINITE.match(parsed.after) or LATER_TALK.match(parsed.after)
    return not (momentary or pointing or is_passing(clause.lower()) or is_refused(clause))


def is_long_lasting(clause: str) -> bool:
    """Whether a clause counts in years or tells a habit: what an answer about the user's matters needs to be kept."""
    lower = clause.lower()
    return bool(re.search(r"\b(?:years?|decades?|always|never|for life)\b", lower)) and not (
        is_passing(lower) or is_refused(clause)
    )


def _is_over(parsed: Parsed, lower: str) -> bool:
    """ "was", "had": over, unless it names a relation, a year or a birth."""
    if not parsed.was or parsed.form not in ("be", "have", "progressive"):
        return False
    return not (
        _MINE.match(parsed.after) or _YEAR.search(lower) or parsed.after.startswith("born ") or _SURGERY.match(parsed.after)
    )


def _by_subject(parsed: Parsed, lower: str, noun: str) -> int:
    habit = is_habit(parsed, lower)
    if parsed.noun in lexicon.PEOPLE and _PUT_ON.match(f"{parsed.verb} {parsed.after}"):
        return STRONG
    if parsed.subject in ("I", "we"):
        return speaker.told(parsed, lower, habit)
    if not noun and parsed.subject in ("the", "bare", "all", "name") and _IN_RELATION.search(parsed.owner):
        return (
            NO if _is_fault(parsed, habit) else _thing(parsed, lower, True, habit)
        )  # "the soil in my garden", "visits at our school"
    if parsed.subject in ("my", "our") or noun:
        return _owned(parsed, lower, parsed.noun if parsed.subject in ("my", "our") else noun, habit)
    match parsed.subject:
        case "bare":
            return _bare(parsed, lower, habit)
        case "the" if parsed.noun in _OF_OURS:
            return _owned(parsed, lower, parsed.noun, habit)
        case "the" if parsed.noun in lexicon.POSSESSIONS and parsed.form == "be" and parsed.rest:
            counted = _COUNTED.match(parsed.after)
            return WEAK if (counted or habit) and not states.is_mood(parsed.rest) else NO
        case "name":
            return _stranger(parsed, lower, habit)
        case _:
            return NO


def _bare(parsed: Parsed, lower: str, habit: bool) -> int:
    """A subject without article: "staging runs on AWS", "supervisor is Ms Low", "parents mostly speak Polish"."""
    if parsed.noun in lexicon.PEOPLE:
        named = parsed.form == "be" and bool(parsed.rest) and is_name(parsed.rest[-1])
        return WEAK if named or (habit and parsed.form == "present") else NO
    if parsed.noun in lexicon.PROJECTS and len(words(parsed.owner)) <= 3:
        return _owned(parsed, lower, parsed.noun, habit) if parsed.form != "present" or parsed.rest else NO
    return NO


def _rule_of_ours(parsed: Parsed, lower: str) -> int:
    """A rule or a habit that names us: "every letter must be signed by our notary"; a thing that has an effect on the speaker."""
    if parsed.subject in ("I", "you", "this", "there") or parsed.form in ("past", "progressive"):
        return NO
    plain = parsed.noun not in lexicon.PASSING_NOUNS
    others = parsed.subject in ("bare", "the", "all", "name") and parsed.form == "present"
    if others and plain and _TOUCHES_ME.match(f"{parsed.verb} {parsed.after}"):
        return WEAK
    if parsed.form == "passive" and states.is_made(parsed) and parsed.subject in ("all", "bare", "name"):
        return WEAK if parsed.subject == "all" or _KEPT_FOR.search(lower) else NO
    if parsed.verb in lexicon.FAULT_VERBS and not parsed.modal:
        return NO
    return WEAK if plain and _RULE.search(lower) and _OURS.search(lower) else NO


# ---------------------------------------------------------------------------------------- what belongs to the speaker


def _owned(parsed: Parsed, lower: str, noun: str, habit: bool) -> int:
    """A statement on a person, an animal, a group, a thing or a project of the speaker's."""
    if noun in _PERSONS:
        return _person(parsed, lower, habit)
    if parsed.form == "present" and noun in lexicon.BODY and _CHRONIC.search(lower):
        return WEAK
    if parsed.form == "present" and _is_fault(parsed, habit):
        return NO
    if noun in lexicon.TRAITS:
        return _trait(parsed, noun)
    if noun in lexicon.PASSING_NOUNS - lexicon.PROJECTS:
        return NO
    mine = parsed.subject in ("my", "our") and parsed.form in ("be", "have", "present")
    return _thing(parsed, lower, noun in _THINGS or mine, habit)


def _is_fault(parsed: Parsed, habit: bool) -> bool:
    if parsed.form == "present" and not habit and _SPOILT.match(parsed.after):
        return True
    if parsed.verb not in lexicon.FAULT_VERBS:
        return False
    wanted = habit and parsed.verb in ("take", "want", "need", "use")
    return not (wanted or _TAKES.match(f"{parsed.verb} {parsed.after}"))


def _thing(parsed: Parsed, lower: str, known: bool, habit: bool) -> int:
    match parsed.form:
        case "be":
            return WEAK if habit else states.of_thing(parsed, known)
        case "have":
            return speaker.having(parsed, habit) if known or habit else NO
        case "passive":
            return WEAK if (states.is_made(parsed) or habit) and (known or habit) else NO
        case "modal":
            refused = parsed.modal in ("can", "may") and parsed.negated and known
            return WEAK if parsed.modal == "must" or refused else NO
        case "present":
            single = parsed.verb in states.ALWAYS_PASSING or not parsed.rest or LATER_TALK.match(parsed.after)
            return WEAK if habit or (known and not single) else NO
        case "perfect" | "past":
            if known and life_event(parsed):
                return STRONG
            return WEAK if _SINCE_YEAR.search(lower) else NO
        case _:
            return WEAK if habit and known else NO


def _trait(parsed: Parsed, noun: str) -> int:
    if parsed.form == "be" and parsed.rest:
        if states.is_mood(parsed.rest):
            return NO
        return WEAK if noun in lexicon.BODY else STRONG
    return WEAK if parsed.form in ("present", "have", "passive") and parsed.rest else NO


def _person(parsed: Parsed, lower: str, habit: bool) -> int:
    """She …, my son …, the cat …: as of the speaker, but a present may tell of today."""
    match parsed.form:
        case "be":
            return WEAK if re.match(r"(?:my|our)\b", parsed.after) else states.of_person(parsed, habit)
        case "present":
            if parsed.verb in states.REPORTING and not habit:
                return NO
            if parsed.verb in states.TASTE_VERBS:
                return speaker.taste(parsed, habit)
            lasting = parsed.rest and not LATER_TALK.match(parsed.after) and not _single_act(parsed)
            return WEAK if habit or lasting else NO
        case _:
            return speaker.told(parsed, lower, habit)


def _single_act(parsed: Parsed) -> bool:
    """A present that tells of today in spite of its form: "my dog keeps scratching", "my son needs a costume"."""
    if parsed.verb not in _SINGLE_ACTS:
        return False
    if parsed.verb == "keep":
        return not parsed.rest or parsed.rest[0].endswith("ing")  # "keeps scratching", but "keeps bees"
    origin = parsed.verb == "come" and parsed.after.startswith("from")
    return not (origin or (parsed.verb in ("go", "start") and _SCHOOLS.search(parsed.after)))


def _stranger(parsed: Parsed, lower: str, habit: bool) -> int:
    """A name not heard before counts when the sentence ties it to the speaker or tells what only a person has."""
    if _MINE.match(parsed.after) and parsed.form in ("be", "past"):
        return WEAK
    tied = re.search(r"\b(?:us|me|my|our|mine|ours)\b", lower)
    if tied and (habit or parsed.form in ("be", "have", "present")) and parsed.verb not in lexicon.FAULT_VERBS:
        return _person(parsed, lower, habit)
    lasting = {word.lower() for word in parsed.rest[:4]} & lexicon.LASTING_STATE
    return WEAK if parsed.form == "be" and lasting and not _is_plural_name(parsed) else NO


def _is_plural_name(parsed: Parsed) -> bool:
    """A capitalised plural such as "Cats" that opens a sentence of general knowledge."""
    name = words(parsed.owner)
    return len(name) == 1 and name[0].endswith("s") and is_name(name[0])
