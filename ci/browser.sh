#!/usr/bin/env bash
# Drives the page in a headless Chromium: ci/browser.sh [--static] [FOLDER [TEST ...]]. Whole games by
# clicks, the live panels against the API, axe-core on every view, both languages, the keys; pictures
# of every board go into FOLDER. Checks the types of the scripts first.
#
# With --static the page is the one that needs no server, from a host of files: it takes at most a
# megabyte to load, compressed, and plays all games.
#
# With --measure PART [--OPTION VALUE ...] it tests nothing and measures, with a release build, on a
# machine that does nothing else: docs/measurements/page.md lists the parts and what they say.
#
# Needs node, npm and Chromium; on Debian: apt-get install nodejs npm chromium. Says so and skips
# where they are not there. Takes five to ten minutes on two cores. PLAYTREE is a playtree that was
# built with the features `serve` and `network`; without it one is built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for program in node npm "${CHROMIUM:=/usr/bin/chromium}"; do
    command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 0; }
done
export CHROMIUM

static=
measure=
case "${1:-}" in
    --static) static=yes; shift ;;
    --measure) measure=yes; shift ;;
esac
folder=
[ -n "$measure" ] || folder="${1:-}"
[ -z "$folder" ] || folder="$(realpath --canonicalize-missing "$folder")"

if [ -z "$static" ] && [ -z "${PLAYTREE:-}" ]; then
    cargo build --quiet --package playtree-cli --features serve,network ${measure:+--release}
    kind=debug
    [ -z "$measure" ] || kind=release
    PLAYTREE="${CARGO_TARGET_DIR:-target}/$kind/playtree"
fi

work="$(mktemp --directory)"
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
cp --recursive crates/playtree-page/tests/browser "$work/tests"
cp --recursive crates/playtree-page/web "$work/web"
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
npm install --prefix "$work" --silent --no-audit --no-fund --no-save \
    playwright-core@1.65.1 axe-core@4.14.1 typescript@5.9.3 ||
    { echo "skipped: npm has no way to its packages"; exit 0; }

if [ -z "$measure" ]; then
    echo "== types"
    (cd "$work" && node_modules/.bin/tsc --noEmit --allowJs --checkJs --strict --noUnusedLocals \
        --noUnusedParameters --target es2022 --module es2022 --moduleResolution bundler \
        --lib es2023,dom,dom.iterable web/main.js web/worker.js)

    echo "== browser"
fi
if [ -n "$static" ]; then
    ci/static-page.sh "$work/site"
    node "$work/tests/files.mjs" "$work/site" >"$work/address" &
else
    # Few games have much memory each: what is measured is not a search that lacks some.
    sessions=32
    [ -z "$measure" ] || sessions=4
    "$PLAYTREE" serve --port 0 --sessions "$sessions" \
        --network crates/playtree-train/nets/connect4.onnx >"$work/address" &
fi
server=$!
for _ in $(seq 600); do
    url="$(grep --only-matching --max-count=1 'http://[^ /]*' "$work/address" || true)"
    [ -z "$url" ] || break
    sleep 0.1
done
[ -n "$url" ] || { echo "expected the address of the server, found none" >&2; exit 1; }
if [ -n "$measure" ]; then
    SERVER="$server" node "$work/tests/measure/main.mjs" "$url" "$@"
    exit
fi
node "$work/tests/main.mjs" "$url" "$folder" "${@:2}"
