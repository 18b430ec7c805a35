#!/usr/bin/env bash
# Proves that the lock, its three policies and the stop flag keep their promises in every
# interleaving of the models in tests/loom.rs with at most LOOM_MAX_PREEMPTIONS (default 3)
# preemptions, under every value that the memory model lets a load return.
#
# Arguments are passed on to the test program, as in: ci/loom.sh defer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
# Another cfg is another build of everything: a folder of its own spares the usual one.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom"
export RUSTFLAGS="--cfg loom ${RUSTFLAGS:-}"

cargo test --release --package playtree --test loom -- "$@"
