"""Reading what a chat model answered. Its JSON may be wrapped and untidy; its types must be exactly those asked for.

Prose is never data: an answer without a JSON object of the right shape is an error, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memlite.errors import ReplyError
from memlite.llm.lenient_json import NotJson, read_object

MAX_BYTES = 1_000_000
"""Size cap of an answer in UTF-8 bytes; no answer that was asked for comes near it."""

_MOST_PLACES = 64  # braces tried in one answer: prose has few, and each try may read all of the rest

_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_THINKING_START = re.compile(r"\s*<(?:think|thinking)>")
_THINKING_END = re.compile(r"</(?:think|thinking)>")


class Answer(BaseModel):
    """Base of what is asked for: no field more than named, no type but the one named (True is no 1, "1" is no 1)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def at_most(accepted: int, *, asked: int | None = None) -> Any:
    """A limit on a text's characters or a list's items.

    Args:
        accepted: an answer with more is refused.
        asked: what the schema says; None = nothing. Servers that build a grammar of the schema refuse lengths past about 2,000.
    """

    def tell(schema: dict[str, Any]) -> None:
        for key in ("maxLength", "maxItems"):
            if key in schema:
                del schema[key]
                schema |= {} if asked is None else {key: asked}

    return Field(max_length=accepted, json_schema_extra=tell)


A = TypeVar("A", bound=Answer)


def parse(text: str, model: type[A]) -> A:
    """The answer in a reply, which may stand in a code fence or after a sentence.

    Raises:
        ReplyError: over 1 MB, nothing of the right shape, or two different answers. The message quotes nothing of the reply.
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        raise ReplyError(f"the answer has {len(text):,} characters, over the cap of {MAX_BYTES:,} bytes")
    spoken = _without_thinking(text)
    why = "it has no JSON object"
    found: list[A] = []
    for outcome in _objects(spoken):
        if isinstance(outcome, NotJson):
            why = str(outcome)
            continue
        try:
            answer = model.model_validate(outcome)
        except ValidationError as error:
            why = _summary(error, model)
            continue
        if answer not in found:
            found.append(answer)
    if len(found) > 1:
        raise ReplyError(f"the answer holds {len(found)} different JSON objects of the kind asked for")
    if not found:
        raise ReplyError(f"the answer is not what was asked for: {why}")
    return found[0]


def schema_of(model: type[Answer]) -> dict[str, Any]:
    """The model's JSON schema as back ends take it: flat, nothing referred to, every field required, no titles or defaults."""
    schema = model.model_json_schema()
    plain: dict[str, Any] = _plain(schema, schema.pop("$defs", {}))
    return plain


def _plain(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {key: value for key, value in node.items() if key not in ("title", "default", "description")}
    plain = {key: _plain(value, definitions) for key, value in kept.items() if key != "properties"}
    if "properties" in kept:
        plain["properties"] = {name: _plain(value, definitions) for name, value in kept["properties"].items()}
        plain["required"] = list(kept["properties"])
    return plain


def _without_thinking(text: str) -> str:
    """The reply without the reasoning that some models put before it. Drafts in there are no answers."""
    opened = _THINKING_START.match(text) is not None
    if opened or not text.lstrip().startswith(("{", "```")):
        end = _THINKING_END.search(text)
        if end is not None:
            return text[end.end() :]
        if opened:
            return ""
    return text


def _objects(text: str) -> Iterator[dict[str, Any] | NotJson]:
    """The JSON objects of a reply, in order, and why a brace begins none. Where there are code fences, only what is in them."""
    stripped = text.lstrip()
    fenced = [] if stripped.startswith("{") else [match[1] for match in _FENCE.finditer(text)]
    for block in fenced or [text]:
        at, tried = block.find("{"), 0
        while at >= 0 and tried < _MOST_PLACES:
            tried += 1
            try:
                value, end = read_object(block, at)
            except NotJson as error:
                yield error
                end = at + 1
            else:
                yield value
            at = block.find("{", end)


def _summary(error: ValidationError, model: type[Answer]) -> str:
    """What is wrong with an object, in names of our own: an unknown field's name may be anything, memory text too."""
    known = _field_names(model.model_json_schema())
    parts = []
    for problem in error.errors(include_url=False, include_context=False, include_input=False)[:3]:
        place = ".".join(str(part) if isinstance(part, int) or part in known else "(unknown)" for part in problem["loc"])
        parts.append(f"{place or 'the object'}: {problem['type']}")
    return "; ".join(parts)


def _field_names(schema: dict[str, Any]) -> set[str]:
    nested = [schema, *schema.get("$defs", {}).values()]
    return {name for part in nested for name in part.get("properties", {})}
