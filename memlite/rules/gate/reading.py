"""A text as the rules read it: width folded, spaces folded, quotations and names set aside, Chinese in a form of its own."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_CHARS = 800
"""A fact is a sentence. Of a longer text the rules read this much, so a hostile one costs no more than a long one."""

QUOTE, NAME = "quote", "name"
"""What stands for a quotation in `bare` and for a name in `common`: words that are only spoken of decide nothing."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(
    r"\"[^\"]{1,120}\"|(?<!\w)'[^']{1,120}'(?!\w)|`[^`]{1,200}`|「[^」]{1,120}」|『[^』]{1,120}』|《[^》]{1,120}》",
)
_CALENDAR = (
    "(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August|(?:Septem|Octo|Novem|Decem)ber)"
)
_NAMES = re.compile(rf"(?<=[\w,;)] ){_CALENDAR}[A-Z][\w'-]*|^(?:The )?[A-Z][\w'-]*(?= (?:& )?[A-Z][a-z])")
_PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‐": "-", "‑": "-", "–": "-"})
_FULL_WIDTH = str.maketrans({",": "，", ";": "；", "!": "！", "?": "？"})  # NFKC made them narrow
_BESIDE_CJK = re.compile(f"(?<=[{_CJK}]) | (?=[{_CJK}])")
_WORD = re.compile(r"[^\W\d_]+(?:[.'-][^\W\d_]+)*")
_HAN = re.compile("[\u4e00-\u9fff]")
_LINE_BREAK = re.compile(r"\n\s*")


@dataclass(frozen=True, slots=True)
class Reading:
    """One text, read once; all but `cased` in lower case.

    `low` is whole. `bare` has a word in place of each quotation, `common` in place of each name too (a word written large
    inside the sentence, or the first of several: "Tomorrow House" tells no time). `zh` is `bare` without the spaces around
    Chinese characters. `words` are those of `bare`.
    """

    cased: str
    low: str
    bare: str
    common: str
    zh: str
    words: tuple[str, ...]

    @property
    def is_chinese(self) -> bool:
        """Chinese makes up a sixth of the text at least: names and products are often Latin in Chinese sentences."""
        return 6 * len(_HAN.findall(self.zh)) >= len(self.zh) > 0


def read(text: str) -> Reading:
    """The first 800 characters of a text in the forms the rules look at.

    >>> read("User’s  motto is “Ship it”.").bare
    "user's motto is quote ."
    >>> read("项目 用 Go 写成").zh
    '项目用go写成'
    """
    folded = unicodedata.normalize("NFKC", text[:MAX_CHARS])[:MAX_CHARS].translate(_PLAIN)
    cased = _SPACE.sub(" ", folded).strip()
    unquoted = _SPACE.sub(" ", _QUOTED.sub(f" {QUOTE} ", cased)).strip()
    bare = unquoted.lower()
    zh = _BESIDE_CJK.sub("", bare).translate(_FULL_WIDTH)
    return Reading(cased, cased.lower(), bare, _NAMES.sub(NAME, unquoted).lower(), zh, tuple(_WORD.findall(bare)))


def columns(text: str, most: int) -> int:
    """The width of a text on a terminal, counted up to `most`: a Chinese character takes two columns, a combining mark none.

    >>> columns("用户住在 Oslo", 99)
    13
    """
    width = 0
    for char in text:
        if width >= most:
            break
        if not unicodedata.combining(char):
            width += 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
    return width


def sign(pattern: str) -> re.Pattern[str]:
    r"""A pattern for lower-case text. A line break in it and the indentation after it mean nothing; a space is a space.

    ASCII, so that `\b` ends an English word where Chinese begins.
    """
    return re.compile(part(pattern), re.ASCII)


def part(pattern: str) -> str:
    """A piece of a pattern, its line breaks and indentation taken out."""
    return _LINE_BREAK.sub("", pattern)


def either(words: str) -> str:
    """An alternation of the words, the longest first, so that none hides a longer one.

    >>> either("会 会议")
    '(?:会议|会)'
    """
    return "(?:" + "|".join(sorted(set(words.split()), key=lambda word: (-len(word), word))) + ")"
