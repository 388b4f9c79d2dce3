# Everything a developer or operator does, by name. Needs Python 3.11 or later; the rest goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
GAME ?= big-manitou
GAMES ?= 2000

.PHONY: run test check format laws chaos bench golden openapi lock clean

.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

run: .venv/installed  ## everything on this machine, with a demonstration table
	@exec $(BIN)/wintercount run --game $(GAME)

test: .venv/installed  ## every test
	$(BIN)/pytest

check: .venv/installed  ## format, lint, types, imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

laws: .venv/installed  ## the laws of the games over many random games: make laws GAMES=2000
	$(BIN)/python -m tests.games.run_laws --games $(GAMES)

chaos: .venv/installed  ## many kills of every process under load
	$(BIN)/python -m tests.chaos.run

bench: .venv/installed  ## every figure that the README claims, into benchmarks/results/
	$(BIN)/python -m benchmarks

golden: .venv/installed  ## renews the golden games; read the diff like code
	WINTERCOUNT_GOLDEN=renew $(BIN)/pytest tests/games/test_golden.py

openapi: .venv/installed  ## renews openapi.yaml from the code, with examples from a service that is asked
	WINTERCOUNT_EXAMPLES=renew $(BIN)/pytest tests/service/api/test_openapi.py -k examples_are_what
	$(BIN)/python -m service.write_openapi

lock: .venv/installed  ## renews requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --extra dev pyproject.toml -o requirements.lock

clean:
	rm -rf .venv var .mypy_cache .ruff_cache .pytest_cache .hypothesis
