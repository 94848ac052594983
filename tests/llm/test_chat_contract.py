"""What every chat model keeps to, the doubles as well as the real clients."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from stub_server import serving, value

from memlite.errors import Timeout
from memlite.llm.ollama import OllamaChat
from memlite.llm.openai_compatible import OpenAICompatibleChat
from memlite.ports import Chat, Deadline
from memlite.testing import ScriptedChat

REPLY = ' {"n": "好 \\u003c"}\n'
CALLS = 8


@contextmanager
def scripted() -> Iterator[Chat]:
    yield ScriptedChat([REPLY] * CALLS)


@contextmanager
def ollama() -> Iterator[Chat]:
    with serving(value({"model": "m", "message": {"role": "assistant", "content": REPLY}, "done_reason": "stop"})) as stub:
        yield OllamaChat("m", host=stub.url)


@contextmanager
def openai_compatible() -> Iterator[Chat]:
    with serving(value({"choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}]})) as stub:
        yield OpenAICompatibleChat("m", stub.url)


@pytest.fixture(params=[scripted, ollama, openai_compatible], ids=lambda made: made.__name__)
def chat(request: pytest.FixtureRequest) -> Iterator[Chat]:
    with request.param() as opened:
        yield opened


def ask(chat: Chat, seconds: float = 20) -> str:
    return chat.ask("system", "message", schema={"type": "object"}, deadline=Deadline(seconds))


def test_it_has_a_name_and_room_for_a_message(chat: Chat) -> None:
    assert chat.name == chat.name.strip() != ""
    assert chat.max_chars >= 1_000


def test_the_answer_is_given_as_it_came(chat: Chat) -> None:
    assert ask(chat) == REPLY


def test_nothing_is_asked_after_the_deadline(chat: Chat) -> None:
    with pytest.raises(Timeout):
        ask(chat, seconds=-1)


def test_threads_may_share_it(chat: Chat) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: ask(chat), range(CALLS))) == [REPLY] * CALLS
