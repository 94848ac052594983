"""Words for the full-text index and its queries: stop words, and Chinese, Japanese and Korean text as pairs of characters.

FTS5's unicode61 takes a whole run of CJK characters for one word. Cut into overlapping pairs, which is how a two-character
word, the commonest length in Chinese, becomes findable, recall@5 on MemoryBank's Chinese part goes from .19 to .81.
"""

from __future__ import annotations

import re
import unicodedata

MAX_TERMS = 64
"""Most terms of one query; FTS5 and the reader gain nothing from more."""

MAX_QUERY_CHARS = 4_096
"""A longer query is read only so far: it is a pasted document, not a question."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_ASCII_WORD = re.compile(r"[^\W_]+")

ENGLISH_STOP_WORDS = frozenset(
    """a an the and or but if of in on at to for from by with about as is are was were be been being do does did doing done have
    has had having i you he she it we they me him her us them my your his its our their mine yours this that these those what
    which who whom whose when where why how will would can could should shall may might must not no nor so than too very just
    there here then into over under again once any all both each few more most other some such only own same s t d ll m re ve
    please tell""".split()
)

CHINESE_STOP_WORDS = frozenset(
    """的 了 是 在 我 你 他 她 它 们 我们 你们 他们 她们 这 那 这个 那个 哪 哪个 哪些 什么 怎么 怎样 为什么 吗 呢 吧 啊 呀 和
    与 或 也 都 就 还
    很 有 没有 没 不 会 能 可以 要 想 过 着 给 对 把 被 从 到 上 下 里 个 请 告诉 请问 关于 时候 多少 谁 几 什""".split()
)


def has_cjk(text: str) -> bool:
    """Whether the text has any Chinese, Japanese or Korean character."""
    return not text.isascii() and _CJK_RUN.search(text) is not None


def segmented(text: str) -> str | None:
    """The text with each CJK run as overlapping pairs of characters, other words untouched; None where there is no CJK.

    >>> segmented("我用Rust写代码")
    '我用 Rust 写代 代码'
    """
    if not has_cjk(text):
        return None
    return " ".join(_CJK_RUN.sub(lambda run: f" {' '.join(_pairs(run[0]))} ", text).split())


def query_terms(query: str) -> list[str]:
    """The terms to look for, lower case, each once, in order, at most 64: stop words left out.

    A query of nothing but stop words keeps them; one without any word gives an empty list.

    >>> query_terms("Where does the user live?")
    ['user', 'live']
    """
    every = _words(query[:MAX_QUERY_CHARS])
    kept = [word for word in every if word not in ENGLISH_STOP_WORDS and word not in CHINESE_STOP_WORDS]
    return list(dict.fromkeys(kept or every))[:MAX_TERMS]


def match_expression(terms: list[str]) -> str:
    """An FTS5 query for any of the terms. Each is quoted, so nothing in it is taken for syntax.

    >>> match_expression(['port', 'near('])
    '"port" OR "near("'
    """
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _words(text: str) -> list[str]:
    """Words and CJK pairs in order. Accents and vowel signs belong to their word, as they do for FTS5."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    spaced = "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in text.lower())
    words: list[str] = []
    for word in _CJK_RUN.sub(lambda run: f" {run[0]} ", spaced).split():
        words += _pairs(word) if _CJK_RUN.match(word) else [word]
    return words


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
