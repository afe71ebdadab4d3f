# Needs Python 3.11 or newer, git and make. `make` alone lists the targets.
# Each target first brings the environment (.venv) up to date, which costs nothing when it is.

VENV     := .venv
ROOMS    := ontology loaders queries viz app
CODE     := $(ROOMS) tests bench
RUN      := $(VENV)/bin
UV       := $(RUN)/uv
DEMO     := demo
DATASET  := build/dataset

# More options for pytest: `make test PYTEST="-n 2 --dist loadfile"` runs the tests in two processes.
PYTEST   :=

# uv must neither look for another environment nor ask questions about this one.
export UV_NO_PROGRESS := 1
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
# Like pip, uv trusts the system's certificates (a company's proxy, too), where the system keeps a list.
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem),)
export UV_SYSTEM_CERTS := 1
endif
# Otherwise each of the hundreds of programs that tests start would compile its imports again.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help sync venv packages demo editor editor-lock docs dataset test test-all fuzz faults sbom check format lint types quality pictures bench release-check lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' Makefile

# --- the environment ---------------------------------------------------------------------------

# The interpreter: $PYTHON when it is given, else the first of these that is new enough.
FIND_PYTHON = for p in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; exit; }; done; \
	echo "rulesgraph needs Python 3.11 or newer with venv (Debian: python3-venv); make PYTHON=… names one" >&2; exit 1

