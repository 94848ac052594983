"""English questions about the user that a bare answer completes: "Where do you work?" + "a bakery" = "I work at a bakery"."""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import is_name, words
from memlite.rules.distil.sentences import expand

_SWAPPED = re.compile(r"\b(you are|are you|you were|were you|yourself|yours|your|you)\b", re.IGNORECASE)
_SWAPS = {"you are": "I am", "are you": "am I", "you were": "I was", "were you": "was I", "yourself": "myself", "yours": "mine"}
_ME = re.compile(r"\b(with|for|to|from|of|about|by|at|on|near|let|help|give|gives|makes?) you\b")
_CLAUSE = re.compile(r"\b(?:I|we|he|she|they|it)\s+\w|\b(?:my|our) \w+ (?:is|are|has)\b")
_LEAD = re.compile(
    r"^(?:and|so|ok|okay|but|then|sure|great|good|nice|fine|of course|by the way|first|just one question|"
    r"quick question)[,:.]?\s+",
    re.IGNORECASE,
)
_A_MODEL = re.compile(r"an? (?:\w+ )?(?:[A-Z]|\w*\d)")
_SLOT = re.compile(r"\{(\w+)\}")
_PLACES = frozenset("in at on near from for since as around about just outside between".split())
_ASKS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (
            (
                r"what is your (?!question|problem|goal|plan|point|take|guess|error|budget|deadline|use case|"
                r"aim)([\w' -]{2,40}?)(?: called)?$"
            ),
            "my {1} is {a}",
        ),
        (
            (
                r"(?:what|who|which) (?:is|are) (?:the name of )?your (?!question|problem|goal|plan|point|take|"
                r"guess|error|budget|deadline|use case|aim)([\w' -]{2,40}?)(?<! for)(?<! about)(?: called|"
                r" like)?$"
            ),
            "my {1} is {a}",
        ),
        (r"what is (?:the|your) (money|savings|account|fund) for|what are you saving for", "my money is for {a}"),
        (r"(?:which|what) (\w+) (?:is|are) (he|she|they|your \w+) in$", "{2} {is} in {a}"),
        (r"what is (his|her|its) name|what is (?:he|she|it) called", "{p} name is {a}"),
        (r"what (?:should|can|may|shall) I call you|who am I talking to|(?:and )?your name", "my name is {a}"),
        (r"where (?:do you|are you) (live|living|based|located)(?: now| these days)?$", "I live in {a}"),
        (
            (
                r"(?:and )?(?:where|whereabouts) (?:are you|is that|do you live)$|(?:which|what) (?:area|"
                r"part of the country|part of town) (?:do you live in|are you in)$"
            ),
            "I live in {n}",
        ),
        (r"where (?:do you|are you) (?:come )?from|where did you grow up", "I am from {a}"),
        (r"where do you (work|study|teach|train|climb|swim|shop|bank)$", "I {1} at {a}"),
        (
            (
                r"(?:what|which) (?:city|town|country|place|region) (?:do you live in|are you in|is home)|"
                r"where is home"
            ),
            "I live in {a}",
        ),
        (
            (
                r"what do you do(?: for (?:a living|work))?$|what is your (?:job|profession|trade|line of work)|"
                r"what (?:kind of )?(?:work|job) (?:do you do|do you have|are you in)|what do you work as"
            ),
            "I work as {a}",
        ),
        (r"what do you (teach|study|play|drive|grow|make|sell|speak|write|breed|brew)$", "I {1} {a}"),
        (r"how old are you", "I am {a} years old"),
        (r"how old (?:is|are) (?:your |the )?([\w' ]{2,30})$", "{o} {is} {a} years old"),
        (r"how many ([\w -]{2,30}) do you have", "I have {a} {1}"),
        (r"how many (?:people )?are (?:there )?in your ([\w ]{2,20})", "my {1} has {a} people"),
        (r"how long have you ((?:been|had|lived|worked|played|known|owned|used|done)\b[\w' -]{0,40})", "I have {1} {for}"),
        (r"how long (can|may|must|should) (?:the|your) (\w+) (\w+)$", "my {2} {1} {3} {a}"),
        (r"when is (?:your|his|her) (birthday|anniversary|deadline|wedding)", "my {1} is {on}"),
        (
            (
                r"(?:what|which) ([\w -]{2,30}) do you (use|speak|play|drive|prefer|ride|teach|write in|work in|"
                r"work with|study|cook on|have|keep|run|wear|take|own|read|like|support)\b[^?]{0,20}$"
            ),
            "the {1} I {2} is {a}",
        ),
        (
            (
                r"(?:what|which) (?:kind of |type of |sort of |breed of |make of |"
                r"model of )?([\w-]{2,20}) (?:is it|is that|are they|is he|is she|do you have|have you got)$"
            ),
            "my {1} is {a}",
        ),
        (r"what (?:breed|species)\b.{0,40}$", "my pet is {a}"),
        (
            (
                r"(?:do you have )?(?:any|are there any) (?:\w+ )?(allergies|pets|children|kids|siblings|hobbies|"
                r"conditions|dietary restrictions|restrictions|dislikes|intolerances|preferences|"
                r"disabilities)\b.{0,40}$"
            ),
            "my {1}: {a}",
        ),
        (
            (
                r"(?:is there )?anything (?:that )?you (?:do not|can not|never) (eat|like|drink|want|"
                r"use)\b.{0,20}$"
            ),
            "I do not {1} {a}",
        ),
        (r"(?:what|which) (?:foods? )?(?:are you allergic|is he allergic|is she allergic) to", "I am allergic to {a}"),
        (r"what (?:are you|do you have) allergies to", "I am allergic to {a}"),
        (
            (
                r"when do you (?:usually |normally |typically )?(get up|go to bed|start work|start|finish|"
                r"have lunch|eat|train)$"
            ),
            "I usually {1} {at}",
        ),
        (r"what (?:does|do) (?:your|the) ([\w-]+(?: \w+)?) (use|run on|require|need|eat|speak|teach)$", "my {1} {2}s {a}"),
        (r"who do you (?:report to|work for)", "I work for {a}"),
        (rf"which ({'|'.join(sorted(lexicon.ASKED_TOPICS))})(?:,? and\b.*)?$", "my {1} is {a}"),
        (
            r"(?:(?:for|on|with) )?(?:which|what) (?!file|error|test|function|line|page|one|option|part|kind|sort|type)([a-z]+)(?:,? and\b.*)?$",
            "my {1} is {model}",
        ),
    )
)
_PLURAL_ANSWER = re.compile(
    r"^(?:it is|it's|that is|that would be|they are|he is|she is|I am|my name is|mostly|mainly|probably|"
    r"a bit of|well,|oh,|um,|hm,|called)\s+",
    re.IGNORECASE,
)


