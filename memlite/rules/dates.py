"""Dates and relative dates in English and Chinese text, resolved against a moment: "last Friday", "in 2019", 下个月, 5月3号.

Used to date a fact and to recognise the time a question asks about. What is ambiguous without more knowledge (03/04/2021, a bare
"may", a number that might be a year) is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from memlite.rules.date_words import MONTHS, RULES, Days, Granularity, Now, Side

DAY_MS = 86_400_000
MAX_NOW_MS = 59_000_000_000_000
"""A moment more than 1,870 years from 1970 is none: the calendar ends there."""

MAX_CHARS = 20_000
"""A longer text is read only so far."""

_HAS_MONTH = re.compile(
    rf"\b(?:{'|'.join(MONTHS)}|{'|'.join(month[:3] for month in MONTHS)}|sept)\b|[\d一二三四五六七八九十]月", re.IGNORECASE
)
_EPOCH = date(1970, 1, 1)
_FIRST, _LAST = date(1000, 1, 1), date(9000, 1, 1)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A stretch of time that a text names.

    Attributes:
        start_ms: its first millisecond, UTC; negative before 1970.
        end_ms: the first millisecond after it.
        granularity: how exact the text is.
        text: the words that name it.
        start: where they begin in the text.
        end: where they end.
        relative: it depends on the moment it was said at.
    """

    start_ms: int
    end_ms: int
    granularity: Granularity
    text: str
    start: int
    end: int
    relative: bool


def find(text: str, now_ms: int | None, *, prefer: Side = "past", utc_offset_minutes: int = 0) -> tuple[DateSpan, ...]:
    """The dates a text names, in the order of the text, without overlaps.

    >>> [(span.text, span.granularity) for span in find("We met yesterday and in May 2019", 1_772_323_200_000)]
    [('yesterday', 'day'), ('May 2019', 'month')]

    Args:
        text: English, Chinese or both; only its first 20,000 characters are read.
        now_ms: against which "yesterday", "next month" and dates without a year are resolved; None finds only dates that need no
            such moment.
        prefer: which of two readings a date without a year ("3 May", "on Friday") takes.
        utc_offset_minutes: of the clock by which the speaker's days begin.
    """
    shift_ms = utc_offset_minutes * 60_000
    known = now_ms is not None and abs(now_ms) < MAX_NOW_MS
    now = Now(_EPOCH + timedelta(days=(now_ms + shift_ms) // DAY_MS) if known and now_ms is not None else None, prefer)
    found: list[DateSpan] = []
    taken = bytearray(min(len(text), MAX_CHARS))
    for match, days, relative in _candidates(text[:MAX_CHARS], now):
        if any(taken[match.start() : match.end()]):
            continue
        taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
        first, last, granularity = days
        start_ms, end_ms = (((day - _EPOCH).days * DAY_MS) - shift_ms for day in (first, last + timedelta(days=1)))
        found.append(DateSpan(start_ms, end_ms, granularity, match[0], match.start(), match.end(), relative))
    return tuple(sorted(found, key=lambda span: span.start))


def absolute(text: str, now_ms: int, *, utc_offset_minutes: int = 0) -> str:
    """The text with "yesterday", "last month", 去年 and the like said as dates; a day of the year ("3 May") stays as it is.

    >>> absolute("I moved here last year and met Ida two days ago", 1_772_323_200_000)
    'I moved here in 2025 and met Ida on 27 February 2026'
    """
    for span in reversed(find(text, now_ms, utc_offset_minutes=utc_offset_minutes)):
        if span.relative and not _HAS_MONTH.search(span.text):
            text = text[: span.start] + _told(span, utc_offset_minutes) + text[span.end :]
    return text


def happened_ms(text: str, said_ms: int) -> int:
    """When what the text tells happened: the one past date it names, else when it was said."""
    spans = find(text, said_ms)
    if len(spans) == 1 and 0 <= spans[0].start_ms <= said_ms:
        return spans[0].start_ms
    return said_ms


def _told(span: DateSpan, utc_offset_minutes: int) -> str:
    first = _EPOCH + timedelta(days=(span.start_ms + utc_offset_minutes * 60_000) // DAY_MS)
    month = MONTHS[first.month - 1].capitalize()
    if not span.text.isascii():
        day = f"{first.year}年{first.month}月{first.day}日"
        return {
            "year": f"{first.year}年",
            "month": f"{first.year}年{first.month}月",
            "week": f"{day}那一周",
            "weekend": f"{day}那个周末",
        }.get(span.granularity, day)
    day = f"{first.day} {month} {first.year}"
    season = next((name for name in ("spring", "summer", "autumn", "winter") if name in span.text.lower()), "autumn")
    return {
        "year": f"in {first.year}",
        "month": f"in {month} {first.year}",
        "week": f"in the week of {day}",
        "weekend": f"at the weekend of {day}",
        "season": f"in {season} {first.year}",
    }.get(span.granularity, f"on {day}")


def _candidates(text: str, now: Now) -> Iterator[tuple[re.Match[str], Days, bool]]:
    """What each rule reads, the more telling rules first, and whether it depends on the moment."""
    for pattern, read in RULES:
        for match in pattern.finditer(text):
            try:
                days = read(match, now)
                relative = read(match, Now(None, now.prefer)) is None
            except (ValueError, OverflowError):  # 31 February, the year 0
                continue
            if days is not None and days[0] >= _FIRST and days[1] <= _LAST:
                yield match, days, relative
