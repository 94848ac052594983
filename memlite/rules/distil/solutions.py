"""Problems that were solved in a talk: stated by the user, answered by the agent, and confirmed by the user afterwards.

A proposal nobody reported to have tried is no solution; neither is a fault that went away by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memlite.rules.distil.confirmation import confirms
from memlite.rules.distil.dialogue import Solution, Turn
from memlite.rules.distil.grammar import FINITE, base, parse, words
from memlite.rules.distil.person import about_user
from memlite.rules.distil.scene import is_secret
from memlite.rules.distil.sentences import Sentence, clauses, is_chinese, sentences, without_code

MAX_STEPS = 8
MAX_PROBLEM_SENTENCES = 2
MAX_WAIT = 3
"""Turns between the last advice and the report that it worked; later the talk is about something else."""

_PROBLEM = re.compile(
    r"\b(?:errors?|fails?|failed|failing|failure|broken|broke|breaks?|crash\w*|hangs?|hanging|stuck|"
    r"freez\w+|froze|timeouts?|timed? out|times out|slow|slower|wrong|missing|lost|loses?|leaks?|leaking|"
    r"drops?|"
    r"does not|do not|will not|can not|could not|is not|are not|was not|no longer|never|nothing|keeps?|"
    r"stays?|still|again|always \w+s|refus\w+|reject\w+|denied|forbidden|unreachable|refused|empty|blank|"
    r"garbled|weird|odd|"
    r"strange|duplicat\w+|twice|exceptions?|traceback|segfault|panic\w*|undefined|null|NaN|(?:returns?|"
    r"gets?|status|http|error|is|an?|with|gives?) [45]\d\d(?! \w+s\b)|"
    r"out of memory|oom|spam|junk|full|conflicts?|problems?|issues?|bug|trouble|noise|noisy|squeak\w*|"
    r"rattl\w+|smell\w*|burn\w*|mould\w*|mold\w*|"
    r"yellow|brown|wilt\w*|sticky|dry|dense|flat|runny|bitter|sour|soggy|blurr?y|flicker\w*|vanish\w*|"
    r"disappear\w*|takes? (?:\w+ ){1,3}(?:seconds|minutes|hours)|every time|too \w+|unable|complain\w*|"
    r"warns?|warning|"
    r"exits?|killed|corrupt\w*|unreadable|invisible|overheat\w*|hot|cold|wet|damp|uneven|crooked|wobbl\w+|"
    r"jam\w*|clog\w*|blocked|dead|dies|dying|drain\w*|collaps\w+|sink\w*|sank|curdl\w*|split|splits|"
    r"separat\w+|tough|crumbl\w*|tears?)\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"^(?:\w+[,:]? ){0,3}(?:how (?:do|can|could|would|should|to)|why (?:is|are|does|do|did|will|would)|"
    r"what is wrong)\b",
    re.IGNORECASE,
)
_ZH_PROBLEM = re.compile(
    "老(?=[^师家婆公板人大二三])|总(?!结|之|共|监|部|体)|又(?=滴|漏|响|断|掉|堵|坏|卡|报|黑)|滴水|报错|"
    "失败|超时|崩|挂了|卡|打不开|连不上|用不了|不工作|不行|不动|不亮|不转|坏了|断|丢|没了|慢|乱码|问号|"
    "闪退|死机|漏|异响|发热|掉线|不了|进不去|起不来|没反应|不生效|不出来|白屏|黑屏|异常|出错|问题|错误|"
    "老是|总是|一直|全变成|变成|不对|重复|泛黄|发黄|发黑|塌|不熟|太|不显示|找不到|拒绝|溢出|泄漏|冲突|"
    "满了|(?<!影)响|抖|糊|裂|烂|枯|蔫|酸|苦|硬|粘|堵|臭|怎么(?:老|总|又|还)|为什么|为啥|缺|打不着|回缩|中断|"
    "要(?:跑|等|花)|没有(?:声音|信号|图像|输出)|变红|红叶|掉叶|睡不着|打滑|[45]\\d\\d"
)
_NO_REPORT = re.compile(
    r"(?:I|we|you|it|that|this|yes|yeah|ok|okay|thanks?|hi|hello|hey|good|great|nice|cool|lol|haha|please|let|"
    r"so|maybe|oh|sorry|sure|by the way|btw|for|to|in|at|after|wow|of|on|from|with|before|since|when|if|"
    r"as|but|and|all in all|at least|these|those)\b",
    re.IGNORECASE,
)
_SPEAKER_FAULT = re.compile(
    r"\b(?:errors?|fail\w*|crash\w*|can not|could not|unable|stuck|broken|lost|lose|losing|timeouts?|trouble|"
    r"problems? with|keep \w+ing|slow|exception|no longer|[45]\d\d|wake|mould|leak\w*|get (?:an?|the|only|no|"
    r"\w+ed)\b|always (?:get|burn|lose|break))",
    re.IGNORECASE,
)
_MOOD = re.compile(
    r"\b(?:feel\w*|felt|nervous|anxious|stress\w*|depress\w*|lonely|sad|upset|worried|bored|pressure|happy|joy|glad|proud|thrilled|excited)\b",
    re.IGNORECASE,
)
_ZH_MOOD = re.compile("担心|感觉|觉得|心情|压力|焦虑|难过|开心|紧张|烦恼|郁闷|无聊|我想|分享|聊")
_ABOUT_ANSWERS = re.compile(
    "以后|今后|回答|你写|你说|太啰嗦|太长了|from now on|your answers?|too (?:long|formal|short|verbose|wordy)", re.IGNORECASE
)
_OWN_FIX = re.compile(
    r"\b(?:we|I) (?:\w+ )?(?:fixed|solved|resolved|cured) (?:the |it|that|this|our )?(?:[\w-]+ ){0,5}(?:with|"
    r"by) \w|解决(?:办法|方法|方案)(?:是|就是|：)|最后是.{1,20}解决",
    re.IGNORECASE,
)
_NEED = re.compile(
    r"\b(?:should|must|needs? (?:to|an?|the)?|have to|has to|instead|try)\b|[=`]|--\w|^[A-Z][a-z]+ (?:it|the|"
    r"your|an?|both|all|them|this|that|for|only|from|until|\d+) |\b(?:only|never|always|avoid) \w+ (?:when|"
    r"after|before|once|the|in|on)\b"
)
_FIRST_DO = re.compile(r"(?:then|first|just|next|now)\b,? (?!it\b|that\b|you\b|we\b|the\b)[a-z]+ \w", re.IGNORECASE)
_CLAUSE_HEAD = re.compile(r"(?:^|[;:,.–-] |\b(?:then|so|and|or|just|please|also|first|better) )([A-Za-z]+)\b")
_CAUSE = re.compile(
    r"\b(?:it was|that was|the (?:problem|cause|culprit|reason) (?:was|is)|was the (?:cause|culprit|problem|"
    r"reason)|so it)\b|问题(?:就)?(?:在|是|出在)|原因(?:就)?是|就是.{1,12}(?:的问题|惹的)|原来是|确认是",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:show|send|paste|tell|give|post|share) (?:me|us)\b|^(?:which|what|how|why|where|who|is|are|do|"
    r"does|did|can|could|have|has)\b|^(?:good|great|glad|perfect|nice|lovely|fine|excellent|wonderful|"
    r"congratulations|you're welcome|you are welcome|welcome|anytime|sorry|thanks|hello|hi|then it is|"
    r"that settles|so it was|so it is|done|sure|understood|noted)\b(?! (?:use|set|add))|"
    "(?:吗|呢)?[？?]$|^(?:好的?|不客气|恭喜|太好了|那就好|没事|明白|了解|收到|辛苦|抱歉|那就确认|看来|"
    "说明)|发(?:来|给|我)|贴|看一下$",
    re.IGNORECASE,
)
_ZH_ADVICE = re.compile(
    "给|建|把|改|用|加|设|换|删|装|升级|降|关|开|清|重|配|需要|应该|得|放|先|再|试|让|调|缩|拆|洗|擦|拧|换成|别|"
    "不要|取消|unset|禁用|启用|=|运行|执行|指定|移到|泡|晾|涂|剪|浇|垫"
)
_DID = re.compile(
    r"^I (?:have )?(set|changed|added|replaced|switched|pinned|removed|updated|increased|raised|lowered|moved|"
    r"disabled|enabled|rebuilt|cleared|rewrote|wrapped|upgraded|downgraded|reduced|fixed)\b",
    re.IGNORECASE,
)


_ADVISES = re.compile(
    r"^(?:maybe |perhaps )?you (?:should|could|can|might) |(?:也许|或许)?[你您]也?(?:可以(?!帮)|应该|不妨)", re.IGNORECASE
)


def solutions(turns: Sequence[Turn]) -> tuple[Solution, ...]:
    """The solved problems of a window, in the order of their confirmation."""
    found: list[Solution] = []
    problem: list[tuple[int, str]] = []
    steps: list[tuple[int, str]] = []
    latest: list[tuple[int, str]] = []  # the fault stated last, whether or not advice on another is under way
    asked = False
    for index, turn in enumerate(turns):
        said = sentences(without_code(turn.content))
        if turn.role in ("assistant", "agent"):
            steps += [(index, text) for text in _steps(said)] if problem else []
            asked = bool(said) and said[-1].marked
        elif turn.role == "user":
            own = [(index, about_user(s.text, "team")) for s in said if _is_own_fix(s)]
            fresh = steps and index - steps[-1][0] <= MAX_WAIT and any(_is_advice(text) for _, text in steps)
            stated = [(index, text) for text in _problem(said, told=not asked)]
            if problem and fresh and confirms(said, asked=asked, problem=_told(problem)):
                found.append(_solution(problem, [*steps, *own], index, _cause(turns, index)))
                problem, steps, latest = [], [], []
            elif own and latest:
                found.append(_solution(latest, own, index, ""))
                problem, steps, latest = [], [], []
            else:
                latest = stated or latest
                if stated and not fresh and (not problem or steps or _HOW.match(problem[0][1])):
                    problem, steps = stated, []
    return tuple(found)


def _is_advice(text: str) -> bool:
    """Whether a sentence of the agent tells what to do: an order, a need, a setting."""
    if is_chinese(text):
        return bool(_ZH_ADVICE.search(text))
    if _NEED.search(text) or _FIRST_DO.match(text):
        return True
    return any(base(match[1]) == match[1].lower() != "" for match in _CLAUSE_HEAD.finditer(text))


def _told(problem: list[tuple[int, str]]) -> str:
    return " ".join(text for _, text in problem)


def _is_own_fix(sentence: Sentence) -> bool:
    """Whether the user tells himself what solved it: "fixed it with a unique index", 解决办法是…."""
    return not (sentence.question or is_secret(sentence.text)) and bool(_OWN_FIX.search(sentence.text))


def _problem(said: Sequence[Sentence], *, told: bool) -> list[str]:
    """The sentences of a user's message that state a fault, else a "how do I" that asks for a way.

    Args:
        said: the message's sentences.
        told: the message isn't the answer to a question, so that a mere report may count as well.
    """
    usable = [s for s in said if not is_secret(s.text) and len(s.text) > 3]
    usable = [s for s in usable if not _ABOUT_ANSWERS.search(s.text)]
    faults = [s.text for s in usable if _is_fault(s) and (told or s.chinese or _SPEAKER_FAULT.search(s.text))]
    asked = [s.text for s in usable if not s.chinese and _HOW.match(s.text)]
    return faults[:MAX_PROBLEM_SENTENCES] or asked[:1] or [s.text for s in usable if told and _is_report(s)][:1]


def _is_fault(sentence: Sentence) -> bool:
    """Whether a sentence states a fault; of the speaker himself only what he can't get to work counts, not how he feels."""
    text = sentence.text
    if _ADVISES.search(text):
        return False
    if sentence.chinese:
        asks = sentence.marked and not re.search("怎么|为什么|为啥|咋", text)
        return bool(_ZH_PROBLEM.search(text)) and not asks and not _ZH_MOOD.search(text)
    if re.match(r"(?:hi|hello|hey|today|recently|lately|yesterday|thanks?|yes|no)\b", text, re.IGNORECASE) or _MOOD.search(text):
        return False
    if re.match(r"(?:[\w']+,? ){0,2}(?:I|we)\b", text):
        return bool(_SPEAKER_FAULT.search(text))
    return bool(_PROBLEM.search(text))


