#!/usr/bin/env bash
# Proves that the lock, its three policies, the stop flag, the table, and the publication of nodes
# and edges, the bell, the first reason to stop, the bytes of a pool and the memory that is given
# back keep their promises in every interleaving of the models in src and tests/loom.rs with at most
# LOOM_MAX_PREEMPTIONS (default 3) preemptions, under every value that the memory model lets a load
# return.
#
# Arguments are passed on to the test programs, as in: ci/loom.sh defer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
# Another cfg is another build of everything: a folder of its own spares the usual one.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom"
export RUSTFLAGS="--cfg loom ${RUSTFLAGS:-}"
# The models run for seconds: it is the building that takes minutes.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1

models() { cargo test --release --package playtree --no-default-features "$@"; }
models --lib models -- "$@"
models --test loom -- "$@"
