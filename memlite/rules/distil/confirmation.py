"""Whether a user's message reports that a proposal worked: in words, by its result, or by how long nothing has failed.

A plan ("I'll try"), an acknowledgement, a question or a fault that goes on is no such report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memlite.rules.distil.grammar import is_past, words
from memlite.rules.distil.sentences import Sentence
from memlite.rules.terms import ENGLISH_STOP_WORDS

_SOLVED = re.compile(
    r"\b(?:works?|worked|working|runs?|builds?|loads?|boots?|starts?|connects?|prints?|compiles?|passes|"
    r"pass|passing|syncs?|plays?|opens?|renders?|deploys?|flows?|rises?|holds?|closes?|turns?|sticks?|"
    r"fits?|stays?|shows?|survives?|looks?|sounds?|goes) "
    r"(?:now|again|fine|perfectly|like a charm|first try|at last|cleanly|through|without|as expected|"
    r"everywhere|on all|on both|great|beautifully|well|properly|right|up|flat|dry|firm|put)\b"
    r"|\b(?:that|this|it|which|everything|all|\w+ing \w+|now it|and it) (?:works|worked|fixed|solved|"
    r"helped|did it|did the trick|was it|resolved|cured|sorted)\b|\b(?:was|did|does|were) the (?:trick|"
    r"fix|culprit|cause|solution|problem|job|reason)\b|\bdid it\b|\b(?:fixed|solved|cured|resolved) (?:it|"
    r"that|the|everything|by|both|with)\b"
    r"|\b(?:is|are|was|were|now|all|problem|issue|bug|and|got it|everything) (?:fixed|solved|resolved|"
    r"sorted|gone|green|fine|firm|clean|stable|silent|quiet|smooth|fast|clear|crisp|dry|tight|perfect|"
    r"normal|back|good|ok|okay|well|steady|even|level|there|correct|readable|visible|intact|up|complete|"
    r"sharp|straight|flat|soft|fluffy|instant|warm|cool) ?"
    r"(?:now|again|since|as|too|$|[,.!])"
    r"|\bI am in\b(?! (?:a|the|my))|\b(?:works?|worked|fine|good enough) (?:with|on|in|for|via|over|under) (?!it\b|the old)\w"
    r"|^(?:it )?(?:passes|builds|compiles|boots|starts|runs|loads|prints|connects|syncs|closes|"
    r"holds)\b(?!.*\b(?:but|until|only|not|then)\b)"
    r"|\b(?:fixed|solved|sorted)[!.]?$|^(?:fixed|solved|sorted|works|worked|it works|that works|bingo|"
    r"success|green|all green|hooray|hurray|yay|yess+|woohoo|eureka|perfect|flawless|magic)\b|\b(?:works|"
    r"worked) ?(?:[!.,]|$|-)|\ball (?:green|firm|good|pass\w*|tests pass\w*|clean|clear)\b|"
    r"\btests? (?:are |all |now )?(?:pass|green|passing)\b"
    r"|\bno (?:more |further |single )?(?:errors?|crash\w*|timeouts?|problems?|issues?|leaks?|noise|"
    r"warnings?|failures?|complaints?|drops?|duplicates|lumps|cracks|smell|squeak\w*|"
    r"stutter\w*)\b(?: (?:since|now|any ?more|so far|at all))?|\bnot (?:a single|one) \w+|"
    r"\bhas not (?:\w+ )?(?:since|again|happened|failed|crashed|dropped|come back)\b|\bgone (?:now|since|"
    r"after|for good)?(?:$|[,.!])"
    r"|\b(?:went|goes|came|got|ran|sailed) (?:right |straight |all )?through\b|\b(?:went|came out|turned out|ran|held) (?:fine|well|great|perfect\w*|clean\w*|smooth\w*)\b"
    r"|\bstayed (?:up|put|on|dry|flat|firm|crisp|green|connected|warm|cool|cold|quiet|stable|clear|open|closed)\b"
    r"|\b(?:instead of|down from|down to|from) \d[\w.]*|\b(?:\d+|one|two|three|four|five|six|"
    r"ten) (?:\w+ )?(?:seconds?|minutes?|hours?|ms|connections|percent) now\b|\bback to normal\b|"
    r"\b(?:stopped|stops) (?:\w+ing|after)\b|\b(?:finally|now) (?:it |they )?(?:works?|runs?|starts?|"
    r"boots?|builds?|prints?|loads?|connects?|opens?|closes?|rises?|shows?|holds?|passes|plays?|syncs?|"
    r"fits?|sticks?|stays?)\b"
    r"|\bgood as new\b|\bsince then (?:no|not|it|everything)\b|\blike (?:new|silk|a dream|a charm|butter|"
    r"clockwork|magic|a glove)\b|\bheld (?:all|the whole|for|up)\b|\b(?:been|is|are|was) (?:stable|fine|"
    r"quiet|good|solid|perfect|smooth|rock solid|up) (?:for|since|all|ever since|the whole)\b|"
    r"\bno more \w+\b|\band counting\b|\bproblem (?:is )?solved\b"
    r"|\b(?:nothing|none|zero|never) (?:\w+ )?(?:lost|missing|broken|dropped|failed|since|again)\b|"
    r"\bwithout (?:a|any|one|a single|further) (?:\w+ )?(?:restart|crash|error|drop|failure|problem|hitch|"
    r"issue|warning|timeout|leak|stutter|complaint|trouble|glitch|cut)\w*\b|\b(?:much|far|way|so much|"
    r"a lot|noticeably) (?:better|faster|quieter|smoother|cooler|warmer|lighter|cleaner|quicker|softer)\b"
    r"|\b(?:it|that) was (?:it\b|(?:just |indeed |really )?the \w+(?: \w+)?(?=$|[,.!]))|"
    r"^\w+ (?:\w+ )?(?:was|were) (?:it|the reason|the one|to blame)\b|\bno \w+(?: \w+)? (?:ones?|"
    r"any ?more|since|now|left|so far)\b|\bfirst (?:try|attempt)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"^(?:and |now |ok |down to )*(?:about |only |just |under |around )?[\d.,]+ ?(?:ms|s|secs?|seconds?|"
    r"minutes?|min|%|percent|fps|[kmg]b|degrees|db|hours|requests|mb/s)\b(?! (?:ago|later|left|old|wait))|"
    r"\b(?:for|after|in|over) (?:a|an|one|two|three|four|five|six|\d+|several|some) (?:\w+ )?(?:hours?|"
    r"days?|weeks?|months?|nights?|runs?|batches|tries|loaves|rides?|washes|boots|reboots|times)\b"
    r"|\b(?:one|two|three|four|five|six|\d+|several|some|a) (?:\w+ )?(?:hours?|days?|weeks?|months?|"
    r"nights?|runs|batches|boots|reboots) (?:later|now|in|on|and|straight|in a row|since)\b|^(?!he\b|"
    r"she\b|I\b|we\b|you\b|they\b|what\b|so\b)(?:and )?(?:[\w.%]+ ){1,4}now\b|\b(?:tested|tried|ran|run|"
    r"checked|restarted|rebooted|repeated) (?:it |this |them |that )?(?:\w+ )?(?:\d+|two|three|four|five|"
    r"ten|twenty|several|many) times\b|\bsince (?:then|monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday|yesterday|last \w+|the change)\b",
    re.IGNORECASE,
)
_NOT_SOLVED = re.compile(
    r"\b(?:does not|do not|did not|still not|is not|not yet|will not|can not|has not|was not) (?:work|"
    r"help|fix|start|run|change|load|connect|build|solve|do it|working|fixed|solved|make|it\b|the\b|"
    r"gone)\w*\b|\bstill (?!works?\b|working|fine|good|holds?|holding|stable|running|ok|perfect|"
    r"going strong|up\b|green|dry|fast|smooth|fresh|soft|crisp|online|connected|alive|intact|firm|sealed|"
    r"tight|quiet|silent|cool|warm|clean|clear|on\b|sharp|level|straight)|"
    r"\bno (?:luck|change|difference|effect|joy|idea|time)\b|\b(?:works?|worked) (?:but|except|only|until|"
    r"if|for (?:a|one) (?:while|minute|moment))\b|\bif (?:it|that|this|I|we) \w+\b|\b(?:will|would|"
    r"going to|gonna|let me|shall|want to|need to|have to|plan to|should|could) (?:try|see|test|do|check|"
    r"report|look|ask|order|buy|call|think|let|get|give|go)\w*\b|\bhope\b|\blater\b(?! ?:)|\btomorrow\b|"
    r"\bused to work\b|\bworked (?:yesterday|before|last)\b|\bworse\b|\bsame (?:error|problem|result)\b|"
    r"\bshould work\b|\bmight\b|\bsounds (?:good|right|plausible|great|like)\b|\b(?:another|different|new|"
    r"other|an?) error\b|\b(?:try|trying|doing|going|right|what|running|waiting) (?:it |that )?now\b|"
    r"\b(?:fails?|crash\w*|breaks?|hangs?) (?:again|now|at|on|with)\b|\bagain (?:fails|broken|slow)\b|"
    r"\bgiv(?:e|ing) up\b|\bnever ?mind\b|\bnot sure\b|\bno longer (?:starts|works|boots|builds)\b|"
    r"\bunfortunately\b|\bexcept\b",
    re.IGNORECASE,
)
_NEGATED_FAULT = re.compile(
    r"\b(?:no|not|nothing|without|never|none|zero|0|stopped|neither|nor|gone)\b(?: [\w-]+){1,3}", re.IGNORECASE
)
_FAULT = re.compile(
    r"\b(?:errors?|fail\w*|crash\w*|broken|broke|hangs?|stuck|timeouts?|wrong|leak\w*|lost|loses?|drops?|"
    r"dropp\w+|refus\w+|denied|complain\w*|warn\w*|worse|slow|conflict\w*|problem|issue|trouble|missing|but|"
    r"though|however|only)\b",
    re.IGNORECASE,
)

_GLAD = re.compile(
    r"\b(?:now|again|finally|even|at last|already|right away|straight away|since|perfect|great|wow|lovely|"
    r"brilliant|awesome|sweet|yes|thanks|works?|fine|like it should|as it should)\b",
    re.IGNORECASE,
)
_ZH_SOLVED = re.compile(
    "好了|可以了|解决了|搞定|成功了|正常了|通过了|不报错了|没再|再没|再也没|秒(?:装|开|过|回|出|进)|"
    "恢复了|有用了?$|管用|果然|没问题了|好使|跑通|跑起来了|能用了|(?:都|也|再|点|个|"
    "次)没[^，。用有变好]{1,4}$|能[^，。？]{1,8}了|全绿|都绿|过了$|不(?:卡|漏|响|掉|断|慢|抖|闪|崩|堵|黄|"
    "苦|酸|糊|烫|粘|超时|报错|重复|打滑|丢|乱)[^，。]{0,4}了|"
    "降到|降为|从[^，。]{1,12}(?:降|变|减|缩)(?:到|成|为)|只要\\s?\\d|只用\\s?\\d|稳定了|治好|起作用|"
    "就(?:有|能|可以|正常|没|不|恢复)[^，。？要想是会]{1,8}了$|生效了|出来了|连上了|打开了|启动了|不再|显示正常|一切正常|都正常|(?:表情|中文|画面|声音|数据|一切|"
    "全|都)正常|就是(?:它|这个)的?(?:问题|原因)|(?:快|好|顺|清楚|安静|轻松|稳|亮|省|软|凉快|流畅)多了|"
    "一(?:次|把|下子?)就|立马|终于[^，。]{1,8}了|(?:这[次回下]|这[一几两三四五\\d]天|这周|"
    "现在)[^，。]{0,3}(?:都|就|也|全)[^，。没]{1,10}了$|现在\\s?[\\d.]+\\s?(?:毫秒|秒|分钟|兆|MB|GB|帧|"
    "度|%)|[\\d.一两三]+\\s?(?:毫秒|秒)(?:以内|就|$)|照做了|完美|真是它|还真是"
)
_ZH_APPLIED = re.compile(
    "^(?:嗯|好|哦|刚|已经|都|按你说的|照你说的|照着|我)*(?:照做|改|换|加|删|装|倒扣|调|关|开|清|洗|擦|重启|"
    "升级|设|剪|浇|泡|拧|涂|补|重做|重装|试|用|挪|拆|配|降|调低|调高|建|升|降级|禁用|启用)(?:完|了|好|上|过|"
    "掉|成|到)"
)
_ZH_LASTING = re.compile(
    "[一两三四五六七八几\\d]+(?:个)?(?:天|周|月|小时|晚|次|炉|锅|趟|遍)(?:了|都|没|过去)|连[^，。]{1,6}(?:次|天|遍|张|台|炉)"
)
_ZH_NOT_SOLVED = re.compile(
    "还是(?:不|没|报|一样|会|老|慢|卡)|没用|不管用|没变|没好|没解决|还没|不行|试试|等(?:会|下|我|天|师傅|"
    "周末)|明天|晚点|回头|希望|要是|应该(?:可以|行|能)|吗|[？?]|以前好|昨天还|更(?:慢|卡|糟)|"
    "一样的?(?:错|问题)|(?:要是|如果|能).{0,10}就好了|该多好|好了(?:吗|没)|有空|再说|知道了|送修|算了|"
    "但(?:是)?(?:又|还|现在)|又(?:报|出|开始|不)"
)
_ZH_FAULT = re.compile("报错|失败|超时|崩|卡(?!车)|慢(?!多)|乱码|坏|漏|异常|出错|问题|不行|没反应")


def confirms(said: Sequence[Sentence], *, asked: bool, problem: str = "") -> bool:
    """Whether a message reports success, and says nothing to the contrary before.

    Args:
        said: the sentences of the user's message.
        asked: the agent's last words were a question, so that the message is an answer first: only plain words of success count.
        problem: how the problem was stated; its words with a "no" before them report success.
    """
    for sentence in said:
        if sentence.question and sentence.marked:
            return False
        verdict = _chinese(sentence.text, asked) if sentence.chinese else _english(sentence.text, asked)
        if verdict is not None:
            return verdict
        if _denies(sentence, problem) or (not asked and _echoes(sentence, problem)):
            return True
    return False


def _denies(sentence: Sentence, problem: str) -> bool:
    """Whether the message says that what was the problem isn't any more: "no squeak", 不响了."""
    text = sentence.text
    if sentence.chinese:
        return any(
            match[1] in problem
            for match in re.finditer("不(?:再)?([\u4e00-\u9fff]{1,2})了(?=$|[，,。 ])", text)
            if match[1] not in "行要用想是"
        )
    stems = {word.lower()[:5] for word in words(problem) if len(word) > 3}
    return any(
        match[1].lower()[:5] in stems
        for match in re.finditer(
            r"\b(?:no|no more|zero|without|stopped|not a)(?: a| any| single)? ([a-z]{4,})", text, re.IGNORECASE
        )
    )


