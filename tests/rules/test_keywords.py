"""Keywords: what is taken from a sentence, what never is, any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.keywords import MAX_TERM_CHARS, keywords
from memlite.rules.terms import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        pytest.param(
            "Frau Petersen tunes the user's piano in June.",
            ("Frau Petersen", "June", "piano"),
            id="names first, then what it is about",
        ),
        pytest.param(
            "The archive service runs PostgreSQL 16.4 on port 5439.",
            ("PostgreSQL 16.4", "port 5439", "archive", "service"),
            id="a product with its version, a number with its noun",
        ),
        pytest.param(
            "User keeps the cellar at 12 °C and pays € 80 a month.",
            ("12 °C", "€ 80", "cellar", "month"),
            id="numbers with units",
        ),
        pytest.param(
            "User's theme is 'Solarized Light' in every editor.", ("Solarized Light", "theme", "editor"), id="a quotation"
        ),
        pytest.param(
            "Rosa, the user's hen, lays no eggs in winter.", ("Rosa", "hen", "eggs", "winter"), id="a name at the start"
        ),
        pytest.param(
            "Okafor met Dr Okafor's brother in Lagos.",
            ("Dr Okafor", "Lagos", "brother"),
            id="a part of a name adds nothing",
        ),
        pytest.param("Deploys of acme-api need id_ed25519 keys.", ("id_ed25519", "acme-api", "keys"), id="identifiers"),
        pytest.param("What does the user want?", (), id="nothing but common words"),
        pytest.param("", (), id="nothing"),
        pytest.param("用户每周三晚上在少年宫教书法。", ("少年宫", "书法"), id="Chinese is cut at particles and verbs"),
        pytest.param("用户对青霉素和海鲜过敏。", ("青霉素", "海鲜过敏"), id="what stands between them is a word"),
        pytest.param("用户读完了《额尔古纳河右岸》，花了三周。", ("额尔古纳河右岸", "三周"), id="书名与数量"),
        pytest.param(
            "项目用 Redis 7 做缓存，每 30 分钟刷新。", ("Redis 7", "30 分钟", "缓存", "刷新"), id="Latin names in Chinese"
        ),
    ],
)
def test_terms(text: str, terms: tuple[str, ...]) -> None:
    assert keywords(text) == terms


def test_most_bounds_the_terms() -> None:
    text = "Anna, Bert, Cara, Dora, Emil, Fritz, Greta and Hugo share one garden."
    assert len(keywords(text)) == 6
    assert keywords(text, most=2) == keywords(text)[:2]
    assert keywords(text, most=0) == keywords(text, most=-1) == ()


@given(st.text(max_size=400), st.integers(0, 12))
def test_any_text_has_its_terms(text: str, most: int) -> None:
    terms = keywords(text, most)
    assert terms == keywords(text, most)
    assert len(terms) <= most
    assert len({term.casefold() for term in terms}) == len(terms)
    assert all(0 < len(term) <= MAX_TERM_CHARS for term in terms)
    assert not {term.lower() for term in terms} & (ENGLISH_STOP_WORDS | CHINESE_STOP_WORDS)


@pytest.mark.parametrize("piece", ["a", "1", "A ", "用户", "和、", "a-", "A.", "'", "\u0301\u0327", "ﷺ", "1.", "x_"])
def test_64_kb_of_anything_are_read_at_once(piece: str) -> None:
    text = piece * (65_536 // len(piece.encode()))
    start = time.process_time()
    keywords(text)
    assert time.process_time() - start < 0.25
