"""A reader of the JSON that chat models write: lenient about how it is written, never about what it says.

Comments, trailing commas and a missing tail are forgiven. Bare words, single quotes and a key given twice are not: guessing what
they mean is how prose becomes a memory.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 16

_GAP = re.compile(r"(?:[\s\ufeff]++|//[^\n]*+|#[^\n]*+|/\*(?s:.*?)\*/)++")
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?")
_WORDS = {"true": True, "false": False, "null": None}
_LONGEST_NUMBER = 64  # a longer one is no number anybody meant, and huge integers are slow to read


class NotJson(ValueError):
    """No JSON stands at that place. The message quotes nothing of the text."""


class _Cut(NotJson):
    """The text ends in the middle of a value."""


def read_object(text: str, start: int) -> tuple[dict[str, Any], int]:
    """The object that starts with the brace at `start`, and where it ends.

    Where the text ends before the object does, what was cut through is dropped and the rest closed: of a list its last item, of
    the object its last member. A member that is a list keeps its whole items.

    Raises:
        NotJson: it is no object, is nested more than 16 deep, or gives a key twice.
    """
    reader = _Reader(text, start)
    value, _ = reader.object(1)
    return value, reader.at


class _Reader:
    """A place in a text that moves forward. Methods give a value and whether it was whole."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def object(self, depth: int) -> tuple[dict[str, Any], bool]:
        self._enter(depth)
        found: dict[str, Any] = {}
        try:
            while self._next() != "}":
                key = self._string()
                if key in found:
                    raise NotJson("a key is given twice")
                self._expect(":")
                value, whole = self._value(depth + 1)
                if whole or isinstance(value, list):
                    found[key] = value
                if not whole:
                    return found, False
                self._comma("}")
        except _Cut:
            return found, False
        self.at += 1
        return found, True

    def _array(self, depth: int) -> tuple[list[Any], bool]:
        self._enter(depth)
        found: list[Any] = []
        try:
            while self._next() != "]":
                value, whole = self._value(depth + 1)
                if not whole:
                    return found, False
                found.append(value)
                self._comma("]")
        except _Cut:
            return found, False
        self.at += 1
        return found, True

    def _value(self, depth: int) -> tuple[Any, bool]:
        first = self._next()
        if first == "{":
            return self.object(depth)
        if first == "[":
            return self._array(depth)
        return (self._string() if first == '"' else self._scalar()), True

    def _enter(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise NotJson(f"it is nested more than {MAX_DEPTH} deep")
        self.at += 1

    def _next(self) -> str:
        """The next character that is neither space nor comment; the place moves before it."""
        if gap := _GAP.match(self.text, self.at):
            self.at = gap.end()
        if self.at >= len(self.text) or self.text.startswith("/*", self.at):
            raise _Cut("the text ends too early")
        return self.text[self.at]

    def _expect(self, mark: str) -> None:
        if self._next() != mark:
            raise NotJson(f"a {mark!r} is missing at character {self.at:,}")
        self.at += 1

    def _comma(self, closing: str) -> None:
        """Moves past a comma; before the closing bracket there need not be one."""
        if self._next() != closing:
            self._expect(",")

    def _string(self) -> str:
        if self._next() != '"':
            raise NotJson(f"a text in double quotes is missing at character {self.at:,}")
        token = _STRING.match(self.text, self.at)
        if token is None:
            raise _Cut("the text ends inside quotes")
        try:
            value: str = json.loads(token[0], strict=False)
            value.encode()
        except ValueError:
            raise NotJson(f"the text in quotes at character {self.at:,} has a wrong escape") from None
        self.at = token.end()
        return value

    def _scalar(self) -> Any:
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        number = _NUMBER.match(self.text, self.at)
        if number is None or len(number[0]) > _LONGEST_NUMBER:
            rest = self.text[self.at : self.at + 5]
            if self.at + len(rest) == len(self.text) and any(word.startswith(rest) for word in (*_WORDS, "-")):
                raise _Cut("the text ends inside a value")
            raise NotJson(f"no value stands at character {self.at:,}")
        if number.end() == len(self.text):
            raise _Cut("the text ends with a number that may go on")
        self.at = number.end()
        return json.loads(number[0])
