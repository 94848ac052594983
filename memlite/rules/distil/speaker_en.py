"""What an English clause about the speaker or a person says by its verb: a habit, a taste, an ability, a turn of life."""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil import states_en as states
from memlite.rules.distil.grammar import Parsed
from memlite.rules.distil.life_en import life_event
from memlite.rules.distil.marks_en import DEFINITE, LATER_TALK, NO, STRONG, WEAK, object_head

_SINCE = re.compile(
    r"\bfor (?:\d|\w+ (?:years?|months?|decades?)|years|decades|ages|many|over|almost|most)|"
    r"\bsince (?!yesterday|this|today|then|last (?:night|week|month)|\w+day\b|the (?:update|upgrade|"
    r"change|restart|move to)|it\b)\w"
)
_LONG_AGO = re.compile(
    r"\b(?:in|since|from|until|till|of) (?:19|20)\d\d\b|\b\w+ years ago\b|\bas a (?:child|kid|teenager|student)\b|\bat school\b|\bat (?:the age of )?(?:sixteen|seventeen|eighteen|nineteen|twenty)\b|\b(?:19|20)\d\d\b"
)
_PLACED = re.compile(
    r"(?:in|near|at|for|as|from|with|alone|abroad|outside|just|part|full|freelance|remotely|nights|days|shifts|only|\w+days?)\b"
)
_AT_HAND = re.compile(r"(?:on|with|for|in|from) (?:it|this|that|the|you|a while)\b")
_ILLNESS = re.compile(r"sick|migraine|cold|headache|rash|pain")
_SIZED = re.compile(r"\b(?:class|group|team) of (?:\d|\w+ty|\w+teen)")
_ONE_OF_THEM = re.compile(r"(?:how|what|your|to (?:know|see|hear)|the (?:first|second|third|last|idea|one|new|result))\b")
_KIND_OF = re.compile(r"the \w+(?: \w+)? (?:of|in|at|when|better)\b")
_THROUGH = re.compile(r"\b(?:with|on|in|to|through|via|from|by|against|under|behind)\b")
_RESCHEDULED = re.compile(r"move (?:our|the) [\w-]+(?: [\w-]+)? to (?:\d|\w+day)")
_DECISIONS = frozenset("choose decide agree settle standardise standardize adopt pick".split())
_WITH_ABILITY = frozenset("have take use read speak eat work".split())


def told(parsed: Parsed, lower: str, habit: bool) -> int:
    """I …, we …: NO, WEAK or STRONG."""
    match parsed.form:
        case "be":
            return states.of_speaker(parsed, habit)
        case "have":
            return having(parsed, habit)
        case "perfect":
            return perfect(parsed, lower)
        case "progressive":
            return states.going_on(parsed)
        case "passive":
            return states.passive(parsed)
        case "past":
            return past(parsed, lower)
        case "used":
            return WEAK
        case "modal":
            return modal(parsed, habit)
        case _:
            return _present(parsed, habit)


def having(parsed: Parsed, habit: bool) -> int:
    """… has: a thing, a relative or an illness, not a question or an error."""
    if parsed.rest[:1] == ("to",):
        return WEAK if habit else NO
    near = [word.lower() for word in parsed.rest[:5]]
    if not near or near[0] in ("it", "this", "that", "them", "been", "you") or "error" in near:
        return NO
    if _SIZED.search(parsed.after):
        return WEAK
    head = object_head(parsed.rest)
    return NO if head in lexicon.PASSING_NOUNS or not head else WEAK


def perfect(parsed: Parsed, lower: str) -> int:
    """… has done: for years, always, never, or a turn of life."""
    if LATER_TALK.match(parsed.after):
        return NO
    lasting = bool(_SINCE.search(lower))
    if parsed.verb.endswith("ing") or parsed.verb == "be":
        return WEAK if lasting or parsed.adverbs & {"always"} else NO
    if DEFINITE.match(parsed.after):
        return NO
    if parsed.adverbs & {"never", "always"} or lasting:
        return WEAK
    return STRONG if life_event(parsed) else NO


