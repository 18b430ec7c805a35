#!/usr/bin/env bash
# Writes a report of each kind into FOLDER and takes a picture of it: ci/reports.sh FOLDER. The
# picture in docs/pictures comes from there, made smaller by pngquant.
#
# Needs Chromium (CHROMIUM, /usr/bin/chromium). PLAYTREE is the program (default: the release build,
# which is made). Takes half a minute on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ $# = 1 ] || { echo "expected a folder, found $# arguments" >&2; exit 2; }
folder="$1"
mkdir -p "$folder"
chromium="${CHROMIUM:-/usr/bin/chromium}"
if [ -z "${PLAYTREE:-}" ]; then
    cargo build --quiet --release --package playtree-cli
    PLAYTREE="${CARGO_TARGET_DIR:-target}/release/playtree"
fi

"$PLAYTREE" bench connect4 othello --repetitions 3 --report "$folder/bench.html" >/dev/null
"$PLAYTREE" match othello --a mcts:simulations=4000 --b mcts:simulations=1000 --games 20 \
    --report "$folder/match.html" >/dev/null
"$PLAYTREE" analyze connect4 --position 4444 --time 2s --report "$folder/analyze.html" >/dev/null

for kind in bench match analyze; do
    "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
        --window-size=1000,1250 --screenshot="$(realpath "$folder")/$kind.png" \
        "file://$(realpath "$folder")/$kind.html" 2>/dev/null
done
ls "$folder"
