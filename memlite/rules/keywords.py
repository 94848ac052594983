"""The terms of a memory by which related memories are found: names, quantities, then the words that say what it is about.

No dictionary and no model: capitals, digits and quotation marks tell names, lists of common words tell the rest. Chinese has no
spaces; it is cut at its particles and common verbs, and what is left between them is taken for a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memlite.rules.gate import words_en, words_zh
from memlite.rules.gate.reading import either
from memlite.rules.terms import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS, has_cjk

MOST = 6
MAX_CHARS = 2_000
"""A longer text is read only so far."""

MAX_TERM_CHARS = 40

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_QUOTED = re.compile(r"[\"“「『《]([^\"“”「」『』《》]{2,40})[\"”」』》]|(?<!\w)['‘`]([^'’`]{2,40})['’`](?!\w)")
_UNIT = (
    r"(?:%|°[CF]?|€|[kKMGT]i?B|[kMG]?Hz|[kMG]?W|[kmc]?m|k?g|m?l|mg|km/h|[ap]m|hours?|days?|weeks?|months?|years?|minutes?|seconds?"
    r"|percent|degrees|euros?|dollars?|pounds?|litres?|metres?|miles?|pieces?|people|items?|rows?|lines?)"
)
_QUANTITY = re.compile(  # "6 months", "€ 400", "2019", "port 8443"
    rf"(?<![\w.])[€$£]?\d[\d.,:]{{0,15}}(?<![.,:]) ?{_UNIT}(?!\w)"
    r"|(?<![\w.])[€$£] ?\d[\d.,]{0,15}(?<![.,])"
    r"|(?<![\w.-])(?:19|20)\d\d(?![\w-])"
    r"|\b(?:port|room|version|page|platform|zone|gate|floor|chapter|issue|ticket|line|scale) \d[\d.:]{0,9}(?<![.:])"
)
_NAME = re.compile(  # "Frau Lindner", "PostgreSQL 16", "id_ed25519", "acme-api", "v2.1"
    rf"(?<![\w-])(?:[^\W\d_a-z{_HAN}][\w'’&.-]{{0,39}}(?: (?:[^\W\d_a-z{_HAN}][\w'’&.-]{{0,39}}|\d[\d.]{{0,8}})){{0,3}}"
    r"|[a-zA-Z][\w.-]{0,30}[_\d][\w.-]{0,30})",
)
_WORD = re.compile(rf"[^\W\d_{_HAN}]{{1,40}}(?:[-'’][^\W\d_{_HAN}]{{1,40}}){{0,3}}|[{_HAN}]+")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s|\n)\s*$")

_COMMON = frozenset(
    """user users agent assistant project team thing things way lot kind sort one two three four five six seven eight nine ten
    first second third new old good big small many much every always never often usually sometimes today now then also still
    even well like use used using make made get got give given take taken keep kept go going come see know think want wants
    need needs let put set say said says tell told ask asked work works working called named since until before after during
    within without between because so though although while whether either neither per via instead whenever unless except
    rather least most only another both however ago yet back away around along across upon among against through next last day
    time year everywhere half past prefer prefers live lives must written allowed""".split()
)
_VERBS = words_en.PRESENT | words_en.LASTING_PAST | words_en.PASSING_VERBS | words_en.AUXILIARIES

_QUANTITY_ZH = re.compile(
    "(?<![\\d一二两三四五六七八九十百千万半.])(?:\\d{1,9}(?:\\.\\d{1,4})?|[一二两三四五六七八九十百千万半]{1,8}) ?"
    "(?:公斤|公里|千米|厘米|毫米|平米|平方米|小时|分钟|个月|块钱|欧元|美元|公分|毫升|人民币|年|天|周|岁|元|度|米|斤|克|升|号|楼|点|次|人|口|只|条|张|本|台|辆|件|间)"
)
_CUT_ZH = re.compile(
    either(
        """用户 智能体 助手 我们 他们 她们 自己 这个 那个 一个 一些 没有 不能 不会 不要 不得 不许 可以 需要 必须 应该 要求 希望
        喜欢 不喜欢 偏好 偏爱 习惯 使用 采用 负责 位于 每天 每周 每月 每年 每次 总是 从不 一直 通常 平时 因为 所以 但是 而且
        如果
        或者 以及 并且 之前 之后 以后 以前 时候 已经 现在 目前 正在 其中 比较 非常 特别 大约 至少 最多 只能 只有 一律 统一 规定
        禁止
        默认 支持 包含 叫做 名叫 当时 仍然 任何 显示 面向 随身 上班 工作 不吃 不喝 离开 出门"""
    )
    + "|(?:每周|周|星期)[一二三四五六日天末]|[上下中]午|[早晚]上|[的了是在和与或也都很把被吗呢吧着里及并且让给为由向对]"
)
_CUT_LONG_ZH = re.compile("[用吃喝带戴姓回养教从到住收]")  # too often part of a word to cut a short piece there
_SHORT_ZH, _LONG_ZH = 4, 6
_VERB_HEAD_ZH = re.compile(
    "^[不只会能要就还先再]{0,2}[学用住开吃喝养教姓叫有会要能做打说读写听看去到来买卖穿戴骑坐属患怕信种弹拉跑游爬练画拍收管带](?=..)"
)
_VERB_TAIL_ZH = re.compile("(?<=..)[姓叫有会要能学用住吃喝养].{0,2}$")
_PASSING_ZH = re.compile(words_zh.PASSING_VERB)
_COMMON_ZH = CHINESE_STOP_WORDS | frozenset("项目 团队 公司 东西 时间 问题 方式 情况 事情 地方 读完 做完 看完".split())


def keywords(text: str, most: int = MOST) -> tuple[str, ...]:
    """At most `most` terms, the most telling first, each once whatever its case; of a long text the first 2,000 characters count.

    Names come as they are written, other words in lower case. A text of nothing but common words gives none.

    >>> keywords("User's dentist is Dr Okafor in Leer; she wants a check every 6 months.")
    ('Dr Okafor', 'Leer', '6 months', 'dentist', 'check')
    >>> keywords("用户学二胡五年了，老师姓葛，用 PostgreSQL 16 记谱。")
    ('PostgreSQL 16', '五年', '二胡', '老师', '记谱')
    """
    folded = unicodedata.normalize("NFC", text[:MAX_CHARS])
    found: dict[str, str] = {}
    for term in _terms(folded):
        if len(found) >= max(most, 0):
            break
        folded_term = term.casefold()
        if not any(folded_term in known for known in found):  # "Okafor" after "Dr Okafor" finds nothing new
            found[folded_term] = term
    return tuple(found.values())


def _terms(text: str) -> Iterator[str]:
    for finder in (_quotations, _names, _quantities, _words):
        yield from (term for term in finder(text) if len(term) <= MAX_TERM_CHARS)


def _quotations(text: str) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        yield (match[1] or match[2]).strip(" .,;")


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        parts = match[0].rstrip(".'’&-").removesuffix("'s").removesuffix("’s").split()
        starts = _SENTENCE_START.search(text, max(0, match.start() - 3), match.start()) is not None
        while parts and _is_common(parts[0].removesuffix("'s").removesuffix("’s")):
            parts, starts = parts[1:], False
        plain = len(parts) == 1 and parts[0][1:].islower() and text[match.end() : match.end() + 1] != ","
        if parts and len(parts[0]) > 1 and not (starts and plain) and not parts[0].isdigit():
            yield " ".join(parts)


def _quantities(text: str) -> Iterator[str]:
    for match in _QUANTITY.finditer(text):
        yield match[0]
    for match in _QUANTITY_ZH.finditer(text):
        yield match[0]


def _words(text: str) -> Iterator[str]:
    """English words that are no verbs known, and what is left of Chinese between its particles, in the order of the text."""
    for match in _WORD.finditer(_QUANTITY_ZH.sub(" ", _QUANTITY.sub(" ", text))):
        if has_cjk(match[0]):
            yield from _words_zh(match[0])
            continue
        word = match[0].lower().removesuffix("'s").removesuffix("’s")
        if len(word) > 2 and not _is_common(word) and word not in _VERBS:
            yield word


def _words_zh(run: str) -> Iterator[str]:
    for piece in _CUT_ZH.sub(" ", run).split():
        for cut in (_CUT_LONG_ZH.sub(" ", piece) if len(piece) > _SHORT_ZH else piece).split():
            word = _VERB_TAIL_ZH.sub("", _VERB_HEAD_ZH.sub("", cut))[:_LONG_ZH]
            if len(word) > 1 and word not in _COMMON_ZH and not _PASSING_ZH.fullmatch(word):
                yield word


def _is_common(word: str) -> bool:
    low = word.lower()
    return low in ENGLISH_STOP_WORDS or low in _COMMON or low in words_en.AUXILIARIES
