"""Dates in English and Chinese text: what each expression names, what is none, text said in full, any text."""

from __future__ import annotations

import doctest
import time
from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules import date_words, dates
from memlite.rules.dates import DAY_MS, absolute, find

NOW_MS = 1_772_323_200_000 + 15 * 3_600_000  # Sunday, 1 March 2026, 15:00 UTC


def spans(text: str, **options: object) -> list[tuple[str, str, str]]:
    """(first day, last day, granularity) of each date."""
    return [(_day(s.start_ms), _day(s.end_ms - 1), s.granularity) for s in find(text, NOW_MS, **options)]  # type: ignore[arg-type]


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


@pytest.mark.parametrize(
    ("text", "first", "last", "granularity"),
    [
        ("today", "2026-03-01", "2026-03-01", "day"),
        ("yesterday", "2026-02-28", "2026-02-28", "day"),
        ("the day before yesterday", "2026-02-27", "2026-02-27", "day"),
        ("tomorrow", "2026-03-02", "2026-03-02", "day"),
        ("last Friday", "2026-02-27", "2026-02-27", "day"),
        ("last Sunday", "2026-02-22", "2026-02-22", "day"),
        ("next Friday", "2026-03-06", "2026-03-06", "day"),
        ("next Sunday", "2026-03-08", "2026-03-08", "day"),
        ("this Wednesday", "2026-03-04", "2026-03-04", "day"),
        ("on Tuesday", "2026-02-24", "2026-02-24", "day"),
        ("last week", "2026-02-16", "2026-02-22", "week"),
        ("next week", "2026-03-02", "2026-03-08", "week"),
        ("last weekend", "2026-02-21", "2026-02-22", "weekend"),
        ("next month", "2026-04-01", "2026-04-30", "month"),
        ("last month", "2026-02-01", "2026-02-28", "month"),
        ("this year", "2026-01-01", "2026-12-31", "year"),
        ("three days ago", "2026-02-26", "2026-02-26", "day"),
        ("two weeks ago", "2026-02-09", "2026-02-15", "week"),
        ("a month ago", "2026-02-01", "2026-02-28", "month"),
        ("15 months ago", "2024-12-01", "2024-12-31", "month"),
        ("in ten years", "2036-01-01", "2036-12-31", "year"),
        ("in 2019", "2019-01-01", "2019-12-31", "year"),
        ("since 1998", "1998-01-01", "1998-12-31", "year"),
        ("in the 90s", "1990-01-01", "1999-12-31", "decade"),
        ("3 May", "2025-05-03", "2025-05-03", "day"),
        ("May 3rd", "2025-05-03", "2025-05-03", "day"),
        ("3rd of February 2024", "2024-02-03", "2024-02-03", "day"),
        ("February 29, 2024", "2024-02-29", "2024-02-29", "day"),
        ("May 2021", "2021-05-01", "2021-05-31", "month"),
        ("in March", "2026-03-01", "2026-03-31", "month"),
        ("last March", "2025-03-01", "2025-03-31", "month"),
        ("next March", "2027-03-01", "2027-03-31", "month"),
        ("since October", "2025-10-01", "2025-10-31", "month"),
        ("last summer", "2025-06-01", "2025-08-31", "season"),
        ("summer of 2018", "2018-06-01", "2018-08-31", "season"),
        ("2021-05-03", "2021-05-03", "2021-05-03", "day"),
        ("今天", "2026-03-01", "2026-03-01", "day"),
        ("昨晚", "2026-02-28", "2026-02-28", "day"),
        ("前天", "2026-02-27", "2026-02-27", "day"),
        ("大后天", "2026-03-04", "2026-03-04", "day"),
        ("上周五", "2026-02-20", "2026-02-20", "day"),
        ("下个星期一", "2026-03-02", "2026-03-02", "day"),
        ("这周三", "2026-02-25", "2026-02-25", "day"),
        ("周三", "2026-02-25", "2026-02-25", "day"),
        ("上周末", "2026-02-21", "2026-02-22", "weekend"),
        ("上上周", "2026-02-09", "2026-02-15", "week"),
        ("下个月", "2026-04-01", "2026-04-30", "month"),
        ("去年", "2025-01-01", "2025-12-31", "year"),
        ("后年", "2028-01-01", "2028-12-31", "year"),
        ("去年十二月", "2025-12-01", "2025-12-31", "month"),
        ("5月3号", "2025-05-03", "2025-05-03", "day"),
        ("五月三日", "2025-05-03", "2025-05-03", "day"),
        ("2021年5月3日", "2021-05-03", "2021-05-03", "day"),
        ("二〇一九年", "2019-01-01", "2019-12-31", "year"),
        ("三天前", "2026-02-26", "2026-02-26", "day"),
        ("两个月后", "2026-05-01", "2026-05-31", "month"),
        ("十二年前", "2014-01-01", "2014-12-31", "year"),
        ("八月", "2025-08-01", "2025-08-31", "month"),
        ("90年代", "1990-01-01", "1999-12-31", "decade"),
    ],
    ids=str,
)
def test_date(text: str, first: str, last: str, granularity: str) -> None:
    assert spans(f"well, {text}.") == [(first, last, granularity)]


