"""`python -m benchmarks NAME [--quick] [options of that benchmark]`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

BENCHMARKS = {
    "recall": "search at 1k, 10k and 100k memories against a numpy scan",
    "write": "insert, update and merge against the same statements run bare",
    "size": "bytes of the file by users and memories",
    "cold": "the first search of a process, and `import memlite`",
    "embedding": "texts a second through the sentence model",
    "decisions": "hostile decisions about new memories: what they broke (nothing)",
    "retrieval": "LoCoMo and MemoryBank questions (needs --data or MEMLITE_DATA)",
    "saving": "what a fact costs to save beside its embedding",
    "gold": "quality gate, extraction, importance and security on the gold sets (needs --gold or MEMLITE_GOLD)",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one benchmark or all of them; 0 if every figure held."""
    listing = "\n".join(f"  {name:10} {what}" for name, what in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"benchmarks:\n{listing}",
        epilog="Further options go to the benchmark: `python -m benchmarks recall --help`.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("name", nargs="?", default="all", choices=[*BENCHMARKS, "all"])
    chosen, rest = parser.parse_known_args(argv)
    if chosen.name == "all":
        if "--help" in rest or "-h" in rest:
            parser.print_help()
            return 0
        return max(_run(name, rest) for name in BENCHMARKS)
    return _run(chosen.name, rest)


def _run(name: str, argv: Sequence[str]) -> int:
    module = importlib.import_module(f"benchmarks.{name}")
    return int(module.main(list(argv)) or 0)


if __name__ == "__main__":
    sys.exit(main())
