"""Turns of phrase of English talk: how a clause is opened and closed, how people present themselves, facts inside requests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import base, is_name, words

_OPENER = re.compile(
    r"^(?:(?:"
    + "|".join(re.escape(o) for o in sorted(lexicon.OPENERS, key=len, reverse=True))
    + r"|(?:correct|look|listen|see)(?=[,.!;]|$)|no(?=[,.!;]|$|\s+(?:no|I|we|it|that|the|my)\b))(?=[\s,.:;!-]|$)[\s,.:;!–-]*)+",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    (
        r"(?:[\s,]+(?:by the way|btw|to be honest|tbh|though|haha+|lol|thanks|thank you|please|you know|"
        r"if (?:that|it) (?:matters|helps)|in case (?:that|it) (?:matters|helps)|for what it is worth|just so you know|"
        r"I mean|fyi|mind you|right|ok|okay|anyway|actually|honestly|of course|as you know|sorry|no less|etc|"
        r"xd))+$"
    ),
    re.IGNORECASE,
)
_INNER = re.compile(r",?\s+(?:by the way|btw|to be honest|you know|as I said|as you know|fyi|I mean)\b,?", re.IGNORECASE)
_REQUEST_TAIL = re.compile(
    r"\s*(?:,|;|\band\b|\bso\b|\bbut\b)\s*(?:(?:I )?(?:need|want|would like|would love|am looking|"
    r"am trying|am planning|am thinking|was wondering|wonder|have to|am going|will)|can you|could you|"
    r"please|help|what|how|which|any|(?:is|are|does) (?:it|that|there|this|they)|do you)\b.*$"
)
_HERE = re.compile(
    r"^(?:an? )?([\w-]+(?: [\w-]+)?) here$|^(?:it is|this is) ([A-Z][a-z\u00e0-\u017f'-]+)(?: (?:again|here|"
    r"from [\w ]+))?$"
)
_STREET = re.compile(
    r"\b(?:our|my) (?:street|flat|house|village|neighbourhood|neighborhood|apartment|quarter|district|block|"
    r"hometown) (?:here )?in ([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
)
_DEVICES = re.compile(
    r"^(?:iphone|ipad|android|mac|macbook|windows|linux|ubuntu|debian|fedora|arch|chromebook|firefox|safari|"
    r"chrome)(?: user)?$",
    re.IGNORECASE,
)
_TRADE = re.compile(r"\w+(?:er|or|ist|ian|man|woman)$|nurse|chef|parent|student|mum|dad|mom|teacher|pilot|vet$", re.IGNORECASE)
_BIRTHDAY = re.compile(
    r"\b((?:my|our) (?:[a-z-]+ )?[a-z-]+'s (?:birthday|anniversary|wedding anniversary)|(?:my|"
    r"our) (?:birthday|anniversary|wedding anniversary)),? (?:which is |is )?(?:on |"
    r"in )((?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?)\b"
)
_LAST_NOUN = re.compile(r"\b((?:the|an?|any|some|no|more|my|our|those|these) )?((?:[a-z][\w-]* )?[\w][\w-]*)$", re.IGNORECASE)
_PILLS = re.compile(
    r"\b([a-z][a-z-]{4,} \d+(?:[.,]\d+)? ?(?:mg|µg|mcg|ml|units|IU)\b(?:[^,.;]{0,20}?\b(?:every \w+|daily|"
    r"a day|twice a day|once a day|in the morning|at night|in the evening)))"
)
_BUT = re.compile(r"[\s,]+(?:but|yet|though|although) (?!no\b|not\b|only\b|never\b)(.+)$")
_WISH_TAIL = re.compile(r"[\s,]+(?:so|hence|therefore)\b(?! (?:I|we|he|she|that|they)\b).*?(?:\bplease\b.*)?$", re.IGNORECASE)
_WHO = re.compile(
    r"\b((?:my|our)(?: [\w-]+){1,3}?),? who ((?:is|are|has|have|lives?|works?|can not|does not|do not|never|"
    r"always|loves?|hates?|likes?|speaks?|plays?|studies|teaches|goes|eats?|runs?|owns?|just turned|turned|"
    r"suffers?)\b[^,;.?!]{3,80})"
)
_AS_A = re.compile(
    r"\bas an? ((?:[\w-]+ )?(?:vegetarian|vegan|diabetic|celiac|coeliac|muslim|jew|\w+(?:er|or|ist|ian)|nurse|"
    r"student|pilot|parent|mother|father|chef|judge|vet|farmer|freelancer|beginner))\b(?=,? (?:I|we)\b|$)",
    re.IGNORECASE,
)
_NO_TRADE = frozenset(
    """user developer-user customer number matter reminder rather order other whether former latter filter buffer
    pointer integer container server router parameter header folder letter answer vector color error""".split()
)
_RELATIVE_NAMED = re.compile(r"\b(my|our) ((?:[a-z-]+ )?)([a-z-]+),? (?:called |named )?([A-Z][a-zé'-]+)\b")
_RELATED = lexicon.FAMILY_SHE | lexicon.FAMILY_HE | lexicon.PEOPLE | lexicon.PETS
_NO_NOUN = lexicon.ADVERBS | frozenset("it them that this me you us please too there here now up out off on in".split())


def tidy(text: str) -> str:
    """A clause without the words that open and close it in a talk.

    >>> tidy("oh and by the way I live in Kiel, haha")
    'I live in Kiel'
    """
    text = _OPENER.sub("", text.strip())
    return _INNER.sub("", _CLOSER.sub("", text)).strip(" ,;:–-")


def without_tail(text: str) -> str:
    """Without a closing request or complaint: "…, so no nuts please", "… but the sound is awful"."""
    text = _WISH_TAIL.sub("", _REQUEST_TAIL.sub("", text))
    match = _BUT.search(text)
    if match and any(base(word) in lexicon.FAULT_VERBS for word in words(match[1])):
        return text[: match.start()]
    return text


def last_noun(text: str) -> str:
    """The noun phrase a clause ends with: "the lights" of "turn off the lights"; empty where it ends otherwise."""
    match = _LAST_NOUN.search(text)
    if not match:
        return ""
    every = match[2].split()
    if base(every[0]) and len(every) > 1:
        every = every[1:]
    last = every[-1].lower()
    if last in _NO_NOUN or (base(last) == last and not match[1]):
        return ""
    determiner = (match[1] or "").lower()
    return " ".join(every) if determiner in ("", "no ", "any ", "some ", "more ") else determiner + " ".join(every)


def presented(text: str) -> str:
    """ "Marguerite here", "vegetarian here", "iPhone here" as a statement; empty for other texts."""
    match = _HERE.match(text)
    if not match:
        return ""
    who = match[1] or match[2]
    if _DEVICES.match(who):
        return f"I use {who.removesuffix(' user')}"
    if who.lower() in lexicon.LASTING_STATE:
        return f"I am {who}"
    if who[0].islower():
        return f"I am {_article(who)} {who}" if _TRADE.match(who.split()[-1]) else ""
    return f"my name is {who}" if is_name(who) and len(who.split()) == 1 else ""


def relative_clauses(text: str) -> Iterator[str]:
    """Facts on relatives inside a request: "a gift for my aunt, who collects stamps" gives "my aunt collects stamps"."""
    return (f"{match[1]} {match[2]}" for match in _WHO.finditer(text))


def embedded(text: str) -> Iterator[tuple[str, str, str]]:
    """(statement, subject, attribute) of sure facts inside a request: "as a nurse I …", "my son's birthday on 3 May"."""
    for match in _PILLS.finditer(text):
        yield f"I take {match[1]}", "user", ""
    for match in _STREET.finditer(text):
        yield f"I live in {match[1]}", "user", "residence"
    for match in _BIRTHDAY.finditer(text):
        yield f"{match[1]} is on {match[2]}", match[1].removeprefix("my "), ""
    for match in _AS_A.finditer(text):
        if match[1].split()[-1].lower() not in _NO_TRADE:
            yield f"I am {_article(match[1])} {match[1]}", "user", ""


def names_of_relatives(text: str) -> Iterator[tuple[str, str, str]]:
    """(statement, subject, attribute) of names said in passing: "my daughter Mia" is worth a fact of its own."""
    for match in _RELATIVE_NAMED.finditer(text):
        told_anyway = re.match(rf"{match[4]} (?:is|uses?|has)\b", text[match.start(4) :])
        if match[3] in _RELATED and is_name(match[4]) and not told_anyway:
            yield f"{match[1]} {match[2]}{match[3]} is called {match[4]}", f"{match[2]}{match[3]}", f"{match[3]} name"


def _article(noun: str) -> str:
    return "an" if noun[0].lower() in "aeiou" else "a"
