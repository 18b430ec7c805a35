#!/usr/bin/env bash
# Shows that no test depends on how threads are scheduled or on how fast the machine is.
#
# Usage: ci/busy.sh [RUNS [SUITES [MODE...]]]
#
# In three modes - busy (four loops beside the tests), one-core, release - it runs the shortest
# tests that involve threads, time or memory limits RUNS times (default 50), and the whole suite
# SUITES times (default 3). Prints a line for each test program and mode, and what a run that failed
# has printed. Takes below two hours on two cores that have nothing else to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs="${1:-50}"
suites="${2:-3}"
shift $(($# < 2 ? $# : 2))
modes=("$@")
((${#modes[@]} > 0)) || modes=(busy one-core release)
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_RELEASE_DEBUG=0
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

# Program, and which of its tests: a few seconds in all, as they run so often.
chosen=(
    "background handle::" "background_threads" "lock" "parallel_search"
    "memory moves_and_keys_are_dropped_once" "memory the_allocator_sees_what_the_limit_allows"
    "saved kill::" "lib helpers::" "cli interrupt::"
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

# The test programs of a build, as lines of "name path"; the unit tests of the library are lib.
programs() {
    cargo test "$@" --no-run --message-format=json 2>/dev/null |
        jq --raw-output 'select(.profile.test and .executable) |
            "\(if .target.kind == ["lib"] then "lib" else .target.name end) \(.executable)"'
}

failed=0

# Runs a program COUNT times: mode, count, name, command.
repeat() {
    local mode=$1 count=$2 name=$3 passed=0 begin=$SECONDS
    shift 3
    for ((run = 0; run < count; run++)); do
        if "$@" >"$scratch/output" 2>&1 && grep -qE '[1-9][0-9]* passed' "$scratch/output"; then
            passed=$((passed + 1))
        else
            grep -E 'panicked|assert|FAILED|error' "$scratch/output" | head -n 20 || true
        fi
    done
    printf '%-10s %-26s %3d of %3d passed, %4d s\n' "$mode" "$name" "$passed" "$count" \
        $((SECONDS - begin))
    ((passed == count)) || failed=$((failed + 1))
}

run_mode() {
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

for mode in "${modes[@]}"; do
    case "$mode" in
        busy)
            begin_loops
            run_mode busy ""
            end_loops
            ;;
        one-core) run_mode one-core "" taskset --cpu-list 0 ;;
        release) run_mode release --release ;;
        *) echo "expected busy, one-core or release, found '$mode'" >&2; exit 2 ;;
    esac
done

echo "$failed lines failed"
[[ $failed == 0 ]]
