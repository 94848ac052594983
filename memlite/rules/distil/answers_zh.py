"""An agent's question and the user's short answer as one statement of the user in the first person: Chinese.

A Chinese question has its question word where the answer belongs, so most answers just take its place: 您用什么编辑器？ Helix.
"""

from __future__ import annotations

import re

from memlite.rules.distil.answers_en import NOTHING, Reply

_YES = re.compile(
    "^(?:哈+|呵+|嗯+|哦|噢)?[，, ]?(?:对的?|是的?|没错|恩|嗯+|对啊|是啊|确实|可不是?|当然|正是|猜对了|说对了|"
    "你说对了|没毛病|yes|有的|在的|会的)(?:呀|啊|呢|哦|吧|了|哈)?(?=$|[，,。！! ])[，,。！! ]*",
    re.IGNORECASE,
)
_NO = re.compile(
    "^(?:哈+|呵+|嗯+|哦|噢)?[，, ]?(?:不是的?|不对|不|没有|没|错了|不是啊|并不|哪里|哪有|猜错了|否)(?:呀|啊|"
    "呢|哦|吧|哈)?(?=$|[，,。！! ])[，,。！! ]*"
)
_OFFER = re.compile(
    "要不要|需要我|要我|需不需要|可以吗|行吗|好吗|怎么样$|要吗|试过|试试|看一下|能不能|可不可以|能否|发给我|"
    "发一下|贴|要看|需要.{0,10}吗$|还要|是指|量过|检查过|重启过|打开过|看过"
)
_GUESS = re.compile(
    "^(?:那|看来|看样子|听起来|我猜|我想|估计|所以|这么说|想必|应该|也就是说|如果我没记错|我记得|"
    "您?你?(?:之前|上次|刚才)?(?:说过|提到过?|说)|您?你?大概|莫非|难道|可能|也许|，|,)*"
)
_TAIL = re.compile("(?:对吧|对吗|是吧|是吗|吧|吗|么|嘛|呀|啊|没错吧|是不是|了吧)$")
_QUESTION_WORD = re.compile(
    "(?:哪(?:一)?(?:个|座|里|儿|家|所|款|种|只|门|位|国|年|天)?(?:城市|地方|学校|公司|国家|医院|编辑器|"
    "语言|专业|框架|系统|品种|型号|车|牌子|数据库|省|区)?|什么(?:名字|地方|时候|样的|专业|语言|工作|职业|"
    "编辑器|车|型号|品种|牌子|框架|数据库|系统|药|乐器|运动|科目|课|项目|东西|菜|口味|过敏)?|"
    "多大(?:年纪|岁数)?(?:了)?|多久(?:了)?|多少(?:年|人|岁|个)?(?:了)?|几(?:岁|年|个|口人|只|点|年级|号)(?:了)?|谁|怎么称呼)"
)
_LASTING_TOPIC = re.compile(
    "朝向|部门|科室|品种|型号|什么车|哪款车|数据库|框架|语言|哪些库|什么库|版本|系统|专业|职业|工作|病史|"
    "过敏|忌口|旧伤|手术|血型|学校|年级|户型|楼层|设备|土壤|电器|几口人|学历|乐器|编辑器|部署|托管|平台|单位|"
    "公司|行业|方言|民族|身高|体重|尺码|度数"
)
_ABOUT_YOU = re.compile("您|你")
_DROP = re.compile("(?:呢|啊|呀|的呢|吗|了呢)$")
_CLAUSE = re.compile("我|[他她它]|不知道|不清楚|忘了|没注意|随便|都行|都可以|看情况|不一定")


def reply(question: str, answer: str, *, asked: bool = True) -> Reply:
    """The statement that a question (or a guess) and the beginning of the answer make together.

    >>> reply("您在哪个城市", "绵阳").statement, reply("您是护士吧", "对，在急诊").statement
    ('我所在的地方是绵阳', '我是护士，在急诊')
    """
    question = (
        re.split("[，,]", question.strip("？? "))[-1]
        if "，" in question and not _ABOUT_YOU.search(question.split("，", maxsplit=1)[0])
        else question.strip("？? ")
    )
    if _OFFER.search(question):
        return NOTHING
    yes, no = _YES.match(answer), _NO.match(answer)
    if yes or no:
        claim = declared(question)
        rest = answer[(yes or no).end() :].strip("，,。 ") if (yes or no) else ""  # type: ignore[union-attr]
        if no:
            return Reply("", False, bool(claim), rest)
        if not claim:
            return NOTHING
        more = rest if rest and not _CLAUSE.search(rest) and len(rest) <= 16 else ""
        return Reply(f"{claim}，{more}" if more else claim, True, False, "" if more else rest)
    return Reply(filled(question, answer) if asked else "", False, False, "")


