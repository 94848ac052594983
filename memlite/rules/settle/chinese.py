"""Chinese: whether a new statement repeats, extends, changes or withdraws a stored one.

Without word boundaries, what two statements have in common is read from their beginnings: the same beginning is the same subject.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from memlite.rules.settle.atoms import Atom, atoms
from memlite.rules.settle.cues import Correction
from memlite.rules.settle.move import Move, Relation

_HEDGED = re.compile("可能|也许|大概|好像|似乎|听说|据说|不确定|不太确定|估计|以为|怀疑|觉得应该|说不定")
_CUE = re.compile(
    "现在|目前|如今|已经|已全部|已|不再|改成|改为|改到|改用|改在|换成|换到|换了|升级|提到|提高|降到|涨到|迁到|迁移|搬到|搬去|调到|调整|"
    "更正|纠正|确实|实际|从.{0,6}开始|又|放弃|取消|停用|下线|去掉|延到|推迟|最新|新的"
)
_BYGONE = re.compile("以前|从前|曾经?|过去|小时候|当年|当时|前任")
_INTENDED = re.compile("打算|计划|准备|考虑|想要|希望|将来|明年")
_STATE = re.compile(
    "^(?P<who>用户的?[^，,。；;：: ]{0,10}?)(?:现在|目前|如今|已经|已)*(?P<verb>住在|叫做?|是|在)(?:现在|目前|如今)?"
    "(?P<what>[^，,。；;]{1,16}?)(?P<doing>工作|上班|上学|读书)?了?。?$"
)
"""Who, and where he lives or works or what he is: true of one thing at a time."""
_COUNT = re.compile(
    r"^(?P<count>[\d.]+|[零一二两三四五六七八九十百千万]+)"
    r"(?P<unit>公斤|斤|克|公里|米|厘米|平米|元|块|欧元|美元|岁|度|次|分钟|小时|秒|天|周|个月|人|%|kg|km|g|cm|m)?$"
)
_SOFT = frozenset("的了吗呢吧啊呀着过个这那些也都就很还要会能")
"""Letters that turn no sense."""
_MORE = re.compile("也|又学会|还会|另外|此外|新增|加上|加入|增加了|还有|多了")
_LEADS = re.compile("^(?:更正|纠正|补充|更新|注意|备注)[：:，,]")
_OWNER = re.compile("^(?:用户)?(?:的)?")
_FILLERS = re.compile("现在|目前|如今|已经|已全部|全部|一般|通常|平时|的|了|把|是|在|也|都|就|会|很")
_PEOPLE = re.compile(
    "妈妈|爸爸|母亲|父亲|儿子|女儿|哥哥|弟弟|姐姐|妹妹|妻子|丈夫|太太|老婆|老公|先生|爷爷|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|公公|婆婆|"
    "大伯|二伯|伯父|叔叔|姑姑|舅舅|阿姨|姨妈|表妹|表姐|表哥|表弟|堂妹|堂姐|堂哥|堂弟|侄女|侄子|外甥女|外甥|同事|老板|领导|经理|室友|同学|"
    "同桌|朋友|邻居|房东|房客|客户|老师|医生|导师|师傅|男友|女友|男朋友|女朋友|家人|孩子|双胞胎"
)
_NOT = re.compile("(?:，|,|。|；)?(?:而)?(?:不是|不属|并非|不在|不叫|不用|不姓)(?P<old>[^，,。；;]+)")
_NOT_IS = re.compile("不是(?P<old>[^，,。；;]+)[，,]?(?:而)?是(?P<new>[^，,。；;]+)")
_GOES_ON = re.compile("^[，,](?=是|而是|在)")
_WITHDRAWN = re.compile(
    "(?:放弃了?|取消了?|停用了?|不再用?|停止了?|戒了|辞去了?)(?P<old>[^，,。；;]{2,12})|(?P<gone>[^，,。；;]{2,14}?)(?:服务)?已?(?:下线|停用|取消|作废|废弃)"
)
_NEGATED = re.compile("不再|没有|从不|不是|不会|不能|不用|不|没|无法|禁止|别")
_TIMED = re.compile(r"\d{4} ?年|[\d一二三四五六七八九十]+ ?月[\d一二三四五六七八九十]+ ?[日号]|\d{4}-\d\d")


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement without punctuation, spaces and fillers, and what can be told of it. `raw` is as it came."""

    raw: str
    text: str
    plain: str
    pairs: frozenset[str]
    people: frozenset[str]
    negated: bool


@lru_cache(maxsize=1024)
def _read(text: str) -> _Text:
    body = _LEADS.sub("", unicodedata.normalize("NFKC", text).strip())
    letters = "".join(char for char in body.casefold() if char.isalnum())
    plain = _FILLERS.sub("", _OWNER.sub("", letters, count=1)) or letters
    pairs = frozenset(plain[i : i + 2] for i in range(len(plain) - 1)) or frozenset({plain})
    first = re.split("[，,。；;]", body)[0]
    negated = len(_NEGATED.findall(re.sub("不仅|不但|不过|不同|差不多", "", first))) % 2 == 1
    return _Text(_LEADS.sub("", text.strip()), body, plain, pairs, frozenset(_PEOPLE.findall(body)), negated)


