"""The words of the full-text index: cut from a text and from a question so that they meet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.terms import (
    CHINESE_STOP_WORDS,
    ENGLISH_STOP_WORDS,
    MAX_QUERY_CHARS,
    MAX_TERMS,
    has_cjk,
    match_expression,
    query_terms,
    segmented,
)

CJK = "我用写代码东京はカ한국"
WORDS = st.lists(
    st.text(st.sampled_from("abcdefgXYZ019éßñДжяΣαω") | st.sampled_from(CJK), min_size=1, max_size=6), min_size=1, max_size=8
).map(" ".join)


@pytest.fixture(scope="module")
def fts() -> Iterator[Any]:
    """An index as memlite's files have it."""
    connection = import_module("memlite.storage.connection").driver.connect(":memory:", isolation_level=None)
    connection.execute("create virtual table t using fts5 (content, tokenize='porter unicode61')")
    yield connection
    connection.close()


def finds(fts: Any, text: str, term: str) -> bool:
    """Whether a full-text index that holds the text answers to the term."""
    fts.execute("delete from t")
    fts.execute("insert into t values (?)", [segmented(text) or text])
    return bool(fts.execute("select count(*) from t where t match ?", [match_expression([term])]).fetchone()[0])


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        pytest.param("plain words, 12 of them", None, id="no CJK: the text itself is indexed"),
        pytest.param("", None, id="an empty text has no CJK"),
        pytest.param("猫", "猫", id="one character stays one"),
        pytest.param("黑猫", "黑猫", id="two are a pair"),
        pytest.param("黑猫睡觉", "黑猫 猫睡 睡觉", id="a longer run is overlapping pairs"),
        pytest.param("我用Rust写代码", "我用 Rust 写代 代码", id="words between runs stay whole"),
        pytest.param("黑猫，睡觉。", "黑猫 ， 睡觉 。", id="punctuation ends a run"),
        pytest.param("東京タワー", "東京 京タ タワ ワー", id="kana are cut as well"),
        pytest.param("서울에", "서울 울에", id="so is Hangul"),
        pytest.param("  A \n 猫  B ", "A 猫 B", id="white space is evened out"),
    ],
)
def test_segmented(text: str, pairs: str | None) -> None:
    assert segmented(text) == pairs
    assert has_cjk(text) is (pairs is not None)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("Where does the user live?", ["user", "live"], id="stop words go"),
        pytest.param("Who are you?", ["who", "are", "you"], id="a question of stop words keeps them"),
        pytest.param("Port PORT port", ["port"], id="each word once, in lower case"),
        pytest.param("zebra apple", ["zebra", "apple"], id="in the order asked"),
        pytest.param("用户住在哪里", ["用户", "户住", "住在", "在哪", "哪里"], id="Chinese as pairs"),
        pytest.param("什么 猫", ["猫"], id="Chinese stop words go"),
        pytest.param("snake_case-name", ["snake", "case", "name"], id="signs and underscores part words"),
        pytest.param("?!… 😀", [], id="no word at all"),
        pytest.param("", [], id="nothing"),
        pytest.param('a" OR NEAR(b* c:d)', ["near", "b", "c"], id="FTS syntax leaves its words"),
        pytest.param("x " * 5000 + "late", ["x"], id="a pasted document is read to 4,096 characters"),
    ],
)
def test_query_terms(query: str, expected: list[str]) -> None:
    assert query_terms(query) == expected


def test_a_query_has_at_most_64_terms() -> None:
    assert query_terms(" ".join(f"w{i}" for i in range(200))) == [f"w{i}" for i in range(64)]


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        pytest.param(["port"], '"port"', id="one"),
        pytest.param(["a", "b"], '"a" OR "b"', id="any of two"),
        pytest.param(['a"b'], '"a""b"', id="a quote is doubled"),
        pytest.param([], "", id="none"),
    ],
)
def test_match_expression(terms: list[str], expected: str) -> None:
    assert match_expression(terms) == expected


@given(st.text())
def test_cutting_a_text_loses_nothing_but_space_and_is_done_once(text: str) -> None:
    cut = segmented(text)
    assert (cut is not None) is has_cjk(text)
    if cut is None:
        return
    assert segmented(cut) == cut
    assert set(re.sub(r"\s", "", cut)) == set(re.sub(r"\s", "", text))
    assert not any(has_cjk(word[0]) and len(word) > 2 for word in cut.split() if all(has_cjk(c) for c in word))


@given(st.text(max_size=MAX_QUERY_CHARS + 10) | WORDS)
def test_terms_are_few_different_and_quiet(query: str) -> None:
    terms = query_terms(query)
    assert len(terms) <= MAX_TERMS
    assert len(set(terms)) == len(terms)
    assert all(terms)
    stops = [term for term in terms if term in ENGLISH_STOP_WORDS or term in CHINESE_STOP_WORDS]
    assert stops in ([], terms)


@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda term: "\x00" not in term), min_size=1, max_size=8))
def test_no_term_is_taken_for_syntax(fts: Any, terms: list[str]) -> None:
    fts.execute("select count(*) from t where t match ?", [match_expression(terms)]).fetchall()


@given(WORDS)
def test_a_text_is_found_by_every_one_of_its_words(fts: Any, text: str) -> None:
    assert [term for term in query_terms(text) if not finds(fts, text, term)] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("She lives in İstanbul", id="a capital dotted I"),
        pytest.param("p\u0304ori is a word", id="a letter whose accent has no character of its own"),
        pytest.param("人々は東京へ行く", id="the Japanese sign of repetition"),
        pytest.param("नमस्ते दुनिया", id="Devanagari"),
        pytest.param("ＲＵＳＴ is wide", id="full width letters"),
        pytest.param("naïve Σίσυφος ЁЛКА", id="accents, sigma and capitals"),
    ],
)
def test_a_text_in_other_writing_is_found_by_its_words(fts: Any, text: str) -> None:
    assert [term for term in query_terms(text) if not finds(fts, text, term)] == []
