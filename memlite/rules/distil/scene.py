"""Which sentences of a talk are the user's own and meant: no fiction, no text to work on, no joke, no secret.

Silence wins: what stands after "translate this:" is left out even if the user wrote it of himself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memlite.rules.distil.sentences import Sentence, sentences, spoken

_WORKS = (
    "story|poem|song|scene|dialogue|limerick|haiku|novel|chapter|monologue|sketch|screenplay|fairy tale|rap|"
    "sonnet|fan ?fiction|script for (?:a|an|the) (?:play|film|movie|video|short|sketch|podcast)"
)
_FICTION = re.compile(
    rf"\bcontinue (?:this|the story|my story)\b|\b(?:write|make up|invent|tell|compose|finish|"
    rf"draft)\b.{{0,20}}\b(?:{_WORKS})\b|\brole-?play|\bpretend\b|\bin character\b|\bact as (?:if|a|an|my|"
    rf"the)\b|"
    r"\byou are (?:now )?(?:a|an|the|my) (?:waiter|doctor|pirate|interviewer|king|queen|wizard|detective|"
    r"customer|recruiter|bartender|judge|captain|shopkeeper|knight|robot|dragon|vampire|guard|villain)\b|"
    r"\blet us play\b|\bonce upon a time\b|\bfirst person\b|\bmy character\b|\bthe (?:hero|heroine|"
    r"protagonist|villain|narrator)\b|\b(?:D&D|dungeons? (?:and|&) dragons)\b|\bimagine (?:that )?(?:you|"
    r"I|we)\b|"
    r"\bpersona\b|\bwith you as\b|\bplay (?:the|a) (?:role|part|customer|waiter|doctor|patient)\b|"
    r"\bin the (?:story|novel|scene|game)\b|"
    "续写|(?:写|编|讲|来|作)(?:一)?(?:个|首|篇|段|则|部).{0,12}(?:故事|诗|小说|剧本|段子|歌词|童话|独白|"
    "对白|台词|笑话)|扮演|假装|角色|第一人称|你现在是|小说里|剧本里|主角|男主|女主|情景对话|模拟面试",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:out of character|back to (?:reality|real life|me|business)|in real life|end of (?:story|game)|"
    r"enough (?:of )?(?:playing|the game)|for real (?:now|though)|stop (?:the )?(?:story|role ?play|game|"
    r"playing)|"
    r"by the way|btw|seriously though|on another note|as for me|myself)\b|说正经的|回到现实|不演了|不玩了|"
    r"顺便说|话说我|说回我|说真的|我自己",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|our) [a-z]+(?:,? [A-Z]\w+)?,? who\b")
_TRANSFORM = re.compile(
    r"\b(?:translate|proofread|polish|rewrite|re-write|rephrase|reword|paraphrase|shorten|summari[sz]e|"
    r"condense|edit|improve|spell-?check|correct|grade|transcribe|analy[sz]e|parse|classify|"
    r"convert|complete|extract|review|explain|format|critique|what does|how do you say|say|put) (?:this|"
    r"that|these|the (?:following|next|text|sentence|paragraph|passage|letter|email|quote|review|post|cv|"
    r"abstract|attached)|my (?:essay|cv|resume|letter|email|"
    r"cover letter|text|draft|bio|abstract|poem|profile|application)|her|his|their|a friend|it\b|for me|"
    r"below|into|to|in|\w+'s|[\"“…])|\b(?:translate|proofread|polish|summari[sz]e|rewrite)\b.{0,40}:|"
    r"\bhere is (?:the|my|a|an|his|her|their) (?:text|letter|draft|essay|email|mail|post|article|cv|"
    r"review|message|paragraph|story|bio|log|diary)\b|"
    r"\b(?:he|she|they|it|the \w+|\w+) (?:wrote|writes|replied|answered|texted|posted|reads|says)\s*:|"
    "翻译|译成|翻成|翻为|润色|改写|校对|修改(?:一下)?(?:这|下面|我的)|总结(?:一下)?(?:这|下面)|概括(?:一下)?(?:这|"
    "下面)|缩写|扩写|仿写|改(?:一)?(?:下|改)这|这(?:句|段|篇).{0,8}(?:怎么|什么|改|译|对吗)|下面(?:是|"
    "这)|"
    "(?:他|她|人家|对方|客户|同学|朋友)(?:写|说|发|回)(?:的|了|道)?(?:是)?[：:]",
    re.IGNORECASE,
)
_GIVEN_TEXT = re.compile(
    r"^(?:please |pls |ok |and |now |(?:can|could|would) you (?:please )?)*"
    r"(?:write|draft|compose|reply|respond|answer|post|tweet|send|make(?! a note)|turn|change|check|fix|rate|judge|read|continue|"
    r"finish|type|print|sort|tidy|format|work on|say)\b(?!.*\b(?:always|never|from now on|in future|every)\b)[^:]{0,60}:\s",
    re.IGNORECASE,
)
_ZH_GIVEN_TEXT = re.compile(
    "^(?:请|麻烦|能不能|可以)?(?:帮我?|给我|替我|把|将|写|回|改)(?!记|存|留意)(?!.{0,12}(?:以后|每次|记))[^：:]{0,20}[：:]"
)
_SUPPOSE = re.compile(
    r"^(?:ok |okay |so |now |and |then |well |but )?,?\s*(?:suppose|supposing|imagine|let us (?:say|"
    r"assume|suppose|imagine|pretend)|assume|assuming|hypothetically|say (?:I|you|we|my|that)|what if|"
    r"in theory|"
    r"for example|for instance|e\.g|picture|given a|consider|exercise|homework|task|question|problem|"
    r"q)\b[:,]?|\bhypothetical|\bfor the sake of argument\b|"
    "^(?:那|好|所以)?(?:假设|假如|假定|设想|设|如果|要是|比如说?|例如|打个比方|题目|例题|习题|作业题|"
    "应用题)|已知|求解|小明|小红",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"\b(?:just|only|was|am|i'm) (?:kidding|joking|messing|teasing|pulling your leg)\b|\bkidding\b|"
    r"\bj/?k\b|\bit was a joke\b|\bnot really true\b|\bi made (?:that|it) up\b|\bgotcha\b|\bapril fool|"
    r"\bnot true\b.{0,12}\b(?:wanted|testing|see)\b|\bto see (?:what|how|whether|if) you\b|"
    "开玩笑|逗你|骗你|瞎说|瞎编|编的|玩笑话|闹着玩|不是真的|假的啦|哄你",
    re.IGNORECASE,
)
_TAKE_BACK = re.compile(
    r"\b(?:scratch|strike|forget|ignore|disregard|delete) (?:that|what i (?:said|told)|the last|my last|"
    r"all that|everything)\b|\b(?:forget|delete|remove|erase) (?:it|that) again\b|\bremove it again\b|"
    r"\b(?:do not|don['’]?t|never) (?:save|store|remember|note|record|keep|memori[sz]e|write down) (?:that|this|it|"
    r"any of)\b|\boff the record\b|\bkeep (?:that|this) (?:out of|between us|to yourself)\b|"
    r"\bthat is not for (?:your memory|storing)\b|"
    "当我没说|忘掉(?:刚才|它|这个|上面)|别记(?!错)|不要记|不用记|别存|不要存|删掉(?:刚才|它|这)|撤回|别放进记忆|不必记住",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"\btest marker\b|\bjust (?:a )?test(?:ing)?\b|\bthis is (?:only |just )?a test\b|\btest (?:message|"
    r"entry|memory|string|value|data|fact)\b|\btesting(?:,| (?:the|your|if|whether|one))|"
    r"\bchecking (?:whether|if) (?:\w+ ){1,4}works?\b|"
    r"\bdummy (?:value|entry|data|fact|text)\b|\bfoo ?bar\b|\blorem ipsum\b|\bplaceholder\b|测试标记|"
    r"测试一下|只是测试|测试(?:数据|用例|消息|记忆|条目)|试试(?:你|看).{0,8}(?:记|存)|占位",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|pin(?: code| number)?|api[ _-]?key|secret(?: key)?|"
    r"access[ _-]?token|auth[ _-]?token|token|bearer|private key|recovery (?:code|phrase)|seed phrase|cvv|"
    r"security code)\b"
    r"\s*(?:for [\w .'-]{1,40}?\s*)?(?:[=:]\s*[\w\"'<]|(?:is|are|was|to)\s+(?!not\b|in\b|a\b|an\b|the\b|"
    r"stored|kept|wrong|missing|rejected|invalid|expired|set\b|required|too|read|ignored|never|always|"
    r"only|hashed|"
    r"sent|needed|used|empty|fine|ok\b|correct|right|different|changed|rotated|managed|encrypted|lost|"
    r"being|also|still)\S)|\[secret:|\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|glpat|hf|eyJ)[-_A-Za-z0-9]{12,}|"
    r"-----BEGIN|\b[A-Fa-f0-9]{32,}\b|\b(?:\d[ -]?){13,19}\b|://[^\s/:]+:[^\s/@]+@|"
    "(?:密码|口令|密钥|令牌|验证码|私钥|助记词|银行卡号|卡号|身份证号?|PIN码?)(?:是|为|：|:|=|改成|设成|就是)\\s*\\S",
    re.IGNORECASE,
)
_LONG_PASTE = 900
"""A message of more characters is a pasted text; only its first sentences are the user's."""


