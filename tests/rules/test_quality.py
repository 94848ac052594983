"""The quality gate: 1,500 sentences by code, the near misses by name, the order of the rules, hostile text."""

from __future__ import annotations

import time
from collections import Counter
from functools import cache

import pytest
from cases import sections
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.quality import OK, RULES, Verdict, judge

CASES = list(sections("gate_cases.txt"))
CODES = (
    "too_short",
    "local_coordinate",
    "command_history",
    "agent_action",
    "ai_instruction",
    "transient",
    "date_only",
    "low_value",
    "vague",
    "no_durable_subject",
    "no_durable_relation",
)
SESSION_NOISE = {"local_coordinate", "command_history", "agent_action", "ai_instruction"}


@cache
def verdict_on(text: str) -> Verdict:
    return judge(text)


def test_the_rules_stand_in_the_order_of_the_specification() -> None:
    assert tuple(code for code, _ in RULES) == CODES


def test_every_code_has_cases_in_both_languages() -> None:
    chinese = Counter(code for code, text in CASES if not text.isascii() and any("\u4e00" <= char <= "\u9fff" for char in text))
    every = Counter(code for code, _ in CASES)
    assert all(every[code] - chinese[code] >= 5 and chinese[code] >= 3 for code in (*CODES, OK)), (every, chinese)


@pytest.mark.parametrize("code", [OK, *CODES])
def test_kept_or_refused(code: str) -> None:
    assert [text for label, text in CASES if label == code and verdict_on(text).accept != (code == OK)] == []


def test_the_reason_is_the_one_a_reader_would_give() -> None:
    refused = [(code, verdict_on(text)) for code, text in CASES if code != OK]
    named = sum(code == verdict.reason or code in verdict.also for code, verdict in refused)
    assert named / len(refused) >= 0.93


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("User's dog is called Ole", OK, id="24 columns are enough"),
        pytest.param("User's dog is named Ole", "too_short", id="23 are not"),
        pytest.param("用户住在青岛崂山区东边", "too_short", id="eleven Chinese characters are 22 columns"),
        pytest.param("用户住在青岛崂山区的东边", OK, id="twelve are 24"),
        pytest.param("Team rule: no test may write to /tmp outside its own folder.", OK, id="a rule about /tmp"),
        pytest.param("Project tests write their results to /tmp/results.xml.", "local_coordinate", id="a file in /tmp"),
        pytest.param(
            "The handbook forbids localhost in any shipped configuration.", "no_durable_subject", id="a rule of nobody's"
        ),
        pytest.param("Project fixtures are kept in tests/fixtures/home/ as text.", OK, id="home inside a repository"),
        pytest.param("The project's user list is served at /users/{id}/friends.", OK, id="a route is no folder"),
        pytest.param("User runs a kennel for rescued greyhounds near Jever.", OK, id="to run a kennel"),
        pytest.param("User ran `make clean` and the folder was empty.", "command_history", id="to run a command"),
        pytest.param("Every script of the team must end with exit code 0 or 3.", OK, id="exit codes in a rule"),
        pytest.param("The literary agent of the user negotiated a new contract in 2021.", OK, id="an agent of flesh and blood"),
        pytest.param("The agent negotiated a lower price for the user's ticket.", "agent_action", id="the agent"),
        pytest.param("User wants the assistant to name its sources.", OK, id="what the user wants of the model"),
        pytest.param("Assistant must name its sources to the user.", "ai_instruction", id="what somebody orders it to do"),
        pytest.param('User has "You are what you repeat" on the wall.', OK, id="a quotation speaks to nobody"),
        pytest.param("User's band is called Right Now and plays ska.", OK, id="a name tells no time"),
        pytest.param("User is out of breath right now after the stairs.", "transient", id="right now"),
        pytest.param("User is out of breath whenever pollen counts are high.", OK, id="a state that comes back"),
        pytest.param("User's shop opens on 2 May each year for the season.", OK, id="a date that comes back"),
        pytest.param("The user said that it was 2 May already.", "date_only", id="a date"),
        pytest.param("User writes greetings for a card publisher in Husum.", OK, id="greetings for a living"),
        pytest.param("User sent greetings to the assistant and left.", "low_value", id="greetings"),
        pytest.param("用户要求助手发邮件之前必须先给她看草稿。", OK, id="要求是长期的"),
        pytest.param("用户请助手把这段话翻译成英文。", "no_durable_relation", id="要求只有一次"),
        pytest.param(
            "The assistant wrote a style guide which all staff must use from now on.", OK, id="a deed that leaves a rule"
        ),
        pytest.param("The assistant wrote a style guide that the team liked.", "agent_action", id="a deed that leaves none"),
        pytest.param("用户要求助手每次都先问用户再订票。", OK, id="用户开头不是用"),
        pytest.param("用户的老房子没电梯，住在六楼。", OK, id="没电梯不是没电"),
        pytest.param("用户的平板没电了，只好先不看。", "transient", id="没电是一时的"),
        pytest.param("The command `poetry lock` ended after a while.", "command_history", id="a command in quotation marks"),
        pytest.param("User wants the second slide a bit brighter.", "no_durable_relation", id="a wish for now"),
        pytest.param("用户希望提交信息用英文写。", OK, id="每次提交都算"),
        pytest.param("用户希望这段说明用英文写。", "no_durable_relation", id="只是这一段"),
        pytest.param("用户的助理小柯每周五汇总报销单。", OK, id="助理是人"),
        pytest.param("助手汇总了用户的报销单并发了出去。", "agent_action", id="助手是智能体"),
    ],
)
def test_near_misses(text: str, reason: str) -> None:
    assert judge(text).reason == reason


def test_later_reasons_are_kept_beside_the_first() -> None:
    verdict = judge("Agent wrote the log to /tmp/agent/run.log just now.")
    assert verdict == Verdict(accept=False, reason="local_coordinate", also=("agent_action", "transient", *verdict.also[2:]))


@given(st.text(max_size=400))
def test_any_text_has_one_verdict(text: str) -> None:
    verdict = judge(text)
    assert verdict == judge(text)
    assert verdict.accept == (verdict.reason == OK) == (not verdict.also and verdict.reason not in CODES)


@given(st.sampled_from(CASES), st.sampled_from(["", " ", "\n", "\u3000"]))
def test_spaces_around_a_text_change_nothing(case: tuple[str, str], space: str) -> None:
    assert judge(space + case[1] + space) == judge(case[1])


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "1",
        "/",
        "'",
        "「",
        "the ",
        "用户",
        "助手了",
        "is ing ",
        "user's ",
        "a-",
        "aa:",
        "10.",
        "某",
        "和、",
        "\u0301\u0327",
        "ﷺ",
        "ran the a ",
        "test run 1 ",
    ],
)
def test_64_kb_of_anything_are_judged_at_once(piece: str) -> None:
    text = piece * (65_536 // len(piece.encode()))
    start = time.process_time()
    judge(text)
    assert time.process_time() - start < 0.25  # 50 ms on a quiet machine; a quadratic rule takes seconds
