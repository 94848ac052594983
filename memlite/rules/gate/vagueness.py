"""Is the value of a statement missing: does it point out of the text, name no particular thing, or hold of everybody?"""

from __future__ import annotations

from memlite.rules.gate.reading import Reading, either, part, sign

_END = "[.!]?$"
_HAS = part(
    r"""
    (?:has|have|had|holds|owns|made|makes|does|do|did|is working on|works (?:on|with)|deals with|involves|uses?|depends on
    |needs?|likes?|enjoys?|knows?|reads|plays|supports|includes|contains|wants?|prefers?|keeps?|hates?|loves?|thinks about)
"""
)
_FEW = part(
    r"""
    (?:some|a few|many|several|various|certain|a lot of|lots of|a number of|a couple of|multiple|numerous|strong|different
    |interesting|other)
"""
)
_NOTHING_SAID = either(
    """thing things option options setting settings value values tool tools way ways manner parameter parameters version
    versions argument arguments default defaults name names place places time times person persons people level levels
    amount kind kinds sort sorts type types format formats style styles step steps rule rules configuration setup
    dependencies package packages file files resources data information details stuff method methods approach solution
    answer answers word words result results condition conditions permissions components feature features technology
    technologies software program programs habit habits topic topics project projects reason reasons"""
)

# Points out of the text: "as I said before", "wants it like that".
_POINTING = sign(
    rf"""
    \b(?:the|that|this) (?:one|thing|other one|same|way|first one|second one|last one|former|latter)s?[ ](?:we|you|they|i|he
    |she|that was|given|above|from (?:before|earlier|last)|mentioned|discussed|described|shown|named)\b
    |\b(?:as|we|already|just|one|previously) (?:discussed|mentioned|described|noted|stated|said|explained|talked about|agreed
    |given|shown|listed)(?: (?:above|before|earlier|previously|last time|already|below|yesterday
    |in the (?:chat|conversation)))?{_END}
    |\b(?:mentioned|described|discussed|given|shown|listed|named|noted|stated|see|said) (?:above|below|earlier|before
    |previously)\b
    |\b(?:the|that|this|those|these) (?:above|aforementioned|former|latter|previous one|other one|same one|same thing
    |usual thing)\b
    |\b(?:like|than|as|same as|from) (?:before|earlier|last time|the last time|the other (?:one|day|time)){_END}
    |\b(?:the|that) (?:thing|stuff|matter|issue|topic|one)s?{_END}
    |\b(?:likes?|prefers?|wants?|needs?|uses?|does|do|did|has|keeps|is|hates?|loves?|does not like|doesn't like|avoids
    |finds)[ ](?:it|that|this|those|these|them|so|both|one|neither|either)(?: (?:one|way|that way|this way|like that|like this
    |too|more|better|very much|a lot|most|now|best|really|already|also|instead|again|there|here|done))*{_END}
    |\b{_HAS} (?:that|this|those|these|such) (?:\w{{1,20}} )?\w{{1,20}}(?: (?:now|too|again|instead|already|as well|there
    |here))?{_END}
    |\b(?:on|of|with|for|about|from|to|by) (?:this|these|those|such|that)(?! (?:who|which|is|are|with|under|over|between|day
    |reason|of|he|she|they|it|the|a|an|user|end|summer|winter|spring|autumn|year|season))(?: \w{{1,20}})?(?=[.,;]| has| have
    | is| was| for|$)
    |^(?:the )?users? (?:\w{{1,20}}ly |always |also |never |still )?(?!says|knows)\w{{1,20}}s (?:it|them|these
    |those)\b(?! (?:be|when|important|clear|hard|easy|difficult|a point|necessary|if))
    |^(?:the )?users? (?!finds|makes|considers|thinks|believes|says|takes
    |keeps)(?:\w{{1,20}} ){{1,2}}it\b(?! (?:when|if|is|that|hard|easy|clear|important))
    |\b(?:the other|that|this|another|those|these|the first|the second|the latter|the former) (?:option|approach|method
    |version|way|idea|solution|variant|choice|kind|place|colou?r|thing|tool|file|style|setting|model|setup|topic|product
    |person)s?(?: (?:for this|for that|more|better|most|best|instead|too|now|again|here))?{_END}
    |\b(?:a|an|the|that|this|another) (?:\w{{1,20}} )?one\b(?![-'\w]| (?:of the (?!two|three|four)|or|hundred|thousand|million
    |in))
    |\b(?:is|was) (?:the|that) (?:one|person|guy|man|woman|lady|colleague) (?:with|who|from|in|that)\b
    |\bthe (?:first|second|third|last) of (?:the|them|these|those)\b|\bboth of (?:them|these|those)\b
    |\b(?:has|have|had) (?:done|seen|tried|used|said|had|heard) (?:it|that|this)\b
    |\bthe thing\b(?! (?:that|which|is|about|he|she|they|the))
    |\b(?:this|that|it) (?:better|more|less) than\b
    |\bhas an? (?:favou?rite|preferred) \w{{1,20}}{_END}|\bthat way\b|\bdoing (?:it|this|that|so)\b
    |\b(?:from|in|near|over|around) there{_END}
    |\bwhere (?:it|he|she|they) (?:always|used to|was|is)\b
    """
)

