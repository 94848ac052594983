"""The client of OpenAI's protocol against a server that does everything wrong, one thing at a time."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from stub_server import Handling, Stub, deaf_port, dripping, dropped, endless, half, raw, reset, serving, silent, value

from memlite.errors import BadInput, ChatError, ModelNotFound, ReplyError, Timeout, Unreachable
from memlite.llm.openai_compatible import OpenAICompatibleChat
from memlite.ports import Chat, Deadline

KEY = "sk-very-secret-0451"
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SYSTEM, MESSAGE = "Answer in JSON.", "How many cats does the user have?"


def reply(content: object = '{"n": 2}', reason: object = "stop", prompt_tokens: object = 40, **message: Any) -> Handling:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": reason}
    return value({"id": "1", "choices": [choice], "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 9}})


@contextmanager
def chat(*answers: Handling, **options: Any) -> Iterator[tuple[OpenAICompatibleChat, Stub]]:
    with serving(*answers) as stub:
        yield OpenAICompatibleChat("m:1b", f"{stub.url}/v1/", KEY, **{"timeout_s": 5, **options}), stub


def ask(model: Chat, message: str = MESSAGE, *, seconds: float = 10) -> str:
    return model.ask(SYSTEM, message, schema=SCHEMA, deadline=Deadline(seconds))


def test_a_call_sends_all_that_matters() -> None:
    with chat(reply(), num_predict=300) as (model, stub):
        assert ask(model) == '{"n": 2}'
    [request] = stub.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "m:1b",
        "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": MESSAGE}],
        "temperature": 0,
        "max_tokens": 300,
        "stream": False,
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA}},
    }


@pytest.mark.parametrize(("chosen", "sent"), [("json_object", {"type": "json_object"}), ("none", None)])
def test_another_format_is_sent_only_where_it_was_chosen(chosen: Any, sent: Any) -> None:
    with chat(reply(), response_format=chosen) as (model, stub):
        ask(model)
    assert stub.requests[0].body.get("response_format") == sent


def test_no_key_no_header() -> None:
    with serving(reply()) as stub:
        ask(OpenAICompatibleChat("m", stub.url))
    assert "authorization" not in stub.requests[0].headers


@pytest.mark.parametrize(
    ("answer", "error", "says", "calls"),
    [
        pytest.param(dropped, Unreachable, "closed the connection", 2, id="the connection is dropped"),
        pytest.param(reset, Unreachable, "failed: ReadError", 1, id="the connection is reset"),
        pytest.param(half, Unreachable, "closed the connection", 2, id="half a response"),
        pytest.param(value({"error": "busy"}, 503), Unreachable, "busy", 2, id="busy"),
        pytest.param(value({"error": {"message": "model not found"}}, 404), ModelNotFound, "m:1b", 1, id="no such model"),
        pytest.param(raw(b"Not Found", 404, "text/plain"), Unreachable, "404", 1, id="another server"),
        pytest.param(value({"error": f"bad key {KEY}"}, 401), Unreachable, r"refuses the API key.*\[key\]", 1, id="a wrong key"),
        pytest.param(value({"error": "rate"}, 429), Unreachable, "429", 1, id="too many calls"),
        pytest.param(value({"error": "crashed"}, 500), Unreachable, "500", 1, id="the model crashed"),
        pytest.param(value({"error": "response_format?"}, 400), ReplyError, "json_object", 1, id="a server without schemas"),
        pytest.param(value({"error": "too long"}, 400), ReplyError, "too long", 1, id="a request it refuses"),
        pytest.param(value({"error": "slow"}, 408), Timeout, "408", 1, id="the server gave up"),
        pytest.param(raw(b"", 307, location="http://elsewhere.invalid/"), Unreachable, "307", 1, id="a redirect is not followed"),
        pytest.param(raw(b"<html>Sign in</html>", kind="text/html"), ReplyError, "JSONDecodeError", 1, id="a page"),
        pytest.param(raw(b"\xff\xfe\x00"), ReplyError, "no JSON", 1, id="bytes that are no text"),
        pytest.param(raw(b"[" * 200_000), ReplyError, "RecursionError", 1, id="lists without end"),
        pytest.param(raw(b"x", content_encoding="gzip"), ReplyError, "compressed", 1, id="compressed"),
        pytest.param(endless, ReplyError, "larger than", 1, id="megabytes"),
        pytest.param(value({}), ReplyError, "no chat completion", 1, id="an empty object"),
        pytest.param(value([1]), ReplyError, "no chat completion", 1, id="a list"),
        pytest.param(value(None), ReplyError, "no chat completion", 1, id="null"),
        pytest.param(value({"choices": []}), ReplyError, "no chat completion", 1, id="no choices"),
        pytest.param(value({"choices": [{"message": "hi"}]}), ReplyError, "no chat completion", 1, id="a message that is a text"),
        pytest.param(reply(reason="length"), ReplyError, "did not finish", 1, id="an answer that was cut"),
        pytest.param(reply(reason="content_filter"), ReplyError, "content_filter", 1, id="an answer that was withheld"),
        pytest.param(reply(reason=7), ReplyError, "ended with 7", 1, id="an end that is a number"),
        pytest.param(reply(""), ReplyError, "empty", 1, id="an empty answer"),
        pytest.param(reply(None, reasoning_content='{"n": 9}'), ReplyError, "empty", 1, id="thoughts only"),
        pytest.param(reply(["x"]), ReplyError, "empty", 1, id="an answer that is a list"),
        pytest.param(reply(prompt_tokens=3), ReplyError, "read 3 tokens", 1, id="a prompt that was cut"),
    ],
)
def test_what_goes_wrong_is_one_of_ours(answer: Handling, error: type[ChatError], says: str, calls: int) -> None:
    with chat(answer) as (model, stub), pytest.raises(error, match=says) as caught:
        ask(model)
    assert type(caught.value) is error
    assert len(stub.requests) == calls
    told = "".join(traceback.format_exception(caught.value))
    assert KEY not in told
    assert KEY not in repr(caught.value)


def test_counts_that_are_none_are_not_believed() -> None:
    for count in ("3", True, None):
        with chat(reply(prompt_tokens=count)) as (model, _):
            assert ask(model) == '{"n": 2}'


def test_no_server_is_unreachable() -> None:
    with deaf_port() as url, pytest.raises(Unreachable, match="is it running"):
        ask(OpenAICompatibleChat("m", url))


def test_a_second_attempt_helps() -> None:
    for first in (dropped, value({"error": "busy"}, 503)):
        with chat(first, reply()) as (model, stub):
            assert ask(model) == '{"n": 2}'
        assert len(stub.requests) == 2


@pytest.mark.parametrize("answer", [silent(3), dripping(3)], ids=["silent", "dripping"])
@pytest.mark.parametrize(("limit_s", "left_s"), [(0.3, 60), (60, 0.3)], ids=["the call's limit", "the deadline"])
def test_an_answer_that_takes_too_long_is_given_up(answer: Handling, limit_s: float, left_s: float) -> None:
    with chat(answer, timeout_s=limit_s) as (model, _):
        began = time.monotonic()
        with pytest.raises(Timeout):
            ask(model, seconds=left_s)
        assert time.monotonic() - began < 2


def test_a_message_that_does_not_fit_is_not_sent() -> None:
    with chat(reply()) as (model, stub), pytest.raises(ReplyError, match="was not sent"):
        ask(model, "x" * (model.max_chars + 1))
    assert stub.requests == []


def test_the_key_is_in_no_repr() -> None:
    model = OpenAICompatibleChat("m", "http://127.0.0.1:1/v1", KEY)
    assert KEY not in repr(model)
    assert model.name == "openai:m"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"base_url": "127.0.0.1:8080"}, "base_url", id="no scheme"),
        pytest.param({"base_url": f"http://me:{KEY}@box/v1"}, "base_url holds", id="a password in the address"),
        pytest.param({"base_url": f"me:{KEY}@box"}, "base_url holds", id="a password in what is no address"),
        pytest.param({"api_key": "line\nend"}, "api_key", id="a key with a line end"),
        pytest.param({"api_key": "schlüssel"}, "api_key", id="a key no header carries"),
        pytest.param({"api_key": 7}, "api_key", id="a key that is a number"),
        pytest.param({"base_url": None}, "base_url", id="None for an address"),
        pytest.param({"response_format": ["xml"]}, "response_format", id="a list for a format"),
        pytest.param({"response_format": "xml"}, "response_format", id="a format there is not"),
        pytest.param({"model": ""}, "model", id="no model"),
        pytest.param({"num_ctx": 3_000, "num_predict": 2_000}, "num_ctx", id="no room"),
    ],
)
def test_an_argument_out_of_its_range(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        OpenAICompatibleChat(**{"model": "m", "base_url": "http://box/v1", **change})
    assert KEY not in str(caught.value)
