"""The prompts, each a file of two templates, and memory text inside them as data.

A file starts with a comment of `version:`, `contract:` and `invented:` lines, then come `# System` and `# Message`. Placeholders
are filled once: what was put in is never read as a template, so a memory that says `$turns` stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from memlite import resources
from memlite.errors import BadInput
from memlite.rules.grounding import mentions, names_and_numbers, ungrounded

PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "extract_fragments": frozenset({"turns"}),
    "extract_solutions": frozenset({"turns"}),
    "keywords": frozenset({"memory"}),
    "consolidate": frozenset({"new_memory", "stored_memories"}),
    "importance": frozenset({"memories", "count"}),
}
"""The prompts there are, and what the message of each must place."""

_HEADER = re.compile(r"\s*<!--\n(.*?)\n-->\n", re.DOTALL)
_FIELD = re.compile(r"^(version|contract|invented):[ \t]*(.*)$", re.MULTILINE)
_PARTS = re.compile(r"^# System[ \t]*\n(.*?)^# Message[ \t]*\n(.*)\Z", re.MULTILINE | re.DOTALL)
_EXAMPLES = re.compile(r"^## Examples[ \t]*\n(.*)\Z", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_TO_ESCAPE = re.compile("<|\\[(?=/?(?:INST|SYS)\\b)|[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One task for a chat model.

    Attributes:
        version: as its file gives it, such as "1".
        system: the instructions, the same for every call, so that servers can keep them read.
        message: template of what differs.
        invented: names and numbers that its examples make up; in an answer they show that the model copied an example.
        sha256: hex digest of the whole file.
    """

    name: str
    version: str
    system: str
    message: Template
    invented: tuple[str, ...]
    sha256: str

    @property
    def label(self) -> str:
        """What the audit calls it, such as `consolidate 1`."""
        return f"{self.name} {self.version}"

    def filled(self, **values: str) -> str:
        """The message with its placeholders filled, once: the values themselves are not looked into."""
        return self.message.substitute(values)

    def copied(self, text: str, sources: Iterable[str]) -> tuple[str, ...]:
        """What `text` took from the prompt's examples: their names and numbers that no source has."""
        found = mentions(text, self.invented)
        if not found:
            return ()
        shown = list(sources)
        told = set(mentions("\n".join(shown), found))
        return tuple(term for term in found if term not in told and (not term.isdecimal() or ungrounded(term, shown)))


class Prompts:
    """The five prompts, memlite's own or those of a folder.

    Args:
        folder: holds files such as `consolidate.md` that take the place of memlite's; the other prompts stay as they are.

    Raises:
        BadInput: the folder is missing or has no prompt, or a file has an unknown name, no version line, a missing part, or a
            placeholder too many or too few.
    """

    def __init__(self, folder: Path | None = None) -> None:
        own = {} if folder is None else _overrides(Path(folder))
        self._prompts = {
            name: _read(name, *own.get(name, (f"prompts/{name}.md", resources.text(f"prompts/{name}.md"))))
            for name in PLACEHOLDERS
        }

    def __getitem__(self, name: str) -> Prompt:
        return self._prompts[name]


def names_in(examples: str) -> tuple[str, ...]:
    """The names and numbers in the quoted texts of a prompt's examples, each once."""
    return tuple(dict.fromkeys(term for text in _QUOTED.findall(examples) for term in names_and_numbers(text)))


def quoted(value: Mapping[str, Any]) -> str:
    """A value as one line of JSON that nothing in its texts can end.

    Line ends and quotes are escaped by JSON itself; `<` and `[INST]` are too, because many servers take marks such as
    `<|im_end|>` for the end of a turn wherever they stand; and so are lone surrogates, which nothing can send.
    """
    line = json.dumps(value, ensure_ascii=False)
    return _TO_ESCAPE.sub(lambda mark: f"\\u{ord(mark[0]):04x}", line)


def _overrides(folder: Path) -> dict[str, tuple[str, str]]:
    if not folder.is_dir():
        raise BadInput(f"the prompts' folder {folder} is not there: make it, or leave the setting out")
    found = {}
    for path in sorted(folder.glob("*.md")):
        if path.stem not in PLACEHOLDERS:
            raise BadInput(f"{path} is no prompt of memlite: the names are {', '.join(f'{name}.md' for name in PLACEHOLDERS)}")
        try:
            found[path.stem] = (str(path), path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} can't be read as UTF-8 text: {type(error).__name__}") from error
    if not found:
        raise BadInput(f"the prompts' folder {folder} has none of {', '.join(f'{name}.md' for name in PLACEHOLDERS)}")
    return found


def _read(name: str, file: str, text: str) -> Prompt:
    text = text.replace("\r\n", "\n")
    header = _HEADER.match(text)
    fields = dict(_FIELD.findall(header[1])) if header else {}
    version = fields.get("version", "").strip()
    if not version:
        raise BadInput(f"{file} has no version: start it with a comment that holds a line such as `version: 1`")
    parts = _PARTS.search(text)
    if parts is None:
        raise BadInput(f"{file} lacks a `# System` part, or a `# Message` part after it")
    system, message = (Template(part.strip()) for part in parts.groups())
    _check_placeholders(file, "system", system, frozenset())
    _check_placeholders(file, "message", message, PLACEHOLDERS[name])
    instructions = system.substitute()
    examples = _EXAMPLES.search(instructions)
    listed = tuple(term.strip() for term in fields.get("invented", "").split(",") if term.strip())
    return Prompt(
        name=name,
        version=version,
        system=instructions,
        message=message,
        invented=listed or names_in(examples[1] if examples else ""),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
    )


def _check_placeholders(file: str, part: str, template: Template, wanted: frozenset[str]) -> None:
    if not template.is_valid():
        raise BadInput(f"{file}: the {part} part has a lone $: write $$ for a dollar sign")
    present = set(template.get_identifiers())
    if unknown := sorted(present - wanted):
        raise BadInput(f"{file}: the {part} part has the unknown placeholder ${unknown[0]}: write $$ for a dollar sign")
    if missing := sorted(wanted - present):
        raise BadInput(f"{file}: the {part} part lacks the placeholder ${missing[0]}")