# Names no particular thing: "several sorts of cheese", "something or other", "a certain setting".
_UNNAMED = sign(
    rf"""
    (?<!when )(?<!whenever )(?<!if )(?<!before )(?<!unless )\b(?:something|somehow|somewhere|someone|somebody|sometime|stuff
    |whatnot|thingy)\b(?! (?:that|which|by|sweet|warm|cold|hot|salty|savoury|sour|to eat|to drink|to read|breaks|goes|fails
    |changes|is wrong|asks|calls))
    |\b{_FEW} (?:\w{{1,20}} )?(?:things?|stuff|kinds?|sorts?|types?|aspects?|ways?|matters?|topics?|reasons?|details?|issues?
    |areas?|preferences|habits|points|opinions|ideas|interests|needs|requirements|plans|goals|tools|places|people|respects?
    |settings|options|projects)\b(?! (?:of (?:the )?(?!music|food|things?|books?|films?|work|people|weather)\w|with|in|from|at
    |for (?!him|her|them|various)|such|like|on|as|:))
    |\b(?:some|certain|various|different) (?:kinds?|sorts?|types?) of \w{{1,20}}(?: (?:but|and not)\b|{_END})
    |\b{_HAS} (?:{_FEW} )+\w{{1,20}}{_END}
    |\b(?:has|have|with|had|shared) (?:some|several|various|certain|many|a few|different|his|her|their|strong|own
    |an?) (?:own )?(?:plans?|ideas?|opinions?|preferences|habits|thoughts|views?|interests|needs|requirements|goals|reasons
    |feelings|wishes|(?:special |certain |particular |own )*ways?)\b(?!:)
    |\b(?:a|an|the|its|his|her|their) (?:certain|specific|particular|special|usual|right|correct|proper|necessary|appropriate
    |same|best|relevant|needed|required|suitable|other|new|old|current) (?:\w{{1,20}} )?{_NOTHING_SAID}(?: (?:now|too|there
    |again|for (?:it|this|that)))?{_END}
    |\b(?:a|an|the) (?:certain|specific|particular) \w{{1,20}}{_END}
    |\b(?:its|their|his|her) own (?:conventions?|rules?|standards?|methods?|style|habits?|ideas?|system){_END}
    |\b(?:the|its|his|her) usual(?: \w|{_END})|\b(?:some|a certain) time\b
    |\bknows? (?:somebody|someone|people|some|a lot|many|things)\b
    |\bthe same (?:\w{{1,20}} )?(?:as|like) (?:every(?:body|one)|others|before|last time|most|always|usual)\b
    |\b(?:goes to|attends|works (?:in|at|for|on)|lives in|studies at|has|runs|is in|leads|plays in) an? (?:school|office
    |company|firm|job|town|city|village|country|place|hobby|project|university|club|shop|team|building|institution
    |organi[sz]ation)(?: with (?:colleagues|people|friends|others|a team))?{_END}
    |\b(?:and so on|and so forth|and the like|or similar|etc|more or less|kind of|sort of|it depends|to some (?:extent|degree)
    |in (?:a|some|one|many|various|certain|different|one's own|his own|her own|their own) (?:ways?|cases?|situations?
    |respects?|sense|form|manner)|depends on (?:the )?(?:situation|mood|day|circumstances?|context|case)
    |sometimes (?:\w{{1,20}} ){{1,5}}(?:sometimes|not))\b
    """
)

