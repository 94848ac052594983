"""Does a text tell what the agent did, in place of how things are?

People are called agents and assistants too: "the user's estate agent", "the editor's assistant". So the agent counts
only where a clause begins with it, or where something was done "by the agent".
"""

from __future__ import annotations

from memlite.rules.gate import words_zh as zh
from memlite.rules.gate.reading import Reading, either, part, sign

AGENT = part(
    r"""
    (?:(?:the |an |this |user's |our )?(?:(?:ai|coding|code|chat|research|main|sub-?|subordinate|helper|browser|search
    |memory)[ ]?)?(?:agent zero|agent|assistant|ai|bot|chatbot|llm|language model|copilot|claude|chatgpt|gpt(?:-?\d)?|gemini
    |model)(?: \d{1,2})?)
"""
)
_ALREADY = part(
    r"""
    (?:(?:has|have|had|then|also|just|already|successfully|briefly|again|automatically|now|quickly|first|finally|next|later
    |carefully|once|twice) )*
"""
)
_PAST = part(
    r"""
    (?:(?:wrote|built|ran|made|found|gave|took|sent|put|set|read|did|went|got|began|chose|drew|cut|kept|left|told|said|showed
    |thought|saw|knew|spent|brought|held|stood|understood|rewrote|rebuilt|reran|undid|split|came|written|drawn|done|given
    |shown|run|could not|couldn't|did not|didn't|was asked|was told|(?:was|is) (?:not able|able|unable)
    |is (?:now |currently )?\w{1,20}ing|was \w{1,20}ing|will now|is going to|apologi[sz]es|suggests)\b|\w{1,20}ed\b(?! to be))
"""
)
_DID = sign(
    rf"""
    (?:^|[.;:,] ?|\b(?:and|then|while|because|when|after|before|that|as|so) ){AGENT},? {_ALREADY}{_PAST}
    |^(?:with|at|for|on|in|after|before|by|upon|following|during|because|while|when|as)\b[^.;]{{0,60}}?,? \b(?:the|an
    |this) (?:ai |coding )?(?:agent|assistant|ai|bot) {_ALREADY}{_PAST}
    |^{AGENT}'s (?:last |next |first |final )?(?:step|action|task|answer|reply|plan|attempt|search|suggestion|idea)\b
    |^{AGENT}'s (?:\w{{1,30}} ){{1,2}}{_PAST}|^{AGENT} and (?:the )?users?\b
    |^{AGENT} (?:does not|doesn't|cannot|can't|has no|had no|knows?|thinks|believes|assumes|guesses|promises|offers)\b
    |^{AGENT} (?:keeps|makes|helps|gives|shows|writes|creates|checks|looks|searches|reads|sends|tells|explains|answers|replies
    |asks|recommends|proposes|prepares|summari[sz]es|translates|opens|saves|stores|collects|counts)\b
    |\b(?:written|built|made|given|sent|run|done|drawn|\w{{1,20}}ed) by (?!an? ){AGENT}(?! of)(?=[ .,;]|$)
    """
)

# Without a subject: "Fixed the parser", or with the machine for one.
_DEED = part(
    r"""
    (?:created|implemented|fixed|generated|installed|updated|wrote|added|removed|deleted|refactored|renamed|moved|committed
    |staged|restarted|cleaned|verified|inspected|synced|saved|tested|built|ran|deployed|patched|edited|rewrote|replaced
    |converted|uploaded|downloaded|merged|rebased|cloned|configured|formatted|checked|searched|analy[sz]ed|summari[sz]ed
    |translated|compiled|resolved|reverted)
"""
)
_SUBJECTLESS = sign(
    rf"""
    ^(?:the )?system (?:has |had |then |just |automatically )*{_DEED}\b
    |^i(?:'ve|'m| am| have| just| also| then)* \w{{1,20}}\b[^.]{{0,80}}\b(?:the user|user's|users')\b
    |^(?:successfully |just |i |i've |i have |we |we've |we have |have |has |now )*{_DEED}[ ](?:a|an|the|two|three|four|five
    |six|\d{{1,6}}|all|some|missing|new|files?|tests?|it|both|this|user's|up|out|quote|[\w-]{{1,40}}\.[a-z]{{1,4}})\b
    |\b(?:script|program|tool|job|export|command|process)\b[^.;]{{0,30}}\b(?:produced|created|generated
    |wrote)\b[^.;]{{0,40}}\b(?:bytes?|[km]b|lines?|files?|rows)\b
    |\b(?:fix|fixed|bug|error|typo|edited|changed)\b[^.;]{{0,60}}\b(?:on|at|in) lines? \d
    """
)

