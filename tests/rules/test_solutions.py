"""Solutions: talks with a problem that was solved or not, steps and wording, what is no confirmation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import Talk, has, talks

from memlite.rules.distil.confirmation import confirms
from memlite.rules.distil.sentences import sentences
from memlite.rules.distil.solutions import solutions
from memlite.rules.extract import Turn, extract


@pytest.mark.parametrize("talk", talks("talks_solutions.txt"), ids=lambda talk: talk.title)
def test_talk(talk: Talk) -> None:
    read = extract(talk.turns)
    if talk.solution is None:
        assert read.solutions == ()
        return
    problem, solution = talk.solution
    assert any(
        any(has(made.problem, [word]) for word in problem) and any(has(made.solution, [word]) for word in solution)
        for made in read.solutions
    ), read.solutions
    for wordings in talk.wanted:
        assert any(has(fact.text, words) for fact in read.facts for words in wordings), read.facts


@pytest.mark.parametrize(
    ("said", "asked", "worked"),
    [
        pytest.param("works now, thanks", False, True, id="in plain words"),
        pytest.param("the door closes without a sound again", False, True, id="by the result"),
        pytest.param("replaced the valve, dry for a week", False, True, id="done, and a result"),
        pytest.param("replaced the valve", False, False, id="done, no result"),
        pytest.param("no more drips", False, True, id="the fault is no more"),
        pytest.param("the upload went through", False, True, id="it went through"),
        pytest.param("lowered the heat and the foam stayed firm", False, True, id="it stayed"),
        pytest.param("换成铜的就不滴了", False, True, id="换了就不"),
        pytest.param("still drips", False, False, id="the fault goes on"),
        pytest.param("it works but only until noon", False, False, id="for a while"),
        pytest.param("I'll try it tomorrow", False, False, id="a plan"),
        pytest.param("does it work with gas too?", False, False, id="a question"),
        pytest.param("sounds good", False, False, id="a nod"),
        pytest.param("now it complains about the seal", False, False, id="another fault"),
        pytest.param("two years old", True, False, id="the answer to a question"),
        pytest.param("换了密封圈，一周没滴过", False, True, id="换了有结果"),
        pytest.param("还是滴", False, False, id="还是老样子"),
        pytest.param("周末再试试", False, False, id="打算"),
        pytest.param("好了吗", False, False, id="问句"),
    ],
)
def test_confirmation(said: str, asked: bool, worked: bool) -> None:
    assert confirms(sentences(said), asked=asked, problem="the tap drips 水龙头滴水") is worked


def test_steps_are_numbered_and_the_turns_named() -> None:
    (made,) = solutions(
        [
            Turn("user", "hello"),
            Turn("user", "my kettle trips the fuse"),
            Turn("assistant", "Is it old? Then descale it first."),
            Turn("user", "did that, no change"),
            Turn("assistant", "Then the heating coil leaks. Replace the coil or the kettle."),
            Turn("user", "new coil, no trips since Sunday"),
            Turn("assistant", "So it was the coil."),
        ]
    )
    assert made.problem == "The user's kettle trips the fuse"
    assert made.solution.splitlines() == [
        "1. Then descale it first",
        "2. Then the heating coil leaks",
        "3. Replace the coil or the kettle",
        "So it was the coil",
    ]
    assert made.turns == (1, 2, 4, 5)


def test_what_the_user_did_alone_counts() -> None:
    talk = [Turn("user", "our invoices get lost in the post"), Turn("user", "we fixed it by sending them with a barcode")]
    (made,) = solutions(talk)
    assert has(made.solution, ["barcode"])
    assert made.turns == (0, 1)


def test_late_success_is_about_something_else() -> None:
    idle = [Turn("user", "ok"), Turn("assistant", "Anything else?")] * 3
    talk = [Turn("user", "the lamp flickers"), Turn("assistant", "Tighten the bulb."), *idle, Turn("user", "works")]
    assert solutions(talk) == ()


def test_credentials_are_no_step() -> None:
    talk = [
        Turn("user", "login fails"),
        Turn("assistant", "Use the password: hunter22. Clear the cookies."),
        Turn("user", "works now"),
    ]
    assert [made.solution for made in solutions(talk)] == ["Clear the cookies"]


@given(st.lists(st.builds(Turn, st.sampled_from(["user", "agent", "tool"]), st.text(max_size=60)), max_size=6))
def test_any_talk(turns: list[Turn]) -> None:
    for made in solutions(turns):
        assert made.problem
        assert made.solution
        assert list(made.turns) == sorted(set(made.turns))
