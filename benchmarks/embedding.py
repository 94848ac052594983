"""How fast MiniLM makes vectors: by length of text, over the demo's conversation, and the first one of a fresh process."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from benchmarks.report import Cell, print_header, print_table, rounds
from memlite import resources
from memlite.embedding.onnx import OnnxEmbedder

THREADS = (1, 2)

_SHORT = "Which city do I live in now?"
_PARAGRAPH_WORDS, _LONG_WORDS = 70, 400  # a vector covers 256 tokens: less than 400 words

_FIRST = """
import json, sys, time
started = time.perf_counter()
from memlite.embedding.onnx import OnnxEmbedder
embedder = OnnxEmbedder.minilm(threads=int(sys.argv[1]))
imported = time.perf_counter()
embedder.encode([sys.argv[2]])
first = time.perf_counter()
embedder.encode([sys.argv[2] + " "])
second = time.perf_counter()
print(json.dumps([(imported - started) * 1e3, (first - imported) * 1e3, (second - first) * 1e3, time.process_time() * 1e3]))
"""


def main(argv: Sequence[str] = ()) -> int:
    """Prints three tables. There is no figure to hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks embedding", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    quick = parser.parse_args(argv).quick
    print_header("Embedding: all-MiniLM-L6-v2, int8 weights, one text a run")
    embedders = {threads: OnnxEmbedder.minilm(threads) for threads in THREADS}
    texts = [json.loads(line)["content"] for line in resources.text("demo/conversation.jsonl").splitlines()]
    _print_lengths(embedders, texts, reps=5 if quick else 30)
    _print_conversation(embedders, texts, outer=1 if quick else 5)
    _print_first(processes=3 if quick else 11)
    return 0


def _print_lengths(embedders: Mapping[int, OnnxEmbedder], texts: Sequence[str], *, reps: int) -> None:
    words = " ".join(text for text in texts if text.isascii()).split()
    samples = {"short": _SHORT, "paragraph": " ".join(words[:_PARAGRAPH_WORDS]), "long": " ".join(words[:_LONG_WORDS])}
    variants = {
        f"{name} {threads}": _encoding(embedder, [text])
        for name, text in samples.items()
        for threads, embedder in embedders.items()
    }
    timings = rounds(variants, reps=reps)
    rows: list[list[Cell]] = []
    for name, text in samples.items():
        found = [timings[f"{name} {threads}"] for threads in THREADS]
        rows.append([name, len(text), _tokens([text])[0], *(value for one in found for value in (one.cpu_ms, one.wall_ms))])
    columns = [f"{what} ms, {threads} thread{'s' * (threads > 1)}" for threads in THREADS for what in ("CPU", "wall")]
    print_table(
        ["text", "characters", "tokens", *columns],
        rows,
        title="One text",
        note="Medians. The long text has more than the 256 tokens a vector covers.",
    )


def _print_conversation(embedders: Mapping[int, OnnxEmbedder], texts: Sequence[str], *, outer: int) -> None:
    timings = rounds({str(threads): _encoding(one, texts) for threads, one in embedders.items()}, reps=1, outer=outer)
    covered = [text for text, one in zip(texts, embedders[1].encode(texts), strict=True) if one.vector is not None]
    tokens = sum(_tokens(covered))
    rows: list[list[Cell]] = [
        [name, *(count * 1e3 / ms for ms in (timing.cpu_ms, timing.wall_ms) for count in (len(covered), tokens))]
        for name, timing in timings.items()
    ]
    left = len(texts) - len(covered)
    print_table(
        ["threads", "texts per CPU s", "tokens per CPU s", "texts/s", "tokens/s"],
        rows,
        title=f"The demo's conversation: {len(covered)} English texts, {tokens:,} tokens",
        note=f"Medians. {left} more texts are Chinese, which the model does not cover: they are read and get no vector.",
    )


def _print_first(*, processes: int) -> None:
    runs: dict[int, list[list[float]]] = {threads: [] for threads in THREADS}
    for number in range(processes + 1):
        for threads in THREADS:
            command = [sys.executable, "-c", _FIRST, str(threads), _SHORT]
            started = time.perf_counter()
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            if number:  # the first round warms the disk cache
                runs[threads].append([*json.loads(done.stdout), (time.perf_counter() - started) * 1e3])
    rows: list[list[Cell]] = [
        [str(threads), *(statistics.median(run[place] for run in runs[threads]) for place in range(5))] for threads in THREADS
    ]
    print_table(
        ["threads", "import ms", "first vector ms", "second vector ms", "CPU ms in all", "whole process ms"],
        rows,
        title="The first vector of a fresh process",
        note=f"Wall time but for the CPU, medians of {processes} processes. The first vector loads onnxruntime and the model.",
    )


def _encoding(embedder: OnnxEmbedder, texts: Sequence[str]) -> Callable[[int], object]:
    """What `rounds` calls."""
    return lambda _: embedder.encode(texts)


def _tokens(texts: Sequence[str]) -> list[int]:
    """How many tokens of each text the model reads, its two marks included."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(OnnxEmbedder.minilm()._find().tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    return [len(encoding.ids) for encoding in tokenizer.encode_batch(list(texts))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
