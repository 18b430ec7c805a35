#!/usr/bin/env bash
# What of crates/playtree-train needs candle: clippy, documentation and tests; then a network learns
# Connect Four for a minute or so, its loss falls, and it wins more often
# against random moves than one that has learned nothing.
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
    /by the policy alone/ { policy = $1 }
    /with 16 simulations/ { search = $1 }
    END { print (last < 0.85 * first) (policy >= 80) (search >= 98) ": loss " first " to " last \
        ", policy " policy " %, search " search " %" }' "$folder/printed")"
# Against random moves a network that has learned nothing, and fills one column after another, wins
# 75 % of its games by the policy, and 97 % with 16 simulations, which see a win in two moves.
[[ "$found" == 111:* ]] ||
    fail "expected a loss below 0.85 of the first, 80 % by policy and 98 % by search, found $found"

heading "all green"
