"""What is at stake if a memory is forgotten: health and safety, convictions, who the user is, what the user insists on."""

from __future__ import annotations

from memlite.rules.gate.reading import Reading, sign

_HARM = sign(
    r"""
    \b(?:allerg(?:y|ies|ic)|anaphyla\w+|intoleran(?:t|ce)|diabet\w+|epilep\w+|seizures?|asthma\w*|pacemaker|pregnan\w+
    |ha?emophil\w+|coeliac|celiac|gluten|lactose|nut-free|insulin|epipen|stroke|tumou?r|cancer|transplant|medications?
    |medicines?|prescri\w+|immun\w+|antibod\w+|poison\w*|life-threatening|faints?|vertigo|disab(?:ility|led)|chronic|diagnosed
    |blind|deaf|colou?r-?blind|mute|paraly[sz]ed|amputee|dyslexi\w+|autis\w+|adhd|depressi\w+|bipolar|dementia|alzheimer\w*
    |parkinson\w*|multiple sclerosis|migraines?|tinnitus|arthritis|schizophreni\w+|ptsd|hiv|hearing aids?|wheelchair|guide dog
    |prosthe\w+|crutches|alcoholic|addict\w*|sober|self-harm|suicid\w+|donor card|organ donor|resuscitat\w+|living will|phobia
    |fear of heights|claustrophobi\w+|dying|blood (?:group|type|thinners?|pressure|clots?)
    |heart (?:condition|attack|failure|disease|defect|valve)|(?:takes|on|needs|carries) (?:\w{1,20} )?(?:tablets|pills|statins
    |beta blockers|antidepressants|lithium|warfarin|cortisone|adrenaline|epinephrine|inhaler)|emergency (?:contact|number)
    |next of kin|court order|restraining order|power of attorney|custody|guardian|asylum|stalk\w+|witness protection
    |domestic violence|(?:encryption|recovery|master|root|signing|private) keys?|seed phrase)\b|过敏|糖尿病|癫痫|哮喘|起搏器
    |怀孕|孕|血友病|胰岛素|血型|高血压|低血压|心脏病|冠心病|中风|移植|肿瘤|癌|抗凝|服用|服药|吃药|药物|盲|失明|聋|失聪|听障
    |助听器|轮椅|残疾|假肢|拐杖|色弱|抑郁|焦虑症|躁郁|自闭|失智|阿尔茨海默|帕金森|偏头痛|痛风|关节炎|眩晕|戒酒|戒毒|酗酒|自杀
    |自残|免疫|抗体|紧急联系人|急救|不能吃|乳糖|麸质|慢性|确诊|手术|晕针|恐高|幽闭|中毒|肾病|肝病|乙肝|艾滋|一个肾|监护|抚养权
    |禁止令|家暴|遗嘱|庇护|加密密钥|主密钥|恢复密钥|私钥
    """
)
_CREED = sign(
    r"""
    \b(?:vegan|vegetarian|teetotal\w*|kosher|halal|pacifist|atheist|buddhis[mt]|muslims?|islam\w*|jewish|jews?|christian\w*
    |catholic\w*|protestant\w*|quaker|hindu\w*|sikh\w*|orthodox|baptist|mormon|sabbath|ramadan|religio\w+|faith|convictions?
    |principles?|ethic(?:s|al)|morals?|conscience|values?|beliefs?|(?:does not|doesn't) (?:drink|eat|believe|smoke))\b|吃素
    |素食|纯素|不吃肉|清真|信奉|信佛|信教|基督|天主教|佛教|伊斯兰|穆斯林|犹太|道教|信仰|原则|底线|良心|不喝酒|不抽烟|不沾
    |滴酒不沾|忌口|和平主义|无神论
    """
)

