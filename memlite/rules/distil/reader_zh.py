"""Chinese sentences of a user as drafts of facts: clauses weighed, the subject carried on where it's left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memlite.rules.distil import lexicon_zh as lexicon
from memlite.rules.distil import statements_zh as statements
from memlite.rules.distil.dialogue import Draft, FactOrigin
from memlite.rules.distil.directives import chinese_directive
from memlite.rules.distil.sentences import Sentence, clauses

_OPENER = re.compile(
    "^(?:可(?=我)|其实|不过|但是?|而且|还有|另外|对了|哦|嗯+|噢|啊|哈+|因为|所以|反正|主要是(?=我)|就是(?=对|"
    "我|有|不|喜|爱|怕|在)|说起来|顺便说?一?下?|补充一?下?|记[住得]|请记[住得]|提醒一下|忘了说|也|那(?![边里儿些])|然后|"
    "注意|说实话|老实说|坦白说|不是|不对|错了|说错了|搞错了|纠正一下|更正|是的?(?=我|[，,])|对(?=[，,])|"
    "好的?(?=[，,])|行(?=[，,])|不用(?=[，,])|没有?(?=[，,])|[，,、：:\\s])+"
)
_THING = re.compile("(?:房子|车子|院子|阳台)(?=是|在|有|朝|用|没)")
_REPORTED = re.compile("(?:老师|医生|大夫|教练|导师|律师|中医|专家)(?:说|让|建议|要求|叮嘱|嘱咐|交代)")
_REACTION = re.compile("就(?:恶心|想吐|吐|过敏|难受|头晕|拉肚子|起疹|失眠|胃疼)|会(?:起疹|吐|拉肚子|过敏|失眠|头晕)|受不了$")
_GOES_ON = re.compile("^(?:是的?|对|嗯)?[，, ]*(?:而且|并且|还有|另外|也|还(?=[是有要会能得必只用]))")
_REMEMBER = re.compile("^(?:请|麻烦|帮我|你)?(?:记一?下|记住|记录一?下|备忘|存一?下)[，,：:]")
_CLOSER = re.compile("(?:[，,]?(?:哈哈+|嘿嘿|呵呵|谢谢|谢啦|哈|啦|呀|哦|嘛|吧|呢|啊|的说|～|~))+$")
_RELATIVE = (
    ("she", f"{lexicon.WOMEN}"),
    ("he", f"{lexicon.MEN}"),
    ("person", f"{lexicon.PEOPLE}"),
    ("pet", f"{lexicon.PETS}"),
    ("thing", f"{lexicon.GROUPS}|{lexicon.THINGS}|{lexicon.PROJECTS}"),
)
_MENTIONS = tuple(
    (
        kind,
        re.compile(
            f"(?:我们|咱们|我|咱|你们|您|你)(?:家的?|的|这|"
            f"那)?(?:(?![一不在也都就还是有对从喜讨最])[^\\s，。]{{0,2}}?)(?:{group})(?:叫(?P<name>[^\\s，。了的是在]{{1,6}}))?"
        ),
    )
    for kind, group in _RELATIVE
)
_NICKNAME = re.compile(
    f"(?:{lexicon.PEOPLE}|{lexicon.PETS})(?:叫)?(?P<name>[小老阿大][\u4e00-\u9fff])(?=[，,。]|是|在|对|有|喜|"
    f"负|从|会|不|今|也|住|家|管|做)"
)
_IS_MY = re.compile(
    f"(?P<name>[\u4e00-\u9fffA-Za-z]{{2,4}})是(?P<owner>(?:我们?|咱们?)(?:的|"
    f"家的?)?(?:[^，。\\s]{{0,4}})(?:{lexicon.WOMEN}|{lexicon.MEN}|{lexicon.PEOPLE}|{lexicon.PETS}))"
)
_OUR_STAFF = re.compile(
    "(?P<name>[小老阿大][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)是(?P<owner>(?:我们|咱们)[^，。]{1,8}的[^，。\\s]{2,6})$"
)
_PROJECT = re.compile(
    "(?P<name>(?:[A-Za-z][\\w.-]{1,30}|[\u4e00-\u9fff]{2,6}?))\\s?(?:这个|那个)?(?P<noun>项目|仓库|系统|"
    "服务|小程序|平台|网站|应用|代码库|接口)"
)
_BARE = re.compile(
    "(?:^|[，,。；\\s]|给|带|和|跟|陪)(?P<noun>(?:大|小|老)?(?:孩子|宝宝|娃|女儿|儿子|闺女|狗狗|小狗|猫咪|"
    "小猫|猫|狗|老公|老婆|媳妇|老妈|老爸|爸妈|父母|奶奶|爷爷|外婆|外公|弟弟|妹妹|哥哥|姐姐|男朋友|女朋友|"
    "室友|金毛|柯基|仓鼠|鹦鹉))(?!们|店|粮|窝|房|用品|医院|子)"
)
_FITS = {
    "他": ("he", "person", "name", "pet"),
    "她": ("she", "person", "name", "pet"),
    "它": ("pet", "thing"),
    "这": ("thing", "pet"),
    "那": ("thing", "pet"),
}
_CALLED = re.compile("^(?:就)?叫(?!你|他|她|我|什么|人|停|醒)(?P<name>[^\\s，。了的是在有]{1,8})")


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody or something the talk named: how to call it, its kind, its proper name, where it was named last."""

    surface: str
    kind: str
    name: str
    turn: int


