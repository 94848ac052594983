"""Orders that hold for good, as wishes of the user: "from now on answer in French", 以后都用短句.

An order without a word of duration is a request of the moment and gives nothing.
"""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_zh
from memlite.rules.distil.grammar import base, words

_FOR_GOOD = re.compile(
    r"\b(?:always|never|ever|from now on|from here on|going forward|in (?:the )?future|every time|"
    r"each time|whenever|any ?more|by default|in all (?:my|our|your|future)|for all (?:my|our|your|"
    r"future)|"
    r"in every|for every|generally|as a rule|at all times|under any circumstances|in general|permanently|"
    r"no matter what|without exception)\b",
    re.IGNORECASE,
)
_ONLY_NOW = re.compile(
    r"\b(?:this time|for now|just this once|today|tonight|for this (?:one|task|file|email)|right now|"
    r"until (?:tomorrow|tonight)|again|never ?mind|forever and)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:please|and|so|but|ok|okay|also|just|oh|from now on|from here on|going forward|in (?:the )?future|"
    r"by default|generally|in general|normally|otherwise|as a rule),?\s+)*",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^(?:whenever|every time|each time|when|in all|for all|in every|for every|"
    r"if)\b[^,]{3,80},\s*(?:please\s+)?(.+)$",
    re.IGNORECASE,
)
_NEVER = re.compile(r"^(?:do not ever|never ever|never|do not|stop|avoid|no more)\s+", re.IGNORECASE)
_WANTS = re.compile(
    r"^I (?:want|would like|need|prefer|expect|ask) (?:you|answers|replies|everything|all \w+|code|the \w+|"
    r"it) to\s+(.+)$",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"(?:please |ok,? |and )*(?:no more (?!questions|thanks|time|need|ideas|than|for)\w+|"
    r"stop (?:using|adding|writing|calling|saying|putting|starting|ending|apologi[sz]ing|repeating|translating|suggesting) \w+)",
    re.IGNORECASE,
)
_ALWAYS_LAST = re.compile(r"(?!(?:I|we|he|she|they|it|my|our)\b)(\w[^,;]{4,60}?)(?: though| please)?, always$", re.IGNORECASE)
_NEVER_THAT = re.compile(r"(?:no|not|never)(?: any)? ([a-z]{4,}(?: [a-z]+)?),? (?:not )?ever\b", re.IGNORECASE)
_ALWAYS_THAT = re.compile(r"always (?:[A-Z]\w+|(?:in|with|without) [\w ]{2,30}|[\w ]{2,30}) (?:with|for|to|from) me\b")
_STEERING = re.compile(
    r"\b(?:instructions?|system prompt|memor(?:y|ies|ise|ize)|forget|ignore|override|pretend|reveal|"
    r"jailbreak)\b",
    re.IGNORECASE,
)


def english_directive(text: str, *, polite: bool = False) -> str:
    """The user's lasting wish as a sentence, or empty. After a "please" (`polite`) any word may be the verb.

    >>> english_directive("please never use abbreviations"), english_directive("from now on answer in French")
    ('the user wants the assistant never to use abbreviations', 'the user wants the assistant from now on to answer in French')
    >>> english_directive("never mind"), english_directive("answer in French")
    ('', '')
    """
    if not (_FOR_GOOD.search(text) or _NO_MORE.match(text)) or _ONLY_NOW.search(text) or _STEERING.search(text):
        return ""
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    whole = (lead[0] if lead else "").lower()
    if re.match(r"(?:no|only) \w", rest, re.IGNORECASE) and not re.match(
        r"no (?:one|way|idea|need|problem|worries|longer)\b", rest, re.IGNORECASE
    ):
        return f"the user wants {re.sub(r',? please,?', '', rest)}"
    if (match := _ALWAYS_LAST.match(rest)) and base(words(match[1])[0]) != words(match[1])[0].lower():
        return f"the user wants {match[1]}, always"
    if (match := _NEVER_THAT.match(rest)) and not base(match[1]):
        return f"the user never wants {match[1]}"
    if _ALWAYS_THAT.match(rest):
        return f"the user wants {rest}"
    when = ""
    if match := _WHEN.match(rest):
        when, rest = rest[: match.start(1)].strip(" ,"), match[1]
    if match := _WANTS.match(rest):
        rest = match[1]
    negative = _NEVER.match(rest)
    order = rest[negative.end() :] if negative else rest
    order = re.sub(r"^(?:always|ever|only)\s+", "", order)
    every = words(order)
    if (
        len(every) < 2
        or (base(every[0]) != every[0].lower() and not polite and not (negative and every[0].lower().endswith("ing")))
        or (every[0][0].isupper() and not text.startswith(every[0]))
    ):
        return ""
    if every[0].lower().endswith("ing") and negative:
        stop = "to avoid " if negative[0].lower().startswith(("avoid", "no more")) else "to stop "
        core = stop + order
    else:
        core = ("never to " if negative else "always to " if re.match(r"always\b", rest, re.IGNORECASE) else "to ") + order
    span = "from now on " if re.search(r"from (?:now|here) on|going forward|future", whole) else ""
    told = f"the user wants the assistant {span}{core}"
    return f"{told} {when[0].lower()}{when[1:]}" if when else told


_KEEP_SO = re.compile(
    r"^(?:(?:and|please|yes|ok|okay|great|perfect|good|right|exactly|yep|"
    r"nice)[,.]?\s+)*(?:(?:please\s+)?(?:always|from now on|in (?:the )?future),?\s+(?:please\s+)?(?:do|"
    r"use|write|format|answer|keep) (?:it |them )?(?:that|this|it|so|like (?:that|this))\b|"
    r"(?:please\s+)?(?:keep doing (?:that|this|it)|keep (?:to|it) (?:that|this|it|that way|this way|"
    r"like that|like this)|stick (?:to|with) (?:that|this|it)|do (?:that|this|it) (?:always|from now on|"
    r"every time|in future|each time))\b|(?:like (?:this|that)|this|that) (?:from now on|always|"
    r"every time|in future)\b|(?:the same )?next time (?:as well|too|please)\b|"
    r"(?:the )?same (?:again )?next time\b)"
    "|^(?:嗯|好|对|可以|行|不错|很好)?[，,！! ]*(?:以后|今后|往后)?(?:都|就|一直|全都?)?(?:按|照|"
    "像)?(?:这个|这样|这么|这种|此)(?:子|格式|风格|方式)?(?:来|写|办|做|排|回答|就好|吧|弄)*$|一直这样|"
    "^(?:嗯|好|对|可以|行)?[，,！! ]*(?:以后|今后|往后)[^，。我]{0,8}(?:都|就)(?:按|照|像)?(?:这个|这样|这么)[^，。]{0,4}$|"
    "保持这样",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"^(?:(?:understood|ok|okay|sure|then|right|noted|got it|of course|fine|"
    r"good)[,:.]?\s+)*(?:then )?I (?:will|shall|have|would) (?:now )?(?:always )?([a-z]+)\b(.*)$",
    re.IGNORECASE,
)
_NO_PROMISE = frozenset("be see check wait let have get try look think guess start send fix read run open ask".split())
_ORDER = re.compile(r"(?:please|no|not|only|do not|shorter|short|without)\b", re.IGNORECASE)
_ZH_PROMISE = re.compile("^(?:好的?|明白|收到|了解|没问题|嗯|行)[，,：:]?(?:那)?(?:我)?(?:会|就|来)?")
_ZH_NEEDS = re.compile("要|别|不要|用|请|控制|不超过|只")


def is_wish(text: str) -> bool:
    """Whether a finished draft is a wish made here."""
    return text.startswith(("the user wants", "用户要求助手"))


def is_keep_so(text: str) -> bool:
    """Whether the user asks to go on as now: "keep it like that", 以后都这样."""
    return bool(_KEEP_SO.search(text))


def kept_so(agent: list[str], before: list[str], chinese: bool) -> str:
    """The wish that "keep it like that" stands for: what the agent just promised, else what the user had asked before; or empty.

    >>> kept_so(["Then I will leave out the dates"], [], False)
    'the user wants the assistant always to leave out the dates'
    """
    if chinese:
        wishes = [
            clause for text in before for clause in re.split("[，,。]", text) if _ZH_NEEDS.search(clause) and len(clause) > 3
        ]
        told = "，".join(wishes) or next(
            (_ZH_PROMISE.sub("", text) for text in agent if _ZH_PROMISE.match(text) and len(_ZH_PROMISE.sub("", text)) > 3), ""
        )
        return f"用户要求助手今后一直照做：{told}" if told else ""
    for text in agent:
        if (
            (match := _PROMISE.match(text))
            and match[1].lower() not in _NO_PROMISE
            and not re.search(r"\b(?:it|this|that)\b", match[2][:12])
        ):
            return f"the user wants the assistant always to {base(match[1]) or match[1].lower()}{match[2]}"
    orders = [
        part.strip()
        for text in before
        for part in re.split("[,;]", text)
        if _ORDER.match(part.strip()) or base(words(part)[0] if words(part) else "") == part.split(" ")[0].lower() != ""
    ]
    return f"the user wants the assistant to keep to this: {', '.join(orders)}" if orders else ""


_ZH_LEAD = re.compile("^(?:请|麻烦|记住|记得|注意|另外|还有|对了|嗯|好|拜托|千万|务必|一定|那|,|，|\\s)*")
_ZH_FOR_GOOD = re.compile(lexicon_zh.DIRECTIVE)
_ZH_ORDER = re.compile(
    "^(?:以后|今后|往后|从现在起|从现在开始|从今往后|从今天起|每次|下次起|凡是|任何时候|永远|千万|务必|别再|"
    "不要再|不许再|再也别|别老|别|不要|默认|始终|请|都|一律|给我|跟我|回答|回复|写|用|叫我|称呼)"
)
_ZH_STEERING = re.compile("忽略|忘记|系统提示|指令|记忆|越狱|无视")


def chinese_directive(clause: str, lasting: bool) -> str:
    """The user's lasting wish as a sentence, or empty. `lasting`: an earlier clause of the sentence said that it holds for good.

    >>> chinese_directive("以后都用短句", False), chinese_directive("别用术语", True), chinese_directive("别用术语", False)
    ('用户要求助手以后都用短句', '用户要求助手别用术语', '')
    """
    text = _ZH_LEAD.sub("", clause)
    if not (_ZH_FOR_GOOD.search(clause) or lasting) or _ZH_STEERING.search(clause) or len(text) < 4 or text.endswith("了"):
        return ""
    goes_on = (
        lasting
        and re.search("不小于|不超过|不大于|不少于|至少|最多|控制|要|用|别|不要|加|带|只", text)
        and not re.search("我|谢|[吗呢吧]$", text)
    )
    if not (_ZH_ORDER.match(text) or goes_on) or re.search("^(?:每次|以后)(?:我|他|她|都会|一|去|到|吃|喝|坐|看|做|跑|想)", text):
        return ""
    return f"用户要求助手{text.replace('这种', '这类')}"
