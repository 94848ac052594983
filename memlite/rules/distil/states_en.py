"""What follows "am", "is", "have been": which states, roles and turns of life last."""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import Parsed, is_name
from memlite.rules.distil.marks_en import NO, PREPOSITIONS, STRONG, WEAK

TASTE_VERBS = frozenset(
    """like love hate prefer enjoy dislike detest adore loathe favour favor fear avoid dread despise fancy appreciate
    admire support""".split()
)
ALWAYS_PASSING = frozenset(
    """think guess suppose assume hope wish wonder mean know see understand agree bet promise swear reckon doubt remember forget
    imagine recall believe notice thank apologise apologize look seem sound happen say tell ask hear wait figure suspect add
    give care mind dunno admit expect matter help show owe beg depend plan intend consider enable bring""".split()
)
REPORTING = frozenset("say think tell ask want need suggest claim believe hope know wonder insist complain".split())
CHARGE_VERBS = frozenset(
    """play teach lead manage head run own coach chair represent maintain study supervise coordinate organise organize direct
    conduct speak learn sing handle""".split()
)
SETUP_VERBS = frozenset(
    """use run deploy build test write keep ship release log store host track require forbid merge review publish install import
    build format lint sign commit send pay meet chat bill plan""".split()
)
TASK_OBJECTS = {
    "run": re.compile(r"(?:an?|our|my own) (?!test|script|build|command|quick|query)|marathons?\b|ultras?\b|half"),
    "make": re.compile(r"(?!sure|sense|it|an?\b|the\b|my\b|me\b|you\b|this|that|mistakes?\b|use\b)\w+"),
    "get": re.compile(
        r"(?:\w*sick (?:on|in|from|at)\b|\w+sick\b|migraines?|hay fever|hives|vertigo|anxious|nervous|panic|cramps|heartburn|carsick|"
        r"dizzy|nosebleeds|headaches|rashes|up at|a rash)"
    ),
    "do": re.compile(r"(?!not\b|it|that|this|the\b|you\b|my\b|an?\b|so\b|have\b|need\b|know\b|want\b|think\b)[a-z]+"),
    "give": re.compile(
        r"(?!me\b|you\b|it\b|him\b|her\b|up\b|the\b|this\b|an?\b)[a-z]+ (?:lessons|classes|talks|tours|blood|"
        r"concerts)|blood\b"
    ),
    "find": re.compile(r"[a-z]+ (?:hard|difficult|impossible|exhausting|unbearable)\b"),
    "take": re.compile(
        r"(?!care|note|part|place|time|it|this|that|an?\b|the\b(?! (?:bus|train|tram|metro|subway|ferry|"
        r"pill))|my time|you|me|turns|over|out)\w+"
    ),
    "go": re.compile(
        r"by [A-Z\w]|to (?:church|mass|school|university|college|the gym|bed at)|running|climbing|swimming|"
        r"hiking|fishing|sailing|cycling"
    ),
    "come": re.compile(r"from\b"),
    "keep": re.compile(r"(?!it|this|that|the\b|getting|trying|having|on\b|up\b|in mind|me\b|you\b|track)(?!\w+ing\b)\w+"),
    "use": re.compile(r"(?!it|this|that|the\b|these|them|your)\w+"),
    "leave": re.compile(r"(?:for work|home|the house) (?:at|before|around)"),
    "pick": re.compile(r"up (?:my|our|the) (?:kids?|children|daughter|son)"),
    "want": re.compile(
        r"to (?:learn|become|retire|qualify|emigrate|lose \d|run (?:a|my first)|move (?:to|abroad)|"
        r"get (?:married|a degree)|buy a (?:house|flat|boat))"
    ),
    "need": re.compile(
        r"(?:\w+ )?(?:captions|subtitles|glasses|hearing aids?|a wheelchair|insulin|step-free|an interpreter|"
        r"wheelchair)"
    ),
    "import": re.compile(r"(?!it|this|the\b)\w+ from\b"),
    "change": re.compile(r"(?:jobs|careers|trains at)"),
    "write": re.compile(r"(?!me|you|it|this|the\b|an? (?:script|function|test|email|letter|mail))\w+"),
    "start": re.compile(r"(?:work|my shift|school|the day) (?:at|before|around)"),
    "finish": re.compile(r"(?:work|my shift) (?:at|before|around)"),
}

