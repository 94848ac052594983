"""Personal numbers: cards, identity papers, phones, bank accounts, patients. By shape, and by the words before it where many share it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.sensitive.finding import Finding, Text

_RUN = re.compile(r"\d(?<!\d\d)(?<!\d[ -]\d)(?:[ ().-]{0,3}\d){5,22}[xX]?(?![\w/-]|\.\d)", re.ASCII)
_WITHIN = re.compile(r"[\w.#/+-]", re.ASCII)
"""A number right after one of these is part of something longer."""

_BACK = 60
"""How far before a number the words may stand that tell what it is."""

_CARD = re.compile(
    r"\b(?:card|visa|mastercard|amex|debit|credit|maestro|unionpay)\b|卡号|信用卡|银行卡|储蓄卡|工资卡|借记卡|银联", re.ASCII
)
_NO_CARD = re.compile(
    r"\b(?:part|order|serial|tracking|invoice|ticket|model|article|product|batch|imei|isbn|ean|gtin|uuid|build|version|commit|reference"
    r"|timestamp|epoch|library|loyalty|gift|membership|sku)\b|订单|单号|编号|型号|序列号|条码|流水",
    re.ASCII,
)
_PHONE = re.compile(
    r"\b(?:phone|mobile|cell|tel|telephone|call|ring|text|sms|whatsapp|signal|reach|dial|landline|handy)\b|电话|手机|号码|微信|联系|拨打|致电|座机",
    re.ASCII,
)
_PUBLIC = re.compile(
    r"\b(?:hotline|helpline|public|toll-free|freephone|reception|front desk|switchboard|support line|customer service|emergency|office"
    r"|shop|store|restaurant|museum|press)\b|热线|客服|总机|前台|公开|报警|急救|办公室",
    re.ASCII,
)
_FREEPHONE = re.compile(r"\+?(?:1[ -]?)?\(?(?:0?800|888|877|866|400)\b")
_SOCIAL = re.compile(
    r"\b(?:ssn|social security|sin|aadhaar|tax id|tin|national id|personal number|steuer|bsn|nif|nie|dni|cpf|pesel|egn|oib|ppsn?|ahv|avs|nino)\b|社保号|税号",
    re.ASCII,
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ]\d\d?[-./ ]\d\d?|\d\d?[-./]\d\d?[-./](?:19|20)\d\d|(?:19|20)\d{6}(?:\d{6})?|(?:19|20)\d\d[ -]+(?:19|20)\d\d"
)
_CN_ID = re.compile(r"\d{6}(?:18|19|20)\d{2}\d{7}[\dxX]")
_CN_MOBILE = re.compile(r"(?:\+?86)?1[3-9]\d{9}")
_PHONE_SHAPE = re.compile(r"\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4}|07\d{3} ?\d{3} ?\d{3}|0\d(?: \d\d){4}")
_SSN_SHAPE = re.compile(r"\d{3}-\d{2}-\d{4}")

_INSURANCE_UK = re.compile(r"[a-z](?<!\w.)[a-z] ?\d{2} ?\d{2} ?\d{2} ?[a-d]\b", re.ASCII)
_IBAN = re.compile(r"[A-Z](?<!\w.)[A-Z]\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b", re.ASCII)
_NAMED = re.compile(
    r"(?:(?P<passport>passport|护照)|(?P<medical_id>patient|insurance|medicare|medicaid|health(?: card| insurance)?|nhs|medical record|mrn"
    r"|病历|医保卡?|就诊卡?|患者|住院)|(?P<national_id>national id(?:entity)?|id card|identity(?: card)?|driv(?:er'?s|ing) licen[cs]e|tax(?:payer)?"
    r"|social security|residence permit|身份证件?|驾照|驾驶证|社保卡?)|(?P<bank_account>(?:bank |checking |savings )?account|sort code|routing"
    r"|账号|账户|帐号))[ ]?(?:number|no\.?|id|card|code|号码|号|编号)?'?s?(?: at [a-z ]{1,24}| with [a-z ]{1,24})?\s?(?:is|was|:|=|是|为|,)?\s?[\"']?"
    r"(?P<value>[a-z]{0,5}-?\d(?:[\da-z]|[ -](?=\d)){4,30})(?![\w-])",
    re.ASCII,
)
_LEAST_DIGITS = {"bank_account": 8}
_DIGIT = re.compile(r"\d", re.ASCII)
_DIGIT_WORD = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_SPELT = re.compile(rf"\b(?:(?:double |triple )?{_DIGIT_WORD}[ ,-]{{1,2}}){{3,19}}{_DIGIT_WORD}\b", re.ASCII)
_SPELT_AS = re.compile(r"\b(?:number|card|digits|phone|account|code)\b", re.ASCII)


_NAMES = """passport patient insurance medicare medicaid health nhs medical mrn id card identity licen tax social residence account code
 routing 护照 病历 医保 就诊 患者 住院 身份证 驾照 驾驶证 社保 账号 账户 帐号""".split()


def numbers(text: Text) -> Iterator[Finding]:
    """Whatever number points at one person."""
    if _DIGIT.search(text.plain):
        yield from _shaped(text)
        if any(name in text.low for name in _NAMES):
            yield from _named(text)
    for match in _SPELT.finditer(text.low) if "e" in text.low else ():
        if _SPELT_AS.search(text.low, max(0, match.start() - _BACK), match.start()):
            yield Finding("spelt_number", "pii", match.start(), match.end())


def _shaped(text: Text) -> Iterator[Finding]:
    for match in _RUN.finditer(text.plain):
        start, end = match.span()
        start -= text.plain[start - 1 : start] in ("+", "(")
        if not _WITHIN.match(text.plain[start - 1 : start]) and (kind := _kind(text, text.plain[start:end], start, end)):
            yield Finding(kind, "pii", start + (text.plain[start] == "(" and ")" not in match[0]), end)
    for match in _IBAN.finditer(text.plain):
        if sum(char.isdigit() for char in match[0]) >= 10:
            yield Finding("iban", "pii", match.start(), match.end())
    for match in _INSURANCE_UK.finditer(text.low):
        yield Finding("national_id", "pii", match.start(), match.end())


def _named(text: Text) -> Iterator[Finding]:
    for match in _NAMED.finditer(text.low):
        kind = next(kind for kind in ("passport", "medical_id", "national_id", "bank_account") if match[kind])
        if sum(char.isdigit() for char in match["value"]) >= _LEAST_DIGITS.get(kind, 5):
            yield Finding(kind, "pii", *match.span("value"))


def _kind(text: Text, shown: str, begin: int, end: int) -> str | None:
    """What a run of digits is, None for any other number."""
    digits = "".join(char for char in shown if char.isdigit())
    last = shown[-1] if shown[-1] in "xX" else ""
    start = max(0, begin - _BACK)
    if _CN_ID.fullmatch(digits + last) or _SSN_SHAPE.fullmatch(shown):
        return "national_id"
    if 13 <= len(digits) <= 19 and _is_card(text, digits, start, begin):
        return "card"
    if 8 <= len(digits) <= 12 and _SOCIAL.search(text.low, start, begin):
        return "national_id"
    if 7 <= len(digits) <= 15 and _is_phone(text, shown.rstrip("xX"), digits, begin, end):
        return "phone"
    return None


def _is_card(text: Text, digits: str, start: int, end: int) -> bool:
    """By its words, else by its check digit and by what begins card numbers."""
    if _CARD.search(text.low, start, end):
        return True
    return digits[0] in "23456" and luhn(digits) and len(set(digits)) > 1 and _NO_CARD.search(text.low, start, end) is None


def _is_phone(text: Text, shown: str, digits: str, begin: int, end: int) -> bool:
    start = max(0, begin - _BACK)
    if _FREEPHONE.match(shown) or _PUBLIC.search(text.low, start, end + 10) or _DATE.fullmatch(shown):
        return False
    if shown[0] == "+" or _CN_MOBILE.fullmatch(digits) or _PHONE_SHAPE.fullmatch(shown):
        return _NO_CARD.search(text.low, start, begin) is None
    return _PHONE.search(text.low, start, begin) is not None


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others, as card numbers have it.

    >>> luhn("4242424242424242"), luhn("4242424242424241")
    (True, False)
    """
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
