#!/usr/bin/env bash
# Writes a file for `playtree bench xiangqi --positions FILE`: 24 positions of real games, the first
# after 20 plies, each of the others after 2 plies more than the one before.
#
#   ci/positions.sh master_games.jsonl > xiangqi-positions.txt
#
# Reads JSON lines, each with the moves of a game ("moves": ["h3e3", ...], ranks 1 to 10); what has
# no moves is passed over. The games are every sixth one of those with at least 66 plies. Needs jq.
set -euo pipefail

if [[ $# != 1 ]]; then
    echo "expected one file of games, found $# arguments" >&2
    exit 2
fi

jq --raw-output --slurp '
    # Ranks count from 0 in the command line, as in UCCI.
    def point: .[0:1] + (.[1:] | tonumber - 1 | tostring);
    def step: capture("^(?<from>[a-i][0-9]+)(?<to>[a-i][0-9]+)$") | (.from | point) + (.to | point);
    [.[] | select((.moves // []) | length >= 66)]
    | if length < 139 then error("expected 139 games of 66 plies, found \(length)") else . end
    | [range(0; 24) as $i | .[6 * $i] | "moves \([.moves[0:20 + 2 * $i][] | step] | join(" ")) # \(.event)"]
    | .[]' "$1"
