"""Whether the names and numbers of a text occur in what it was made from: a model's text may reword, never add.

Simple on purpose. English: words with a capital inside a sentence, at its start those that do what people do ("Tom likes"), and
anything with a digit. Chinese: Latin words, digits, numerals before a measure word, what follows "called", "lives in" and such.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from memlite.rules.terms import ENGLISH_STOP_WORDS

_HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff"
_IS_HAN = re.compile(f"[{_HAN}]")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_WORD = re.compile(rf"[^\W_{_HAN}]+(?:[-'’_.&@][^\W_{_HAN}]+)*")
_START = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"'“”‘’(\[*•–—-]*$")
_LOOK_BACK = 16
_PERSON_VERB = re.compile(
    r" (?:is|was|has|had|lives|lived|works|worked|likes|liked|loves|loved|prefers|preferred|wants|wanted|owns|owned|uses|moved|"
    r"plans|needs|knows|speaks|studies|studied|teaches|taught|runs|eats|drinks|plays|hates|enjoys|married|joined|left|bought|met|"
    r"and [A-Z])\b"
)
_JOINT = re.compile(r"[-_.&@\s]")
_INNER_CAPITAL = re.compile(r"(?<=\w)[A-Z]")
_STEM = 6  # shorter beginnings are shared by different names: Anna and Annabel
_NO_NAMES = frozenset("i i'm i've i'd i'll user users agent assistant english chinese mr mrs ms dr ok".split())

_THOUSANDS = re.compile(r"(?<=\d)[,'’\u202f](?=\d{3}(?!\d))")
_LEADING_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")
_MEASURED = re.compile(r"(\d+(?:\.\d+)*)(?:[^\W\d_]{1,6})?")  # "30", "17.5", "30km", "2nd"
_IN_SOURCE = re.compile(r"\d+(?:\.\d+)*")
_SPELT = {
    word: value
    for value, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty""".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}

_DIGITS_ZH = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_UNITS_ZH = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
_NUMERALS = "零〇一二两三四五六七八九十百千万"
_LONGEST_NUMERAL = 24
_RUN_ZH = re.compile(f"[{_NUMERALS}]+")
_COUNTED_ZH = re.compile(
    f"[{_NUMERALS}]{{2,}}|[{_NUMERALS}](?=[个只条位名岁年月日号点分周天次元块楼层斤台辆口份套间本件张杯届米升度])"
)
_NAMED_ZH = re.compile(
    f"(?:名叫|叫做|名字[叫是]|姓名是|改名|[^请就不]叫|姓|住在|搬到|搬去|来自|位于|定居|老家在|老家是)([{_HAN}]{{2,3}})"
    f"|在([{_HAN}]{{2,3}}?)(?:工作|上班|生活|居住|出生|长大|读书|上学)"
)
_NAMELESS_ZH = re.compile(
    "(?:一|两|三|这|那|哪|什么|怎么|自己|家|公司|项目|每|早|晚|周|星期|上(?!海)|下|里|外|用户|他|她|它|我|你|的|了|当地|附近)"
)


