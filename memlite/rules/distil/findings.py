"""What an agent or a tool read in the files of a project: worth keeping with low confidence, never what it did or counted."""

from __future__ import annotations

import re

from memlite.rules.distil.dialogue import Draft
from memlite.rules.distil.grammar import words
from memlite.rules.distil.people import Cast
from memlite.rules.distil.sentences import Sentence

_FILE = (
    r"(?:config(?:uration)?|settings|project|package|manifest|lock|compose|docker|make|build|requirements|"
    r"pyproject|readme|repo(?:sitory)?|ci|workflow|schema|env|setup|source|code|cargo|gradle|terraform|helm|"
    r"docs?|licen[cs]e|contributing|changelog|yaml|toml|json)"
)
_READ = re.compile(
    rf"\bI (?:have )?(?:read|looked (?:at|in|into|through)|checked|opened|see|saw|found|inspected|"
    rf"went through)\b.{{0,40}}\b{_FILE}|\baccording to (?:the|your|its)\b.{{0,30}}\b{_FILE}"
    rf"|\b(?:the|your|its) (?:[\w.-]+ )?{_FILE}(?: ?files?)? (?:says?|states?|names?|lists?|declares?|"
    rf"specif(?:y|ies)|shows?|sets?|pins?|requires?|uses?|runs?|defines?|mentions?|targets?|enables?)\b|"
    rf"\b[\w-]+\.(?:toml|json|ya?ml|cfg|ini|lock|md|xml|gradle|txt|mod|conf) (?:says?|states?|names?|"
    rf"lists?|declares?|specif(?:y|ies)|shows?|sets?|pins?|requires?|uses?|defines?|mentions?|targets?)\b"
    r"|\bin the (?:repo|code|codebase|config|readme|settings|project file)\b",
    re.IGNORECASE,
)
_ASKS_FILE = re.compile(
    r"\b(config(?:uration)?|settings|readme|manifest|package\.json|pyproject|docs?|licen[cs]e|lock ?file|"
    r"schema|dockerfile|changelog)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:requires?|uses?|depends? on|targets?|supports?|pins?|names? \S+ as|is (?:built|written|"
    r"licen[cs]ed|hosted|configured|based|managed|packaged|deployed|formatted|linted|tested|published)|"
    r"are (?:built|written|managed|generated|stored)|"
    r"runs? (?:on|under|with|pytest|jest|vitest|tests? with|behind)|runs \w+ with|lists? \S+ as|"
    r"lists? [A-Z]\S+|sets? \S+|says [A-Z]\S+|is called|stores?|connects? to|talks to|minimum|needs? (?:node|python|"
    r"java|go|rust|php|ruby|postgres\w*|redis|mysql))\b",
    re.IGNORECASE,
)
_RUN = re.compile(
    (
        r"\b(?:passed|failed|fails?|failing|passing|error|exit code|in \d[\d.]* ?s(?:econds)?\b|took|created|wrote|fixed|"
        r"installed|updated|changed|added|removed|deleted|committed|ran|now|just|line \d+|I (?:will|have|ran|"
        r"am|can|could|would)|traceback|warnings?|let me|you (?:can|could|should|need))\b|\d+ (?:files?|"
        r"tests?|lines?)|(?:^|\s)(?:/|~/)[\w.-]+/"
    ),
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"((?:[\w-]+\.(?:toml|json|ya?ml|cfg|ini|lock|md|xml|gradle|txt|mod|conf))|the [\w.-]+ (?:file|config|"
    r"manifest|readme))\b"
)
_PARTS = re.compile(r":\s+|;\s+|,\s+(?:so|and so|which means|therefore)\b.*$|\.\s+")
_ZH_READ = re.compile(
    "(?:我)?(?:看了|读了|查了|翻了|打开了|检查了)(?:一下|下)?.{0,14}(?:文件|配置|项目|仓库|代码|README|"
    "readme|[\\w.-]+\\.\\w+)|(?:requirements|package|pom|Dockerfile|compose|Cargo|Makefile|Gemfile|Pipfile|"
    "配置|文件|README|readme|清单|[\\w-]+\\.(?:toml|json|ya?ml|xml|md|txt|mod|gradle))\\s*(?:文件)?(?:里|中|"
    "上)?(?:面)?(?:写|显示|声明|要求|指定|列|用|标|规定|是|有)"
)
_ZH_LASTING = re.compile(
    "要求|使用|用的?是|采用|依赖|基于|支持|最低|版本|构建|许可证|协议|托管|部署在|数据库是|框架是|"
    "由.{1,10}管理|写的|写着|列了|列着"
)
_ZH_RUN = re.compile(
    "通过|失败|报错|耗时|退出码|已(?:创建|写|修|装|更新|删除|生成|执行)|我(?:已|来|会|把|改)|现在|刚|"
    "\\d+\\s?(?:个文件|行|个测试|秒)"
)
_ZH_PARTS = re.compile("[：:；;]|，(?:所以|因此)")


