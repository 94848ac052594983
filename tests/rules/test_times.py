"""Times as callers give them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.errors import BadInput
from memlite.model import MAX_MS, iso
from memlite.rules.times import to_ms

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MARCH = 1_772_323_200_000  # 2026-03-01T00:00:00Z
HUGE = 10**5000  # longer than Python is willing to print


class Nowhere(tzinfo):
    """A zone that does not know its offset; Python counts such a time as naive."""

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        return None

    def dst(self, dt: datetime | None) -> timedelta | None:
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        return None


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        pytest.param(0, 0, id="the first millisecond"),
        pytest.param(MAX_MS, MAX_MS, id="the last millisecond of 9999"),
        pytest.param(datetime(2026, 3, 1), MARCH, id="a naive datetime is UTC"),  # noqa: DTZ001 - what is tested
        pytest.param(datetime(2026, 3, 1, 8, tzinfo=timezone(timedelta(hours=8))), MARCH, id="an offset counts"),
        pytest.param(datetime(2026, 3, 1, tzinfo=Nowhere()), MARCH, id="a zone without an offset is naive, so UTC"),
        pytest.param("2026-03-01T00:00:00Z", MARCH, id="ISO 8601 with Z"),
        pytest.param("2026-03-01T08:00:00+08:00", MARCH, id="ISO 8601 with an offset"),
        pytest.param("2026-03-01T00:00", MARCH, id="ISO 8601 without an offset is UTC"),
        pytest.param("2026-03-01", MARCH, id="a day is its midnight"),
        pytest.param(" 2026-03-01 ", MARCH, id="white space around is no matter"),
        pytest.param("2026-03-01T00:00:00.0019999Z", MARCH + 1, id="what is below a millisecond is cut"),
        pytest.param("9999-12-31T23:59:59.999999Z", MAX_MS, id="the last microsecond of 9999"),
        pytest.param("1970-01-01T01:00:00+01:00", 0, id="1970 by its offset"),
    ],
)
def test_to_ms(value: object, ms: int) -> None:
    assert to_ms(value, what="occurred_at") == ms


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param(-1, "1970 to 9999", id="before 1970"),
        pytest.param(MAX_MS + 1, "1970 to 9999", id="after 9999"),
        pytest.param(HUGE, "1970 to 9999", id="a number too long to print"),
        pytest.param("1969-12-31T23:59:59Z", "1970 to 9999", id="a date before 1970"),
        pytest.param("0001-01-01T00:00:00+14:00", "1970 to 9999", id="a date before year 1 by its offset"),
        pytest.param("9999-12-31T23:59:59-14:00", "1970 to 9999", id="a date past 9999 by its offset"),
        pytest.param(datetime.min, "1970 to 9999", id="the first datetime"),  # noqa: DTZ901 - what is tested
        pytest.param(True, "bool", id="a truth value is no time"),
        pytest.param(1.5, "float", id="a fraction"),
        pytest.param(float("nan"), "float", id="not a number"),
        pytest.param(None, "NoneType", id="nothing"),
        pytest.param(b"2026-03-01", "bytes", id="bytes"),
        pytest.param(date(2026, 3, 1), "date", id="a date object"),
        pytest.param("", "ISO 8601", id="an empty text"),
        pytest.param("yesterday", "ISO 8601", id="a word"),
        pytest.param("2026-02-30", "ISO 8601", id="a day that is not in the calendar"),
        pytest.param(str(MARCH), "ISO 8601", id="digits as text"),
        pytest.param("\ud800", "ISO 8601", id="a lone surrogate"),
        pytest.param("9" * 100_000, "ISO 8601", id="a very long text"),
    ],
)
def test_to_ms_refuses(value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        to_ms(value, what="occurred_at")
    assert "occurred_at" in str(caught.value)
    assert len(str(caught.value)) < 300


ZONES = st.timedeltas(min_value=timedelta(hours=-23), max_value=timedelta(hours=23)).map(
    lambda offset: timezone(timedelta(minutes=offset // timedelta(minutes=1)))
)


@given(st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.one_of(st.none(), ZONES)))  # noqa: DTZ001
def test_a_datetime_and_its_text_are_the_same_moment(moment: datetime) -> None:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    ms = to_ms(moment, what="t")
    assert ms == (aware - EPOCH) // timedelta(milliseconds=1)
    assert to_ms(moment.isoformat(), what="t") == ms


@given(st.integers(0, MAX_MS))
def test_the_text_that_results_give_is_read_back_as_the_same_time(ms: int) -> None:
    text = iso(ms)
    assert text is not None
    assert len(text) == 24
    assert to_ms(text, what="t") == ms
