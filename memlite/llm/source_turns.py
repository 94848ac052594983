"""The turns a model says a fact rests on: whether they bear it, who said it, and when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memlite.rules import dates
from memlite.rules.distil.dialogue import FactOrigin, Turn
from memlite.rules.grounding import grounded, names_and_numbers, ungrounded
from memlite.rules.terms import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS, has_cjk, segmented

_STEM = 4  # letters that "lives" and "living", "allergy" and "allergic" have in common
_WORD = re.compile(r"[^\W_]+")
_EMPTY = ENGLISH_STOP_WORDS | CHINESE_STOP_WORDS | {"user", "users", "用户"}
_LEAST_SHARE = 0.2  # so many words do 2 % of facts share with talks they are not from, and all but few with their own
_STATED_SHARE = 0.5
_YES = re.compile(
    r"\s*(?:(?:oh|ah|haha|well|ok|okay),? )?(?:yes|yeah|yep|yup|right|correct|exactly|indeed|true|sure|absolutely|definitely|"
    r"of course|precisely|(?:that|it)(?:'s| is) (?:right|correct|true|it)|spot on|good guess)\b"
    r"|\s*(?:嗯+|哈+|哦)?[，, ]?(?:对|是的|是啊|没错|确实|当然|正是|猜对了|说对了|可不是)",
    re.IGNORECASE,
)
_ONLY_SEEMS_YES = re.compile(
    r"\s*(?:right|sure|true|ok|okay|well)?,? ?(?:but|no\b|not\b)|\s*当然?[，, ]?不|\s*对(?:不|了|于|面|方)", re.IGNORECASE
)


class Sources:
    """A window's turns as what facts may rest on. Turns are named by their index, from 0."""

    def __init__(self, turns: Sequence[Turn], now_ms: int) -> None:
        self._turns = turns
        self._now_ms = now_ms
        self._known: dict[int, str] = {}

    def cited(self, aliases: Iterable[int]) -> tuple[int, ...]:
        """Indices of the turns a model numbered from 1, ascending; numbers of no turn are left out."""
        return tuple(sorted({alias - 1 for alias in aliases if 1 <= alias <= len(self._turns)}))

    def bearing(self, text: str, cited: tuple[int, ...]) -> tuple[int, ...]:
        """The turns that `text` rests on: the cited ones and, for what these only point to, the turns before that name it.

        Empty where a name or number of the text was said nowhere up to the last cited turn, or too few of its words in any of
        them; in another language than the turns' it needs a name or number to be known by.
        """
        if not cited:
            return ()
        turns = set(cited)
        if self._shared(text, cited) < _LEAST_SHARE and cited[-1] > 0:
            turns.add(cited[-1] - 1)  # "yes", and "do that always", say what the turn before says
        for missing in ungrounded(text, self.texts(turns)):
            named = [index for index in range(cited[-1], -1, -1) if grounded([missing], self.texts([index]))]
            if not named:
                return ()
            turns.add(next((index for index in named if self._turns[index].role == "user"), named[0]))
        found = tuple(sorted(turns))
        if self._translated(text, found):
            return found if names_and_numbers(text) else ()
        return found if self._shared(text, found) >= _LEAST_SHARE else ()

    def texts(self, turns: Iterable[int]) -> list[str]:
        """All that the turns tell: text, speaker, and the dates that "yesterday" and the like stand for."""
        return [self._told(index) for index in turns]

    def origin(self, text: str, turns: tuple[int, ...]) -> FactOrigin:
        """Who vouches for the text: the user where they said it or agreed, else the weakest of those who did say it."""
        users = [index for index in turns if self._turns[index].role == "user"]
        others = [index for index in turns if self._turns[index].role != "user"]
        if users:
            alone = not others or (
                not ungrounded(text, self.texts(users))
                and (self._translated(text, users) or self._shared(text, users) >= _STATED_SHARE)
            )
            if alone:
                return "user_stated"
            if any(self._agrees(index) and others[0] < index for index in users):
                return "user_confirmed"
        return "tool_output" if any(self._turns[index].role == "tool" for index in others) else "agent_inferred"

    def dated(self, text: str, turns: tuple[int, ...]) -> tuple[str, int]:
        """The text with "yesterday" and the like as dates, and when what it tells happened, else when it was said."""
        said_ms = self._said_ms(turns[-1])
        return dates.absolute(text, said_ms), dates.happened_ms(text, said_ms)

    def _told(self, index: int) -> str:
        if index not in self._known:
            turn = self._turns[index]
            self._known[index] = "\n".join((turn.content, dates.absolute(turn.content, self._said_ms(index)), turn.name or ""))
        return self._known[index]

    def _said_ms(self, index: int) -> int:
        return next((ms for turn in reversed(self._turns[: index + 1]) if (ms := turn.occurred_ms) is not None), self._now_ms)

    def _agrees(self, index: int) -> bool:
        turn = self._turns[index]
        return turn.role == "user" and _YES.match(turn.content) is not None and _ONLY_SEEMS_YES.match(turn.content) is None

    def _shared(self, text: str, turns: Iterable[int]) -> float:
        """The share of the text's telling words that the turns have, 0 to 1."""
        stems = _stems(text)
        return len(stems & _stems("\n".join(self.texts(turns)))) / len(stems) if stems else 0.0

    def _translated(self, text: str, turns: Iterable[int]) -> bool:
        """Text and turns are in different scripts, so that no words can be compared."""
        return has_cjk(text) != any(has_cjk(self._turns[index].content) for index in turns)


def _stems(text: str) -> set[str]:
    """The beginnings of a text's telling words; of Chinese, its pairs of characters."""
    words = _WORD.findall((segmented(text) or text).casefold())
    return {word[:_STEM] for word in words if word not in _EMPTY}
