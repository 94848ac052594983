"""Secrets that are told in English: "the password is …", "PIN 4821", "log in with … as the passphrase", recovery words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.sensitive.finding import Finding, Text, stands_for_a_value

_PLACE = r"(?:\s\([^)\n]{1,40}\)|\s?,?\s(?:for|of|to|on|at|in|into)\s[^=\n:;?!]{1,60}?)?"
_LINK = re.compile(
    rf"(?:s|'s)?{_PLACE}(?:\s?(?P<strong>=>?|:=?|->)\s?|\"\s?:\s?|'s\s(?=\S{{1,60}}\d)|,?\s(?:is|was|are|reads|should be|must be|will be|(?:is |was |has been )?"
    r"(?:set|changed|reset) to)\s(?:now\s|still\s|just\s|simply\s|currently\s)?(?::\s)?)"
)
_QUOTED = re.compile(r"[\"']([^\"'\n]{2,120})[\"']")
_VALUE = re.compile(r"[^\s,;\"'，。；、<>()]{1,200}")
_TRAILING = ".:)]}"

_KEYWORD = re.compile(
    r"(?<![a-z])(?:(?P<password>pass(?:word|wd|code|phrase|key)|pwd)|(?P<short>pass|pw)(?![a-z])|(?P<pin>pin(?: code| number)?)"
    r"|(?P<api_key>(?:api|access|secret|private|signing|encryption|licen[cs]e|subscription|account|client)[ _-]?key"
    r"|(?:shared|client|app|webhook)[ _-]?secret|sharedaccesskey|accountkey"
    r"|(?:auth|access|api|bot|refresh|session|bearer)[ _-]?token|token)"
    r"|(?P<code>(?:security|alarm|door|gate|entry|unlock|safe|access|keypad|verification|confirmation|one[ -]?time|login|sms|2fa|mfa)"
    r"[ -](?:pass)?code|otp|cvv2?|cvc|combination)"
    r"|(?P<security_answer>(?:security|secret)(?: question)?(?:'s)? answer|security question))",
    re.ASCII,
)

_STATES = frozenset(
    """wrong right correct incorrect invalid valid safe unsafe strong weak long short same different new old secret private public
    missing empty ready fine ok okay good bad unique known unknown gone hidden written broken stolen taken given chosen forgotten
    there here needed mandatory optional annoying easy hard complex simple random not never always only required case-sensitive
    back out up down it this that these those one mine yours his hers ours theirs enough due sensitive important available kept held lost sent put known shown told hung
    unavailable static dynamic temporary permanent personal shared what where why how when who which everything nothing""".split()
)
_STATE = re.compile(r"\w*(?:ed|ing|able|ible|less|ful|ory)|(?:min|max|minimum|maximum|at|in|a|an|the|per|of|by|on)")
_MEASURE = re.compile(
    r"\s?(?:-|to\s\d+\s)?\s?(?:char|digit|letter|symbol|word|day|week|month|year|hour|minute|second|time|bit|byte|number|euro|dollar|percent|%)"
)
_MEASURED = re.compile(r"\d+(?:[–-]\d+)?-?(?:char|digit|letter|symbol|word|bit|byte)\w*|\d{1,2}[–-]\d{1,2}")
_ENDS = re.compile(
    r"[\"')\]]{0,2}\s*(?:$|[.,;!?\n]|\s(?:and|but|so|for|on|please|because|since|if|now|too|everywhere)\b)", re.ASCII
)
_CODED = re.compile(r"\d|\w[^\w\s.'/-]|[^\w\s.'\"(/-]\w|[a-z][A-Z]")

_DIGIT_WORD = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_DIGIT_WORDS = re.compile(
    rf"(?:(?:double |triple |then ){{0,2}}{_DIGIT_WORD}[ ,-]{{1,2}}){{3,19}}{_DIGIT_WORD}\b|(?:\d[ -]){{3,11}}\d\b"
)
_IN_WORDS = re.compile(
    r"(?:the|my|our|his|her|their)\s(?:word|name|phrase|number|year|letters|date|digits|sequence)s?\s[^.\n]{2,120}"
)

_BARE_PASSWORD = re.compile(r"\s([^\s,;\"']{4,100})")
_BARE_PIN = re.compile(r"\s(\d{4,8})(?![\w-])(?! of\b)")

_BEFORE = re.compile(
    r"\s(?:is (?:the|his|her|my|their|your|our)|as (?:the|his|her|my|their|a|our|its|your)|for (?:the|his|her|my|their|our))"
    r"\s(?:\w{1,20}\s){0,2}?(?P<what>pass(?:word|code|phrase)|pin|otp|(?:verification|security|alarm|door|gate|unlock|one-time|login) (?:pass)?code)\b"
)
_PAIR = re.compile(
    r"\b(?:with|as|using|creds?|credentials|login|log-in)(?: is| are)?:? [\w.@-]{2,40} ?[/:] ?([^\s,;]{5,60})",
    re.ASCII,
)
"""A name and a password with a stroke between them: "log in with admin/…"."""

_USED = re.compile(r"\b(?:types?|typed|uses?|used|enters?|entered|chose|picked) [\"'(]?$")
_CODES = re.compile(
    r"\b(?:backup|recovery|one-time|two-factor|2fa|rescue|scratch|emergency)(?:[ -](?:access|login|pass))?[ -]?codes?\b[^.:=\n]{0,40}?(?::|=|\sis|\sare)\s?"
    r"([a-z0-9]{4,12}(?:-[a-z0-9]{3,12}){0,5}(?:,? (?:and )?[a-z0-9]{4,12}(?:-[a-z0-9]{3,12}){0,5}){0,15})",
    re.ASCII,
)
_PHRASE = re.compile(
    r"\b(?:seed|recovery|mnemonic|backup|wallet|secret|pass)[ -]?(?:phrase|words|seed|mnemonic)s?\b[^.:=\n]{0,40}?(?::|=|\sis|\sare)\s?"
    r"[\"']?((?:[a-z]{2,12}[ ,]{1,2}){2,23}[a-z]{2,12})",
    re.ASCII,
)
_FUNCTION_WORDS = re.compile(
    r"\b(?:the|a|an|in|at|is|are|of|and|to|on|for|not|never|kept|stored|written|with|by|be|it|from|or|that|this|under|near|only|must|should)\b"
)
_LOCKS = re.compile(r"\b(?:alarm|door|gate|safe|lock|padlock|locker|key ?box|keypad|vault|garage|phone|sim)\b")
_ENTERED = re.compile(
    r"\b(?:enter|type|dial|press|punch in|key in|tap|combination|code|(?:opens?|unlocks?) (?:it |them )?with)\b[^.\n\d]{0,20}?((?:\d[ -]?){3,7}\d)(?![\w-])",
    re.ASCII,
)


_HINTS = ("pass", "pw", "pin", "key", "secret", "token", "code", "otp", "cv", "combination", "security")


def told(text: Text) -> Iterator[Finding]:
    """Whatever the words around it call a password, a PIN, a code, a key or a recovery phrase."""
    if any(hint in text.low for hint in _HINTS):
        yield from _values_last(text)
        yield from _values_first(text)
    for match in _PAIR.finditer(text.plain) if "log" in text.low or "sign" in text.low or "cred" in text.low else ():
        value = match[1].rstrip(_TRAILING)
        if _is_bare_value(value) and "/" not in value:
            yield Finding("password", "secret", match.start(1), match.start(1) + len(value))
    for match in _CODES.finditer(text.low) if "code" in text.low else ():
        if any(char.isdigit() for char in match[1]):
            yield Finding("backup_code", "secret", match.start(1), match.end(1))
    for match in _PHRASE.finditer(text.low) if any(hint in text.low for hint in ("phrase", "words", "seed", "mnemonic")) else ():
        if not _FUNCTION_WORDS.search(match[1]):
            yield Finding("seed_phrase", "secret", match.start(1), match.end(1))
    for match in _ENTERED.finditer(text.low) if _LOCKS.search(text.low) else ():
        if _LOCKS.search(text.low, max(0, match.start() - 60), match.end() + 30):
            yield Finding("pin", "secret", match.start(1), match.end(1))


def _values_last(text: Text) -> Iterator[Finding]:
    """Values that stand after what they are: "the password is …"."""
    place = 0
    while match := _KEYWORD.search(text.low, place):
        place = match.end()
        kind = match.lastgroup or "password"
        span = _after(text, place, kind)
        if span is not None and (kind != "short" or _CODED.search(text.plain, *span)):  # a pass is also a road and a ticket
            place = span[1]
            yield Finding("password" if kind == "short" else kind, "secret", *span)


def _after(text: Text, place: int, kind: str) -> tuple[int, int] | None:
    """Where the value lies that follows a keyword which ends at `place`."""
    link = _LINK.match(text.low, place)
    if link is None:
        bare = (_BARE_PIN if kind in ("pin", "code") else _BARE_PASSWORD).match(text.plain, place) if kind != "api_key" else None
        if bare is None or (kind == "password" and not _is_bare_value(bare[1])):
            return None
        return bare.span(1)
    spelt = _DIGIT_WORDS.match(text.low, link.end()) or _IN_WORDS.match(text.low, link.end())
    if spelt is not None:
        return spelt.span()
    quoted = _QUOTED.match(text.plain, link.end())
    if quoted is not None:
        return None if stands_for_a_value(quoted[1]) else quoted.span(1)
    value = _VALUE.match(text.plain, link.end())
    if value is None:
        return None
    shown = value[0].rstrip(_TRAILING)
    end = value.start() + len(shown)
    sure = bool(link["strong"] and "=" in link["strong"])
    in_words = kind in ("password", "security_answer")  # a combination or a token may be "unusual"
    return (value.start(), end) if _opens(text, shown, end, sure=sure, in_words=in_words) else None


def _opens(text: Text, value: str, end: int, *, sure: bool, in_words: bool) -> bool:
    """Whether a word after "the password is" is the password itself and says nothing about it.

    Args:
        sure: an equals sign stands before it: any word will do.
        in_words: a plain word will do if its clause ends with it.
    """
    low = value.lower()
    if len(value) < 3 or stands_for_a_value(value):
        return False
    if _CODED.search(value):
        return _MEASURE.match(text.low, end) is None and _MEASURED.fullmatch(low) is None
    if sure:
        return True
    return (
        in_words and low.isalpha() and low not in _STATES and not _STATE.fullmatch(low) and _ENDS.match(text.low, end) is not None
    )


def _is_bare_value(value: str) -> bool:
    value = value.rstrip(_TRAILING)
    return any(char.isdigit() for char in value) and any(char.isalpha() for char in value) and not stands_for_a_value(value)


def _values_first(text: Text) -> Iterator[Finding]:
    """Values that stand before what they are: "types … as the password"."""
    for match in _BEFORE.finditer(text.low):
        start = max(text.plain.rfind(" ", max(0, match.start() - 100), match.start()) + 1, 0)
        value = text.plain[start : match.start()].strip("\"'(")
        used = _USED.search(text.low, max(0, start - 12), start) is not None
        if len(value) >= 4 and (used or _CODED.search(value)) and not stands_for_a_value(value):
            start = text.plain.index(value, start)
            kind = "password" if match["what"].startswith("pass") else "pin" if match["what"] == "pin" else "code"
            yield Finding(kind, "secret", start, start + len(value))
