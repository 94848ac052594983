"""Is a text true for a moment only, or nothing but a date?"""

from __future__ import annotations

import re

from memlite.rules.gate import words_en, words_zh
from memlite.rules.gate.reading import Reading, either, part, sign

_UNIT = "(?:minutes?|moments?|hours?|seconds?)"
_MOMENT = sign(
    rf"""
    \b(?:at the moment|right now|just now|at this (?:moment|point|time|hour|very)|for the moment|for now|as of now|at present
    |today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|minute|hour|instant|second|time)
    |(?:earlier|later) (?:today|on)|last night|temporarily|momentarily|meanwhile|still waiting|not yet|until later|of the day
    |in the background|since (?:lunch|breakfast|noon|dinner|this morning|yesterday|last night|an hour|the last|the latest
    |the update)|until (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|lunch|dinner|half|quarter|\d|then
    |the (?:end of the )?(?:day|call|meeting|weekend))|(?:in|within|for) (?:about |half |the next |another |less than )*(?:a
    |an|one|two|three|five|ten|twenty|thirty|\d{{1,4}})(?: few| couple of)? {_UNIT}
    |(?:a|one|two|three|five|ten|few|\d{{1,4}}) {_UNIT} ago|another (?:\w{{1,20}} )?{_UNIT}|{_UNIT} (?:late|left)
    |while (?:typing|writing|talking|chatting|waiting)|(?:after|before|during) the (?:break|call|meeting|train|bus|chat
    |conversation|match)|(?:this|the current|current|the present) (?:session|conversation|chat|run|check|task|turn|request
    |thread|prompt)|by mistake|on page \d{{1,4}}|(?:locked|held|used|blocked) by another|undecided about|quarter of an hour
    |under the weather|in the queue|on (?:its|his|her|their) way|at (?:half|full|low|high) (?:brightness|volume|speed)
    |(?:nearly|almost) (?:done|finished|ready|there)|(?:has|have) (?:\w{{1,20}}ed|gone|broken|fallen|frozen|lost \w{{1,20}}
    |come) again|(?:next|last) question|too (?:hot|cold) to (?:drink|eat|touch)|\d{{1,4}} tabs|tabs open
    |(?:is|am|are) (?:all )?out of (?!(?:work|date|town|print|business|scope|the question)\b)
    |(?:users?|has|have|had|he|she) just)\b
    """
)

_THROWAWAY = sign(
    r"""
    \b(?:temporary|temp|tmp|throw-?away|scratch|disposable|dummy|placeholder|interim)[ -](?:\w{1,20} )?(?:files?|dirs?
    |director(?:y|ies)|folders?|markers?|tokens?|branch|path|note|script|table|copy|copies|output|value|variable|link|password
    |container|workspace|database|key|account|memory|data|environment|build|worktree|record|entry|tag)\b
    |\b(?:test|cleanup|smoke|debug|session|verification|validation|sanity|probe|canary)[ ](?:marker|token|memory|string|note
    |record|entry|phrase|tag|sentinel)s?\b
    |\b(?:memory|smoke|sanity|live)[- ](?:test|check)s? (?:for|of|with|that|marker|string|entry|only|note)\b
    |\bsession[- ]only\b
    |\bvalidation (?:directory|folder|file)\b|\bcontainer-local\b|\bmachine-local\b
    |\bdelete (?:this|it) (?:later|afterwards)\b
    |\b(?:one-off|one-time|quick|ad-hoc) (?:script|request|command|task|job|check|test|question|file|query|run)\b
    |\b(?:created|stored|saved|written|added|only) for (?:the |this |a )?(?:\w{1,20} )?(?:test|check|session|demo|run|trial)\b
    """
)

