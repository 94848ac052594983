"""Secrets and personal details in a text: where they lie, and the text without them. English and Chinese.

Specific shapes and specific words, no guessing by randomness: a text about passwords has none in it. A first line of defence
and no proof; a secret that is described in a way nobody foresaw stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain

from memlite.rules.sensitive.finding import Class, Finding, fold
from memlite.rules.sensitive.numbers import numbers
from memlite.rules.sensitive.places import places
from memlite.rules.sensitive.tokens import tokens
from memlite.rules.sensitive.told import told
from memlite.rules.sensitive.told_zh import told_zh

__all__ = ["CLASSES", "Class", "Finding", "findings", "redacted"]

CLASSES: tuple[Class, ...] = ("secret", "pii")

_FINDERS = (tokens, told, told_zh, numbers, places)
"""The surest first: where two overlap, the earlier finder names it, and secrets come before personal details."""


_MAYBE = re.compile(
    r"\d|@|://|-----|[㐀-鿿]|pass|pw|pin|key|secret|token|code|otp|cv|combination|security|log|sign|cred|phrase|words|seed"
    r"|mnemonic|bearer|authorization|hooks\.slack|number|card|phone|account|\bdot\b|[^\s.,;!?]{12}"
)
"""Whatever a finder looks for has one of these. Half of all sentences have none, and are done with."""

_MARK = re.compile(r"\[(?:secret|pii):\w{1,40}\]")
_BLANK = "\ue000"
_ROUNDS = 6
"""What was taken out can bring to light what it overlapped: looked at again, but not without end."""


def findings(text: str) -> tuple[Finding, ...]:
    """Every secret and personal detail, in the order of the text; none overlaps another.

    >>> [(f.kind, f.class_) for f in findings("The staging password is hunter2, call +44 7700 900111.")]
    [('password', 'secret'), ('phone', 'pii')]
    >>> findings("User keeps passwords in a manager and rotates API keys every 90 days.")
    ()
    """
    if not _MAYBE.search(fold(text).low):
        return ()
    unmarked = _MARK.sub(lambda mark: _BLANK * len(mark[0]), text)  # "[secret:password] is …" speaks of nothing further
    folded = fold(unmarked)
    taken = bytearray(len(text))
    for mark in _MARK.finditer(text):
        taken[mark.start() : mark.end()] = b"\1" * len(mark[0])
    kept = []
    for one in chain.from_iterable(finder(folded) for finder in _FINDERS):
        if one.start < one.end and taken.find(1, one.start, one.end) < 0:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            kept.append(one)
    return tuple(sorted(kept, key=lambda one: one.start))


def redacted(text: str, classes: Collection[Class] = CLASSES) -> str:
    """The text with each finding of these classes as `[secret:kind]` or `[pii:kind]`. Doing it again changes nothing.

    >>> redacted("The staging password is hunter2, call +44 7700 900111.", ["secret"])
    'The staging password is [secret:password], call +44 7700 900111.'
    """
    for _ in range(_ROUNDS):
        found = [one for one in findings(text) if one.class_ in classes]
        if not found:
            break
        text = _without(text, found)
    return text


def _without(text: str, found: Sequence[Finding]) -> str:
    pieces, place = [], 0
    for one in found:
        pieces += [text[place : one.start], f"[{one.class_}:{one.kind}]"]
        place = one.end
    return "".join([*pieces, text[place:]])
