#!/usr/bin/env bash
# Shows that a seed fixes the report on another kind of processor as well: the signatures of the
# search, taken on x86-64, and the code that is written twice, on an emulated 64-bit Arm.
#
# Arguments are passed on to the test programs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=aarch64-unknown-linux-gnu
rustup target add "$target"
if ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    apt-get install --yes --quiet qemu-user gcc-aarch64-linux-gnu
fi
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"

cargo test --package playtree --target "$target" --lib -- maths:: select:: "$@"
cargo test --package playtree --target "$target" --test mcts -- golden:: "$@"
