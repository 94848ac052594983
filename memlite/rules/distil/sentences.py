"""A message as sentences and clauses, English and Chinese: quotations and code left out, contractions written in full.

A clause is the unit that is kept or dropped: "I live in Kiel, but the heating is broken today" has two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

MAX_MESSAGE_CHARS = 20_000
"""Of a longer message only the beginning is read: it is a pasted document."""

MAX_SENTENCE_CHARS = 500
"""A longer sentence is no statement somebody made in a talk."""

LONG_QUOTE_WORDS = 4
"""From this length on a quotation is somebody else's text and left out; shorter ones are terms."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without its full stop. `question`: it asks or requests by its form; `marked`: it ends with a question mark."""

    text: str
    question: bool
    chinese: bool
    marked: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence with its place there. `reason`: what follows "because"; such a part states even inside a question."""

    text: str
    start: int
    end: int
    question: bool
    reason: bool


_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN_WORD = re.compile("[A-Za-z]+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTES = re.compile(
    r"\"([^\"\n]{1,2000})\"|“([^“”\n]{1,2000})”|「([^「」\n]{1,2000})」|『([^『』\n]{1,2000})』|(?:^>.*$)", re.MULTILINE
)
_SMILEYS = re.compile(
    r"(?<![\w])[:;=8xX]['\-]?[)(DPpO/|]+(?![\w])|<3|\^\^|"
    r"[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+|[（(][^()（）]{0,6}笑[^()（）]{0,6}[)）]"
)
_END = re.compile(r"(?:[.!?…]+(?=\s|$)|[。！？!?；…]+|\n+|~+$)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“'‘])(?:mr|mrs|ms|dr|prof|st|e\.g|i\.e|vs|etc|approx|no|ca|inc|ltd|[A-Z])$", re.IGNORECASE
)
_ENGLISH_QUESTION = re.compile(
    r"""^(?:(?:and|so|but|ok|okay|hi|hello|hey|well|also|then|oh|please|thanks|hm+|um),?\s+)*(?:
        (?:what|which|who|whom|whose|where|why|how|wtf)\b(?!ever)
        | when\s+(?:is|are|do|does|did|will|can|should|was|were|would)\b
        | (?:can|could|would|will|do|does|did|is|are|was|were|should|shall|have|has|may|might|must|am)\s+
          (?:I|you|we|he|she|it|they|this|that|there|the|my|our|your|these|those|a|an|any|anyone|someone)\b
        | (?:any|is\s+there|are\s+there)\s+(?!\w+\s+must\b)
        | (?:help|give|show|tell|send|write|find|make|list|explain|summari[sz]e|translate|convert|convince|recommend|
             suggest|plan|book|
             rewrite|check|compare|describe|generate|create|draft|fix|look\s+up|remind|continue|read|run|open|add|remove|delete|
             save|calculate|compute|sort|rename|search|turn)\s+
          (?:me|us|it|this|that|these|those|a|an|the|some|my|our|all|up|into|out|him|her|them|\d)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_CHINESE_QUESTION = re.compile(
    "[吗么呢][?？]?$|什么|怎么|怎样|为什么|为啥|如何|多少|哪[里儿个些种位家天]|几[点个位号天岁]|是不是|"
    "能不能|可不可以|要不要|有没有(?!关系)|谁[?？]?$"
    "|^(?:请|麻烦|帮|给)(?:你|您|我|忙)|^(?:请问|能否|可否)|^把.{1,40}(?:翻译|改|换|删|打|发|写|做)"
)
_STATING_WH = re.compile("没什么|什么都|什么也|怎么都|怎么也|不管什么|无论|哪里都|谁都")

_AFTER_IS = (
    r"an?|the|not|gone|fixed|done|back|working|running|stable|in|from|called|named|allergic|vegan|vegetarian|always|never|on|at|just|also|lactose|"
    r"gluten|diabetic|pregnant|deaf|blind|"
    r"dyslexic|autistic|colou?r-?blind|married|divorced|retired|severely|turning|about|very|really|quite|\d+"
)
_SHOUTED = re.compile(
    r"\b(?:IS|AM|ARE|WAS|NOT|DO|DOES|HAVE|HAS|NEVER|ALWAYS|MUST|ONLY|ALL|EVERY|NO|THE|MY|OUR|"
    r"WE)\b(?![ ]+[A-Z]{2})"
)
_NOT = re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must|need|might)n['’]?t\b", re.IGNORECASE)
_EXPANSIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"’", "'"),
        (r"\bcan'?t\b|\bcannot\b", "can not"),
        (r"\bwon't\b|\bwont\b", "will not"),
        (r"\bain't\b", "is not"),
        (r"\bshan't\b", "shall not"),
        (r"\bi'?m\b", "I am"),
        (r"\b(i|we|you|they|who)'?ve\b", r"\1 have"),
        (r"\b(you|we|they|who)'re\b", r"\1 are"),
        (r"\b(i|we|you|they|he|she|it)'ll\b", r"\1 will"),
        (r"\b(i|we|you|they|he|she|it)'d (?=been\b|had\b|better\b)", r"\1 had "),
        (r"\b(i|we|you|they|he|she|it)'d\b", r"\1 would"),
        (r"\b(he|she|it|that|there|who|name|everyone|everybody)'s (?=got\b|been\b|had\b|become\b)", r"\1 has "),
        (r"\b(he|she|it|that|there|who|name|everyone|everybody|here|what|where)'s\b", r"\1 is"),
        (rf"(\w)'s (?=(?:{_AFTER_IS})\b)", r"\1 is "),
        (r"\blet's\b", "let us"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bgotta\b", "have to"),
        (r"(?<![\w'.])i(?![\w'.])", "I"),
        (r"\b(i|we|you|they|he|she) (?:has|have) got\b", r"\1 have"),
    )
)
_CLAUSE_START = (
    r"(?:(?:at work|at home|privately|otherwise|sometimes|usually|normally|these days|nowadays|in summer|"
    r"in winter)\s+)?(?:I|we|he|she|they|it|you|that|this|there)\s+(?!who\b)[a-z]|(?:my|our)\s+\w|"
    r"the\s+(?:\w+\s+)?\w+\s+(?:is|are|has|have|was|were|does|needs|keeps)\s|[A-Z]\w+\s+(?:is|has|does|"
    r"runs|works|lives|leads|handles|owns|manages|teaches|studies|plays|likes|loves|hates|eats|never|"
    r"always)\s"
    r"|(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?(?:\s+and\s+\w+days?)?\s+(?:I|"
    r"we)\s|(?:everyone|everybody|people|friends)\s+calls?\s+me\b|let\s+us\b|[a-z]+\s+is\s+(?:(?:Mr|Mrs|"
    r"Ms|Dr|Prof)\.?\s+)?[A-Z][a-z]|never\s+(?!mind)[a-z]|please\b|do\s+not\b"
    r"|(?:(?:can|could|would|will|do|did|should)\s+(?:you|I|we)|what|which|how|where|why|(?:is|does|do|"
    r"are|was|will|can)\s+(?:that|it|this|they|there)|any(?:thing|one)?|should\s+(?:I|we)|does\s+(?:he|"
    r"she)|is\s+(?:he|she|my|the))\b"
)
_CLAUSE_CUT = re.compile(
    rf"\s*(?:[,;:]|\s[-–—]+(?=\s)|[–—])\s*(?:(?:and|but|so|or|because|since|as|though|although|yet|plus|"
    rf"also|btw|by the way)\s+)*(?={_CLAUSE_START})"
    rf"|(?<!days)\s+(?:and|but|so|because|though|although|plus|or)\s+(?:also\s+|then\s+)?(?={_CLAUSE_START})"
    rf"|(?<=\w)\s+(?:since|as)\s+(?=(?:I|we|he|she|my|our)\s+(?:am|are|is|have|has|do|can)\b)"
    r"|\s*,\s*(?=(?:right|just|for)\s+now\b)"
)
_REASON = re.compile(r"\b(?:because|since|as|though|although|but)\b")
_CHINESE_CLAUSE = re.compile(r"[，,：](?=[^，,：:])|:(?=\s)|[，,]|\s+(?=我|但|不过|而且)")


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese: it has nearly as many Chinese characters as Latin words, or more.

    >>> is_chinese("我用 Rust 写代码"), is_chinese("I say 你好 to everybody I meet")
    (True, False)
    """
    return len(_CJK.findall(text[:2_000])) >= 0.7 * len(_LATIN_WORD.findall(text[:2_000])) and bool(_CJK.search(text[:2_000]))


def spoken(message: str) -> str:
    """What the speaker says in his own words: without fenced code, quoted lines, longer quotations and smileys."""
    text = without_code(message)
    text = _QUOTES.sub(_short_quote, text)
    return _SMILEYS.sub(" ", text)


def without_code(message: str) -> str:
    """The message, as far as it is read, without fenced code."""
    return _FENCE.sub("\n", message[:MAX_MESSAGE_CHARS])


def _short_quote(match: re.Match[str]) -> str:
    inner = next((group for group in match.groups() if group), "")
    size = len(inner) / 3 if _CJK.search(inner) else len(inner.split())
    return match[0] if inner and size < LONG_QUOTE_WORDS else " … "


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order; one longer than 500 characters is left out.

    >>> [s.text for s in sentences("I met Dr. Low. She runs v2.1 now! 我住在苏州。")]
    ['I met Dr. Low', 'She runs v2.1 now', '我住在苏州']
    """
    found: list[Sentence] = []
    start = 0
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATION.search(text[max(start, end.start() - 8) : end.start()]):
            continue
        found += _sentence(text[start : end.start()], end[0])
        start = end.end()
    found += _sentence(text[start:], "")
    return tuple(found)


