"""Does a verb say how things are, or was something only thought, asked or tried once? A title has no such verb at all."""

from __future__ import annotations

import re
from itertools import pairwise

from memlite.rules.gate import words_en as words
from memlite.rules.gate import words_zh as zh
from memlite.rules.gate.reading import Reading, sign

_MOST_WORDS = 60

# "User mentioned that ..." says what follows.
_FRAME = sign(
    r"""
    ^(?:the )?users? (?:has |had |also |then )?(?:said|says|mentioned|mentions|told (?:the agent|the assistant|me|us)|noted
    |notes|explained|explains|confirmed|confirms|stated|states|added|shared|revealed|indicated|clarified|pointed out|reports
    |reported|remarked|emphasi[sz]ed|stressed|insisted|insists|decided|agreed|asked|wants|requires
    |prefers)(?: to (?:the )?(?:agent|assistant|team))?(?: that (?!it |the weather)
    |,? (?=(?:he|she|they|his|her|their) ))(?:he |she |they |his |her |their )?
    """
)
_TITLE = sign(
    r"""
    ^(?:about|regarding|concerning|re:|notes? (?:on|about)|overview of|list of|summary of|information (?:on|about)
    |details (?:of|on|about)|introduction to|how (?:to|the)|what the|where the|why the|section on|chapter|appendix
    |table of)\b[^.]*$
    """
)
_TITLE_END = sign(
    r"""
    \b(?:overview|page|topics?|summary|lists?|notes?|details?|information|info|settings|guide|history|profile|documentation
    |section|tables?|index|background|contexts?|guidelines|checklist|options|preferences|report|setup|plan|ideas|questions
    |requirements|specification|introduction|appendix|agenda|faq|tips|basics|structure|layout|roadmap|schedule|timeline|review
    |analysis|comparison)$
    """
)

# A request for now.
_WANTS = sign(
    r"""
    ^(?:the )?users? (?:currently |now |also |just |still |only )?(?:wants?|would like|needs?|is asking|asks|wanted|needed
    |requests?|requested|is interested in|is looking|is trying|is considering|is thinking|is wondering|thinks about|wonders
    |is curious|plans to ask|wishes)[ ](?:help|(?:this|that|these|those|about|whether|if|how|why|what|for)\b
    |some (?:help|ideas|advice|information|more)|a (?:list|table|script|summary|joke|file|poem|translation|quick|small|short
    |simple|picture|image|link)\b|the (?:file|script|list|table|code|text|answer|link|paragraph|draft)\b
    |the (?:next|last|first|second|third|whole|previous|above) (?:paragraph|sentence|section|line|step|part|answer
    |slide|question)\b
    |to (?:know|see|convert|rename|fix|translate|ask|check|test|try|debug|look|find out|summari[sz]e|compare|print|open
    |download|upload|copy|paste|view|read|understand (?:how|why|what|the)|get (?:a|the|this)|have (?:this|the|a|that|it)
    |generate|talk about|discuss|create a (?:file|script|list|table|chart|small|simple)
    |write a (?:script|file|small|simple|short)|make a (?:list|table|file|script)))
    """
)
_STANDING = sign(
    r"\b(?:always|every|each|all|never|any|by default|whenever|in future|future|from now on|before|replies|answers|unless)\b"
)

