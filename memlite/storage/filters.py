"""Filters as SQL: each operator is one of the fragments below, each value a bound parameter."""

from __future__ import annotations

import json
from typing import Any

from memlite.rules.filters import Group, Leaf

_JOIN = {"all": " and ", "any": " or ", "none": " or "}
_COMPARE = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


def compiled(tree: Group | None) -> tuple[str, dict[str, Any]]:
    """(` and (…)` over a memory `m`, its parameters); ("", {}) for no filter.

    Every fragment is true or false, never NULL, so that NOT means what it says.
    """
    if tree is None:
        return "", {}
    params: dict[str, Any] = {}
    return f" and {_group(tree, params)}", params


def _group(group: Group, params: dict[str, Any]) -> str:
    parts = [_group(part, params) if isinstance(part, Group) else _leaf(part, params) for part in group.parts]
    if not parts:
        return "0" if group.how == "any" else "1"
    joined = "(" + _JOIN[group.how].join(parts) + ")"
    return f"(not {joined})" if group.how == "none" else joined


def _leaf(leaf: Leaf, params: dict[str, Any]) -> str:
    op = {"ne": "eq", "nin": "in"}.get(leaf.op, leaf.op)
    sql = _column(leaf, op, params) if leaf.column else _metadata(leaf, op, params)
    return f"(not {sql})" if op != leaf.op or (op == "exists" and leaf.value is False) else sql


def _column(leaf: Leaf, op: str, params: dict[str, Any]) -> str:
    column = f"m.{leaf.column}"
    if op == "exists":
        return f"({column} is not null)"
    if op == "eq":
        return f"({column} is {_bind(leaf.value, params)})"
    return f"({column} is not null and {_test(column, op, leaf.value, params)})"


def _metadata(leaf: Leaf, op: str, params: dict[str, Any]) -> str:
    key = _bind(leaf.key, params)
    rows = f"select k.rid from meta_kv k where k.scope = :scope and k.key = {key}"  # noqa: S608 - a parameter's name, made here
    if op == "exists":
        return f"(m.rid in ({rows}))"
    if op == "eq" and leaf.value is None:
        return f"(m.rid not in ({rows}))"
    test = f"k.value = {_bind(leaf.value, params)}" if op == "eq" else _test("k.value", op, leaf.value, params)
    return f"(m.rid in ({rows} and {test}))"


def _test(value: str, op: str, operand: Any, params: dict[str, Any]) -> str:
    if op == "in":
        return f"{value} in (select value from json_each({_bind(json.dumps(operand), params)}))"  # noqa: S608 - as above
    bound = _bind(operand, params)
    if op == "contains":
        return f"(typeof({value}) = 'text' and instr({value}, {bound}) > 0)"
    if op == "icontains":
        return f"(typeof({value}) = 'text' and instr(fold({value}), fold({bound})) > 0)"
    same_type = f"typeof({value}) = 'text'" if isinstance(operand, str) else f"typeof({value}) <> 'text'"
    return f"({same_type} and {value} {_COMPARE[op]} {bound})"


def _bind(value: Any, params: dict[str, Any]) -> str:
    name = f"f{len(params)}"
    params[name] = value
    return f":{name}"
