"""How the words of a date are read: patterns for English and Chinese and the calendar behind them. `dates.py` applies them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Granularity = Literal["day", "weekend", "week", "month", "season", "year", "decade"]
Side = Literal["past", "future"]


@dataclass(frozen=True, slots=True)
class Now:
    """The day it was said, None if unknown, and which side a date without a year lies on."""

    today: date | None
    prefer: Side


Days = tuple[date, date, Granularity]
"""First day, last day, how exact."""

Reader = Callable[[re.Match[str], Now], Days | None]


# ------------------------------------------------------------------------------------------------------------ the calendar


def _month(year: int, month: int) -> Days:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1), date(year, month, monthrange(year, month)[1]), "month"


def _year(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31), "year"


def _week(day: date) -> Days:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6), "week"


def _weekend(day: date) -> Days:
    saturday = day - timedelta(days=day.weekday()) + timedelta(days=5)
    return saturday, saturday + timedelta(days=1), "weekend"


def _day(day: date) -> Days:
    return day, day, "day"


def _season(year: int, name: str) -> Days:
    first = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[name]
    return _month(year, first)[0], _month(year, first + 2)[1], "season"


def _shifted(today: date, count: int, unit: str) -> Days:
    """The day, week, month or year that lies `count` units from today."""
    match unit:
        case "day":
            return _day(today + timedelta(days=count))
        case "week":
            return _week(today + timedelta(days=7 * count))
        case "month":
            return _month(today.year, today.month + count)
        case _:
            return _year(today.year + count)


def _nearest(now: Now, on: Callable[[int], date]) -> date | None:
    """The date of this year or the one beside it that lies on the preferred side of today; today itself counts."""
    if now.today is None:
        return None
    this = on(now.today.year)
    if now.prefer == "past":
        return this if this <= now.today else on(now.today.year - 1)
    return this if this >= now.today else on(now.today.year + 1)


# ------------------------------------------------------------------------------------------------------------------ words

MONTHS = "january february march april may june july august september october november december".split()
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY = r"(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day"
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few)"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0, "俩": 2}
_ZH_NUMBER = r"[\d零〇一二两三四五六七八九十]{1,4}"
_ZH_DAY = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_ZH_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "个月": "month", "年": "year"}


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def _weekday_number(stem: str) -> int:
    return next(number for number, day in enumerate(_WEEKDAYS) if day.startswith(stem.lower()))


def _count(word: str) -> int:
    low = word.lower()
    if low.isdigit():
        return int(low)
    return {"a": 1, "an": 1, "a couple of": 2, "a few": 3}.get(low) or _NUMBERS.index(low)


def zh_number(text: str) -> int:
    """The value of a Chinese or Arabic numeral up to 9999; digits said one by one are read so.

    >>> [zh_number(text) for text in ("三", "十二", "二十", "三十一", "二〇一九", "15")]
    [3, 12, 20, 31, 2019, 15]
    """
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (zh_number(tens) if tens else 1) * 10 + (zh_number(ones) if ones else 0)
    return int("".join(str(_DIGITS.get(char, char)) for char in text))


# -------------------------------------------------------------------------------------------------------- English readers


def _iso(match: re.Match[str], _now: Now) -> Days | None:
    return _day(date(int(match[1]), int(match[2]), int(match[3])))


def _day_of_month(match: re.Match[str], now: Now) -> Days | None:
    month, day = _month_number(match["month"]), int(match["day"])
    if match["year"]:
        return _day(date(int(match["year"]), month, day))
    found = _nearest(now, lambda year: date(year, month, day))
    return None if found is None else _day(found)


def _month_of_year(match: re.Match[str], _now: Now) -> Days | None:
    return _month(int(match["year"]), _month_number(match["month"]))


def _bare_month(match: re.Match[str], now: Now) -> Days | None:
    month = _month_number(match["month"])
    found = _nearest(now, lambda year: date(year, month, 1))
    if found is None or now.today is None:
        return None
    which = (match["which"] or "").lower()
    if which == "last" and (found.year, found.month) == (now.today.year, now.today.month):
        return _month(found.year - 1, month)
    if which == "next" and found <= now.today:
        return _month(now.today.year + (month <= now.today.month), month)
    return _month(found.year, month)


def _year_of(match: re.Match[str], _now: Now) -> Days | None:
    return _year(int(match["year"]))


def _decade(match: re.Match[str], _now: Now) -> Days | None:
    first = int(match["decade"])
    if first < 100:
        first += 1900 if first >= 30 else 2000
    return date(first, 1, 1), date(first + 9, 12, 31), "decade"


def _season_of(match: re.Match[str], now: Now) -> Days | None:
    name = match["season"].lower()
    if match["year"]:
        return _season(int(match["year"]), name)
    if now.today is None or not match["which"]:
        return None
    which = match["which"].lower()
    year = next(y for y in range(now.today.year, now.today.year - 3, -1) if _season(y, name)[0] <= now.today)
    current = _season(year, name)
    if which == "this":
        return current if current[1] >= now.today else _season(year + 1, name)
    if which == "next":
        return _season(year + 1, name)
    return current if current[1] < now.today else _season(year - 1, name)


def _named_day(match: re.Match[str], now: Now) -> Days | None:
    offsets = {"today": 0, "tonight": 0, "yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2}
    offset = offsets.get(match[0].lower(), 2)
    return None if now.today is None else _day(now.today + timedelta(days=offset))


def _which_unit(match: re.Match[str], now: Now) -> Days | None:
    if now.today is None:
        return None
    step = {"last": -1, "previous": -1, "this": 0, "next": 1}[match["which"].lower()]
    if match["unit"].lower() == "weekend":
        return _weekend(now.today + timedelta(days=7 * step))
    return _shifted(now.today, step, match["unit"].lower())


def _which_weekday(match: re.Match[str], now: Now) -> Days | None:
    if now.today is None:
        return None
    which = (match["which"] or "").lower()
    ahead = (_weekday_number(match["weekday"]) - now.today.weekday()) % 7
    if which == "this":
        return _day(now.today + timedelta(days=ahead))
    if which == "next" or (not which and now.prefer == "future"):
        return _day(now.today + timedelta(days=ahead or 7))
    return _day(now.today - timedelta(days=(7 - ahead) if ahead else 7))


def _ago(match: re.Match[str], now: Now) -> Days | None:
    return None if now.today is None else _shifted(now.today, -_count(match["count"]), match["unit"].lower())


def _ahead(match: re.Match[str], now: Now) -> Days | None:
    return None if now.today is None else _shifted(now.today, _count(match["count"]), match["unit"].lower())


# -------------------------------------------------------------------------------------------------------- Chinese readers


def _zh_date(match: re.Match[str], now: Now) -> Days | None:
    month, day = zh_number(match["month"]), zh_number(match["day"])
    year = _zh_year(match["year"], now)
    if year is not None:
        return _day(date(year, month, day))
    found = _nearest(now, lambda y: date(y, month, day))
    return None if found is None or match["year"] else _day(found)


def _zh_month(match: re.Match[str], now: Now) -> Days | None:
    month = zh_number(match["month"])
    if not 1 <= month <= 12:
        return None
    year = _zh_year(match["year"], now)
    if year is not None:
        return _month(year, month)
    found = _nearest(now, lambda y: date(y, month, 1))
    return None if found is None or match["year"] else _month(found.year, month)


def _zh_year(text: str | None, now: Now) -> int | None:
    """The year a prefix names: 2019年, 二〇一九年, 去年; None without one, or where today isn't known."""
    if not text:
        return None
    offset = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}.get(text)
    if offset is not None:
        return None if now.today is None else now.today.year + offset
    return zh_number(text.removesuffix("年"))