# Holds of everybody: "wants a good life".
_ANYBODY = sign(
    rf"""
    \b(?:likes?|prefers?|wants?|needs?|values?|appreciates?|enjoys?|expects?
    |loves?) (?:(?:things?|everything|stuff|it|that|results?|life|the (?:result|work|code
    |answer)s?) (?:to be |to work |to go |done )?)?(?:only )?(?:very |really |more |the |a |high[- ])?(?:good|nice|better|best
    |useful|interesting|well|quality|helpful|great|fine|properly|right|simple|fun|beautiful|important
    |relevant)(?: \w{{1,20}})?{_END}
    |\b(?:likes?|loves?|enjoys?|prefers?|wants?|values?) (?:good|nice|great|beautiful|fun|interesting|tasty
    |delicious) \w{{1,20}}(?: and (?:good |nice |great |beautiful |fun |interesting )?\w{{1,20}})?{_END}
    |\b(?:it|that|this|things|everything) (?:to be )?(?:done |made |handled |solved |finished |kept )?(?:properly|well|right
    |nicely|correctly|better|soon|quickly){_END}
    |\b(?:is|was|seems|are|can be|might be|may be) (?:\w{{1,20}} )?(?:a )?(?:nice|good|great|interesting|special|normal|kind
    |complex|important|complicated|different|useful|better|fine|relevant|helpful|big
    |small)(?: (?:person|human|guy|project|thing|one|idea|tool|company|team|place))?{_END}
    |\b(?:nice|good|pleasant|lovely|beautiful|quiet|interesting) (?:place|area|spot|neighbou?rhood|job|company|time
    |people){_END}
    |\bwhatever (?:works|is|comes|helps|fits)\b|\bbest practices?{_END}
    |\bcares? about (?:quality|details|people){_END}
    |\bwhat (?:he|she|they) (?:does|do|did|likes?|wants?|has|have){_END}
    |\b(?:for|about|with|of) everything{_END}|\bdifferently{_END}
    """
)

_FEW_WORDS = 8
_ENDS_IN_A_FEW = sign(  # a longer sentence has said something before
    rf"\b(?:some|several|certain|various|a few|a number of|a couple of|numerous|many different) (?:[a-z]+ )?(?!name)[a-z]+{_END}"
)

_POINTING_ZH = sign(
    r"""
    (?:这|那)(?:件|种|些|样|位)(?!人家)
    |(?:这|那)个(?!项目|仓库|团队|公司|季度|月|学期|学年|年|周|家|班|群|人是)|(?:如上|同上|上述|前述)
    |(?:那里|那边|它|如上|上面|前面|上次|刚才|老样子|一样)[^，。]{0,6}(?:东西|事情|事|的|说的|提到|提过|讨论|聊过|说过|那种
    |一个|方式|办法|方法|样子|问题|所述)?(?:$|。)
    |(?:之前|上次|刚才|前面|上面|早些时候|先前|上回)(?:说|提(?!交|高|升|供|前|出)|讨论|聊|讲|给|列|写|描述|谈)(?:过|到|的|了
    |好)|老办法|老样子|两个都|(?:里面|里|中)的第[一二三]个
    """
)
_UNNAMED_ZH = sign(
    r"""
    某(?!某)|(?:什么|啥)的?(?:工作|东西|事)
    |有些(?:忌口|习惯|毛病|爱好|想法|顾虑|担心)|什么事都|都可以
    |(?:一些|有些|各种|各种各样|很多|许多|不少|一点|好几|几个|若干|一定|不同)的?(?:东西|事情|事|方面|想法|问题|情况|要求|习惯
    |偏好|爱好|兴趣|看法|意见|计划|原因|细节|内容|经验|需求|事务|方式|办法|地方|工具|类型|种类|音乐|项目|设置|人|书|电影|食物)
    |什么的|之类|等等|诸如此类|差不多|看情况|视情况|看心情|有时[^，。]{1,8}，?有时|说不清|不一定|还可以|还行|还不错|马马虎虎
    |一般般
    |(?:有|做|搞|弄)(?:点|些|一些|自己的)[^，。]{0,6}(?:$|。)
    """
)
_ANYBODY_ZH = sign(
    r"""
    (?:喜欢|偏好|想要|希望|需要|重视)(?:好|更好|高质量|有用|有意思|有趣|不错|合适|舒服|美好|优秀)的?[^，。]{0,4}(?:$|。)
    |(?:是个|是一个|是一名|是位)(?:好|有趣|普通|正常|不错|有意思|复杂|重要|特别)[^，。]{0,5}(?:人|项目|东西|地方)
    |不错的(?:地方|人|工作|公司|单位|结果)|更好的。
    """
)


def vague(r: Reading) -> bool:
    """Nobody could act on it later: the value is missing, or the text without its conversation does not tell it."""
    if len(r.words) <= _FEW_WORDS and "," not in r.bare and _ENDS_IN_A_FEW.search(r.common):
        return True
    if any(empty.search(r.bare) for empty in (_POINTING, _UNNAMED, _ANYBODY)):
        return True
    return any(empty.search(r.zh) for empty in (_POINTING_ZH, _UNNAMED_ZH, _ANYBODY_ZH))