@pytest.mark.parametrize(
    "text",
    [
        "I may go",
        "march on",
        "31 February",
        "2021-13-01",
        "every Friday",
        "on Fridays",
        "in 2000 euros",
        "room 2019",
        "1995",
        "03/04/2021",
        "in two minds",
        "the mayor",
        "每周三",
        "每个月",
        "一个月亮",
        "周末",
    ],
)
def test_no_date(text: str) -> None:
    assert spans(text) == []


def test_a_day_to_come_where_the_future_is_meant() -> None:
    assert spans("3 May, on Tuesday, in February, 5月3号, 周三", prefer="future") == [
        ("2026-05-03", "2026-05-03", "day"),
        ("2026-03-03", "2026-03-03", "day"),
        ("2027-02-01", "2027-02-28", "month"),
        ("2026-05-03", "2026-05-03", "day"),
        ("2026-03-04", "2026-03-04", "day"),
    ]


def test_without_a_moment_only_full_dates_are_found() -> None:
    found = find("yesterday, in May 2020, 3 May, 2019年, 上周", None)
    assert [span.text for span in found] == ["in May 2020"[3:], "2019年"]
    assert not any(span.relative for span in found)


def test_places_in_the_text() -> None:
    text = "we met last Friday and in 2019"
    assert [(text[span.start : span.end], span.relative) for span in find(text, NOW_MS)] == [
        ("last Friday", True),
        ("in 2019", False),
    ]


def test_days_begin_by_the_clock_of_the_speaker() -> None:
    late_ms = NOW_MS + 8 * 3_600_000  # 23:00 UTC, the next day in Shanghai
    (here,), (there,) = find("today", late_ms), find("今天", late_ms, utc_offset_minutes=480)
    assert there.start_ms - here.start_ms == DAY_MS - 8 * 3_600_000


@pytest.mark.parametrize(
    ("text", "full"),
    [
        pytest.param("I moved here last year", "I moved here in 2025", id="a year"),
        pytest.param("the course starts next month", "the course starts in April 2026", id="a month"),
        pytest.param("I met Ida two days ago", "I met Ida on 27 February 2026", id="a day"),
        pytest.param("we married last summer", "we married in summer 2025", id="a season"),
        pytest.param("my birthday is on 3 May", "my birthday is on 3 May", id="a day of every year stays"),
        pytest.param("born in 1961", "born in 1961", id="a full date stays"),
        pytest.param("我上个月入职的", "我2026年2月入职的", id="上个月"),
        pytest.param("昨天见过面", "2026年2月28日见过面", id="昨天"),
        pytest.param("生日是5月3号", "生日是5月3号", id="生日不变"),
    ],
)
def test_absolute(text: str, full: str) -> None:
    assert absolute(text, NOW_MS) == full


@given(st.text(max_size=200), st.one_of(st.none(), st.integers(-(10**16), 10**16)))
def test_any_text(text: str, now_ms: int | None) -> None:
    found = find(text, now_ms)
    assert found == find(text, now_ms)
    for one, two in pairwise(found):
        assert one.end <= two.start
    for span in found:
        assert span.start_ms < span.end_ms
        assert text[span.start : span.end] == span.text


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_every_day_said_in_full_is_found(day: date) -> None:
    month = f"{day:%B}"
    for text in (
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        assert [(_day_of(span.start_ms), span.granularity) for span in find(text, None)] == [(day, "day")]


def _day_of(ms: int) -> date:
    return date.fromordinal(date(1970, 1, 1).toordinal() + ms // DAY_MS)


@pytest.mark.parametrize("piece", ["in 2019 ", "may 1 ", "上周", "一", "1", "last ", "2019年", "3月"])
def test_64_kb_take_linear_time(piece: str) -> None:
    started = time.process_time()
    find(piece * (65_536 // len(piece)), NOW_MS)
    assert time.process_time() - started < 5


def test_examples_hold() -> None:
    assert doctest.testmod(dates).failed == doctest.testmod(date_words).failed == 0
