#!/usr/bin/env bash
# Write the lock files anew: requirements.lock (everything that comes as a wheel) and llama.lock (built from source,
# kept in the user's cache by packaging/setup.sh). Run inside the virtual environment, with pip-tools installed.
set -euo pipefail
cd "$(dirname "$0")/.."
whole=$(mktemp)
pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header \
    --no-annotate --strip-extras --allow-unsafe --extra dev --output-file "$whole" pyproject.toml
python - "$whole" <<'PYTHON'
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
llama = [entry for entry in entries if entry.startswith("llama-cpp-python==")]
others = [entry for entry in entries if entry not in llama]
open("requirements.lock", "w", encoding="utf-8").write("".join(others))
open("llama.lock", "w", encoding="utf-8").write("".join(llama))
PYTHON
