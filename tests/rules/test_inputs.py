"""Arguments as callers give them: what is taken, how it is read, and what is refused."""

from __future__ import annotations

import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.errors import BadInput
from memlite.rules import inputs
from memlite.rules.inputs import Message

CAP = 100
HUGE = 10**5000


def read(value: object) -> list[Message]:
    return inputs.messages(value, max_bytes=CAP)


def turn(content: object = "Hi.", role: object = "user", **more: object) -> dict[str, object]:
    return {"role": role, "content": content, **more}


# -- messages


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("Tea.", [Message(text="Tea.")], id="a text"),
        pytest.param(["Tea.", " Milk. "], [Message(text="Tea."), Message(text="Milk.")], id="a list of texts"),
        pytest.param(("Tea.",), [Message(text="Tea.")], id="a tuple"),
        pytest.param(turn(), [Message(text="Hi.", role="user")], id="a message"),
        pytest.param(MappingProxyType(turn()), [Message(text="Hi.", role="user")], id="any mapping"),
        pytest.param([turn(), "Tea."], [Message(text="Hi.", role="user"), Message(text="Tea.")], id="both in one list"),
        pytest.param(turn(role=" assistant "), [Message(text="Hi.", role="assistant")], id="a role is trimmed"),
        pytest.param(turn(name="Ann"), [Message(text="Hi.", role="user", name="Ann")], id="a name"),
        pytest.param(turn(timestamp="1970-01-01"), [Message(text="Hi.", role="user", occurred_ms=0)], id="a timestamp"),
        pytest.param(turn(name=None, timestamp=None), [Message(text="Hi.", role="user")], id="None for name and timestamp"),
        pytest.param(turn(tool_calls=[]), [Message(text="Hi.", role="user")], id="keys of chat APIs that say nothing here"),
        pytest.param(
            turn([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": "x"}, {"type": "text", "text": "b"}]),
            [Message(text="a\nb", role="user")],
            id="the text parts of a list of parts",
        ),
    ],
)
def test_messages(value: object, expected: list[Message]) -> None:
    assert read(value) == expected


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param(None, "messages is NoneType", id="nothing"),
        pytest.param(7, "messages is int", id="a number"),
        pytest.param({"Tea."}, "messages is set", id="a set has no order"),
        pytest.param((text for text in ["Tea."]), "messages is generator", id="a generator"),
        pytest.param(b"Tea.", "int", id="bytes"),
        pytest.param([], "empty list", id="an empty list"),
        pytest.param("", "empty", id="an empty text"),
        pytest.param(["Tea.", "  "], r"messages\[1\] is empty", id="the place of an empty text is told"),
        pytest.param(["Tea.", None], r"messages\[1\] is NoneType", id="the place of a wrong one is told"),
        pytest.param([["Tea."]], r"messages\[0\] is list", id="a list in the list"),
        pytest.param({}, "no role", id="an empty dict"),
        pytest.param({"content": "Hi."}, "no role", id="no role"),
        pytest.param(turn(role=""), "no role", id="an empty role"),
        pytest.param(turn(role=5), "no role", id="a number for a role"),
        pytest.param(turn(role="x" * 65), "the cap is 64", id="a long role"),
        pytest.param(turn(role="\ud800"), "surrogate", id="a surrogate in a role"),
        pytest.param({"role": "user"}, "content is NoneType", id="no content"),
        pytest.param(turn(""), "content is empty", id="empty content"),
        pytest.param(turn([]), "content is empty", id="no parts"),
        pytest.param(turn([{"type": "image_url"}]), "content is empty", id="parts without text"),
        pytest.param(turn(7), "content is int", id="a number for content"),
        pytest.param(turn("x" * (CAP + 1)), "the cap is 100", id="over the cap"),
        pytest.param(turn("\udc00"), "surrogate", id="a surrogate"),
        pytest.param(turn(name=""), "name is empty", id="an empty name"),
        pytest.param(turn(name=5), "name is int", id="a number for a name"),
        pytest.param(turn(timestamp="noon"), "timestamp is 'noon'", id="a timestamp that is none"),
        pytest.param(turn(timestamp=-1), "1970 to 9999", id="a timestamp before 1970"),
        pytest.param(turn(timestamp=1.5), "timestamp is float", id="seconds with a fraction"),
        pytest.param(turn(timestamp=HUGE), "1970 to 9999", id="a timestamp too long to print"),
    ],
)
def test_messages_refused(value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["role", "content", "name", "timestamp", "text"]), inner)
        ),
    )
)
def test_whatever_is_given_is_read_or_refused(value: object) -> None:
    try:
        found = read(value)
    except BadInput:
        return
    assert found
    assert all(message.text and len(message.text.encode()) <= CAP for message in found)


