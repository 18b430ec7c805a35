#!/bin/sh
# Plays the same searcher in the process against itself over GTP on every form of clock, and prints
# for each form how many games either side has lost on time and its longest move.
#
#   ci/clocks.sh [GAMES [GAME [CLOCK...]]]     100 games of connect4 on each clock
#
# Fails if a game is lost on time or ends by a fault. PLAYTREE is the program (default: the release
# build, which is made). A hundred games of each form take about two hours; the machine should have
# nothing else to do, as a player that gets no core for longer than --lag is late.
set -eu
cd "$(dirname "$0")/.."
games=${1:-100}
game=${2:-connect4}
if [ $# -gt 2 ]; then
    shift 2
else
    set -- 1s/move 3s 2s+200ms 1s+3x1s 3x1s 4s/10
fi
if [ -z "${PLAYTREE:-}" ]; then
    cargo build --quiet --release -p playtree-cli
    PLAYTREE=target/release/playtree
fi

# The values of a field in the JSON form, in their order: those of a come first.
values() {
    printf '%s' "$json" | grep -o "\"$1\":[^,}]*" | sed 's/.*://' | head -2 | tr '\n' ' '
}

bad=0
for clock; do
    json=$("$PLAYTREE" match "$game" --a mcts --b "gtp:\"$PLAYTREE\",args=\"gtp $game mcts\"" \
        --clock "$clock" --games "$games" --json)
    players=${json#*\"players\":}
    json=${players%%\"games\":*}
    lost=$(values losses_on_time)
    faults=$(values forfeits)
    longest=$(values longest_seconds)
    echo "$clock: $games games; lost on time, in the process and over GTP: ${lost}; faults: ${faults};" \
        "longest moves in seconds: ${longest}"
    if [ "$lost$faults" != "0 0 0 0 " ]; then bad=1; fi
done
exit $bad