def move(new_text: str, old_text: str) -> Move | None:
    """What to do with the new statement beside the old one; None: nothing is certain.

    >>> move("用户的女儿身高 118 厘米。", "用户的女儿身高 112 厘米。").relation
    'changed'
    >>> move("用户的女儿身高 118 厘米。", "用户的侄女身高 112 厘米。") is None
    True
    """
    if _HEDGED.search(new_text):
        return None
    new, old = _read(new_text), _read(old_text)
    if (found := _corrected(new, old)) is not None:
        return found
    if _of_other_times(new, old):
        return None
    return _repeated(new, old) or _restated(new, old) or _changed(new, old) or _flipped(new, old) or _withdrawn(new, old)


def _of_other_times(new: _Text, old: _Text) -> bool:
    """One tells what was, or what may come; the other what is."""
    if bool(_BYGONE.search(new.text)) != bool(_BYGONE.search(old.text)):
        return True
    return _INTENDED.search(new.text) is not None and _INTENDED.search(old.text) is None


def owners(text: str) -> frozenset[str]:
    """The people a statement begins with: whose matter it is."""
    return _owned(_read(text))


def _repeated(new: _Text, old: _Text) -> Move | None:
    if new.negated != old.negated or not new.pairs & old.pairs or len(old.plain) < 3:
        return None
    if new.plain == old.plain:
        return _made("same", new, old, new.raw, "says the same")
    same_values = _values(new) == _values(old)
    if _share(old, new) >= 0.99 and old.people <= new.people and not _owned(new) - _owned(old) and len(old.plain) >= 4:
        return _made("richer", new, old, new.raw, "says all of the old text and more")
    if _share(new, old) >= 0.99 and new.people <= old.people and _owned(new) == _owned(old) and not _CUE.search(new.text):
        return _made("poorer", new, old, old.raw, "the old text says all of it already")
    alike = _share(new, old) >= 0.8 and _share(old, new) >= 0.8
    if same_values and new.people == old.people and alike and _only_softened(new, old):
        return _made("same", new, old, new.raw, "says the same")
    return None


def _only_softened(new: _Text, old: _Text) -> bool:
    """Both differ in particles only: one other letter may be another door ("东门", "西门")."""
    steps = SequenceMatcher(None, old.plain, new.plain, autojunk=False).get_opcodes()
    changed = [old.plain[a:b] + new.plain[c:d] for step, a, b, c, d in steps if step != "equal"]
    return all(set(letters) <= _SOFT for letters in changed)


def correction(text: str) -> Correction | None:
    """What a statement puts right, if it says so: 不是 X，是 Y, or 是 Y，不是 X."""
    body = _LEADS.sub("", text.strip())
    if match := _NOT_IS.search(body):
        return Correction(match["old"].strip(" 的了"), f"{body[: match.start()]}是{match['new'].strip()}{body[match.end() :]}")
    if (match := _NOT.search(body)) and match.start():
        return Correction(
            match["old"].strip(" 的了"), f"{body[: match.start()].rstrip('，, ')}{_GOES_ON.sub('', body[match.end() :])}"
        )
    return None


def _corrected(new: _Text, old: _Text) -> Move | None:
    found = correction(new.raw)
    if found is None or old.people - new.people or found.wrong.casefold() not in old.raw.casefold():
        return None
    kept = _read(found.kept)
    right = re.search("是([^，,。；;]+)[。]?$", found.kept)
    matter = _read(found.kept[: right.start()]) if right and right.start() else kept  # what it is about, without the right value
    if found.wrong in found.kept or (_common(kept, old) < 2 and _share(old, new) < 0.5 and _share(matter, old) < 0.6):
        return None
    if right and len(old.pairs - new.pairs) > 3:
        text = re.sub(re.escape(found.wrong), lambda _: right[1].strip(), old.raw, count=1, flags=re.IGNORECASE)
        return _made("changed", new, old, text, "corrects it")
    return _made("changed", new, old, found.kept, "corrects it")


def _changed(new: _Text, old: _Text) -> Move | None:
    """The same beginning, then another value of the same sort."""
    common, cued = _common(new, old), _CUE.search(new.text) is not None
    named = cued and any(sort == "name" for sort, _ in _values(new) & _values(old))
    if common < (3 if named else 4) or new.people != old.people or _timed(new, old):
        return None
    if (
        _MORE.search(new.text)
        and not _values(new) & _values(old)
        and new.negated == old.negated
        and not re.search("去掉|减少", new.text)
    ):
        return _made("grown", new, old, f"{old.raw.rstrip('。')}。{new.raw}", "adds to a list") if common >= 5 else None
    mine, theirs = _values(new) - _values(old), _values(old) - _values(new)
    if new.negated != old.negated or not (theirs or cued):
        return None
    sorts = {sort for sort, _ in mine}, {sort for sort, _ in theirs}
    alike = sorts[1] <= sorts[0] and _same_units(new, old)
    left = len(old.plain) - common - sum(len(value) for _, value in theirs)
    if theirs and alike and (cued or left <= 4 or _share(old, new) >= 0.5):
        return _made("changed", new, old, _with_rest(new, old), "another value for the same thing")
    if cued and common >= 6 and left <= 8 and _share(old, new) >= 0.5 and (alike or not theirs) and not mine <= _values(old):
        return _made("changed", new, old, _with_rest(new, old), "another value for the same thing")
    return None


