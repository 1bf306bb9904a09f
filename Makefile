# Everything a developer runs. `make demo` and `make test` work in a fresh clone: they build
# .venv themselves, with the first Python >= 3.11 that can. To choose one: make PYTHON=/path/to/python3

.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
STAMP := .venv/.installed-for-pyproject
PYTHON ?=
ARGS ?=
MINUTES ?= 10

.PHONY: help venv demo test test-all coverage lint format types contracts fuzz bench wheel ci clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(STAMP) ## build or refresh .venv (only when pyproject.toml has changed)

# A venv starts with the pip of its Python, and that of 3.11 does not know dependency groups.
$(STAMP): pyproject.toml
	@set -e; \
	if ! $(BIN)/python -c '' 2>/dev/null; then \
	  for candidate in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python; do \
	    if "$$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	      found="$$candidate"; break; \
	    fi; \
	  done; \
	  if [ -z "$${found-}" ]; then \
	    echo "No Python >= 3.11 with venv and pip was found. Install one (on Debian: python3-venv too), or name it: make PYTHON=/path/to/python3" >&2; exit 1; \
	  fi; \
	  echo "building .venv with $$("$$found" --version)"; \
	  "$$found" -m venv --clear .venv; \
	fi; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev --editable .; \
	touch $@

demo: $(STAMP) ## play whole decisions in a scratch repository, then verify this project's own
	$(BIN)/accord demo sandbox
	$(BIN)/accord demo index
	@if git cat-file -e HEAD:decisions/policy.yaml 2>/dev/null; then \
	  echo "$(BIN)/accord verify --rev HEAD --tree-only"; \
	  $(BIN)/accord verify --rev HEAD --tree-only; \
	else \
	  echo "This project has no decisions/policy.yaml in HEAD: there are no own decisions to verify."; \
	fi

test: $(STAMP) ## run the tests on all cores, but the slowest (ARGS="tests/store -k reader" for some)
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow' --hypothesis-profile quick $(ARGS)

test-all: $(STAMP) ## run every test, every law on more examples, and collect coverage
	@$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist worksteal $(ARGS)

coverage: $(STAMP) ## hold the last `make test-all` against the coverage gates
	@if ls .coverage.* >/dev/null 2>&1; then $(BIN)/coverage combine --quiet; fi
	$(BIN)/coverage report --fail-under=95
	$(BIN)/coverage report --fail-under=100 --include='src/accord/model/*,src/accord/rules/*,src/accord/analytics/*'

lint: $(STAMP) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP) ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP) ## mypy --strict over src and tests
	$(BIN)/mypy

contracts: $(STAMP) ## import-linter: data travels one way
	$(BIN)/lint-imports

fuzz: $(STAMP) ## throw mutated files and trees at every parser for ten minutes (MINUTES=1 for less)
	FUZZ_MINUTES=$(MINUTES) $(BIN)/python -m pytest -n auto -q tests/fuzz --hypothesis-profile explore

bench: $(STAMP) ## measure speed and memory, as ratios (ARGS="--sizes 10,200" for a quick look)
	$(BIN)/python benchmarks/run.py $(ARGS)

wheel: $(STAMP) ## build sdist and wheel, and try the wheel in a fresh venv and an empty home
	.ci/wheel

ci: ## all that CI does
	.ci/run

clean: ## remove .venv and everything generated
	rm -rf .venv dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
