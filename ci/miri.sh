#!/usr/bin/env bash
# Proves that the code below runs without undefined behaviour, data races between plain
# accesses included, on an interpreter that checks every access and also shows the stale
# values that the memory model lets an atomic load return. Two workers evict positions meanwhile,
# and a table is saved beside them: the output counts the evictions.
#
# Arguments are passed on to the test programs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What runs: the unit tests whose names contain one of these, and these test programs.
unit_tests=(lock:: zeroed:: slots:: arena:: helpers:: lanes:: branches::)
test_programs=(lock)
# The search itself, once its test program is there.
[[ -e tests/tiny_search.rs ]] && test_programs+=(tiny_search)

rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal
rustup component add --toolchain nightly miri rust-src

# The tests read the clock, and panic to see what a panic leaves behind.
export MIRIFLAGS="-Zmiri-disable-isolation ${MIRIFLAGS:-}"
# The interpreter's build is another than the usual one.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"

cargo +nightly miri test --package playtree --lib -- "${unit_tests[@]}" "$@"
for program in "${test_programs[@]}"; do
    cargo +nightly miri test --package playtree --test "$program" -- --nocapture "$@"
done
