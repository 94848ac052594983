"""The parts of a text that a rewriting may not lose: numbers, dates, units, names and negations, in English and Chinese.

Read without a dictionary. What is no name may be taken for one (a capital letter at the start of a quotation), which makes the
guard stricter, never looser.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Type = Literal["number", "date", "unit", "name", "negation"]

_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen"""
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_WORDS.split())} | {
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
    "twice": "2",
    "once": "1",
    "half": "0.5",
}
_ORDINALS = {
    word: f"{place}th"
    for place, word in enumerate("zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split())
}
DATE_WORDS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december weekday weekend daily weekly monthly quarterly yearly annually
    spring summer autumn winter""".split()
)
UNITS = frozenset(
    """kg g mg µg lb lbs km m cm mm mile miles ms s sec second minute min hour h day night week month year quarter euro eur dollar
    usd pound gbp chf yen litre liter gallon ml percent % °c °f °C °F $ £ € ¥ gb mb kb tb khz hz px people frame node time
    版 个 天 日 周 月 年 小时 分钟 秒 点 块 元 欧元 美元 公斤 斤 公里 米 厘米 次 人 条 张 章 字 岁
    度 层 号 本 只 台 家 名 位 组""".split()
)
NEGATIONS = frozenset(
    "not no never none nothing nobody neither nor without cannot don't doesn't isn't aren't won't can't".split()
)
_ZH_NEGATIONS = re.compile("不再|没有|从不|从未|不是|不|没|无|别|勿|未")
_ZH_NO_NEGATION = re.compile(
    "不过|不同|不仅|不但|差不多|不锈钢|无线|无人机|别墅|特别|分别|级别|类别|性别|区别|别人|未来|无论|不管|不久"
)
_ZH_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_ZH_NUMBER = re.compile("[零〇一二两三四五六七八九十百千万]+")
_ZH_NO_NUMBER = re.compile(
    "一些|一般|一直|一定|一起|一样|一下|一点|万一|统一|唯一|进一步|第一次|十分|千万别|三文鱼|星期[一二三四五六]|周[一二三四五六]"
)
_ZH_DATE = re.compile(
    "(?<![零一二两三四五六七八九十\\d])(?:星期|周|礼拜)[一二三四五六日天末]|[零一二三四五六七八九十\\d]{1,3}月(?:[零一二三四五六七八九十\\d]{1,3}[日号])?|每(?:[天日月年]|周(?![一二三四五六日天末]))|春天|夏天|秋天|冬天"
)
_ZH_UNIT = re.compile(
    "[\\d零一二两三四五六七八九十百千万半] ?(小时|分钟|公斤|公里|厘米|欧元|美元|平米|[天日周年秒元块斤米岁度层号])(?!点|半天)"
)
_TOKEN = re.compile(
    r"""(?P<number>[$£€¥]?\d[\d,]*(?:[.:/]\d+)*(?:st|nd|rd|th)?(?![^\W_]))       # 1,000  15:00  225/60  3.12  $18,000
      | (?P<word>[^\W_]+(?:[_'’.+#&/-]+[^\W_]+)*(?:\+\+|\#)?)                      # Ida's  eu-central-1  v4  R17  C++
      | (?P<sign>[%°$£€¥][A-Za-z]*)""",
    re.VERBOSE,
)
_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_SENTENCE_END = re.compile(r"(?:^|[.!?;:。！？；：\n\"“'‘(（•*-])\s*$")
_AMOUNT = re.compile(r"^(\d+(?:\.\d+)?)([a-zµ°%]+)$")


@dataclass(frozen=True, slots=True)
class Atom:
    """One part that counts. `value` is normalised, so that equal things compare equal; `start` and `end` are its place."""

    type: Type
    value: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def atoms(text: str) -> tuple[Atom, ...]:
    """What a text holds, in order.

    >>> [(atom.type, atom.value) for atom in atoms("Ida runs 10 km on Mondays, never at 3 pm")]
    [('number', '10'), ('unit', 'km'), ('date', 'monday'), ('negation', 'not'), ('number', '15:00')]
    """
    latin = _CJK.sub(lambda run: "\ue000" * len(run[0]), text)  # no blank: a name after 用户的 begins no sentence
    found = [atom for match in _TOKEN.finditer(latin) if (atom := _atom(match, latin)) is not None]
    found += _chinese(text)
    return tuple(sorted(_clock(found, text), key=lambda atom: (atom.start, atom.end)))


def counted(text: str) -> Counter[tuple[Type, str]]:
    """How often each atom occurs, by type and value; negations count as one kind."""
    return Counter((atom.type, atom.value) for atom in atoms(text))


def missing(text: str, source: str) -> tuple[Atom, ...]:
    """The atoms of `source` that `text` lacks, each once. A name is found in any letter case and inside longer words."""
    held = counted(text)
    folded = text.casefold()
    lost = []
    for atom in atoms(source):
        key = (atom.type, atom.value)
        if key in held or (atom.type == "name" and atom.value in folded):
            continue
        if atom.type in ("unit", "date") and atom.value in folded:
            continue
        held[key] += 1
        lost.append(atom)
    return tuple(lost)


def singular(word: str) -> str:
    """A rough stem: plurals and the commonest verb endings go."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _atom(match: re.Match[str], text: str) -> Atom | None:
    token, place = match[0], match.span()
    if match["number"]:
        value = token.lstrip("$£€¥").replace(",", "")
        return Atom("number", value, *place)
    if match["sign"]:
        return Atom("unit", token.lower(), *place)
    return _word(token, place, text)


def _word(token: str, place: tuple[int, int], text: str) -> Atom | None:
    folded = token.lower().replace("’", "'")
    if any(map(str.isdigit, token)):
        amount = _AMOUNT.match(folded)
        return Atom("number", amount[1], *place) if amount and amount[2] in UNITS else Atom("name", folded, *place)
    base = singular(folded.removesuffix("'s"))
    if folded in NEGATIONS or folded.endswith("n't"):
        return Atom("negation", "not", *place)
    if folded in NUMBER_WORDS:
        return Atom("number", NUMBER_WORDS[folded], *place)
    if folded in _ORDINALS:
        return Atom("number", _ORDINALS[folded], *place)
    if (base in DATE_WORDS or folded in DATE_WORDS) and not (base in ("may", "march") and token[0].islower()):
        return Atom("date", base if base in DATE_WORDS else folded, *place)
    if (base in UNITS or folded in UNITS) and _after_number(text, place[0]):
        return Atom("unit", base if base in UNITS else folded, *place)
    if _is_name(token, place, text):
        return Atom("name", folded.removesuffix("'s"), *place)
    return None


def _is_name(word: str, place: tuple[int, int], text: str) -> bool:
    if re.search(r"[._/#+]", word):
        return True
    if word == "I" or not any(map(str.isupper, word)):
        return False
    if any(map(str.isupper, word[1:])):
        return True
    return _SENTENCE_END.search(text[max(0, place[0] - 4) : place[0]]) is None


def _after_number(text: str, start: int) -> bool:
    before = text[max(0, start - 14) : start].rstrip().casefold()
    return bool(before) and (before[-1].isdigit() or before.split()[-1] in NUMBER_WORDS)


def _clock(found: list[Atom], text: str) -> Iterator[Atom]:
    """Times of the day in 24 hours: "3 pm" is 15:00."""
    for atom in found:
        after = re.match(r"\s?([ap])\.?m\b", text[atom.end : atom.end + 6].casefold())
        if atom.type == "number" and after:
            hour, _, minute = atom.value.partition(":")
            if hour.isdigit() and int(hour) <= 12:
                hours = int(hour) % 12 + (12 if after[1] == "p" else 0)
                yield Atom("number", f"{hours}:{minute or '00'}", atom.start, atom.end + after.end())
                continue
        yield atom


def _chinese(text: str) -> Iterator[Atom]:
    for run in _CJK.finditer(text):
        blocked = bytearray(len(text))
        for match in _ZH_DATE.finditer(text, max(0, run.start() - 3), run.end()):
            if match.end() > run.start():
                blocked[match.start() : match.end()] = b"\x01" * len(match[0])
                yield Atom("date", _date(match[0]), *match.span())
        for pattern in (_ZH_NO_NEGATION, _ZH_NO_NUMBER):
            for match in pattern.finditer(text, run.start(), run.end()):
                blocked[match.start() : match.end()] = b"\x01" * len(match[0])
        for match in _ZH_NEGATIONS.finditer(text, run.start(), run.end()):
            if not any(blocked[match.start() : match.end()]):
                yield Atom("negation", "not", *match.span())
        for match in _ZH_UNIT.finditer(text, max(0, run.start() - 2), run.end()):
            yield Atom("unit", match[1], match.start(1), match.end(1))
        for match in _ZH_NUMBER.finditer(text, run.start(), run.end()):
            if not any(blocked[match.start() : match.end()]) and (value := _number(match[0])) is not None:
                yield Atom("number", value, *match.span())


def _date(words: str) -> str:
    return words.replace("星期", "周").replace("礼拜", "周").replace("周天", "周日").replace("号", "日")


def _number(digits: str) -> str | None:
    """The value of a Chinese numeral below a hundred million; None for a lone 十 or 万 of a compound word."""
    if all(digit in _ZH_DIGITS for digit in digits):
        return "".join(str(_ZH_DIGITS[digit]) for digit in digits)
    if digits in ("百", "千", "万"):
        return None
    total = section = 0
    digit: int | None = None
    for sign in digits:
        if sign in _ZH_DIGITS:
            digit = _ZH_DIGITS[sign]
        elif sign == "万":
            total, section, digit = (total + section + (digit or 0)) * 10_000, 0, None
        else:
            section += (1 if digit is None else digit) * {"十": 10, "百": 100, "千": 1000}[sign]
            digit = None
    return str(total + section + (digit or 0))
