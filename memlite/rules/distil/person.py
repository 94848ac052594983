"""First person to third: what a user says of himself, as a sentence about the user, English and Chinese.

No meaning is added: "we" becomes the user's group of the kind the talk shows (team, family, else group).
"""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil.grammar import base, is_past
from memlite.rules.distil.sentences import is_chinese

_TOKEN = re.compile(r"[^\W_][\w'’.+#/&@-]*|\s+|[^\w\s]|_")
_BE_HAVE_DO = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_MODAL = frozenset("can could will would should shall may might must cannot".split())
_ONLY_VERBS = frozenset(
    """eat write read sing speak teach live make learn enjoy prefer hate love like go get take keep bring buy sell avoid
    grow follow follow wear own become pay""".split()
)
_VERB_MAY_FOLLOW = frozenset(
    """a an the my our at in on for with from to as not no never always two three four five one every all only by up out it them
    him her about into over usually often""".split()
)


def third_person(verb: str) -> str:
    """The form of a base verb after "the user".

    >>> [third_person(v) for v in ("play", "carry", "watch", "have", "be", "go")]
    ['plays', 'carries', 'watches', 'has', 'is', 'goes']
    """
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return verb[:-1] + "ies"
    return verb + "s"


def group_of(text: str) -> str:
    """Whom "we" means, from the words of the talk: team, family, or group where they don't tell."""
    seen = re.findall(r"[a-z-]+", text.lower())
    work = sum(word in lexicon.WORK_WORDS for word in seen)
    home = sum(word in lexicon.HOME_WORDS for word in seen)
    return "group" if work == home else "team" if work > home else "family"


def english(text: str, group: str = "group") -> str:
    """A text in the first person as one about the user, with its verbs; contractions must be in full.

    >>> english("I live in Kiel and never eat meat, my wife does")
    "The user lives in Kiel and never eats meat, the user's wife does"
    """
    rewriter = _English(_TOKEN.findall(text), group)
    out = rewriter.run()
    return out[:1].upper() + out[1:]


class _English:
    """One pass over the tokens; `pending` says that the next verb belongs to a subject that was rewritten."""

    def __init__(self, tokens: list[str], group: str) -> None:
        self.tokens = tokens
        self.group = f"the user's {group}"
        self.pending = False
        self.ours = False  # the last subject was rewritten and may take a further verb after "and"
        self.met_group = False
        self.plural = False

    def run(self) -> str:
        return "".join(self._one(index, word) for index, word in enumerate(self.tokens))

    def _one(self, index: int, word: str) -> str:
        low = word.lower()
        if word.isspace():
            return word
        if word == "I" or low == "we":
            return self._subject(low)
        if low == "you" and self._previous(index).lower() in ("when", "whenever", "that", "if", "what", "before", "as", "how"):
            self.pending, self.plural = True, False
            return "the assistant"
        if self.pending:
            return self._verb(index, word)
        if self.ours and self._coordinated(index, low):
            self.pending = True
            return self._verb(index, word)
        if low in ("he", "she", "they", "it", "who", "which", "that") or (not word[0].isalnum() and word in ";:."):
            self.ours = False
        return self._other(low, word)

    def _subject(self, low: str) -> str:
        self.pending = self.ours = True
        self.plural = False
        if low == "i":
            return "the user"
        if self.met_group:
            self.plural = True
            return "they"
        self.met_group = True
        return self.group

    def _verb(self, index: int, word: str) -> str:
        low = word.lower()
        if low == "just":
            return ""
        if low in lexicon.ADVERBS or (word == "," and index + 1 < len(self.tokens)):
            return word
        self.pending = False
        if self.plural or low in _MODAL:
            return word
        if low in _BE_HAVE_DO:
            return _BE_HAVE_DO[low]
        if is_past(low) or not low.isalpha() or low in ("was", "had", "did", "been"):
            return self._other(low, word)
        return self._other(low, word) if low in ("and", "or", "both", "who", "with", "for", "in", "at") else third_person(low)

    def _coordinated(self, index: int, low: str) -> bool:
        """Whether a verb after "and" still has the user for its subject: "I live in Kiel and work at …"."""
        before = self._previous(index)
        if low == "am":
            return True
        back = 1
        while before.lower() in lexicon.ADVERBS and back < 4:
            back += 1
            before = self._previous(index, back)
        if before.lower() not in ("and", "or", "but", "so", ","):
            return False
        if low in ("have", "do"):
            return before != "," or back > 1
        follows = self._next(index)
        clear = back > 1 or low in _ONLY_VERBS or follows.lower() in _VERB_MAY_FOLLOW or follows[:1].isupper()
        return (before != "," or back > 1) and base(low) == low and clear

    def _previous(self, index: int, back: int = 1) -> str:
        found = [word for word in self.tokens[max(0, index - 12) : index] if not word.isspace()]
        return found[-back] if len(found) >= back else ""

    def _next(self, index: int) -> str:
        return next((word for word in self.tokens[index + 1 : index + 4] if not word.isspace()), "")

    def _other(self, low: str, word: str) -> str:
        match low:
            case "my":
                return "the user's"
            case "mine":
                return "the user's"
            case "me":
                return "the user"
            case "myself":
                return "themselves"
            case "our" | "ours":
                return ("their" if low == "our" else "theirs") if self.met_group else "the user's"
            case "us":
                return "them" if self.met_group else self.group
            case "ourselves":
                return "themselves"
            case "you":
                return "the assistant"
            case "your":
                return "the assistant's"
            case _:
                return word