@pytest.mark.parametrize(
    ("role", "origin"),
    [
        pytest.param(None, "user_stated", id="a plain text is the user's own"),
        pytest.param("user", "user_stated", id="user"),
        pytest.param("assistant", "agent_inferred", id="assistant"),
        pytest.param("system", "agent_inferred", id="system"),
        pytest.param("tool", "tool_output", id="tool"),
        pytest.param("Bob", "agent_inferred", id="a role nobody knows is not trusted as the user"),
    ],
)
def test_origin_of(role: str | None, origin: str) -> None:
    assert inputs.origin_of(Message(text="Hi.", role=role)) == origin


# -- numbers, flags, choices


class Level(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, 0.0), (1, 1.0), (0.5, 0.5), (5e-324, 5e-324), (-0.0, 0.0), (Level.ONE, 1.0)],
)
def test_share(value: object, expected: float) -> None:
    found = inputs.share(value, what="importance")
    assert found == expected
    assert type(found) is float


NO_SHARES = [
    None,
    True,
    False,
    "0.5",
    b"1",
    -5e-324,
    1.0000000000000002,
    2,
    -1,
    math.nan,
    math.inf,
    -math.inf,
    [0.5],
    1j,
    HUGE,
    -HUGE,
]


@pytest.mark.parametrize("value", NO_SHARES, ids=lambda value: f"{value!r:.12}" if value not in (HUGE, -HUGE) else "huge")
def test_share_refused(value: object) -> None:
    with pytest.raises(BadInput, match="importance"):
        inputs.share(value, what="importance")


@given(st.floats() | st.integers(), st.sampled_from([inputs.share, inputs.limit, inputs.flag]))
def test_a_number_is_taken_or_refused(value: float, reader: Callable[..., object]) -> None:
    try:
        found = reader(value, what="x")
    except BadInput:
        return
    assert found == value or (reader is inputs.limit and found == inputs.MAX_LIMIT < value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(1, 1, id="the least"),
        pytest.param(4096, 4096, id="the most"),
        pytest.param(4097, 4096, id="more counts as the most"),
        pytest.param(HUGE, 4096, id="however much more"),
    ],
)
def test_limit(value: object, expected: int) -> None:
    assert inputs.limit(value) == expected


@pytest.mark.parametrize("value", [0, -1, True, None, 1.0, "5", math.nan, [1]], ids=repr)
def test_limit_refused(value: object) -> None:
    with pytest.raises(BadInput, match="limit is"):
        inputs.limit(value)


def test_a_limit_too_long_to_print_is_refused() -> None:
    with pytest.raises(BadInput):
        inputs.limit(-HUGE)


@pytest.mark.parametrize("value", [0, 1, None, "true", [], 1.0], ids=repr)
def test_flag_refused(value: object) -> None:
    assert inputs.flag(True, what="pinned") is True
    assert inputs.flag(False, what="pinned") is False
    with pytest.raises(BadInput, match="pinned is"):
        inputs.flag(value, what="pinned")


@pytest.mark.parametrize("value", ["", "c", "A", None, 1, ["a"], {"a"}, b"a", "\ud800"], ids=repr)
def test_choice_refused(value: object) -> None:
    assert inputs.choice("a", ("a", "b"), what="area") == "a"
    with pytest.raises(BadInput, match="give one of a, b"):
        inputs.choice(value, ("a", "b"), what="area")