def findings(sentences: tuple[Sentence, ...], turn: int, cast: Cast, project_zh: str, asked: str = "") -> list[Draft]:
    """Lasting facts a message reports as read from files. Subjects are named: "it" becomes the project spoken of.

    Args:
        sentences: of an agent's or a tool's message.
        turn: its place.
        cast: who and what has been named.
        project_zh: the project spoken of, in Chinese; empty if none.
        asked: what the user said before; a question about a file makes the whole message a reading.
    """
    file = _ASKS_FILE.search(asked)
    reading = bool(file)
    found: list[Draft] = []
    for sentence in sentences:
        text = sentence.text
        reading = reading or bool((_ZH_READ if sentence.chinese else _READ).search(text))
        if not reading or sentence.question:
            continue
        if file and not sentence.chinese:
            text = re.sub(r"^It\b", f"the {file[1].lower()}", text)
        found += _chinese(text, turn, project_zh) if sentence.chinese else _english(text, turn, cast, asked=bool(file))
    return found


def _english(text: str, turn: int, cast: Cast, *, asked: bool) -> list[Draft]:
    found = []
    project = cast.project()
    for part in _PARTS.split(text):
        part = (part or "").strip(" ,.")
        lasting = _LASTING.search(part) or (asked and re.search(r"\b(?:is|are|has|have)\b", part))
        if not lasting or _RUN.search(part) or len(words(part)) < 4:
            continue
        part = re.sub(
            r"^(?:according to [^,]{1,60},|I (?:see|found|read) that|and|so|also|in the \w+(?: file)?,)\s*",
            "",
            part,
            flags=re.IGNORECASE,
        )
        name = project.surface if project else ""
        if re.match(r"it\b", part, re.IGNORECASE):
            file = _FILE_NAME.search(text)
            if not name and not file:
                continue
            part = (name or (file[1] if file else "")) + part[2:]
        elif name and project and project.name.lower() not in part.lower():
            part = f"in {name}, {part[0].lower()}{part[1:]}"
        elif not name and re.match(r"(?:the|according)\b", part, re.IGNORECASE):
            part = f"in the user's project, {part[0].lower()}{part[1:]}"
        elif re.match(r"(?:I|you|this|that|these|those|they|there|then|here|nothing)\b", part, re.IGNORECASE):
            continue
        found.append(
            Draft(
                re.sub(r"\byour\b", "the", part),
                project.name if project else "project",
                "",
                "tool_output",
                (turn,),
                chinese=False,
                final=True,
            )
        )
    return found


def _chinese(text: str, turn: int, project: str) -> list[Draft]:
    found = []
    for part in _ZH_PARTS.split(
        "，".join(c for c in re.split("[，,]", text) if not re.match("我|你|您|那", c.strip()) or _ZH_READ.search(c))
    ):
        part = re.sub("^我?(?:刚)?(?:看了|读了|查了|翻了|打开了|检查了)[^，,]{0,30}[，,]", "", part.strip(" ，,。"))
        if not _ZH_LASTING.search(part) or _ZH_RUN.search(part) or len(part) < 6:
            continue
        part = re.sub("^(?:它|这个项目|该项目)", "", part) if project else part
        if part.startswith(("它", "你", "您", "我")):
            continue
        part = re.sub("^(?:另外|而且|此外|并且)\\s*", "", part)
        lead = "" if project and project in part else project or "项目"
        found.append(
            Draft(
                f"{lead}{part}" if not part.startswith("项目") else part,
                project or "项目",
                "",
                "tool_output",
                (turn,),
                chinese=True,
                final=True,
            )
        )
    return found
