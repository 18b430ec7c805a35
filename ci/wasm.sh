#!/usr/bin/env bash
# Shows that every searcher runs on wasm32-unknown-unknown and finds there what it finds here, byte
# for byte: each search has one worker and a seed. Prints a line for each search, with the memory
# and the speed beside that of a native build with as much optimisation.
#
# Installs the target if it is missing. Needs node; on Debian: apt-get install nodejs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v node >/dev/null || { echo "expected node (apt-get install nodejs), found none" >&2; exit 2; }
rustup target list --installed | grep -qx wasm32-unknown-unknown ||
    rustup target add wasm32-unknown-unknown

export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
export CARGO_PROFILE_RELEASE_DEBUG=0
cargo build --quiet --release --package wasm-check
RUSTFLAGS="-C target-feature=+simd128" cargo build --quiet --release --package wasm-check --lib \
    --target wasm32-unknown-unknown

target="${CARGO_TARGET_DIR:-target}"
output="$(mktemp)"
trap 'rm -f "$output"' EXIT
"$target/release/wasm-check" >"$output"
node ci/wasm.mjs "$target/wasm32-unknown-unknown/release/wasm_check.wasm" "$output"
