"""What happens to a text before anything else sees it."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from memlite.errors import BadInput

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}  # fullwidth ASCII; NFKC would also make 10² of 102


def clean(text: object, *, what: str, max_bytes: int) -> str:
    """The text as it is stored: NFC, without NUL and C0 control characters other than tab and line ends, trimmed.

    Args:
        text: what the caller gave.
        what: its name in an error message.
        max_bytes: the cap on its UTF-8 size.

    Raises:
        BadInput: not a str, lone surrogates, nothing left, or over the cap.
    """
    if not isinstance(text, str):
        raise BadInput(f"{what} is {type(text).__name__}: give a str")
    if len(text) > max_bytes:  # each character takes a byte at least: no need to encode ten megabytes to refuse them
        raise BadInput(f"{what} has {len(text):,} characters, the cap is {max_bytes:,} bytes: shorten it or raise max_text_bytes")
    if not text.isprintable():
        text = _CONTROL.sub("", text)
    if not text.isascii():
        _refuse_surrogates(text, what)
        text = unicodedata.normalize("NFC", text)
    text = text.strip()
    if not text:
        raise BadInput(f"{what} is empty: give at least one visible character")
    size = len(text.encode())
    if size > max_bytes:
        raise BadInput(f"{what} has {size:,} bytes, the cap is {max_bytes:,}: shorten it or raise max_text_bytes")
    return text


def tidied(text: str) -> str:
    """NFC, without control characters other than tabs and line ends, trimmed: how `clean` leaves a text. May be empty."""
    return unicodedata.normalize("NFC", _CONTROL.sub("", text)).strip()


def name(value: object, *, what: str, max_chars: int = 512) -> str:
    """An identifier such as a user or session id: any visible text, unchanged.

    Raises:
        BadInput: not a str, empty, too long, or with NUL or lone surrogates.
    """
    if not isinstance(value, str):
        raise BadInput(f"{what} is {type(value).__name__}: give a str")
    if not value.strip():
        raise BadInput(f"{what} is empty: give a name")
    if len(value) > max_chars:
        raise BadInput(f"{what} has {len(value):,} characters, the cap is {max_chars}: give a shorter name")
    if "\x00" in value:
        raise BadInput(f"{what} has a NUL character: remove it")
    _refuse_surrogates(value, what)
    return value


def content_hash(text: str) -> bytes:
    """16 bytes that are equal for texts that differ only in letter case, width, spaces and the full stop at the end."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_NARROW)
    folded = " ".join(text.casefold().split())
    return hashlib.sha256((folded.rstrip(".。! ") or folded).encode()).digest()[:16]


def _refuse_surrogates(text: str, what: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"{what} has a lone surrogate at {error.start}: decode the text with errors='replace' first") from None
