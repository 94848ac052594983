"""The Ollama client against a server that does everything wrong, one thing at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from stub_server import Handling, Stub, deaf_port, dripping, dropped, endless, half, raw, reset, serving, silent, value

import memlite
from memlite.errors import BadInput, ChatError, ModelNotFound, ReplyError, Timeout, Unreachable
from memlite.llm.budget import fewest_tokens
from memlite.llm.ollama import OllamaChat
from memlite.ports import Chat, Deadline

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SYSTEM, MESSAGE = "Answer in JSON.", "How many cats does the user have?"


def reply(content: str | None = '{"n": 2}', *, thinking: str | None = None, **fields: Any) -> Handling:
    message = {"role": "assistant", "content": content, **({"thinking": thinking} if thinking else {})}
    return value({"model": "m", "message": message, "done": True, "done_reason": "stop", "prompt_eval_count": 40, **fields})


@contextmanager
def chat(*answers: Handling, **options: Any) -> Iterator[tuple[OllamaChat, Stub]]:
    with serving(*answers) as stub:
        yield OllamaChat("m:1b", host=stub.url, **{"timeout_s": 5, **options}), stub


def ask(model: Chat, message: str = MESSAGE, *, seconds: float = 10) -> str:
    return model.ask(SYSTEM, message, schema=SCHEMA, deadline=Deadline(seconds))


# -- what is sent


def test_a_call_sends_all_that_matters() -> None:
    with chat(reply(), num_ctx=6_000, num_predict=300, keep_alive="3m") as (model, stub):
        assert ask(model) == '{"n": 2}'
    [request] = stub.requests
    assert request.path == "/api/chat"
    assert request.headers["accept-encoding"] == "identity"
    assert request.body == {
        "model": "m:1b",
        "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": MESSAGE}],
        "tools": [],
        "stream": False,
        "format": SCHEMA,
        "options": {"temperature": 0, "num_ctx": 6_000, "num_predict": 300},
        "keep_alive": "3m",
    }


@pytest.mark.parametrize("think", [True, False])
def test_thinking_is_sent_where_it_was_chosen(think: bool) -> None:
    with chat(reply(), think=think) as (model, stub):
        ask(model)
    assert stub.requests[0].body["think"] is think


def test_the_name_and_the_room_for_a_message() -> None:
    model = OllamaChat("qwen2.5:7b", num_ctx=8_192, num_predict=1_024)
    assert model.name == "ollama:qwen2.5:7b"
    assert model.max_chars == 8_192 - 1_024 - 2_048


def test_a_message_that_does_not_fit_is_not_sent() -> None:
    with chat(reply()) as (model, stub), pytest.raises(ReplyError, match="was not sent"):
        ask(model, "x" * (model.max_chars + 1))
    assert stub.requests == []


# -- the table of what goes wrong


@pytest.mark.parametrize(
    ("answer", "error", "says", "calls"),
    [
        pytest.param(dropped, Unreachable, "closed the connection", 2, id="the connection is dropped"),
        pytest.param(reset, Unreachable, "failed: ReadError", 1, id="the connection is reset"),
        pytest.param(half, Unreachable, "closed the connection", 2, id="half a response"),
        pytest.param(value({"error": "busy"}, 503), Unreachable, "busy", 2, id="busy"),
        pytest.param(value({"error": "model 'm:1b' not found"}, 404), ModelNotFound, "ollama pull m:1b", 1, id="no such model"),
        pytest.param(raw(b"404 page not found", 404, "text/plain"), Unreachable, "page not found", 1, id="another server"),
        pytest.param(value({"error": "crashed"}, 500), Unreachable, "500.*crashed", 1, id="the model crashed"),
        pytest.param(raw(b"<html>Bad gateway</html>", 502, "text/html"), Unreachable, "502", 1, id="a proxy's page"),
        pytest.param(raw(b"", 500), Unreachable, "no message", 1, id="an error without a message"),
        pytest.param(value({"error": "invalid schema"}, 400), ReplyError, "invalid schema", 1, id="a schema it refuses"),
        pytest.param(value({"error": "no thinking"}, 400), ReplyError, "no thinking", 1, id="no thinking"),
        pytest.param(value({"error": "key"}, 401), Unreachable, "401", 1, id="a key is wanted"),
        pytest.param(value({"error": "slow"}, 504), Timeout, "504", 1, id="a gateway gave up"),
        pytest.param(value(["no"], 400), ReplyError, "no response of Ollama's: AttributeError", 1, id="an error that is a list"),
        pytest.param(raw(b"", 307, location="http://elsewhere.invalid/"), Unreachable, "307", 1, id="a redirect is not followed"),
        pytest.param(raw(b"<html>Sign in</html>", kind="text/html"), ReplyError, "JSONDecodeError", 1, id="a page"),
        pytest.param(value({}), ReplyError, "ValidationError", 1, id="an empty object"),
        pytest.param(value({"error": "late"}), ReplyError, "ValidationError", 1, id="an error with status 200"),
        pytest.param(value([1]), ReplyError, "TypeError", 1, id="a list"),
        pytest.param(value(None), ReplyError, "TypeError", 1, id="null"),
        pytest.param(raw(b"\xff\xfe\x00"), ReplyError, "UnicodeDecodeError|JSONDecodeError", 1, id="bytes that are no text"),
        pytest.param(raw(b"[" * 200_000), ReplyError, "RecursionError", 1, id="lists without end"),
        pytest.param(raw(b"x", content_encoding="gzip"), ReplyError, "compressed", 1, id="compressed"),
        pytest.param(endless, ReplyError, "larger than", 1, id="megabytes"),
        pytest.param(reply(done_reason="length"), ReplyError, "did not finish", 1, id="an answer that was cut"),
        pytest.param(reply(""), ReplyError, "empty", 1, id="an empty answer"),
        pytest.param(reply(None, done_reason="load"), ReplyError, "empty", 1, id="only loaded"),
        pytest.param(reply(" \n\n "), ReplyError, "empty", 1, id="an answer of spaces"),
        pytest.param(reply(prompt_eval_count=3), ReplyError, "read 3 tokens", 1, id="a prompt that was cut"),
        pytest.param(reply(prompt_eval_count=8_000, eval_count=200), ReplyError, "fill the context", 1, id="a full context"),
    ],
)
def test_what_goes_wrong_is_one_of_ours(answer: Handling, error: type[ChatError], says: str, calls: int) -> None:
    with chat(answer) as (model, stub), pytest.raises(error, match=says) as caught:
        ask(model)
    assert type(caught.value) is error
    assert len(stub.requests) == calls


def test_no_server_is_unreachable() -> None:
    with deaf_port() as url, pytest.raises(Unreachable, match="ollama serve") as caught:
        ask(OllamaChat("m", host=url))
    assert url in str(caught.value)


def test_an_unknown_host_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        ask(OllamaChat("m", host="no-such-host.invalid"), seconds=5)


def test_a_second_attempt_helps() -> None:
    for first in (dropped, value({"error": "busy"}, 503)):
        with chat(first, reply()) as (model, stub):
            assert ask(model) == '{"n": 2}'
        assert len(stub.requests) == 2


# -- time


@pytest.mark.parametrize("answer", [silent(3), dripping(3)], ids=["silent", "dripping"])
@pytest.mark.parametrize(("limit_s", "left_s"), [(0.3, 60), (60, 0.3)], ids=["the call's limit", "the deadline"])
def test_an_answer_that_takes_too_long_is_given_up(answer: Handling, limit_s: float, left_s: float) -> None:
    with chat(answer, timeout_s=limit_s) as (model, stub):
        began = time.monotonic()
        with pytest.raises(Timeout):
            ask(model, seconds=left_s)
        assert time.monotonic() - began < 2
    assert len(stub.requests) == 1


def test_nothing_is_asked_after_the_deadline() -> None:
    deadline = Deadline(0.001)
    time.sleep(0.01)
    with chat(reply()) as (model, stub), pytest.raises(Timeout, match="no time is left"):
        model.ask(SYSTEM, MESSAGE, schema=SCHEMA, deadline=deadline)
    assert stub.requests == []


def test_there_is_no_second_attempt_without_time_for_it() -> None:
    with chat(dropped, reply()) as (model, stub), pytest.raises(Unreachable):
        ask(model, seconds=0.15)
    assert len(stub.requests) == 1


# -- thinking


def test_thoughts_are_no_answer() -> None:
    with chat(reply("", thinking='{"n": 9}', done_reason="length"), reply()) as (model, stub):
        assert ask(model) == '{"n": 2}'
        assert ask(model) == '{"n": 2}'
    assert [request.body.get("think") for request in stub.requests] == [None, False, False]


def test_a_model_that_must_think_is_left_to_it() -> None:
    with chat(reply("", thinking="hm"), value({"error": "must think"}, 400), reply()) as (model, stub):
        with pytest.raises(ReplyError, match="must think"):
            ask(model)
        assert ask(model) == '{"n": 2}'
    assert [request.body.get("think") for request in stub.requests] == [None, False, None]


def test_one_that_was_told_not_to_think_is_not_asked_again() -> None:
    with chat(reply("", thinking="hm"), think=False) as (model, stub), pytest.raises(ReplyError, match="empty"):
        ask(model)
    assert len(stub.requests) == 1


# -- the environment


def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with chat(reply()) as (model, _):
        assert ask(model) == '{"n": 2}'


@pytest.mark.parametrize(
    ("host", "url"),
    [
        pytest.param(None, "http://127.0.0.1:11434", id="none"),
        pytest.param("box", "http://box:11434", id="a name"),
        pytest.param("0.0.0.0:11434", "http://127.0.0.1:11434", id="where a server listens"),
        pytest.param("box:99", "http://box:99", id="a name and a port"),
        pytest.param("http://box", "http://box", id="a scheme: its own port"),
        pytest.param("https://box/ollama/", "https://box/ollama", id="a path"),
        pytest.param("[::1]", "http://[::1]:11434", id="IPv6"),
    ],
)
def test_the_host(host: str | None, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    assert url in repr(OllamaChat("m", host=host))
    if host:
        monkeypatch.setenv("OLLAMA_HOST", host)
        assert url in repr(OllamaChat("m"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"host": "ftp://box"}, "host", id="another scheme"),
        pytest.param({"host": "http://"}, "host", id="no name"),
        pytest.param({"host": "http://me:secret@box"}, "password", id="a password, which messages would show"),
        pytest.param({"host": "box:port"}, "host", id="no port"),
        pytest.param({"host": "box box"}, "host", id="a space"),
        pytest.param({"host": 11434}, "host", id="a number for a host"),
        pytest.param({"model": " "}, "model", id="no model"),
        pytest.param({"model": None}, "model", id="None for a model"),
        pytest.param({"keep_alive": None}, "keep_alive", id="None for a time"),
        pytest.param({"think": "high"}, "think", id="a text for a choice"),
        pytest.param({"num_ctx": 2_048}, "num_ctx", id="no room"),
        pytest.param({"num_ctx": True}, "num_ctx", id="a truth value"),
        pytest.param({"num_predict": 0}, "num_predict", id="no answer"),
        pytest.param({"timeout_s": 0}, "timeout_s", id="no time"),
        pytest.param({"timeout_s": float("nan")}, "timeout_s", id="no number"),
    ],
)
def test_an_argument_out_of_its_range(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        OllamaChat(**{"model": "m", **change})


def test_importing_memlite_loads_no_client() -> None:
    script = "import sys, memlite; memlite.Memory; print([n for n in ('ollama', 'httpx', 'pydantic') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=_with_path(), check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_go_on_asking() -> None:
    script = """
