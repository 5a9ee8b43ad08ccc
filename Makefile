# `make serve` reads the article at localhost, `make test` runs every check. Both set up first.
PYTHON ?= python3
BIN := .venv/bin
export NO_MKDOCS_2_WARNING := 1
# Without byte code, importing sympy takes a second and a half each time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: serve build test bench format clean

serve: .venv/ready
	$(BIN)/mkdocs serve

build: .venv/ready
	$(BIN)/mkdocs build --strict

test: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/derivations check
	$(BIN)/pytest -n auto

bench: .venv/ready
	$(BIN)/python -m benchmarks

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[test]'
	touch $@

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis
