"""Which Chinese clauses of a user state something that lasts. Everything not recognised is refused.

Chinese leaves the subject out and marks no tense, so the rules look for words of habit, taste, health, identity, rule and setup,
and refuse clauses with words of the day, of doubt or of a fault.
"""

from __future__ import annotations

import re

from memlite.rules.distil import lexicon_zh as lexicon

NO, WEAK, STRONG = 0, 1, 2

_PASSING = re.compile(lexicon.PASSING)
_HABIT = re.compile(lexicon.HABIT)
_UNSURE = re.compile(lexicon.UNSURE)
_FAULT = re.compile(lexicon.FAULT)
_TERM = re.compile("[“‘「\"'][^”’」\"']{1,12}[”’」\"']")
_COORDINATE = re.compile(r"localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:^|[\s在到])(?:/|~/|\./)[\w.-]+/|[A-Za-z]:\\|/tmp", re.IGNORECASE)

_PERSON = f"(?:{lexicon.WOMEN}|{lexicon.MEN}|{lexicon.PEOPLE})"
_OWN = (
    f"(?:我们?|咱们?)(?:的|家的?|那|"
    f"这)?(?:(?![一不在也都就还是有对从喜讨最])[^\\s，]{{0,3}}?)(?:{lexicon.WOMEN}|{lexicon.MEN}|"
    f"{lexicon.PEOPLE}|{lexicon.PETS}|{lexicon.GROUPS}|{lexicon.THINGS}|"
    f"{lexicon.PROJECTS})|(?:我们?|咱们?)(?:{lexicon.SHORT_GROUPS})"
)

_STRONG = tuple(
    re.compile(pattern)
    for pattern in (
        "(?:我|名字|本名|大名|小名|外号|网名)(?:就)?叫(?!做|作|你|他|她|它|什么|人|醒|停|了个|外卖|车|不)[^的了]{1,12}$",
        "^我姓[\u4e00-\u9fff]|^(?:就|大家都?|别人都?|都)?叫我[^，。了]{1,6}(?:就行|就好|吧|即可|都行|$)",
        (
            "(?:腿脚|膝盖|腰|胃|肠胃|眼睛|视力|听力|颈椎|心脏|血压|睡眠|皮肤|肺|肾|牙|嗓子|骨头|记性|眼神|耳朵|腿|"
            "手)(?:一直|从小|向来|都|也)?(?:不太?好|不行|不太行|有(?:旧伤|毛病|问题)|受过伤|做过手术|"
            "很?(?:差|浅|轻|弱|背|敏感|脆弱)|特别(?:差|浅|轻|弱|敏感))"
        ),
        r"(?:今年|快|刚满|都)[\d一二三四五六七八九十]+(?:岁|了)|^我?今年(?:[二三四五六七八九]?十[一二三四五六七八九]?|\d\d)$",
        f"^(?:我家?的?|家里)?(?:{lexicon.WOMEN}|{lexicon.MEN})(?:今年|都|快|已经)*(?:[二三四五六七八九]?十[一二三四五六七八九]?|\\d\\d)(?:多?岁|了)",
        "^(?!这|那)[^，。我你他她它]{1,8}(?:也|都|一点都?|一口都?|从来|一概|完全)(?:不|不能|没法)(?:吃|喝|碰|沾)$",
        "对[^，。]{1,14}过敏|[^，]{1,6}过敏(?!药|原|季)|过敏体质",
        lexicon.CONDITIONS,
        (
            "(?:最|更|特别|非常|很|超|就|只|比较|一直|从小就?|真的|不太?|都|也|挺|极其|尤其|天生)?(?:讨厌|"
            "受不了|受不住|忌口|忌讳|忌)(?!这个|那个|它|你)[^，。]{1,20}"
        ),
        (
            "(?:不|从不|不能|不敢|不可以|没法|不爱|不喜欢|一口不|一点不|完全不)(?:吃|喝|碰|抽|沾|坐|看|听|"
            "穿)(?!这|那|它|了$|你|完|下|饱|动|到|清|出|得)[^，。了]{1,14}$"
        ),
        "(?:住|定居|常驻|租房|买房|坐标)(?:在|于)?(?!哪|一起|院|宿|的|下|手|了|酒店|这)[^，。]{1,16}",
        "(?:来自|祖籍|籍贯|老家)(?:在|是)?(?!哪)[^，。]{1,10}",
        "(?:我|家|[她他]|今年|已经|刚满|快)?(?:今年|快|刚满)?[\\d一二三四五六七八九十]+岁",
        "生日(?:是|在)(?!今天|明天|昨天|下|哪)|[月日号]的?生日|结婚纪念日",
        "所在的地方是|^(?!今天|明天|昨天|前天|后天|下周|上周)[^，。我你您他她它这那]{2,4}是(?:我们?|咱们?)(?!的?(?:问题|错))",
        "从[^，。]{1,8}(?:搬|调|转|来|回)(?:过)?来",
        "放弃了?[^，。]{2,10}|(?:做|动)过[^，。]{0,6}手术",
        "母语|血型|[ABO]B?型血|属(?:鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪)",
        (
            "(?:搬|调|跳槽|转行|转岗|迁|迁移|换|改|升级|回)(?:家|房)?(?:到|成|去|用|为|来)了?(?!这|那|里|了|第|"
            "上面|下面)[^，。]{1,20}"
        ),
        (
            "(?:已经|刚|去年|前年|上个?月|今年)?(?:离职|辞职|入职|毕业|结婚|离婚|订婚|退休|考上|录取|当上|"
            "升(?:职|了|任)|戒(?:了|掉)|改名|生了[个对])"
        ),
    )
)
_WEAK = tuple(
    re.compile(pattern)
    for pattern in (
        (
            "(?:最|更|特别|非常|很|超|就|只|比较|一直|从小|真|不太?|都|也|挺|极其|尤其|还是)?(?:喜欢|偏好|"
            "偏爱|热爱|爱好|不爱|怕|害怕|擅长|习惯|迷上|迷(?!人|路|茫|糊|信|你|惑|失|上)|沉迷|酷爱|痴迷|信奉|推崇|爱(?!人|情|心|好|护|莫|答|"
            "咋))(?!这|那|它|你|第|死了|了$|什么)[^，。]{1,24}"
        ),
        (
            "在[^，。]{1,16}(?:工作|上班|上学|读书|念书|读|念|做|当|教|开|学|搞|带|任|干|卖|养|种|值班|"
            "实习|任职|就职|读研|读博|求学)(?!着|中|完|了|的|饭|好|题|作业|到一半)"
        ),
        f"是(?:一名|一个|个|名|位|家里?的?)?[^，。]{{0,14}}(?:{lexicon.ROLE_END})$",
        "(?<![这那各一某多品几哪两])(?:养|种)(?:了|着|过)?(?!成|类)[^，。了]{1,12}",
        (
            "有(?:个|一个|两个|三个|俩|一只|两只|三只|一条|两条|一辆|两辆|一套|一台|一对|"
            "[一二两三四五六七八九十]+(?:个|只|条|辆|套|台|把|架|位|名))(?!\\s?[A-Za-z_]|烦恼|困惑|感觉|心愿|"
            "问题|想法|事|疑问|会|建议|需求|文件|报错|疑惑|地方|点|表|字段|参数|函数|错|bug)[^，。]{1,14}"
        ),
        "(?:吃|喝|坐|受|用|干|走|爬|闻|听|看|熬)不(?:了|得|惯)(?!这|那)[^，。了]{0,10}$",
        "学会了?(?!了)[^，。]{1,10}$|(?<!正)在(?:学|写|练|备考|攒|减肥|装修|创业|教|翻译|研究)(?!这|那|它)[^，。了]{1,16}$|在读[^，。]{2,16}|(?:做|当)(?!完|好|了|个|这|那|时|然|不)[^，。了]{1,10}$",
        (
            "开(?:的?是|着|了?一?辆|网约车|出租|货车|公交|校车)[^，。]{1,14}|开了?(?:一)?(?:家|间|"
            "个)[^，。]{0,8}(?:店|公司|厂|馆|民宿|诊所|工作室|超市|农场|画室)|骑(?:车|自行车|电动|摩托|马)|"
            "弹(?:钢琴|吉他|古筝|琵琶|琴|贝斯)|"
            "拉(?:二胡|小提琴|大提琴|手风琴)|吹(?:笛|箫|萨克斯|小号|口琴|唢呐)|踢(?:足?球|毽)|打(?:篮球|"
            "羽毛球|乒乓|网球|太极|鼓|麻将|排球|高尔夫|棒球|咏春)|跑马拉松|练(?:瑜伽|书法|太极|毛笔|拳)"
        ),
        "(?:学|练|做|干|教|写|画|跑|当|用|吃|住|打|卖|开)[^，。]{0,12}[\\d一二两三四五六七八九十几]+(?:多)?年",
        "(?:用的?是|一直用|平时用|都用|只用|在用|主要用|习惯用)(?!这|那|它)[^，。]{1,24}",
        "上(?:小学|初中|高中|大学|幼儿园|中班|大班|小班|[一二三四五六]年级|初[一二三]|高[一二三]|大[一二三四])",
        "(?:是)?(?:学|做|教|搞|干|卖|开|画|写|修|管)[^，。了]{1,10}的$",
        "带(?:初|高|[一二三四五六]年级|毕业班|研究生|博士|徒弟|校队|[一二两三四五六七八九十\\d]+个班)",
        "(?:负责|主管|分管|专攻|主攻|从事|研究|主修|攻读|就读|任教|主持)(?!这个bug)[^，。]{1,20}",
        "(?:会说|会讲|会弹|会拉|只会说|只说|精通|不会(?!有|是|的|吧|出|再|报|太|很))[^，。]{1,14}",
        "(?:准备|打算|计划|决定)(?:明年|今年|以后|毕业后)?(?:考|读研|读博|买房|结婚|移民|转行|创业|退休|生|要孩子|搬)",
        "^我?(?:明年|今年|下半年|年底|年初)(?:要|准备)?考(?!虑|试|察|勤)[^，。了]{2,14}$",
        "(?:身高|体重|工龄|教龄|驾龄|鞋码|度数|预算)(?:是|在|有|每)?[^，。]{0,6}\\d",
        (
            "(?:周|星期|礼拜)[一二三四五六日天][^，。]{0,8}(?:坐班|上班|上课|值班|休息|开会|例会|在家|办公|"
            "训练|排练|值夜班|轮休|接送)"
        ),
        "(?:点|前|后|以后|之前|之后)(?:都|就|一律|从来)?不(?:接|回|喝|吃|开|见|看|工作|约|加班|看手机)",
        "(?:不能|不|无法|没法|绝不)(?:接受|碰|投|考虑)(?!这|那|它)[^，。了]{1,16}$",
        "就(?:恶心|想吐|吐$|过敏|难受|头晕|拉肚子|起疹|失眠|胃疼)|会(?:起疹|吐|拉肚子|过敏|失眠|头晕)",
        "(?:一概|都|一律|从来|完全|一点都?|一口都?)不(?:吃|喝|碰|沾|用|看|要)$",
        (
            "(?:做|动|开|装|植|得|患|换|搭|切|割)过[^，。]{0,10}(?:手术|刀|支架|搭桥|关节|癌|病|炎|钢板|"
            "起搏器|肿瘤|中风|结石|阑尾|胆|移植)|骨折过|学过|当过兵|留过学"
        ),
        "^(?:老师|医生|大夫|教练|导师|律师|中医|专家)(?:说|让|建议|要求|叮嘱|嘱咐|交代)(?!的?(?:很|没|不一定|话)).{3,}",
        f"有(?:只|个|条|两|几|一)*(?:{lexicon.PETS}|孩子|娃|宝宝|老人)",
        r"(?:在|是|每)?(?:周|星期|礼拜)[一二三四五六日天](?:上午|下午|晚上|早上|中午)?[\d一二三四五六七八九十]+点",
        r"^我?(?:一般|平时|都|一直)?用\s?[A-Za-z][\w.+-]*(?:\s?[^，。了]{1,12})?$|^我[^，]{0,12}(?:要求|必须|一律)",
        "有[^，。]{0,8}(?:病史|旧伤|家族史|伤$|炎$|病根|忌口|证书|资格证|驾照|执照|阴影|洁癖|强迫症)",
    )
)
_RULE = re.compile(
    "必须|不许|不得|禁止|一律|统一|规定|要求(?!你|我)|只能|严禁|不允许|都要|都得|只准|不准|红线|强制|不能|"
    "不可以|只用|只接受|全部|默认|(?<!到处)都是(?=.)|都走|都用|从不|绝不"
)
_OURS = re.compile(
    f"我们|咱们|咱|我(?:{lexicon.GROUPS}|{lexicon.PROJECTS})|(?:{lexicon.GROUPS}|{lexicon.PROJECTS})|客户|"
    f"甲方|领导|老板|法务|安全组|合规"
)
_SETUP = re.compile(
    "用的?(?:是)?(?!户|到|来|了|过|不|法|例|途|完|这|那|力|处|心)[^，。]{1,24}|使用|采用|基于|跑在|"
    "部署在|部署到|托管在|放在|存在|依赖(?!冲突)|支持|走的?是?(?!了|不|完)[^，。]{1,16}|"
    r"是\s?[A-Za-z][\w.+ -]{0,30}|是\s?\d+\s?(?:码|斤|公斤|厘米|届|级|号)|是[^，。]{1,16}(?:写的|做的|"
    "搭的|开发的|实现的|管理的|维护的)|由[^，。]{1,12}(?:负责|维护|管理)|叫(?!我|你)[^，。]{1,16}|"
    "配置(?:为|成|了)|"
    "每(?:天|周|月|晚|次|两周)|有[^，。]{1,4}(?:台|个|套|人|名|位|节点)|(?:主干|默认|分支)(?:是|叫)|"
    "版本是|归[^，。]{1,10}管|分[^，。]{1,6}(?:层|组|端|库)"
)
_SUBORDINATE = re.compile("每当|当(?=.*时)|如果|只要|除了|虽然|尽管|无论|不管|自从|为了|像")
_SUBJECT = re.compile(
    f"^(?:最近|平时|现在|目前|以前|从前|小时候|从小|今年|去年|周末|一般|通常|有时候?|每天|每周|每晚|早上|"
    f"晚上|可(?=我)|其实|不过|但是?|而且|还有|另外|对了|哦|嗯|因为|所以|反正|主要|就是|说起来|"
    f"顺便说?一?下?|补充一?下?|记[住得]|注意|提醒一下|忘了说|还|也|那(?![边里儿些])|然后|,|，|\\s)*"
    f"(?:(?P<own>{_OWN})|(?P<we>我们|咱们|咱)|(?P<i>我)|(?P<she>[他她它](?:们)?)|(?:(?:这|那)(?:个|套|款|"
    f"家))(?P<this>(?:(?![到把在给用是了的去做])[\u4e00-\u9fff]){{2,6}}(?:项目|仓库|系统|服务|小程序|平台|"
    f"网站|应用|公司|团队))|(?P<that>(?:这|那)(?![边里儿样么些])(?:个|只|条|位|家|套|台)?(?:{_PERSON}|{lexicon.PETS}|"
    f"{lexicon.PROJECTS}|{lexicon.GROUPS}|人|家伙)?)"
    f"|(?P<project>(?:整个|目前|现在)?(?:[A-Za-z][\\w.-]*\\s*)?(?:(?![到把在给用是了的去做]|负责|部署|"
    f"修改|看看|测试一)[\u4e00-\u9fff]){{0,4}}?(?:{lexicon.PROJECTS}|{lexicon.GROUPS})(?!一下|到|个|好|完|"
    f"成|了)))"
)


