#!/usr/bin/env bash
# Lets real clients drive this program: XBoard referees a whole game of Xiangqi against
# Fairy-Stockfish, `playtree match` plays Fairy-Stockfish over UCI and UCCI, and @sabaki/gtp plays a
# game over GTP and reads lz-analyze and kata-analyze.
#
#   ci/clients.sh [--install] [PROGRAM]
#
# PROGRAM is the built playtree, target/release/playtree if it is not named. With --install what is
# missing is installed first: the Debian packages xboard, xvfb and fairy-stockfish (needs root, or
# sudo); @sabaki/gtp comes from npm into a folder that is gone afterwards. What cannot run is skipped
# and named at the end. Ends with status 1 if a client was not content.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ "${1:-}" == --install ]]; then
    shift
    as_root=()
    [[ "$(id -u)" == 0 ]] || as_root=(sudo)
    "${as_root[@]}" apt-get update
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install --yes --no-install-recommends \
        xboard xvfb xauth fairy-stockfish
fi
playtree="$(realpath "${1:-target/release/playtree}")"
export PATH="$PATH:/usr/games"
work="$(mktemp --directory)"
trap 'rm --recursive --force "$work"' EXIT
skipped=()
missing() {
    for program in "$@"; do
        command -v "$program" > "$work/found" || { echo "$program"; return; }
    done
}

# XBoard checks every move and claim, and writes the result that it has seen itself.
lacks="$(missing xboard xvfb-run fairy-stockfish)"
if [[ -n "$lacks" ]]; then
    skipped+=("xboard: no $lacks")
else
    echo "xboard: a game of Xiangqi against Fairy-Stockfish"
    HOME="$work" timeout 600 xvfb-run --auto-servernum xboard \
        -variant xiangqi -mode TwoMachines -matchGames 1 -testClaims true -popupExitMessage false \
        -timeControl 0:20 -timeIncrement 0.2 -movesPerSession 0 -depth 4 -ponderNextMove true \
        -fcp "$playtree xboard xiangqi" -scp fairy-stockfish \
        -saveGameFile "$work/game.pgn" -debugMode true -nameOfDebugFile "$work/debug.txt" \
        < /dev/null > "$work/xboard.txt" 2>&1 || { cat "$work/xboard.txt"; exit 1; }
    cat "$work/game.pgn"
    grep --quiet --extended-regexp '^\[Result "(1-0|0-1|1/2-1/2)"\]' "$work/game.pgn"
    if grep --ignore-case --extended-regexp \
        'forfeit|illegal|false|exited|Unknown command.*playtree|first : *Error' "$work/game.pgn" ||
        grep --extended-regexp '<first : (Error|Illegal|tellusererror)' "$work/debug.txt"; then
        echo "xboard: not content" >&2
        exit 1
    fi
fi

lacks="$(missing fairy-stockfish)"
if [[ -n "$lacks" ]]; then
    skipped+=("fairy-stockfish: no $lacks")
else
    for protocol in uci ucci; do
        echo "fairy-stockfish: two games of Xiangqi over $protocol"
        "$playtree" match xiangqi --a mcts --b "$protocol:fairy-stockfish" --games 2 \
            --clock 5s+0.1s --json > "$work/match.json"
        grep --quiet '"forfeits":0.*"forfeits":0' "$work/match.json" || { cat "$work/match.json"; exit 1; }
    done
fi

lacks="$(missing node npm)"
if [[ -n "$lacks" ]]; then
    skipped+=("@sabaki/gtp: no $lacks")
elif ! npm install --silent --no-audit --no-fund --prefix "$work" @sabaki/gtp@3 > "$work/npm.txt" 2>&1; then
    skipped+=("@sabaki/gtp: cannot be installed")
else
    echo "@sabaki/gtp: a game of Gomoku, with analysis"
    cp ci/clients.mjs "$work"
    (cd "$work" && timeout 300 node clients.mjs "$playtree")
fi

for reason in ${skipped[@]+"${skipped[@]}"}; do echo "skipped $reason"; done
echo "all clients that could run are content"
