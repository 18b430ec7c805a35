#!/usr/bin/env bash
# Shows that every searcher runs on wasm32-unknown-unknown and finds there what it finds here, byte
# for byte: each search has one worker and a seed. Prints a line for each search, with the memory
# and the speed beside that of a native build with as much optimisation.
#
# Usage: ci/wasm.sh [--install]
#
# In node, and in Chromium without a window where it is installed; --install installs both by the
# names of Debian's packages. Installs the target if it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ "${1:-}" == --install ]]; then
    apt-get install --yes --no-install-recommends nodejs chromium
elif (($# > 0)); then
    echo "expected --install or nothing, found '$1'" >&2
    exit 2
fi
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
module="$target/wasm32-unknown-unknown/release/wasm_check.wasm"

echo "in node:"
node ci/wasm/node.mjs "$module" "$output"

browser="$(command -v chromium || command -v google-chrome || true)"
if [[ -n "$browser" ]]; then
    echo "in $(basename "$browser"):"
    node ci/wasm/browser.mjs "$browser" "$module" "$output"
else
    echo "skipped: Chromium, which is not installed (ci/wasm.sh --install)"
fi
