# The commands of this house; `make` alone lists them. Needs Python 3.11 to 3.14, pip, npm and make.

# Your own settings; tests and checks never see them. `make run PORT=9000` wins over the file.
ifeq ($(filter test test-full test-times breakages lint bench load,$(MAKECMDGOALS)),)
-include .env
export $(shell sed -n 's/^\([A-Z0-9_]*\)=.*/\1/p' .env 2>/dev/null)
endif

VENV := .venv
BIN := $(VENV)/bin
# A PYTHON that was given replaces an environment of another version; without one the environment stays as it is.
ifdef PYTHON
ifneq ($(shell $(PYTHON) --version),$(shell $(BIN)/python --version 2>/dev/null))
.PHONY: $(BIN)/python
endif
endif
# The newest that runs: pyenv has commands for versions that are installed but not active, and Debian has Python
# without ensurepip.
SUITABLE := import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))
PYTHON ?= $(shell for name in python3.14 python3.13 python3.12 python3.11 python3; do \
	$$name -c '$(SUITABLE)' 2>/dev/null && echo $$name && break; done)
# Every process would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
RUN_PACKAGES := $(VENV)/.packages
DEV_PACKAGES := $(VENV)/.dev-packages
# The lists are complete, so nothing is resolved; modules are compiled when they are first imported, most never.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --require-hashes -r
# One file for every Python from the oldest on: what only some of them need gets a marker.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras \
	--no-header --no-annotate
PYTEST := pytest -n auto --maxprocesses 8 --dist worksteal
# What runs under this writes what it has covered to the file that follows.
MEASURED := $(BIN)/python -m slipcover --json --out
# What `make test` runs: all but the slow tests and most journeys in a browser.
QUICK := not slow and (not browser or journey)
TEMPLATES = $(shell find templates -name '*.html')
# `check --deploy` judges the settings of a production site, so it gets some.
AS_IN_PRODUCTION := DEBUG=false ALLOWED_HOSTS=fieldhouse.example \
	COGNITO_USER_POOL_ID=eu-central-1_Check COGNITO_CLIENT_ID=check COGNITO_DOMAIN=https://login.fieldhouse.example \
	SECRET_KEY=only-for-this-check-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789

.DEFAULT_GOAL := help
.PHONY: help run test test-full test-times lint format messages check-messages bench load breakages pictures serve test-aws lock browser \
	engines

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: $(BIN)/python ## run it here with local engines and demo data, on PORT (8000)
	@$(MAKE) --no-print-directory --jobs=2 $(RUN_PACKAGES) engines
	@echo 'Starting Fieldhouse.'
	@$(BIN)/python manage.py dev

test: $(DEV_PACKAGES) browser ## the tests to run before every commit
	$(if $(COVERAGE),$(MEASURED) .coverage-quick.json,$(BIN)/python) -m $(PYTEST) -m '$(QUICK)'

# With COVERAGE=1, `make test` has measured its part already and only the rest is run.
test-full: $(DEV_PACKAGES) browser ## all tests, with the coverage gate
	$(MEASURED) .coverage-rest.json -m $(PYTEST) $(if $(COVERAGE),-m 'not ($(QUICK))')
	$(BIN)/python -m slipcover --fail-under=97 --out .coverage.json \
		--merge $(if $(COVERAGE),.coverage-quick.json) .coverage-rest.json
	$(BIN)/python -m tests.branch_coverage .coverage.json

test-times: $(DEV_PACKAGES) browser ## where the time of `make test` goes, by folder and phase
	$(BIN)/python -m $(PYTEST) -m '$(QUICK)' -p tests.suite_times

breakages: $(DEV_PACKAGES) browser ## break a copy of the product on purpose: do the tests notice?
	$(BIN)/python -m tests.breakages

test-aws: $(DEV_PACKAGES) ## the data-layer tests against real AWS, if credentials are given
	@if [ -n "$$AWS_ACCESS_KEY_ID$$AWS_PROFILE" ]; then \
		TEST_ON_AWS=1 $(BIN)/python -m pytest -m aws; \
	else \
		echo 'test-aws: not run, because neither AWS_ACCESS_KEY_ID nor AWS_PROFILE is set.'; \
	fi

lint: $(DEV_PACKAGES) ## style, types, templates and deployment settings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(if $(TEMPLATES),$(BIN)/djade --check $(TEMPLATES))
	$(BIN)/python -m tests.messages.check
	$(AS_IN_PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(DEV_PACKAGES) ## put code and templates into house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(if $(TEMPLATES),$(BIN)/djade $(TEMPLATES))

messages: $(DEV_PACKAGES) ## put new texts of the source into the files of all languages
	$(BIN)/python -m tests.messages.extract

check-messages: $(DEV_PACKAGES) ## is every text translated into every language, and none outside gettext?
	$(BIN)/python -m tests.messages.check

bench: $(DEV_PACKAGES) ## measure our pages beside Django's admin; writes docs/bench
	$(BIN)/python -m tests.bench

load: $(DEV_PACKAGES) ## a club's busiest day in five minutes, with kills; writes docs/load
	$(BIN)/python -m tests.load

pictures: $(DEV_PACKAGES) browser ## take the pictures of the guides anew, from the demo data
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m tests.pictures

# Each arena of glibc keeps what a thread once needed: with two of them a worker has 6 MB less.
serve: $(RUN_PACKAGES) ## the production server; needs the variables of .env.example
	$(BIN)/python -m config.messages
	$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	MALLOC_ARENA_MAX=2 $(BIN)/gunicorn --config config/gunicorn.py config.wsgi

lock: $(DEV_PACKAGES) ## compile the requirement files anew
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --output-file requirements.txt pyproject.toml
	$(COMPILE) --extra dev --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml
	$(COMPILE) --output-file config/engines/ministack.txt config/engines/ministack.in

# Without a browser the journeys skip and say so. The one without windows is the faster; not every Debian has it.
browser:
	@for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && for name in chromium-headless-shell chromium; do \
			apt-get install -qq --yes --no-install-recommends $$name >/dev/null && exit; done; false; \
	fi || echo 'make: Chromium could not be installed, so the browser tests will be skipped.'

engines: $(BIN)/python
	@$(BIN)/python -m config.engines

$(BIN)/python:
	@python='$(PYTHON)'; $${python:-false} -c '$(SUITABLE)' || { \
		echo 'make: Python 3.11 to 3.14 with pip is needed. PYTHON=... says which one to take.' >&2; exit 1; }; \
	echo "Making $(VENV) with $$($$python --version)." && $$python -m venv --clear $(VENV)

$(RUN_PACKAGES): requirements.txt $(BIN)/python
	@echo 'Installing the packages of requirements.txt: a minute or less, and only this time.'
	@$(INSTALL) requirements.txt
	@touch $@

$(DEV_PACKAGES): requirements-dev.txt requirements.txt $(BIN)/python
	@echo 'Installing the packages of requirements-dev.txt: two minutes or less, and only this time.'
	@$(INSTALL) requirements-dev.txt
	@touch $@ $(RUN_PACKAGES)