def _zh_only_year(match: re.Match[str], now: Now) -> Days | None:
    year = _zh_year(match["year"], now)
    return None if year is None or year < 1000 else _year(year)


def _zh_named_day(match: re.Match[str], now: Now) -> Days | None:
    offset = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}[match[1]]
    return None if now.today is None else _day(now.today + timedelta(days=offset))


def _zh_which(match: re.Match[str], now: Now) -> Days | None:
    if now.today is None:
        return None
    step = {"上": -1, "这": 0, "本": 0, "下": 1}[match["which"][-1]] * len(match["which"])
    if match["unit"].startswith("月"):
        return _shifted(now.today, step, "month")
    monday = now.today - timedelta(days=now.today.weekday()) + timedelta(days=7 * step)
    if match["day"] == "末":
        return _weekend(monday)
    return _day(monday + timedelta(days=_ZH_DAY[match["day"]])) if match["day"] else _week(monday)


def _zh_weekday(match: re.Match[str], now: Now) -> Days | None:
    if now.today is None:
        return None
    ahead = (_ZH_DAY[match["day"]] - now.today.weekday()) % 7
    return _day(now.today + timedelta(days=ahead if now.prefer == "future" else ahead - 7 if ahead else 0))


def _zh_shifted(match: re.Match[str], now: Now) -> Days | None:
    if now.today is None:
        return None
    side = -1 if match["side"].endswith("前") else 1
    return _shifted(now.today, side * zh_number(match["count"]), _ZH_UNITS[match["unit"]])


