"""What a rewriting may not lose or invent."""

from __future__ import annotations

import pytest

from memlite.rules.guard import affirmed, invented, lost_by_change, lost_by_merge, other_subject, relation


@pytest.mark.parametrize(
    ("text", "sources", "lost"),
    [
        pytest.param(
            "The loom has 8 shafts and came from Ystad.",
            ["The loom has 8 shafts.", "The loom came from Ystad."],
            [],
            id="all there",
        ),
        pytest.param(
            "The loom has 8 shafts.", ["The loom has 8 shafts.", "The loom came from Ystad."], ["ystad"], id="a name is gone"
        ),
        pytest.param("The loom has eight shafts.", ["The loom has 8 shafts."], [], id="a number in words is the number"),
        pytest.param("The class begins at 15:00.", ["The class begins at 3 pm."], [], id="a time of the day in 24 hours"),
        pytest.param("The loom is for sale.", ["The loom is not for sale."], ["not"], id="a negation is gone"),
        pytest.param(
            "The loom is not for sale and the wheel is.",
            ["The loom is not for sale.", "The wheel isn't and the loom isn't either."],
            ["not"],
            id="one of two negations is gone",
        ),
        pytest.param("织机有八片综，产自苏州。", ["织机有八片综。", "织机产自苏州。"], [], id="都在"),
        pytest.param("织机有综片。", ["织机有八片综。"], ["8"], id="数字丢了"),
        pytest.param("织机出售。", ["织机不出售。"], ["not"], id="否定丢了"),
    ],
)
def test_lost_by_merge(text: str, sources: list[str], lost: list[str]) -> None:
    assert [atom.value for atom in lost_by_merge(text, sources)] == lost


@pytest.mark.parametrize(
    ("text", "new", "old", "lost"),
    [
        pytest.param(
            "The loom has 12 shafts.", "The loom has 12 shafts.", "The loom has 8 shafts.", [], id="a number for a number"
        ),
        pytest.param("The loom is grey.", "The loom is grey.", "The loom has 8 shafts.", ["8"], id="nothing for a number"),
        pytest.param(
            "The loom has shafts.", "The loom has 12 shafts.", "The loom has 8 shafts.", ["12"], id="the new number is gone"
        ),
        pytest.param(
            "The choir sings in the hall.",
            "The choir sings in the hall, not in Ystad.",
            "The choir sings in Ystad.",
            [],
            id="what was wrong may go",
        ),
        pytest.param(
            "The loom is for sale again.", "The loom is for sale again.", "The loom is not for sale.", [], id="the opposite"
        ),
        pytest.param("The loom is grey.", "The loom is grey.", "The loom is not for sale.", ["not"], id="nothing for a negation"),
    ],
)
def test_lost_by_change(text: str, new: str, old: str, lost: list[str]) -> None:
    assert [atom.value for atom in lost_by_change(text, new, old)] == lost


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("The loom came from Ystad.", [], id="nothing"),
        pytest.param("The loom came from Ystad in 1920.", ["1920"], id="a year"),
        pytest.param("The loom came from Ystad by Olsen.", ["olsen"], id="a name"),
        pytest.param("The loom came from Ystad on a Monday.", ["monday"], id="a day"),
        pytest.param("The loom from Ystad is lovely, never idle.", [], id="words and negations are not looked at here"),
    ],
)
def test_invented(text: str, found: list[str]) -> None:
    assert [atom.value for atom in invented(text, ["The loom came", "from Ystad."])] == found


@pytest.mark.parametrize(
    ("new", "old", "other"),
    [
        pytest.param("User's niece weaves rugs.", "User's aunt weaves rugs.", True, id="two relatives"),
        pytest.param("User weaves rugs.", "User's aunt weaves rugs.", True, id="the user and a relative"),
        pytest.param("User's aunt weaves shawls.", "User's aunt weaves rugs.", False, id="one relative"),
        pytest.param("The loom is grey.", "The wheel is grey.", False, id="things are the rules' matter"),
        pytest.param("用户的侄女织毯子。", "用户的姑姑织毯子。", True, id="两位亲戚"),
        pytest.param("用户的姑姑织披肩。", "用户的姑姑织毯子。", False, id="同一位亲戚"),
        pytest.param("用户的医生是王医生。", "用户的医生现在是李医生。", False, id="只看谁的事，不看是谁"),
        pytest.param("用户的侄女织毯子。", "User's aunt weaves rugs.", False, id="two languages are not compared"),
    ],
)
def test_other_subject(new: str, old: str, other: bool) -> None:
    assert other_subject(new, old) is other


def test_texts_in_two_languages_have_no_relation() -> None:
    assert relation("用户有一台织机。", "User has a loom.") is None
    assert relation("User has a loom!", "User has a loom.") == "same"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The choir sings in the hall, not in Ystad.", "The choir sings in the hall."),
        ("The choir sings in the hall.", "The choir sings in the hall."),
        ("合唱团不是在苏州，是在无锡。", "合唱团是在无锡。"),
    ],
)
def test_affirmed(text: str, kept: str) -> None:
    assert affirmed(text) == kept
