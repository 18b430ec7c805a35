#!/usr/bin/env bash
# What of crates/playtree-train needs candle: clippy, documentation and tests; then a network learns
# Connect Four for a minute or so, its loss falls, and it wins against random moves.
#
# ITERATIONS (default 40) is how long it learns. Where Python (PYTHON, default python3) has
# onnxruntime, a test reads files of networks with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

iterations="${ITERATIONS:-40}"
package=(--package playtree-train --features net)
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

heading() { printf '\n== %s\n' "$*"; }
fail() {
    echo "$*" >&2
    exit 1
}

heading "clippy and documentation"
cargo clippy "${package[@]}" --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings ${RUSTDOCFLAGS:-}" cargo doc --no-deps "${package[@]}" --lib

heading "tests"
cargo test "${package[@]}"

heading "a network learns for $iterations iterations"
cargo build --release "${package[@]}"
"${CARGO_TARGET_DIR:-target}/release/playtree-train" connect4 --out "$folder" \
    --iterations "$iterations" --blocks 2 --channels 24 --games 64 --measure 1000 | tee "$folder/printed"
found="$(awk '/games  loss/ { last = $6 + $7; if (!first) first = last }
    /against random moves/ { won = $1 }
    END { print (last < 0.85 * first) (won >= 90) ": loss " first " to " last ", won " won " %" }' \
    "$folder/printed")"
[[ "$found" == 11:* ]] || fail "expected a loss below 0.85 of the first and 90 % won, found $found"

heading "all green"
