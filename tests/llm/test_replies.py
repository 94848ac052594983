"""What is read out of a model's reply, and what is not."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from memlite.errors import ReplyError
from memlite.llm.lenient_json import MAX_DEPTH
from memlite.llm.replies import MAX_BYTES, Answer, at_most, parse, schema_of


class Item(Answer):
    text: str
    turns: list[int]


class Reply(Answer):
    items: list[Item]
    note: str = ""


class Number(Answer):
    n: int


class Anything(Answer):
    value: Any


def items(*pairs: tuple[str, list[int]]) -> Reply:
    return Reply(items=[Item(text=text, turns=turns) for text, turns in pairs])


ONE = '{"items": [{"text": "a", "turns": [1]}]}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ONE, items(("a", [1])), id="plain"),
        pytest.param(f"\ufeff\n {ONE}\n", items(("a", [1])), id="a byte order mark and spaces around"),
        pytest.param(f"```json\n{ONE}\n```", items(("a", [1])), id="a code fence"),
        pytest.param(f"Here you are:\n```\n{ONE}\n```\nAnything else?", items(("a", [1])), id="a fence between sentences"),
        pytest.param(f"```json\n{ONE}", items(("a", [1])), id="a fence that is not closed"),
        pytest.param(f"Sure! {ONE} Done.", items(("a", [1])), id="after a sentence"),
        pytest.param(f"I use {{braces}} and {{}}: {ONE}", items(("a", [1])), id="after braces that are prose"),
        pytest.param(f"{ONE}\n{ONE}", items(("a", [1])), id="the same answer twice"),
        pytest.param('{"items": [{"text": "a", "turns": [1,],},],}', items(("a", [1])), id="trailing commas"),
        pytest.param('{// first\n"items": # second\n[/* third\n */]}', items(), id="comments of three kinds"),
        pytest.param('{"items": [], "note": "// no comment"}', Reply(items=[], note="// no comment"), id="slashes in a text"),
        pytest.param('{"items": [], "note": "```\\n{}"}', Reply(items=[], note="```\n{}"), id="a fence and braces in a text"),
        pytest.param('{"items": [], "note": "a\nb"}', Reply(items=[], note="a\nb"), id="a raw line end in a text"),
        pytest.param('{"items": [], "note": "\\ud83d\\ude00"}', Reply(items=[], note="😀"), id="a pair of surrogates"),
        pytest.param('{"items": [{"text": "a", "turns": [1]}, {"text": "b', items(("a", [1])), id="cut inside a text"),
        pytest.param(
            '{"items": [{"text": "a", "turns": [1]}, {"text": "b", "turns": [1', items(("a", [1])), id="cut in a number"
        ),
        pytest.param('{"items": [{"text": "a", "turns": [1]}', items(("a", [1])), id="cut after an item"),
        pytest.param(
            '{"items": [{"text": "a", "turns": [1]}, {"text": "b", "turns": [1, 2]', items(("a", [1])), id="cut in an item"
        ),
        pytest.param('{"items": [', items(), id="cut before the first item"),
        pytest.param('{"items": [{"text": "a", "tur', items(), id="cut in the first item"),
        pytest.param(f"<think>maybe {{}} or {ONE.replace('a', 'b')}</think>{ONE}", items(("a", [1])), id="thinking before it"),
        pytest.param(f"Hm. {ONE.replace('a', 'b')}</think>\n{ONE}", items(("a", [1])), id="thinking whose start was left out"),
        pytest.param('{"items": [], "note": "</think>"}', Reply(items=[], note="</think>"), id="a thinking mark in a text"),
    ],
)
def test_an_answer_is_found(text: str, expected: Reply) -> None:
    assert parse(text, Reply) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "no JSON object", id="nothing"),
        pytest.param("There is nothing worth keeping.", "no JSON object", id="prose"),
        pytest.param("[2] items: the user lives in Lisbon", "no JSON object", id="prose with brackets"),
        pytest.param('[{"text": "a", "turns": [1]}]', "extra_forbidden", id="a list"),
        pytest.param('"a"', "no JSON object", id="a text"),
        pytest.param("{'items': []}", "double quotes", id="single quotes"),
        pytest.param("{items: []}", "double quotes", id="a bare key"),
        pytest.param('{"items": ["a" "b"]}', "missing", id="a comma that is missing"),
        pytest.param('{"items": [], "items": []}', "twice", id="a key given twice"),
        pytest.param('{"items": [], "extra": 1}', "extra_forbidden", id="a field too many"),
        pytest.param('{"note": "a"}', "missing", id="a field too few"),
        pytest.param('{"items": [{"text": "a"}]}', "turns: missing", id="a field too few in an item"),
        pytest.param('{"items": [{"text": "a", "turns": ["1"]}]}', "int_type", id="a text for a number"),
        pytest.param('{"items": [{"text": "a", "turns": [true]}]}', "int_type", id="a truth value for a number"),
        pytest.param('{"items": [{"text": "a", "turns": [1.0]}]}', "int_type", id="a fraction for a whole number"),
        pytest.param('{"items": [{"text": 1, "turns": []}]}', "string_type", id="a number for a text"),
        pytest.param('{"items": {"text": "a", "turns": []}}', "list_type", id="an object for a list"),
        pytest.param('{"items": "a"}', "list_type", id="a text for a list"),
        pytest.param('{"items": null}', "list_type", id="null for a list"),
        pytest.param('{"items": [], "note": "\\ud800"}', "escape", id="a lone surrogate"),
        pytest.param('{"items": [], "note": "\\x41"}', "escape", id="an escape there is not"),
        pytest.param('{"items": [], "note": NaN}', "no value", id="NaN"),
        pytest.param('{"items": [{"text": "a", "turns": [' + "9" * 5_000 + "]}]}", "no value", id="a number of 5,000 digits"),
        pytest.param(f"{ONE}\n{ONE.replace('a', 'b')}", "different", id="two answers"),
        pytest.param(f"<think>{ONE}", "no JSON object", id="thinking that did not end"),
        pytest.param(f"<think>{ONE}</think>I don't know.", "no JSON object", id="an answer in the thinking only"),
        pytest.param("{" * 1_000, "double quotes", id="braces without end"),
        pytest.param('{"a":' * 10_000, "deep", id="objects without end"),
        pytest.param('{"items": [], "note": ' + "[" * 900_000, "deep", id="lists without end"),
        pytest.param("{/*" * 300_000, "no JSON object|too early|missing", id="comments without end"),
        pytest.param("{" + " " * 990_000, "missing", id="spaces without end"),
        pytest.param('{"items": [], "note": "' + "a" * MAX_BYTES + '"}', "cap", id="over the size cap"),
        pytest.param('{"items": [], "note": "' + "好" * 400_000 + '"}', "cap", id="over the size cap in bytes only"),
    ],
)
def test_what_is_no_answer(text: str, why: str) -> None:
    with pytest.raises(ReplyError, match=why):
        parse(text, Reply)


def test_the_deepest_answer() -> None:
    nested = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert parse(f'{{"value": {nested}}}', Anything).value is not None
    with pytest.raises(ReplyError, match="deep"):
        parse(f'{{"value": [{nested}]}}', Anything)


def test_the_message_quotes_nothing_of_the_reply() -> None:
    secrets = '{"items": [{"text": 7, "turns": ["my passphrase"]}], "my address": "my name"}'
    with pytest.raises(ReplyError) as caught:
        parse(secrets, Reply)
    assert "my" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(), st.lists, max_leaves=20))
def test_every_json_value_is_read_as_json_reads_it(value: Any) -> None:
    text = json.dumps({"value": value})
    if "\\u" in text and any("\ud800" <= character <= "\udfff" for character in str(value)):
        return
    if max_depth(value) + 1 <= MAX_DEPTH and "Infinity" not in text and not huge(value):
        assert parse(text, Anything).value == value


def max_depth(value: Any) -> int:
    return 1 + max((max_depth(item) for item in value), default=0) if isinstance(value, list) else 0


def huge(value: Any) -> bool:
    """Longer than the digits a number may have."""
    return any(huge(item) for item in value) if isinstance(value, list) else isinstance(value, int) and len(str(value)) > 64


MARKS = r"""{ } [ ] " , : \ // /* */ # ``` json <think> </think> items turns 1 true nul - 1e9 "items" \ud800 好"""
PIECES = st.sampled_from([*MARKS.split(), '{"items":[', '{"text":"a","turns":[1]}', "\n", "\x00", "\ud800", " "])


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200))
def test_any_text_is_an_answer_or_a_reply_error(text: str) -> None:
    try:
        assert isinstance(parse(text, Reply), Reply)
    except ReplyError as error:
        assert str(error)  # noqa: PT017 - either outcome is right, any other exception is not