def _echoes(sentence: Sentence, problem: str) -> bool:
    """Whether the problem's own words come again, in a tone of success and without a fault: "crackling crust now!"."""
    text = sentence.text
    if sentence.chinese:
        pairs = {a + b for a, b in pairwise(re.findall("[\u4e00-\u9fff]", problem))}
        again = any(pair in text for pair in pairs)
        return again and text.endswith("了") and not re.search("不|没|别|要|想", text) and not _ZH_FAULT.search(text)
    if _FAULT.search(_NEGATED_FAULT.sub(" ", text)) or re.search(r"\b(?:not|no|never|can not|will|would|should|could)\b", text):
        return False
    stems = {word.lower()[:4] for word in words(problem) if len(word) > 3 and word.lower() not in ENGLISH_STOP_WORDS}
    return _GLAD.search(text) is not None and any(word.lower()[:4] in stems for word in words(text) if len(word) > 3)


def _english(text: str, asked: bool) -> bool | None:
    """True for success, False for the contrary, None for neither."""
    if _NOT_SOLVED.search(text):
        return False
    if _SOLVED.search(text):
        return True
    left = _NEGATED_FAULT.sub(" ", text)
    if asked or _FAULT.search(left):
        return None
    if _MEASURED.search(text):
        return True
    every = words(text)
    applied = next((word for word in every[:2] if word.lower() not in ("i", "we", "ok", "yes", "and", "so")), "")
    result = re.search(r"[,:;]| and | now ", text)
    return True if is_past(applied) and result and len(every) > 3 and not re.search(r"\b(?:what|how|which)\b", text) else None


def _chinese(text: str, asked: bool) -> bool | None:
    if _ZH_NOT_SOLVED.search(text):
        return False
    if _ZH_SOLVED.search(text):
        return True
    if asked or _ZH_FAULT.search(text):
        return None
    if _ZH_APPLIED.search(text) and (_ZH_LASTING.search(text) or re.search("[，,]", text)):
        return True
    return None
