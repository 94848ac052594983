"""What becomes of a text and of a name before they are stored, and which texts count as the same."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memlite.errors import BadInput
from memlite.rules.text import clean, content_hash, name

CAP = 40
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

# every character, and those that act on their neighbours often
ANY_TEXT = st.text(st.one_of(st.characters(exclude_categories=()), st.sampled_from("e\u0301\u0327\x00\x1b \t\n\u0958\ud800")))


def cleaned(text: object, cap: int = CAP) -> str:
    return clean(text, what="text", max_bytes=cap)


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [
        pytest.param("Tea.", "Tea.", id="a plain text stays"),
        pytest.param("  Tea.\n\t", "Tea.", id="white space around is trimmed"),
        pytest.param("\u3000Tea.\u00a0", "Tea.", id="so is wide and no-break space"),
        pytest.param("a\x00b\x07c\x1bd\x7fe", "abcde", id="NUL, C0 controls and DEL go"),
        pytest.param("\x00 Tea. \x00", "Tea.", id="space that a control character hid is trimmed as well"),
        pytest.param("a\tb\nc\r\nd", "a\tb\nc\r\nd", id="tabs and line ends stay"),
        pytest.param("cafe\u0301", "café", id="letter and accent become one character"),
        pytest.param("e\x00\u0301", "é", id="a control character does not keep letter and accent apart"),
        pytest.param("ﬁ x²", "ﬁ x²", id="what only looks alike is left alone"),
        pytest.param("😀", "😀", id="an emoji is a text"),
        pytest.param("x" * CAP, "x" * CAP, id="a text of exactly the cap is taken"),
        pytest.param("é" * (CAP // 2), "é" * (CAP // 2), id="the cap counts bytes"),
    ],
)
def test_clean(given_text: str, stored: str) -> None:
    assert cleaned(given_text) == stored


@pytest.mark.parametrize(
    ("given_text", "said"),
    [
        pytest.param(None, "NoneType", id="nothing"),
        pytest.param(b"Tea.", "bytes", id="bytes"),
        pytest.param(5, "int", id="a number"),
        pytest.param(["Tea."], "list", id="a list"),
        pytest.param("", "empty", id="an empty text"),
        pytest.param(" \t\n\u3000", "empty", id="only white space"),
        pytest.param("\x00\x01\x7f", "empty", id="only control characters"),
        pytest.param("a\ud800b", "surrogate", id="a high surrogate"),
        pytest.param("\udc80", "surrogate", id="a low surrogate"),
        pytest.param("x" * (CAP + 1), "the cap is 40", id="one byte over the cap"),
        pytest.param("é" * (CAP // 2 + 1), "the cap is 40", id="over the cap in bytes, under it in characters"),
        pytest.param("\u0958" * (CAP // 3), "the cap is 40", id="over the cap after composing only"),
    ],
)
def test_clean_refuses(given_text: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        cleaned(given_text)


@given(ANY_TEXT)
def test_a_cleaned_text_holds_what_it_promises(text: str) -> None:
    try:
        stored = cleaned(text)
    except BadInput:
        visible = CONTROL.sub("", text).strip()
        assert not visible or any("\ud800" <= c <= "\udfff" for c in text) or len(text) * 3 > CAP
        return
    assert stored
    assert stored == stored.strip()
    assert not CONTROL.search(stored)
    assert unicodedata.is_normalized("NFC", stored)
    assert len(stored.encode()) <= CAP


@given(ANY_TEXT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    try:
        once = cleaned(text)
    except BadInput:
        return
    assert cleaned(once) == once


# -- names


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("alice", id="a word"),
        pytest.param(" alice ", id="space around is part of the name"),
        pytest.param("张三 😀\n", id="any visible text"),
        pytest.param("a" * 512, id="512 characters"),
        pytest.param("'; drop table memories; --", id="SQL is a name like any other"),
    ],
)
def test_a_name_is_kept_as_it_is(value: str) -> None:
    assert name(value, what="user_id") == value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param(None, "user_id is NoneType", id="nothing"),
        pytest.param(7, "user_id is int", id="a number"),
        pytest.param(b"alice", "user_id is bytes", id="bytes"),
        pytest.param("", "empty", id="empty"),
        pytest.param(" \n", "empty", id="white space"),
        pytest.param("a" * 513, "513", id="513 characters"),
        pytest.param("a\x00b", "NUL", id="NUL"),
        pytest.param("\ud800", "surrogate", id="a lone surrogate"),
    ],
)
def test_a_name_is_refused(value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        name(value, what="user_id")


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_a_name_is_taken_unchanged_or_refused(value: str) -> None:
    try:
        assert name(value, what="id") == value
    except BadInput:
        assert not value.strip() or "\x00" in value or any("\ud800" <= c <= "\udfff" for c in value)


# -- the same text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Tea.", "tea", id="case and full stop"),
        pytest.param("STRASSE", "straße", id="case beyond ASCII"),
        pytest.param("green  tea\n", "green tea", id="runs of space"),
        pytest.param("ＴＥＡ　１", "tea 1", id="width"),
        pytest.param("我喜欢茶。", "我喜欢茶", id="a Chinese full stop"),
        pytest.param("cafe\u0301", "CAFÉ", id="composed or not"),
    ],
)
def test_texts_that_count_as_the_same(one: str, other: str) -> None:
    assert content_hash(one) == content_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("tea", "teas", id="a letter more"),
        pytest.param("It is.", "It is?", id="a question"),
        pytest.param("version 1.2", "version 12", id="a full stop inside"),
        pytest.param("-5 degrees", "5 degrees", id="a sign"),
        pytest.param("ab", "a b", id="a space inside a word"),
        pytest.param("The lot has 10² m", "The lot has 102 m", id="a power is another number than its digits in a row"),
        pytest.param("...", "!", id="texts of nothing but stops"),
    ],
)
def test_texts_that_differ(one: str, other: str) -> None:
    assert content_hash(one) != content_hash(other)


@given(
    st.text(
        st.characters(min_codepoint=0x20, max_codepoint=0x2FF, exclude_characters="\x7f") | st.sampled_from("我喜欢茶"),
        min_size=1,
    )
)
def test_case_space_and_a_full_stop_never_make_another_text(text: str) -> None:
    assume(re.search(r"\w", text))
    assert len(content_hash(text)) == 16
    assert content_hash(text) == content_hash(text.casefold()) == content_hash(f" {text} ") == content_hash(text + ".")
