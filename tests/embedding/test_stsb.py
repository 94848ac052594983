"""MiniLM ranks sentence pairs as people do: STS-B dev, which does not travel with memlite."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memlite.embedding.onnx import OnnxEmbedder

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PAIRS = Path(os.environ.get("MEMLITE_DATA", SHARED)) / "stsb" / "sts-dev.csv"

Numbers = NDArray[np.float64]


def ranks(values: Numbers) -> Numbers:
    """1 for the smallest; equal values share the mean of their ranks."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    mean: Numbers = last - (sizes - 1) / 2
    return mean[group]


def spearman(first: Numbers, second: Numbers) -> float:
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def test_ranks_share_ties() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_spearman_sees_order_only() -> None:
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 10.0, 1000.0])) == pytest.approx(1)
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(-1)
    assert spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0])) == pytest.approx(0.6)


def test_minilm_agrees_with_people() -> None:
    if not PAIRS.is_file():
        pytest.skip("the STS-B data is absent: set MEMLITE_DATA to the folder that holds stsb/sts-dev.csv")
    rows = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 1500
    embedder = OnnxEmbedder.minilm()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = list(pool.map(lambda row: embedder.encode(row[5:7]), rows))
    cosines = [float(a.vector @ b.vector) for a, b in pairs if a.vector is not None and b.vector is not None]
    assert len(cosines) == 1500
    people = np.array([float(row[4]) for row in rows])
    assert spearman(np.array(cosines), people) == pytest.approx(0.867, abs=0.001)
