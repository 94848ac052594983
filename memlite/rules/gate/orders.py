"""Does a text speak to the model, or is it the model's own thought? What the *user wants* of the model is a preference."""

from __future__ import annotations

from memlite.rules.gate import words_zh as zh
from memlite.rules.gate.deeds import AGENT
from memlite.rules.gate.reading import Reading, part, sign
from memlite.rules.gate.words_en import VERBS

_DO = part(
    r"""
    (?:always|never|do (?:what|as|it|this|that)|do not|don't|ignore|disregard|respond|reply|answer|remember|use|forget|be|keep
    |make|ensure|avoid|provide|follow|act|pretend|write|output|return|summari[sz]e|translate|stop|start|begin|treat|assume
    |consider|check|call|store|save|delete|extract|explain|think|note that|give|tell|ask|only|refer|include|add|create
    |apologi[sz]e|speak|format|wrap|list|verify|remind|see|read|run|continue|let|try|adopt|maintain|prioriti[sz]e|limit|focus
    |determine|decide|select|choose|describe|analy[sz]e|generate|present|offer|respect|obey|print|send|cite|stay
    |under no circumstances|unless)
"""
)
_NOUN_FIRST = sign(  # "Output is written to ...", "Answers for the exam ..."
    r"""
    ^(?:answer|reply|note|use|output|return|store|call|start|stop|check|list|format|run|focus|limit|offer|act|print|present
    |respect|see|read|delete|extract|add) (?:is|are|was|were|has|have|of|for|by|must|should|cases?|hours?)\b
    """
)
_ORDER = sign(
    rf"""
    ^(?:please |kindly |important:? |note:? |rule:? |instructions?:? |remember:? |reminder:? )*{_DO}[ ]
    |^(?:before|after|when|while|if|instead of|without) \w{{1,20}}ing\b[^,;.]{{0,40}}, {_DO}[ ]
    |^(?:if|when|whenever|before|after|once|unless
    |in case) (?:the |a )?users?\b[^,;.]{{0,60}},[ ](?:then |please |first )*{_DO}[ ]
    |^(?:goals?|tone|style|language|format|output format|context|persona|objectives?|constraints|output|human|todo|to-do|task
    |step \d|user message|system|assistant|instructions?|thoughts?|thinking|reasoning|developer|tool|role|plan|internal
    |note to self|self-?reminder|observation|action|prompt|guidelines?)\s?(?:prompt|message|note|instructions)?\s?:
    |\byou(?:'re| are| must| should| will| shall| have| need| can| may| cannot| can't| were| do| don't| always| never| only)\b
    |\byour\b|\byourself\b
    |\b(?:ignore|disregard|forget|override)\b[^.;]{{0,20}}\b(?:previous|prior|above|earlier|all|these
    |your)\b[^.;]{{0,20}}\b(?:instructions?|prompts?|rules?|messages?)
    |^{AGENT} (?:must|should|shall|will|needs? to|has to|ought|may|can|always|never
    |is (?:supposed|expected|required|meant|allowed|instructed|to|a|an|designed|trained)\b)
    |^(?:the )?system (?:must|should|shall|may not|has to|needs to)\b[^.;]{{0,60}}\bthe user\b
    |^(?:our|your|the) (?:goal|task|job|aim|objective|mission|role|purpose) is (?:to|that)\b
    |^it is (?:very )?(?:important|essential|crucial|necessary|vital|forbidden|required|best) (?:to|that)\b
    |^(?:all |the |every |each |any |final )*(?:replies|reply|responses?|answers?|outputs?)\b[^.]{{0,60}}\b(?:must|should
    |shall|may not|are to|is to|need to|needs to|have to|has to)\b
    """
)
_THOUGHT = sign(
    r"""
    ^(?:i|we) (?:should|need to|will|must|can|could|'ll|am going to|are going to|have to|think|guess|might|shall|would|better)
    |^(?:i'll|i'd|let me|let's|let us|hmm|okay|ok|well|so),?[ ]
    |^(?:looks like|it seems|it looks like|so|now|okay|ok|alright|right|hmm|wait|first|next|perhaps
    |maybe),?[ ](?:that )?(?:the )?(?:user|i|we|let)\b
    |\bi (?:should|need to|will|must|can|'ll) (?:first |now |then |probably |just )?(?:prepare|answer|reply|respond|check|look
    |search|call|use|ask|write|summari[sz]e|give|tell|store|save|explain|provide|format|be)\b
    |\bas an? (?:ai|artificial intelligence|large language model|language model|helpful|llm|expert|assistant)\b
    |\bi am (?:an?|the|your) (?:\w{1,20} )?(?:ai|assistant|model|bot|chatbot|agent)\b
    |\bmy (?:instructions|system prompt|guidelines|training data|developers?|knowledge cutoff|programming|context window)\b
    |\busers? (?:probably|apparently|presumably|seems to|might|may|must have) (?:want|need|mean|ask|like|expect|be)
    """
)
_USER_SAYS_YOU = sign(r"^(?:the )?users? (?:thinks|believes|says|holds|jokes|is convinced|likes to say|finds)\b")