def subject(clause: str) -> tuple[str, str]:
    """(kind, text) of what a clause begins with: own, we, i, she (any pronoun of a third), that, project; empty if left out."""
    match = _SUBJECT.match(clause)
    if not match:
        return "", ""
    kind = match.lastgroup or ""
    if kind == "this":
        return "project", match["this"]
    if kind == "project" and match[kind] in ("家里", "全家"):
        kind = "own"
        return kind, match["project"]
    return kind, match[kind] if kind else ""


def is_passing(clause: str) -> bool:
    """Whether words of the day stand in the clause."""
    return bool(_PASSING.search(clause))


_CHANGED = re.compile("(?:换|改|调|切|升级|搬|迁)")
_IS_SOMETHING = re.compile("是(?!因为|说|要|谁|不|这|那|在|我|你|什么)[^，。了]{2,16}$")
_OF_A_PERSON = re.compile("在[^，。了]{2,8}$|^(?:上)?[一二三四五六初高大]年级|^(?:叫|是|有|会|在|爱|怕|属)|[年班]级|^女孩|^男孩")
_RESULT = re.compile("就(?:有|好|行|正常|可以|能|没|不|恢复|出来)[^，。]{0,8}了$")
"""What came of a try: 改成…就有声音了."""

_APPROVAL = re.compile("要[^，。]{1,12}(?:审批|批准|同意|签字|授权|报备|走流程|评审)")
_BUILT_WITH = re.compile(r"装的是|配的是|[一两三四]周一[个次]|的[^，。]{1,6}是[^，。了]{1,16}$|(?:是|用的?是?)\s?[A-Za-z]")
_PART_WITH_NAME = re.compile(r"(?:操作)?(?:系统|数据库|框架|语言|版本|缓存|前端|后端|显卡|内存|编译器)\s?[A-Za-z]")
_DETAIL = re.compile("^(?:主要|专门|大多|基本上|其中|包括|尤其是|特别是|一共|总共|平均)")