# Something that happened once in or beside the conversation.
_ASIDE = sign(
    r"""
    ^(?:the )?users? (?:\w{1,20}ly |also |then |just |once |again )*(?:(?:was|were|is) (?:asked|told|reminded|shown|informed
    |advised|interrupted|wondering|thinking|asking|considering|talking|looking|comparing|reading about|curious|interested
    |unsure|tempted|about)\b|brought up (?:the|a|his|her|this|that)
    |gave (?:an? |two |some |another )(?:\w{1,20} )?(?:examples?|answers?|hints?|reasons?|descriptions?|explanations?|summary)
    |played with the (?:idea|thought)|took a (?:look|break|moment|picture|photo|note)
    |had a (?:look|chat|talk|question|dream|thought|laugh)|made (?:a |some )?(?:notes?|remarks?|comments?|suggestions?|lists?)
    |came (?:across|back|up)|went (?:through|over|back)|ran into|heard (?:of|about|from|that)|saw (?:a|an|the|some|two)
    |read (?:a|an|the|some|two)\b(?! .*every))
    |^(?:the )?user's (?:\w{1,20} )?(?:questions?|requests?|messages?|remarks?|comments?|replies|reply|answers?|mails?|joke
    |topic|query)[ ](?:was|were|is about|concerned|came|mentioned|contained|referred)
    |^the (?:team|user and|project team|group|company)\b[^.;]{0,20} (?:discussed|talked|debated|considered|compared|looked
    |met to)\b
    """
)
_STEP = sign(  # once, and for good
    r"""
    \b(?:gave up|switched (?:from|to|over|back)|swapped (?:[\w-]{1,20} ){1,4}for|moved (?:from|to)|kept bees
    |took (?:on|up|over|early)|set up|fell in love|went (?:vegan|vegetarian|blind|deaf|bankrupt|part[- ]time|freelance)
    |had (?:a|an|his|her|one|both|two) (?:\w{1,20} )?(?:stroke|operation|surgery|transplant|replacement|attack|accident|baby
    |child|children|twins))\b
    """
)
_DATED = sign(
    r"""
    \b(?:19|20)\d\d\b
    |\b(?:since|for|after) (?:\w{1,20} ){1,3}years?\b|\byears? ago\b
    |\bas a (?:child|boy|girl|student|teenager|young)
    |\b(?:always|never|every|since|so that|from then on|no longer)\b
    """
)

_CLEAR = (words.PRESENT - words.NOUN_LIKE) | words.LASTING_PAST | words.AUXILIARIES
_BEFORE_A_PLURAL = frozenset(
    "we they i people children parents both always never usually often also only all who sometimes".split()
)
_AFTER_A_NOUN = frozenset("and or for of overview page".split())
_OPENERS = frozenset(
    "the a an in on at with every each his her their its from to by after before no two three four five six all as".split()
)


def no_durable_relation(r: Reading) -> bool:
    """A title, or something that was thought, asked or tried once: no verb says how things are."""
    if r.is_chinese:
        return _no_relation_zh(r.zh)
    if _WANTS.search(r.bare) and not _STANDING.search(r.bare):
        return True
    if _TITLE.search(r.bare) or (_TITLE_END.search(r.bare) and not _has_clear_verb(r.words)):
        return True
    return not _STEP.search(r.bare) if _ASIDE.search(r.bare) else not _lasts(r)


def says_how_it_is(every: tuple[str, ...], i: int) -> bool:
    """Whether the word at `i` is a verb, and one of a lasting state; nouns that look the same are told by their neighbours."""
    word, before, after = every[i], every[i - 1].rstrip(",;:"), every[i + 1] if i + 1 < len(every) else ""
    if word in words.AUXILIARIES or word in words.LASTING_PAST or "n't" in word or before in ("always", "never"):
        return True
    if word in words.PRESENT and word in words.NOUN_LIKE:
        return bool(after) and after not in _AFTER_A_NOUN and after not in words.AUXILIARIES and after not in words.VERBS
    if word in words.PRESENT:
        return True
    plural = before in _BEFORE_A_PLURAL or "and" in every[1 : min(4, i - 1)] or is_plural(before) or is_plural(every[0])
    return word in words.VERBS and plural


def is_plural(word: str) -> bool:
    """Whether it looks like an English plural."""
    return word.endswith("s") and "'" not in word and not word.endswith(("ss", "us", "is"))


def _lasts(r: Reading) -> bool:
    if _STEP.search(r.bare):
        return True
    claim = _FRAME.sub("user ", r.bare).removeprefix("the ")
    every = tuple(claim.rstrip(".!? ").split())[:_MOST_WORDS]
    dated = _DATED.search(claim) is not None
    standing = dated or _STANDING.search(claim) is not None
    for i in range(1, len(every)):
        if every[i] in words.PASSING_VERBS and not (standing or (every[i].endswith("s") and every[0] != "user")):
            return False
        if says_how_it_is(every, i):
            return True
        if i <= 2 and every[0] == "user" and every[i].endswith("ed") and not dated:
            return False
    return _lasts_by_its_form(r, every, dated)