def _is_report(sentence: Sentence) -> bool:
    """Whether a sentence tells how a thing behaves ("the chain skips under load"), which is how many problems are stated."""
    text = sentence.text
    if (
        sentence.question
        or sentence.chinese
        or _NO_REPORT.match(text)
        or _MOOD.search(text)
        or re.match(r"(?:[\w']+,? ){0,2}(?:I|we|you)\b", text)
    ):
        return False
    every = words(text)
    if len(every) < 3 or every[0].lower().endswith("ing") or base(every[0]) == every[0].lower():
        return False
    parsed = parse(text)
    told = parsed is not None and parsed.form == "present" and parsed.subject in ("bare", "name", "the", "my", "our", "all")
    return told or bool(re.match(r"(?:(?:the|my|our|all) )?[\w.-]+(?: [\w.-]+)? [a-z-]{3,}s \w|no \w+ \w", text))


def _steps(said: Sequence[Sentence]) -> list[str]:
    """The sentences of an agent's message that tell what to do or what was wrong; courtesies and questions are none."""
    kept: list[str] = []
    for sentence in (part for one in said for part in _stated(one)):
        text = sentence.text
        if sentence.marked or _ASKING.search(text) or is_secret(text):
            continue
        if sentence.chinese:
            kept += [text] if _ZH_ADVICE.search(text) or len(text) > 6 else []
            continue
        if did := _DID.match(text):
            text = f"{base(did[1]).capitalize() or did[1]}{text[did.end() :]}"
        acts = len(words(text)) > 5 or _is_advice(text) or any(base(word) or word.lower() in FINITE for word in words(text))
        if acts and len(words(text)) > 2 and not re.match(r"I\b", text):
            kept.append(text)
    return kept


