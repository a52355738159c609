# Everything sets itself up: a fresh clone needs Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# More than a small machine has cores: half of them run tests that wait for programs and qmasters that they drive.
WORKERS ?= 6
EXAMPLES ?= 5000
DRAWN ?= 500
MODULE ?= qmon_tui/scheduler/matching/thresholds.py
TESTS ?= tests/unit/$(word 2,$(subst /, ,$(MODULE)))
# mutmut takes the module to change from its settings only. The tests run in processes forked from one that has run none.
MUTMUT := [mutmut]\nsource_paths=qmon_tui\nonly_mutate=%s\nalso_copy=\n  configs\n  docs\n  README.md\nprocess_isolation=forkserver\npytest_add_cli_args_test_selection=%s\n

.PHONY: help run demo test quick map static unit mutants differential verdicts bench fuzz invariants drawn browser screenshots docs wheel clean

help: ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /\1\t/' | expand -t 14

run: $(VENV)/.run ## choose an example cluster or the first lesson, and open a private copy of it (ARGS=PATH opens that)
	@$(BIN)/python configs/choose.py $(ARGS)

demo: $(VENV)/.dev ## the program on a private qmaster with simulated hosts and the jobs of configs/site (root; ARGS='why qmaster: 10' runs a command there)
	@$(BIN)/python -m tests.differential.demo $(ARGS)

test: $(VENV)/.dev ## all that CI runs: style, types, rooms, tests
	@$(MAKE) --no-print-directory -j2 static unit

quick: $(VENV)/.dev ## the tests that guard what has changed since the last push (or SINCE=commit), under a minute
	$(BIN)/ruff check -q .
	$(BIN)/python -m tests.quick $(SINCE)

map: $(VENV)/.dev ## make anew the map by which quick chooses: which test runs which lines; some ten minutes
	$(BIN)/python -m tests.quick.coverage_map

static: $(VENV)/.dev ## style, types, and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.dev ## the tests, the quick comparison with a real qmaster included where one is installed
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q -rs

mutants: $(VENV)/.dev ## the faults that mutmut puts into MODULE=PATH: which ones do the unit tests of its package (or TESTS=PATH) miss? minutes
	$(BIN)/pip install -q --group mutants
	rm -rf mutants
	printf '$(MUTMUT)' '$(MODULE)' '$(TESTS)' > setup.cfg
	$(BIN)/mutmut run --max-children 2
	$(BIN)/mutmut results

differential: $(VENV)/.dev ## the long comparison with a real qmaster, which ends with a table of agreement
	$(BIN)/python -m pytest -q -rs -m long tests/differential tests/plain
	$(BIN)/python -m tests.differential.families

verdicts: $(VENV)/.dev ## thousands of objects of all kinds, judged by a real qmaster and by us; minutes
	$(BIN)/python -m tests.differential.judging $(ARGS)

bench: $(VENV)/.dev ## speed, as ratios inside one run; with REAL=1 against a real qmaster, which takes minutes
	REAL=$(REAL) $(BIN)/python -m tests.bench

fuzz: $(VENV)/.dev ## a million damaged inputs for all readers
	$(BIN)/python -m tests.fuzz

invariants: $(VENV)/.dev ## what holds of any simulated day, on thousands of drawn ones (EXAMPLES=20000); minutes
	EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -q tests/unit/simulation/test_conservation.py tests/unit/simulation/test_any_day.py

drawn: $(VENV)/.dev ## all tests that draw examples, with hundreds of new ones each (DRAWN=5000), and the cases that test leaves out
	EXAMPLES=$(DRAWN) $(BIN)/python -m pytest -q -n $(WORKERS) -m "(hypothesis or long) and not qmaster" tests

browser: $(VENV)/.dev ## serve the program to a headless Chromium, edit and save in it (needs chromium)
	$(BIN)/pip install -q --group browser
	$(BIN)/python -m tests.browser

screenshots: $(VENV)/.dev ## draw screenshots/ anew from configs/
	$(BIN)/pip install -q --group screenshots
	$(BIN)/python -m tests.screenshots

docs: $(VENV)/.dev ## README and docs/ as a site in build/site
	$(BIN)/pip install -q --group docs
	$(BIN)/python -m tests.site
	$(BIN)/zensical build --strict --config-file zensical.toml
	$(BIN)/python -m tests.site --check

wheel: $(VENV)/.dev ## build the wheel into dist/
	$(BIN)/pip wheel -q --no-deps -w dist .

clean: ## remove what was set up
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .quick mutants setup.cfg

$(VENV)/.pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -U 'pip>=25.1'
	touch $@

$(VENV)/.run: $(VENV)/.pip pyproject.toml
	$(BIN)/pip install -q -e .
	touch $@

$(VENV)/.dev: $(VENV)/.pip pyproject.toml
	$(BIN)/pip install -q -e . --group test --group static
	touch $@ $(VENV)/.run