def is_detail(clause: str) -> bool:
    """Whether the clause only adds to the one before: 主要卖到…, 其中…."""
    added = (
        bool(_PART_WITH_NAME.match(clause))
        or bool(_DETAIL.search(clause))
        or (len(clause) <= 14 and bool(re.search(r"\d+\s?(?:%|天|元|万|小时|分钟|人|次|字|号|米|公斤)", clause)))
        or (len(clause) <= 4 and not re.search("谢|好|嗯|行|对|是|了|吗|呢|吧|哈|请", clause))
    )
    return added and not (_UNSURE.search(clause) or _FAULT.search(clause) or is_passing(clause) or _COORDINATE.search(clause))


def weight(clause: str, kind: str, *, loose: bool = False) -> int:
    """NO, WEAK or STRONG: does the clause state something lasting?

    Args:
        clause: a clause of the user's.
        kind: its subject's kind as `subject` gives it, or that of the subject it goes on with.
        loose: the clause has no subject of its own and follows one that wasn't kept: only the sure patterns count.
    """
    clause = _TERM.sub("“”", clause)
    if len(clause) < 3 or _is_refused(clause, kind):
        return NO
    faulty = bool(_FAULT.search(clause))
    if kind != "project" and any(pattern.search(clause) for pattern in _STRONG):
        return WEAK if faulty else STRONG
    if loose or faulty or is_passing(clause) or clause.endswith(("了吧", "好了", "呢")):
        return NO
    if _of_ours(clause, kind) or (_RULE.search(clause) and _OURS.search(clause)):
        return WEAK
    if kind == "project":
        return NO
    if (kind in ("own", "she") and _OF_A_PERSON.search(clause)) or any(pattern.search(clause) for pattern in _WEAK):
        return WEAK
    return WEAK if _HABIT.search(clause) and len(clause) >= 4 and kind else NO


def _is_refused(clause: str, kind: str) -> bool:
    """A guess, a word to the assistant, a place on one machine, half a sentence or an order: no statement whatever it says."""
    if (
        _RESULT.search(clause)
        or _UNSURE.search(clause)
        or _COORDINATE.search(clause)
        or _SUBORDINATE.match(clause)
        or re.search("你|您", clause)
    ):
        return True
    return not kind and bool(_CHANGED.match(clause)) and not re.search("了|已经|去年|今年|前年|上个?月", clause)


def _of_ours(clause: str, kind: str) -> bool:
    """A rule or a setup of a group or a project, or what a person of the user's is."""
    if kind in ("we", "own", "project") and (_RULE.search(clause) or _APPROVAL.search(clause) or _BUILT_WITH.search(clause)):
        return True
    if kind in ("we", "own", "project", "that") and _OURS.search(clause) and (_RULE.search(clause) or _SETUP.search(clause)):
        return True
    return kind in ("own", "she") and bool(_IS_SOMETHING.search(clause) or _SETUP.search(clause))
