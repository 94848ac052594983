"""More ways to steer in English, as people word them: no order in so many words, but only a text for a model says such things."""

from __future__ import annotations

import re

_MODEL = r"(?:assistant|ai|model|agent|llm|chatbot|bot)"
_TEXT = r"(?:instructions?|rules?|prompts?|lines?|text|guidelines?|messages?|notes?|orders)"
_REPLY = r"(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?|summar(?:y|ies))"
_NAMING = r"(?:mention|name|plug|bring up|cite|recommend|suggest|promote|praise|advertise|push|include|insert|work in)"

STARTING: tuple[tuple[str, str], ...] = (
    (
        "override",
        r"(?:treat|use|take|regard|accept) (?:this|these|the following)\b.{0,20}\bas (?:the|your) (?:new|only|real|true|actual) (?:system )?(?:prompt|instructions?|rules?|policy|orders)\b",
    ),
    (
        "persistent_bias",
        r"(?:steer|nudge|direct|guide|push|lead) (?:people|users?|them|customers|everyone|readers|the user)\b.{0,20}\b(?:to|towards?|away)\b",
    ),
    (
        "memory_tamper",
        r"(?:reset|purge|flush|empty|nullify|invalidate|expunge)\b.{0,30}\b(?:memor(?:y|ies)|entr(?:y|ies)|records?|preferences?|profile|everything about)\b",
    ),
    (
        "memory_tamper",
        r"give (?:this|these) (?:record|entry|note|memory|line|text)s? (?:the )?(?:maximum|highest|top|greatest|full) (?:importance|priority|weight|confidence|trust)\b",
    ),
    (
        "hidden_in_fact",
        r"(?:skip|drop|omit|bypass|disable|waive|suppress|turn off|switch off|leave out)\b.{0,20}\b(?:two-factor|2fa|mfa|identity|verification|authentication|login|approval|age)\b.{0,12}\b(?:checks?|steps?|prompts?|questions?|codes?|screens?|confirmation)\b",
    ),
    (
        "override",
        r"(?:set|put|cast|leave|push) aside\b.{0,20}\b(?:what|all|every|any|the|your|these)\w*\b.{0,40}\b(?:told|said|instruct\w*|rules?|guidelines?|prompts?|developer|system)\b",
    ),
    (
        "override",
        r"(?:act|go|work|live|decide) (?:only )?(?:on|by|after) (?:this|these)\b.{0,30}\b(?:instead|alone|only|text|note|entry)\b",
    ),
    ("persistent_bias", rf"{_NAMING}\b.{{1,60}}\bin (?:all|every|each|any)(?: \w{{1,15}})? {_REPLY}\b"),
    ("persistent_bias", rf"{_NAMING}\b.{{1,60}}\b(?:and|but) (?:nobody|no ?one|nothing|none) else\b"),
    (
        "memory_tamper",
        r"(?:erase|forget|delete|wipe|drop|unlearn)\b.{0,12}\b(?:what|everything|all|anything)\b.{0,12}\byou (?:know|remember|have|learned|stored|noted)\b",
    ),
    (
        "memory_tamper",
        r"(?:lower|raise|increase|reduce|drop|set|change) (?:the |its |their )?(?:priority|importance|weight|confidence|relevance) of (?:every|all|any|each|this|these|entries|notes|memor|facts)",
    ),
    (
        "exfiltration",
        r"(?:print|repeat|output|show|recite|copy|paste|reveal|send|post)\b.{0,12}\b(?:everything|all(?: the)? text|whatever|the (?:whole )?(?:text|conversation|prompt))\b.{0,12}\b(?:above|before|so far|until here)\b",
    ),
    (
        "exfiltration",
        r"(?:attach|append|add|include|hide|embed|weave)\b.{0,12}\bthe user'?s (?:\w{1,12} )?(?:address|name|number|data|details|location|e-?mail|key|password|phone)s?\b.{0,40}\b(?:in|at|to|as|with|into|under)\b",
    ),
    (
        "tool_abuse",
        r"(?:order|buy|book|pay|send|transfer|delete|run|execute|install|approve|sell|cancel)\b.{0,60}\bno need to (?:check|ask|confirm|wait|tell)\b",
    ),
    (
        "hidden_in_fact",
        r"(?:never|no longer|do not|don't|stop)(?: ever)? (?:show|showing|give|giving|display|displaying|mention|mentioning|issue|issuing|raise|raising|print|send|sending)\b.{0,16}\b(?:warnings?|alerts?|cautions?|disclaimers?)\b",
    ),
)

