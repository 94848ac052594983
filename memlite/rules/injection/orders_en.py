"""Orders to a later reader, in English: named patterns, each with the reason it stands for.

An order begins its clause: "ignore the earlier rules" is one, "the user ignores the earlier rules" is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlite.rules.injection.hints_en import ANYWHERE, MARKUP, STARTING, compiled

_LEADS = re.compile(
    r"(?:(?:please|kindly|now|also|then|and|so|but|always|just|simply|instead|first|next|again|finally|therefore|hence|thus|accordingly|quietly|silently|secretly"
    r"|from (?:now|here|today|this (?:point|moment|day)) ?(?:on|onwards?)?|henceforth|going forward|hereafter|by the way|effective immediately|starting (?:now|today)"
    r"|you (?:must|should|shall|will|need to|have to|are to|can|may)(?: always| now)?|your (?:task|job|goal|duty) is(?: now)? to|make sure to|be sure to"
    r"|remember to|(?:(?:dear |note to (?:the )?|to the |the )?(?:assistant|ai|model|agent|llm|chatbot|bot|system|reader)s?(?: must| should| shall| will| has to| is to)?(?: now| always)?)"
    r"|(?:when|whenever|if|each time|every time|any time|once|after|before|while|as soon as|for (?:any|every|each|all)|in (?:all|every|any|each)|on|at|during|upon"
    r"|to keep|no matter|regardless of|until)\b[^,]{1,90}(?=,))[,:]?\s)*"
)
_STARTS = re.compile(r"(?:^|(?<=[.;:!?(){}<>|\n\]-])|(?<=, )|(?<= and ))\s{0,2}(?:[-*#>]{1,4}\s)?")
_MAX_CLAUSE = 240

_TOLD = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|directives?|orders?|polic(?:y|ies)|constraints?|restrictions?|safeguards?|guardrails?|commands?"
    r"|messages?|context|training|limits?|memor(?:y|ies)|notes?|entries)"
)
_BEFORE = r"(?:previous|prior|earlier|above|preceding|existing|original|former|foregoing|old(?:er)?|initial|past|system|safety|other|current)"
_STORE = r"(?:memor(?:y|ies)|entr(?:y|ies)|records?|the (?:whole |entire )?(?:store|database|profile|history)|user(?:'s)? (?:name|profile|data|preferences?)|importance|facts?)"
_PRIVATE = (
    r"(?:system prompt|prompts?|memor(?:y|ies)|(?:api |private |secret )?keys?|tokens?|passwords?|credentials?|secrets?|conversations?|chat (?:history|log)s?|history"
    r"|(?:last|recent|previous) (?:\w{1,12} )?messages?|user'?s? (?:home |e-?mail |private )?(?:data|address|details|contacts?|phone|location|files|profile|information|name)"
    r"|personal (?:data|information)|contacts|everything you (?:know|remember|have)|what you (?:know|remember))"
)

_ORDERS: tuple[tuple[str, str], ...] = (
    (
        "override",
        (
            rf"(?:ignore|disregard|forget|discard|dismiss|override|bypass|abandon|drop|pay no attention to|do not (?:follow|obey)|don't (?:follow|obey)|stop (?:following|obeying))\b"
            rf"(?=.{{0,60}}\b(?:{_BEFORE}|all|any|every|everything|your|whatever|the|these|those|what)\b).{{0,70}}\b(?:{_TOLD}|you (?:were|have been|'ve been|are) told|you (?:know|learned))\b"
        ),
    ),
    (
        "override",
        r"(?:trust|believe|follow|obey|use) (?:only )?(?:this|these) (?:entry|note|memory|text|line|rule)s?(?: alone| only)?\b(?=.{0,40}(?:alone|only|instead|above all)|$|[.!])",
    ),
    (
        "memory_tamper",
        rf"(?:delete|erase|remove|wipe|purge|clear|overwrite|replace|rewrite|modify|change|alter|edit|mark|archive|forget|drop|corrupt|falsify)\b.{{0,50}}\b{_STORE}\b",
    ),
    (
        "memory_tamper",
        r"(?:set|raise|lower|increase|change|put)\b.{0,40}\b(?:importance|priority|confidence|trust|score|weight)\b.{0,30}\b(?:1(?:\.0)?|10|100|max\w*|highest|zero|0)\b",
    ),
    (
        "memory_tamper",
        r"(?:copy|repeat|insert|include|paste|add|append|reproduce|write|carry|keep)\b.{0,20}\b(?:this|the following) (?:sentence|line|entry|note|memory|text|paragraph|instruction)\b.{0,40}\b(?:each|every|all|any)\b",
    ),
    (
        "exfiltration",
        rf"(?:send|post|forward|upload|e-?mail|mail|leak|transmit|export|publish|submit|deliver|report|copy|append|attach|pass|share|text)\b(?!.{{0,20}}\b(?:me|us)\b).{{0,70}}\b{_PRIVATE}\b.{{0,60}}\b(?:to|at|via|into|on)\b",
    ),
    (
        "exfiltration",
        rf"(?:send|post|forward|upload|e-?mail|append|attach|add|put|encode|embed|place)\b.{{0,60}}\b(?:https?://|www\.|webhook|[\w.-]{{1,40}}@)\S.{{0,80}}\b(?:{_PRIVATE}|that (?:address|url|link|page))\b",
    ),
    (
        "exfiltration",
        rf"(?:send|append|attach|add|put|encode|embed)\b.{{0,12}}\b(?:them|it|all|everything|{_PRIVATE})\b.{{0,30}}\bhttps?://",
    ),
    (
        "exfiltration",
        r"(?:show|render|load|display|insert|fetch|embed)\b.{0,20}\b(?:image|picture|pixel|logo|link|url)\b.{0,20}https?://\S{1,200}.{0,40}\b(?:messages?|memor|conversation|base64|history|data|name|followed by)",
    ),
    (
        "exfiltration",
        rf"(?:tell|give|reveal|disclose|show|print|output|read|repeat|display|hand|say|quote|recite)\b.{{0,20}}\b{_PRIVATE}\b.{{0,40}}\b(?:to )?(?:any(?:one|body)|whoever|every(?:one|body)|strangers?|the caller|who (?:asks|says))\b",
    ),
    (
        "exfiltration",
        rf"(?:tell|give|send|show|hand|read)\b (?:any(?:one|body)|whoever|every(?:one|body)|strangers|the caller)\b.{{0,40}}\b{_PRIVATE}\b",
    ),
    (
        "exfiltration",
        r"(?:reveal|disclose|print|output|repeat|display|show|paste|dump|quote|recite)\b.{0,20}\b(?:system prompt|hidden prompt|initial instructions|all (?:your |the )?memories|instructions verbatim)\b",
    ),
    (
        "tool_abuse",
        r"(?:use|call|run|invoke|execute|trigger|launch|start)\b.{0,50}\b(?:tool|command|function|script|shell|plugin|api)\b.{0,60}\b(?:each time|every time|whenever|when you (?:read|see|load|recall)|on (?:recall|sight|reading|load)|without (?:asking|confirm\w*|telling)|silently|in the background)\b",
    ),
    (
        "tool_abuse",
        r"(?:book|buy|order|pay|purchase|transfer|wire|delete|install|approve|accept|submit|grant|sell|cancel|subscribe|donate|run|execute|send|deploy)\b.{0,70}\b(?:without (?:asking|confirm\w*|approval|permission|consent|checking|telling)|(?:do not|don't|never) (?:ask|wait|seek|request|check)|no (?:confirmation|questions)|skip (?:the )?confirm)",
    ),
    (
        "tool_abuse",
        r"(?:run|execute|pipe|paste)\b.{0,20}(?:rm -rf|curl \S{1,200} ?\| ?(?:ba)?sh|wget \S{1,200}|sudo |powershell|format c:)",
    ),
    (
        "hidden_in_fact",
        r"(?:treat|regard|accept|consider)\b.{0,50}\bas (?:coming from |being |if (?:it came )?from )?(?:an? |the |your )?(?:admin\w*|owner|root|developer|operator|superuser|trusted|verified|system)\b",
    ),
    (
        "hidden_in_fact",
        r"(?:grant|give|allow)\b.{0,50}\b(?:access|rights?|permissions?|privileges?|admin)\b.{0,30}\b(?:any(?:one|body)|whoever|every(?:one|body)|all users|who(?:ever)? (?:mentions|says|asks))\b",
    ),
    (
        "hidden_in_fact",
        (
            r"(?:skip|leave out|omit|drop|suppress|hide|disable|turn off|switch off|remove|stop|bypass|ignore|do not (?:show|give|ask)|don't (?:show|give|ask))\b.{0,40}\b(?:security|safety|confirmation|risk|privacy|medical|allergy|dosage|fraud|permission)s?\b.{0,20}"
            r"\b(?:warnings?|prompts?|checks?|notices?|reminders?|questions?|advice|alerts?|steps?|disclaimers?|dialogs?|requests?)\b"
        ),
    ),
    (
        "role_spoof",
        r"(?:you are|act as|pretend (?:to be|you are)|become|behave (?:as|like)|switch to)\b.{0,30}\b(?:memoryadmin|\w{0,12}admin(?:istrator)?|dan|root|unrestricted|unfiltered|jailbroken|developer mode|no longer bound|without (?:any )?(?:rules|limits|restrictions)|a different (?:ai|assistant|model))\b",
    ),
    ("role_spoof", r"(?:answer|reply|respond)\b.{0,20}\bwith the (?:single |one )?word\b.{0,20}"),
    (
        "encoded",
        r"(?:decode|decrypt|unscramble|rot13|base64|hex|un-?escape)\b.{0,50}\b(?:do|follow|obey|execute|run|carry out|comply|act on)\b.{0,20}\b(?:it|this|that|what|them|as|the)\b",
    ),
)
_ORDER_RULES = compiled(_ORDERS + STARTING)

_PROMOTE = r"(?:recommend|suggest|promote|present|praise|advertise|push|favou?r|rank|put|list|prefer|endorse|name|mention|steer|direct|send|describe)"
_WHEN = r"(?:from (?:now|today|here) ?on|always|when(?:ever)?|every time|each time|any time|for (?:any|every|all) question|in (?:all|every|any) (?:future )?\w{1,15})"
_ANYWHERE: tuple[tuple[str, str], ...] = (
    (
        "override",
        (
            rf"\b(?:all |any |every )?(?:{_BEFORE}) (?:\w{{1,15}} )?(?:instructions?|prompts?|memories|entries|directives?|system messages?) (?:is|are|was|were|have been|has been|no longer|must be)\b.{{0,40}}"
            r"\b(?:void|cancell?ed|obsolete|invalid|revoked|superseded|apply|fake|false|lies|attacker|poisoned|untrusted|withdrawn|suspended|ignored)"
        ),
    ),
    (
        "override",
        r"\b(?:the )?(?:rules|instructions|lines|words) (?:below|that follow|in this note) (?:are|is|count|apply|override|replace|take)\b",
    ),
    (
        "override",
        r"\b(?:safety|security|content|ethical) (?:checks?|filters?|rules?|guidelines?|restrictions?|polic(?:y|ies)|protocols?)\b.{0,12}\b(?:are|is|have been|has been|were)\b.{0,12}\b(?:switched off|turned off|off|disabled|lifted|suspended|removed|deactivated|void)\b.{0,20}\bfor (?:this|the current|me|all)\b",
    ),
    (
        "persistent_bias",
        (
            rf"\b{_WHEN}\b.{{0,60}}?(?<!to )(?<!user )(?<!we )(?<!they )(?<!should )\b{_PROMOTE}\b"
            r".{0,60}\b(?:as the (?:only|best|safest|cheapest|first)|first|only|above all|five stars|whenever|do not say why|without (?:saying|telling|explaining)|instead of|before any|exclusively|regardless)\b"
        ),
    ),
    (
        "persistent_bias",
        rf"\b{_WHEN}\b.{{0,70}}\b(?:answer|say|claim|tell|state|insist|reply|deny|maintain)\b.{{0,60}}\b(?:whatever|regardless of|no matter|even if|despite)\b.{{0,30}}\b(?:sources?|evidence|facts?|truth|false|untrue|says?|wrong)\b",
    ),
    (
        "persistent_bias",
        r"\b(?:every|each|all) (?:\w{1,12} )?(?:summary|summaries|answers?|repl(?:y|ies)|responses?|messages?|mails?|texts?)\b.{0,60}\b(?:end|finish|begin|start|close|include|contain|mention|link|carry)\b.{0,40}\b(?:link|url|https?://|www\.|[a-z0-9-]{2,40}\.(?:com|net|org|io|shop|example))\b",
    ),
    (
        "memory_tamper",
        r"\b(?:when(?:ever)?|while|during|before|after|on) (?:you |the (?:model|engine|assistant) )?(?:consolidat|merg|summari[sz]|compact|updat|rewrit)\w{0,4}\b.{0,30}, ?(?:always |please )?(?:choose|pick|use|copy|keep|put|insert|add|drop|delete|return|prefer|repeat)\b",
    ),
    (
        "memory_tamper",
        r"\bthis (?:entry|memory|note|record|line)\b.{0,20}\b(?:must|may|can|should|shall|is) (?:never|not)\b.{0,12}\b(?:deleted|removed|changed|merged|forgotten|overwritten|expire|decay|replaced)\b|\b(?:never|do not|don't) (?:delete|forget|overwrite|expire|merge|remove) this (?:entry|memory|note|record|line)\b",
    ),
    (
        "role_spoof",
        r"(?:^|[.;!?\]>] ?|\n)\[?(?:system|developer|admin(?:istrator)?|operator|root|security team)(?: (?:message|notice|note|prompt|override|update))?\]? ?: ?(?=.{0,90}\b(?:users?|you|your|assistant|developer|mode|verified|access|permissions?|restrictions?|rules|must|obey|grant\w{0,3}|unlock\w{0,2}|override|all|new)\b)",
    ),
    (
        "role_spoof",
        r"\b(?:developer|debug|god|jailbreak|dan|maintenance|unrestricted|admin) mode (?:is |has been )?(?:now )?(?:on|enabled|active|activated|unlocked|engaged)\b",
    ),
    (
        "role_spoof",
        r"\b(?:user|caller|sender|reader|author) (?:of this note )?(?:is|was|has been) (?:now )?(?:verified|authenticated|authori[sz]ed|confirmed|cleared) as (?:the |an? )?(?:developer|admin\w*|owner|root|operator|staff|engineer)\b",
    ),
    ("role_spoof", r"\byou (?:now )?(?:obey|serve|belong to|report to|answer only to)\b"),
    (
        "tool_abuse",
        r"\b(?:on recall|on retrieval|when(?:ever)? (?:you|the (?:assistant|model|agent)) (?:reads?|sees?|recalls?|loads?|retrieves?|finds?|encounters?) (?:this|these|the) ?(?:note|memory|memories|entry|line|text|message)?)\b ?,? ?(?:please |always |immediately |first |silently )?(?!the user|it |they |he |she |there )[a-z]{2,12}\b",
    ),
    (
        "hidden_in_fact",
        r"\b(?:any(?:one|body)|whoever|every(?:one|body)|any (?:user|request|message)|those)\b.{0,50}\b(?:treated|considered|regarded|trusted|accepted) as (?:coming from )?(?:an? |the )?(?:admin\w*|owner|root|developer|operator|superuser|verified)\b",
    ),
    (
        "hidden_in_fact",
        r"[.;!?)(-] ?(?:note (?:to|for) (?:the )?)?(?:assistant|model|ai|llm|agent|system)\b ?[,:] ?(?:from (?:now|here)|always|never|please|you|do|don't|skip|ignore|treat|send|give|grant|stop|use|run|forget|delete|answer|say|tell)\b",
    ),
    (
        "encoded",
        r"\b(?:rot-?13|base-?64|hex|morse|caesar|binary)\b.{0,30}\b(?:do (?:as|what) it|execute|follow (?:it|what)|obey|for the (?:assistant|model|ai))\b",
    ),
)
_MARKUP: tuple[tuple[str, str], ...] = (
    (
        "role_spoof",
        r"<\|?(?:im_start|im_end|system|assistant|user|endoftext|begin_of_text|start_header_id|eot_id)\|?>|\[/?inst\]|<</?sys>>|</?(?:system|instructions?)(?:[ -](?:prompt|message))?>|###\s?(?:system|instructions?|assistant|human|user)\b ?:",
    ),
    ("hidden_in_fact", r"\"?memories_to_(?:remove|update)\b|\"?action\"? ?: ?\"?(?:replace|merge|delete|update|keep_separate)\b"),
    ("hidden_in_fact", r"<!--.{0,200}\b(?:assistant|system|model|ai|agent|ignore|grant|delete|send|always|must)\b.{0,200}-->"),
    ("exfiltration", r"!\[[^\]]{0,80}\]\(https?://[^)\s]{1,200}[?&=][^)]{0,100}\)"),
)
_MARKUP_RULES = compiled(_MARKUP + MARKUP)
"""What no quotation marks make harmless: they're part of it."""

