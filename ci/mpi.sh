#!/usr/bin/env bash
# What of crates/playtree-mpi needs MPI: clippy, documentation, tests and the program, with 2 and 4
# ranks on this machine, over shared memory and over sockets.
#
# With --install it installs Open MPI and libclang first. With --mpich it does the same with MPICH,
# in a target folder of its own (--install --mpich installs that). EXCHANGES (default 1000) and
# KILLS (default 50) are how often ranks exchange, and how often one is killed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

install=0 mpich=0
for argument in "$@"; do
    case "$argument" in
        --install) install=1 ;;
        --mpich) mpich=1 ;;
        *) echo "expected --install or --mpich, found '$argument'" >&2 && exit 2 ;;
    esac
done
exchanges="${EXCHANGES:-1000}" kills="${KILLS:-50}"

if [[ $install == 1 ]]; then
    packages=(openmpi-bin libopenmpi-dev)
    [[ $mpich == 0 ]] || packages=(mpich libmpich-dev)
    apt-get install --yes "${packages[@]}" libclang-dev clang
fi

if [[ $mpich == 1 ]]; then
    export MPICC=mpicc.mpich CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/mpich"
    launch=(mpiexec.mpich)
    ways=("")
else
    export MPICC=mpicc.openmpi
    launch=(mpirun.openmpi --oversubscribe --bind-to none)
    [[ $(id -u) != 0 ]] || launch+=(--allow-run-as-root)
    ways=("" "--mca btl tcp,self")
fi

heading() { printf '\n== %s\n' "$*"; }
fail() {
    echo "$*" >&2
    exit 1
}
# A number at a place of a JSON text, such as cluster.exchanges.
field() { python3 -c 'import json, sys
found = json.loads(sys.argv[1])
for name in sys.argv[2].split("."):
    found = found[name]
print(found)' "$1" "$2"; }
# The process numbers of the ranks of the jobs of this script, in any order.
ranks_of_job() {
    local found
    for found in $(grep -lsz "^PLAYTREE_CI=$answers\$" /proc/[0-9]*/environ || true); do
        found="${found%/environ}"
        [[ "$(readlink "$found/exe" || true)" != *playtree-mpi ]] || echo "${found#/proc/}"
    done
}
expect_ranks() {
    local turn
    for turn in $(seq 200); do
        [[ $(ranks_of_job | wc -l) != "$1" ]] || return 0
        sleep 0.05
    done
    fail "expected $1 ranks after $turn looks, found $(ranks_of_job | wc -l)"
}

heading "clippy and documentation"
cargo clippy --package playtree-mpi --features program --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings ${RUSTDOCFLAGS:-}" \
    cargo doc --no-deps --package playtree-mpi --features program --lib

heading "tests without MPI"
cargo test --package playtree-mpi

heading "build"
tests="$(cargo test --package playtree-mpi --features mpi --test mpi --no-run --message-format json |
    grep '"name":"mpi"' | grep -o '"executable":"[^"]*"' | cut -d'"' -f4 | tail -n 1)"
cargo build --package playtree-mpi --features program --bin playtree-mpi
program="$(realpath "${CARGO_TARGET_DIR:-target}/debug/playtree-mpi")"
answers="$(mktemp -d)"
export PLAYTREE_CI="$answers"
namespaces=("playtree1-$$" "playtree2-$$")
clean_up() {
    rm -rf "$answers"
    for namespace in "${namespaces[@]}"; do
        ip netns delete "$namespace" 2>/dev/null || true
    done
}
trap clean_up EXIT