def _rule(pattern: str, read: Reader) -> tuple[re.Pattern[str], Reader]:
    return re.compile(pattern, re.IGNORECASE), read


_ZH_YEAR = r"(?P<year>(?:(?:19|20)\d\d|[一二][〇零一二三四五六七八九]{3})年|前年|去年|今年|明年|后年)"
RULES: tuple[tuple[re.Pattern[str], Reader], ...] = (
    _rule(r"\b(\d{4})-(\d\d)-(\d\d)\b", _iso),
    _rule(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}\b\.?(?:,? {_YEAR})?(?!\w)", _day_of_month),
    _rule(
        rf"\b{_MONTH}\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? {_YEAR})?(?![\w:%]|\.\d|\s?(?:am|pm|times|people)\b)",
        _day_of_month,
    ),
    _rule(rf"\b{_MONTH}\.?,? (?:of )?{_YEAR}\b", _month_of_year),
    _rule(
        rf"\b(?:(?P<which>last|this|next) |(?<=in the )|\b)(?P<season>spring|summer|autumn|fall|"
        rf"winter)(?: of| in|,)? ?{_YEAR}?(?!\w)",
        _season_of,
    ),
    _rule(
        r"\b(?:the )?day (?:before yesterday|after tomorrow)\b|\b(?:today|tonight|yesterday|tomorrow|last night)\b", _named_day
    ),
    _rule(rf"\b(?P<which>last|this|next) {_WEEKDAY}\b", _which_weekday),
    _rule(r"\b(?P<which>last|previous|this|next) (?P<unit>weekend|week|month|year)\b", _which_unit),
    _rule(rf"\b{_COUNT} {_UNIT} ago\b", _ago),
    _rule(rf"\bin {_COUNT} {_UNIT}\b", _ahead),
    _rule(
        rf"\b(?:(?:in|since|until|till|by|during|of|from|back in|early|late|mid|around|before|after) |"
        rf"(?P<which>last|next) ){_MONTH}\b(?! \d)",
        _bare_month,
    ),
    _rule(r"\b(?:the )?(?P<decade>(?:19|20)?\d0)['’]?s\b", _decade),
    _rule(
        rf"\b(?:in|since|until|till|by|during|of|from|around|before|after|early|late|mid|year|to|"
        rf"and) {_YEAR}\b(?![\w%€$]|[.,:]\d|-\d| (?:euros?|dollars?|pounds?|people|users|rows|items|words|"
        rf"metres|meters|kilos?|km|kg|pieces|times)\b)",
        _year_of,
    ),
    _rule(rf"\bon (?P<which>)?{_WEEKDAY}\b", _which_weekday),
    _rule(rf"{_ZH_YEAR}?(?:的)?(?P<month>{_ZH_NUMBER})月(?P<day>{_ZH_NUMBER})[日号]", _zh_date),
    _rule(rf"{_ZH_YEAR}(?:的)?(?P<month>{_ZH_NUMBER})月(?:份)?", _zh_month),
    _rule(rf"(?P<year>)?(?<![个\d零一二两三四五六七八九十])(?P<month>{_ZH_NUMBER})月(?:份|底|初|中旬|上旬|下旬)?", _zh_month),
    _rule(rf"{_ZH_YEAR}(?!级|龄|纪|代)", _zh_only_year),
    _rule(r"(大前|大后|前|昨|今|明|后)(?:天|晚|早|日)(?!期)", _zh_named_day),
    _rule(r"(?P<which>上上|下下|上|下|这|本)(?:一)?(?:个)?(?P<unit>周|星期|礼拜)(?P<day>[一二三四五六日天末])?", _zh_which),
    _rule(r"(?P<which>上上|下下|上|下|这|本)(?:一)?个?(?P<unit>月)(?P<day>)(?!球|亮|饼|子)", _zh_which),
    _rule(r"(?<![每上下这本逢])(?:周|星期|礼拜)(?P<day>[一二三四五六日天])(?![到至、和])", _zh_weekday),
    _rule(rf"(?P<count>{_ZH_NUMBER})(?P<unit>天|周|个?星期|个?礼拜|个月|年)(?P<side>以?前|之前|以?后|之后)", _zh_shifted),
    _rule(r"(?P<decade>(?:19|20)?\d0)年代", _decade),
)
