#!/usr/bin/env bash
# Shows that no test depends on how threads are scheduled or on how fast the machine is.
#
# Usage: ci/busy.sh [RUNS] [SUITES]
#
# In three modes - four busy loops beside the tests, one core, a release build - it runs the tests
# that involve threads, time or memory limits RUNS times (default 50), and the whole suite SUITES times
# (default 3). Prints a line for each test program and mode, and what a run that failed has printed.
# Takes below two hours on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs="${1:-50}"
suites="${2:-3}"
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_RELEASE_DEBUG=0
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

# Program, and which of its tests.
chosen=(
    "background" "background_threads" "budgets" "lock" "memory" "parallel_search"
    "saved kill::" "mcts parallel::" "alphabeta background::" "playtree helpers::"
    "cli interrupt::" "cli programs::"
)

scratch="$(mktemp -d)"
loops=()
end_loops() {
    ((${#loops[@]} == 0)) || kill "${loops[@]}" 2>/dev/null || true
    loops=()
}
trap 'end_loops; rm -rf "$scratch"' EXIT

begin_loops() {
    for _ in 1 2 3 4; do
        while :; do :; done &
        loops+=($!)
    done
    disown -a
}

# The test programs of a build, as lines of "name path".
programs() {
    cargo test "$@" --no-run --message-format=json 2>/dev/null |
        jq --raw-output 'select(.profile.test and .executable) | "\(.target.name) \(.executable)"'
}

failed=0

# Runs a program COUNT times: mode, count, name, command.
repeat() {
    local mode=$1 count=$2 name=$3 passed=0 begin=$SECONDS
    shift 3
    for ((run = 0; run < count; run++)); do
        if "$@" >"$scratch/output" 2>&1; then
            passed=$((passed + 1))
        else
            grep -E 'panicked|assert|FAILED|error' "$scratch/output" | head -n 20 || true
        fi
    done
    printf '%-10s %-26s %3d of %3d passed, %4d s\n' "$mode" "$name" "$passed" "$count" \
        $((SECONDS - begin))
    ((passed == count)) || failed=$((failed + 1))
}

mode() {
    local mode=$1 profile=$2
    shift 2
    # The command line's programs come first, so that its tests find them.
    local name path entry filter
    cargo build --quiet --package playtree-cli $profile
    programs --workspace --exclude peer-bench --exclude attack $profile >"$scratch/programs"
    for entry in "${chosen[@]}"; do
        read -r name filter <<<"$entry"
        path="$(awk -v name="$name" '$1 == name { print $2 }' "$scratch/programs" | head -n 1)"
        [[ -n "$path" ]] || { echo "there is no test program $name" >&2; exit 2; }
        local folder=.
        [[ "$name" == cli ]] && folder=crates/playtree-cli
        repeat "$mode" "$runs" "$entry" "$@" env -C "$folder" "$path" ${filter:+"$filter"}
    done
    repeat "$mode" "$suites" "all" "$@" cargo test --quiet $profile
}

begin_loops
mode busy ""
end_loops
mode one-core "" taskset --cpu-list 0
mode release --release

echo "$failed lines failed"
[[ $failed == 0 ]]
