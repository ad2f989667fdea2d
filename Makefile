# Two commands are all most people need: `make run` and `make test`. Each sets up what it needs first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help run test check format lint types contracts audit advisories coverage bench chaos faults soak concurrency search contract openapi lock clean

help:  ## this list
	@sed -nE 's/^([a-z]+):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

.venv/.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "take5 needs Python 3.11 or newer: make PYTHON=/path/to/python3")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing what it needs; a minute or so"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@

run: .venv/.stamp  ## the whole service on this machine
	$(BIN)/take5 serve

test: .venv/.stamp  ## all tests, measuring coverage
	$(BIN)/pytest -n auto --maxprocesses 4 --dist worksteal --cov --cov-report=

check: format lint types contracts audit test coverage  ## what CI runs

format: .venv/.stamp  ## is everything laid out as ruff does it?
	$(BIN)/ruff format --check .

lint: .venv/.stamp  ## ruff's findings
	$(BIN)/ruff check .

types: .venv/.stamp  ## mypy everywhere, pyright on the parts that must not fail
	$(BIN)/mypy
	$(BIN)/pyright

contracts: .venv/.stamp  ## who may import whom
	$(BIN)/lint-imports

audit: .venv/.stamp  ## are the packages those we pinned, without a hole that we know? needs no network
	$(BIN)/python -m tests.house.audit

advisories:  ## what the public databases know against our packages; asks them, so it needs a network
	rm -rf build/advisories && $(PYTHON) -m venv build/advisories
	build/advisories/bin/python -m pip install --quiet --disable-pip-version-check "pip-audit>=2.10,<3"
	build/advisories/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip $(ARGS)

coverage:  ## the last test run's coverage; engine and store must be whole
	$(BIN)/coverage report
	$(BIN)/coverage report --include='engine/*,service/store/*' --fail-under=100

bench: .venv/.stamp  ## how fast it is on this machine
	$(BIN)/python -m tests.bench

chaos: .venv/.stamp  ## fifty games at once while workers, stores and the API are killed
	$(BIN)/python -m tests.e2e.chaos

faults: .venv/.stamp  ## every process killed at every point, stores lost, clocks set; writes docs/faults.md
	$(BIN)/python -m tests.faults

soak: .venv/.stamp  ## everything at once for ten minutes; `make soak SECONDS=60` for another time
	$(BIN)/python -m tests.e2e.soak $(SECONDS)

concurrency: .venv/.stamp  ## the same thing at the same instant, hundreds of times: cards, seats, keys, votes, tokens
	$(BIN)/pytest tests/concurrency --whole -p no:cacheprovider --timeout 1800

search: .venv/.stamp  ## new examples for every property, ten times as many as in the tests; `make search TIMES=100` for more
	TAKE5_SEARCH=$(or $(TIMES),10) $(BIN)/pytest -n auto --maxprocesses 4 --dist worksteal -m hypothesis --timeout 0

contract: .venv/.stamp  ## whether service and document agree: schemathesis, and a generated client that plays
	$(BIN)/python -m tests.contract

openapi: .venv/.stamp  ## write the published document anew; a test fails when it has drifted
	$(BIN)/take5 openapi > openapi/openapi.json

lock:  ## pin the newest versions that pyproject.toml allows
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	build/lock/bin/python -m pip freeze --exclude-editable > constraints.txt

clean:  ## everything that can be made again; data/ stays
	rm -rf .venv build dist htmlcov .coverage* .*_cache
