"""What all tests share: the Hypothesis profiles, the versions in the report, the checkout."""

from __future__ import annotations

import importlib
import os
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("dev", max_examples=20, deadline=None)
settings.register_profile("ci", max_examples=500, deadline=None, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))  # not chosen by CI: `ci` takes longer than `make test` may

ROOT = Path(__file__).resolve().parent.parent


def pytest_report_header() -> str:
    """The versions that decide what a file looks like."""
    return f"SQLite {_sqlite_version()}, sqlite-vec {version('sqlite-vec')}"


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the checkout. A test that asks for it is skipped when the suite runs against an installed wheel."""
    if not (ROOT / "memlite").is_dir():
        pytest.skip("needs the checkout: this is an installed wheel")
    return ROOT


def _sqlite_version() -> str:
    for driver in ("pysqlite3", "sqlite3"):
        try:
            return f"{importlib.import_module(driver).sqlite_version} ({driver})"
        except ImportError:
            continue
    return "missing"
