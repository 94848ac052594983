"""The loop breaker: repetitions and what only looks like one, by table; any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.loop import echoes

KIEL = "The user lives in Kiel, on the third floor."
COFFEE = "User doesn't drink coffee after 4 pm."
DOG = "User's dog is called Nori and fears thunder."
BROTHER = "The user's brother lives in Oslo."
TEA = "用户每天早上喝龙井茶，不加糖。"
HOME = "用户住在泉州，开一家古琴行。"
STORE = [KIEL, COFFEE, DOG, BROTHER, TEA, HOME]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(KIEL, id="word for word"),
        pytest.param(KIEL.upper().replace(",", " ,"), id="other case and spaces"),
        pytest.param("You live in Kiel, on the third floor!", id="to the user"),
        pytest.param("I live in Kiel on the third floor", id="by the user"),
        pytest.param("You live in Kiel.", id="a piece from the beginning"),
        pytest.param("As you told me, you still live in Kiel.", id="with a lead"),
        pytest.param("Noted: you do not drink coffee after 4 pm.", id="a negation kept"),
        pytest.param("Your dog’s called Nori.", id="another apostrophe, and no verb"),
        pytest.param("You live in Kiel. Your brother lives in Oslo.", id="two memories"),
        pytest.param("Your brother lives in Oslo; your dog is called Nori and fears thunder.", id="two in one"),
        pytest.param("你每天早上喝龙井茶，不加糖。", id="对用户说"),
        pytest.param("我记得您住在泉州，开一家古琴行。", id="我记得"),
        pytest.param("您住在泉州。", id="前半句"),
        pytest.param("我现在还住在泉州", id="用户自己说"),
        pytest.param("好的，用户住在泉州，开一家古琴行！", id="好的"),
    ],
)
def test_an_echo(text: str) -> None:
    assert echoes(text, STORE)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("You live in Kiel with your sister.", id="something new at the end"),
        pytest.param("You live in Lübeck.", id="another value"),
        pytest.param("You lived in Kiel.", id="another time"),
        pytest.param("You drink coffee after 4 pm.", id="the negation lost"),
        pytest.param("You don't live in Kiel.", id="a negation more"),
        pytest.param("You don't drink coffee after 5 pm.", id="another number"),
        pytest.param("You live in Oslo.", id="another subject"),
        pytest.param("Your sister lives in Oslo.", id="another relative"),
        pytest.param("You live in Kiel. Your cat is ill.", id="one sentence of two is new"),
        pytest.param("You live in Kiel and your brother lives in Oslo.", id="joined anew: in doubt it is new"),
        pytest.param("Kiel.", id="a word is no repetition"),
        pytest.param("Yes, of course.", id="nothing said"),
        pytest.param("", id="nothing"),
        pytest.param("您住在漳州。", id="另一个城市"),
        pytest.param("你每天早上喝龙井茶，加糖。", id="少了不"),
        pytest.param("用户的弟弟住在泉州。", id="另一个人"),
        pytest.param("好的。", id="没说什么"),
    ],
)
def test_no_echo(text: str) -> None:
    assert not echoes(text, STORE)


def test_without_memories_nothing_is_an_echo() -> None:
    assert not echoes(KIEL, [])
    assert not echoes("...", ["..."])


@given(st.text(min_size=1, max_size=80), st.lists(st.text(max_size=40), max_size=3))
def test_a_text_with_words_echoes_itself(text: str, others: list[str]) -> None:
    one = " ".join(text.replace(";", " ").split("."))  # a single sentence
    alone = echoes(one, [one])
    assert echoes(one, [*others, one]) == (alone or echoes(one, others))
    assert not echoes(one, [])


@given(st.lists(st.sampled_from("the user lives in Kiel not with 3 geese and Anna".split()), min_size=2, max_size=12))
def test_what_has_no_word_of_its_own_and_the_same_negations_is_found_whole(words: list[str]) -> None:
    memory = " ".join(words)
    if any(word != "the" for word in words):
        assert echoes(memory, ["User likes tea.", memory])
    assert not echoes(memory + " gladly", ["User likes tea.", memory])


@pytest.mark.parametrize("piece", ["a ", "用", "i'm ", "so, ", "not ", "好的", "你说", ". ", "1.", "don't "])
def test_64_kb_take_linear_time(piece: str) -> None:
    text = piece * (65_536 // len(piece))
    started = time.process_time()
    echoes(text, [text[:-1], text])
    assert time.process_time() - started < 3  # a fifth of a second on a quiet machine
