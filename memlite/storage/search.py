"""Recall: chooses how to look, puts the one scoring statement together and reads its answer."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any

from memlite.model import Hit, Parts
from memlite.ports import RecallQuery
from memlite.rules.score import NOISE, recency, shares
from memlite.rules.terms import match_expression
from memlite.storage.bits import Bits
from memlite.storage.connection import Session
from memlite.storage.filters import compiled
from memlite.storage.queries import load, sql
from memlite.storage.rows import space_key, to_record

SMALL_SCOPE = 2_000
"""Up to so many memories a scan is as fast as any index, and exact by construction."""

SMALL_POOL = 10_000
"""Up to so many memories left by a filter a scan of just these beats looking for them among all."""

LEG = 50
"""How many of each leg's best take part in a fused relevance; more changed recall@10 by .002 on LoCoMo."""

DENSE_FORM_LEG = 200
"""How many of the nearest are scored where every memory has a relevance."""

DENSE_FORM_FIXED = 300
"""How many of the best by recency and importance are: with the nearest they hold 999 of 1,000 of the mission's ten best at
100,000 memories."""

NEAR_OF_FILTERED = 4_096
"""So many of the nearest are looked at where a filter will take some away."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one search is done."""

    pieces: tuple[str, ...]
    exact: bool
    near: bool