class ChineseReader:
    """Reads the sentences of one window in order."""

    def __init__(self) -> None:
        self._known: list[Named] = []
        self._before: tuple[str, str, int] = ("", "", -9)  # the subject of the last facts kept
        self.told_to_keep = False  # the user asks to remember the sentence being read
        self._topic: tuple[str, str, int] = ("", "", -1)  # kind, surface, turn of the last subject

    def hear(self, text: str, turn: int) -> None:
        """Takes in who and what a sentence names; an agent's 您女儿 is the user's 我女儿."""
        text = text.replace("您", "我").replace("你", "我")
        named = [(match, kind) for kind, pattern in _MENTIONS for match in pattern.finditer(text)]
        for match, kind in sorted(named, key=lambda pair: (pair[0].start(), len(pair[0][0]))):
            if any(m.start() == match.start() and len(m[0]) > len(match[0]) for m, _ in named):
                continue
            name = match["name"] or ""
            self._add(Named(match[0].split("叫")[0] + name if name else match[0], kind, name, turn))
        for match in _BARE.finditer(text):
            kind = next((kind for kind, group in _RELATIVE if re.fullmatch(f"(?:大|小|老)?(?:{group})", match["noun"])), "person")
            self._add(Named(f"我家{match['noun']}" if kind in ("pet", "person") else f"我{match['noun']}", kind, "", turn))
        for match in _NICKNAME.finditer(text):
            self._add(Named(match[0], "person", match["name"], turn))
        for match in _IS_MY.finditer(text):
            self._add(Named(f"{match['owner']}{match['name']}", "person", match["name"], turn))
        for match in _OUR_STAFF.finditer(text):
            self._add(Named(f"{match['owner']}{match['name']}", "person", match["name"], turn))
        for match in _PROJECT.finditer(text):
            if "的" not in match["name"] and not re.search(
                "^(?:我们|这个|那个|一个|整个|你的|我的|什么|哪个|新|老|的|在|是|把)", match["name"]
            ):
                self._add(Named(match[0], "thing", match["name"], turn))

    def asked(self, question: str, turn: int) -> None:
        """Sets whom a turn without a subject speaks of: whom the agent's question was about, else the user."""
        about = None
        if question and not re.search("您|你", question):
            about = self.who(re.search("[他她它]", question)[0], turn) if re.search("[他她它]", question) else None  # type: ignore[index]
            about = about or next(
                (e for e in reversed(self._known) if turn - e.turn <= 2 and e.kind in ("she", "he", "person", "pet")), None
            )
        self._topic = ("own", about.surface, turn) if about else ("", "", turn)

    def read(self, sentence: Sentence, turn: int) -> list[Draft]:
        """The drafts of one sentence of the user's."""
        if _GOES_ON.match(sentence.text) and self._before[1] and turn - self._before[2] <= 2:
            self._topic = (*self._before[:2], turn)
        found: list[Draft] = []
        self.told_to_keep = bool(_REMEMBER.match(sentence.text))
        run: list[str] = []
        run_kind, key, lasting, before = "", "", False, ""
        for number, clause in enumerate(clauses(sentence)):
            text = tidy(clause.text)
            wish = "" if clause.question else chinese_directive(text, lasting)
            if wish:
                lasting = True
                run, found = self._close(run, key, turn, found)
                found.append(Draft(wish, "user", "", "user_stated", (turn,), chinese=True, final=True))
                before = ""
                continue
            if run and _REPORTED.match(text):
                run, found = self._close(run, key, turn, found)
            narrative = number > 0 and bool(
                re.search("(?<!不)了|过(?!敏|年)|刚|正在|最近|昨|今天|计划|打算", sentence.text[: clause.start])
            )
            self.hear(text, turn)
            kind, subject = self._subject(text, turn)
            narrative = narrative or bool(
                re.search("(?<!其)[他她它]", sentence.text[: clause.start]) and not re.match("[他她它]", sentence.text)
            )
            loose = narrative and not run and not re.search("一直|从小|天生|向来", text)
            kept = "" if clause.question else self._clause(text, kind, subject, bool(run), loose=loose)
            if kept and not run and before and _REACTION.search(text):
                run = [before]
            if not kept or (run and kind != run_kind and not {kind, run_kind} <= {"we", "own", "project"}):
                run, found = self._close(run, key, turn, found)
            if kept:
                key = key if run else attribute(text)
                run, run_kind = [*run, kept], kind
            before = "" if clause.question else text
        _, found = self._close(run, key, turn, found)
        if found and self._topic[0] in ("own", "project", "we"):
            self._before = self._topic
        return found

    def statement(self, text: str, turns: tuple[int, ...], origin: FactOrigin) -> Draft | None:
        """A statement made of a question and its answer, weighed like the user's own."""
        pieces = [tidy(piece) for piece in re.split("[，,]", text) if tidy(piece)]
        if not pieces:
            return None
        kind, subject = self._subject(pieces[0], turns[-1])
        kept = self._clause(pieces[0], kind, subject, False) or (pieces[0] if re.match("这笔|这钱|钱", pieces[0]) else "")
        if not kept:
            return None
        self.hear(pieces[0], turns[-1])
        return Draft("，".join([kept, *pieces[1:]]), _name_of(kept), attribute(pieces[0]), origin, turns, chinese=True)

    def _close(self, run: list[str], key: str, turn: int, found: list[Draft]) -> tuple[list[str], list[Draft]]:
        if not run:
            return [], found
        text = "，".join(run)
        return [], [*found, Draft(text, _name_of(text), key, "user_stated", (turn,), chinese=True)]

    def _subject(self, text: str, turn: int) -> tuple[str, str]:
        """(kind, how to call it): the clause's own subject, else that of the clause before in the same turn, else the user."""
        kind, said = statements.subject(text)
        if kind in ("she", "that"):
            entity = None if said in ("这", "那", "这个", "那个") else self.who(said, turn)
            self._topic = ("own", entity.surface, turn) if entity else ("lost", "", turn)
        elif kind in ("own", "project") or kind in ("i", "we"):
            self._topic = (kind, said, turn)
        elif named := next((e for e in reversed(self._known) if e.name and text.startswith(e.name)), None):
            self._topic = ("named", named.surface, turn)
        elif thing := _THING.match(text):
            self._topic = ("own", f"我的{thing[0]}", turn)
        elif self._topic[2] != turn:
            self._topic = ("", "", turn)
        return self._topic[0], self._topic[1]

    def _clause(self, text: str, kind: str, subject: str, goes_on: bool, *, loose: bool = False) -> str:
        """The clause with its subject in words, empty if it isn't kept. Within a run the subject isn't said again."""
        own_kind, said = statements.subject(text)
        text = re.sub(f"^(?:这|那)(?:个|套|款|家)(?={re.escape(said)})", "", text) if own_kind == "project" else text
        pet = kind == "own" and bool(re.search("^(?:是)?一?(?:只|条|头|匹)[^，。]{1,10}$", text))
        told = (
            self.told_to_keep
            and bool(re.search("[是叫在有为](?!什么|不是|吗)[^，。]{2,}", text))
            and not statements.is_passing(text)
        )
        if kind == "lost" or not (
            pet
            or told
            or (goes_on and statements.is_detail(text))
            or statements.weight(text, "own" if kind == "named" else kind, loose=loose and not own_kind)
        ):
            return ""
        if own_kind in ("she", "that"):
            return text.replace(said, "" if goes_on else subject, 1)
        if kind == "named":
            name = next((e.name for e in reversed(self._known) if e.surface == subject), "")
            if self._known and name and f"{name}是" in text and text.replace(f"{name}是", "") in subject:
                return text
            return text.replace(name, subject, 1) if name and text.startswith(name) else text if goes_on else subject + text
        if own_kind or goes_on:
            return text
        if subject.startswith("我的") and text.startswith(subject[2:]):
            return f"我的{text}"
        if told or re.match("[^，。我]{2,4}是(?:我们?|咱们?)", text):
            return text
        return (subject or "我") + re.sub("^(?=[一两三](?:只|条|头|匹))", "是", text)

    def who(self, pronoun: str, turn: int) -> Named | None:
        """Whom 他, 她, 它, 这个… means, at most six turns back."""
        fits = _FITS.get(pronoun[0], ())
        noun = re.sub("^(?:这|那)(?:个|只|条|位|家|套|台)?", "", pronoun)
        for entity in reversed(self._known):
            if turn - entity.turn > 6:
                break
            if (noun and pronoun[0] in "这那" and entity.surface.endswith(noun)) or (
                not (noun and pronoun[0] in "这那") and entity.kind in fits
            ):
                return entity
        return None

    def project(self) -> str:
        """The project named last, empty if none."""
        return next((e.surface for e in reversed(self._known) if e.kind == "thing" and e.name), "")

    def _add(self, entity: Named) -> None:
        for old in self._known:
            if (
                old.surface == entity.surface
                or (old.name and old.name == entity.name)
                or (old.name and entity.surface in old.surface)
            ):
                self._known.remove(old)
                entity = replace(old, turn=entity.turn) if len(old.surface) >= len(entity.surface) else entity
                break
        self._known.append(entity)


