"""Secrets that are told in Chinese: 密码是…, 口令：…, 验证码 …, 用…当密码, 助记词."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.sensitive.finding import Finding, Text, stands_for_a_value

_KEYWORD = re.compile(
    "(?:(?P<password>密码|口令|暗号|密碼)|(?P<code>验证码|校验码|动态码|取件码|备用码|恢复码|解锁码|通行码|开门码|驗證碼)"
    "|(?P<api_key>密钥|秘钥|令牌|私钥|金鑰)|(?P<pin>pin ?码|安全码))"
)
_LINK = re.compile(
    "(?:[^是为:=,。;!?\n]{0,12}?)(?:(?P<link>是|为|:|=|改成|改为|换成|设成|设为|设置为|设置成|就是|叫|还是|都是|用的是|报的是|填的是|填|输入|输)了?\\s?"
    '(?:["「『]|:\\s?)?)'
)
_VALUE = re.compile(r"[!-~]{3,200}")
_DIRECT = re.compile(r"\s?([!-~]{4,100})")
_SPELT = re.compile(
    "(?:\\d ){3,11}\\d|(?:[零〇一二三四五六七八九幺两]{4,19}|[一二两三四五六七八九十]{1,2}个[零〇一二三四五六七八九\\d](?:(?:[加和]?|再加)[一二两三四五六七八九十]{1,2}个[零〇一二三四五六七八九\\d])*)"
)
_CODED = re.compile(r"\d|\w[^\w\s.'/-]|[^\w\s.'\"(/-]\w|[a-z][A-Z]")
_MEASURE = re.compile("\\s?(?:位|个|天|年|月|次|分钟|小时|秒|种|条|以上|以内|到)")
_BEFORE = re.compile(
    '([!-~]{4,100})[」』"]?\\s?(?:当作?|做|作为?|是|为)[^,。;!?\n]{0,8}?(?P<what>密码|口令|验证码|pin ?码)(?![本箱柜器学锁管])',
)
_PHRASE = re.compile(
    "(?:助记词|恢复短语|种子短语|恢复词)[^,。:\n]{0,8}?[:是为]\\s?((?:[a-z\u4e00-\u9fff]{1,12}[ ,、]\\s?){5,23}[a-z\u4e00-\u9fff]{1,12})"
)


def told_zh(text: Text) -> Iterator[Finding]:
    """Whatever the Chinese around it calls a password, a code, a key or recovery words."""
    if not any(
        word in text.low for word in ("码", "口令", "暗号", "钥", "令牌", "助记词", "短语", "恢复词", "密碼", "驗證碼", "金鑰")
    ):
        return
    place = 0
    while match := _KEYWORD.search(text.low, place):
        place = match.end()
        if (span := _after(text, place)) is not None:
            place = span[1]
            yield Finding(match.lastgroup or "password", "secret", *span)
    for match in _BEFORE.finditer(text.low):
        value = text.plain[match.start(1) : match.end(1)]
        if _CODED.search(value) and not stands_for_a_value(value):
            yield Finding("password" if match["what"] in ("密码", "口令") else "code", "secret", *match.span(1))
    for match in _PHRASE.finditer(text.low):
        yield Finding("seed_phrase", "secret", *match.span(1))


def _after(text: Text, place: int) -> tuple[int, int] | None:
    """Where the value lies that follows a keyword which ends at `place`."""
    direct = _DIRECT.match(text.plain, place)
    if direct is not None and direct[1][0] not in ":=":
        return direct.span(1) if _opens(text, direct[1], direct.end(1)) else None
    link = _LINK.match(text.low, place)
    if link is None:
        return None
    spelt = _SPELT.match(text.low, link.end())
    if spelt is not None:
        return spelt.span()
    value = _VALUE.match(text.plain, link.end())
    if value is None:
        return None
    shown = value[0].rstrip(".,;:)\"'」")
    end = value.start() + len(shown)
    plain_word = shown.isalpha() and link["link"] in ("是", "为", ":", "=", "就是")
    return (value.start(), end) if _opens(text, shown, end) or (plain_word and not stands_for_a_value(shown)) else None


def _opens(text: Text, value: str, end: int) -> bool:
    return bool(_CODED.search(value)) and not stands_for_a_value(value) and _MEASURE.match(text.low, end) is None
