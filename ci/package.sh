#!/usr/bin/env bash
# Packs the crates that are to be published, and builds what was packed. With --quick the command
# line is packed and not built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

crates=(--package playtree --package playtree-searches --package playtree-searches-boards
    --package playtree-searches-lines --package playtree-searches-sizes --package playtree-engines
    --package playtree-onnx --package playtree-planes --package playtree-session
    --package playtree-page --package playtree-cli)
export CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0
if [[ "${1:-}" == --quick ]]; then
    cargo package --quiet --allow-dirty --package playtree
    cargo package --quiet --allow-dirty --no-verify "${crates[@]}"
else
    cargo package --quiet --allow-dirty "${crates[@]}"
fi
ls "${CARGO_TARGET_DIR:-target}"/package/*.crate
