"""A found secret or personal detail, the text as finders read it, and what only stands for a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Class = Literal["secret", "pii"]

_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | str.maketrans("\u3000“”„‘’`", " \"\"\"'''")
_MASK = re.compile(r"[*•●·x.#_?-]+|(?:\*+|•+|…|\.{3}|x{4,})[\w-]{0,4}|[\w-]{0,10}(?:\*{3,}|•{3,}|…|\.{3}|x{6,})")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:[a-z]+_)*(?:password|passwd|token|key|secret|pwd|pass)(?:_[a-z]+)*")
_REFERENCE = re.compile(
    r"[$<{]|%[({s]|\[(?!\w{0,20}\d)|(?:process\.env|os\.environ|env[.(:]|secrets?[.:]|vault:|op://|file:|/run/|your[_-]|my[_-])",
    re.IGNORECASE,
)
_NO_VALUE = frozenset(
    "password passwd pass pwd passphrase secret token key apikey api_key api-key redacted hidden masked null none nil true false "
    "undefined string str required optional placeholder todo tbd n/a".split()
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of a text, `text[start:end]`, and what it is: a `secret` opens something, `pii` points at one person."""

    kind: str
    class_: Class
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text with wide characters and quotation marks made plain, as it is and in lower case; places are those of the original."""

    plain: str
    low: str


def fold(text: str) -> Text:
    """The text as the finders read it.

    >>> fold("密码：Ab1")
    Text(plain='密码:Ab1', low='密码:ab1')
    """
    plain = text if text.isascii() else text.translate(_NARROW)
    low = plain.lower()
    if len(low) != len(plain):  # İ becomes two characters
        low = "".join(small if len(small := char.lower()) == 1 else char for char in plain)
    return Text(plain, low)


def stands_for_a_value(value: str) -> bool:
    """Whether this is a mask, a variable, a placeholder or the like, that opens nothing.

    >>> [stands_for_a_value(value) for value in ("****", "$TOKEN", "DB_PASSWORD", "<password>", "sk_live_…", "hunter2")]
    [True, True, True, True, True, False]
    """
    return bool(value.lower() in _NO_VALUE or _MASK.fullmatch(value) or _VARIABLE.fullmatch(value) or _REFERENCE.match(value))