@given(st.data())
def test_a_cut_reply_has_the_whole_items_before_the_cut(data: st.DataObject) -> None:
    count = data.draw(st.integers(0, 5))
    whole = Reply(items=[Item(text=f"item {number}", turns=[number]) for number in range(count)], note="end")
    text = whole.model_dump_json()
    cut = text[: data.draw(st.integers(len('{"items":['), len(text)))]
    found = parse(cut, Reply)
    assert found.items == whole.items[: len(found.items)]
    assert len(found.items) == cut.count("}") - (1 if cut == text else 0)


@pytest.mark.parametrize("text", ['{"n": 12', '{"n": 1', '{"n": -', '{"n":'])
def test_a_number_that_may_go_on_is_no_number(text: str) -> None:
    with pytest.raises(ReplyError, match="n: missing"):
        parse(text, Number)


def test_an_object_that_was_cut_is_dropped() -> None:
    assert parse('{"value": {"a": 1, "b": 2}', Anything).value == {"a": 1, "b": 2}
    with pytest.raises(ReplyError, match="value: missing"):
        parse('{"value": {"a": 1, "b": 2', Anything)


def test_the_schema_is_flat() -> None:
    class Outer(Answer):
        items: Annotated[list[Item], at_most(9, asked=4)]
        text: Annotated[str, at_most(5_000)] = ""
        level: Annotated[int, Field(ge=0)] = 0

    assert schema_of(Outer) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["items", "text", "level"],
        "properties": {
            "items": {
                "type": "array",
                "maxItems": 4,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["text", "turns"],
                    "properties": {"text": {"type": "string"}, "turns": {"type": "array", "items": {"type": "integer"}}},
                },
            },
            "text": {"type": "string"},
            "level": {"type": "integer", "minimum": 0},
        },
    }


def test_what_is_accepted_is_more_than_what_is_asked_for() -> None:
    class Short(Answer):
        text: Annotated[str, at_most(9, asked=4)]

    assert parse('{"text": "123456789"}', Short).text == "123456789"
    with pytest.raises(ReplyError, match="string_too_long"):
        parse('{"text": "1234567890"}', Short)


def test_a_whole_number_is_a_whole_number() -> None:
    assert parse('{"n": 12}', Number).n == 12