def to_first_person(text: str) -> str:
    """What the agent says of "you" as the user would say it.

    >>> to_first_person("you are a nurse and your sister lives with you")
    'I am a nurse and my sister lives with me'
    """
    swaps = _SWAPS | {"your": "my", "you": "I"}
    return _SWAPPED.sub(lambda match: swaps[match[1].lower()], _ME.sub(r"\1 me", text))


def has_clause(text: str) -> bool:
    """Whether a text states something by itself and is more than a value."""
    return bool(_CLAUSE.search(text))


def filled(question: str, answer: str) -> str:
    """The answer put into the question; empty for questions that aren't known.

    >>> filled("So where do you work", "a bakery"), filled("How are you", "fine")
    ('I work at a bakery', '')
    """
    question = _LEAD.sub("", question.strip(" ?"))
    if has_clause(answer) and not _PLURAL_ANSWER.match(answer):
        return ""
    value = _PLURAL_ANSWER.sub("", answer.strip(" .!")).strip()
    if not value or value.lower() in ("no", "none", "nope", "yes", "nothing"):
        return ""
    for asked in dict.fromkeys((question, question.split(",")[0])):
        for pattern, form in _ASKS:
            if match := pattern.match(asked):
                return _fill(form, match, value)
    return ""


def _fill(form: str, match: re.Match[str], value: str) -> str:
    first = words(value)[0].lower() if words(value) else ""
    placed = first in _PLACES
    if placed:
        form = re.sub(r" (?:in|at|as|from) \{a\}", " {a}", form)
    elif form == "I work as {a}" and first not in ("a", "an", "the") and value[:1].islower():
        value = ("an " if value[0] in "aeiou" else "a ") + value
    if "years old" in form and re.search(r"year|month|week", value):
        form = form.replace(" years old", "")
    group = [(part or "").strip() for part in match.groups()] + ["", "", ""]
    owner = group[0] if group[0].lower() in ("he", "she", "it", "they") else f"my {group[0]}"
    second = to_first_person(group[1])
    many = (owner.endswith("s") and not owner.endswith("ss")) or "they" in (owner, second)
    parts = {
        "1": "live" if group[0] in ("living", "based", "located") else group[0],
        "2": second,
        "3": group[2],
        "p": group[0] or "his",
        "o": owner,
        "is": "are" if many else "is",
        "for": value if first in ("for", "since") else f"for {value}",
        "on": value if placed else f"on {value}",
        "at": value if placed else f"at {value}",
        "model": value if _A_MODEL.match(value) else "",
        "n": value if first and is_name(words(value)[0]) else "",
        "a": value,
    }
    if re.fullmatch(r"[\d.]+", value) and re.match(
        r"my (?:version|model|edition)\b", expand(_SLOT.sub(lambda slot: parts[slot[1]], form))
    ):
        return ""
    if any(not parts[slot] for slot in _SLOT.findall(form)):
        return ""
    return expand(_SLOT.sub(lambda slot: parts[slot[1]], form))  # one pass: an answer with braces is not read again
