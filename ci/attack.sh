#!/usr/bin/env bash
# Attacks the library and the command line from outside, as a hostile or careless user would
# (crates/attack), and prints a line for each attack. Ends with status 1 if one has found a fault.
#
# Usage: ci/attack.sh [FIRST_SEED]
#
# Takes less than twenty minutes on two cores. What an attack that failed has printed is shown. The
# memory checker valgrind is used where it is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seed="${1:-1}"
[[ "$seed" =~ ^[0-9]+$ ]] || { echo "expected a first seed, found '$seed'" >&2; exit 2; }

# With all debug assertions and overflow checks, and no more debug information than valgrind wants.
export CARGO_PROFILE_DEV_DEBUG=line-tables-only CARGO_INCREMENTAL=0
cargo build --quiet --package attack --package playtree-cli
target="${CARGO_TARGET_DIR:-target}/debug"

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
failed=0

# Runs one attack, and prints its last line and how long it took.
attack() {
    local begin=$SECONDS status=0
    "$@" >"$scratch/output" 2>&1 || status=$?
    if [[ $status == 0 ]]; then
        printf 'passed  %4d s  %s\n' $((SECONDS - begin)) "$(tail -n 1 "$scratch/output")"
    else
        failed=$((failed + 1))
        printf 'FAILED  %4d s  status %d: %s\n' $((SECONDS - begin)) "$status" "$*"
        grep -E '^FAULT|panicked|Invalid|overflow' "$scratch/output" | cut -c -400 | head -n 20 || true
        tail -n 3 "$scratch/output" | cut -c -400
    fi
}

program="$target/attack"

attack "$program" uaf --seed "$seed" --engines 12
attack "$program" panics --seconds 90 --seed "$seed"
# The seed with which a key once stayed in the table after its node was freed.
attack "$program" panics --seconds 5 --seed 7810
attack "$program" treehang
attack "$program" dropwake
attack "$program" deep
attack "$program" extremes
attack "$program" evil --seed "$seed"
attack "$program" limits --seconds 90 --seed "$seed"
attack "$program" limits --seconds 45 --seed "$seed" --tree
attack "$program" memory --seconds 60 --seed "$seed"
attack "$program" thinking --seconds 60 --seed "$seed"
attack "$program" thinking --seconds 30 --seed "$seed" --tree
attack "$program" files --seconds 70 --seed "$seed"
attack "$program" small --seed "$seed"

# As few threads as a container may allow. Root is allowed any number, and becomes another user
# first.
cp "$program" "$scratch/attack"
chmod 755 "$scratch" "$scratch/attack"
few=(prlimit --nproc=8)
if [[ "$(id -u)" == 0 ]]; then
    few=(setpriv --reuid 65534 --regid 65534 --clear-groups "${few[@]}")
else
    few=(prlimit --nproc=$(($(ps --no-headers -L -u "$(id -u)" | wc -l) + 8)))
fi
(cd / && attack "${few[@]}" "$scratch/attack" spawnfail --workers 16; exit "$failed") || failed=$?

if command -v valgrind >/dev/null; then
    attack valgrind --quiet --error-exitcode=9 "$program" uaf-min 3000 60000
else
    echo "skipped: uaf-min under valgrind, which is not installed"
fi

attack "$program" cli "$target/playtree" --seed "$seed"

echo "$failed attacks failed"
[[ $failed == 0 ]]
