"""How much a memory matters, from 0.1 (a courtesy) to 1.0 (forgetting it could hurt), by what it speaks of.

Low, .1 to .3: courtesies and passing states. Middle, .4 to .7: ordinary business, good for weeks. High, .8 to 1.0: who the
user is, what the user holds to, what would do harm if it were forgotten.
"""

from __future__ import annotations

from collections.abc import Callable

from memlite.rules.gate.courtesies import low_value
from memlite.rules.gate.errands import errand, for_weeks, leaning, of_the_talk, remark
from memlite.rules.gate.passing import date_only, transient
from memlite.rules.gate.reading import Reading, read
from memlite.rules.gate.relations import no_durable_relation
from memlite.rules.gate.stakes import creed, harm, identity, in_person, insistence, principle
from memlite.rules.gate.vagueness import vague


def _grave(r: Reading) -> bool:
    return harm(r) or principle(r)


def _of_a_moment(r: Reading) -> bool:
    return (transient(r) or date_only(r)) and not (_grave(r) or for_weeks(r))


def _only_a_remark(r: Reading) -> bool:
    return remark(r) and not _grave(r)


def _preference(r: Reading) -> bool:
    return insistence(r) and not errand(r)


def _standing_fact(r: Reading) -> bool:
    return in_person(r) and not (errand(r) or vague(r) or no_durable_relation(r))


def _says_little(r: Reading) -> bool:
    return vague(r) and not (errand(r) or leaning(r))


def _came_to_nothing(r: Reading) -> bool:
    return of_the_talk(r) and no_durable_relation(r) and not leaning(r)


LEVELS: tuple[tuple[float, Callable[[Reading], bool]], ...] = (
    (0.1, low_value),
    (0.2, _of_a_moment),
    (0.2, _only_a_remark),
    (1.0, harm),
    (0.9, creed),
    (0.9, principle),
    (0.8, identity),
    (0.8, _preference),
    (0.8, _standing_fact),
    (0.3, _says_little),
    (0.5, errand),
    (0.3, _came_to_nothing),
)
"""The first that holds decides."""

ORDINARY = 0.6
"""Where none holds: the business of a team, a project, a household."""


def importance(text: str) -> float:
    """From 0.1 to 1.0 in steps of 0.1; any text has a value, the same each time.

    >>> importance("User is allergic to peanuts and carries an adrenaline pen.")
    1.0
    >>> importance("The team moved the review of the export page to next week.")
    0.5
    >>> importance("User said good night.")
    0.1
    """
    reading = read(text)
    return next((value for value, holds in LEVELS if holds(reading)), ORDINARY)
