#!/usr/bin/env bash
# Fetches the packages of packages.txt, with all that they depend on, into a cache that `cargo bench --bench real` reads.
#
#   benches/real/fetch.sh            into the usual cache folder
#   benches/real/fetch.sh FOLDER     elsewhere; the bench is then told by CALLGATE_REAL=FOLDER
#
# npm asks the registry that it is set up for. Nothing of what is fetched is run: no install script, no binary. What the
# packages depend on is taken as it was on the day below, so that all who fetch have the same files.
set -euo pipefail

day=2025-09-15
here=$(cd "$(dirname "$0")" && pwd)
cache=${1:-${CALLGATE_REAL:-${XDG_CACHE_HOME:-$HOME/.cache}/callgate-real}}

mkdir -p "$cache"
cd "$cache"
printf '{ "name": "callgate-real", "version": "0.0.0", "private": true }\n' > package.json
# Where a registry tells no days, the newest that fits is better than nothing: the bench prints what it read.
packages=$(tr '\n' ' ' < "$here/packages.txt")
install() {
  # shellcheck disable=SC2086 # The packages are words.
  npm install --ignore-scripts --no-audit --no-fund --no-bin-links --legacy-peer-deps --save-exact "$@" $packages
}
install --before="$day" || { echo "npm cannot install as of $day; it takes the newest that fits" >&2; install; }
echo "fetched into $cache"
