#!/usr/bin/env bash
# Proves that ThreadSanitizer, with the standard library built under it, sees no data race in
# the programs below under real threads: more of them than cores on the lock, and parallel
# searches of a second, some of them with evictions, which the output counts, and with saves
# meanwhile. Then engines whose memory limits change while they search are attacked for a minute.
#
# Arguments are passed on to the test programs. Takes about seven minutes on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

test_programs=(lock)
# The parallel search, once its test program is there.
[[ -e tests/parallel_search.rs ]] && test_programs+=(parallel_search)

rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal
rustup component add --toolchain nightly rust-src

target=x86_64-unknown-linux-gnu
export RUSTFLAGS="-Zsanitizer=thread ${RUSTFLAGS:-}"
# A sanitised build is another than the usual one.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/tsan"
# The first race ends the run with a failure.
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"

for program in "${test_programs[@]}"; do
    cargo +nightly test -Zbuild-std --target "$target" --package playtree --test "$program" \
        -- --nocapture "$@"
done

cargo +nightly build --quiet -Zbuild-std --target "$target" --package attack
"$CARGO_TARGET_DIR/$target/debug/attack" memory --seconds 60