def past(parsed: Parsed, lower: str) -> int:
    """… did: a turn of life, something years ago, a decision of the group."""
    if parsed.negated:
        return NO
    if life_event(parsed) or (parsed.verb == "call" and parsed.after.startswith("me ")):
        return STRONG
    placed = (
        parsed.verb in ("live", "work", "study", "teach", "serve")
        and _PLACED.match(parsed.after)
        and not _AT_HAND.match(parsed.after)
    )
    if placed or _LONG_AGO.search(lower) or (parsed.subject == "we" and _RESCHEDULED.match(f"{parsed.verb} {parsed.after}")):
        return WEAK
    decided = parsed.subject == "we" and parsed.verb in _DECISIONS
    return WEAK if decided and parsed.rest and not LATER_TALK.match(parsed.after) else NO


def modal(parsed: Parsed, habit: bool) -> int:
    """… can, will, must: what one is unable to do, refuses or has to do by rule."""
    verb, after, never = parsed.verb, parsed.after, parsed.negated
    if (LATER_TALK.match(after) and not habit) or after.endswith(" now"):
        return NO
    definite = bool(DEFINITE.match(after))
    match parsed.modal:
        case "can" if never:
            if verb in ("stand", "eat", "tolerate"):
                return STRONG
            return WEAK if verb in lexicon.ABLE_VERBS or (verb in _WITH_ABILITY and not definite) else NO
        case "can":
            return WEAK if (verb in ("speak", "play") or habit or "only" in parsed.adverbs) and not definite else NO
        case "will":
            return WEAK if never and verb in lexicon.REFUSED_VERBS and not definite else NO
        case "must":
            return WEAK if never or habit or parsed.subject == "we" else NO
        case "would":
            prefers = verb in ("rather", "prefer") and " than " in f" {after} "
            return WEAK if prefers or "never" in parsed.adverbs else NO
        case _:
            return NO


def taste(parsed: Parsed, habit: bool) -> int:
    """Likes and dislikes: of a kind of thing, not of "that one" or "the second version"."""
    after = parsed.after
    if "just" in parsed.adverbs or not after or LATER_TALK.match(after) or _ONE_OF_THEM.match(after):
        return NO
    return NO if DEFINITE.match(after) and not habit and not _KIND_OF.match(after) else WEAK


def _present(parsed: Parsed, habit: bool) -> int:
    verb, after = parsed.verb, parsed.after
    if verb in states.TASTE_VERBS:
        return taste(parsed, habit)
    if verb == "have":
        return having(parsed, habit)
    if verb == "look" and after.startswith("after ") and not LATER_TALK.match(after[6:]):
        return WEAK
    if verb in states.ALWAYS_PASSING or (LATER_TALK.match(after) and not habit and parsed.subject == "I"):
        return NO
    if habit:
        return NO if verb in ("feel", "get") and not _ILLNESS.search(after) else WEAK
    if verb in lexicon.TASK_VERBS or verb in lexicon.PASSING_VERBS:
        return _task(parsed)
    if verb not in lexicon.VERBS:
        return NO
    if verb == "study" and parsed.rest and not DEFINITE.match(after):
        return WEAK
    if verb in ("live", "work", "come", "study"):
        return STRONG if _PLACED.match(after) and not _AT_HAND.match(after) else NO
    if DEFINITE.match(after):
        return WEAK if verb in states.CHARGE_VERBS and object_head(parsed.rest) not in lexicon.PASSING_NOUNS else NO
    return NO if verb in lexicon.FAULT_VERBS and not parsed.negated else WEAK


def _task(parsed: Parsed) -> int:
    """Verbs that mostly tell a single act; with some objects they tell a trade, a habit or a setup."""
    verb, after = parsed.verb, parsed.after
    if not parsed.rest or object_head(parsed.rest) in lexicon.PASSING_NOUNS or LATER_TALK.match(after):
        return NO
    if verb in states.SETUP_VERBS and (parsed.subject == "we" or verb == "use"):
        ours = parsed.subject == "we" and _THROUGH.search(after) and not after.startswith("th")
        return WEAK if not DEFINITE.match(after) or ours else NO
    pattern = states.TASK_OBJECTS.get(verb)
    return WEAK if pattern and pattern.match(after) else NO
