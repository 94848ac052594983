"""Secrets and personal details: what is found and what is harmless, by table; redaction; any text; hostile text."""

from __future__ import annotations

import time

import pytest
from cases import sections
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules import redact
from memlite.rules.redact import Class, findings, redacted
from memlite.rules.sensitive.finding import fold

CASES: list[tuple[Class, str, str]] = [
    *(("secret", kind, text) for kind, text in sections("secret_cases.txt")),
    *(("pii", kind, text) for kind, text in sections("pii_cases.txt")),
]
HARMLESS = [text for _, text in sections("harmless_cases.txt")]


def split(marked: str) -> tuple[str, str, str]:
    """What stands before the value, the value, and what stands after it."""
    before, _, rest = marked.replace("\\n", "\n").partition("⟦")
    value, _, after = rest.partition("⟧")
    return before, value, after


@pytest.mark.parametrize(("class_", "kind", "marked"), CASES, ids=[f"{kind}: {text}" for _, kind, text in CASES])
def test_found(class_: Class, kind: str, marked: str) -> None:
    before, value, after = split(marked)
    text = before + value + after
    assert [(one.class_, one.kind, text[one.start : one.end]) for one in findings(text)] == [(class_, kind, value)]
    assert redacted(text) == f"{before}[{class_}:{kind}]{after}"


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless(text: str) -> None:
    assert findings(text) == ()
    assert redacted(text) == text


def test_only_the_classes_asked_for_are_taken_out() -> None:
    text = "The password is hunter2, my mobile is 07700 900456."
    assert redacted(text, ["secret"]) == "The password is [secret:password], my mobile is 07700 900456."
    assert redacted(text, ["pii"]) == "The password is hunter2, my mobile is [pii:phone]."
    assert redacted(text, []) == text


def test_a_secret_hides_the_personal_detail_inside_it() -> None:
    assert [one.kind for one in findings("https://kim:walrus7@mail.example.org/")] == ["url_password"]


def test_wide_characters_are_read_and_kept() -> None:
    assert redacted("密码：Ａｂ１２３４，别外传") == "密码：[secret:password]，别外传"


def test_what_a_mark_says_is_no_keyword() -> None:
    text = "[secret:password] is qwer1234 in the old note"
    assert findings(text) == ()


PIECES = st.sampled_from(
    """password passcode PIN token api-key secret is : = -> " ' hunter2 4821 482913 sunshine wrong the word lake as the password
    is your code backup codes: seed phrase 4242424242424242 +44 7700 900321 a@b.example //x:y@z.example AKIA0Z0Z0Z0Z0Z0Z0Z0Z
    Bearer one two three four -----BEGIN RSA PRIVATE KEY----- 密码 是 验证码 ： ， 六个八 当密码 助记词 青石路 8号 301
    [secret:password] [pii:card] İ born 3 May 1951""".split()
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=20).map(" ".join), st.lists(PIECES, max_size=20).map("".join))


@given(TEXTS)
def test_findings_lie_in_the_text_in_order_and_apart(text: str) -> None:
    place = 0
    for one in findings(text):
        assert place <= one.start < one.end <= len(text)
        place = one.end


@given(TEXTS, st.sampled_from([("secret",), ("pii",), ("secret", "pii")]))
def test_redacting_again_changes_nothing(text: str, classes: tuple[Class, ...]) -> None:
    once = redacted(text, classes)
    assert redacted(once, classes) == once
    assert {one.class_ for one in findings(once)}.isdisjoint(classes)


HOSTILE = """a 1 1- 1, ( +1 a@ x_ // ://a: -eyJ eyJ. sk- SG. -----BEGIN.RSA.PRIVATE.KEY----- password.is password= pin.1234 token:
    token.for.a backup.codes: seed.phrase.is born.1 1.Aa.Road 1.A. .at. .dot. one. DE00 phone.1234567. account.1 is.your.code
    x.as.the.password enter.1.alarm 密码 密码是 密码1 路 路1号 路1. 二个 助记词:云. 出生 1990年 当密码 [secret:pin] ＡB""".split()
DEAREST = ["1-", "token:", "密码是"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_64_kb_take_linear_time(piece: str) -> None:
    assert seconds(piece, 65_536) < 0.5  # 50 ms on a quiet machine; a quadratic rule takes many seconds


@pytest.mark.parametrize("piece", DEAREST)
def test_a_megabyte_takes_about_a_second(piece: str) -> None:
    assert seconds(piece, 1_000_000) < 3  # .4 to 1.3 s on a quiet machine


def seconds(piece: str, size: int) -> float:
    """CPU time of finding in `size` characters of a repeated piece, a point in it being a space."""
    piece = piece.replace(".", " ")
    text = (piece * (size // len(piece) + 1))[:size]
    started = time.process_time()
    findings(text)
    return time.process_time() - started


@given(st.sampled_from(CASES), st.integers(0, 40), st.integers(0, 40))
def test_the_first_look_lets_through_what_a_finder_finds(case: tuple[Class, str, str], first: int, last: int) -> None:
    text = case[2][first : len(case[2]) - last]
    folded = fold(text)
    found = [one for finder in redact._FINDERS for one in finder(folded)]
    assert not found or redact._MAYBE.search(folded.low)
