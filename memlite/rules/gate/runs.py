"""Does a text tell what was run and what came out?"""

from __future__ import annotations

from memlite.rules.gate.reading import Reading, part, sign

_TOOL = part(
    r"""
    (?:pytest|unittest|git|npm|npx|yarn|pnpm|pip3?|poetry|uv|cargo|make|cmake|ninja|docker(?: compose)?|docker-compose|podman
    |kubectl|helm|terraform|ansible(?:-playbook)?|curl|wget|ssh|scp|rsync|grep|rg|find|ls|cat|sed|awk|chmod|chown|mkdir|rm|cp
    |mv|tar|apt(?:-get)?|brew|dnf|yum|pacman|systemctl|journalctl|node|python3?|ruff|mypy|black|flake8|eslint|prettier|tsc
    |jest|vitest|mocha|go (?:test|build|vet|run)|gradle|mvn|maven|javac|gcc|clang|rustc|clippy|psql|sqlite3|mysql|redis-cli
    |ping|traceroute|ffmpeg|pandoc|bash|zsh|powershell|top|htop|df|du|ps|kill|crontab|openssl|alembic|flyway|composer|bundle
    |rake|rspec|phpunit|dotnet|vite|webpack|rollup|esbuild|deno|bun|vercel|netlify|gcloud|gh|svn|nmap|dig|nslookup|telnet|lsof
    |strace|gdb|valgrind|cabal|latexmk|pdflatex|mkdocs|pre-commit|isort|pylint|bandit|coverage|hatch|pdm|conda|mamba|snap
    |flatpak|pm2|mongosh|minikube|argocd|rustup|sudo \w{1,20}|manage\.py|swift build|xcodebuild|bazel|tox|nox)
"""
)
_THING = part(
    r"""
    (?:command|profiler|debugger|scanner|scan|script|tests?|test suite|suite|build|linter|lint|migrations?|benchmark|query
    |shell|terminal|job|pipeline|compiler|compilation|install|installer|formatter|type check(?:er)?|process|container|dry run
    |program|binary|step|stage|deploy)
"""
)
_RAN = r"(?:ran|re-?ran|run|running|has run|executed|executing|invoked|launched|entered|typed|issued|kicked off)"
_CAME_OUT = part(
    r"""
    (?:reported|left|processed|imported|exported|inserted|scanned|printed|returned|failed|exited|completed|finished|showed
    |shows|produced|succeeded|passed|crashed|aborted|hung|timed out|listed|emitted|output|wrote|displayed|stopped|ended|took
    |found|said|gave|threw|raised|terminated|logged|complained|rejected|pushed|pulled|prints|lists|returns|reports|says|passes
    |fails|complains)
"""
)

