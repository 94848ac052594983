"""How much text fits into a model's context, and whether the server read all of it."""

from __future__ import annotations

import re

from memlite.errors import BadInput, ReplyError, shown

INSTRUCTION_TOKENS = 2_048
"""Room kept for a prompt's instructions; memlite's longest take some 1,300."""

_WORD = re.compile(r"[A-Za-z]+|\d+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


def message_chars(num_ctx: int, num_predict: int) -> int:
    """How many characters a message may have: one a token, as Chinese takes; English needs a quarter of that."""
    return num_ctx - num_predict - INSTRUCTION_TOKENS


def fewest_tokens(text: str) -> int:
    """No tokenizer makes fewer of an ordinary text: nine of ten words are one or more, three Chinese characters one or more.

    >>> fewest_tokens("The user moved to Lisbon with 2 cats.")
    7
    """
    return len(_WORD.findall(text)) * 9 // 10 + len(_CJK.findall(text)) // 3


def check_read(message: str, read: int | None, written: int | None, num_ctx: int) -> None:
    """Raises ReplyError where the server can't have read the whole message. Servers cut a long prompt without a word.

    The instructions are not counted: from 0.30 on Ollama left out of its count what it had read before (issue 16414, mended
    later), and instructions are the part that it has.

    Args:
        message: what was sent beside the instructions.
        read: tokens of the prompt the server counted; None where it does not say.
        written: tokens of its answer.
        num_ctx: the model's context in tokens.
    """
    if read is None:
        return
    if read < fewest_tokens(message):
        raise ReplyError(f"the server read {read:,} tokens of a message of at least {fewest_tokens(message):,}: raise num_ctx")
    if read + (written or 0) >= num_ctx:
        raise ReplyError(f"prompt and answer fill the context of {num_ctx:,} tokens, so part was dropped: raise num_ctx")


def check_settings(model: object, num_ctx: int, num_predict: int, timeout_s: object) -> None:
    """Raises BadInput for a model without a name, and for sizes that leave no room for a message."""
    if not isinstance(model, str) or not model.strip():
        raise BadInput(f"model is {shown(model)}: give the name of a model, such as 'qwen2.5:7b'")
    _tokens("num_ctx", num_ctx)
    _tokens("num_predict", num_predict)
    if message_chars(num_ctx, num_predict) < 1_000:
        raise BadInput(
            f"num_ctx is {num_ctx:,} and num_predict {num_predict:,}: beside the instructions' {INSTRUCTION_TOKENS:,} tokens "
            f"at least 1,000 must be left for a message; raise num_ctx"
        )
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, (int, float)) or not 0 < timeout_s <= 3_600:
        raise BadInput(f"timeout_s is {shown(timeout_s)}: give seconds, more than 0 and at most 3,600")


def _tokens(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 16 <= value <= 10_000_000:
        raise BadInput(f"{name} is {shown(value)}: give a number of tokens from 16 to 10,000,000")


def check_message(name: str, message: str, max_chars: int) -> None:
    """Raises ReplyError where a message does not fit: the server would cut it and answer from a part."""
    if len(message) > max_chars:
        raise ReplyError(f"a message of {len(message):,} characters was not sent: {name} takes {max_chars:,}, raise num_ctx")