_NOW = part(
    r"""
    \b(?:is|are|was|were|feels?|felt|seems?|looks?|got|gets|has gone|have gone
    |am)(?: (?:still|now|already|just|currently|again|only|very|really|quite|rather|so|too|a bit|a little|slightly|almost
    |nearly|temporarily|both|all|feeling|running))*
"""
)
_AT_IT_FOR_LONG = either(
    """learning studying writing training building planning saving renovating raising working living expecting recovering
    teaching running restoring translating caring using moving migrating preparing applying getting becoming retraining
    rebuilding developing doing taking growing attending volunteering researching organising organizing editing converting
    specialising specializing practising practicing paying collecting serving reading coming sharing seeing dating phasing
    replacing switching undergoing receiving being nursing suffering fostering selling missing lacking facing hiring
    following"""
)
_NO_VERB = either(
    """during king spring something nothing everything anything interesting boring willing outstanding existing wedding
    building meeting demanding challenging exciting annoying embarrassing loving outgoing morning evening string ring thing
    ceiling housing clothing accounting marketing engineering gardening hiking swimming painting knitting cooking baking
    fishing sailing climbing cycling dancing singing skiing surfing binding overwhelming confusing trailing leading
    sterling"""
)
_PLACE = part(
    r"""
    (?:kitchen|car|lift|bath|shower|garden|queue|lobby|train|office|hallway|hall|bathroom|bedroom|taxi|cab|room|shop|store
    |library|caf[eé]|pub|bar|restaurant|garage|basement|attic|street|park|platform|tram|ferry|bus|plane|phone|hotel|hospital
    |clinic|surgery|station|airport|gate|cinema|theatre|museum|beach|forest|woods|pool|gym|sauna|market|supermarket|bank
    |post office|pharmacy|vet|doctor|dentist|hairdresser|checkout|counter|door|desk|sofa|couch|balcony|line|way|move|road
    |toilet|playground|bakery|cemetery|stadium|laundrette|cellar|meeting|call|conference|lecture|concert|party|middle)(?:'s)?
"""
)
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"

_STATE = sign(
    rf"""
    {_NOW} (?:tired|hungry|thirsty|sleepy|exhausted|bored|busy|late|stuck|cold|warm|hot|wet|drunk|hung ?over|annoyed|angry
    |upset|nervous|excited|curious|confused|surprised|frustrated|impatient|relieved|glad|sad|grumpy|distracted|awake|asleep
    |away|outside|upstairs|downstairs|afk|offline|online|unreachable|unavailable
    |in a (?:hurry|rush|meeting|call|good|bad|queue|traffic)|out of (?:breath|battery|office|milk|coffee|memory|sync|stock)
    |on (?:the (?:train|bus|phone|way|tram|plane|ferry|sofa|couch|line|move|road|platform|balcony|toilet|stove|boil|hob|grill
    |kettle)|hold|a (?:call|train|bus|plane|break|walk)|lunch)|in (?:the (?:kitchen|car|lift|bath|shower|garden|queue|lobby
    |middle|train|office|hallway|bathroom|taxi)|bed|transit|progress|traffic)
    |at (?:the (?:airport|station|dentist|dentist's|doctor|doctor's|checkout|door|gate|supermarket|hairdresser|gym|desk|hotel
    |bakery|vet|beach|cinema|counter)|lunch|breakfast)|about to|down|broken|failing|red|green|flaky|blocked|frozen|slow
    |overloaded|full|empty|done|fogged|foggy|soaked|steamed up|pending|queued
    |closed(?! (?:in|on|from|by|for|during|between|at) )|missing|gone|jammed|switched off|unplugged|lost|cancelled|delayed
    |paused)(?=[ .,;!]|$)
    |{_NOW} (?!(?:{_AT_IT_FOR_LONG}|{_NO_VERB})\b)(?:not )?[a-z]{{2,20}}ing\b
    |^(?:the )?user is (?:still |now |just )?(?:cooking|baking|painting|swimming|hiking|knitting|sailing|cycling|climbing
    |dancing|singing)\b
    |{_NOW} (?:reading (?:the|this) (?:error|log|page|answer|message|docs|mail)|trying|getting (?:ready|dressed|up|coffee)
    |running (?:late|low|out|slow)|going (?:to bed|home|out|for|shopping))\b
    |\b(?:is|are|was|were) (?:still |now |already |just |currently )?being \w{{1,20}}(?:ed|en|t)\b
    |^(?:the )?(?:users?|he|she) (?:is
    |was) (?:still |now |already |just |currently |again |back |sitting |standing |alone )*(?:in|at|on|by|near) (?:the|a|an
    |his|her|their) (?:[\w']{{1,20}} ){{0,2}}{_PLACE}\b
    |^(?:the )?users? will (?!always|never|only|not|retire|become|turn|inherit)(?!.*\b(?:(?:19|20)\d\d|{_MONTH}
    |next (?:year|spring|summer|autumn|winter|month)|every|each|per)\b)
    |^(?:the )?user(?:'s \w{{1,20}})? feels (?!that|strongly|most|at home|comfortable|uncomfortable|responsible|obliged|unsafe
    |safe)\w
    |\bhurts? (?:after|today|again|since|a bit|a little)\b
    |\b(?:does|do) not (?:compile|build|load|start|respond|boot|turn on|connect|open)(?=[.,;!]|$| since| because| after| any)
    """
)
_GAUGE = sign(
    r"""
    \b(?:flight|train|parcel|package|delivery|taxi|plane|pizza|download|upload|bus) (?:is|was|has|got|will be|leaves in
    |arrives in)\b
    |\b(?:has|have|had|with|got) (?:a |an |another |some |no )?(?:\w{1,20} )?(?:headache|hangover|cold|sore throat|hiccups
    |flat tyre|flat tire|typo|merge conflict|stomach ache|cough)\b(?! (?:disorder|condition|every|when))
    |\b(?:is|are|was|were|stands|at only|down to) (?:\w{1,20} )?(?:at )?\d{1,3}(?:\.\d{1,3})? ?(?:%|percent
    |per cent)(?: \w{1,20})?(?=[.,;!]|$)
    |\b\d{1,3} ?(?:%|percent|per cent) (?:full|left|charged?|battery|done|complete|loaded|downloaded|used|free)\b
    |\b(?:outside|room|indoors|window|kitchen|weather|forecast)\b[^.;]{0,16} (?:is|was|shows|says
    |feels)\b[^.;]{0,12}[ ]\d{1,3} ?(?:degrees?|°c?)\b
    |\b(?:battery|fuel|disk|cpu|ram|load|queue|weather|temperature)\b[^.;]{0,24}\b(?:is|are|was|stands
    |shows) (?:at |now |about )?(?:\d|low|high|empty|full|rainy|sunny|cloudy)
    |\b\d{1,6} (?:unread|open tabs|new (?:e-?)?(?:mails?|messages?|notifications?))\b|\bhas run out of\b
    """
)

