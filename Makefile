# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON := .venv/bin/python

.PHONY: run test check torture setup models test-models lock bench benchmark shots

run: setup models           ## set up, fetch and verify the default models, open the window (or play the demo)
	$(PYTHON) -m app run

test: setup test-models     ## set up and pass the tests that need real models or more time
	$(PYTHON) -m pytest -m "weights or model or slow"

check: setup                ## format, lint, types, imports, and the fast unit tests (no chat model)
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports
	$(PYTHON) -m pytest -n 2 -m "not weights and not model and not slow"

torture: setup              ## a thousand kills of five operations (an hour); goes on where it stopped
	$(PYTHON) tests/benchmark/torture --seconds 36000 --out build/torture.json

benchmark: setup            ## the memory benchmark: what reaches prompts and answers, then what a real model has said
	$(PYTHON) tests/benchmark/memory/prompt_level.py --words-only --compare tests/benchmark/memory/baseline.json
	$(PYTHON) tests/benchmark/memory/answer_level.py --out tests/benchmark/memory/answers.jsonl --report

setup:
	@packaging/setup.sh

models: setup               ## the default models for this machine
	$(PYTHON) -m app models fetch default

test-models: setup          ## only what the tests need
	$(PYTHON) -m app models fetch tests

lock:                       ## write the lock files anew
	packaging/lock.sh
