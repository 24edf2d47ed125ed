# What there is to do: `make help`. Needs Python 3.11 or newer and make, nothing else.

VENV ?= .venv
PYTEST_ARGS ?= -n 3

ifndef PYTHON
PYTHON := $(shell for python in python3.11 python3.12 python3.13 python3 python3.14 python; do \
	if $$python -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$python; break; fi; done)
endif

BIN := $(VENV)/bin
ROOMS := state judges retrievers memory nodes graph evals interfaces
USE := $(VENV)/.installed
WORK := $(VENV)/.installed-dev

# pip's progress as one line that counts, where there is a terminal to show it on, and no warnings of build tools to those
# who can do nothing about them. $(1) is what to install.
define install
	@echo "Installing $(1) into $(VENV), as constraints.txt says (a minute or two the first time)"
	@{ PYTHONUNBUFFERED=1 PYTHONWARNINGS=ignore $(BIN)/python -m pip install --disable-pip-version-check --no-compile --progress-bar off \
		-c constraints.txt -e "$(1)" || echo "pip-failed"; } | { \
		count=0; failed=0; show=:; [ -t 1 ] && show=printf; \
		while read -r word rest; do case "$$word $$rest" in \
			Collecting*) count=$$((count + 1)); $$show '\r  %s packages: %-50.50s' "$$count" "$$rest" ;; \
			"Installing collected"*) $$show '\r  unpacking %s packages%-50s' "$$count" "" ;; \
			pip-failed*) failed=1 ;; \
		esac; done; $$show '\r%-75s\r' ""; exit $$failed; }
endef

.PHONY: help demo test check pytest dev bench eval constraints clean
.DEFAULT_GOAL := help

help:
	@echo "make demo         ask the Python library's own sources three questions, with a live view"
	@echo "make test         everything that must hold: make check, then all tests"
	@echo "make check        style, types, layers"
	@echo "make dev          the LangGraph server with Studio, on this machine"
	@echo "make bench        what things cost, in one table (about ten minutes); ARGS='fanout search' measures only those"
	@echo "make eval         all evals over the data in CALIBRANT_DATASETS, then docs/EVALS.md (an hour; goes on where it was stopped)"
	@echo "make constraints  renew constraints.txt with the newest versions that pyproject.toml allows"
	@echo "make clean        remove caches and build output (the environment in $(VENV) stays)"
	@echo
	@echo "PYTHON=python3.12 takes another Python, VENV=folder another environment, PYTEST_ARGS='-x tests/state' other tests,"
	@echo "EVAL_ARGS='--limit 20' a quick look at the evals."

demo: $(USE)
	@CALIBRANT_DATA_DIR=.calibrant/demo CALIBRANT_EMBEDDINGS=none $(BIN)/python -m calibrant.interfaces.demo

test: check pytest

check: $(WORK)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	MYPYPATH=.static $(BIN)/mypy -n 2 -p calibrant -p tests
	PYTHONPATH=.static $(BIN)/lint-imports --no-logo

# The tests start many interpreters: where no bytecode may be written, each would compile all that it imports.
pytest: $(WORK)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(PYTEST_ARGS)

dev: $(WORK)
	@LANGGRAPH_CLI_NO_ANALYTICS=1 $(BIN)/langgraph dev --no-browser

bench: $(USE)
	@$(BIN)/python -m calibrant.evals.bench $(ARGS)

eval: $(WORK)
	@$(BIN)/calibrant eval all --out .calibrant/eval $(EVAL_ARGS)
	@$(BIN)/python -m calibrant.evals.document .calibrant/eval --write docs/EVALS.md
	@echo "docs/EVALS.md is renewed"

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "No Python 3.11 or newer found: install one, or name it with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is no Python 3.11 or newer: name another with make PYTHON=..." >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)
	@# A newer pip than the one that came with Python installs in half the time; without it the older one has to do.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=26,<27" 2>/dev/null || true

# The dev packages include all that is needed to use Calibrant: one stamp stands for both.
$(USE): pyproject.toml constraints.txt | $(BIN)/python
	$(call install,.)
	@touch $@

$(WORK): pyproject.toml constraints.txt | $(BIN)/python
	$(call install,.[dev])
	@touch $@ $(USE)

constraints:
	@[ -n "$(PYTHON)" ] || { echo "No Python 3.11 or newer found: install one, or name it with make PYTHON=..." >&2; exit 1; }
	@echo "Resolving the newest versions in build/constraints"
	@rm -rf build/constraints && $(PYTHON) -m venv build/constraints
	@build/constraints/bin/python -m pip install --quiet --disable-pip-version-check ".[dev,fit]"
	@{ head -2 constraints.txt; build/constraints/bin/python -m pip freeze --all --exclude pip --exclude calibrant; } \
		> build/constraints.txt && mv build/constraints.txt constraints.txt
	@echo "constraints.txt is renewed: run make test before you keep it"

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .static/.mypy_cache
	find $(ROOMS) tests -name __pycache__ -type d -prune -exec rm -rf {} +