# What makes a habit, a rule or a turn of life of it.
_LASTING = sign(
    rf"""
    \b(?:every|each|always|never|usually|often|generally|normally|whenever|mondays|tuesdays|wednesdays|thursdays|fridays
    |saturdays|sundays|weekdays|weekends|must|should|not allowed|by default|chronic|permanently|any|all|when|if|from now on
    |habit|policy|rule|in (?:spring|summer|autumn|winter)|on (?:public )?holidays
    |for (?:\d{{1,3}}|two|three|four|five|six|ten|many|several) years|since (?:\d{{4}}|childhood|birth|school|university
    |the age|{_MONTH}|she|he|they|her|his)|(?<!was )(?<!were )moved|married|adopted|decided|became|was diagnosed|was born
    |switched|quit|retired|no longer|gave up|was promoted|got engaged|agreed that|gave birth
    |(?:temporary|interim|one-off|temp) (?:staff|workers?|agency|agencies|exhibition|contracts?|employees?|teachers?|residence
    |visa|work))\b
    """
)
_TRADE = sign(
    r"""
    \b(?:makes|sells|produces|manufactures|develops|collects|publishes|rents|hires|designs|requires|forbids|bans)\b
    |\buses (?:an? |the )?(?:\w{1,20} ){0,2}(?:markers?|tokens?|labels?|tags?)\b
    """
)