_ANYWHERE_RULES = compiled(_ANYWHERE + ANYWHERE)

_NAMED_PRODUCT = re.compile(
    rf"(?:from (?:now|today|here) ?on|always|whenever|every time|each time)\b[^.;]{{0,60}}?(?<!to )(?<!user )\b{_PROMOTE} (?:the )?([A-Z][\w'-]{{1,30}})\b"
)
_OF_ONES_OWN = re.compile(r"\b(?:i|me|my|mine|we|our|us)\b")


def reasons_en(whole: str, bare: str, cased: str) -> Iterator[str]:
    """The reason of each English rule that holds, the surest rules first.

    Args:
        whole: the text in lower case.
        bare: the same with its quotations set aside.
        cased: `bare` as it was written, for names.
    """
    yield from (reason for reason, pattern in _MARKUP_RULES if pattern.search(whole))
    for reason, pattern in _ANYWHERE_RULES:
        if reason == "persistent_bias" and _OF_ONES_OWN.search(bare):
            continue  # the user's own wish, in the user's own interest
        if pattern.search(bare):
            yield reason
    for start in _STARTS.finditer(bare):
        clause = bare[start.end() : start.end() + _MAX_CLAUSE]
        lead = _LEADS.match(clause)
        place = lead.end() if lead else 0
        if clause[place : place + 1].isalpha():
            yield from (
                reason
                for reason, pattern in _ORDER_RULES
                if pattern.match(clause, place) and not (reason == "persistent_bias" and _OF_ONES_OWN.search(bare))
            )
    if _NAMED_PRODUCT.search(cased) and not _OF_ONES_OWN.search(bare):
        yield "persistent_bias"
