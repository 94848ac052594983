"""What is bound to some weeks or to one piece of work, and what is only a remark."""

from __future__ import annotations

from memlite.rules.gate.reading import Reading, sign

_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_SPAN = "(?:week|month|quarter|term|semester|season|year|sprint|release|weekend|summer|winter|autumn|spring)"

_ERRAND = sign(
    rf"""
    \b(?:(?:this|next|last) {_SPAN}|next (?:time|meeting)|in {_MONTH}|in week \d|in q[1-4]|weeks?|semester|term
    |(?:before|by|until|after|at|over) (?:easter|christmas|summer|autumn|winter|spring|mid-\w{{1,12}}|{_DAY}|{_MONTH}
    |the (?:holidays?|weekend|end of|deadline|launch|release|exam|move|wedding|trip))|sprint|draft|deadline|meeting|agenda
    |review(?:ed)?|tickets?|backlog|milestone|prototype|pilot|beta|issue|bug|migration|version|release|plans? to|planning
    |planned|intends? to|is going to|is considering|prepar(?:ed|es|ing)|discuss(?:ed|es|ing)|talked about|tried
    |wants to (?:compare|buy|finish|try|paint|repair|build|move|sell|replace|test|read|write|visit|book|learn|rent|order|plant
    |sew|bake)|recipe|booked|ordered|bought|trip|hike|holiday|presentation|workshop|quot(?:es?|ation)|invoice|estimate
    |(?:online |current )courses?|seminar|homework|assignment|chapter|halfway|so far|interns?|temporary|interim|currently
    |at present|for now|for the time being)\b|这周|下周|上周|本周|这个月|下个月|上个月|本月|这学期|下学期|本学期|这个季度
    |本季度|下季度|迭代|冲刺|会上|会议|讨论|草稿|初稿|截止|打算|计划|准备|安排|预订|订了|下单|买了|试了|试做|行程|出差|报价
    |方案|原型|试点|评审|需求|工单|排期|实习生|作业|论文第|版本|发布|月底|年底|周五前|之前完成|暂定|正在|期末|年前|节前|暑假
    |寒假|国庆|五一
    """
)
_FOR_WEEKS = sign(
    r"""
    \b(?:months?|weeks|semester|term|sprint|course|chapter|spring|summer|autumn|winter|quarter|prototype|project|season
    |test)\b|个月|几周|两周|学期|季度|迭代|原型|项目|课程|假期|本月
    """
)
_LEANING = sign(
    r"\b(?:and|but) (?:leans|wants|prefers|plans|will|would|is|has|needs|chose|decided|settled)\b|\d|\bchoosing between\b"
)
_REMARK = sign(
    r"""
    ^(?:the )?users? (?:just |also |then )?(?:remarked|remarks|commented|comments|guess(?:ed|es)|joked|jokes|noticed|notices
    |observed|thinks|thought|wondered|wonders|found|finds|supposed|hoped|hopes|complained|was surprised|said|says
    |mentioned) (?:that )?(?:it|there|this|that|the (?!user|team|project|assistant|agent|company)[\w' ]{2,40} (?:is|was|looks?
    |looked|seems?|went|had|might|may|smells?|tastes?|tasted|sounds?))\b
    |^(?:the )?users? hope[sd] (?:that )?the\b
    |\bhad (?:a|an|some) (?:sandwich|coffee|tea|beer|snack|biscuit|soup|salad|drink|nap)\b
    |\bhad [\w ]{2,30} for (?:breakfast|lunch|dinner|supper|tea)\b
    |\bhad to (?:look|search|wait|run|laugh|smile|stop)\b
    |^用户(?:说|觉得|感叹|感慨|猜|猜测|估计|发现|笑着说|抱怨|吐槽|希望)[^。]{0,4}(?:天气|外面|今天|今晚|晚上|这|那|明天|周末
    |店里|路上|味道|电影|音乐|时间|可能|会下|天)|一下[^，。]{0,4}。?$|排在|队伍
    |^用户[^，。]{0,6}想(?:吃|喝|睡|歇)
    """
)
_OF_THE_TALK = sign(r"^(?:the )?(?:users?|agent|assistant)\b|^用户")


def errand(r: Reading) -> bool:
    """Work in hand: a plan, a meeting, a purchase, a draft, something of this term."""
    return _ERRAND.search(r.bare) is not None


def for_weeks(r: Reading) -> bool:
    """Whatever else it is, it speaks of weeks or of work, not of minutes."""
    return _FOR_WEEKS.search(r.bare) is not None


def leaning(r: Reading) -> bool:
    """Something came of it: a choice, a figure."""
    return _LEANING.search(r.bare) is not None


def remark(r: Reading) -> bool:
    """Said in passing of the world at large."""
    return _REMARK.search(r.bare) is not None


def of_the_talk(r: Reading) -> bool:
    """What the user or the agent did in the conversation."""
    return _OF_THE_TALK.search(r.bare) is not None
