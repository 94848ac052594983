"""The public doubles."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memlite import testing
from memlite.errors import Timeout
from memlite.model import Record
from memlite.ports import Chat, Deadline, Decider
from memlite.rules.decision import Candidate, Decision, Ruling
from memlite.testing import ScriptedChat, ScriptedDecider

NEW = Record(id="mem_1", user_id="u", content="new")
OFFERED = [Candidate(alias=1, record=Record(id="mem_2", user_id="u", content="old"), relevance=0.8, coverage=0.5)]


def test_a_scripted_chat_gives_its_replies_in_order() -> None:
    chat: Chat = (double := ScriptedChat(["a", Timeout("late"), lambda system, message: system + message]))
    assert chat.ask("s", "m", schema={}, deadline=Deadline(60)) == "a"
    with pytest.raises(Timeout, match="late"):
        chat.ask("s", "m", schema={}, deadline=Deadline(60))
    assert chat.ask("s", "m", schema={"type": "object"}, deadline=Deadline(60)) == "sm"
    assert [(call.system, call.message, call.schema) for call in double.calls] == [
        ("s", "m", {}),
        ("s", "m", {}),
        ("s", "m", {"type": "object"}),
    ]
    assert 59 < double.calls[0].left_s <= 60


def test_a_scripted_decider_gives_its_rulings_in_order() -> None:
    skip, ruling = Decision(action="skip"), Ruling(decision=Decision(action="merge"), decider="rules")
    decider: Decider = (double := ScriptedDecider([skip, ruling, Timeout("late"), lambda new, offered: skip]))
    assert decider.decide(NEW, OFFERED, deadline=Deadline(60)) == Ruling(decision=skip, decider="scripted")
    assert decider.decide(NEW, OFFERED, deadline=Deadline(60)) is ruling
    with pytest.raises(Timeout, match="late"):
        decider.decide(NEW, OFFERED, deadline=Deadline(60))
    assert decider.decide(NEW, OFFERED, deadline=Deadline(60)).decision is skip
    assert double.calls == [(NEW, tuple(OFFERED))] * 4


def test_a_question_too_many_is_told() -> None:
    with pytest.raises(AssertionError, match="question 1 was one more"):
        ScriptedChat().ask("s", "m", schema={}, deadline=Deadline(60))
    with pytest.raises(AssertionError, match="question 1 was one more"):
        ScriptedDecider().decide(NEW, OFFERED, deadline=Deadline(60))


def test_doubles_keep_to_the_deadline() -> None:
    for ask in (
        lambda: ScriptedChat(["a"]).ask("s", "m", schema={}, deadline=Deadline(-1)),
        lambda: ScriptedDecider([Decision(action="skip")]).decide(NEW, OFFERED, deadline=Deadline(-1)),
    ):
        with pytest.raises(Timeout):
            ask()


def test_the_doubles_need_no_test_packages() -> None:
    script = "import sys; sys.modules.update(dict.fromkeys(['pytest', 'hypothesis'])); import memlite.testing"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_all_public_names_are_listed() -> None:
    assert testing.__all__ == sorted(testing.__all__)
    assert all(hasattr(testing, name) for name in testing.__all__)
