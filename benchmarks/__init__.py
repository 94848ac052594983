"""Benchmarks that print their table: `python -m benchmarks`."""

import os

# Before numpy is imported: with two BLAS threads a small product costs three times as much, and CPU times mean nothing.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_name, "1")
