"""Numbers, dates, units, names and negations of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.settle.atoms import atoms, missing, singular

TEXTS = st.text(alphabet=st.sampled_from("aB3 7.:,-'’%$€no'tMay一二十百万月日号不没零年公斤天 \n"), max_size=60) | st.text(
    max_size=60
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("The bin holds 1,200 kg", {"number": ["1200"], "unit": ["kg"]}, id="a number with a unit"),
        pytest.param("The bin holds 12kg", {"number": ["12"]}, id="a unit at its number"),
        pytest.param("It costs $90 or €80", {"number": ["90", "80"]}, id="money"),
        pytest.param("It begins at 3 pm, ends at 12 am", {"number": ["15:00", "0:00"]}, id="hours become 24"),
        pytest.param("It begins at 15:30", {"number": ["15:30"]}, id="a time"),
        pytest.param(
            "On the third Monday in May", {"number": ["3th"], "date": ["monday", "may"]}, id="a place in an order, a day, a month"
        ),
        pytest.param("It may rain, march on", {}, id="may and march as verbs"),
        pytest.param("twenty sheep and half a cow", {"number": ["20", "0.5"]}, id="numbers in words"),
        pytest.param("Ida's barn runs v4 on eu-west-1", {"name": ["v4", "eu-west-1"]}, id="names, not the first word"),
        pytest.param("In Aurich, McNeil said no", {"name": ["aurich", "mcneil"], "negation": ["not"]}, id="capitals inside"),
        pytest.param("She doesn't, never did, cannot", {"negation": ["not", "not", "not"]}, id="negations are one kind"),
        pytest.param("谷仓能装一千二百公斤", {"number": ["1200"], "unit": ["公斤"]}, id="中文数字"),
        pytest.param("每周五不开门", {"date": ["周五"], "negation": ["not"]}, id="日期和否定"),
        pytest.param("他一直有一些不同的看法，差不多", {}, id="不是数字，也不是否定"),
        pytest.param("星期三就是周三", {"date": ["周三", "周三"]}, id="星期就是周"),
        pytest.param("一百零三个", {"number": ["103"]}, id="中间的零"),
        pytest.param("三万五千元", {"number": ["35000"], "unit": ["元"]}, id="万"),
    ],
)
def test_what_a_text_holds(text: str, found: dict[str, list[str]]) -> None:
    held: dict[str, list[str]] = {}
    for atom in atoms(text):
        held.setdefault(atom.type, []).append(atom.value)
    assert held == found


@pytest.mark.parametrize(
    ("text", "source", "lost"),
    [
        pytest.param("the barn in aurich", "It is in Aurich.", [], id="a name in any letters"),
        pytest.param("the barn", "It is in Aurich, not in Emden.", ["aurich", "not", "emden"], id="each once"),
        pytest.param("12 and 30", "30, 12 and 30 again", [], id="in any order"),
        pytest.param("120", "12", ["12"], id="a number inside another is none"),
    ],
)
def test_missing(text: str, source: str, lost: list[str]) -> None:
    assert [atom.value for atom in missing(text, source)] == lost


@pytest.mark.parametrize(
    ("word", "stem"),
    [("stories", "story"), ("boxes", "box"), ("dishes", "dish"), ("bus", "bus"), ("glass", "glass"), ("cows", "cow")],
)
def test_singular(word: str, stem: str) -> None:
    assert singular(word) == stem


@given(TEXTS)
def test_atoms_lie_in_the_text_in_order_and_a_text_lacks_nothing_of_itself(text: str) -> None:
    found = atoms(text)
    assert all(0 <= atom.start < atom.end <= len(text) for atom in found)
    assert [atom.start for atom in found] == sorted(atom.start for atom in found)
    assert missing(text, text) == ()


@given(TEXTS, TEXTS)
def test_a_text_put_before_another_loses_none_of_it(text: str, other: str) -> None:
    assert missing(f"{other}\n\n{text}\n", text) == ()
