"""Is a text worth nothing later: a courtesy, a reaction, the news that something is done?"""

from __future__ import annotations

from memlite.rules.gate import words_zh as zh
from memlite.rules.gate.reading import Reading, part, sign

_WHO = part(
    r"""
    ^(?:(?:the )?(?:users?|agent|assistant|ai|bot|conversation|chat|session|dialogue|both|they|he|she|everyone|talk
    |exchange)(?: and (?:the )?(?:agent|assistant|user))?) (?:\w{1,20}ly |then |also |just |again |both |has |had )*
"""
)
_SAID = part(
    r"""
    (?:said|says|say|exchanged|sent|replied with|replied|answered|typed|wrote
    |(?:opened|began|started|ended|ends|closed|left) with|wished|gave|offered|expressed)
"""
)
_KIND_WORD = part(
    r"""
    (?:hello|hi|hey|bye|goodbye|good-bye|thanks|thank you|good (?:morning|evening|night|day|afternoon|luck)|greetings?
    |farewells?|ok|okay|yes|no|sorry|welcome|thumbs|smiley|emoji|pleasantries|gratitude|appreciation|satisfaction|well|nice
    |cheers|see you|approval|agreement|courtes\w{1,4}|a (?:nice|good|pleasant|lovely)|lol|haha|got it|everything (?:was|is)
    |all (?:was|is) (?:clear|fine|good)|it was (?:nice|fun|good|great|helpful|clear))
"""
)
_ANSWER = part(
    r"""
    (?:answers?|repl(?:y|ies)|responses?|explanations?|jokes?|summary|suggestions?|help|message|output|result|receipt|poem
    |picture|translation|emojis?|smiley|ending|tone|wording|greeting|pun|limerick|rhyme|drawing)
"""
)
_COURTESY = sign(
    rf"""
    {_WHO}{_SAID} (?:\w{{1,20}} ){{0,4}}?['"]?{_KIND_WORD}\b
    |{_WHO}(?:thank|greet|laugh|smile|apologi[sz]e|grin|nodd?|wav|chuckl|sigh|cheer|compliment|prais|congratulat|acknowledg
    |welcom|joke)(?:e?d|(?:s|es) (?:the|to|at|about|for))\b(?! (?:by|to the use|for a living|cards))
    |{_WHO}(?:made|told|cracked|tells|shared) (?:a|another|the|some|two) (?:\w{{1,20}} )?(?:jokes?|puns?|compliments?|remarks?
    |riddles?)\b
    |{_WHO}(?:was|were|is|are|seems?|seemed|felt|sounded|appeared|looked) (?:\w{{1,20}} )?(?:satisfied|pleased|happy|content
    |fine|ok|okay|grateful|thankful|impressed|delighted|amused|polite|friendly)(?: with| about| by| and| for| that|[.,!]|$)
    |{_WHO}(?:had|has|have|raised|asked) (?:nothing (?:else|more|further|to add)
    |no (?:further |other |more |additional )?(?:questions?|comments?|remarks?|objections?|requests?))
    |{_WHO}(?:liked|loved|enjoyed|appreciated|accepted|confirmed|approved|understood|agreed with|took note of|found)(?: the
    | that| this| his| her)?(?: \w{{1,20}})? {_ANSWER}\b
    |{_WHO}(?:understood|agreed|confirmed|nodded|smiled|laughed|ended|finished|closed|started|began|went well)[.!]?$
    |{_WHO}(?:ended|started|began|closed|finished|opened|concluded|left) (?:the )?(?:conversation|chat|session|talk|politely
    |well|normally|on a|with (?:a |some )?(?:\w{{1,20}} )?(?:joke|smile|note|greeting|thanks|question|emoji|laugh))
    """
)
_DONE = sign(
    r"""
    ^(?:the |all |this |that |a )?(?:\w{1,20} ){0,2}(?:tasks?|file|implementation|tests?|job|work|memory search|setup|process
    |operation|step|conversation|session|search|everything|changes?|work on (?:the|this) \w{1,20}|requests? of the user
    |user's requests?|requests?)(?: (?:was|were|is|are|has been|have been|all))?(?: now| successfully| all
    | already)* (?:completed?|created|passed|done|finished|ended|started|over|closed|saved|successful|succeeded
    |resolved)(?: successfully| now| with(?:out)? (?:any )?\w{1,20}(?: for the user)?)?[.!]?$
    |^(?:ok|okay|great|thanks|thank you|perfect|good|fine|sure|yes|no|hello|hi|hey|bye|goodbye|well done|you're welcome|nice
    |cool|good (?:morning|evening|night))\b[^.]{0,40}[.!]?$
    |^no (?:new |further |durable |useful |relevant |memorable )*(?:information|facts?|content|memor(?:y|ies)|questions?|data
    |details?)\b
    |^(?:there (?:is|was) )?nothing (?:new|further|else|to|of|was|memorable|important|special|notable)\b
    |\b(?:made|exchanged|engaged in|just|only|some|had) small talk\b|^small talk\b
    """
)
_ON_PURPOSE = sign(
    r"\b(?:every|each|always|never|whenever|prefers|wants|for a living|guests|customers|clients|pupils|visitors)\b"
)

_COURTESY_ZH = sign(
    rf"""
    (?:用户|双方|{zh.AGENT}|对方|两人|他|她)[^，。]{{0,10}}(?:打了?(?:个|声)?招呼|问好|问候|道谢|致谢|感谢|道别|告别|再见|晚安
    |早安|拜拜|谢谢|多谢|笑了|哈哈|大笑|好笑|逗乐|逗笑|开玩笑|讲了个?笑话|点头|点了?个?赞|表情|寒暄|客气|道歉|抱歉|满意|夸
    |称赞|表扬|聊得|下次再来|下次再聊|道了|祝|表示(?:同意|赞同|理解|明白|知道|认可|收到|没有|没问题|高兴|开心|感激|肯定|赞赏
    |祝)|没有(?:其他|别的|更多|进一步)|没(?:别的|什么)(?:问题|事|话|要)|(?:说|觉得|认为)[^，。]{{0,8}}(?:很好|不错|很棒|很有用
    |很有帮助|没问题|很清楚)|说(?:了|声|了声|了句|句)?(?:你?好|嗨|嘿|谢|再见|明天见|辛苦|不客气|没事|可以|行|嗯|哦)
    |发了个?(?:表情|笑脸)|回了?(?:句|个|一个|一句))|对话(?:愉快|友好|轻松|到此)|闲聊
    """
)
_DONE_ZH = sign(
    r"""
    ^(?:用户的)?(?:请求|问题|要求|任务|文件|测试|工作|对话|会话|聊天|一切|操作|实现|记忆搜索|搜索|全部
    |所有)[^，。]{0,8}(?:完成|结束|通过|完毕|成功|顺利|开始|创建|好了)[了。]*(?:，[^，。]{0,12})?。?$
    |^(?:好的[，。！]|谢谢|你好|您好|再见|嗯|没有(?:新的|需要|值得|可))
    """
)
_ON_PURPOSE_ZH = sign("每次|每天|每逢|总是|从不|从来|习惯|喜欢|希望|要求|必须|贺卡|不要|不满意就")


def low_value(r: Reading) -> bool:
    """Small change of a conversation. A courtesy that somebody wants or trades in is worth something."""
    if _COURTESY.search(r.low) and not _ON_PURPOSE.search(r.bare):
        return True
    if _DONE.search(r.low) or _DONE_ZH.search(r.zh):
        return True
    return _COURTESY_ZH.search(r.zh) is not None and _ON_PURPOSE_ZH.search(r.zh) is None
