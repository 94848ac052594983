"""The first search of a new process, and `import memlite`, as whole processes.

The bare script does what any program with the same parts has to do: the same imports, the model's session and tokenizer, one text
through it, the same pragmas, sqlite-vec and one KNN over the same vectors.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import data
from benchmarks.report import Cell, print_header, print_table, verdict
from memlite import Memory, Settings
from memlite.embedding.onnx import OnnxEmbedder

MOST_SEARCH = 1.3
MOST_IMPORT = 5.0
STORED = 1_000
QUESTION = "Which sensors does the greenhouse use?"

_MEMLITE = """
import sys
from memlite import Memory
with Memory(sys.argv[1]) as memory:
    print(len(memory.search(sys.argv[2])["results"]))
"""

_BARE = """
import os, sys
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
import numpy, onnxruntime, pysqlite3, sqlite_vec
from tokenizers import Tokenizer
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.enable_cpu_mem_arena = False
options.log_severity_level = 3
model = onnxruntime.InferenceSession(sys.argv[3], options, providers=["CPUExecutionProvider"])
tokenizer = Tokenizer.from_file(sys.argv[4])
tokenizer.no_padding()
tokenizer.enable_truncation(256)
tokens = tokenizer.encode(sys.argv[2])
row = numpy.array([tokens.ids])
values = {"input_ids": row, "attention_mask": numpy.ones_like(row), "token_type_ids": numpy.array([tokens.type_ids])}
vector = model.run(None, {node.name: values[node.name] for node in model.get_inputs()})[0].mean(axis=1)[0]
vector = (vector / numpy.linalg.norm(vector)).astype("float32")
connection = pysqlite3.connect(sys.argv[1], isolation_level=None)
connection.enable_load_extension(True)
sqlite_vec.load(connection)
connection.enable_load_extension(False)
for pragma in ("trusted_schema = off", "cell_size_check = on", "mmap_size = 0", "foreign_keys = on", "secure_delete = on",
               "synchronous = full", "cache_size = -65536", "temp_store = memory"):
    connection.execute("pragma " + pragma)
near = "select rowid from vec_1 where v match vec_quantize_binary(?) and scope = 1 and k = 10"
found = connection.execute(near, (vector.tobytes(),)).fetchall()
texts = [connection.execute("select content from memories where rid = ?", key).fetchone() for key in found]
print(len(texts))
connection.close()
"""


def main(argv: Sequence[str] = ()) -> int:
    """Prints two tables; 0 if both floors held."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cold", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs")
    parser.add_argument("--pairs", type=int, default=25, help="of whole processes, in turns")
    chosen = parser.parse_args(argv)
    pairs = 7 if chosen.quick else chosen.pairs
    print_header(f"Cold start: medians of {pairs} pairs of processes")
    files = OnnxEmbedder.minilm()._find()
    path = _stored()
    commands = {
        "memlite: open, search": ["-c", _MEMLITE, str(path), QUESTION],
        "bare script": ["-c", _BARE, str(path), QUESTION, str(files.model), str(files.tokenizer)],
    }
    searched = _print_pairs(f"First search in a file of {STORED:,} memories", commands, pairs, MOST_SEARCH)
    commands = {"import memlite": ["-c", "import memlite"], "pass": ["-c", "pass"]}
    return 0 if _print_pairs("Import", commands, pairs, MOST_IMPORT) and searched else 1


def _stored() -> Path:
    """A file with real vectors, in the cache folder."""
    path = data.CACHE / "cold.work.db"
    data.CACHE.mkdir(exist_ok=True)
    for old in data.CACHE.glob(f"{path.name}*"):
        old.unlink()
    texts = data.texts(STORED, 0, 1).stored
    with Memory(path, settings=Settings(durability="normal")) as memory:
        memory.add(texts, infer=False)
    return path


@dataclass(frozen=True, slots=True)
class _Run:
    """Milliseconds of one process."""

    cpu: float
    wall: float


def _print_pairs(title: str, commands: Mapping[str, Sequence[str]], pairs: int, most: float) -> bool:
    """The first command's times against the second's; whether the ratio of CPU holds."""
    runs: dict[str, list[_Run]] = {name: [] for name in commands}
    for number in range(pairs + 1):
        for name, command in commands.items():
            run = _run(command)
            if number:  # the first pair warms the disk cache
                runs[name].append(run)
    (ours_name, ours), (bare_name, bare) = runs.items()
    cpu = statistics.median(a.cpu / b.cpu for a, b in zip(ours, bare, strict=True))
    wall = statistics.median(a.wall / b.wall for a, b in zip(ours, bare, strict=True))
    rows: list[tuple[Cell, ...]] = [
        (name, statistics.median(run.cpu for run in runs[name]), statistics.median(run.wall for run in runs[name]))
        for name in (ours_name, bare_name)
    ]
    rows.append(("ratio, median of the pairs'", cpu, wall))
    said = f"CPU {verdict(cpu, most=most)}, wall {verdict(wall, most=most)}"
    print_table(("process", "CPU ms", "wall ms"), rows, title=title, note=said)
    return cpu <= most


def _run(arguments: Sequence[str]) -> _Run:
    """Runs Python with these arguments to its end."""
    started = time.perf_counter()
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed code comes compiled
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = (time.perf_counter() - started) * 1e3
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"a process ended with {process.returncode}: run it by hand: python {' '.join(arguments[:1])} …")
    return _Run((usage.ru_utime + usage.ru_stime) * 1e3, wall)