class Searcher:
    """Searches through one session. Keeps what it learnt of each user until the file changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stamp: tuple[int, int] = (-1, -1)
        self._counts: dict[int, int] = {}
        self._few: dict[int, int] = {}
        self._bits: dict[tuple[int, int], Bits] = {}

    def recall(self, user_id: str, scope: dict[str, int], space: int | None, query: RecallQuery) -> tuple[list[Hit], bool]:
        """(the best memories, best first; whether the ranking is exact by construction)."""
        self._forget_if_changed()
        filter_sql, filter_params = compiled(query.filters)
        values: dict[str, Any] = {**scope, **filter_params, **_weights(query), "space_key": space_key(space or 0)}
        picked = self._pick(query, filter_sql, values)
        if picked == 0:
            return [], True
        plan = self._plan(query, scope, space, picked)
        filter_sql = "" if plan.exact else filter_sql
        rows = self._best(plan, query, space, filter_sql, values) if plan.near else self._run(plan, query, filter_sql, values)
        if rows is None:  # the signs misled: too few of the nearest were among the candidates
            return self.recall(user_id, scope, space, replace(query, exact=True))
        covered = self._coverage(query.terms, [row["rid"] for row in rows], scope)
        return [_hit(row, user_id, query, covered[row["rid"]]) for row in rows], plan.exact

    def _pick(self, query: RecallQuery, filter_sql: str, values: dict[str, Any]) -> int | None:
        """How many memories the filter leaves, noted in `picked`; None where nothing is filtered, or too much is left."""
        if not filter_sql and query.status == "active":
            return None
        scanned = query.exact or query.status != "active" or query.preset.rescaled
        most = _MOST_KEYS if scanned else SMALL_POOL
        self._session.run(_piece("unpick"))
        params = {**values, "status": query.status, "most": most}
        count = self._session.run(_piece("pick").replace("@filter@", filter_sql), params)
        return None if count > most else count

    def _plan(self, query: RecallQuery, scope: dict[str, int], space: int | None, picked: int | None) -> Plan:
        """Which parts the statement is made of."""
        fused = query.preset.form == "fused"
        dense_share, lexical_share = shares(query.preset, dense=query.vector is not None, lexical=bool(query.terms))
        small = picked is not None or query.exact or query.preset.rescaled or self._is_small(scope["scope"])
        unfiltered = picked is None and query.filters is None
        where = "pool" if small else "scope" if unfiltered else "filtered"
        dense = (
            "none"
            if query.vector is None or not dense_share or space is None
            else {"pool": "pool", "scope": "near", "filtered": "near_filtered"}[where]
        )
        if small and not fused:
            dense = "none"  # every row of the pool is scored anyway
        words = lexical_share > 0 if fused else small or not self._all_near(query, scope, space)
        lexical = ("scope" if unfiltered else where) if query.terms and words else "none"
        fixed = "pool" if small else "walk"
        if (small and not fused) or (fused and query.preset.recency == query.preset.importance == 0):
            fixed = "none"
        pieces = ["hidden"]
        if small:
            pieces.append("pool_scope" if picked is None else "pool_picked")
        pieces += [f"dense_{dense}", f"lexical_{lexical}", f"fixed_{fixed}", "spans"]
        pieces += ["rel_fused"] if fused else ["candidates_pool" if small else "candidates", "rel_dense"]
        pieces += ["parts", "rescaled" if query.preset.rescaled else "plain", "final"]
        return Plan(tuple(pieces), exact=small, near=dense.startswith("near"))

    def _best(
        self, plan: Plan, query: RecallQuery, space: int | None, filter_sql: str, values: dict[str, Any]
    ) -> list[dict[str, Any]] | None:
        """The answer by way of the sign bits; None where even a wider look finds too few of the nearest."""
        bits = self._bits_of(values["scope"], space or 0, len(query.vector or b"") // 4)
        fused = query.preset.form == "fused"
        count = candidates_for(len(bits), values["dense_k"], fused=fused) if query.filters is None else NEAR_OF_FILTERED
        for wished in (count, _WIDER * count):
            values["near"] = json.dumps(bits.near(query.vector or b"", wished))
            rows = self._run(plan, query, filter_sql, values)
            found = rows[0]["dense_found"] if rows else 0
            if found >= min(values["dense_k"], LEG) or wished >= len(bits):
                return rows
        return None

    def _run(self, plan: Plan, query: RecallQuery, filter_sql: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        text = assembled(plan.pieces, age=query.preset.age, cosine=query.vector is not None, filter_sql=filter_sql)
        return self._session.records(text, values)

    def _bits_of(self, scope: int, space: int, dimension: int) -> Bits:
        """The user's sign vectors."""
        if (scope, space) not in self._bits:
            if sum(len(bits) for bits in self._bits.values()) > _MOST_KEPT:
                self._bits.clear()
            self._bits[scope, space] = Bits(self._session, scope, space, dimension)
        return self._bits[scope, space]

    def _all_near(self, query: RecallQuery, scope: dict[str, int], space: int | None) -> bool:
        """Whether each of the user's memories has a cosine with the query: then words change no relevance of the dense form."""
        if query.vector is None or space is None:
            return False
        return len(self._bits_of(scope["scope"], space, len(query.vector) // 4)) == self.count(scope)

    def _is_small(self, scope: int) -> bool:
        """Whether the user has so few active memories that a scan is as fast as any index."""
        if scope not in self._few:
            self._few[scope] = int(self._session.value(sql("count_few"), {"scope": scope, "most": SMALL_SCOPE + 1}))
        return self._few[scope] <= SMALL_SCOPE

    def count(self, scope: dict[str, int]) -> int:
        """How many active memories the user has."""
        number = scope["scope"]
        if number not in self._counts:
            self._counts[number] = int(self._session.value(sql("count_scope"), {"scope": number}))
        return self._counts[number]

    def _forget_if_changed(self) -> None:
        stamp = (int(self._session.value("pragma data_version")), self._session.writes)
        if stamp != self._stamp:
            self._stamp, self._counts, self._few, self._bits = stamp, {}, {}, {}

    def _coverage(self, terms: tuple[str, ...], rids: list[int], scope: dict[str, int]) -> dict[int, float]:
        """For each memory: the share of the query's idf mass that stands in its text, in [0, 1]."""
        covered = dict.fromkeys(rids, 0.0)
        if not terms or not rids:
            return covered
        quoted = json.dumps([match_expression([term]) for term in terms])
        counts = self._session.rows(sql("term_counts"), {**scope, "terms": quoted})
        total = self.count(scope)
        idf = {place: math.log(1 + (max(0, total - found) + 0.5) / (found + 0.5)) for place, found in counts}
        mass = sum(idf.values())
        self._session.run(sql("clear_hits"))
        self._session.run(sql("index_hits"), {"rids": json.dumps(rids)})
        for rid, place in self._session.rows(sql("term_hits"), {"terms": quoted}):
            covered[rid] += idf[place] / mass
        return {rid: min(1.0, share) for rid, share in covered.items()}


_WIDER = 8
_MOST_KEPT = 1_000_000
"""Past so many vectors kept of several users, all are forgotten: about 60 MB."""
_MOST_KEYS = 2**40


def candidates_for(count: int, dense_k: int, *, fused: bool) -> int:
    """How many of a user's `count` vectors the sign bits should let through to the exact cosine, for the `dense_k` best by it.

    Fewer where nearness does not decide alone: the mission's ten best are the same ones with 250 and with 1,000.
    """
    least = 1_000 if fused else 400
    return max(least, 2 * dense_k, min(NEAR_OF_FILTERED, least * count // 100_000))


def assembled(pieces: tuple[str, ...], *, age: str, cosine: bool, filter_sql: str) -> str:
    """The statement made of these parts of `recall.sql`. Everything put in is a constant or a compiled filter."""
    heads, final = pieces[:-1], _piece(pieces[-1])
    scored, _, select = final.partition(")\nselect ")
    text = "with recursive " + ",\n".join([*(_piece(name) for name in heads), f"{scored})"]) + "\nselect " + select
    for marker, value in (
        ("@static@", _piece("static")),
        ("@decay@", _piece("decay")),
        ("@cosine@", "iif(e.v is null, null, 1 - vec_distance_cosine(e.v, :q))" if cosine else "null"),
        ("@age_index@", age),
        ("@age@", f"{age}_ms"),
        ("@filter@", filter_sql),
    ):
        text = text.replace(marker, value)
    return text


def _piece(name: str) -> str:
    return load("recall.sql")[name]


def _weights(query: RecallQuery) -> dict[str, Any]:
    preset = query.preset
    fused = preset.form == "fused"
    dense_share, lexical_share = shares(preset, dense=query.vector is not None, lexical=bool(query.terms))
    legs = max(LEG, query.limit)
    return {
        "q": query.vector,
        "match": match_expression(list(query.terms)),
        "now_ms": query.now_ms,
        "alpha": preset.relevance,
        "beta": preset.recency,
        "gamma": preset.importance,
        "dense_share": dense_share,
        "lexical_share": lexical_share,
        "legs": legs,
        "noise": NOISE,
        "dense_k": legs if fused else max(DENSE_FORM_LEG, 4 * query.limit),
        "fixed": query.limit if fused else max(DENSE_FORM_FIXED, 4 * query.limit),
        "limit": query.limit,
        **{f"decay_{kind}": rate for kind, rate in preset.decay_per_hour.items()},
    }


def _hit(row: dict[str, Any], user_id: str, query: RecallQuery, coverage: float) -> Hit:
    preset = query.preset
    cosine = row["cosine"]
    rate = preset.decay_per_hour[row["kind"]] if row["decay_per_hour"] is None else row["decay_per_hour"]
    age_ms = query.now_ms - row[f"{preset.age}_ms"]
    detail = None
    if query.explain:
        detail = {
            "preset": preset.name,
            "weights": {"relevance": preset.relevance, "recency": preset.recency, "importance": preset.importance},
            "form": preset.form,
            "cosine": cosine,
            "bm25": row["bm25"],
            "dense_part": row["dense_part"],
            "lexical_part": row["lexical_part"],
            "relevance_used": row["relevance"],
            "recency_used": row["recency"],
            "importance_used": row["importance_part"],
            "importance_level": row["importance_level"],
            "decay_per_hour": rate,
            "age_hours": max(0, age_ms) / 3_600_000,
            "age_since": preset.age,
            "terms": list(query.terms),
        }
    return Hit(
        record=to_record(row, user_id),
        score=min(1.0, row["score"]),  # the weights sum to 1 up to rounding
        relevance=None if cosine is None else min(1.0, max(0.0, (1 + cosine) / 2)),
        coverage=coverage,
        recency=recency(age_ms, rate),
        parts=Parts(
            relevance=preset.relevance * row["relevance"],
            recency=preset.recency * row["recency"],
            importance=preset.importance * row["importance_part"],
        ),
        truncated=bool(row["truncated"]),
        detail=detail,
    )