_KIN = "(?:wife|husband|partner|only child|son|daughter|mother|father|twin)"
_IDENTITY = sign(
    rf"""
    \buser (?:goes by|is called|is named)\b
    |\buser's (?:full |first |last |legal |preferred |maiden |sur)?name\b
    |\buser's (?:birthday|pronouns|(?:preferred |first |main |working |native )?languages?|mother tongue|nationality
    |citizenship|home ?town|date of birth|gender|age|religion|ethnicity)\b
    |\b(?:they/them|she/her|he/him|pronouns|citizen|citizenship|nationality|native speaker|mother tongue|first language
    |native language|passports?|native of)\b
    |\buser (?:was born|grew up|comes from|is originally from|served|fled|emigrated|immigrated)\b
    |\buser is (?:a )?(?:transgender|trans|non-binary|gay|lesbian|bisexual|widow|widower|widowed|married|divorced|adopted
    |left-handed|right-handed|\d{{1,3}} years old|an? (?:orphan|only child|single (?:mother|father|parent)|twin))\b
    |\b(?:does not|doesn't|cannot) (?:speak|read|understand|write) [a-z]
    |^(?:the )?user (?:has )?(?:lives?|lived|resides) (?:in|near|on|at|with|alone)\b
    |^(?:the )?user has (?:an?|one|two|three|four|five|no|twin|\d{{1,2}}) (?:\w{{1,20}} )?(?:sons?|daughters?|child(?:ren)?
    |kids|brothers?|sisters?|siblings?|wife|husband|twins)\b
    |\buser's {_KIN}(?:,? \w{{1,20}},?)? (?:is (?:called|named)|died|was called)\b
    |\buser is (?:the )?(?:\w{{1,20}} )?(?:mother|father|parent|carer|widow|widower|grandmother|grandfather) (?:of|to)\b
    |^(?:the )?user (?:is|works as|is employed as|has worked as|has been
    |practises as) (?:an? |the )?(?:[\w-]{{1,20}} ){{0,4}}(?:\w{{0,20}}(?:er|or|ist|ian|man|woman|smith|wright|ant|eon|ologist
    |ographer)|nurse|midwife|judge|chef|cook|pilot|clerk|priest|nun|monk|vet|coach|guide|scientist|architect|paramedic|student
    |pupil|apprentice|retired|self-employed|freelance|lawyer|attorney)\b(?! (?:than|at the moment|today)| of this)
    |用户的?(?:名字|姓名|真名|本名|全名|小名|昵称|名叫|叫|姓|网名|生日|出生|籍贯|老家|母语|国籍|民族|年龄|性别|属相|祖籍)
    |用户(?:是|系)[^，。]{{0,16}}(?:人|医生|护士|老师|教师|工程师|律师|教授|师|员|者|家|工人|农民|学生|法官|警察|司机|会计
    |编辑|翻译|博士|手|族|孤儿)
    |用户(?:一直|现在|已经)?(?:住在|定居|常住|出生于|生于|来自|长大)
    |用户(?:已婚|未婚|离异|离婚|丧偶|单身)
    |用户(?:有|育有)[^，。]{{0,6}}(?:儿子|女儿|孩子|兄弟|姐妹|双胞胎)
    |用户的?(?:妻子|丈夫|爱人|儿子|女儿|母亲|父亲)(?:名叫|叫|姓|去世|已故)
    |用户[^，。]{{0,12}}(?:当|做)[^，。]{{0,8}}(?:医生|老师|教师|护士|律师|工程师|编辑|厨师|会计|警察|司机)
    """
)

_RED_LINE = sign(
    r"""
    \b(?:must never|under no circumstances|on no account|without exception|no exceptions?|red line|non-negotiable|at any price
    |strictly forbidden|must (?:not|always|be (?:kept|protected|encrypted|treated|handled)|keep every|stay)
    |may (?:not|never) be (?:given|passed|shown|shared|sold|told))\b|红线|绝不|绝对不|严禁|任何情况下|无论如何|铁律|底线
    |没有例外|不能告诉|不得告诉|不能泄露|不得泄露|必须全部|必须保密|绝密
    """
)
_ALWAYS = sign(
    r"""
    \b(?:always|never|in all cases|whatever the|no matter|in principle|at all times
    |in every (?:case|situation|conversation|answer|reply)|from now on|in future|not even|unconditionally|strictly|for life
    |lifelong|permanently|by no means|for as long as|since childhood|all (?:his|her|their) life)\b
    """
)
_OF_THE_USER = sign(
    r"^(?:the )?users?\b|\busers? (?:wants|prefers|insists|expects|requires|refuses|must|does not want|never|always)\b"
)
_ALWAYS_ZH = sign(
    "必须|从不|从来不|永远|始终|任何时候|无论|一律|一定要|务必|坚决|不管|凡是|终身|一辈子|一生|从小|每次都|都要先|不允许|长期|多年来"
)

