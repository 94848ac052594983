"""The loop breaker: does a text only say again what was recalled just before?

Otherwise a memory that is recalled, repeated by the agent and extracted again would be stored anew each time, and count as
said twice. English and Chinese. In doubt a text is new: a lost fact is worse than one told twice.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_APOSTROPHES = str.maketrans("’ʼ`", "'''")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|[。！？；\n]")
_TOKEN = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+(?:[.,:'-][^\W_{_HAN}]+)*")

_LEAD = re.compile(
    r"\s*(?:(?:so|yes|yeah|right|sure|of course|got it|noted|okay|ok|well|indeed|exactly|correct"
    r"|as (?:you|i)(?:'ve)? (?:told|said|mentioned)(?: me| you)?(?: earlier| before)?|you (?:told me|said|mentioned)(?: that)?"
    r"|according to (?:my|your|the) (?:notes|memory|memories)|i (?:still )?(?:remember|recall|know|see)(?: that)?)\b[,:]?\s*)+"
)
_LEAD_ZH = re.compile(
    "(?:好的|是的|对的?|没错|嗯|明白了?|据我所知|我(?:还)?记得|我知道|如你所说|(?:正如|就像)?[你您](?:之前|刚才|上次)?(?:说|提到|告诉)过?(?:我|的)?(?:那样)?"
    "|根据(?:我的)?(?:记忆|记录))[,:，：]?"
)
_CONTRACTIONS = (
    (re.compile(r"\b(?:do|does|did)(?:n't| not)\b"), "not"),
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(?:i'm|i am|you're|you are)\b"), "user"),
    (re.compile(r"\b(?:i've|you've)\b"), "user have"),
    (re.compile(r"'s\b"), ""),
)
_SAME = {
    **dict.fromkeys("i me my mine you your yours".split(), "user"),
    **dict.fromkeys("was were".split(), "was"),
    "has": "have",
}
_SOFT = frozenset("a an the still now currently really also already just very that do does too then is are am be".split())
_SAME_ZH = re.compile("(?:[你您我](?!们)|用户)的?")
_USER_ZH = "用户"
_SOFT_ZH = re.compile("[的了呢吧啊呀哦嘛还也]|现在|目前|一直")

_FEWEST = 2
"""Words that a piece of a memory must have to count as its repetition; a Chinese character counts for half a word."""

_NEGATIONS = frozenset("not no never none without neither nor cannot nobody nothing 不 没 无 非 别 未 勿 莫".split())


def echoes(text: str, recalled: Sequence[str]) -> bool:
    """Whether each sentence of `text` is one of the memories recalled, or a piece of one, up to person, articles and small words.

    A text with a word of its own is none, nor is one that lacks a negation of the memory's.

    >>> echoes("As you told me, you live in Kiel.", ["The user lives in Kiel, on the third floor."])
    True
    >>> echoes("You live in Kiel with your sister.", ["The user lives in Kiel."])
    False
    """
    memories = [tokens for memory in recalled if (tokens := _tokens(memory))]
    said = [tokens for sentence in _SENTENCE_END.split(text) if (tokens := _tokens(sentence))]
    return bool(said) and all(any(_repeats(tokens, memory) for memory in memories) for tokens in said)


def _repeats(said: list[str], memory: list[str]) -> bool:
    if said == memory:
        return True
    weight = sum(0.5 if _is_han(token) else 1 for token in said)
    return weight >= _FEWEST and _negations(said) == _negations(memory) and _joined(said) in _joined(memory)


def _negations(tokens: list[str]) -> int:
    return sum(token in _NEGATIONS for token in tokens)


def _joined(tokens: list[str]) -> str:
    return "\x1f" + "\x1f".join(tokens) + "\x1f"


def _is_han(token: str) -> bool:
    return len(token) == 1 and not token.isascii()


def _tokens(text: str) -> list[str]:
    """Words in the form in which two people would say the same of the user, Chinese character by character."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    if (lead := _LEAD.match(folded)) is not None:
        folded = folded[lead.end() :]
    for pattern, plain in _CONTRACTIONS:
        folded = pattern.sub(plain, folded)
    if re.search(f"[{_HAN}]", folded):
        folded = _SOFT_ZH.sub("", _SAME_ZH.sub(_USER_ZH, _LEAD_ZH.sub("", folded.strip(), count=1)))
    words = (_SAME.get(word, word) for word in _TOKEN.findall(folded))
    return [_stem(word) for word in words if word not in _SOFT]


def _stem(word: str) -> str:
    """Without the s of the plural and of the third person: "lives" and "live" are one, "lived" is another time."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "zes", "sses", "oes")) else word[:-1]