def tidy(text: str) -> str:
    """A clause without the words that open and close it in a talk."""
    return _CLOSER.sub("", _OPENER.sub("", text.strip())).strip(" ，,、：:").replace("有点儿", "").replace("有点", "")


def _name_of(text: str) -> str:
    kind, said = statements.subject(text)
    if kind in ("own", "project"):
        return re.sub("^(?:我们|咱们|我|咱)(?:的|家的?)?", "", said) or "user"
    return "user"


def attribute(text: str) -> str:
    """Which attribute a statement gives a value to, for attributes with one value at a time; else empty."""
    for key, pattern in (
        ("name", "^(?:我|名字)(?:就)?叫"),
        ("residence", "^(?:我|现在|我现在|目前)?(?:住|定居|搬到|搬去|搬家到)"),
        ("age", "^(?:我)?(?:今年)?[\\d一二三四五六七八九十]+岁"),
        ("birthday", "^(?:我的?)?生日是"),
    ):
        if re.search(pattern, text):
            return key
    if match := re.match(
        (f"^(?:我们?的?)?({lexicon.PROJECTS}|{lexicon.THINGS}|{lexicon.GROUPS})(?:现在)?(是|用|跑在|部署在|叫|在)"), text
    ):
        return f"{match[1]} {match[2]}"
    return ""