def _stated(sentence: Sentence) -> list[Sentence]:
    """The sentence, or the part of a question that tells something before it asks: "oil the hinge, is it loose?"."""
    if not sentence.marked:
        return [sentence]
    told = [clause.text for clause in clauses(sentence) if not clause.question]
    return [replace(sentence, text=text, marked=False) for text in told if len(text) > 4]


def _cause(turns: Sequence[Turn], confirmed: int) -> str:
    """What the agent concludes right after the confirmation: "so it was the fuse"; empty if nothing."""
    if confirmed + 1 >= len(turns) or turns[confirmed + 1].role not in ("assistant", "agent"):
        return ""
    said = sentences(turns[confirmed + 1].content)
    return next((s.text for s in said if not s.marked and _CAUSE.search(s.text) and not is_secret(s.text)), "")


def _solution(problem: list[tuple[int, str]], steps: list[tuple[int, str]], confirmed: int, cause: str) -> Solution:
    chosen = list(dict.fromkeys(steps))[:MAX_STEPS]
    told = [text for _, text in chosen]
    body = told[0] if len(told) == 1 else "\n".join(f"{number}. {text}" for number, text in enumerate(told, 1))
    body = f"{body}\n{cause}" if cause else body
    first = "; ".join(text for _, text in problem)
    turns = sorted({index for index, _ in [*problem, *chosen]} | {confirmed})
    return Solution(about_user(first, "team"), body, tuple(turns))
