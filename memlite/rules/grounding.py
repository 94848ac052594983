"""Whether the names and numbers of a text occur in what it was made from: a model's text may reword, never add.

Simple on purpose. English: words with a capital that begin no sentence, and anything with a digit. Chinese: Latin words, digits,
numerals before a measure word, what follows "called", "lives in" and the like. A name at the start of an English
sentence passes, as nothing tells it from any other word there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff"
_IS_HAN = re.compile(f"[{_HAN}]")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_WORD = re.compile(rf"[^\W_{_HAN}]+(?:[-'’_.&@][^\W_{_HAN}]+)*")
_START = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"'“”‘’(\[*•–—-]*$")
_LOOK_BACK = 16
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
    whole = "\n".join(_folded(source) for source in sources)
    words = _words_of(whole)
    numbers = _numbers_of(whole, words)
    return tuple(token for token in tokens if _is_known(token, whole, words, numbers))


def mentions(text: str, terms: Iterable[str]) -> tuple[str, ...]:
    """Those of `terms` that occur in `text`: Chinese ones anywhere, others as whole words."""
    folded = _folded(text)
    words = _words_of(folded)
    return tuple(term for term in terms if (_folded(term) in folded if _IS_HAN.search(term) else _occurs(_thinned(term), words)))


def names_and_numbers(text: str) -> tuple[str, ...]:
    """What `ungrounded` looks at, each once, as it stands in the text but for thousands' commas."""
    text = _thinned(text)
    among_han = len(_IS_HAN.findall(text)) > len(_WORD.findall(text))
    chinese = _chinese(text) if among_han else _HAN_RUN.findall(text)
    return tuple(dict.fromkeys([*_latin(text, among_han=among_han), *chinese]))


def _is_known(token: str, whole: str, words: frozenset[str], numbers: frozenset[str]) -> bool:
    if _RUN_ZH.fullmatch(token) and str(_numeral(token)) in numbers:
        return True
    if _IS_HAN.search(token):
        return (token if len(token) < 2 or _RUN_ZH.fullmatch(token) else token[:2]) in whole
    measured = _MEASURED.fullmatch(token)
    return _occurs(token, words) or (measured is not None and _plain(measured[1]) in numbers)


def _latin(text: str, *, among_han: bool) -> Iterator[str]:
    for match in _WORD.finditer(text):
        for part in match[0].split("-"):
            name = _bare(part)
            if name.casefold() in _NO_NAMES or not name.strip("0"):  # "02:00" may have been said as "at two"
                continue
            telling = among_han or any(character.isdigit() for character in name) or _INNER_CAPITAL.search(name)
            if telling or (name[0].isupper() and not _starts(text, match.start())):
                yield name


def _starts(text: str, at: int) -> bool:
    return _START.search(text[max(0, at - _LOOK_BACK) : at]) is not None


def _chinese(text: str) -> Iterator[str]:
    yield from (match[0] for match in _COUNTED_ZH.finditer(text))
    for match in _NAMED_ZH.finditer(text):
        name = match[1] or match[2]
        if not _NAMELESS_ZH.match(name):
            yield name


def _thinned(text: str) -> str:
    return _THOUSANDS.sub("", unicodedata.normalize("NFKC", text))


def _folded(text: str) -> str:
    return _thinned(text).casefold()


def _words_of(folded: str) -> frozenset[str]:
    """Words as they stand and their parts: "api" is known where "acme-api" was said."""
    words: set[str] = set()
    for match in _WORD.finditer(folded):
        words.update((match[0], _bare(match[0])))
        words.update(_bare(part) for part in re.split(r"[-_.&@]", match[0]))
    return frozenset(words)


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word)


def _occurs(name: str, words: frozenset[str]) -> bool:
    folded = _bare(name.casefold())
    if {folded, f"{folded}s", folded.removesuffix("s"), folded.removesuffix("es")} & words:
        return True
    if len(folded) >= _STEM and folded.isalpha() and any(_one_begins_the_other(folded, word) for word in words):
        return True
    parts = [part for part in re.split(r"[-_.&@\s]", folded) if part]
    return len(parts) > 1 and not folded[0].isdigit() and all(part in words for part in parts)


def _one_begins_the_other(first: str, second: str) -> bool:
    """As "Postgres" and "PostgreSQL" do."""
    return len(second) >= _STEM and (first.startswith(second) or second.startswith(first))


def _numbers_of(folded: str, words: frozenset[str]) -> frozenset[str]:
    """Every number of the sources, in digits: those with a point as a whole and, as parts of a date, in pieces."""
    found = {str(value) for word, value in _SPELT.items() if word in words}
    for match in _IN_SOURCE.finditer(folded):
        found.add(_plain(match[0]))
        if match[0].count(".") != 1:
            found.update(_plain(piece) for piece in match[0].split("."))
    found.update(str(_numeral(match[0])) for match in _RUN_ZH.finditer(folded))
    return frozenset(found)


def _plain(number: str) -> str:
    return _LEADING_ZEROS.sub("", number)


def _numeral(text: str) -> int:
    """A Chinese numeral as a number: 二十三 is 23, 二〇二五 is 2025."""
    if not any(character in _UNITS_ZH for character in text):
        return int("".join(str(_DIGITS_ZH[character]) for character in text))
    total, section, digit = 0, 0, 0
    for character in text:
        if character in _DIGITS_ZH:
            digit = _DIGITS_ZH[character]
        elif character == "万":
            total, section, digit = (total + section + digit or 1) * 10_000, 0, 0
        else:
            section += (digit or 1) * _UNITS_ZH[character]
            digit = 0
    return total + section + digit