@dataclass(frozen=True, slots=True)
class Read:
    """What may be read of one turn.

    Attributes:
        sentences: the ones to read, in order.
        takes_back: the user withdraws what he said before (a joke, "forget that").
        work: the turn asks for a text to be written or worked on.
    """

    sentences: tuple[Sentence, ...]
    takes_back: bool
    work: bool


def read(messages: Sequence[tuple[str, bool]]) -> tuple[Read, ...]:
    """For each (text, is the user's) what may be read. Of others' messages all sentences are given: they're context.

    A story or a game once begun lasts until the user leaves it in words.
    """
    fiction = False
    found: list[Read] = []
    for text, by_user in messages:
        own = spoken(text)
        if not by_user:
            found.append(Read(sentences(own), False, False))
            continue
        reading, fiction = _user(own, fiction)
        found.append(reading)
    return tuple(found)


def _user(own: str, fiction: bool) -> tuple[Read, bool]:
    kept: list[Sentence] = []
    work = False
    takes_back = bool(_JOKE.search(own) or _TAKE_BACK.search(own))
    if _TEST.search(own):
        return Read((), takes_back, False), fiction
    for sentence in sentences(own[:_LONG_PASTE] if len(own) > _LONG_PASTE else own):
        text = sentence.text
        if fiction and _BACK.search(text):
            fiction = False
        elif not fiction and _FICTION.search(text):
            fiction = True
        head, colon, after = text.partition(":")
        if colon and sentence.question and len(after.split()) + len(re.findall("[\u4e00-\u9fff]", after)) >= 4:
            kept += [] if fiction else [replace(sentence, text=head)]
            work = True
            break
        if _hands_over(text):
            work = True
            break
        if fiction and _MINE.search(text) and _FICTION.search(text):
            kept.append(replace(sentence, question=True))  # "a poem for my aunt, who paints": whom it's for is no fiction
            continue
        if _TRANSFORM.search(text) or _SUPPOSE.search(text):
            work = True
            if (
                re.search('[…"“”]', text) and ":" not in text
            ):  # the text to work on stood in quotation marks: what follows is the user's again
                continue
            break
        if fiction or _SECRET.search(text) or _JOKE.search(text) or _TAKE_BACK.search(text):
            continue
        kept.append(sentence)
    return Read(() if takes_back and _JOKE.search(own) else tuple(kept), takes_back, work), fiction


def _hands_over(text: str) -> bool:
    """Whether an order is followed by the text it's about: "make this friendlier: …", 帮我写周报：…."""
    return bool(_GIVEN_TEXT.match(text) or _ZH_GIVEN_TEXT.match(text))


def is_secret(text: str) -> bool:
    """Whether a text carries a credential or a number that must not be repeated.

    >>> is_secret("the staging password is hunter2"), is_secret("I forgot my password")
    (True, False)
    """
    return bool(_SECRET.search(text))
