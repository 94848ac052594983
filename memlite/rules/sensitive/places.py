"""Where one person is reached: private e-mail addresses, full home addresses; and a full date of birth."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.sensitive.finding import Finding, Text

_MAIL = re.compile(
    r"(?<![\w.+/:@-])[a-z0-9][\w.+-]{0,63}@[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,12}(?![\w@-])", re.ASCII
)
_DISGUISED = re.compile(
    r"(?<![\w.+-])[a-z0-9][\w.+-]{0,63}(?: ?[\[({]at[\])}] ?| at )[a-z0-9-]{2,63}(?:(?: ?[\[({]dot[\])}] ?| dot )[a-z0-9-]{2,63}){1,3}",
    re.ASCII,
)
_OFFICES = re.compile(
    r"(?:press|info|support|sales|contact|office|help|hello|admin|service|services|team|no-?reply|postmaster|security|jobs|careers|media"
    r"|webmaster|billing|abuse|enquiries|feedback|events|booking|reception|git|hostmaster|news|newsletter|ops|root)(?:[+.-][\w.+-]*)?",
    re.ASCII,
)

_STREET_END = (
    "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Close|Way|Terrace|Square|Sq|Place|Pl|Boulevard|Blvd|Crescent|Gardens|Row|Mews"
    "|Hill|Grove|Walk|Parade|Quay"
)
_STREET = re.compile(
    rf"\b\d{{1,5}}[a-zA-Z]?,? (?:[A-Z][\w'.-]{{0,30}} ){{1,4}}(?:{_STREET_END})\b"
    r"(?:,? (?:Apt|Apartment|Flat|Unit|Suite|Floor|No)\.? ?\w{1,5})?(?:,? [A-Z][\w'-]{1,30}){0,3}(?:,? [A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}\b|,? (?:[A-Z]{2} )?\d{5}\b)?"
    r"|\b[A-ZÄÖÜ][\wäöüß-]{1,30}(?:straße|strasse|str\.|weg|gasse|platz|allee) \d{1,4}[a-z]?\b(?:,? \d{5} [A-ZÄÖÜ][\wäöüß-]{1,30})?"
    r"|\b\d{1,4},? (?:rue|avenue|boulevard|via|calle|viale|place) (?:[\w'’-]{1,20} ){0,3}[A-Z][\w'’-]{1,30}(?:,? \d{5} [A-Z][\w'-]{1,30})?"
)
_UNIT = re.compile(r"\b(?:Apt|Apartment|Flat|Unit)\.? ?\w{1,5}\b|\b[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}\b|\b\d{5}\b")
_HOME = re.compile(
    r"\b(?:lives?|living|home|flat|apartment|house|resid\w{2,8}|moved|moving|address|parcels?|deliver\w{0,4}|post|mail|mother|father|parents|daughter|son"
    r"|wife|husband|partner|sister|brother|nana|grandm\w{2,8}|grandf\w{2,8})\b",
    re.ASCII,
)
_STREET_ZH = re.compile(
    "[路街巷弄道同里村区苑园] ?(?:\\d{1,5} ?(?:号院|号楼|号|弄|栋|幢|座) ?){1,3}(?:\\d{1,4} ?单元 ?)?(?:\\d{1,3} ?[层楼] ?)?(?:\\d{2,5} ?室?)?"
)
_MOST_BEFORE_ZH = 20
_INDOORS_ZH = re.compile("单元|室|号楼|[栋幢]|\\d[层楼]|\\d{3,5}$")
_HOME_ZH = re.compile("住在|住址|家在|搬到|搬去|地址|寄到|寄给|送到|家住|老家|娘家")

_LEAD_ZH = re.compile("住在|家住|现住|住址|地址|家在|搬到|搬去|寄到|寄给|送到|位于|[住在到是为]")
"""What stands before an address without a space; the last of these ends before it."""

_DIGIT = re.compile(r"\d")
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_BIRTH = re.compile(
    rf"\b(?:born|birth ?date|date of birth|dob|birthday)\b[^.;\n]{{0,60}}?(\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? (?:18|19|20)\d\d"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:18|19|20)\d\d|(?:18|19|20)\d\d-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./](?:18|19|20)\d\d)",
    re.ASCII,
)
_BIRTH_ZH = re.compile(
    "(?:出生|生于|生日)[^,。;\n]{0,10}?((?:18|19|20)\\d\\d ?[年./-] ?\\d{1,2} ?[月./-] ?\\d{1,2} ?[日号]?)|((?:18|19|20)\\d\\d ?年 ?\\d{1,2} ?月 ?\\d{1,2} ?[日号]) ?(?:出生|生人)"
)


def places(text: Text) -> Iterator[Finding]:
    """Addresses of one person, and full dates of birth."""
    for match in _MAIL.finditer(text.low) if "@" in text.low else ():
        if not _OFFICES.fullmatch(match[0].partition("@")[0]):
            yield Finding("email", "pii", match.start(), match.end())
    for match in _DISGUISED.finditer(text.low) if "at" in text.low and "dot" in text.low else ():
        yield Finding("email", "pii", match.start(), match.end())
    if not _DIGIT.search(text.plain):
        return  # neither a house nor a birthday is told without one
    for match in _STREET.finditer(text.plain):
        if _UNIT.search(match[0], 6) or _HOME.search(text.low, max(0, match.start() - 80), match.start()):
            yield Finding("address", "pii", match.start(), match.end())
    yield from _streets_zh(text)
    for pattern in (_BIRTH, _BIRTH_ZH):
        for match in pattern.finditer(text.low):
            yield Finding("birth_date", "pii", *match.span(match.lastindex or 1))


def _streets_zh(text: Text) -> Iterator[Finding]:
    for match in _STREET_ZH.finditer(text.plain):
        begin = match.start()
        while begin > max(0, match.start() - _MOST_BEFORE_ZH) and "\u4e00" <= text.plain[begin - 1] <= "\u9fff":
            begin -= 1
        if begin == match.start():
            continue
        if _INDOORS_ZH.search(match[0].rstrip()) or _HOME_ZH.search(text.plain, max(0, match.start() - 30), match.end()):
            lead = max((one.end() for one in _LEAD_ZH.finditer(text.plain[begin : match.start()])), default=0)
            yield Finding("address", "pii", begin + lead, match.start() + len(match[0].rstrip()))