_WHEN_ZH = "(?:随后|之后|然后|今天|刚刚|刚才|会后|会前|饭后|事后|最后|接着|于是|后来)?"
_HOW_ZH = either(
    """已经 已 刚刚 刚才 刚 又 先 随后 随即 成功 自动 为 帮 给 替 把 将 在 从 用 按 对 根据 就 向 花 一共 共 依次 重新 正在 正
    接着 还 也 顺手 主动"""
)
_GAP_ZH = "[^，。；]{0,24}?"
_DID_ZH = sign(
    rf"""
    (?:^|[，。；])(?:这个|该|用户的|本)?{_WHEN_ZH}{zh.AGENT}{_HOW_ZH}*{_GAP_ZH}{zh.DEED}{_GAP_ZH}(?:了|好|完|出来|成功|完毕
    |完成|过|到|一遍|一下|出|上|失败|成|至|为|$)
    |(?:^|[，。；]){_WHEN_ZH}{zh.AGENT}{_HOW_ZH}*(?:正在|正|试图|尝试)[^，。]{{0,6}}{zh.DEED}
    |(?:^|[，。；]){_WHEN_ZH}{zh.AGENT}(?:[^，。；]{{1,14}}了|没能|未能|无法|不能够|没法|没有)
    |^{zh.AGENT}[^，。]{{0,4}}(?:等|问|请|让|帮|给|为|替|向|对|把|将|跟|和)用户
    |^{zh.AGENT}[^，。]{{1,12}}(?:怎么|如何|怎样)
    |^{zh.AGENT}(?:正在|答应|承诺|建议|认为|表示|不知道|知道|觉得|打算|提议|主动提出|猜测|推测)
    |(?:由|被){zh.AGENT}{_GAP_ZH}{zh.DEED}
    |^我(?:已经|已|刚|先|又|会|来)*(?:为|给|帮|替|把|向|和|跟|对)用户
    |^系统(?:已经|已|自动|刚刚|成功){zh.DEED}
    |^(?:已|已经|成功|刚刚|我已|我已经|我刚){zh.DEED}
    """
)
_STANDING_ZH = sign(
    rf"""
    ^[^，。；]{{0,4}}{zh.AGENT}(?:每次|在[^，。]{{1,8}}时)?，?(?:必须|应当|应该|需要|不得|不能|只能|务必|名叫|叫做|叫|是|要
    |永远|总是|始终|一律|可以|会|不许|每次|默认)
    """
)


_RULE = sign(
    r"""
    \b(?:that|which) (?:the |our |their |every |each |all )?(?:user's )?(?:\w{1,20} )?(?:users?|projects?|teams?
    |repo(?:sitory)?|compan(?:y|ies)|services?|developers?|members?|colleagues|staff|everyone|contributors?)[ ](?:should
    |must|has to|have to|shall|needs? to|is to|are to|may not|may|can only)\b[^.;]{0,50}\b(?:always|never|every|each
    |before|after|whenever|on all|from now on)\b
    """
)


def leaves_a_rule(r: Reading) -> bool:
    """Whether what was done is only the beginning of how things are to be: a script that the project should always run before
    a release."""
    return _RULE.search(r.bare) is not None


def agent_action(r: Reading) -> bool:
    """What the agent did, is doing or could not do; unless it leaves a rule behind."""
    if leaves_a_rule(r):
        return False
    if _DID.search(r.bare) or _SUBJECTLESS.search(r.bare):
        return True
    return _DID_ZH.search(r.zh) is not None and _STANDING_ZH.search(r.zh) is None
