"""The talks the extraction is tried on, read from the case files beside the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memlite.rules.extract import Turn


@dataclass(slots=True)
class Talk:
    """A dialogue, what must be found in it and what must not.

    Attributes:
        wanted: per fact its wordings, each a list of words that must stand together.
        refused: lists of words that must not stand together in a fact.
        solution: words of the problem and of the solution, any of each; None where there is none.
    """

    title: str
    turns: list[Turn] = field(default_factory=list)
    wanted: list[list[list[str]]] = field(default_factory=list)
    refused: list[list[str]] = field(default_factory=list)
    solution: tuple[list[str], list[str]] | None = None


def talks(name: str) -> list[Talk]:
    """The talks of a case file: a title in brackets, then lines that begin with U, A, +, -, S or X."""
    found: list[Talk] = []
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found.append(Talk(line.strip("[]")))
            continue
        mark, _, rest = line.partition(" ")
        match mark:
            case "U:" | "A:":
                found[-1].turns.append(Turn("user" if mark == "U:" else "assistant", rest))
            case "+":
                found[-1].wanted.append([wording.split(" & ") for wording in rest.split(" | ")])
            case "-":
                found[-1].refused.append(rest.split(" & "))
            case "S":
                problem, solution = rest.split(" & ")
                found[-1].solution = (problem.split(" | "), solution.split(" | "))
            case "X" | "" | "#":
                pass
            case _:
                raise ValueError(f"{name}: no such line: {line}")
    return found


def has(text: str, words: list[str]) -> bool:
    """Whether all words stand in a text, whatever their case."""
    return all(word.lower() in text.lower() for word in words)