def ungrounded(text: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The names and numbers of `text` that no source has, each once. Case, width, leading zeros and commas don't count.

    >>> ungrounded("The user moved to Lisbon with 2 cats.", ["I moved to Lisbon last year, with two cats."])
    ()
    >>> ungrounded("The user works with Ilka in room 44.", ["I work in room 4."])
    ('Ilka', '44')
    """
    tokens = names_and_numbers(text)
    told = set(grounded(tokens, sources)) if tokens else set()
    return tuple(token for token in tokens if token not in told)


def grounded(tokens: Iterable[str], sources: Iterable[str]) -> tuple[str, ...]:
    """Those of the names and numbers that the sources have."""
    told = _Told("\n".join(sources))
    return tuple(token for token in tokens if told.has(token))


def mentions(text: str, terms: Iterable[str]) -> tuple[str, ...]:
    """Those of `terms` that occur in `text`: Chinese ones anywhere, others as whole words."""
    told = _Told(text)
    return tuple(term for term in terms if (term in told.text if _IS_HAN.search(term) else told.has_word(_thinned(term))))


def names_and_numbers(text: str) -> tuple[str, ...]:
    """What `ungrounded` looks at, each once, as it stands in the text but for thousands' commas."""
    text = _thinned(text)
    among_han = len(_IS_HAN.findall(text)) > len(_WORD.findall(text))
    chinese = _chinese(text) if among_han else _HAN_RUN.findall(text)
    return tuple(dict.fromkeys([*_latin(text, among_han=among_han), *chinese]))


def _latin(text: str, *, among_han: bool) -> Iterator[str]:
    for match in _WORD.finditer(text):
        for part in match[0].split("-"):
            name = _bare(part)
            if name.casefold() in _NO_NAMES or not name.strip("0"):  # "02:00" may have been said as "at two"
                continue
            telling = among_han or any(character.isdigit() for character in name) or _INNER_CAPITAL.search(name)
            if telling or (name[0].isupper() and (not _starts(text, match.start()) or _acts(text, match))):
                yield name


def _starts(text: str, at: int) -> bool:
    return _START.search(text[max(0, at - _LOOK_BACK) : at]) is not None


def _acts(text: str, word: re.Match[str]) -> bool:
    """Whether the word that begins a sentence is told from others by what it does: "Tom likes", "Tom's dog"."""
    return _bare(word[0].casefold()) not in ENGLISH_STOP_WORDS and (
        word[0].endswith(("'s", "’s")) or _PERSON_VERB.match(text, word.end()) is not None
    )


def _chinese(text: str) -> Iterator[str]:
    yield from (match[0] for match in _COUNTED_ZH.finditer(text))
    for match in _NAMED_ZH.finditer(text):
        name = match[1] or match[2]
        if not _NAMELESS_ZH.match(name):
            yield name


def _thinned(text: str) -> str:
    return _THOUSANDS.sub("", unicodedata.normalize("NFKC", text))


class _Told:
    """What a text tells, in the one spelling in which names and numbers are compared.

    Attributes:
        words: as they stand and their parts: "api" is told where "acme-api" was said.
        stems: words of six letters or more by their first six: "Postgres" and "PostgreSQL" are one name in two forms.
        numbers: in digits, those with one point as a whole, dates also in pieces.
    """

    def __init__(self, text: str) -> None:
        self.text = _thinned(text).casefold()
        self.words: set[str] = set()
        for match in _WORD.finditer(self.text):
            self.words.update((match[0], _bare(match[0])))
            self.words.update(_bare(part) for part in _JOINT.split(match[0]))
        self.stems: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) >= _STEM:
                self.stems.setdefault(word[:_STEM], []).append(word)
        self.numbers = {str(value) for word, value in _SPELT.items() if word in self.words}
        for match in _IN_SOURCE.finditer(self.text):
            self.numbers.add(_plain(match[0]))
            if match[0].count(".") != 1:
                self.numbers.update(_plain(piece) for piece in match[0].split("."))
        self.numbers.update(_numeral(match[0]) for match in _RUN_ZH.finditer(self.text))

    def has(self, token: str) -> bool:
        if _RUN_ZH.fullmatch(token):
            return _numeral(token) in self.numbers or token in self.text
        if _IS_HAN.search(token):
            return token[:2] in self.text
        measured = _MEASURED.fullmatch(token)
        return self.has_word(token) or (measured is not None and _plain(measured[1]) in self.numbers)

    def has_word(self, name: str) -> bool:
        folded = _bare(name.casefold())
        if {folded, f"{folded}s", folded.removesuffix("s"), folded.removesuffix("es")} & self.words:
            return True
        if folded.isalpha() and any(
            folded.startswith(word) or word.startswith(folded) for word in self.stems.get(folded[:_STEM], ())
        ):
            return True
        parts = [part for part in _JOINT.split(folded) if part]
        return len(parts) > 1 and not folded[0].isdigit() and all(part in self.words for part in parts)


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word)


def _plain(number: str) -> str:
    return _LEADING_ZEROS.sub("", number)


def _numeral(text: str) -> str:
    """A Chinese numeral in digits: 二十三 is 23, 二〇二五 is 2025. A run too long to be one stays as it is."""
    if len(text) > _LONGEST_NUMERAL:
        return text
    if not any(character in _UNITS_ZH for character in text):
        return _plain("".join(str(_DIGITS_ZH[character]) for character in text))
    total, section, digit = 0, 0, 0
    for character in text:
        if character in _DIGITS_ZH:
            digit = _DIGITS_ZH[character]
        elif character == "万":
            total, section, digit = (total + section + digit or 1) * 10_000, 0, 0
        else:
            section += (digit or 1) * _UNITS_ZH[character]
            digit = 0
    return str(total + section + digit)