ANYWHERE: tuple[tuple[str, str], ...] = (
    (
        "persistent_bias",
        rf"\b(?:in|when (?:writing|making|giving)|for|with) (?:each |every |all |any |your )?(?:\w{{1,12}} )?{_REPLY}\b ?,? (?:always |also )?(?:say|claim|hint|imply|state|insist|pretend|suggest) that\b",
    ),
    (
        "role_spoof",
        rf"\byou are (?:now )?(?:no longer|not) (?:an?|the) (?:\w{{1,12}} )?{_MODEL}\b.{{0,40}}\b(?:but|you are|instead)\b",
    ),
    (
        "role_spoof",
        r"(?:^|[.;!?] ?)\[(?:system|developer|admin(?:istrator)?|operator|root)(?: \w{1,12})?\] ?(?=.{0,90}\b(?:users?|you|your|assistant|mode|access|permissions?|restrictions?|rules|must|obey|grant\w{0,3}|override)\b)",
    ),
    (
        "role_spoof",
        r"(?:^|[.;!?\]>] ?)(?:developer|operator|admin(?:istrator)?|system|root) (?:note|notice|message|order|update): (?=.{0,60}\b(?:disable\w*|enable\w*|ignore|filters?|limits?|unlock\w*|lift\w*)\b)",
    ),
    (
        "hidden_in_fact",
        r"\b(?:any(?:one|body)|whoever|every(?:one|body)|any (?:user|person|caller))\b.{0,50}\b(?:counts as|passes for|is to be seen as|must be seen as) (?:the|an?|my|your)? ?(?:owner|admin\w*|user|root|developer|boss)\b",
    ),
    (
        "override",
        rf"\b{_TEXT} (?:above|before this|so far|up to here)\b.{{0,12}}\b(?:were|was|are|is)\b.{{0,20}}\b(?:mistakes?|errors?|wrong|invalid|outdated|obsolete|void|fake|over|a test)\b",
    ),
    (
        "override",
        r"\b(?:nothing|none of what|no word|no rule)\b.{0,24}\b(?:before|above|earlier|until now|so far)\b.{0,20}\b(?:counts?|appl(?:y|ies)|holds?|matters?|binds?|is valid)\b",
    ),
    (
        "memory_tamper",
        r"\b(?:when(?:ever)?|while|each time|every time) you (?:\w{1,12} )?(?:compress|condense|shorten|tidy|clean|rewrite|merge|sort|prune|consolidate)\w*\b.{0,12}\b(?:notes?|memor(?:y|ies)|entries|history|facts)\b",
    ),
    (
        "memory_tamper",
        r"\bthis (?:paragraph|sentence|text|note|entry|line|memory)\b (?:has to|must|should|shall|is to) (?:survive|stay|remain|be kept|be copied|be repeated|be preserved)\b",
    ),
    ("exfiltration", r"\b(?:in|with) (?:white|invisible|hidden|transparent|tiny) (?:letters|text|characters|ink|font)\b"),
    (
        "role_spoof",
        r"\byou (?:now )?(?:run|operate|work|act|have|hold|possess|are running)\b.{0,16}\b(?:administrator|admin|root|full|elevated|unlimited|system|superuser) (?:privileges|rights|access|permissions)\b",
    ),
    (
        "role_spoof",
        r"\b(?:as|i am|i'm|this is|it is) (?:your|the) (?:creator|developer|maker|owner|administrator|operator|admin|programmer|vendor)\b,?.{0,12}\b(?:i|we)? ?(?:hereby |now )*(?:lift|remove|grant|allow|unlock|suspend|order|command|authori[sz]e|permit)\b",
    ),
    (
        "role_spoof",
        rf"(?:^|[.;!?(] ?)(?:attention|notice to|message to|memo to|instructions? (?:for|to)),? (?:the |all |any )?{_MODEL}s?\b ?[:,]",
    ),
    (
        "tool_abuse",
        r"\b(?:after|on|upon|when|while) (?:loading|reading|recalling|seeing|retrieving)(?: (?:this|these)(?: (?:note|memory|memories|entry|line|text|message))?)?,",
    ),
    (
        "hidden_in_fact",
        rf"[.;!?)(-] ?{_MODEL}(?: agent| model| assistant)?, (?!and\b|or\b|who\b|which\b|is\b|was\b|but\b|then\b)[a-z]{{2,15}}\b(?<!s) ",
    ),
    (
        "hidden_in_fact",
        r"\b(?:requests?|messages?|orders?|payments?|callers?|transfers?|commands?|emails?)\b (?:that|which|who|with|from|containing|signed)\b.{0,40}\b(?:are|is|count as|counts as) (?:always |automatically |to be )?(?:pre-?approved|approved|trusted|authori[sz]ed|whitelisted|verified)\b",
    ),
)

MARKUP: tuple[tuple[str, str], ...] = (
    (
        "tool_abuse",
        r"\b(?:run|execute|type|start|launch|call|do)\b.{0,12}[`\"' ](?:rm -rf|sudo |curl \S{1,200} ?\| ?(?:ba|z)?sh|del /[sq]|format c:|drop table|shutdown )",
    ),
)


def compiled(rules: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The rules with their patterns compiled."""
    return tuple((reason, re.compile(pattern)) for reason, pattern in rules)