_INSISTS = sign(
    r"""
    \busers? (?:\w{1,20}ly |\w{1,20}ly, |much |also |still |only )*(?:prefers?|insists?|refuses?|dislikes?|hates?|detests?
    |loathes?|abhors?|(?:does not|doesn't) (?:want|like|accept|tolerate|wish)|\w{2,20}s only|objects to|rejects?|cannot|can't
    |will not|won't|avoids?|never|always|must|may not|is unable to|is afraid of|is scared of|will only|reads? with|only
    |expects?|requires?|demands?|would rather|needs? (?:to be|all|every|captions|subtitles|large|step-free|descriptions
    |help with)|wants? (?:to be|all|every|each|any|answers?|replies|responses?|explanations?|code|feedback|criticism
    |no |sources?|dates?|units?|only|short|concise|honest|the (?:assistant|agent|ai|answers?|replies|truth))
    |likes? (?:answers?|replies|to be|short|concise)|asks? (?:that|to be|the (?:assistant|agent) (?:to|never|always))|values?
    |cares?|wishes)\b
    |用户(?:一直|向来|始终|更|很|非常|特别|长期|明确|都)*(?:偏好|偏爱|更喜欢|喜欢[^，。]{0,8}(?:回答|回复|说明|代码)|要求|坚持
    |拒绝|讨厌|反感|厌恶|不喜欢|不愿|不想|不希望|希望|不接受|习惯|只用|只看|只喝|只吃|怕|害怕|腿脚|行动不便|靠读屏|从不|绝不
    |不坐|不用)
    """
)

# The user in person and in the present tense: what the user is, does by habit, can and cannot do.
_IN_PERSON = sign(
    r"""
    ^(?:the )?users? (?:\w{1,20}ly |also |both |still |never |always |only )*(?!says|asks|thinks|wonders|wants to|plans|hopes
    |mentions|considers|guesses|remarks|finds|found|was|were|had|did|just|will|would)(?:is|has|lives|[a-z]{2,20}[^s\W]s|cannot
    |can't|can|does not|doesn't|do not|must|may not)\b
    |^(?:the )?user's (?:\w{1,20} )?(?:home|address|body|back|heart|kidneys?|lungs?|liver|eyes?|ears?|knees?|hips?|skin|sight
    |hearing|memory|family|religion|church|faith|parents?|mother|father|son|daughter|brother|sister|wife|husband|partner
    |children)[ ](?:\w{1,20} )?(?:is|are|has|have|must|cannot|can|may|needs?|does|do|suffers?|lives?|forbids?|died)\b
    """
)
_IN_PERSON_ZH = sign(
    r"""
    ^用户(?!.{0,4}(?:说|觉得|想|打算|准备|计划|正在|考虑|比较|猜|问|提到|这|今天|明天|下|上周|排|等|刚|顺手
    |试))(?!.*(?:了(?!解)|过(?!敏)|正在|一下))[^，。]{2}
    """
)


def harm(r: Reading) -> bool:
    """Forgetting it could hurt: an allergy, an illness, a need, a danger, a key."""
    return _HARM.search(r.bare) is not None


def creed(r: Reading) -> bool:
    """A conviction the user lives by."""
    return _CREED.search(r.bare) is not None


def principle(r: Reading) -> bool:
    """Laid down for good: a red line of anybody's, or always and never of the user's."""
    if _RED_LINE.search(r.bare):
        return True
    if _ALWAYS.search(r.bare) and _OF_THE_USER.search(r.bare):
        return True
    return "用户" in r.zh and _ALWAYS_ZH.search(r.zh) is not None


def identity(r: Reading) -> bool:
    """Name, origin, home, family, trade, language."""
    return _IDENTITY.search(r.bare) is not None


def insistence(r: Reading) -> bool:
    """What the user prefers, refuses, cannot do or wants of every answer."""
    return _INSISTS.search(r.bare) is not None


def in_person(r: Reading) -> bool:
    """A standing fact on the user in person, of whatever kind."""
    return _IN_PERSON.search(r.bare) is not None or _IN_PERSON_ZH.search(r.zh) is not None
