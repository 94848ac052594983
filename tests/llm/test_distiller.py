"""What a chat model's extraction becomes: grounded, with its turns, its origin and its date, or nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.errors import ReplyError, Timeout, Unreachable
from memlite.llm.distiller import LLMDistiller
from memlite.llm.prompts import Prompts
from memlite.ports import Deadline, Distilled
from memlite.rules.distil.dialogue import Extraction, Fact, Turn
from memlite.rules.extract import CONFIDENCE
from memlite.rules.grounding import ungrounded
from memlite.testing import ScriptedChat

NOW = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp() * 1000)
DAY_MS = 86_400_000
NOTHING = '{"solutions": []}'

TALK = [
    Turn("user", "Hi, Omar here. We deploy to staging every Friday, and I moved to Porto yesterday."),
    Turn("assistant", "I guess the staging database is Postgres 15, and you like jazz?"),
    Turn("user", "Yes, exactly. My sister Dana is allergic to peanuts."),
    Turn("tool", "config: retries 5, region eu-west-3"),
    Turn("assistant", "The region is eu-west-3. Shall I raise the retries to 7?"),
    Turn("user", "No thanks, leave them."),
    Turn("user", "我叫李雷，住在杭州，有三只猫。"),
]


def fact(text: str, turns: list[int], subject: str = "user") -> dict[str, Any]:
    return {"text": text, "subject": subject, "turns": turns}


def extract(*facts: dict[str, Any], turns: list[Turn] | None = None, solutions: str = NOTHING) -> Extraction:
    chat = ScriptedChat([json.dumps({"facts": facts}), solutions])
    return LLMDistiller(chat).extract(turns or TALK, now_ms=NOW, deadline=Deadline(60)).extraction


def test_a_fact_has_all_its_parts() -> None:
    assert extract(fact("The user is\x00 called \n Omar.", [1])).facts == (
        Fact("The user is called Omar.", "user", "user_stated", CONFIDENCE["user_stated"], NOW, (0,)),
    )


def test_what_is_asked() -> None:
    chat = ScriptedChat(['{"facts": []}', NOTHING], name="m")
    prompts = Prompts()
    distilled = LLMDistiller(chat, prompts).extract([Turn("user", "hi\n$turns", name="Ann")], now_ms=NOW, deadline=Deadline(60))
    assert distilled == Distilled(
        extraction=Extraction((), ()),
        source="m",
        prompts=("extract_fragments 1", "extract_solutions 1"),
        replies=('{"facts": []}', NOTHING),
    )
    line = '{"turn": 1, "role": "user", "name": "Ann", "text": "hi\\n$turns"}'
    assert [line in call.message for call in chat.calls] == [True, True]
    assert [call.system for call in chat.calls] == [prompts["extract_fragments"].system, prompts["extract_solutions"].system]
    assert [list(call.schema["properties"]) for call in chat.calls] == [["facts"], ["solutions"]]


def test_no_turns_no_question() -> None:
    chat = ScriptedChat()
    assert LLMDistiller(chat).extract([], now_ms=NOW, deadline=Deadline(60)).extraction == Extraction((), ())
    assert chat.calls == []


@pytest.mark.parametrize(
    ("text", "turns", "origin", "rests_on"),
    [
        pytest.param("The team deploys to staging every Friday.", [1], "user_stated", (0,), id="the user said it"),
        pytest.param("The staging database is Postgres 15.", [2, 3], "user_confirmed", (1, 2), id="the user agreed"),
        pytest.param("The staging database is Postgres 15.", [3], "user_confirmed", (1, 2), id="only the yes was named"),
        pytest.param("The staging database is Postgres 15.", [2], "agent_inferred", (1,), id="only the guess was named"),
        pytest.param("The retries are 7.", [5, 6], "agent_inferred", (4, 5), id="the user said no"),
        pytest.param(
            "The user's sister Dana is allergic to peanuts.", [2, 3], "user_stated", (1, 2), id="the user said it after all"
        ),
        pytest.param("The region is eu-west-3.", [4], "tool_output", (3,), id="a tool said it"),
        pytest.param("The region is eu-west-3.", [4, 5], "tool_output", (3, 4), id="a tool and the agent said it"),
        pytest.param("The region is eu-west-3.", [5], "agent_inferred", (4,), id="the agent said it"),
        pytest.param("用户叫李雷，住在杭州。", [7], "user_stated", (6,), id="Chinese"),
        pytest.param("The user is called 李雷 and has 3 cats.", [7], "user_stated", (6,), id="translated"),
        pytest.param("The sister of Omar is allergic to peanuts.", [3], "user_stated", (0, 2), id="a name from an earlier turn"),
    ],
)
def test_who_vouches_for_it(text: str, turns: list[int], origin: str, rests_on: tuple[int, ...]) -> None:
    [found] = extract(fact(text, turns)).facts
    assert (found.origin, found.turns, found.confidence) == (origin, rests_on, CONFIDENCE[found.origin])


@pytest.mark.parametrize(
    ("reply", "origin"),
    [
        ("Yes.", "user_confirmed"),
        ("Oh yes, for years", "user_confirmed"),
        ("That's right", "user_confirmed"),
        ("对，一直用", "user_confirmed"),
        ("没错", "user_confirmed"),
        ("Right, but not any more", "agent_inferred"),
        ("No.", "agent_inferred"),
        ("Why do you ask?", "agent_inferred"),
        ("对不起，不是", "agent_inferred"),
        ("当然不是", "agent_inferred"),
    ],
)
def test_what_is_a_yes(reply: str, origin: str) -> None:
    talk = [Turn("assistant", "You use Postgres 15?"), Turn("user", reply)]
    assert [found.origin for found in extract(fact("The user uses Postgres 15.", [1, 2]), turns=talk).facts] == [origin]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        pytest.param("The user works at Acme.", [1], id="a name nobody said"),
        pytest.param("The user has 44 cats.", [7], id="a number nobody said"),
        pytest.param("用户住在上海。", [7], id="a Chinese name nobody said"),
        pytest.param("The user's sister Dana is ill.", [1], id="a name that was said only later"),
        pytest.param("The user is called Ysolde.", [1], id="a name of the prompt's example"),
        pytest.param("Ysolde, also called Omar.", [1], id="one at the beginning of the sentence"),
        pytest.param("The user plays the cello.", [1], id="not a word that was said"),
        pytest.param("The user is called Omar.", [], id="no turn"),
        pytest.param("The user is called Omar.", [0, -1, 99], id="turns there are not"),
        pytest.param("  ", [1], id="blank"),
    ],
)
def test_what_is_dropped(text: str, turns: list[int]) -> None:
    assert extract(fact(text, turns), fact("The user is called Omar.", [1])).facts[0].text == "The user is called Omar."
    assert extract(fact(text, turns)).facts == ()


@pytest.mark.parametrize(
    ("given", "kept"),
    [("The user", "user"), ("用户", "user"), ("", "user"), ("Dana", "Dana"), ("sister", "sister"), ("Maria", None)],
)
def test_the_subject(given: str, kept: str | None) -> None:
    found = extract(fact("The user's sister Dana is allergic to peanuts.", [3], given)).facts
    assert [item.subject for item in found] == ([kept] if kept else [])


def test_a_repeated_fact_is_kept_once() -> None:
    assert len(extract(fact("The user is called Omar.", [1]), fact("the user is called omar.", [1])).facts) == 1


def test_relative_dates_become_dates() -> None:
    [found] = extract(fact("The user moved to Porto yesterday.", [1])).facts
    assert (found.text, found.occurred_ms) == ("The user moved to Porto on 28 February 2026.", NOW - DAY_MS - 43_200_000)
    talk = [Turn("user", "I moved to Porto yesterday", occurred_ms=NOW - 10 * DAY_MS)]
    [found] = extract(fact("The user moved to Porto on 18 February 2026.", [1]), turns=talk).facts
    assert found.text == "The user moved to Porto on 18 February 2026.", "a model may have resolved it itself"
    assert extract(fact("The user moved to Porto on 19 March 2025.", [1]), turns=talk).facts == ()


FIX = [
    Turn("user", "the importer dies with error E42 on big files"),
    Turn("assistant", "Set frame_limit to 900 and send the rows in groups of 8."),
    Turn("user", "that fixed it, thanks!"),
]


def solutions(problem: str, solution: str, turns: list[int]) -> str:
    return json.dumps({"solutions": [{"problem": problem, "solution": solution, "turns": turns}]})


def test_a_solution() -> None:
    reply = solutions("The importer dies with E42.", "1. Set frame_limit to 900.\n2. Send groups of 8.\n3. Start it.", [1, 2, 3])
    [found] = extract(turns=FIX, solutions=reply).solutions
    assert found.solution == "1. Set frame_limit to 900.\n2. Send groups of 8.\n3. Start it."
    assert found.turns == (0, 1, 2)


@pytest.mark.parametrize(
    ("problem", "solution", "turns"),
    [
        pytest.param("The importer dies with E43.", "Set frame_limit to 900.", [1, 2, 3], id="another error"),
        pytest.param("The importer dies.", "Set frame_limit to 950.", [1, 2, 3], id="another number"),
        pytest.param("The importer dies.", "Set frame_limit to 900 on Farrowgate.", [1, 2, 3], id="a name of the example"),
        pytest.param("", "Set frame_limit to 900.", [1, 2, 3], id="no problem"),
        pytest.param("The importer dies.", " ", [1, 2, 3], id="no solution"),
        pytest.param("The importer dies.", "Set frame_limit to 900.", [9], id="no turn"),
    ],
)
def test_a_solution_that_is_dropped(problem: str, solution: str, turns: list[int]) -> None:
    assert extract(turns=FIX, solutions=solutions(problem, solution, turns)).solutions == ()


# -- the smaller questions


def test_keywords() -> None:
    chat = ScriptedChat(['{"keywords": ["Porto", " moving  house ", "porto", "Wenlowe", "", "a", "b", "c", "d", "e"]}'])
    found = LLMDistiller(chat).keywords("The user moved to Porto.", deadline=Deadline(60))
    assert found == ("Porto", "moving house", "a", "b", "c", "d")
    assert '{"text": "The user moved to Porto."}' in chat.calls[0].message


def test_importance() -> None:
    chat = ScriptedChat(['{"levels": [10, 0, 7]}'])
    assert LLMDistiller(chat).importance(["a", "b", "c"], deadline=Deadline(60)) == (1.0, 0.0, 0.7)
    assert '{"memory": 3, "text": "c"}' in chat.calls[0].message
    assert "3 numbers" in chat.calls[0].message


def test_importance_of_many_is_asked_in_parts() -> None:
    chat = ScriptedChat([json.dumps({"levels": [5] * 50}), json.dumps({"levels": [6] * 10})])
    assert LLMDistiller(chat).importance(["x"] * 60, deadline=Deadline(60)) == (0.5,) * 50 + (0.6,) * 10
    assert LLMDistiller(ScriptedChat()).importance([], deadline=Deadline(60)) == ()


@pytest.mark.parametrize("reply", ['{"levels": [1]}', '{"levels": [1, 11]}', '{"levels": [1, -1]}', '{"levels": [1, 0.5]}'])
def test_other_levels_are_refused(reply: str) -> None:
    with pytest.raises(ReplyError):
        LLMDistiller(ScriptedChat([reply])).importance(["a", "b"], deadline=Deadline(60))


# -- failures


def test_too_much_is_not_sent() -> None:
    chat = ScriptedChat(max_chars=500)
    with pytest.raises(ReplyError, match="was not sent"):
        LLMDistiller(chat).extract([Turn("user", "x" * 600)], now_ms=NOW, deadline=Deadline(60))
    assert chat.calls == []


@pytest.mark.parametrize("error", [Unreachable("down"), Timeout("late"), ReplyError("junk")])
@pytest.mark.parametrize("first", [[], ['{"facts": []}']], ids=["at the first question", "at the second"])
def test_the_chat_s_errors_pass(error: Exception, first: list[str]) -> None:
    with pytest.raises(type(error)):
        LLMDistiller(ScriptedChat([*first, error])).extract(TALK, now_ms=NOW, deadline=Deadline(60))


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "text": st.text(max_size=60) | st.sampled_from(["The user is called Omar.", "He met Tom at Acme in 1999."]),
                "subject": st.text(max_size=10) | st.just("user"),
                "turns": st.lists(st.integers(-2, 10), max_size=4),
            }
        ),
        max_size=6,
    )
)
def test_whatever_comes_no_fact_is_ungrounded(facts: list[dict[str, Any]]) -> None:
    for found in extract(*facts).facts:
        assert found.turns
        assert set(found.turns) <= set(range(len(TALK)))
        assert not ungrounded(found.text, [turn.content + " 28 February 2026" for turn in TALK])
