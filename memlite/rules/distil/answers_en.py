"""An agent's question and the user's short answer as one statement of the user in the first person: English.

"Do you live in Bergen?" "Yes, since 2019" gives "I live in Bergen, since 2019"; "Which car is it?" "a blue Panda" gives "my car
is a blue Panda". The statement then goes through the same rules as if the user had said it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import FINITE, base, words
from memlite.rules.distil.person import third_person
from memlite.rules.distil.questions_en import filled, has_clause, to_first_person
from memlite.rules.distil.revise import sort_of

_YES = re.compile(
    r"^(?:oh |haha |well,? |ha,? )?(?:yes|yeah|yep|yup|yea|ja|right|correct|exactly|indeed|true|sure|"
    r"absolutely|definitely|of course|you got it|spot on|"
    r"bingo|precisely|that is right|that is correct|that is true|that is it|that is me|"
    r"(?:I do|I am|we do|we are|she is|he is|it is|they are|she does|he does|it does|I have|always|"
    r"every time|usually|mostly)(?=[,.!]|$)|guilty|affirmative|well spotted|good guess|you guessed (?:it|"
    r"right)|how did you (?:know|guess)|as always|still am|still do|"
    r"always have|always have been)\b[,.! ]*",
    re.IGNORECASE,
)
_NO_START = re.compile(
    r"^(?:oh |well,? |haha |sorry,? )*(?:no|nope|nah|not really|wrong|not quite|not at all|no no|neither|"
    r"close)\b[,.!: ]*",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"""^(?:so|ah|oh|ok|okay|then|and|well|i\ see|thanks|noted|got\ it|great|nice|interesting)?,?\s*(?:
        i\ (?:guess|take\ it|assume|suppose|gather|think|imagine|bet|suspect|believe|presume)(?:\ that)?
        |(?:it\ )?(?:sounds|looks|seems)\ (?:like|as\ if|as\ though)
        |it\ (?:seems|appears)(?:\ that)?
        |judging\ by\ [^,]{1,60},
        |from\ what\ you\ say,?
        |you\ (?:said|mentioned)\ (?:earlier\ |before\ |once\ |last\ time\ )?(?:that\ )?
        |if\ I\ (?:understand|remember)\ (?:right|correctly|you),?
        |could\ it\ be(?:\ that)?
        |let\ me\ guess[,:]?
        |am\ I\ right\ (?:that|in\ thinking)
        |do\ I\ understand\ correctly\ that
        |is\ it\ (?:true|right|correct)\ that
        |correct\ me\ if\ I\ am\ wrong,?(?:\ but)?
        |as\ I\ (?:remember|recall),?
        |my\ notes\ say(?:\ that)?
        |I\ (?:have\ it\ noted|noted|remember)(?:\ that)?
        |perhaps|maybe|probably|presumably
        |(?:as|since|because|given\ that)(?=\ you\b)|
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_CONTRAST = re.compile(r"([A-Z][\w'-]+(?: [A-Z][\w'-]+)?), not ([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)")
_ASSUMED = re.compile(r"I (?:assume|take it|guess|suppose|presume|think)\b")
_SO = re.compile(r"[,;:]?\s+(?:so|then|therefore|which means)\b(?: [^,]*)?[:,]?.*$", re.IGNORECASE)
_TAG = re.compile(
    r",?\s*(?:right|correct|yes|no|then|is that right|is that correct|am I right|are you not|do you not|"
    r"is it not|I guess|I suppose|I assume|I take it|perhaps|maybe)$",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:should|shall|may|could|would)\s+(?:I|we|it(?! be)|you)\b|\b(?:do|would)\s+you\s+(?:want|like|"
    r"need|mean|mind|see|know|think|prefer me|remember)\b|\bwant me\b|\bcan I\b|"
    r"\b(?:did|have|had|could|can)\s+you\s+(?:try|tried|check|checked|run|see|send|show|share|give|tell|"
    r"set|run|look|restart|install|measure|measured)\b|\bis (?:that|this|it) (?:ok|okay|right|correct|"
    r"better|all)\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"^(?:have been|has been|for|since|in|on|at|with|from|by|near|but|every|only|mostly|because|twice|"
    r"once|about|around|until|till|and|all|always|never|usually|"
    r"ever since|just outside|just|especially|except|both|the|an?|my|our)\b|^\d",
    re.IGNORECASE,
)
_ALWAYS = re.compile(r"\b(?:always|never|every|usually|only ever|since (?:19|20)\d\d|for years)\b", re.IGNORECASE)
_YOU = re.compile(r"\b(your|yours|yourself|you)\b", re.IGNORECASE)
_THEY = {"your": "their", "yours": "theirs", "yourself": "themselves", "you": "they"}
_BY_PRINCIPLE = re.compile(r"(?:never|always) (?!mind\b)\w+ \w|only ever\b", re.IGNORECASE)
_OF_THE_MOMENT = re.compile(
    r"\b(?:try|tried|check|error|happen\w*|now|yet|today|plan|planning|want|looking|did|was|were|came|"
    r"last|went)\b",
    re.IGNORECASE,
)
_HOW_IS = re.compile(
    r"(?:and )?how (?:is|are|was|were|do you like) (?:the|your) [\w-]+(?: (?!\w+ed$)[\w-]+)?$|how (?:is|are) (?:it|things)",
    re.IGNORECASE,
)
_WHO_DOES = re.compile(
    r"(?:and )?who (?:builds?|owns?|maintains?|uses?|runs?|leads?|teaches|lives|manages|looks after|pays|"
    r"decides|reviews|signs)\b",
    re.IGNORECASE,
)
_OF_THE_HOUR = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|now|later|this (?:week|month|morning|evening|time)|"
    r"(?:next|last) (?:week|month|year|night|time|\w+day)|days?|minutes?|hours?|euros?|dollars?|pounds?)\b|[€$£]",
    re.IGNORECASE,
)
_COMPLEMENT = frozenset(
    "a an the in on at from still also called named based already allergic vegan vegetarian with for always".split()
)
_NO_ATTRIBUTE = frozenset(
    "what which who where when why how anything something else more really right ok okay yes no it that this you".split()
)
_NOT_AN_ANSWER = re.compile(
    r"^(?:why|what|how|who|where|when|which|can|could|do|does|is|are|will|would|please|show|give|"
    r"never mind|no idea|not sure|dunno|i do not know|maybe|"
    r"perhaps|it depends|depends|ok|okay|thanks|nothing|none of|whatever|hm+|let|here|done|both|all good|forget|skip)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the user says to a question.

    Attributes:
        statement: one statement in the first person; empty if the answer gives none.
        confirmed: the user agreed to what the agent said.
        denied: the user denied it.
        rest: what is left of the user's first sentence, to be read on its own.
        detail: the answer to a question without a verb ("Year and engine?"), which goes on with what was said before.
    """

    statement: str
    confirmed: bool
    denied: bool
    rest: str
    detail: str = ""


MAX_ANSWER_WORDS = 20
"""A longer answer is a statement of its own."""

NOTHING = Reply("", False, False, "")


def reply(question: str, answer: str, *, asked: bool = True) -> Reply:
    """The statement that a question (or a guess) and the beginning of the answer make together.

    Args:
        question: one sentence of the agent, contractions in full.
        answer: the first sentence of the user, contractions in full.
        asked: the agent's sentence ends with a question mark.
    """
    if _OFFER.search(question):
        return NOTHING
    yes, no = _YES.match(answer), _NO_START.match(answer)
    if yes or no:
        claim = declared(question)
        if not claim:
            return NOTHING
        rest = answer[(yes or no).end() :].strip(" ,.") if (yes or no) else ""  # type: ignore[union-attr]
        if no:
            return _denial(claim, rest)
        more = rest if _CONTINUES.match(rest) and not has_clause(rest) else ""
        return Reply(f"{claim}, {more}" if more else claim, True, False, "" if more else rest)
    if put_right := _put_right(question, answer):
        return Reply(put_right, False, True, "")
    if not asked or not answer or len(words(answer)) > 16 or _NOT_AN_ANSWER.match(answer) or answer.endswith("?"):
        return NOTHING
    statement = filled(question, answer)
    return Reply(statement, False, False, "", "" if statement else _detail(question, answer))


def _put_right(claim: str, answer: str) -> str:
    """What takes the place of a wrong guess without a "no": "fish, on Arch" after "I assume bash on Ubuntu", "Lübeck, not Leipzig"."""
    contrast = _CONTRAST.fullmatch(answer.strip(" .!"))
    if contrast and re.search(rf"\b{re.escape(contrast[2])}\b", claim):
        told = declared(re.split(r"[:;]", claim)[0].strip())
        return re.sub(rf"\b{re.escape(contrast[2])}\b.*", contrast[1], told) if contrast[2] in told else ""
    value = answer.strip(" .!")
    setup = _ASSUMED.match(claim) and re.fullmatch(
        r"[\w.+#-]+(?: [\w.+#-]+)?,? (?:on|in|with|under) (?:an? )?[A-Z][\w.+#-]*", value
    )
    return f"I use {value}" if setup else ""


def _detail(question: str, answer: str) -> str:
    """ "age and breed: 4, a whippet"; empty unless the question is a bare noun or two and the answer a value."""
    asked = [word.lower() for word in words(question)]
    plain = 0 < len(asked) <= 5 and not any(word in FINITE or word in _NO_ATTRIBUTE for word in asked)
    return f"{question.strip(' ?').lower()}: {answer.strip(' .!')}" if plain and not has_clause(answer) else ""


def topic(question: str, answer: str) -> str:
    """Question and bare answer side by side, where the question is about something lasting; empty for others.

    >>> topic("How is the house insulated", "badly, built in 1927, brick")
    'the user has this answer to "how is the house insulated": badly, built in 1927, brick'
    """
    value = answer.strip(" .!")
    if len(words(value)) > MAX_ANSWER_WORDS or _OF_THE_HOUR.search(value) or value.endswith("?"):
        return ""
    about = _YOU.sub(lambda match: _THEY[match[1].lower()], f"{question[:1].lower()}{question[1:]}".strip(" ?"))
    pair = f'the user has this answer to "{about}": {value}'
    if _BY_PRINCIPLE.match(value):
        return pair
    closed = bool(words(question)) and words(question)[0].lower() in FINITE  # "do you own a kiln?" wants yes or no
    refused = closed or _OFFER.search(question) or _OF_THE_MOMENT.search(question) or _HOW_IS.match(question)
    plain = has_clause(value) or _YES.match(value) or _NO_START.match(value) or _NOT_AN_ANSWER.match(value)
    asked = {word.lower() for word in words(question)}
    lasting = asked & lexicon.ASKED_TOPICS or _ALWAYS.search(value) or _WHO_DOES.match(question)
    telling = len(words(value)) >= 2 or re.search(r"[A-Z\d]", value)
    return pair if lasting and telling and not (refused or plain) else ""


def _denial(claim: str, rest: str) -> Reply:
    """ "no, Ghent" puts Ghent in the place of what the claim ended with."""
    value = re.sub(r"^(?:it is|that is|I am|I meant|in fact|actually|rather|but)\s+", "", rest).strip()
    value = re.split(r"\s*[,;]\s*", value)[0] if value else ""
    if not value or len(words(value)) > 4 or has_clause(value) or base(words(value)[0]):
        return Reply("", False, True, rest)
    parts = re.match(r"(.*\b(?:in|at|from|near|for|is|am|are|called|named|with|on|to)\s+)(\S.*)$", claim)
    if not parts or len(words(parts[2])) > 5:
        return Reply("", False, True, rest)
    head = parts[1]
    preposition = words(value)[0].lower()
    if preposition in ("in", "at", "from", "near", "on", "with", "for"):
        head = re.sub(r"\b(?:in|at|from|near|on|with|for)\s+$", "", head)
    same_sort = sort_of(words(value)[-1]) == sort_of(words(parts[2])[-1]) != ""
    return Reply(f"{head}{value}" if same_sort else "", False, True, "" if same_sort else rest)


# ------------------------------------------------------------------------------------------- yes-or-no questions


def declared(question: str) -> str:
    """A yes-or-no question or a guess of the agent as the user's statement; empty if it's neither.

    >>> declared("Do you live in Bergen"), declared("So you are a nurse, right"), declared("Is your son in year three")
    ('I live in Bergen', 'I am a nurse', 'my son is in year three')
    """
    text = _TAG.sub(
        "", re.sub(r"^(?:and|so|ah|oh|then|ok|okay|well|but|nice|great|good),?\s+", "", question.strip(), flags=re.IGNORECASE)
    )
    every = words(text)
    if not every:
        return ""
    first = every[0].lower()
    if (
        first in FINITE
        and len(every) > 2
        and not re.match(r"could it be|am I right|do I understand|is it (?:true|right|correct) that", text, re.IGNORECASE)
    ):
        return to_first_person(_inverted(text, every))
    guess = _SO.sub("", _HEDGE.sub("", text, count=1)).strip()
    if re.match(r"(?:you|your)\b", guess, re.IGNORECASE) and not re.match(
        r"you (?:can|could|should|may|might|need|must|want to|will|would)\b", guess, re.IGNORECASE
    ):
        return to_first_person(guess[:1].lower() + guess[1:])
    if re.match(r"(?:he|she|it|they|the \w+) (?:is|are|has|have|\w+s)\b", guess, re.IGNORECASE) and guess != text:
        return guess
    return ""


def _inverted(text: str, every: list[str]) -> str:
    """ "Does your sister live in Ghent" → "your sister lives in Ghent"; empty where the subject's end isn't plain."""
    auxiliary = every[0].lower()
    body = text.split(None, 1)[1]
    tokens = body.split()
    if tokens[0].lower() in ("you", "he", "she", "it", "they", "we", "I"):
        size = 1
    else:
        size = _subject_size(tokens, auxiliary)
        if not size:
            return ""
    subject, rest = " ".join(tokens[:size]), tokens[size:]
    if not rest:
        return ""
    while rest and rest[0].lower() in ("ever", "already", "perhaps", "maybe"):
        rest = rest[1:]
    if auxiliary in ("do", "does"):
        place = 1 if len(rest) > 1 and rest[0].lower() in lexicon.ADVERBS else 0
        if auxiliary == "does" and place < len(rest):
            rest[place] = third_person(rest[place])
        return f"{subject} {' '.join(rest)}"
    if auxiliary == "did":
        return ""
    return f"{subject} {auxiliary} {' '.join(rest)}"


def _subject_size(tokens: list[str], auxiliary: str) -> int:
    """Words of the subject after the auxiliary: up to a verb after do, up to what begins a complement after be or have."""
    for index in range(1, min(len(tokens), 6)):
        low, before = tokens[index].lower().strip(","), tokens[index - 1].lower()
        if auxiliary in ("do", "does", "did", "can", "will", "must"):
            if low in lexicon.VERBS and before not in ("the", "your", "a", "my"):
                return index
        elif (low in _COMPLEMENT and before not in ("and", "of")) or _is_predicate(low):
            return index
    return len(tokens) - 1 if len(tokens) in (2, 3) and auxiliary in ("is", "are") else 0


def _is_predicate(word: str) -> bool:
    """Whether a word tells of a subject that has ended before it: "baking", "12", "allergic", "painted"."""
    shape = word.endswith("ing") or word[:1].isdigit() or (word.endswith("ed") and len(word) > 4)
    return shape or word in lexicon.LASTING_STATE or word in lexicon.PARTICIPLES
