"""Filters as callers write them, read into a small tree that storage turns into SQL and Python can evaluate.

    {"area": "main", "importance": {"gte": 0.5}, "OR": [{"topic": "travel"}, {"tags": "trip"}], "NOT": {"pinned": True}}

A key is a field of the memory or, otherwise, a key of its metadata (dots reach into nested objects; `metadata.x` always means
metadata). A plain value means `eq`, a list means `in`, `"*"` means `exists`. Conditions beside each other must all hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memlite.errors import BadInput, shown
from memlite.model import AREAS, GRANULARITIES, KINDS, ORIGINS, Record
from memlite.rules.times import to_ms

OPERATORS = ("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains", "exists")
MAX_LEAVES = 128
MAX_GROUPS = 512
MAX_DEPTH = 16
MAX_LIST = 1_000

Scalar = str | int | float | None

# field -> (attribute of Record, type)
FIELDS: Mapping[str, tuple[str, str]] = {
    "id": ("id", "text"),
    "memory": ("content", "text"),
    "content": ("content", "text"),
    "agent_id": ("agent_id", "text"),
    "session_id": ("session_id", "text"),
    "run_id": ("session_id", "text"),
    "seq": ("seq", "number"),
    "area": ("area", "text"),
    "kind": ("kind", "text"),
    "granularity": ("granularity", "text"),
    "role": ("role", "text"),
    "subject": ("subject", "text"),
    "importance": ("importance", "number"),
    "confidence": ("confidence", "number"),
    "origin": ("origin", "text"),
    "pinned": ("pinned", "flag"),
    "created_at": ("created_ms", "time"),
    "updated_at": ("updated_ms", "time"),
    "occurred_at": ("occurred_ms", "time"),
    "accessed_at": ("accessed_ms", "time"),
    "expires_at": ("expires_ms", "time"),
    "access_count": ("access_count", "number"),
}
_CHOICES = {"area": AREAS, "kind": KINDS, "granularity": GRANULARITIES, "origin": ORIGINS}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One condition. `column` is an attribute of Record, or None for the metadata key `key`."""

    key: str
    column: str | None
    op: str
    value: Scalar | bool | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`all` = every part holds, `any` = one at least, `none` = none does. An empty `any` holds for nothing."""

    how: str
    parts: tuple[Group | Leaf, ...]


def parse(filters: object, *, user_id: str) -> Group | None:
    """The tree, or None where there is nothing to filter.

    `user_id` is accepted at top level only and must be the scope's own.

    Raises:
        BadInput: an unknown operator, a value of the wrong type, another user's id, or too many conditions.
    """
    if filters is None:
        return None
    if not isinstance(filters, Mapping):
        raise BadInput(f"filters is {type(filters).__name__}: give a dict")
    rest = dict(filters)
    if "user_id" in rest and rest.pop("user_id") != user_id:
        raise BadInput("filters name another user than this call: set user_id of the call")
    budget = {"conditions": MAX_LEAVES, "groups": MAX_GROUPS}
    group = _group(rest, budget, 0)
    return group if group.parts else None


def holds(tree: Group | Leaf | None, record: Record) -> bool:
    """Whether a memory passes: the Python twin of the SQL that storage makes of the tree."""
    if tree is None:
        return True
    if isinstance(tree, Group):
        if tree.how == "all":
            return all(holds(part, record) for part in tree.parts)
        found = any(holds(part, record) for part in tree.parts)
        return found if tree.how == "any" else not found
    values = [getattr(record, tree.column)] if tree.column else [v for k, v in flatten(record.metadata) if k == tree.key]
    return _leaf_holds(tree, [value for value in values if value is not None])


def flatten(metadata: Mapping[str, Any]) -> Iterator[tuple[str, Scalar]]:
    """(key, scalar) pairs: nested keys joined by dots, one pair an element of an array; null gives none, booleans 0 and 1."""
    for key, value in metadata.items():
        yield from _flat(key, value)


def _flat(key: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(f"{key}.{name}", item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(key, item)
    elif isinstance(value, bool):
        yield key, int(value)
    elif value is not None:
        yield key, value + 0.0 if isinstance(value, float) else value  # zero without a sign, as SQLite gives it back


def _group(filters: Mapping[Any, Any], budget: dict[str, int], depth: int) -> Group:
    if depth > MAX_DEPTH:
        raise BadInput(f"filters are nested deeper than {MAX_DEPTH} levels: flatten them")
    parts: list[Group | Leaf] = []
    for key, value in filters.items():
        if not isinstance(key, str) or not key:
            raise BadInput(f"filter key {shown(key)}: give a non-empty str")
        if key in ("AND", "OR", "NOT"):
            parts.append(_logic(key, value, budget, depth + 1))
        elif key == "user_id":
            raise BadInput("user_id is accepted at the top level of filters only")
        else:
            parts.append(_field(key, value, budget))
    return Group("all", tuple(parts))


def _logic(key: str, value: Any, budget: dict[str, int], depth: int) -> Group:
    branches = [value] if isinstance(value, Mapping) else value
    if not isinstance(branches, Sequence) or isinstance(branches, str) or not all(isinstance(b, Mapping) for b in branches):
        raise BadInput(f"{key} holds {type(value).__name__}: give a list of filters")
    groups = []
    for branch in branches:
        _spend(budget, "groups")  # an empty group says nothing and costs all the same
        groups.append(_group(branch, budget, depth))
    return Group({"AND": "all", "OR": "any", "NOT": "none"}[key], tuple(groups))


def _spend(budget: dict[str, int], what: str) -> None:
    budget[what] -= 1
    if budget[what] < 0:
        raise BadInput(f"filters have more than {MAX_LEAVES} conditions or {MAX_GROUPS} groups: narrow them")


def _field(key: str, value: Any, budget: dict[str, int]) -> Group:
    if value == "*" and isinstance(value, str):
        value = {"exists": True}
    elif isinstance(value, (list, tuple, set, frozenset)):
        value = {"in": list(value)}
    elif not isinstance(value, Mapping):
        value = {"eq": value}
    if not value:
        raise BadInput(f"filter {shown(key)} has no operator: give one of {', '.join(OPERATORS)}")
    return Group("all", tuple(_leaf(key, op, operand, budget) for op, operand in value.items()))


def _leaf(key: str, op: str, operand: Any, budget: dict[str, int]) -> Leaf:
    _spend(budget, "conditions")
    if op not in OPERATORS:
        raise BadInput(f"filter operator {shown(op)} on {shown(key)} is unknown: give one of {', '.join(OPERATORS)}")
    column, kind = FIELDS.get(key, (None, "any"))
    if op == "exists":
        if not isinstance(operand, bool):
            raise BadInput(f"exists on {shown(key)} takes true or false, not {shown(operand)}")
        value: Any = operand
    elif op in ("in", "nin"):
        if isinstance(operand, (str, Mapping)) or not isinstance(operand, (list, tuple, set, frozenset)):
            raise BadInput(f"{op} on {shown(key)} takes a list, not {type(operand).__name__}")
        if len(operand) > MAX_LIST:
            raise BadInput(f"{op} on {shown(key)} has {len(operand)} values, the cap is {MAX_LIST}")
        value = tuple(_operand(key, kind, op, item) for item in operand)
    else:
        value = _operand(key, kind, op, operand)
    name = key.removeprefix("metadata.") if column is None else key
    return Leaf(_plain_text(name, "filter key"), column, op, value)


def _operand(key: str, kind: str, op: str, value: Any) -> Scalar:
    if op in ("contains", "icontains"):
        if not isinstance(value, str) or kind not in ("text", "any"):
            raise BadInput(f"{op} on {shown(key)} takes text, not {shown(value)}")
        return _plain_text(value, f"filter {shown(key)}")
    if value is None:
        if op not in ("eq", "ne"):
            raise BadInput(f"{op} on {shown(key)} takes a value, not None: use exists")
        return None
    if kind == "time":
        return to_ms(value, what=f"filter {shown(key)}")
    if isinstance(value, bool) and kind in ("flag", "any") and op in ("eq", "ne", "in", "nin"):
        return int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and kind in ("number", "any"):
        if abs(value) > 2**53 or value != value:
            raise BadInput(f"filter {shown(key)} compares with {shown(value)}: give a finite number below 2^53")
        return value
    if isinstance(value, str) and kind in ("text", "any"):
        if key in _CHOICES and value not in _CHOICES[key]:
            raise BadInput(f"{key} is {shown(value)}: give one of {', '.join(_CHOICES[key])}")
        return _plain_text(value, f"filter {shown(key)}")
    raise BadInput(f"filter {shown(key)} takes {'true or false' if kind == 'flag' else kind}, not {shown(value)}")


def _plain_text(value: str, what: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{what} has a lone surrogate: decode it with errors='replace' first") from None
    if "\x00" in value:
        raise BadInput(f"{what} has a NUL character: remove it")
    return value


def _leaf_holds(leaf: Leaf, values: list[Any]) -> bool:
    value = leaf.value
    if leaf.op == "exists":
        return bool(values) is value
    if leaf.op in ("ne", "nin"):
        return not _leaf_holds(Leaf(leaf.key, leaf.column, {"ne": "eq", "nin": "in"}[leaf.op], value), values)
    if leaf.op == "eq":
        return not values if value is None else any(_same(item, value) for item in values)
    if leaf.op == "in":
        assert isinstance(value, tuple)
        return any(_same(item, choice) for item in values for choice in value)
    if leaf.op == "contains":
        return any(isinstance(item, str) and str(value) in item for item in values)
    if leaf.op == "icontains":
        return any(isinstance(item, str) and str(value).casefold() in item.casefold() for item in values)
    return any(_compare(leaf.op, item, value) for item in values)


def _same(item: Any, value: Any) -> bool:
    return isinstance(item, str) == isinstance(value, str) and bool(item == value)


def _compare(op: str, item: Any, value: Any) -> bool:
    if isinstance(item, str) != isinstance(value, str):
        return False
    left, right = (item.encode(), value.encode()) if isinstance(item, str) else (item, value)
    return bool({"gt": left > right, "gte": left >= right, "lt": left < right, "lte": left <= right}[op])