def test_a_choice_too_long_to_print_is_refused() -> None:
    with pytest.raises(BadInput, match="give one of a"):
        inputs.choice(HUGE, ("a",), what="area")


def test_a_refusal_does_not_quote_ten_megabytes() -> None:
    with pytest.raises(BadInput) as caught:
        inputs.choice("x" * 10_000_000, ("a",), what="area")
    assert len(str(caught.value)) < 1000


# -- metadata


def nested(depth: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"d": value}
    return value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(None, {}, id="none"),
        pytest.param({}, {}, id="empty"),
        pytest.param({"a": [1, 2.5, "x", True, None]}, {"a": [1, 2.5, "x", True, None]}, id="JSON values"),
        pytest.param({"a": (1, (2,))}, {"a": [1, [2]]}, id="tuples are lists"),
        pytest.param(OrderedDict(a=MappingProxyType({"b": 1})), {"a": {"b": 1}}, id="mappings are dicts"),
        pytest.param({"a\x00": "b\x00c"}, {"a": "bc"}, id="NUL goes"),
        pytest.param({"": ""}, {"": ""}, id="empty texts are values"),
        pytest.param({"a": 2**63 - 1}, {"a": 2**63 - 1}, id="the largest integer"),
        pytest.param({"a": Level.ONE}, {"a": 1}, id="an enumeration's number"),
        pytest.param(nested(32), nested(32), id="32 levels"),
        pytest.param({"$.a[0]": "'; --"}, {"$.a[0]": "'; --"}, id="signs mean nothing"),
    ],
)
def test_metadata(value: object, expected: dict[str, Any]) -> None:
    assert inputs.metadata(value) == expected


def circle() -> dict[str, object]:
    value: dict[str, object] = {}
    value["self"] = value
    return value


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([], id="a list"),
        pytest.param([("a", 1)], id="a list of pairs"),
        pytest.param("a", id="a text"),
        pytest.param(b"{}", id="bytes"),
        pytest.param(5, id="a number"),
        pytest.param(False, id="a truth value"),
        pytest.param({1: "a"}, id="a number for a key"),
        pytest.param({None: "a"}, id="None for a key"),
        pytest.param({"a": math.nan}, id="not a number"),
        pytest.param({"a": [math.inf]}, id="infinite"),
        pytest.param({"a": 2**63}, id="an integer of 64 bits"),
        pytest.param({"a": HUGE}, id="an integer too long to print"),
        pytest.param({"a": b"x"}, id="bytes inside"),
        pytest.param({"a": {1, 2}}, id="a set inside"),
        pytest.param({"a": object()}, id="an object inside"),
        pytest.param({"a": "\ud800"}, id="a surrogate in a value"),
        pytest.param({"\udfff": 1}, id="a surrogate in a key"),
        pytest.param({"a": "x" * 65_536}, id="over 64 KiB"),
        pytest.param({"a": [0] * 10_000}, id="over 64 KiB in numbers"),
        pytest.param(nested(33), id="33 levels"),
        pytest.param(circle(), id="a circle"),
    ],
)
def test_metadata_refused(value: object) -> None:
    with pytest.raises(BadInput):
        inputs.metadata(value)


def test_metadata_that_unfolds_to_more_than_the_cap_is_not_unfolded_first() -> None:
    """A list that holds the same list twice, and so on: small in memory, 262,144 numbers as JSON."""
    value: list[Any] = [1]
    for _ in range(18):
        value = [value, value]
    began = time.process_time()
    with pytest.raises(BadInput, match="the cap is"):
        inputs.metadata({"a": value})
    assert time.process_time() - began < 0.5


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="\x00")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), JSON, max_size=4))
def test_metadata_is_a_copy_that_json_gives_back(value: dict[str, Any]) -> None:
    found = inputs.metadata(value)
    assert found == value
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    found["new"] = 1
    assert found != value