import os, sys
from memlite.llm.ollama import OllamaChat
from memlite.ports import Deadline
model = OllamaChat("m", host=sys.argv[1])
def ask():
    return model.ask("s", "m", schema={}, deadline=Deadline(10))
first = ask()
pid = os.fork()
if pid == 0:
    os._exit(0 if ask() == first else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), ask() == first)
"""
    with serving(reply()) as stub:
        done = subprocess.run(
            [sys.executable, "-c", script, stub.url], capture_output=True, text=True, env=_with_path(), timeout=60, check=False
        )
    assert done.stdout.split() == ["0", "True"], done.stderr
    assert len(stub.requests) == 3


def _with_path() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(memlite.__path__[0]).parent)}


# -- the estimate


def test_instructions_that_were_read_before_need_not_be_counted() -> None:
    with chat(reply(prompt_eval_count=9)) as (model, _):
        long = "Answer in JSON. " * 100
        assert model.ask(long, MESSAGE, schema=SCHEMA, deadline=Deadline(10)) == '{"n": 2}'


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("one two three four five six seven eight nine ten", 9), ("用户住在上海", 2), ("  \n" * 100, 0)],
)
def test_the_fewest_tokens_of_a_text(text: str, tokens: int) -> None:
    assert fewest_tokens(text) == tokens


def test_the_answer_is_passed_on_as_it_came() -> None:
    for content in ("no JSON at all", '```json\n{"n": 2}\n```', json.dumps({"n": "好" * 1_000})):
        with chat(reply(content)) as (model, _):
            assert ask(model) == content
