"""Credentials that are told by their own shape: keys with a vendor's prefix, signed tokens, private keys, passwords in URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.sensitive.finding import Finding, Text, stands_for_a_value

_SHAPES: tuple[tuple[str, str], ...] = (
    ("aws_key", r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("token", r"gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[\w-]{16,255}"),
    ("token", r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{10,255}"),
    ("api_key", r"[spr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9]{16,255}"),
    ("api_key", r"sk-[A-Za-z0-9_-]{16,255}|gsk_[A-Za-z0-9]{20,255}|xai-[A-Za-z0-9]{20,255}|hf_[A-Za-z0-9]{20,255}"),
    ("api_key", r"AIza[\w-]{30,255}|ya29\.[\w-]{20,255}|GOCSPX-[\w-]{16,255}"),
    ("token", r"npm_[A-Za-z0-9]{20,255}|pypi-[\w-]{24,255}|dop_v1_[a-f0-9]{32,255}|shp(?:at|ss|ca)_[A-Fa-f0-9]{20,255}"),
    ("token", r"SG\.[\w-]{16,255}\.[\w-]{16,255}|AGE-SECRET-KEY-1[A-Z0-9]{20,255}|hv[sb]\.[\w-]{20,255}"),
    ("jwt", r"(?<!-)eyJ[\w-]{8,4000}\.[\w-]{4,8000}(?:\.[\w-]{0,2000})?"),
)
_KINDS = tuple(kind for kind, _ in _SHAPES)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_])(?=[AGSagsxwnpdehyr])(?:" + "|".join(f"({shape})" for _, shape in _SHAPES) + ")", re.ASCII)
_ALL_ONE = re.compile(r"[A-Za-z]{2,6}[_-](?:live_|test_|pat_|proj-)?(.)\1{5,}|[A-Z]{4}(.)\2{5,}")

_PRIVATE_KEY_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PRIVATE_KEY_LINE = re.compile(r"\s{0,4}(?:\\[nr]){0,2}(?:[A-Za-z0-9+/]{16,}={0,2}|(?:Proc-Type|DEK-Info|Comment): [^\n]{0,200})")
_PRIVATE_KEY_END = re.compile(
    r"\s{0,4}(?:\\[nr]){0,2}[A-Za-z0-9+/]{0,64}={0,2}\s{0,4}(?:\\[nr]){0,2}-----END [A-Z0-9 ]{1,40}-----"
)

_RECOVERY_KEY = re.compile(r"(?<![\d-])(?:\d{6}-){7}\d{6}(?![\d-])", re.ASCII)
_WEBHOOK = re.compile(
    r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,200})|discord(?:app)?\.com/api/webhooks/(\d{8,30}/[\w-]{20,200})",
    re.ASCII,
)
_BESIDE = re.compile(
    r"(?<!public )(?<!primary )(?<!foreign )(?<!host )\b(?:key|token|secret) ([A-Za-z0-9+/_-]{20,400}={0,2})(?![\w.])", re.ASCII
)
"""A long mixture of letters and digits right after the word."""

_URL_LOGIN = re.compile(r"://([^\s/:@?#\"'<>]{0,128}):([^\s/@\"'<>]{1,256})@(?=[\w\[$<{])")
_BEARER = re.compile(r"\bbearer[: ]\s{0,3}([\w.~+/-]{10,4000}={0,2})", re.ASCII)
_BASIC = re.compile(r"\bauthorization\s?[:=]\s?[\"']?basic ([\w+/]{8,1000}={0,2})", re.ASCII)


_LIKELY = re.compile(r"[^\s.,;!?]{12}|://|bearer|authorization|\b(?:key|token|secret) |-----|hooks\.slack")
"""All the shapes below have one of these; most sentences have none."""


def tokens(text: Text) -> Iterator[Finding]:
    """Whatever is a credential by its shape alone."""
    if not _LIKELY.search(text.low):
        return
    for match in _TOKEN.finditer(text.plain):
        if not (_ALL_ONE.fullmatch(match[0]) or stands_for_a_value(match[0])):
            yield Finding(_KINDS[(match.lastindex or 1) - 1], "secret", match.start(), match.end())
    yield from _private_keys(text)
    for match in _URL_LOGIN.finditer(text.plain):
        if not stands_for_a_value(match[2]):
            yield Finding("url_password", "secret", match.start(2), match.end(2))
    yield from (Finding("recovery_key", "secret", *match.span()) for match in _RECOVERY_KEY.finditer(text.plain))
    yield from (Finding("webhook", "secret", *match.span(match.lastindex or 0)) for match in _WEBHOOK.finditer(text.plain))
    for match in _BESIDE.finditer(text.plain):
        if any(char.isdigit() for char in match[1]) and any(char.isalpha() for char in match[1]):
            yield Finding("token", "secret", *match.span(1))
    for pattern, kind in ((_BEARER, "token"), (_BASIC, "basic_auth")):
        for match in pattern.finditer(text.low):
            value = text.plain[match.start(1) : match.end(1)]
            if not stands_for_a_value(value) and any(not char.isalpha() for char in value):
                yield Finding(kind, "secret", match.start(1), match.end(1))


def _private_keys(text: Text) -> Iterator[Finding]:
    """Whole blocks. A heading without a key under it is only spoken of."""
    for head in _PRIVATE_KEY_HEAD.finditer(text.plain):
        end = head.end()
        while line := _PRIVATE_KEY_LINE.match(text.plain, end):
            end = line.end()
        if tail := _PRIVATE_KEY_END.match(text.plain, end):
            end = tail.end()
        if end > head.end():
            yield Finding("private_key", "secret", head.start(), end)