for way in "${ways[@]}"; do
    read -r -a options <<<"$way"
    for ranks in 1 2 4; do
        heading "exactness, agreement and proofs: $ranks ranks ${way:-as MPI likes}"
        timeout 900 "${launch[@]}" "${options[@]}" -n "$ranks" "$tests" "$exchanges"
    done
    for ranks in 2 4; do
        heading "the program: $ranks ranks ${way:-as MPI likes}"
        found="$(timeout 60 "${launch[@]}" "${options[@]}" -n "$ranks" \
            "$program" analyze othello --time 1s --threads 1 --json)"
        [[ $(field "$found" cluster.ranks) == "$ranks" ]] || fail "$found"
        [[ $(field "$found" cluster.end) == together ]] || fail "$found"
        [[ $(field "$found" cluster.exchanges) -gt 2 ]] || fail "$found"
        timeout 60 "${launch[@]}" "${options[@]}" -n "$ranks" "$program" \
            match connect4 --a mcts --b mcts --games 2 --time 50ms
    done
done

heading "the words of the program"
found="$("${launch[@]}" -n 2 "$program" analyze connect4 --simulations 10001 --json)"
[[ $(field "$found" simulations) == 10001 ]] || fail "expected 10001 simulations, found $found"
"${launch[@]}" -n 2 "$program" analyze connect4 --simulations 2000 --position 44 --top 3
for wrong in "analyze chess" "analyze othello --tim 1s" \
    "match othello --a mcts --b mcts --concurrency 2"; do
    code=0
    "${launch[@]}" -n 2 "$program" $wrong >"$answers/out" 2>"$answers/err" || code=$?
    [[ $code != 0 && $(grep -c '^playtree' "$answers/err") == 1 ]] ||
        fail "expected one line and a code, found $code and $(cat "$answers/err")"
    expect_ranks 0
done

heading "ranks that do not belong together"
code=0
"${launch[@]}" -n 1 "$program" analyze othello --time 1s \
    : -n 1 "$program" analyze hex --time 1s >"$answers/out" 2>"$answers/err" || code=$?
grep '^playtree' "$answers/err"
[[ $code != 0 && $(grep -c '^playtree-mpi: rank 1, arguments: expected' "$answers/err") == 1 ]] ||
    fail "expected a refusal, found $code and $(cat "$answers/err")"
expect_ranks 0

if [[ $mpich == 1 ]]; then
    heading "all green (faults are looked at with Open MPI)"
    exit
fi

heading "two network namespaces"
if ! ip netns add "${namespaces[0]}" 2>/dev/null || ! ip netns add "${namespaces[1]}"; then
    echo "skipped: this user may not make them, or there is no ip (package iproute2)"
else
    ip link add "pt1-$$" type veth peer name "pt2-$$"
    for side in 1 2; do
        namespace="${namespaces[side - 1]}"
        ip link set "pt$side-$$" netns "$namespace"
        ip -n "$namespace" address add "10.77.0.$side/24" dev "pt$side-$$"
        ip -n "$namespace" link set lo up
        ip -n "$namespace" link set "pt$side-$$" up
    done
    # What stands in for ssh: the first argument is the host.
    printf '#!/bin/sh\nshift\nexec ip netns exec %s sh -c "$*"\n' "${namespaces[1]}" >"$answers/agent"
    chmod +x "$answers/agent"
    apart=(ip netns exec "${namespaces[0]}" "${launch[@]}" --host 10.77.0.1:2,10.77.0.2:2
        --mca plm_rsh_agent "$answers/agent" --mca btl tcp,self
        --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24)
    timeout 900 "${apart[@]}" -n 4 "$tests" "$exchanges"
    timeout 60 "${apart[@]}" -n 4 "$program" analyze othello --time 1s --top 3
fi

heading "a rank that is killed ends the job"
code=0
timeout 60 "${launch[@]}" -n 3 "$program" analyze othello --time 20s >"$answers/out" \
    2>"$answers/err" &
job=$!
expect_ranks 3
sleep 1
kill -9 "$(ranks_of_job | shuf -n 1)"
wait $job || code=$?
grep 'exited on signal 9' "$answers/err"
[[ $code != 0 ]] || fail "expected a code, found 0"
expect_ranks 0

heading "a rank that is killed, $kills times, and the others answer in time"
python3 ci/mpi/faults.py kill "$kills" "$program"

heading "a rank that stands still holds the others up by less than a second"
python3 ci/mpi/faults.py stop 3 "$program"

heading "all green"
