"""Extraction without a model: talks in English and Chinese, sentence by sentence, any text, hostile text."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import Talk, has, talks

from memlite.rules import distil
from memlite.rules.extract import CONFIDENCE, Extraction, Fact, Turn, extract

NOW_MS = 1_772_323_200_000  # Sunday, 1 March 2026
FACTS = talks("talks_facts.txt")
EMPTY = talks("talks_empty.txt")


def facts(*lines: str, at_ms: int | None = None) -> list[Fact]:
    """The facts of a talk; a line of the agent's begins with "A: ", one of a tool with "T: ", the others are the user's."""
    roles = {"A: ": "assistant", "T: ": "tool", "S: ": "system"}
    turns = [
        Turn(roles[line[:3]], line[3:], at_ms) if line[:3] in roles else Turn("user", line, at_ms)  # type: ignore[arg-type]
        for line in lines
    ]
    return list(extract(turns).facts)


def texts(*lines: str, at_ms: int | None = None) -> list[str]:
    return [fact.text for fact in facts(*lines, at_ms=at_ms)]


# -- whole talks


@pytest.mark.parametrize("talk", FACTS, ids=lambda talk: talk.title)
def test_talk(talk: Talk) -> None:
    told = [fact.text for fact in extract(talk.turns).facts]
    for wordings in talk.wanted:
        assert any(has(text, words) for text in told for words in wordings), told
    for words in talk.refused:
        assert not any(has(text, words) for text in told), told


@pytest.mark.parametrize("talk", EMPTY, ids=lambda talk: talk.title)
def test_nothing_is_kept(talk: Talk) -> None:
    assert extract(talk.turns) == Extraction((), ())


# -- sentence by sentence


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        pytest.param("I mend clocks", ["By their own account, the user mends clocks."], id="the present tells a habit"),
        pytest.param("I am mending a clock", [], id="the progressive tells of now"),
        pytest.param("I'm learning Basque with a tutor", ["The user is learning Basque with a tutor."], id="what takes months"),
        pytest.param("I mended a clock", [], id="one thing done"),
        pytest.param(
            "Omar Haddad is allergic to peanuts",
            ["The user knows Omar Haddad, who is allergic to peanuts."],
            id="a name is of someone the user knows",
        ),
        pytest.param(
            "Raw readings are kept for 18 months",
            ["Raw readings are kept for 18 months."],
            id="the capital of a first word makes no name",
        ),
        pytest.param(
            "I moved to Szeged with my brother", ["The user moved to Szeged with the user's brother."], id="a turn of life"
        ),
        pytest.param("I moved the file to the archive", [], id="the same verb, no turn of life"),
        pytest.param("I've lived in Szeged for nine years", ["The user has lived in Szeged for nine years."], id="for years"),
        pytest.param("I've lost my keys", [], id="a mishap"),
        pytest.param("I have two donkeys and a mule", ["The user has two donkeys and a mule."], id="what one owns"),
        pytest.param("I have a question about donkeys", [], id="what one has for the moment"),
        pytest.param("I can't eat shellfish at all", ["The user can not eat shellfish at all."], id="what one can't"),
        pytest.param("I can't open the attachment", [], id="what won't work"),
        pytest.param("I think I might be allergic to cats", [], id="a guess about oneself"),
        pytest.param("if I were rich I'd live in Nice", [], id="a wish"),
        pytest.param(
            "My brother works as a diver in Split", ["The user's brother works as a diver in Split."], id="somebody else"
        ),
        pytest.param("my brother needs a new mask", [], id="somebody else's errand"),
        pytest.param("Our bakery closes on Mondays", ["The user's bakery closes on Mondays."], id="a place of ours"),
        pytest.param("the bakery was closed", [], id="what was found"),
        pytest.param("We deploy with Ansible", ["The user's team deploys with Ansible."], id="a setup"),
        pytest.param(
            "every letter must be signed by our notary", ["Every letter must be signed by the user's notary."], id="a rule"
        ),
        pytest.param(
            "never send drafts without asking me",
            ["The user wants the assistant never to send drafts without asking the user."],
            id="an order for good",
        ),
        pytest.param("send the draft without asking me", [], id="an order for now"),
        pytest.param("Nurse here, any tips for sore feet?", [], id="a fragment with a question"),
        pytest.param(
            "as a beekeeper I wonder what to plant", ["By their own account, the user is a beekeeper."], id="a trade in passing"
        ),
        pytest.param(
            "a scarf for my aunt, who speaks only Welsh", ["The user's aunt speaks only Welsh."], id="a clause in passing"
        ),
        pytest.param("I live in Klagenfurt, freezing tonight", ["The user lives in Klagenfurt."], id="the passing part falls"),
        pytest.param("the preview of my site runs on localhost:4000", [], id="a place on this machine"),
        pytest.param("我叫顾云深，在敦煌做讲解员", ["用户叫顾云深，在敦煌做讲解员。"], id="姓名和职业"),
        pytest.param("我对花生过敏，今天有点咳嗽", ["据用户自己所说，用户对花生过敏。"], id="过敏留下，咳嗽不留"),
        pytest.param("我妈住在绍兴，腿脚不太好", ["用户的妈住在绍兴，腿脚不太好。"], id="妈妈的情况"),
        pytest.param("我们仓库要求每次提交都必须写工单号", ["用户的仓库要求每次提交都必须写工单号。"], id="仓库的规定"),
        pytest.param("以后都用敬语回答我", ["用户要求助手以后都用敬语回答用户。"], id="以后的要求"),
        pytest.param("用敬语回答我", [], id="这一次的要求"),
        pytest.param("我可能对猫毛过敏", [], id="不确定的"),
        pytest.param("我昨天去了趟敦煌", [], id="一次经历"),
        pytest.param("换成后面那个就有声音了", [], id="试出来的结果"),
        pytest.param("Ilse, my neighbour, keeps geese", ["The user's neighbour Ilse keeps geese."], id="an apposition"),
        pytest.param("Ilse, my neighbour, and I went home", [], id="two subjects are none"),
        pytest.param("今年考律师证", ["据用户自己所说，用户今年考律师证。"], id="今年的考试"),
        pytest.param("今年考虑换电脑", [], id="考虑不是考试"),
        pytest.param("Now I grind my own flour", ["The user now grinds the user's own flour."], id="now goes behind its subject"),
        pytest.param("我们的行李丢得到处都是", [], id="到处都是不是规定"),
        pytest.param("my scanner gives black pages", [], id="a fault in the present tense"),
        pytest.param(
            "我姑姑腰不好，那边没电梯，住四楼",
            ["据用户自己所说，用户的姑姑腰不好。", "据用户自己所说，用户的姑姑住四楼。"],
            id="那边不是谁",
        ),
    ],
)
def test_sentence(said: str, kept: list[str]) -> None:
    assert texts(said) == kept


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        pytest.param(["A: Do you live in Tartu?", "yes, since 2016"], ["The user lives in Tartu, since 2016."], id="yes"),
        pytest.param(["A: Do you live in Tartu?", "no"], [], id="no"),
        pytest.param(["A: So you live in Tartu.", "no, Narva"], ["By their own account, the user lives in Narva."], id="no, but"),
        pytest.param(
            ["A: Does your aunt live in Tartu?", "she does"], ["The user's aunt lives in Tartu."], id="of somebody else"
        ),
        pytest.param(["A: Where do you work?", "a print shop"], ["The user works at a print shop."], id="where"),
        pytest.param(["A: What's your name?", "Ottilie"], ["The user's name is Ottilie."], id="a name"),
        pytest.param(["A: Should I use tabs?", "yes"], [], id="an offer"),
        pytest.param(["A: Did you restart it?", "yes"], [], id="a check"),
        pytest.param(
            ["A: Tabs or spaces?", "tabs, always"],
            ['The user has this answer to "tabs or spaces": tabs, always.'],
            id="by principle",
        ),
        pytest.param(["A: Tabs or spaces?", "tabs"], [], id="for now"),
        pytest.param(["A: Pan too hot? Try less gas.", "half the gas, no smoke"], [], id="advice came after the question"),
        pytest.param(["gifts for Ada and Bo?", "A: Are they your kids?", "yes"], [], id="what says nothing"),
        pytest.param(["A: 您住在泉州吗？", "对，住了八年多了"], ["用户住在泉州，住了八年多了。"], id="对"),
        pytest.param(["A: 您平时用什么编辑器？", "Helix"], ["据用户自己所说，用户平时用Helix。"], id="什么"),
        pytest.param(["A: 要我重启吗？", "对"], [], id="提议"),
    ],
)
def test_answer(lines: list[str], kept: list[str]) -> None:
    assert texts(*lines) == kept


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        pytest.param(["I live in Turku", "wait, I meant Tampere"], ["The user lives in Tampere."], id="meant"),
        pytest.param(
            ["Our choir meets on Thursdays", "sorry, Fridays"],
            ["The user's choir meets on Fridays."],
            id="the same sort of value",
        ),
        pytest.param(["I live in Turku", "I live in Tampere now"], ["The user lives in Tampere now."], id="said anew"),
        pytest.param(
            ["My son plays chess in Turku", "my son, not my nephew"],
            ["The user's son plays chess in Turku."],
            id="nothing to set right",
        ),
        pytest.param(["I'm a locksmith in Turku", "just kidding"], [], id="a joke"),
        pytest.param(["I'm a locksmith in Turku", "please don't store that"], [], id="not to be stored"),
        pytest.param(["我住在泉州，做陶瓷", "不对，不是泉州，是漳州"], ["据用户自己所说，用户住在漳州，做陶瓷。"], id="改正城市"),
    ],
)
def test_correction(lines: list[str], kept: list[str]) -> None:
    assert texts(*lines) == kept


@pytest.mark.parametrize(
    ("lines", "origin", "turns"),
    [
        pytest.param(["I keep bees in Devon"], "user_stated", (0,), id="said by the user"),
        pytest.param(["hi", "A: I take it you keep bees in Devon?", "exactly"], "user_confirmed", (1, 2), id="a guess confirmed"),
        pytest.param(["hi", "A: Where do you live?", "Devon"], "user_stated", (1, 2), id="a question answered"),
        pytest.param(
            ["hi", "A: The README says the tide-api service requires Go 1.22."], "tool_output", (1,), id="read by the agent"
        ),
        pytest.param(
            ["hi", "T: According to the config, the tide-api service uses Redis."], "tool_output", (1,), id="given by a tool"
        ),
    ],
)
def test_origin(lines: list[str], origin: str, turns: tuple[int, ...]) -> None:
    (fact,) = facts(*lines)
    assert (fact.origin, fact.turns, fact.confidence) == (origin, turns, CONFIDENCE[fact.origin])


@pytest.mark.parametrize(
    ("said", "text", "occurred_ms"),
    [
        pytest.param("I moved to Szeged last year", "The user moved to Szeged in 2025.", 1_735_689_600_000, id="a past year"),
        pytest.param(
            "I'm moving to Szeged next month", "The user is moving to Szeged in April 2026.", NOW_MS, id="a month to come"
        ),
        pytest.param("I was born in 1961 in Szeged", "The user was born in 1961 in Szeged.", NOW_MS, id="before all times"),
        pytest.param("我去年搬到了苏州河边的老房子", "用户2025年搬到了苏州河边的老房子。", 1_735_689_600_000, id="去年"),
    ],
)
def test_dates_are_said_in_full(said: str, text: str, occurred_ms: int) -> None:
    (fact,) = facts(said, at_ms=NOW_MS)
    assert (fact.text, fact.occurred_ms) == (text, occurred_ms)


def test_subject_names_whom_it_is_about() -> None:
    told = facts("My neighbour Ilse keeps bees. I keep geese. our app runs on Kubernetes in Frankfurt")
    assert [fact.subject for fact in told] == ["neighbour Ilse", "user", "app"]


@pytest.mark.parametrize(
    "said", ["my password is Xk9-Tr4lala", "the api key: sk-abcdefghijklmnop123456", "我的密码是 Xk9Tr4lala"]
)
def test_secrets_are_not_repeated(said: str) -> None:
    assert not any("Tr4" in text or "sk-" in text for text in texts(said, f"I live in Graz. {said}"))


def test_system_turns_are_not_read() -> None:
    assert texts("S: I live in Graz and I keep bees.") == []


# -- any text


ROLE = st.sampled_from(["user", "assistant", "agent", "tool", "system"])
PIECE = st.sampled_from(
    [
        "I ",
        "my ",
        "am ",
        "we ",
        "yes, ",
        "no, ",
        "not ",
        "is ",
        "Bob ",
        "{a} ",
        "{1} ",
        '"',
        "“",
        "我",
        "我们",
        "叫",
        "不是",
        "，",
        "。",
        "?",
        "\n",
        "in 2019 ",
    ]
)
TEXT = st.one_of(st.text(max_size=80), st.lists(PIECE, max_size=25).map("".join))
TURNS = st.lists(st.builds(Turn, ROLE, TEXT, st.one_of(st.none(), st.integers(-(10**15), 10**15)), st.none()), max_size=7)


@given(TURNS, st.one_of(st.none(), st.integers(0, 10**14)))
def test_any_talk_is_read_the_same_each_time(turns: list[Turn], now_ms: int | None) -> None:
    read = extract(turns, now_ms)
    assert read == extract(turns, now_ms)
    for fact in read.facts:
        assert fact.text.endswith((".", "。"))
        assert 0 < fact.confidence <= 1
        assert all(0 <= turn < len(turns) for turn in fact.turns)
        assert list(fact.turns) == sorted(set(fact.turns))


HOSTILE = {
    "letters": "a",
    "spaces": " ",
    "quotes": '"',
    "open quotes": "“",
    "commas": ",",
    "brackets": "(",
    "fences": "```",
    "lines": "\n",
    "I am": "I am ",
    "not": "not ",
    "and I": " and I",
    "my my": "my ",
    "names": "Bob ",
    "who": "my x who is ",
    "digits": "1-",
    "hyphens": "a-",
    "years": "in 2019 ",
    "months": "may 1 ",
    "weeks": "上周",
    "我": "我",
    "commas zh": "我，",
    "companies": "我们公司",
    "facts": "I like tea. ",
    "facts zh": "我喜欢喝茶。",
    "corrections": "no, I meant Tuesday. ",
    "success": "it works now. ",
    "passwords": "password for x ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_64_kb_take_linear_time(piece: str) -> None:
    text = piece * (65_536 // len(piece))
    started = time.process_time()
    extract([Turn("user", text), Turn("assistant", text[:16_384]), Turn("tool", text[:16_384])], NOW_MS)
    assert time.process_time() - started < 5  # the best of these takes a twentieth of a second, the worst about one


# -- the rest


def test_examples_in_the_rules_hold() -> None:
    names = [
        "memlite.rules.extract",
        *(f"memlite.rules.distil.{module.name}" for module in pkgutil.iter_modules(distil.__path__)),
    ]
    failed = {name: doctest.testmod(importlib.import_module(name)).failed for name in names}
    assert not any(failed.values()), failed
