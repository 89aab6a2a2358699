#!/usr/bin/env bash
# Builds the module of Python and runs its tests, in an environment of its own in target/python: `tests/python/run.sh [TEST…]`.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/target/python

[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
# What the adapters and the cluster are tested with. Tests say what they skip because something of it is missing.
"$folder/bin/pip" install --quiet maturin numpy
for package in pandas pettingzoo gymnasium open_spiel "dask[distributed]"; do
  "$folder/bin/pip" install --quiet "$package" || echo "*** $package could not be installed. ***" >&2
done

rm -rf "$folder/wheels"
(cd src/python && "$folder/bin/maturin" build --quiet --profile dev --out "$folder/wheels")
"$folder/bin/pip" install --quiet --force-reinstall --no-deps "$folder"/wheels/*.whl
cd tests/python
if [ $# = 0 ]; then set -- discover; fi
exec "$folder/bin/python" -W ignore -m unittest "$@"
