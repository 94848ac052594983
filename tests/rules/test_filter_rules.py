"""Filters read into a tree, and what the tree means for a memory."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memlite.errors import BadInput
from memlite.model import Record
from memlite.rules.filters import FIELDS, MAX_DEPTH, MAX_LEAVES, MAX_LIST, OPERATORS, Group, Leaf, flatten, holds, parse

HUGE = 10**5000
MARCH = 1_772_323_200_000  # 2026-03-01T00:00:00Z

MEMORY = Record(
    id="mem_1",
    user_id="ann",
    content="Green Tea, STRASSE",
    agent_id="bot",
    session_id="s1",
    importance=0.5,
    seq=3,
    pinned=True,
    occurred_ms=MARCH,
    created_ms=MARCH,
    metadata={
        "topic": "travel",
        "count": 3,
        "half": 0.5,
        "done": True,
        "never": None,
        "tags": ["red", "Blue", 7],
        "deep": {"er": {"est": "x"}, "list": [{"k": 1}, {"k": 2}]},
        "area": "mine",
        "dotted.key": "yes",
        "empty": "",
        "none": [],
    },
)


def passes(filters: dict[str, Any]) -> bool:
    return holds(parse(filters, user_id="ann"), MEMORY)


@pytest.mark.parametrize(
    "filters",
    [
        pytest.param({}, id="nothing asked"),
        pytest.param({"user_id": "ann"}, id="the scope's own user"),
        pytest.param({"agent_id": "bot"}, id="a field"),
        pytest.param({"run_id": "s1"}, id="a field by its other name"),
        pytest.param({"memory": {"contains": "Tea"}}, id="the text"),
        pytest.param({"content": {"icontains": "strasse"}}, id="letter case does not count"),
        pytest.param({"content": {"icontains": "straße"}}, id="nor does it beyond ASCII"),
        pytest.param({"content": {"contains": ""}}, id="every text contains the empty one"),
        pytest.param({"topic": "travel"}, id="a metadata key"),
        pytest.param({"metadata.topic": "travel"}, id="a metadata key by its long name"),
        pytest.param({"metadata.area": "mine"}, id="the long name reaches a key that is called like a field"),
        pytest.param({"area": "main"}, id="the short one means the field"),
        pytest.param({"tags": "red"}, id="one of an array's elements"),
        pytest.param({"tags": 7}, id="a number among texts"),
        pytest.param({"deep.er.est": "x"}, id="a nested key"),
        pytest.param({"deep.list.k": 2}, id="a key of the objects in an array"),
        pytest.param({"dotted.key": "yes"}, id="a key with a dot in it"),
        pytest.param({"count": 3.0}, id="3 is 3.0"),
        pytest.param({"done": True}, id="a truth value"),
        pytest.param({"done": 1}, id="is the number 1"),
        pytest.param({"empty": ""}, id="an empty text is a value"),
        pytest.param({"topic": ["food", "travel"]}, id="a list is any of it"),
        pytest.param({"topic": {"in": ("travel",)}}, id="in"),
        pytest.param({"topic": {"nin": ["food"]}}, id="nin"),
        pytest.param({"topic": {"nin": []}}, id="not in nothing"),
        pytest.param({"missing": {"nin": ["x"]}}, id="what is not there is not in"),
        pytest.param({"topic": {"ne": "food"}}, id="ne"),
        pytest.param({"missing": {"ne": "x"}}, id="what is not there is not equal"),
        pytest.param({"missing": None}, id="what is not there is None"),
        pytest.param({"never": None}, id="so is null"),
        pytest.param({"none": None}, id="and an empty array"),
        pytest.param({"topic": "*"}, id="a star is exists"),
        pytest.param({"topic": {"exists": True}}, id="exists"),
        pytest.param({"missing": {"exists": False}}, id="exists not"),
        pytest.param({"role": {"exists": False}}, id="a field that is not set"),
        pytest.param({"role": None}, id="a field that is None"),
        pytest.param({"role": {"ne": "user"}}, id="a field that is not set is not equal"),
        pytest.param({"count": {"gt": 2, "lt": 4}}, id="two conditions on one key"),
        pytest.param({"count": {"gte": 3, "lte": 3}}, id="bounds belong to the range"),
        pytest.param({"topic": {"gt": "tra"}}, id="texts in the order of their characters"),
        pytest.param({"importance": {"gte": 0.5}}, id="a field's number"),
        pytest.param({"pinned": True}, id="a field's flag"),
        pytest.param({"occurred_at": "2026-03-01"}, id="a time as text"),
        pytest.param({"occurred_at": {"lt": datetime(2026, 3, 2, tzinfo=UTC)}}, id="a time as datetime"),
        pytest.param({"created_at": {"gte": MARCH}}, id="a time as milliseconds"),
        pytest.param({"AND": [{"topic": "travel"}, {"count": 3}]}, id="AND"),
        pytest.param({"OR": [{"topic": "food"}, {"count": 3}]}, id="OR"),
        pytest.param({"NOT": [{"topic": "food"}, {"count": 4}]}, id="NOT: none of them"),
        pytest.param({"NOT": {"topic": "food"}}, id="NOT of one"),
        pytest.param({"NOT": {"topic": "travel", "count": 4}}, id="NOT of two that do not both hold"),
        pytest.param({"NOT": {"NOT": {"topic": "travel"}}}, id="NOT NOT"),
        pytest.param({"AND": []}, id="all of nothing"),
        pytest.param({"NOT": []}, id="none of nothing"),
    ],
)
def test_passes(filters: dict[str, Any]) -> None:
    assert passes(filters)


@pytest.mark.parametrize(
    "filters",
    [
        pytest.param({"agent_id": "other"}, id="another field value"),
        pytest.param({"area": "mine"} | {"area": "solutions"}, id="another area"),
        pytest.param({"topic": "Travel"}, id="letter case counts"),
        pytest.param({"topic": "trav"}, id="a part is not the whole"),
        pytest.param({"count": "3"}, id="a text is no number"),
        pytest.param({"done": "true"}, id="a text is no truth value"),
        pytest.param({"tags": "blue"}, id="letter case counts in arrays"),
        pytest.param({"tags": {"ne": "red"}}, id="ne: none of the elements is equal"),
        pytest.param({"deep": "x"}, id="an object is no value"),
        pytest.param({"deep": "*"}, id="nor does it exist as one"),
        pytest.param({"deep.er": "*"}, id="not even further down"),
        pytest.param({"never": "*"}, id="null does not exist"),
        pytest.param({"none": "*"}, id="nor an empty array"),
        pytest.param({"topic": []}, id="in nothing"),
        pytest.param({"topic": None}, id="a value is not None"),
        pytest.param({"missing": ["x"]}, id="what is not there is in nothing"),
        pytest.param({"count": {"gt": 3}}, id="bounds do not belong to gt"),
        pytest.param({"topic": {"gt": 1}}, id="a text is not above a number"),
        pytest.param({"count": {"lt": "z"}}, id="nor a number below a text"),
        pytest.param({"missing": {"lt": 5}}, id="what is not there is not below"),
        pytest.param({"role": {"lt": "z"}}, id="nor is a field that is not set"),
        pytest.param({"count": {"contains": "3"}}, id="a number contains nothing"),
        pytest.param({"topic": {"contains": "TRAVEL"}}, id="letter case counts in contains"),
        pytest.param({"OR": []}, id="any of nothing"),
        pytest.param({"NOT": {}}, id="NOT of what always holds"),
        pytest.param({"NOT": [{"topic": "food"}, {"count": 3}]}, id="NOT where one holds"),
        pytest.param({"topic": "travel", "count": 4}, id="conditions side by side must all hold"),
    ],
)
def test_does_not_pass(filters: dict[str, Any]) -> None:
    assert not passes(filters)


def deep(levels: int) -> dict[str, Any]:
    filters: dict[str, Any] = {"a": 1}
    for _ in range(levels):
        filters = {"NOT": filters}
    return filters


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        pytest.param([], "list", id="a list"),
        pytest.param("area", "str", id="a text"),
        pytest.param(0, "int", id="a number"),
        pytest.param({"user_id": "bob"}, "another user", id="another user"),
        pytest.param({"user_id": None}, "another user", id="no user"),
        pytest.param({"user_id": ["ann", "bob"]}, "another user", id="one user among others"),
        pytest.param({"user_id": {"ne": "zed"}}, "another user", id="every user but one"),
        pytest.param({"AND": [{"user_id": "ann"}]}, "top level", id="a user further down, even one's own"),
        pytest.param({"NOT": {"user_id": "ann"}}, "top level", id="everybody else"),
        pytest.param({"OR": [{"a": 1}, {"user_id": "bob"}]}, "top level", id="another user as a way out"),
        pytest.param({"": 1}, "key", id="an empty key"),
        pytest.param({5: 1}, "key", id="a number for a key"),
        pytest.param({None: 1}, "key", id="None for a key"),
        pytest.param({"a": {"like": "x"}}, "operator 'like'", id="an unknown operator"),
        pytest.param({"a": {5: "x"}}, "operator 5", id="a number for an operator"),
        pytest.param({"a": {"$eq": "x"}}, "operator", id="another system's operator"),
        pytest.param({"a": {}}, "no operator", id="no operator"),
        pytest.param({"a": {"exists": 1}}, "true or false", id="exists wants true or false"),
        pytest.param({"a": {"exists": None}}, "true or false", id="exists None"),
        pytest.param({"a": {"in": "abc"}}, "takes a list", id="in a text"),
        pytest.param({"a": {"in": {"x": 1}}}, "takes a list", id="in a dict"),
        pytest.param({"a": {"in": 5}}, "takes a list", id="in a number"),
        pytest.param({"a": {"in": [None]}}, "use exists", id="None in a list"),
        pytest.param({"a": {"in": [[1]]}}, "takes", id="a list in a list"),
        pytest.param({"a": {"in": list(range(MAX_LIST + 1))}}, "cap is", id="a list over the cap"),
        pytest.param({"a": {"eq": [1]}}, "takes", id="equal to a list"),
        pytest.param({"a": {"gt": None}}, "use exists", id="above None"),
        pytest.param({"a": {"gt": True}}, "takes", id="above true"),
        pytest.param({"a": math.nan}, "finite", id="not a number"),
        pytest.param({"a": math.inf}, "finite", id="infinite"),
        pytest.param({"a": 2**53 + 1}, "2\\^53", id="a number that floats can't tell apart"),
        pytest.param({"a": HUGE}, "filter 'a'", id="a number too long to print"),
        pytest.param({"a": b"x"}, "takes", id="bytes"),
        pytest.param({"a": object()}, "takes", id="an object"),
        pytest.param({"a": datetime(2026, 1, 1, tzinfo=UTC)}, "takes", id="a datetime for metadata, which is JSON"),
        pytest.param({"a": "\ud800"}, "surrogate", id="a surrogate"),
        pytest.param({"\ud800": "a"}, "surrogate", id="a surrogate in a key"),
        pytest.param({"a": "x\x00"}, "NUL", id="NUL"),
        pytest.param({"a\x00": "x"}, "NUL", id="NUL in a key"),
        pytest.param({"a": {"contains": 5}}, "takes text", id="contains a number"),
        pytest.param({"a": {"icontains": None}}, "takes text", id="contains None"),
        pytest.param({"seq": {"contains": "1"}}, "takes text", id="a number field contains nothing"),
        pytest.param({"area": "attic"}, "give one of", id="an unknown area"),
        pytest.param({"kind": ["semantic", "magic"]}, "give one of", id="an unknown kind in a list"),
        pytest.param({"origin": "rumour"}, "give one of", id="an unknown origin"),
        pytest.param({"area": 5}, "takes text", id="a number for a text field"),
        pytest.param({"importance": "high"}, "takes number", id="a text for a number field"),
        pytest.param({"importance": True}, "takes number", id="a truth value for a number field"),
        pytest.param({"pinned": 1}, "true or false", id="a number for a flag"),
        pytest.param({"pinned": {"gt": True}}, "true or false", id="above a flag"),
        pytest.param({"created_at": "soon"}, "ISO 8601", id="no time"),
        pytest.param({"created_at": -1}, "1970", id="a time before 1970"),
        pytest.param({"created_at": True}, "bool", id="a truth value for a time"),
        pytest.param({"AND": {"a": 1}, "OR": "x"}, "give a list", id="OR of a text"),
        pytest.param({"AND": 5}, "give a list", id="AND of a number"),
        pytest.param({"NOT": ["x"]}, "give a list", id="NOT of texts"),
        pytest.param({"OR": None}, "give a list", id="OR of nothing"),
        pytest.param(deep(MAX_DEPTH + 1), "nested", id="too deep"),
        pytest.param(deep(5000), "nested", id="far too deep"),
        pytest.param({f"k{i}": 1 for i in range(MAX_LEAVES + 1)}, "more than", id="too many"),
        pytest.param({"AND": [{}] * 1000}, "more than", id="too many that say nothing"),
        pytest.param({"NOT": [{"OR": []}] * 1000}, "more than", id="too many groups"),
    ],
)
def test_refused(filters: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        parse(filters, user_id="ann")


def test_as_much_as_is_allowed() -> None:
    assert parse({f"k{i}": 1 for i in range(MAX_LEAVES)}, user_id="ann") is not None
    assert parse(deep(MAX_DEPTH), user_id="ann") is not None
    assert parse({"a": {"in": list(range(MAX_LIST))}}, user_id="ann") is not None


def test_nothing_to_filter_is_no_tree() -> None:
    assert parse(None, user_id="ann") is None
    assert parse({}, user_id="ann") is None
    assert parse({"user_id": "ann"}, user_id="ann") is None
    assert holds(None, MEMORY)


def test_what_is_given_is_left_as_it_was() -> None:
    filters = {"user_id": "ann", "topic": ["a", "b"]}
    parse(filters, user_id="ann")
    assert filters == {"user_id": "ann", "topic": ["a", "b"]}


def test_every_field_is_an_attribute_of_a_memory() -> None:
    assert [attribute for attribute, _ in FIELDS.values() if not hasattr(MEMORY, attribute)] == []


def test_no_field_reaches_another_user() -> None:
    assert not {"user_id", "scope", "rid"} & {name for name, _ in FIELDS.values()} | {"user_id", "scope", "rid"} & FIELDS.keys()


@pytest.mark.parametrize(
    ("metadata", "pairs"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"a": 1, "b": "x", "c": 0.5}, [("a", 1), ("b", "x"), ("c", 0.5)], id="scalars"),
        pytest.param({"a": True, "b": False}, [("a", 1), ("b", 0)], id="truth values are 1 and 0"),
        pytest.param({"a": None, "b": [], "c": {}}, [], id="null and what is empty give none"),
        pytest.param({"a": {"b": {"c": 1}}}, [("a.b.c", 1)], id="nested keys are joined by dots"),
        pytest.param({"a": [1, [2, {"b": 3}]]}, [("a", 1), ("a", 2), ("a.b", 3)], id="one pair an element"),
    ],
)
def test_flatten(metadata: dict[str, Any], pairs: list[tuple[str, Any]]) -> None:
    found = list(flatten(metadata))
    assert found == pairs
    assert not any(isinstance(value, bool) for _, value in found)


LEAF = st.builds(
    lambda key, op, value: {key: {op: [value] if op in ("in", "nin") else True if op == "exists" else value}},
    st.sampled_from(["topic", "tags", "missing", "role", "deep.er.est", "content"]),
    st.sampled_from(OPERATORS),
    st.sampled_from(["travel", "red", "x", "", "Tea"]),
)
TREE = st.recursive(
    LEAF,
    lambda inner: st.builds(lambda how, parts: {how: parts}, st.sampled_from(["AND", "OR", "NOT"]), st.lists(inner, max_size=3)),
    max_leaves=6,
)


@given(TREE, TREE)
def test_the_laws_of_logic_hold(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert passes({"NOT": one}) is not passes(one)
    assert passes({"AND": [one, other]}) is (passes(one) and passes(other))
    assert passes({"OR": [one, other]}) is (passes(one) or passes(other))
    assert passes({"NOT": [one, other]}) is passes({"AND": [{"NOT": one}, {"NOT": other}]})


@given(st.sampled_from(["topic", "tags", "missing", "role", "seq", "count"]), st.sampled_from(["travel", "red", 3, 7]))
def test_ne_is_not_eq_and_nin_is_not_in(key: str, value: Any) -> None:
    assume({"role": str, "seq": int}.get(key, type(value)) is type(value))  # these two fields take one type only
    assert passes({key: {"ne": value}}) is not passes({key: {"eq": value}})
    assert passes({key: {"nin": [value]}}) is not passes({key: {"in": [value]}})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*OPERATORS, "AND", "OR", "NOT", "user_id", "area", "created_at", "pinned", "x", ""]),
                inner,
                max_size=3,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_is_given_is_read_or_refused(filters: Any) -> None:
    try:
        tree = parse(filters, user_id="ann")
    except BadInput:
        return
    assert tree is None or isinstance(tree, (Group, Leaf))
    holds(tree, MEMORY)
