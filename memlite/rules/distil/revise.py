"""Corrections inside a window: the value set right, the statement overtaken or withdrawn. Only what is current stays."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from memlite.rules.distil.dialogue import Draft
from memlite.rules.distil.grammar import is_name, words
from memlite.rules.terms import ENGLISH_STOP_WORDS, has_cjk

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_COLOURS = frozenset("black white red green blue yellow brown grey gray orange purple pink silver".split())
_NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve twenty thirty".split())
_CHANGE = re.compile(
    r"\b(?:moved|switched|migrated|changed|went) (?:over )?to\b|\breplaced\b|换成|改用|迁到|换到|改成|调到|"
    r"搬到|搬去|转到|跳槽|调去|换了"
)
_SETUP = re.compile(r"\b(?:use|are on|am on|run|have|work with|deploy)\b|用|是|在|住")
_ZODIAC = "属[鼠牛虎兔龙蛇马羊猴鸡狗猪]"
_FAMILY = frozenset("son daughter sister brother mother father wife husband nephew niece uncle aunt cousin".split())
_DATE = (
    "(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:January|February|March|April|May|June|July|August|"
    "September|October|November|December)|(?:January|February|March|April|May|June|July|August|September|"
    "October|November|December) \\d{1,2}(?:st|nd|rd|th)?"
)
_CUE = re.compile(
    r"^(?:(?:oh|ah|hm+|um|well|wait|yes|ok|okay|argh|ugh|damn|oops|sorry|no)[,.!]?\s+)*(?:hang on\b|"
    r"hold on\b|no\b|nope\b|sorry\b|actually\b|correction\b|I meant\b|I mean\b|my mistake\b|oops\b|"
    r"wrong\b|not quite\b|scratch that\b|rather\b|make that\b|wait\b|it is not\b|that is (?:wrong|"
    r"not right)\b|I got that wrong\b|I misspoke\b)"
    r"|^(?:oh|ah),? (?:no|wait|sorry|actually|it is|make|one|two|three|four|five|six|seven|eight|nine|ten|\d)\b|^hold on\b"
    "|^(?:啊|哦|哎|等等|等下|嗯)?[，, ]?(?:不对|不是|错了|说错了|搞错了|记错了|打错了|写错了|更正|纠正|"
    "我是说|应该是|口误|准确说|哦不|啊不|噢不)",
    re.IGNORECASE,
)
_VALUE = (
    re.compile(
        r"\b(?:it is |that is |I meant |I mean )?(?:not|is not|"
        r"was not) (?P<old>[\w.'’-]+(?: [\w.'’-]+)?)\s*[,;:–-]+\s*(?:but |it is |that is |"
        r"rather )?(?P<new>[\w.'’-]+(?: [\w.'’-]+){0,2})$",
        re.IGNORECASE,
    ),
    re.compile(r"\bnot (?P<old>[\w.'’-]+(?: [\w.'’-]+)?) but (?P<new>[\w.'’-]+(?: [\w.'’-]+){0,2})$", re.IGNORECASE),
    re.compile(
        r"(?:^|[,:]\s*|\b(?:is|was|on|in|at|I meant|I mean|called|named|make that|"
        r"to)\s+)(?P<new>[\w.'’-]+(?: [\w.'’-]+)?)\s*,\s*(?:and )?not (?:on |in |at |"
        r"the )?(?P<old>[\w.'’-]+(?: [\w.'’-]+)?)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:scratch|forget|not) (?P<old>[\w.'’-]+(?: [A-Z][\w.'’-]+)?)\s*[,;:–-]+\s*(?:it (?:is|will be|"
        r"has to be)|make it|we (?:are|will be) in|rather|now) (?P<new>[\w.'’-]+(?: [A-Z][\w.'’-]+)?)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:oh|ah|wait|no|sorry|actually|hold on|correction)[:, ]+(?:it is |it was |make that |that is |"
        r"they are )?(?P<new>(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
        r"\d[\d.,:]*)\b)(?P<old>)",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<new>[\w.'’-]+) instead of (?P<old>[\w.'’-]+)$", re.IGNORECASE),
    re.compile(
        r"(?:I meant|I mean|make that|correction[:,]?|rather|sorry,?|actually,?|no,|wait,)\s+(?:it is |"
        r"that is |on |in |at |to |the )?(?P<new>[\w.'’-]+(?: [\w.'’-]+)?)(?P<old>)(?=$|[:;.])",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:it is|it was|they are|make it)(?: now| actually|"
        r" really)? (?P<new>[\w.'’+-]+(?: [A-Z][\w.'’+-]+)?)(?P<old>)$"
    ),
    re.compile(
        rf"^(?:(?:oh|ah|argh|ugh|no|wait|sorry|actually|hm+|hang on|hold on|oops|damn)[,.! ]+)+(?:it is |on |"
        rf"the )?(?P<new>{_DATE})(?P<old>)",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:spelled|spelt|written|called|named)(?: with)? (?P<new>[A-Z][\w-]+)(?P<old>)\b"),
    re.compile("不是(?P<old>[^，,。是]{1,12})[，, ]?(?:而)?(?:是|应该是|叫)(?P<new>[^，,。是]{1,12})$"),
    re.compile("(?:^|，|,)(?:应该)?是(?P<new>[^，,。是不]{1,12})[，, ]不是(?P<old>[^，,。]{1,12})$"),
    re.compile(
        "(?:不对|错了|说错了|搞错了|记错了|更正|口误|我是说|应该是|打错了|哦不|"
        "啊不)[，,：: ]*(?:一下)?[，,：: ]*(?:应该)?(?:是|叫)?(?P<new>[^，,。是不]{1,10})(?P<old>)(?=$|"
        "[，,。])"
    ),
)
_GONE = re.compile(
    r"\b(?:no longer (?:on|use|using|at|in|with|for|live in|work at|work for|a|an)?|left|"
    r"switched (?:away )?from|moved (?:away )?(?:from|off)|migrated (?:from|off)|dropped|ditched|quit|"
    r"gave up|given up|replaced|instead of|used to (?:use|be|live in|work at|work for|have)|"
    r"stopped using|got rid of|sold|not (?:on|in|at|using) ) ?(?:the |our |"
    r"my )?(?P<old>[A-Za-z][\w.+#'-]*(?: [A-Z][\w.+#'-]*)?)"
    "|(?:不用|不再用|不再|离开|换掉|弃用|停用|从)(?P<zh>[A-Za-z0-9.+# ]{2,20}|[\u4e00-\u9fff]{2,6}?)(?:了|换|迁|搬|改|转|切)"
)
_FILLER = frozenset("a an the it this that them my our your home work".split())


def is_correction(text: str) -> bool:
    """Whether a sentence begins like one that sets something right."""
    return bool(_CUE.search(text))


def sort_of(value: str) -> str:
    """What sort of value a word is: weekday, month, time, number, colour, relative, name; empty for other words.

    >>> sort_of("Tuesday"), sort_of("7443"), sort_of("16:30"), sort_of("Ghent"), sort_of("cheese")
    ('weekday', 'number', 'time', 'name', '')
    """
    if re.fullmatch(_DATE, value):
        return "date"
    low = value.lower().rstrip("s") if value.lower().rstrip("s") in _WEEKDAYS else value.lower()
    if low in _WEEKDAYS or re.fullmatch("(?:周|星期|礼拜)[一二三四五六日天]", value):
        return "weekday"
    if low in _MONTHS or re.fullmatch("[\\d一二三四五六七八九十]+月", value):
        return "month"
    if re.fullmatch(r"\d{1,2}(?::\d\d|\s?(?:am|pm))|[\d一二三四五六七八九十]+点半?", low):
        return "time"
    if re.fullmatch(r"v?\d[\d.,]*", low) or re.fullmatch("[\\d一二两三四五六七八九十百千万]+[岁个人年天号元块只条楼]?", value):
        return "number"
    if low in _NUMBERS:
        return "number"
    if re.fullmatch(_ZODIAC, value):
        return "zodiac"
    if low in _COLOURS:
        return "colour"
    if low in _FAMILY:
        return "relative"
    return "name" if value and is_name(value.rsplit(maxsplit=1)[-1]) and not has_cjk(value) else ""


def corrected(drafts: list[Draft], text: str, turn: int) -> bool:
    """Puts the value a short correction names into the draft it's about, in place; False where none fits.

    Without a word of correction ("sorry", "I meant") the old value must be named too: "Tuesday, not Monday".
    """
    cue = is_correction(text)
    bare = text.strip(" .!。！")
    for pattern in _VALUE:
        match = pattern.search(bare)
        if not match:
            continue
        new, old = match["new"].strip(), (match["old"] or "").strip()
        if not (cue or old):
            continue
        for index in range(len(drafts) - 1, -1, -1):
            changed = _exchanged(drafts[index].text, old, new)
            if changed and turn - drafts[index].said_in <= 6:
                drafts[index] = replace(
                    drafts[index], text=changed, turns=tuple(sorted({*drafts[index].turns, turn})), origin="user_stated"
                )
                return True
    return False


def _exchanged(text: str, old: str, new: str) -> str:
    if old:
        found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)" if not has_cjk(old) else re.escape(old), text, re.IGNORECASE)
        return text[: found.start()] + new + text[found.end() :] if found else ""
    if sort_of(new) == "date":
        dates = list(re.finditer(_DATE, text))
        return f"{text[: dates[-1].start()]}{new}{text[dates[-1].end() :]}" if dates and dates[-1][0] != new else ""
    sort = sort_of(new.rsplit(maxsplit=1)[-1] if new.split() and not has_cjk(new) else new)
    if not sort or not new:
        return ""
    units = (
        words(text)
        if not has_cjk(new)
        else re.findall(
            (
                f"{_ZODIAC}|(?:周|星期|礼拜)[一二三四五六日天]|[\\d一二三四五六七八九十]+月|[\\d一二三四五六七八九十]+点半?|"
                "[\\d一二两三四五六七八九十百千万]+[岁个人年天号元块只条楼]?"
            ),
            text,
        )
    )
    same = [unit for unit in units if sort_of(unit) == sort and unit.lower() != new.lower()]
    if not same:
        return ""
    at = text.rfind(same[-1])
    return text[:at] + new + text[at + len(same[-1]) :]


def superseded(drafts: list[Draft], new: Draft, correcting: bool) -> list[Draft]:
    """The drafts that are still current beside a new one: without the old value of the same attribute, or what it sets right."""
    return [old for old in drafts if not _overtaken(old, new, correcting)]


def _overtaken(old: Draft, new: Draft, correcting: bool) -> bool:
    if old.subject == new.subject and old.key and old.key == new.key:
        return True
    if old.text == new.text:
        return True
    if (
        correcting
        and _CHANGE.search(new.text)
        and _SETUP.search(old.text)
        and 0 < new.said_in - old.said_in <= 3
        and old.subject == new.subject
    ):
        return True
    return correcting and old.said_in != new.said_in and _overlap(old.text, new.text) >= 0.5 and old.subject == new.subject


def _overlap(one: str, two: str) -> float:
    a, b = _content(one), _content(two)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _content(text: str) -> frozenset[str]:
    latin = {word.lower() for word in words(text) if word.isascii() and word.isalnum() and word.lower() not in ENGLISH_STOP_WORDS}
    chinese = re.findall("[\u4e00-\u9fff]", text)
    return frozenset(latin | {a + b for a, b in pairwise(chinese)})


def withdrawn(drafts: list[Draft], text: str, turn: int) -> list[Draft]:
    """The drafts without those that hold a value the sentence says is over: "we left Heroku", 不用 Slack 了."""
    gone = []
    for match in _GONE.finditer(text):
        value = ((match["old"] or match["zh"]) or "").strip()
        if len(value) > 1 and value.lower() not in _FILLER:
            gone.append(value.lower())
    if not gone:
        return drafts
    return [
        d
        for d in drafts
        if d.said_in == turn
        or not any(
            re.search(rf"(?<!\w){re.escape(value)}(?!\w)" if value.isascii() else re.escape(value), d.text.lower())
            for value in gone
        )
    ]