# An environment that was moved or lost its interpreter is made again.
venv:
	@if ! [ "$$(cat $(VENV)/.made-for 2>/dev/null)" = "$(CURDIR)" ] || ! $(RUN)/python -c '' 2>/dev/null; then \
		python=$$($(FIND_PYTHON)) && echo "Making $(VENV) with $$python" >&2 && \
		rm -rf $(VENV) && "$$python" -m venv $(VENV) && \
		$(RUN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt && \
		echo "$(CURDIR)" > $(VENV)/.made-for; fi

# The pinned packages; the check takes 20 ms when all are there.
packages: venv
	@$(UV) pip install --quiet --require-hashes -r requirements.txt

# The package itself, editable: a strict editable install links the files that existed when it
# was made, so it is made again when the list of files (or pyproject.toml) changes.
sync: packages ## bring the environment up to date
	@{ cat pyproject.toml; find $(ROOMS) -type f ! -path '*/__pycache__/*' | LC_ALL=C sort; } > $(VENV)/.wanted
	@if ! cmp -s $(VENV)/.wanted $(VENV)/.installed || ! [ -x $(RUN)/rulesgraph ] \
		|| ! [ -e build/__editable__.rulesgraph-*/rulesgraph/app/cli.py ]; then \
		rm -rf build/__editable__.rulesgraph-* && \
		$(UV) pip install --quiet --no-deps --no-build-isolation --reinstall --editable . && \
		$(RUN)/python -m compileall -q build/__editable__.rulesgraph-* && \
		cp $(VENV)/.wanted $(VENV)/.installed; fi

# --- the main job ------------------------------------------------------------------------------

demo: ## build the starter rules and cards, ask a question, write the graph and the Turtle file
	@echo 'This takes a minute or two the first time: everything is installed into .venv.'
	@$(MAKE) --no-print-directory sync
	@mkdir -p $(DEMO)
	$(RUN)/rulesgraph build --store $(DEMO)/store
	$(RUN)/rulesgraph ask "Which terms rely on state-based effects?" --store $(DEMO)/store
	$(RUN)/rulesgraph viz --around "State-Based Effects" --depth 2 -o $(DEMO)/graph.html --store $(DEMO)/store
	$(RUN)/rulesgraph export --as turtle -o $(DEMO)/starter.ttl --store $(DEMO)/store
	@printf '%s\n' '' 'The graph to look at:  $(DEMO)/graph.html' \
		'The linked data:       $(DEMO)/starter.ttl' \
		'The store:             $(DEMO)/store' '' \
		'Next:  export PATH="$$PWD/$(RUN):$$PATH" RULESGRAPH_STORE=$(DEMO)/store' \
		'       rulesgraph ask --list' \
		'       rulesgraph show Protection' \
		'       rulesgraph show "Quickglass Blade"' \
		'       rulesgraph why Protection "State-Based Effects"' \
		'       rulesgraph build YOUR-RULES.txt --store my-store     # apart from the starter rules'

# --- for developers ----------------------------------------------------------------------------

# If there is room in memory, the files of the tests are there: the cost of a disk says nothing about the code, and
# CI uses a disk.
MEMORY := /dev/shm
KB_WANTED := 2000000
test: export TMPDIR := $(shell [ -w $(MEMORY) ] && [ "$$(df -Pk $(MEMORY) | awk 'END {print $$4}')" -gt $(KB_WANTED) ] \
	&& echo $(MEMORY) || echo "$${TMPDIR:-/tmp}")

test: sync ## run the tests, without the long sweeps
	$(RUN)/pytest -m "not long" --drawn --hypothesis-profile=brisk $(PYTEST)

test-all: sync ## run every test with all of its cases: an hour
	$(RUN)/pytest $(PYTEST)

fuzz: sync ## run the property tests on new examples, in random order, for at most ten minutes
	timeout --foreground -s INT 10m $(RUN)/pytest -x -m hypothesis -p randomly --hypothesis-profile=fuzz $(PYTEST) \
		|| [ $$? = 124 ]

# The bundle and the licences of its parts; git ignores both. npm installs exactly what the lock names, by checksum.
editor: ## bundle the editor of the SPARQL page (needs Node)
	@mkdir -p build/editor && cp app/web/pages/editor/* build/editor/
	cd build/editor && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd build/editor && node_modules/.bin/esbuild editor.js --bundle --minify --format=iife --target=es2022 \
		--log-level=warning --outfile=../../app/web/pages/static/editor.js
	cd build/editor && for it in node_modules/@codemirror/* node_modules/@lezer/* node_modules/@marijn/* \
		node_modules/codemirror-lang-sparql node_modules/crelt node_modules/style-mod node_modules/w3c-keyname; do \
		echo "== $${it#node_modules/}" && cat "$$it/LICENSE"; done > ../../app/web/pages/static/editor.js.licences.txt

editor-lock: ## pin the packages in the editor's package.json and their dependencies
	cd app/web/pages/editor && npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts \
		--no-audit --no-fund --loglevel=error

docs: sync ## build the site of docs/ into build/site; fails on a broken link
	$(RUN)/sphinx-build -q -W --keep-going -b html docs build/site

dataset: sync ## write the permanent ids and history of every rule as a data set: Turtle, CSV, data card, checksums
	@mkdir -p $(DATASET)
	cp loaders/history/provisions.tsv docs/dataset.md $(DATASET)
	$(RUN)/rulesgraph authority --as turtle -o $(DATASET)/lives.ttl
	$(RUN)/rulesgraph authority --as csv -o $(DATASET)/lives.csv
	cd $(DATASET) && sha256sum dataset.md lives.csv lives.ttl provisions.tsv > SHA256SUMS

faults: sync ## kill 200 builds, loads, sites and swaps at random moments; fill up and damage stores
	$(RUN)/python tests/faults.py
	$(RUN)/pytest tests/test_stopped_builds.py tests/test_store_folder.py tests/test_store_damage.py tests/test_store_limits.py \
		tests/test_cli_endings.py tests/test_trouble.py tests/test_exchange.py tests/test_long_queries.py $(PYTEST)

sbom: sync ## list everything installed with its licence, in CycloneDX (downloads the tool)
	@mkdir -p dist
	$(UV) tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment $(RUN)/python \
		--pyproject pyproject.toml --of JSON -o dist/sbom.json

check: sync ## format, lint, types, docs, every test with a part of its cases: everything that CI runs
	@$(MAKE) --no-print-directory -j 2 lint types docs
	$(RUN)/pytest --drawn $(PYTEST)

lint: sync ## check format and lint
	$(RUN)/ruff format --check $(CODE)
	$(RUN)/ruff check $(CODE)

types: sync ## check the types of every package and of the tests
	$(RUN)/mypy -p rulesgraph
	$(RUN)/mypy tests bench

format: sync ## format the code
	$(RUN)/ruff check --fix $(CODE)
	$(RUN)/ruff format $(CODE)

quality: sync ## measure the graph against the gold, as in the tables of docs/quality.md
	$(RUN)/python tests/quality.py
	$(RUN)/python tests/measure_cards.py $(QUESTIONS)
	$(RUN)/python tests/measure_questions.py
	$(RUN)/python tests/agreement.py

# A store with the newest edition and those around July 2009 saves the building: make pictures STORE=FOLDER
pictures: sync ## retake the pictures of the README and the guides
	$(RUN)/python tests/pictures.py $(STORE)

bench: sync ## run the benchmarks, as ratios within one run
	$(RUN)/python -m bench

release-check: sync editor ## build wheel and sdist, and run the demo from each in an empty environment
	$(RUN)/python tests/release_check.py

lock: sync ## pin the newest packages that pyproject.toml allows
	$(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --group dev pyproject.toml -o requirements.txt
	grep '^uv==' requirements.txt | cut -d ' ' -f 1 | $(UV) pip compile --quiet --universal \
		--python-version 3.11 --generate-hashes --no-header --no-annotate - -o requirements-uv.txt

clean: ## remove everything that was built, including the environment
	rm -rf $(VENV) $(DEMO) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(CODE) -type d -name __pycache__ -exec rm -rf {} +