_RUN = sign(
    rf"""
    \b{_RAN}:? (?:sudo |the |a |an |its |all |full |command |following |project's |terminal )*(?:quote|[$`]|{_TOOL}\b
    |(?:[\w'-]{{1,30}} ){{0,3}}{_THING}\b)
    |^(?:the |a |running |\$ |user's |project's )*{_TOOL}(?: (?!(?:is|are|was|were|must|has|have|in
    |on)\b)[\w./=:-]{{1,60}}){{0,5}}[ ](?:{_CAME_OUT}|(?:replaced|dropped) \d{{1,9}}
    |(?!used|named|called|based|replaced|dropped|adopted|needed|required)[a-z]{{1,20}}ed)\b
    |^(?:after|on|with|during) (?:the |a )?{_TOOL}\b[^.;]{{0,60}}\b(?:was|were|had|did|[a-z]{{1,20}}ed)\b
    |(?:^|\b(?:the|a|this|that|last|final
    |quote) )(?:[\w'-]{{1,30}} ){{0,3}}{_THING} (?:run |session |quote |\d{{1,9}} )*(?:of [\w' ]{{1,30}} )?
    (?:just )?(?:{_CAME_OUT}\b
    |ran at \d)(?! by\b| in (?:19|20)\d\d| (?:\w{{1,20}} ){{1,2}}(?:years|months|weeks))
    |^(?:tests?|build|compilation|command|script|lint|linter|migration|deployment|install\w{{0,9}}|output
    |result) {_CAME_OUT}\b
    |\b(?:last|latest|first|second|third) (?:[\w'-]{{1,30}} ){{0,2}}(?:session|run|build|attempt|deploy
    |execution)\b[^.;]{{0,30}}[ ](?:had|was|took|failed|showed|gave|ended|needed)\b
    |^(?:compiling|building|testing|installing|running|deploying|linting|migrating|formatting)\b[^.;]{{0,40}} (?:took|needed
    |lasted|failed|gave|printed|finished|was|ended)\b
    |\b(?:tests?|checks|specs) (?:of [\w' ]{{1,30}} )?(?:all )?(?:passed|failed)\b
    """
)
_COUNT = part(
    r"""
    (?:\d{1,7}|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many|some
    |an?) (?:[\w-]{1,20} ){0,2}(?:files?|errors?|warnings?|packages?|rows?|lines?|match(?:es)?|tests?|conflicts?|images?
    |containers?|resources?|seconds?|minutes?|ms|failures?|complaints?|problems?|issues?|commits?|branch(?:es)?|modules?
    |crates?|functions?|records?|bytes?|[kmg]i?b|vulnerabilit(?:y|ies)|findings?|hits?|results?|variables?|imports?|tables?
    |folders?)\b
    """
)
_COUNTED = sign(  # whatever the tool, and whatever its verb in the past: it counts files, errors, seconds
    rf"""
    ^(?!.*\b(?:19|20)\d\d\b)(?:[\w'-]{{1,30}} ){{0,4}}(?:{_THING}|{_TOOL}|import|export|sync|crawler|build server
    |ci)\b[^.;]{{0,50}}[ ](?:[a-z]{{1,20}}ed|ran|took|found|gave|got|wrote|built|left|made|came|sent|cut|split|threw|went
    |showed)\b[^.;]{{0,60}}\b{_COUNT}
    """
)
_OUTPUT = sign(
    r"""
    \b(?:got|received|returned|answered with) (?:an? )?(?:code |status |exit )*\d{1,3}\b(?! (?:\w{1,20} )?(?:years?|euros?
    |people|books?))|^\$ |^> \w|\btraceback \(most recent|\bsegmentation fault\b
    |\b(?:command|terminal|console|shell|bash|program|script) (?:history|output|log|session)\b
    |\boutput of (?:the )?(?:command|quote|script)
    |\b(?:last|previous|following|terminal|shell|this|that) commands?\b
    |\b(?:passed|failed|failures?|skipped|errors?|warnings?)\b[^;]{0,40}\b\d{1,9} (?:passed|failed|failures?|skipped|errors?
    |warnings?)\b
    |\b(?:returned|answered with|responded with|gave|shows?|showed) (?:an? )?(?:http |status |code |error )+\d{3}\b
    |\b(?:failed|crashed|aborted|died|stopped|ended) with (?:an? |the )?\w{0,30}(?:error|exception|traceback|timeout|fault)\b
    |\b(?:logs?|log file|trace|stack trace) (?:shows?|showed|contains?|contained|says?|said|reports?
    |reported)[ ](?:an? |the |\d|that|no|many|several|two|three)
    |\blog (?:of [\w' ]{1,30} )?(?:ends|ended|begins|began)\b
    |\b(?:compiled|built) (?:without (?:errors?|warnings?|problems?)|with \d|with two|with no
    |in \d{1,6}(?:\.\d{1,3})? (?:s\b|sec|min|ms)|cleanly|fine)
    |\b(?:got|came|saw|gave|received|returned|with|non-?zero|was)\b[^.;]{0,30}\bexit (?:code|status)\b
    |\bexit (?:code|status) (?:of |was |is )?\d
    |\breturn (?:code|status)(?: of| was| is|:)? ?\d
    |\b(?:exited|failed|ended|returned|terminated|finished|crashed) (?:with
    |\w{1,20} with)[ ](?:an? )?(?:non-?zero |exit |return |error |status |signal )*(?:code|status|signal|\d)
    |\b(?:printed|wrote|written|sent|came|appeared|output|dumped|showed|went)\b[^.;]{0,60}\b(?:stdout|stderr)\b
    |\b(?:stdout|stderr) (?:was|were|said|showed|contained|had|printed|came|output)\b
    """
)
_CONVENTION = sign(
    r"""
    \b(?:must|should|always|never|whenever|requires?|means|treats?|forbids?|forbidden|prefers?|wants|likes|dislikes|insists
    |expects|may not|have to|has to|needs? to|policy|convention|rule|ignores?)\b
    """
)

_NUMBER = "[\\d一二三四五六七八九十百两]{1,9}"
_THING_ZH = "(?:格式化工具|检查工具|类型检查|静态检查|导入|导出|命令|脚本|单元测试|全部测试|测试|用例|构建|编译|迁移|流水线|任务)"
_RUN_ZH = sign(
    rf"""
    (?:执行|运行|跑|敲|输入)了?(?:一遍|一次|下|一下)?(?:{_THING_ZH}|quote|[a-z$./][\w ./=-]{{0,60}})[^。；]{{0,24}}(?:了|后
    |输出|返回|报|失败|通过|成功|结果|显示|提示|完毕|完成|退出)
    |(?:执行|运行|跑|敲)(?:了|过|完)[^，。]{{0,12}}(?:{_THING_ZH}|[a-z][\w-])
    |^(?:在?终端|命令行)?(?:里|中)?(?:执行|运行)了?[a-z]
    |^[^，。]{{0,8}}{_THING_ZH}[^，。]{{0,16}}(?:失败|通过了|报错|返回了|输出了|成功|超时了|退出|耗时|完毕)
    |^(?:编译|构建|测试|部署|安装|迁移)[^，。]{{0,10}}(?:花了|用了|耗时)
    |命令(?:正常)?(?:返回|输出|报|显示)
    |{_THING_ZH}[^，。]{{0,6}}(?:跑完|执行完|运行完|结束)
    |^(?:测试|用例|命令|脚本|构建)[ _a-z\d.]{{0,40}}报
    |(?:这一次|上一次|上次|这次|最近一次)(?:构建|编译|测试|部署|运行|发布)
    |(?<![a-z]){_TOOL}(?![a-z])[^。]{{0,30}}(?:命中|找到|列出|返回|显示|报|得到|打印|花了|用了|耗时|出现|退出|提示|扫出|查出
    |失败了|通过了|跑了|装了|拉了|推了)
    |^{_TOOL}[^。]{{0,30}}(?:失败|通过|输出|成功)
    |^{_TOOL}(?!仓库|项目|集群|服务|镜像|版本|脚本|配置|的)[^。]{{0,40}}了
    """
)
_COUNTED_ZH = sign(
    rf"""
    ^[^，。]{{0,8}}(?:工具|脚本|命令|流水线|测试|用例|构建|编译|迁移|格式化|检查|导入|导出
    |{_TOOL})[^，。]{{0,12}}[了出][^。]{{0,16}}(?:\d|[一二三四五六七八九十百两])(?:个|条|处|行|次|秒|分钟|项|份|遍)
    |(?:跑|运行|执行)了[^。]{{0,16}}返回(?:了)?\d
    """
)
_OUTPUT_ZH = sign(
    rf"""
    (?:退出码|返回码|退出状态|退出代码|错误码)(?:是|为|：|:|等于)?-?\d
    |(?:标准输出|标准错误|终端|控制台|命令行|stdout|stderr)[^，。]{{0,8}}(?:输出|显示|打印|报|提示|返回|里有|出现|滚出|写着)
    |(?:日志|屏幕|控制台|终端)(?:里|上|中)?(?:显示|出现|报|最后|末尾)|检查[^，。]{{0,10}}(?:发现|查出)
    |(?:测试|构建|编译|命令|脚本|运行|执行|检查)的?(?:输出|结果|日志)(?:为|是|显示|里|如下|：|:)
    |(?:编译|构建|部署|测试)(?:通过|成功|失败)[^。]{{0,12}}(?:耗时|警告|个|秒)
    |{_NUMBER}(?:个|项|条)(?:测试|用例)[^。必须才]{{0,12}}(?:通过|失败)
    |{_NUMBER}(?:个|项|条|处)?(?:测试|用例|断言|错误)?(?:通过|失败|跳过|警告|报错)[^。]{{0,10}}(?:个|项|条|处)?(?:通过|失败
    |跳过|警告|报错)
    """
)
_CONVENTION_ZH = sign(
    "必须|应当|应该|一律|每次|每个|不得|禁止|表示|规定|约定|要求|只能|总是|从不|默认|都要|都得|统一|不许|不能|才算|才能|之前|需要|需先"
)


def command_history(r: Reading) -> bool:
    """What was run and what came out. A rule about exit codes or stdout is none."""
    if any(run.search(r.bare) for run in (_RUN, _COUNTED, _OUTPUT)):
        return _CONVENTION.search(r.bare) is None
    return any(run.search(r.zh) for run in (_RUN_ZH, _COUNTED_ZH, _OUTPUT_ZH)) and _CONVENTION_ZH.search(r.zh) is None