_CHINESE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), full)
    for pattern, full in (
        (
            (
                "(?:我们|咱们|咱|我)(?=公司|单位|学校|医院|团队|部门|小组|项目|工作室|厂里|厂|店里|店|所里|"
                "所(?=[^有以])|院里|系里|班|村|小区|组(?!织)|仓库|代码|产品|系统|后端|前端|网站|平台|实验室|老板|"
                "客户|老家)"
            ),
            "用户的",
        ),
        ("(?:我们|咱们|咱|我)这(?:边|儿|里)", "用户这边"),
        ("(?:我们|咱们|咱)家", "用户家"),
        ("我家", "用户家"),
        ("^(?=家里|全家)", "用户"),
        ("(?:我们|咱们|咱)(?:的|这个|那个|这套)", "用户的"),
        ("(?:我们|咱们)(?=[\u4e00-\u9fff]{2,3}的)", "用户的"),
        ("(?:我们|咱们)", "用户一方"),
        ("我(?:自己|本人)", "用户自己"),
        ("我的", "用户的"),
        (
            (
                "我(?=妈|爸|爹|娘|姐|哥|弟|妹|奶奶|爷爷|外婆|外公|姥姥|姥爷|老婆|老公|媳妇|妻子|丈夫|太太|"
                "先生(?!说)|女儿|闺女|儿子|孩子|娃|女朋友|男朋友|对象|"
                "室友|同事|老师|导师|领导|上司|主管|朋友|闺蜜|邻居|舅|姑|姨|叔|伯|婆婆|公公|岳|侄|外甥|表|堂|"
                "孙|同学|徒弟|师傅|房东|医生|父母|父亲|母亲|猫|狗)"
            ),
            "用户的",
        ),
        ("(?<![自忘唯])我", "用户"),
        ("(?:你|您)(?:们)?的", "助手的"),
        ("你们|您|你", "助手"),
    )
)


def chinese(text: str) -> str:
    """A Chinese text in the first person as one about the user.

    >>> chinese("我妈住在绍兴，我们公司在杭州")
    '用户的妈住在绍兴，用户的公司在杭州'
    """
    for pattern, full in _CHINESE:
        text = pattern.sub(full, text)
    return text


def about_user(text: str, group: str = "group") -> str:
    """The text in the third person, in its own language."""
    return chinese(text) if is_chinese(text) else english(text, group)
