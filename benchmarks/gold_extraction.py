"""What the rules find in the gold dialogues: facts, violations, silence and solutions.

Facts pass the quality gate first, as they do on their way to the store. A fact counts as found when all words of one of its
wordings stand in a single extracted fact; a forbidden list is violated when all its words do. Solutions are matched by words of
the problem and words of the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from benchmarks.gold_sets import Figure, Record, share
from memlite.rules.extract import Extraction, Turn, extract
from memlite.rules.quality import judge

Extract = Callable[[list[Turn]], Extraction]
Judged = tuple[str, str, bool]

_SILENT, _UNTOUCHED, _VIOLATED, _FOUND, _SOLVED, _INVENTED = (
    "no fact where none is wanted",
    "nothing at all where nothing is wanted",
    "forbidden lists violated",
    "expected facts found",
    "solutions found",
    "dialogues with an invented solution",
)


def figures(records: Sequence[Record], *, extractor: Extract = extract) -> list[Figure]:
    """Silence where nothing is wanted, violations, facts and solutions.

    Args:
        records: dialogues as gold/README.md describes them.
        extractor: what reads the turns; the rules where nothing else is given.
    """
    judged = [one for record in records for one in _verdicts(record, extractor)]

    def of(name: str) -> list[tuple[str, bool]]:
        return [(id_, outcome) for what, id_, outcome in judged if what == name]

    return [
        share(_SILENT, of(_SILENT), least=0.95),
        share(_UNTOUCHED, of(_UNTOUCHED), least=0.95),
        share(_VIOLATED, of(_VIOLATED), wanted=False, most=0.03),
        share(_FOUND, of(_FOUND), least=0.45, target=0.70),
        share(_SOLVED, of(_SOLVED), least=0.40, target=0.70),
        share(_INVENTED, of(_INVENTED), wanted=False),
    ]


def _verdicts(record: Record, extractor: Extract) -> Iterator[Judged]:
    """(figure, id, outcome) of all that is asked of one dialogue."""
    read = extractor([Turn(turn["role"], turn["content"]) for turn in record["turns"]])
    texts = [fact.text for fact in read.facts if judge(fact.text).accept]
    wanted, id_ = record["expect_solution"], record["id"]
    if record["expect_empty"]:
        yield _SILENT, id_, not texts
        if not wanted:
            yield _UNTOUCHED, id_, not texts and not read.solutions
    for words in record["forbid"]:
        yield _VIOLATED, id_, _found([words], texts)
    for expected in record["expect"]:
        yield _FOUND, id_, _found(expected["any_of"], texts)
    if wanted:
        yield (
            _SOLVED,
            id_,
            any(
                _found(wanted["problem_any_of"], [made.problem]) and _found(wanted["solution_any_of"], [made.solution])
                for made in read.solutions
            ),
        )
    else:
        yield _INVENTED, id_, bool(read.solutions)


def _found(wordings: Iterable[Iterable[str]], texts: Sequence[str]) -> bool:
    """Whether all words of one of the wordings stand in a single text, whatever their case."""
    return any(all(word.lower() in text.lower() for word in words) for text in texts for words in wordings)
