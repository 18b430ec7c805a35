#!/usr/bin/env bash
# Shows that the library and the command line compile for other systems than Linux: for Windows and
# for macOS, checked and not linked. Installs what is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

targets=(x86_64-pc-windows-msvc aarch64-apple-darwin)
for target in "${targets[@]}"; do
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    cargo check --quiet --package playtree --package playtree-cli --all-features --target "$target"
    echo "$target: compiles"
done