_MOODS = frozenset(
    """fine ok okay good great well bad tired bored hungry thirsty sick ill cold hot warm late early busy sorry glad happy sad
    angry upset sure unsure ready back here there home away done lost stuck confused curious excited nervous worried stressed
    exhausted awake asleep drunk down dead broken empty full slow gone missing wrong weird odd strange red green failing off
    out low high loud noisy wet dirty runny burnt flat over right correct true false nice lovely beautiful cute funny crazy
    amazing awesome terrible awful horrible delicious fast quick alive free available online offline open closed due ready
    loose blank frozen unreachable unresponsive unavailable not-working overdue so too very really pretty quite just going
    about supposed able unable trying afraid killing acting being all getting such like that this it what why how because if
    mine yours hers theirs nothing something up finally""".split()
)
_COLOURS = frozenset(
    """black white grey gray blue brown yellow silver beige ginger orange dark light blond blonde bald tall short small big
    large""".split()
)
_PLAIN = frozenset("called named plain pure the entirely split not no one two".split())
_FOR_LIFE = frozenset("married divorced retired adopted widowed".split())
_BY_BIRTH_OR_NAME = frozenset("born raised diagnosed called named based".split())
_DISPOSED = frozenset("interested scared terrified frightened trained employed qualified used obsessed certified".split())
_SET_UP = frozenset(
    """written built hosted deployed based called named licensed licenced published generated stored kept managed pinned owned
    made maintained served tested released located run signed reviewed formatted encrypted backed shared mounted held closed
    funded led coordinated documented tracked insured registered translated shown sold paid planned planted heated mirrored
    replicated archived rotated versioned wiped rebuilt refreshed cleared restored copied configured forbidden banned""".split()
)
_MOVE = re.compile(r"(?:to|in with|into|abroad|back to) ?\w*")
_NUMBERS = "|".join(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety""".split()
)
_STATES = re.compile(
    rf"(?:{_NUMBERS})(?:$|,| and\b)|\d{{1,3}}(?=,| and\b)|\d{{1,3}}(?: years?(?: old)?| yo\b|$|,)|(?:\w+ ){{1,2}}years? old"
    r"|at (?:about |around |over )?[\d,.]+ ?(?:m|metres|meters|feet|ft)\b"
    r"|on (?:an? )?(?:[\w-]+ ){0,3}(?:tablets|pills|medication|meds|antidepressants|insulin|statins|"
    r"inhalers?|diet|shifts|injections|"
    r"painkillers|steroids|drops|warfarin|waiting list|pension|scholarship|visa|board|committee)\b"
    r"|in (?:the|an?|our|my) (?:[\w-]+ ){0,2}(?:club|team|band|choir|orchestra|union|army|navy|brigade|"
    r"council|society|group|troupe|"
    r"squad|league)\b"
    r"|(?:their|his|her|its) (?:[\w-]+ ){0,2}(?:teacher|doctor|coach|nurse|tutor|trainer|carer|guardian|"
    r"godmother|godfather|aunt|"
    r"uncle|mother|father|mentor|manager|boss|supervisor|accountant|lawyer)\b"
    r"|off (?:sugar|gluten|meat|dairy|alcohol|caffeine|coffee|carbs|cigarettes|wheat|nuts|milk|salt)\b"
    r"|(?:secretary|treasurer|chair\w*|captain|president|head|director|member|coach|leader|editor|founder|owner|author|patron) of\b"
    r"|the \w+(?: \w+)? (?:of|at|for|in|who)\b|the (?:only|oldest|youngest|eldest)\b"
)
"""An age, an altitude, a cure, a membership, a role, an abstinence."""


def is_mood(rest: tuple[str, ...]) -> bool:
    """Whether a complement tells of a passing state or a fault."""
    return rest[0].lower() in _MOODS


def of_speaker(parsed: Parsed, habit: bool) -> int:
    """I am …, we are …."""
    rest, after = parsed.rest, parsed.after
    if not rest:
        return NO
    if parsed.adverbs & {"just", "only", "almost", "nearly"} and not is_name(rest[0]):
        return NO
    if is_name(rest[0]) and not parsed.negated:
        return STRONG if len(rest) < 8 else WEAK
    return max(_lasting(rest, after, parsed), WEAK if habit and not is_mood(rest) else NO, _placed(rest))


def of_person(parsed: Parsed, habit: bool) -> int:
    """She is …, my son is …."""
    rest, after = parsed.rest, parsed.after
    if not rest:
        return NO
    titled = (
        rest[0].lower().rstrip(".") in ("mr", "mrs", "ms", "dr", "prof", "herr", "frau", "signora", "madame") and len(rest) > 1
    )
    if parsed.subject in ("my", "our") and (is_name(rest[0]) or titled):
        return STRONG
    mine = re.match(r"(?:my|our)\b", after)
    return max(_lasting(rest, after, parsed), WEAK if habit and not is_mood(rest) else NO, _placed(rest), WEAK if mine else NO)


def of_thing(parsed: Parsed, known: bool) -> int:
    """My car is …, the site is …: a kind, a name, a place, a number; not how it fares today."""
    rest = parsed.rest
    if not rest or is_mood(rest):
        return NO
    first = rest[0].lower()
    if first in ("a", "an"):
        return NO if len(rest) > 1 and rest[1].lower() in lexicon.NO_ROLE | _MOODS else WEAK
    if is_name(rest[0]) or (known and rest[0][0].isdigit()) or any(is_name(word) for word in rest[1:3]):
        return WEAK
    if not known:
        return NO
    return WEAK if first in PREPOSITIONS | _COLOURS | _PLAIN else NO


def _lasting(rest: tuple[str, ...], after: str, parsed: Parsed) -> int:
    """A condition, a role, an age, a membership: what one is, not how one feels."""
    near = [word.lower() for word in rest[:5]]
    reach = near if "and" in near else near[:3]
    if set(reach) & lexicon.LASTING_STATE and near[0] not in ("so", "too"):
        return STRONG
    lead = "not " if "not" in parsed.adverbs else ""
    if after.startswith(lexicon.FEAR_STATE) or f"{lead}{after}".startswith(lexicon.ROLE_STATE):
        return WEAK
    contrasted = parsed.subject in ("I", "we") and re.search(r" , not \w+$", after)
    if contrasted or _STATES.match(after):
        return WEAK
    if near[0] in ("a", "an", "one") and len(near) > 1:
        return NO if near[1] in lexicon.NO_ROLE or near[1] in _MOODS else WEAK
    return NO


def _placed(rest: tuple[str, ...]) -> int:
    """In a town, on a platform: a preposition and a name, and nothing that tells of a journey."""
    at = 2 if len(rest) > 2 and rest[1].lower() in ("a", "an") else 1
    if len(rest) <= at or rest[0].lower() not in ("in", "on", "from", "with", "at") or not is_name(rest[at]):
        return NO
    return NO if any(word.lower() in ("for", "until", "till", "now", "this", "because") for word in rest[2:]) else WEAK


def going_on(parsed: Parsed) -> int:
    """I am learning …: what takes months, not the thing of the hour."""
    verb, rest, after = parsed.verb, parsed.rest, parsed.after
    if parsed.negated or not rest or re.match(r"(?:it|this|that|these|how|what|about|why|on (?:it|this|that))\b", after):
        return NO
    if verb in lexicon.STATE_NOW:
        return WEAK
    if verb in lexicon.PROJECT_NOW:
        things = {word.lower() for word in (*rest[1:2], rest[-1])}
        return WEAK if re.match(r"(?:an?|my|our)\b", after) and not things & lexicon.PASSING_NOUNS else NO
    if verb == "working":
        placed = after.startswith(("at ", "in ")) and len(rest) > 1 and is_name(rest[1])
        return WEAK if placed or re.match(r"(?:as|for) ", after) else NO
    if verb in ("moving", "relocating", "emigrating", "switching", "migrating"):
        return STRONG if _MOVE.match(after) and any(is_name(word) for word in rest[1:4]) else NO
    if verb in ("getting", "turning", "starting"):
        return STRONG if re.match(r"(?:married|divorced|\d+\b|school|university|a new job|at )", after) else NO
    return NO


def passive(parsed: Parsed) -> int:
    """I was born …, is called …, am interested in …."""
    verb, after = parsed.verb, parsed.after
    if verb in _FOR_LIFE:
        return STRONG
    if verb in _BY_BIRTH_OR_NAME:
        return STRONG if after else NO
    if verb in _DISPOSED:
        return WEAK if re.match(r"(?:in|of|as|at|by|to|with) (?!it\b|this\b|that\b)", after) else NO
    if verb in ("allowed", "required", "obliged", "forbidden", "banned"):
        return WEAK if re.match(r"(?:to|from) ", after) and not re.search(r"\b(?:this|that)\b", after) else NO
    return NO


def is_made(parsed: Parsed) -> bool:
    """A passive that tells how a thing is set up: written in, hosted on, called."""
    return parsed.verb in _SET_UP and bool(parsed.after) and not re.match(r"(?:again|yet|now|already|by mistake)", parsed.after)
