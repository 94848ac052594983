"""How the three parts of a score are weighed."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from memlite.errors import BadInput, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """score = relevance_weight × relevance + recency_weight × exp(−decay × age_hours) + importance_weight × importance.

    The form is that of Generative Agents (Park et al., 2023, section 4.1).

    Attributes:
        relevance, recency, importance: the weights; they sum to 1.
        form: what relevance is. "dense" = (1 + cosine) / 2 of every memory; "fused" = for what is among the best 50 of the vector
            leg or of the full-text leg, its cosine and its bm25, each as a share of the best one's, summed by `dense_share`; 0
            for the rest.
        dense_share: share of the vector leg in the fused relevance, in [0, 1]; 0 = full text only.
        decay_per_hour: rate of forgetting for each kind of memory, per hour.
        age: whether age counts from the last recall or from when the memory's content happened.
        rescaled: each of the three parts is scaled to [0, 1] over the user's memories before it is weighed.
    """

    name: str
    relevance: float
    recency: float
    importance: float
    form: Literal["dense", "fused"]
    dense_share: float
    decay_per_hour: Mapping[str, float]
    age: Literal["accessed", "occurred"]
    rescaled: bool = False


def _half_life(days: float) -> float:
    return math.log(2) / (days * 24)


_BALANCED_DECAY = {"episodic": _half_life(90), "semantic": _half_life(365), "procedural": _half_life(365)}

PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        # Recency and importance break near-ties: together they cost at most .01 recall@10 on LoCoMo (benchmarks/retrieval.py).
        Preset(
            name="balanced",
            relevance=0.94,
            recency=0.03,
            importance=0.03,
            form="fused",
            dense_share=0.5,
            decay_per_hour=_BALANCED_DECAY,
            age="occurred",
        ),
        Preset(
            name="relevance_only",
            relevance=1.0,
            recency=0.0,
            importance=0.0,
            form="fused",
            dense_share=0.5,
            decay_per_hour=_BALANCED_DECAY,
            age="occurred",
        ),
        # The weights of the mission's text: α = .5, β = .2, γ = .3, λ = .01 per hour since the last access.
        Preset(
            name="mission",
            relevance=0.5,
            recency=0.2,
            importance=0.3,
            form="dense",
            dense_share=1.0,
            decay_per_hour=dict.fromkeys(("episodic", "semantic", "procedural"), 0.01),
            age="accessed",
        ),
        # Park et al.: equal weights, .995 per hour since the last access, each part min-max scaled.
        Preset(
            name="generative_agents",
            relevance=1 / 3,
            recency=1 / 3,
            importance=1 / 3,
            form="dense",
            dense_share=1.0,
            decay_per_hour=dict.fromkeys(("episodic", "semantic", "procedural"), -math.log(0.995)),
            age="accessed",
            rescaled=True,
        ),
        # Full text only: works without a model and in a file whose vectors another model made.
        Preset(
            name="lexical",
            relevance=1.0,
            recency=0.0,
            importance=0.0,
            form="fused",
            dense_share=0.0,
            decay_per_hour=_BALANCED_DECAY,
            age="occurred",
        ),
    )
}

_HEAVIEST = sys.float_info.max
_WEIGHT_NAMES = ("relevance", "recency", "importance", "dense")


def choose(name: object, weights: object = None) -> Preset:
    """The preset of that name, with some of its weights replaced.

    Args:
        name: balanced, relevance_only, mission, generative_agents or lexical.
        weights: any of `relevance`, `recency`, `importance` (numbers ≥ 0, scaled to sum to 1; a missing one keeps the preset's)
            and `dense` (share of the vector leg in a fused relevance, in [0, 1]).

    Raises:
        BadInput: an unknown preset or weight, a weight that is negative or not finite, or three weights of 0.
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise BadInput(f"preset is {shown(name)}: give one of {', '.join(PRESETS)}")
    preset = PRESETS[name]
    if weights is None:
        return preset
    if not isinstance(weights, Mapping):
        raise BadInput(f"weights is {type(weights).__name__}: give a dict with any of {', '.join(_WEIGHT_NAMES)}")
    for key, value in weights.items():
        if key not in _WEIGHT_NAMES:
            raise BadInput(f"weight {shown(key)} is unknown: give any of {', '.join(_WEIGHT_NAMES)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf or value > _HEAVIEST:
            raise BadInput(f"weight {key} is {shown(value)}: give a number from 0 to {_HEAVIEST:.0e}")
    dense_share = float(weights.get("dense", preset.dense_share))
    if dense_share > 1:
        raise BadInput(f"weight dense is {dense_share}: it is a share, give a number from 0 to 1")
    three = [float(weights.get(part, getattr(preset, part))) for part in ("relevance", "recency", "importance")]
    heaviest = max(three)
    if heaviest == 0:
        raise BadInput("all three weights are 0: give at least one above 0")
    total = sum(weight / heaviest for weight in three)  # scaled first, so that the sum can't overflow
    relevance, recency, importance = (weight / heaviest / total for weight in three)
    return replace(preset, relevance=relevance, recency=recency, importance=importance, dense_share=dense_share)
