# Everything a developer or operator does, by name. Needs Python 3.11 or later; the rest goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
GAME ?= big-manitou
GAMES ?= 2000
POSITIONS ?= 500
SHARE ?= 1
OF_PLAYERS := $(addprefix tests/worker/test_,$(addsuffix .py,players search_models tomahawk_plans never_peeks explaining))
IMAGES := python:3.11-slim valkey/valkey:9
LOCKED := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
  --no-header --constraint requirements.lock
CHROMIUM := chromium fonts-dejavu-core
NODE := nodejs npm
PAGE_TOOLS := tools/page/node_modules/.bin
OF_THE_PAGE := "service/page/static/js/**/*.js" "tests/page/*.js" "tools/page/*.js"

.PHONY: run test test-browser sight node first-view screenshots browser check format laws twins leaks chaos forgeries bench strength compiled pure test-compiled compiler golden rules openapi lock pin-images audit-packages clean

.venv/installed: requirements.lock pyproject.toml setup.py
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

run: .venv/installed  ## everything on this machine, with a demonstration table
	@exec $(BIN)/wintercount run --game $(GAME)

test: .venv/installed node  ## every test but those in a browser; those that kill processes or listen to signals run alone
	$(BIN)/pytest -n 2 --ignore tests/browser --ignore tests/chaos --ignore tests/worker/test_turn_queue.py
	$(BIN)/pytest tests/chaos tests/worker/test_turn_queue.py

test-browser: .venv/installed browser  ## the page in a real browser
	$(BIN)/pytest tests/browser

sight: .venv/installed browser  ## whole games of every game and number of seats: is each decision in sight? an hour
	WINTERCOUNT_SIGHT=whole $(BIN)/pytest tests/browser/test_sight.py

first-view: .venv/installed browser  ## how soon a table stands in a browser that has never seen it, and in how many bytes
	$(BIN)/python -m tests.browser.first_view

screenshots: .venv/installed browser  ## renews docs/screenshots; look at them
	WINTERCOUNT_SCREENSHOTS=renew $(BIN)/pytest tests/browser/test_layout.py

browser: .venv/browser-installed
	@command -v chromium >/dev/null \
	  || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(CHROMIUM); } \
	  || { echo "The browser tests need Chromium, which could not be installed here. As root: apt-get install $(CHROMIUM)" >&2; exit 1; }

.venv/browser-installed: requirements-browser.lock .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-browser.lock
	touch $@

node:  # runs the unit tests of the page's modules, prettier and eslint
	@command -v node >/dev/null && command -v npm >/dev/null \
	  || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(NODE); } \
	  || { echo "The page's modules are checked with node, which could not be installed here. As root: apt-get install $(NODE)" >&2; exit 1; }

tools/page/node_modules/installed: tools/page/package-lock.json
	@$(MAKE) --no-print-directory node
	npm ci --prefix tools/page --no-audit --no-fund --silent
	touch $@

check: .venv/installed tools/page/node_modules/installed  ## format, lint, types, imports, and the page's modules
	$(PAGE_TOOLS)/prettier --log-level warn --check $(OF_THE_PAGE)
	$(PAGE_TOOLS)/eslint --config tools/page/eslint.config.js service/page/static/js tests/page tools/page/eslint.config.js
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed tools/page/node_modules/installed
	$(PAGE_TOOLS)/prettier --log-level warn --write $(OF_THE_PAGE)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

laws: .venv/installed  ## the laws of the games over so many random games of each: make laws GAMES=2000
	$(BIN)/python -m tests.games.run_laws --games $(GAMES)

twins: .venv/installed  ## every AI level in many pairs of worlds that its seat cannot tell apart: make twins POSITIONS=500
	$(BIN)/python -m tests.worker.run_twins --positions $(POSITIONS)

leaks: .venv/installed  ## plants leaks all over the service, one after the other: each has to be seen
	$(BIN)/python -m tests.service.api.run_leaks

chaos: .venv/installed  ## many kills of every process under load
	$(BIN)/python -m tests.chaos.run

forgeries: .venv/installed  ## alters every field of every kind of event and verifies each; an hour: make forgeries SHARE=0.1
	$(BIN)/python -m tests.forgeries.campaign --share $(SHARE)

bench: .venv/installed  ## every figure that the README claims, into benchmarks/results/
	$(BIN)/python -m benchmarks

strength: .venv/installed  ## plays the AI levels against each other, into docs/players.md; hours: make strength STRENGTH="--n 100"
	$(BIN)/pip install --quiet --disable-pip-version-check 'openskill>=6,<7'
	$(BIN)/python -m benchmarks.strength $(STRENGTH)
	$(MAKE) openapi

compiled: .venv/installed compiler  ## the search in Manitou and Big Manitou three times as fast, in machine code
	WINTERCOUNT_COMPILED=1 $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .

pure:  ## takes `compiled` back
	rm -rf build *.so worker/players/search/*.so

test-compiled: compiled  ## the tests of the players over the compiled search
	$(BIN)/pytest -n 2 $(OF_PLAYERS)
	$(MAKE) pure

compiler:
	@command -v cc >/dev/null \
	  || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev; } \
	  || { echo "A C compiler is needed, which could not be installed here. As root: apt-get install gcc" >&2; exit 1; }

golden: .venv/installed  ## renews the golden games; read the diff like code
	WINTERCOUNT_GOLDEN=renew $(BIN)/pytest tests/games/test_golden.py

rules: .venv/installed  ## compiles the rules documents into what the service reads
	$(BIN)/python -m rulings.compiling

openapi: .venv/installed  ## renews openapi.yaml from the code, with examples from a service that is asked
	WINTERCOUNT_EXAMPLES=renew $(BIN)/pytest tests/service/api/test_openapi.py -k examples_are_what
	$(BIN)/python -m service.runtime.write_openapi

lock: .venv/installed  ## renews the locks: of development, of production and of the browser tests
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --extra dev pyproject.toml -o requirements.lock
	$(LOCKED) pyproject.toml -o requirements-production.lock
	echo "playwright>=1.55,<2" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --constraint requirements.lock - -o requirements-browser.lock

pin-images:  ## pins the base images by the digests that their registry tells; none is made up
	@set -e; for image in $(IMAGES); do \
	  digest=$$(docker buildx imagetools inspect $$image --format '{{.Manifest.Digest}}') || digest=; \
	  case $$digest in sha256:*) ;; *) echo "No registry told the digest of $$image; nothing more was pinned." >&2; exit 1;; esac; \
	  sed -i -E "s|$$image(@sha256:[0-9a-f]+)?|$$image@$$digest|" Dockerfile compose.yaml; \
	done

audit-packages: .venv/installed  ## asks a database of vulnerabilities about the packages of production
	$(BIN)/pip install --quiet --disable-pip-version-check 'pip-audit>=2.9,<3'
	@$(BIN)/pip-audit --disable-pip --require-hashes -r requirements-production.lock \
	  || { echo "Something was found, or the database could not be reached: see above." >&2; exit 1; }

clean:
	rm -rf .venv tools/page/node_modules var .mypy_cache .ruff_cache .pytest_cache .hypothesis
