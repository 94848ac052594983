"""Does a text name a place on one machine: a path of its disk, an address of its own network?

A rule about such places ("never hard-code localhost") is no coordinate, nor is a path inside a repository or a public address.
"""

from __future__ import annotations

from memlite.rules.gate.reading import Reading, sign

_BEFORE_A_PATH = r"(?<![\w.~}$%@/-])"  # after a letter it would be the middle of a repository path or of a web address

_PATH = sign(
    rf"""
    {_BEFORE_A_PATH}/(?:home|root|tmp|var|opt|srv|etc|usr|mnt|media|private|volumes|workspaces?|proc|sys|dev|run|nix|scratch
    |data)/[\w.@+~-]
    |\b(?:director(?:y|ies)|folder|path|files?|logs?|stored|saved|lies?|located|mounted|copied|writes?
    |reads?)\b[^.;]{{0,60}}{_BEFORE_A_PATH}/(?!api\b|v\d)[a-z][\w-]{{1,30}}/[\w-]{{1,60}}/[\w.-]
    |^(?!.*\b(?:routes?|endpoints?|urls?|api|pages?)\b).*\b(?:is|at|in|under|from) /[a-z][\w-]{{1,30}}/[\w-]{{1,60}}/[\w.-]
    |(?:目录|文件|路径|日志|存|放|写|读|挂)[^。；]{{0,24}}{_BEFORE_A_PATH}/(?!api\b
    |v\d)[a-z][\w-]{{1,30}}/[\w-]{{1,60}}/[\w.-]
    |(?<![\w/])/users/(?!\{{|:|<|\d|me\b)[\w.-]|(?<![\w/])/root\b(?!-)|\bfile://
    |\bhttps?://[a-z0-9-]{{1,40}}:\d{{2,5}}\b|(?<![\w/.~])~/[\w.]|\$home\b
    |%(?:userprofile|appdata|localappdata|temp)%|(?<![a-z])[a-z]:[\\/](?!/)[\w.]|(?<![a-z])[a-z]:\\|(?<!\\)\\\\[a-z0-9]
    |(?<![a-z])[c-z]: (?:drive|disk|partition)|(?:drive|disk|partition) [c-z]:|(?<![a-z])[c-z] ?盘|\bcom\d{{1,2}} port\b
    |\btty(?:usb|acm|s)\d
    |(?:container|docker|image|working dir\w*|workdir|work directory|mount\w*|volume|容器|工作目录
    |挂载)[^.;。]{{0,40}}{_BEFORE_A_PATH}/(?:app|code|src|repo|project|work|build|[a-z]\d)\b
    """
)
_ADDRESS = sign(
    r"""
    (?:\blocalhost|\b127(?:\.\d{1,3}){3}|\b0\.0\.0\.0|\[::1?\]|\bhost\.docker\.internal)(?:\s?:\s?\d{2,5}\b
    |,? (?:on |at )?port \d)
    |https?://(?:localhost|127\.|0\.0\.0\.0|\[::|host\.docker)
    |(?<![\d.])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\d.]{0,9}/\d)
    |(?<![\d.])169\.254(?:\.\d{1,3}){2}|\bfe80::|\bfd[0-9a-f]{2}:[0-9a-f]
    |\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b
    |(?<=[a-z0-9])\.(?:local|lan|localdomain|fritz\.box|home\.arpa)\b
    """
)

# These may occur in a rule, too.
_BARE = sign(
    r"""
    \blocalhost\b|\b127(?:\.\d{1,3}){3}\b|(?<![\d.])0\.0\.0\.0\b|(?<![\w:])::1\b|(?<![\w.~}$/-])/tmp\b|\bloopback address\b
    |\b(?:local|laptop|desktop|machine|workstation|dev|development|debug|notebook|desk|pc|mac
    |macbook)\b[^.;]{0,60}\bports? \d{2,5}\b
    |\bports? \d{2,5}\b[^.;]{0,60}\b(?:local|locally|laptop|desktop|machine|workstation|desk|pc|mac|macbook|notebook)\b
    |(?:本机|本地|电脑|笔记本|台式机|开发机|这台|局域网|内网)[^。；]{0,24}(?:端口|:\d{2,5})
    |端口[^。；]{0,24}(?:本机|本地|电脑|笔记本|开发机|这台机器)
    """
)
_RULE = sign(
    r"""
    \b(?:must|never|may not|should(?: not|n't)?|forbids?|forbidden|bans?|banned|prohibit\w*|not allowed|disallow\w*|reject\w*
    |refus\w*|instead of|rather than|only|always|no longer|hard-?cod\w+|avoids?|any|allow\w*|policy|rule|dislikes?|hates?
    |prefers?)\b|必须|禁止|不得|不许|不能|不准|不允许|严禁|不可以|只能|一律|规定|绝不|从不|避免|写死|硬编码|而不是|而非|改用
    |统一|拒绝|不要|不应|不该|不喜欢
    """
)


def local_coordinate(r: Reading) -> bool:
    """A path, address or port that means something on one machine only."""
    if _PATH.search(r.low) or _ADDRESS.search(r.low):
        return True
    return _BARE.search(r.low) is not None and _RULE.search(r.bare) is None