def topic(question: str, answer: str) -> str:
    """Question and bare answer side by side, where the question is about something lasting; empty for others."""
    value = answer.strip("。！!.~ ")
    question = question.strip("？? ")
    if (
        not _LASTING_TOPIC.search(question)
        or _OFFER.search(question)
        or not 2 <= len(value) <= 40
        or re.search("[？?]|吗|不知道|随便|我|今天|明天|现在|刚|块|元|天$", value)
    ):
        return ""
    if _YES.match(value) or _NO.match(value):
        return ""
    return f"问及“{question}”，用户回答：{value}"


def declared(question: str) -> str:
    """A yes-or-no question or guess as the user's statement; empty if it's neither.

    >>> declared("您是不是住在海边"), declared("您女儿对花生过敏吗")
    ('我是住在海边', '我女儿对花生过敏')
    """
    if _QUESTION_WORD.search(question):
        return ""
    text = _GUESS.sub("", question)
    text = re.sub("(.)不\\1", r"\1", text)
    text = re.sub("有没有", "有", text)
    bare = _TAIL.sub("", _TAIL.sub("", text)).strip("，, ")
    if bare == question and not re.search("(.)不\\1|有没有", question):
        return ""
    if re.search("可以|应该|不妨|建议|最好|试试|需要|能(?=用|够)", bare):
        return ""
    if not _ABOUT_YOU.search(bare) and not re.match("[他她它]", bare):
        return ""
    return to_first_person(bare)


def to_first_person(text: str) -> str:
    """What the agent says of 您 as the user would say it."""
    return re.sub("您们|你们", "我们", text).replace("您", "我").replace("你", "我")


def filled(question: str, answer: str) -> str:
    """The answer in the place of the question word; empty where the question isn't about the user or the answer is no value."""
    value = answer.strip("。！!.~ ")
    value = re.sub("^(?:是|叫|在|用的?是?|用|就|大概|一般|主要|嗯，?|哦，?)(?=.)", "", value) if len(value) > 2 else value
    named = re.search("是(?:谁|哪位|干什么的|做什么的)$", question)
    if not value or len(value) > 16 or (_CLAUSE.search(value) and not named) or "？" in answer or "?" in answer:
        return ""
    if who := re.match("(?P<name>[^，。我你您他她它]{2,4})是(?:谁|哪位|干什么的|做什么的|(?:你|您)的?什么人)$", question):
        return f"{who['name']}是{answer.strip('。！!.~ ')}"
    money = question.startswith(("这笔", "这钱", "钱")) and "年" in value
    if not money and not _ABOUT_YOU.search(question) and not re.match("[他她它]", question):
        return ""
    match = _QUESTION_WORD.search(question)
    if not match or re.search("什么(?:问题|情况|意思|报错|错误|需要|帮|想|打算|安排|计划|事|颜色|版本)|帮|想", question):
        return ""
    noun = re.sub(
        ("^(?:哪(?:一)?(?:个|座|里|儿|家|所|款|种|只|门|位|国|年|天)?|什么(?:样的)?|多大|多久|多少|几|谁|怎么称呼)"), "", match[0]
    )
    tail = _DROP.sub("", question[match.end() :])
    if re.search("在?哪(?:一)?(?:个|座)?(?:城市|省|市|区|县|国家)", question):
        return f"我所在的地方是{value}"
    if match[0] == "怎么称呼":
        return f"我叫{value}"
    unit = noun if re.match("岁|年|个|口人|只", noun) and value[-1:] not in noun else ""
    if "多大" in match[0] and not value.endswith(("岁", "个月", "年级")):
        unit = "岁"
    if match[0] in ("什么工作", "什么职业") and re.search("[是做]$", question[: match.start()]):
        return to_first_person(f"{question[: match.start()]}{value}").replace("是做", "做")
    return to_first_person(f"{question[: match.start()]}{value}{unit}{tail if len(tail) <= 2 else ''}")