_MOMENT_ZH = sign(
    r"""
    今天|今晚|今早|今日|昨天|昨晚|明天|明早|此刻|此时|这会儿|眼下|刚刚|刚才|马上|待会|等会|一会儿|暂时|本次|这次|这一次|这一刻
    |方才|稍后|一会再|回头再|过后就|凉了|晚点|延误|断了一下|没吃|没睡|刚睡|刚醒|刚下|刚到|途中|在路上|登机口|叫号|出现故障
    |锁住了|卡住了|占用着
    |临时(?!工|演员|户|身份|居住|住所|收费|聘|雇|展)|当前这?(?:会话|对话|任务|一轮)
    |正在(?!学|读|备考|攻读|写论文|创业|筹备)
    |现在(?!已?经?(?:住|做|当|任|从事|用|改|只|不再|每|属于|归|由|负责|希望|喜欢|偏好|要求|不[吃喝抽开坐碰]|养|吃素|戒|靠|带
    |管|开的?|是[^，。]{0,10}(?:师|员|生|人|经理|教授|主任|总监|妈妈|爸爸|者)
    |在[^，。]{1,14}(?:工作|上班|住|读|学|做|当|任|教|开|经营)))
    |(?:航班|列车|高铁|火车|包裹|快递|外卖|出租车)[^，。]{0,6}(?:已|改|正|晚|到|取消|还)
    """
)
_STATE_ZH = sign(
    r"""
    饿了|困了|累了|渴了|冷了|热了|迟到|头疼|头痛|发烧|感冒了|犯困|着急|赶时间|排队|堵车|堵在|塞车|在等|等待|等着|忙着|没电(?![梯视脑话影灯动饭信子池])
    |(?:电量|油量|进度|磁盘|内存|气温|温度|占用率|使用率|负载)[^，。]{0,10}(?:\d|百分之|[一二三四五六七八九十]{1,3}度)
    |(?:在|正在|刚上|刚到|刚下)(?:地铁|公交|火车|高铁|飞机|电梯|机场|车站|路上|开会|会议室|厕所|食堂|超市|出租车|候机|车上
    |厨房|门口|楼下|外面|床上)[^，。]{0,4}(?:上|里|中|内|口)?(?:[，。]|$|排|等|吃|买|打)
    |(?:构建|编译|服务|服务器|网站|接口|流水线|网络|打印机|电梯|部署)[^，。]{0,6}(?:挂了|坏了|崩了|红了|断了|卡住|卡死|报错中
    |失败中|不通)
    |(?:下载|上传|编译|加载|安装|部署|运行|渲染|排队|充电|重启)中(?:$|[，。])
    |^用户(?:正|还|一直)?(?:站在|坐在|躺在|蹲在|趴在)|腾不出手|切得
    |还剩[^，。]{0,8}(?:分钟|小时|%|电|格)|还有[^，。]{0,6}(?:分钟|小时|秒)
    |(?:\d|[一二三四五六七八九十几两])(?:分钟|秒|小时|个小时)(?:后|以后|之后|前|以前
    |之前)(?!.{0,6}(?:自动|必须|过期|失效|超时))
    |(?:吃完|下班|开完会|忙完|睡醒|回家|到家)[^，。]{0,6}(?:后|再)
    |(?:测试|清理|校验|验证|调试)(?:标记|令牌|记号|字符串|条目)
    |一次性(?:脚本|请求|任务|文件|命令)|用完(?:就|即)(?:删|扔)|草稿文件|占位
    |(?:外面|窗外|天)(?:在|正)?(?:下雨|下雪|刮风|打雷|阴|晴)
    """
)
_LASTING_ZH = sign(
    r"""
    每天|每周|每月|每年|每次|每逢|每到|每晚|每早|总是|从不|从来|一直|长期|通常|平时|一般|必须|不得|禁止|规定|只要|凡是|一律
    |默认|习惯|常年|经常|容易|一[^，。]{1,6}就|以后|今后|从此|起就|都要|都会|后会|后自动|不许|不能|搬到|搬进|搬去|结婚|离婚
    |出生|入职|退休|决定|改用|换成|确诊|毕业|升职|当上|戒
    """
)


def transient(r: Reading) -> bool:
    """True now and not in a month: moods, whereabouts, gauges, breakdowns, files and marks made to be thrown away."""
    if _THROWAWAY.search(r.common) and not (_LASTING.search(r.bare) or _TRADE.search(r.bare)):
        return True
    if any(passing.search(r.common) for passing in (_MOMENT, _STATE, _GAUGE)) and not _LASTING.search(r.bare):
        return True
    return (_MOMENT_ZH.search(r.zh) or _STATE_ZH.search(r.zh)) is not None and _LASTING_ZH.search(r.zh) is None


# -- date_only

_DIGITS = re.compile(r"[\d:/.,()\[\]+-]+(?:st|nd|rd|th|am|pm|h|z)?|[^\w\s]")
_FILLER_ZH = re.compile(words_zh.DATE_FILLER)
_HAN = re.compile("[\u4e00-\u9fff]")
_CALENDAR_ZH = re.compile("[年月日号点时周]|星期|礼拜|今天|现在|时间")


def date_only(r: Reading) -> bool:
    """Nothing is left once calendar and clock are taken out. A birthday, a weekly meeting or a time zone leaves something."""
    if _HAN.search(r.zh):
        return _CALENDAR_ZH.search(r.zh) is not None and not _DIGITS.sub("", _FILLER_ZH.sub("", r.zh))
    words = [word.removesuffix("'s") for word in _DIGITS.sub(" ", r.bare).split()]
    dated = any(word in words_en.CALENDAR for word in words) or any(char.isdigit() for char in r.bare)
    return dated and bool(words) and all(word in words_en.CALENDAR or word in words_en.DATE_FILLER for word in words)