def _lasts_by_its_form(r: Reading, every: tuple[str, ...], dated: bool) -> bool:
    """No known verb: a past with a year to it, a past of somebody's life, or a word that stands and ends like a verb."""
    past = [word for word in every if word.endswith("ed") or word in words.PASSING_VERBS]
    if dated and past:
        return True
    if not every or not r.bare.endswith((".", "!")):
        return False
    biography = every[0] != "user" and any(word not in words.PASSING_VERBS for word in past)
    return biography or _unknown_verb(every)


def _unknown_verb(every: tuple[str, ...]) -> bool:
    for i, (word, after) in enumerate(pairwise(every[1:8])):
        present = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "'s", "us"))
        if present and ((i == 0 and every[0] == "user") or after in _OPENERS):
            return True
    return False


def _has_clear_verb(every: tuple[str, ...]) -> bool:
    if any(word in _CLEAR for word in every[1:]):
        return True
    return len(every) > 1 and is_plural(every[0]) and every[1] in words.VERBS


# -- Chinese

_RELATION_ZH = re.compile(zh.RELATION)
_TITLE_ZH = re.compile(f"(?:^关于[^。]*|^[^，。！？]*){zh.TITLE_TAIL}$")
_IN_A_TITLE_NO_ZH = re.compile("是|有(?!关)|要(?!点)|在|必须")
_JOINED_ZH = re.compile("与|和|及")
_IN_A_LIST_NO_ZH = re.compile("[，。！]|是|有|用(?!户)|喜欢|(?<![聚协社])会(?![议员])|要|在|必须|吃|住|养")
_REQUEST_ZH = re.compile(
    f"用户(?:想要?|希望|要求|请求?|让|叫|需要|要|委托|拜托)(?:{zh.AGENT})?(?:帮忙?|给|替|为|把|将)?[^，。]{{0,12}}"
    "(?:翻译|写|生成|画|改|查|搜|总结|整理|转换|解释|推荐|列|算|做|检查|修|看看?|帮忙)"
)
_STANDING_ZH = re.compile(
    "必须|每次|每个|每天|每周|每月|始终|以后|今后|都|不要|一律|任何|总是|先|之前|永远|凡是|默认|回答|回复|(?:注释|提交信息|变量名?|日期|单位|文档)[^，。这]{0,3}用|学会|开一家|养成"
)
_ASIDE_ZH = re.compile(
    "^(?:用户|团队|小组|大家)[^，。]{0,10}(?:举了|讨论了|讨论过|看见|看到|听说|读了|读到|看了|说了几句|聊起|谈起|遇到了|碰到了"
    "|想起|路过|翻到|刷到|感慨|抱怨|讲了[^，。]{0,12}(?:故事|笑话|梦|经历|事)|说了[^，。]{0,8}(?:故事|笑话))"
    "|^(?:用户|客户|他|她|我)(?:曾|曾经|刚|今天|昨天|又|还|也|就|只是|一度|先|随口|顺便|当时|最近)?"
    f"(?:[对在跟和与同向][^，。]{{1,10}})?{zh.PASSING_VERB}"
)
_SELF_ZH = re.compile(
    "(?:提到|提起|说|说起|告诉[^，。]{0,4}|透露|表示)(?:过|了)?，?(?:自己|她|他|家里|家中|老家|孩子|爱人|妻子|丈夫|父母)"
)
_LASTING_ZH = re.compile("必须|每次|总是|从不|以后|今后|一律|禁止|不得|决定|规定|都要|过敏|一直")


def _no_relation_zh(text: str) -> bool:
    if _TITLE_ZH.search(text) and (text.startswith("关于") or not _IN_A_TITLE_NO_ZH.search(text, 2)):
        return True
    if _JOINED_ZH.search(text) and not _IN_A_LIST_NO_ZH.search(text):
        return True
    if _REQUEST_ZH.search(text) and not _STANDING_ZH.search(text):
        return True
    if _ASIDE_ZH.search(text) and not (_SELF_ZH.search(text) or _LASTING_ZH.search(text)):
        return True
    return not text.endswith(("。", "！")) and _RELATION_ZH.search(text.replace("用户", "")) is None
