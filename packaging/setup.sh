#!/usr/bin/env bash
# From nothing to a working .venv: Debian packages where root and missing, dependencies from the lock files, and
# llama-cpp-python built once per version and processor and kept in the user's cache folder.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=.venv/complete
if [ -e "$stamp" ] && [ "$stamp" -nt requirements.lock ] && [ "$stamp" -nt llama.lock ] && [ "$stamp" -nt pyproject.toml ]; then
    exit 0
fi

need() { command -v "$1" >/dev/null 2>&1; }
missing=()
if need dpkg; then
    for package in libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 fonts-noto-core g++ cmake; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
    done
fi
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ]; then
        echo "setup: installing ${missing[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
        echo "setup: these Debian packages are missing and may be needed: ${missing[*]}"
    fi
fi

python=${PYTHON:-}
if [ -z "$python" ]; then
    for candidate in python3.11 python3.12 python3.13 python3; do
        if need "$candidate" && "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
fi
if [ -z "$python" ]; then
    echo "setup: Python 3.11 or newer is needed (with the venv module)." >&2
    exit 3
fi

[ -x .venv/bin/python ] || "$python" -m venv .venv
pip() { .venv/bin/python -m pip --disable-pip-version-check --quiet "$@" 2> >(grep -v '^WARNING: Location' >&2); }

echo "setup: installing the locked dependencies"
pip install --require-hashes --no-deps -r requirements.lock

version=$(sed -n 's/^llama-cpp-python==\([^ ]*\).*/\1/p' llama.lock)
processor=$( (grep -m1 '^flags' /proc/cpuinfo 2>/dev/null || uname -v) | sha256sum | cut -c1-12)
tag=$(.venv/bin/python -c 'import sys, platform; print(f"py{sys.version_info[0]}{sys.version_info[1]}-{platform.machine()}")')
cache=${XDG_CACHE_HOME:-$HOME/.cache}/retiens/wheels/llama-cpp-python-$version-$tag-$processor
if ! ls "$cache"/*.whl >/dev/null 2>&1; then
    echo "setup: building llama-cpp-python $version for this processor (about four minutes, once)"
    mkdir -p "$cache.part"
    pip wheel --require-hashes --no-deps -r llama.lock -w "$cache.part"
    rm -rf "$cache"
    mv "$cache.part" "$cache"
fi
pip install --no-deps "$cache"/*.whl
log=$(mktemp)
pip install --no-deps --no-build-isolation --editable . >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
touch "$stamp"