def _sentence(raw: str, end: str) -> list[Sentence]:
    text = raw.strip(" \t\r*#>•·-–—,，:…").strip()
    if not text or len(text) > MAX_SENTENCE_CHARS:
        return []
    chinese = is_chinese(text)
    marked = asks = "?" in end or "？" in end
    if chinese:
        asks = asks or bool(_CHINESE_QUESTION.search(_STATING_WH.sub("", text)))
    else:
        text = expand(text)
        asks = asks or bool(_ENGLISH_QUESTION.match(text))
    return [Sentence(text, asks, chinese, marked)]


def expand(text: str) -> str:
    """English with its contractions written in full.

    >>> expand("i'm sure she's in and we don't mind")
    'I am sure she is in and we do not mind'
    """
    text = _SHOUTED.sub(lambda m: m[0].lower(), text)
    for pattern, full in _EXPANSIONS:
        text = pattern.sub(full, text)
    return _NOT.sub(r"\1 not", text)


def clauses(sentence: Sentence) -> tuple[Clause, ...]:
    """The clauses of a sentence, in order.

    In a question all but the last state something, unless they ask by their own form.

    >>> [c.text for c in clauses(sentences("I live in Kiel, but the heating is off and I'm cold")[0])]
    ['I live in Kiel', 'the heating is off', 'I am cold']
    """
    text = sentence.text
    cut = _CHINESE_CLAUSE if sentence.chinese else _CLAUSE_CUT
    borders = [(0, 0), *(m.span() for m in cut.finditer(text)), (len(text), len(text))]
    asks = _CHINESE_QUESTION.search if sentence.chinese else _ENGLISH_QUESTION.match
    found: list[Clause] = []
    for (before, start), (end, _) in pairwise(borders):
        part = text[start:end].strip(" ,，、;:")
        if not part:
            continue
        start = text.index(part, start)
        reason = bool(_REASON.search(text[before:start]))
        last = end == len(text)
        question = not reason and (bool(asks(part)) or (last and sentence.question))
        comma = part.rfind(",") if question and last and sentence.marked and not asks(part) else -1
        if comma > 0:  # "I take warfarin, ok with beer?" states something before it asks
            found.append(Clause(part[:comma], start, start + comma, False, reason))
            start, part = start + comma + 1, part[comma + 1 :]
            start, part = start + len(part) - len(part.lstrip()), part.strip()
        found.append(Clause(part, start, start + len(part), question, reason))
    return tuple(found)
