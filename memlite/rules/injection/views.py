"""A text in the forms an order may hide in: invisible characters, look-alike letters, digits for letters, codes."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_SPACE = re.compile(r"\s+")
_PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‐": "-", "‑": "-", "–": "-", "—": "-"})
_FULL_WIDTH = str.maketrans({",": "，", ";": "；", "!": "！", "?": "？", ":": "：", "(": "（", ")": "）"})
_ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝвкмнтгАВЕКМНОРСТУХІЈЅαβεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdhqwbkmhtrABEKMHOPCTYXIJSabeiknoptuxwABEZHIKMNOPTYX",
)
_LEET = str.maketrans("0134578@$!|", "oieastbasii")
_LEET_WORD = re.compile(
    r"(?<![\w@$!|])(?=[\w@$!|]{0,20}[a-z])(?=[\w@$!|]{0,20}[0134578@$!|])[a-z0134578@$!|]{3,20}(?![\w@$|])", re.ASCII
)
_SPACED = re.compile(r"(?<!\w)(?:\w[ .*_-]){4,40}\w(?!\w)", re.ASCII)
_QUOTED = re.compile(
    r"\"[^\"]{1,300}\"|(?<!\w)'[^']{1,300}'(?!\w)|`[^`]{1,300}`|「[^」]{1,200}」|『[^』]{1,200}』|《[^》]{1,200}》"
)
_MOSTLY = 0.7
"""A quotation that makes up so much of the text is the text."""

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{16,4096}={0,2}(?![A-Za-z0-9+/=])", re.ASCII)
_HEX = re.compile(r"(?<!\w)(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){8,2000}(?!\w)", re.ASCII)
_HEX_PAIR = re.compile(r"(?:0x|\\x)?([0-9a-fA-F]{2})[ ,:]?", re.ASCII)
_BINARY = re.compile(r"(?<!\w)(?:[01]{8} ?){4,500}(?!\w)", re.ASCII)
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}){3,2000}", re.ASCII)
_MORE_THAN_A_WORD = 8


@dataclass(frozen=True, slots=True)
class View:
    """One form of a text. `whole` is in lower case. In the others the word `quote` stands for each quotation: `bare` is `cased`
    in lower case, `zh` is `bare` without spaces and with wide punctuation. `encoded` says that it had to be decoded first."""

    whole: str
    cased: str
    bare: str
    zh: str
    encoded: bool = False


def views(text: str) -> Iterator[View]:
    """The text as it is read, then as its tricks would have it read."""
    seen = _INVISIBLE.sub("", text)
    plain = unicodedata.normalize("NFKC", seen).translate(_PLAIN)
    yield _view(plain)
    low = plain.lower()
    undone = _SPACED.sub(_joined, low if low.isascii() else low.translate(_ALIKE))
    undone = _LEET_WORD.sub(lambda word: word[0].translate(_LEET), undone)
    if undone != low:
        yield _view(undone)
    for decoded in _decoded(plain, text):
        yield _view(unicodedata.normalize("NFKC", decoded), encoded=True)


def _view(text: str, *, encoded: bool = False) -> View:
    whole = _SPACE.sub(" ", text).strip()
    quoted = sum(len(match[0]) for match in _QUOTED.finditer(whole))
    cased = whole if quoted > _MOSTLY * len(whole) else _QUOTED.sub("quote", whole)
    bare = cased.lower()
    return View(whole.lower(), cased, bare, _SPACE.sub("", bare).translate(_FULL_WIDTH), encoded)


def _joined(spaced: re.Match[str]) -> str:
    return re.sub(r"[^\w]|_", "", spaced[0])


def _decoded(plain: str, original: str) -> Iterator[str]:
    """Readable texts that stand in a code."""
    yield from ("".join(chr(ord(char) - 0xE0000) for char in match[0]) for match in _TAGS.finditer(original))
    low = plain.lower()
    if "rot13" in low or "rot-13" in low:
        yield codecs.encode(plain, "rot13")
    if "&#" in plain and (entities := html.unescape(plain)) != plain:
        yield entities
    if plain.count("%") >= _MORE_THAN_A_WORD and (unquoted := unquote(plain)) != plain:
        yield unquoted
    if "backwards" in low or "reversed" in low or "reverse" in low or "倒着读" in low:
        yield plain[::-1]
    for pattern, read in ((_BASE64, _from_base64), (_HEX, _from_hex), (_BINARY, _from_binary), (_ESCAPES, _from_escapes)):
        made = pattern.sub(lambda match, read=read: read(match[0]) or match[0], plain)  # type: ignore[misc]
        if made != plain:
            yield made


def _readable(raw: bytes) -> str | None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    return text if len(text) >= 4 and all(char.isprintable() or char.isspace() for char in text) else None


def _from_base64(code: str) -> str | None:
    body = code.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return _readable(base64.b64decode(body + "=" * (-len(body) % 4)))
    except binascii.Error:
        return None


def _from_hex(code: str) -> str | None:
    return _readable(bytes(int(pair, 16) for pair in _HEX_PAIR.findall(code)))


def _from_binary(code: str) -> str | None:
    bits = code.replace(" ", "")
    return _readable(bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits) - 7, 8)))


def _from_escapes(code: str) -> str | None:
    characters = re.findall(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})", code)
    made = "".join(chr(int(wide or narrow, 16)) for wide, narrow in characters)
    return made if made.isprintable() else None
