#!/usr/bin/env bash
# Makes the page that needs no server: ci/static-page.sh FOLDER. Any host of files serves the folder,
# below any path; docs/page.md says more. Prints what there is to load, compressed, and fails if that
# is over a megabyte.
#
# Installs the target wasm32-unknown-unknown if it is missing. The first build takes some minutes.
set -euo pipefail

(($# == 1)) || { echo "expected a folder, found $# arguments" >&2; exit 2; }
folder="$(realpath --canonicalize-missing "$1")"
if [[ -e "$folder" && -n "$(ls --almost-all "$folder")" && ! -e "$folder/web/engine.wasm" ]]; then
    echo "expected an empty folder, or one that this script has made, found '$1'" >&2
    exit 2
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=wasm32-unknown-unknown
rustup target list --installed | grep -qx "$target" || rustup target add "$target"
RUSTFLAGS="-C target-feature=+simd128" cargo build --quiet --profile page \
    --package playtree-page-wasm --lib --target "$target"

rm -rf "$folder/web" "$folder/index.html"
mkdir -p "$folder"
cp --recursive crates/playtree-page/web "$folder/web"
# Comments that have lines of their own and indentation are not to be loaded: a quarter of all but
# the engine. No text goes over several lines there.
find "$folder/web" \( -name '*.js' -o -name '*.css' \) -exec sed --in-place --regexp-extended \
    's/^\s+//; /^\s*\/\*.*\*\/\s*$/d; /^\s*\/\*([^*]|\*[^/])*$/,/\*\/\s*$/d; /^\s*\/\//d' {} +
cp "${CARGO_TARGET_DIR:-target}/$target/page/playtree_page_wasm.wasm" "$folder/web/engine.wasm"

# No header comes from a host of files: what the page may load stands in it. Some browsers hold its
# worker to the same. And nothing answers there to what is asked of a server.
policy="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
policy+="img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
policy+="base-uri 'none'; form-action 'none'"
sed "/href=\"api\//d; s|^<title>|<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">\n"\
"<meta name=\"playtree\" content=\"static\">\n&|" "$folder/web/index.html" >"$folder/index.html"
rm "$folder/web/index.html"

bytes=0
while read -r -d '' file; do
    bytes=$((bytes + $(gzip -9 --stdout "$file" | wc --bytes)))
done < <(find "$folder/index.html" "$folder/web" -type f -print0)
echo "$1: $((bytes / 1000)) kB to load, compressed"
((bytes <= 1000000)) || { echo "expected at most 1000 kB to load" >&2; exit 1; }