_ORDER_ZH = sign(
    rf"""
    ^(?:请|你|您|务必|切勿|切记|千万|不要|别|不得|永远不要|始终|记住|记得|忽略|无视|回答时|回复时|回答要|回复要|回答必须|输出
    |扮演)
    |^(?:假设|设想|称呼|调用|遵守|尊重)|^第[一二三四五1-9]步|^未经用户|^没有用户的?(?:同意|许可|允许)
    |^作为(?:一个|一名|一位)?(?:ai|人工智能|助手|智能助手|语言模型|专业)
    |^以[^，。]{{1,12}}(?:身份|口吻|语气)
    |^(?:思考|想法|计划|指令|规则|系统|系统提示|系统提示词|系统指令|提示词|推理|内心独白|反思|行动|步骤|注意|提示|角色|任务
    |要求|观察|工具|助手|系统消息|系统信息|用户消息)词?[:：]
    |(?:^|[，。；:：])你(?:必须|应|要|需|不|的|是|只|可以|能|应该|将|会|现在|在|有|得|务必|永远|一定|每次|先|只能|被)
    |^{zh.AGENT}(?:在[^，。]{{1,16}}时)?，?(?:必须|应当|应该|需要|需|要|不得|不能|只能|务必|永远|总是|始终|一律|应|不应|不许
    |不可|须|是一|是一个|是一名)
    |^(?:如果|若|当|每当|假如|要是|在)用户[^，。]{{0,20}}，?(?:请|就|则|只|不要|要|应|应当|应该|直接|先|给出|提供|必须|需|务必
    |保持|立即|主动)
    |^(?:先|确保|保持|尽量|把|将|对|与|和|跟|向|给|为|用(?!户)|以|按|在|每次|遇到|只|应|必须|尽可能|优先|避免|禁止|严禁|需|须|除非
    |无论|主动|及时|始终|多)[^。]{{0,16}}用户(?!组|名|表|数据|界面|体验|中心|画像|量)
    |^(?!用户|团队|项目|公司|我们|客服|平台|系统|产品|服务|[^，。]{{0,6}}[部组队员]).*(?:问|告诉|提醒|询问|征求|回复|回答)用户
    |^(?:每个|每次|所有|任何)(?:回答|回复|答复|输出|消息)
    |(?:忽略|无视|忘记|忘掉)[^，。]{{0,8}}(?:指令|提示|规则|要求|设定)
    |^(?:语气|语言|风格|格式|口吻|回复|回答|输出|答案|答复)的?[^，。用户]{{0,6}}(?:要|必须|应|需|用|请|不要|保持|:|：|一律
    |不得)
    """
)
_THOUGHT_ZH = sign(
    r"""
    ^(?:我应该|我应当|我需要|我得先|让我|我先|接下来我?|首先我?|我会先|我将|好的，我|嗯)
    |^(?:好的|嗯|那么|所以|首先|看来|看起来|似乎|好像|也许|大概)，?(?:用户|我|让|先)
    |用户(?:大概|可能|似乎|好像|应该是|多半)(?:想|要|需要|希望|是想|在问)|^我(?:觉得|认为|想|猜|估计|推测)
    |，我(?:来|去|这就|先)|那我就?|，我就
    |我(?:最好|该|应该|应当|需要|得|先|来|会)(?:先|再|给|为|帮|把|用|按|准备|说|讲|回答|回复|查|问|列|写|整理|确认|调用|检查)
    """
)


_TO_THE_USER = sign(r"^([a-z]{2,20}) (?:the )?users?(?:'s)?\b")


def ai_instruction(r: Reading) -> bool:
    """A sentence to the model, a line of a system prompt, or a thought of the model."""
    if (_ORDER.search(r.bare) or _THOUGHT.search(r.bare)) and not (_NOUN_FIRST.search(r.bare) or _USER_SAYS_YOU.search(r.bare)):
        return True
    verb = _TO_THE_USER.match(r.bare)
    if verb is not None and verb[1] in VERBS:
        return True
    return (_ORDER_ZH.search(r.zh) or _THOUGHT_ZH.search(r.zh)) is not None
