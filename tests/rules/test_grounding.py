"""Which names and numbers of a text its sources have."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.grounding import mentions, names_and_numbers, ungrounded


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param(
            "The user moved to Lisbon with 2 cats.", "I moved to LISBON last year, with two cats", id="case, a spelt number"
        ),
        pytest.param("The user's dog is called Rex.", "rex, my dog", id="a possessive"),
        pytest.param("The user meets Dana on Fridays.", "with Dana, each friday", id="a plural"),
        pytest.param(
            "The API uses OAuth2 with 1-hour tokens.", "the api has oauth2; a token lives for 1 hour", id="a hyphened number"
        ),
        pytest.param("Backups run at 02:00.", "at 2 the backups run", id="a time"),
        pytest.param("The budget is 1,000 euros.", "1000 euros it is", id="a thousands' comma"),
        pytest.param("The house cost 17.5 k.", "it was 17.5", id="a decimal"),
        pytest.param("It began on 2026-03-01.", "on 1.3.2026", id="a date in another order"),
        pytest.param("It is 3 km on the 2nd floor.", "3km, floor 2", id="units and ordinals"),
        pytest.param("It runs on PostgreSQL in German.", "postgres, germany", id="a longer and a shorter form"),
        pytest.param("The host is stg-07 in Acme-Api.", "host stg-07, acme api", id="names with hyphens"),
        pytest.param("Everything the User said; The rest too. Often.", "nothing", id="words that begin a sentence, and user"),
        pytest.param(
            "It is so. There was one. What has he? That's all. Nobody. Often is.", "often", id="no names that begin one"
        ),
        pytest.param('He said: "Never." Always.', "nothing", id="words that begin a quotation"),
        pytest.param("用户有3只猫，二十三岁。", "我有三只猫，今年23", id="Chinese numerals and digits"),
        pytest.param("用户在二〇二五年搬到深圳。", "2025年我搬到深圳了", id="a Chinese year"),
        pytest.param("用户叫李雷，住在杭州，用Go写代码。", "李雷，杭州人，go 程序员", id="Chinese names"),
        pytest.param("用户在家工作，住在一楼。", "我在家上班，一楼", id="Chinese words that are no names"),
        pytest.param("The user is called 李雷.", "我叫李雷", id="a Chinese name in English"),
        pytest.param("Ｔｈｅ ｕｓｅｒ has １２ pears.", "12", id="full width"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_what_the_source_has(text: str, source: str) -> None:
    assert ungrounded(text, [source]) == ()


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        pytest.param("The user works at Acme with Tom.", "I work with tomatoes", ("Acme", "Tom"), id="names"),
        pytest.param("Tom likes jazz. Ida's dog barks.", "jazz, a dog", ("Tom", "Ida"), id="names at the start of a sentence"),
        pytest.param("The user met Annabel.", "I met Anna", ("Annabel",), id="a longer name"),
        pytest.param("The user has 12 cats and 3 dogs.", "1 cat, 2 cats, three dogs", ("12",), id="a number"),
        pytest.param("It costs 1.5 euros.", "1 euro, 5 cents", ("1.5",), id="a decimal made of two numbers"),
        pytest.param("The user runs v2.1 on NGINX.", "version 2", ("v2.1", "NGINX"), id="versions and capitals"),
        pytest.param("The user is Berlin-based.", "in Bern", ("Berlin",), id="part of a hyphened word"),
        pytest.param("PostgreSQL is used.", "a database", ("PostgreSQL",), id="a name with inner capitals at the start"),
        pytest.param("用户叫李明，住在上海，养了五只猫。", "我叫李雷，在杭州，有3只猫", ("五", "李明", "上海"), id="Chinese"),
        pytest.param("用户用Rust写代码。", "我写Go", ("Rust",), id="a Latin word among Chinese"),
        pytest.param("The user lives in 上海.", "我在杭州", ("上海",), id="a Chinese name in English"),
        pytest.param("Room 44 has 44 chairs.", "none", ("44",), id="each once"),
    ],
)
def test_what_the_source_has_not(text: str, source: str, missing: tuple[str, ...]) -> None:
    assert sorted(ungrounded(text, [source])) == sorted(missing)


def test_each_source_counts() -> None:
    assert ungrounded("The user met Ida and Jonas.", ["Ida", "and jonas"]) == ()


def test_mentions_are_whole_words() -> None:
    assert mentions("Tom works; 苏棠也在 stg-07", ["tom", "work", "苏棠", "stg-07", "07", "Tim"]) == (
        "tom",
        "work",
        "苏棠",
        "stg-07",
        "07",
    )


@given(st.text(max_size=200))
def test_a_text_is_grounded_in_itself(text: str) -> None:
    assert ungrounded(text, [text]) == ()


@given(st.text(alphabet="Aa1一二百零万叫在上 .,-'\n٣", max_size=40))
def test_a_text_of_hard_characters_is_grounded_in_itself(text: str) -> None:
    assert ungrounded(text, [text]) == ()


@pytest.mark.parametrize("piece", ["一", "万", "1.", "9", "A", "a-", "Ab ", "'s", "叫", "@_"])
def test_a_long_text_is_looked_through_quickly(piece: str) -> None:
    text = piece * 30_000
    began = time.perf_counter()
    assert ungrounded(text, [text]) == ()
    assert time.perf_counter() - began < 5


@given(st.text(max_size=100))
def test_nothing_grounds_what_is_looked_at(text: str) -> None:
    assert set(ungrounded(text, [])) == set(names_and_numbers(text))