def _restated(new: _Text, old: _Text) -> Move | None:
    """The same short statement with another place, name or count."""
    if new.people != old.people or new.negated or old.negated:
        return None
    same = _restates(new, old) if _CUE.search(new.text) else _recounts(new, old)
    return _made("changed", new, old, new.raw, "another value for the same thing") if same else None


def _restates(new: _Text, old: _Text) -> bool:
    mine, theirs = (_STATE.match(text.raw.replace(" ", "")) for text in (new, old))
    if mine is None or theirs is None or mine["who"] != theirs["who"] or mine["verb"] != theirs["verb"]:
        return False
    if mine["verb"] == "在" and not (mine["doing"] and mine["doing"] == theirs["doing"]):
        return False
    return mine["verb"] in ("住在", "在") or "的" in mine["who"]


def _recounts(new: _Text, old: _Text) -> bool:
    if "了" in old.text or "了" in new.text:  # what happened stays so
        return False
    begun = new.plain[: _common(new, old)].rstrip("0123456789.零一二两三四五六七八九十百千万")
    if len(begun) < 2 or begun.endswith("第"):
        return False
    mine, theirs = (_COUNT.match(text.plain[len(begun) :]) for text in (new, old))
    return mine is not None and theirs is not None and mine["unit"] == theirs["unit"]


def _flipped(new: _Text, old: _Text) -> Move | None:
    if new.negated == old.negated or new.people != old.people:
        return None
    bare = [_read(_NEGATED.sub("", text.raw)).plain for text in (new, old)]
    if bare[0] == bare[1] and len(bare[0]) >= 2:
        return _made("withdrawn", new, old, new.raw, "says the opposite")
    if _common(new, old) < 3:
        return None
    first = re.split("[，,。；;]", old.text)[0]
    told = _read(_NEGATED.sub("", first))
    if len(told.plain) < 4 or _share(told, _read(_NEGATED.sub("", new.text))) < 0.8:
        return None
    return _made("withdrawn", new, old, new.raw, "says the opposite")


def _withdrawn(new: _Text, old: _Text) -> Move | None:
    match = _WITHDRAWN.search(new.text)
    if match is None or new.people != old.people:
        return None
    gone = (match["old"] or match["gone"] or "").strip()
    matter = _read(gone)
    if len(matter.plain) < 2 or matter.plain not in old.plain or not (_common(new, old) >= 3 or _both_users(new, old)):
        return None
    if len(old.plain) - len(matter.plain) > 10 or not gone:
        return None
    return _made("withdrawn", new, old, _with_rest(new, old), "takes it back")


def _made(relation: Relation, new: _Text, old: _Text, text: str, why: str) -> Move:
    shared = len(new.pairs & old.pairs)
    return Move(relation, text, shared + shared / (1 + len(new.pairs | old.pairs)), why)


def _both_users(new: _Text, old: _Text) -> bool:
    """Both tell what the user does, not what something of the user's does."""
    return all(re.match("用户(?!的)", text.raw) for text in (new, old))


def _share(part: _Text, whole: _Text) -> float:
    """How much of `part` is found in `whole`."""
    return len(part.pairs & whole.pairs) / len(part.pairs)


def _common(new: _Text, old: _Text) -> int:
    """Letters that both begin with."""
    count = 0
    for mine, theirs in zip(new.plain, old.plain, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _values(text: _Text) -> frozenset[tuple[str, str]]:
    return frozenset((_sort(atom), atom.value) for atom in atoms(text.text) if atom.type in ("number", "date", "name"))


def _sort(atom: Atom) -> str:
    return "number" if atom.type in ("number", "date") else "name"


def _same_units(new: _Text, old: _Text) -> bool:
    units = [{atom.value for atom in atoms(text.text) if atom.type == "unit"} for text in (new, old)]
    return not units[1] or not units[0] or bool(units[0] & units[1])


def _owned(text: _Text) -> frozenset[str]:
    return frozenset(_PEOPLE.findall(re.split("是|叫", text.text)[0][:10]))


def _timed(new: _Text, old: _Text) -> bool:
    """Both begin with a time of their own: entries of a log."""
    times = [_TIMED.findall(text.text[:14]) for text in (new, old)]
    return bool(times[0] and times[1]) and times[0] != times[1]


def _with_rest(new: _Text, old: _Text) -> str:
    """The new text and the clauses of the old one that tell something else."""
    clauses = [part for part in re.split("[，,；;。]", old.raw) if part.strip()]
    if len(clauses) < 2:
        return new.raw
    rest = [part for part in clauses[1:] if _share(_read(part), new) < 0.5]
    return new.raw if not rest else f"{new.raw.rstrip('。')}；{'，'.join(rest)}。"
