#!/usr/bin/env bash
# Shows that no retired word (ci/words.txt) stands in the sources, the command line, the pages or
# the README. Prints each line that has one, and ends with status 1 then.
#
# A line that quotes what others wrote ends with the comment "quoted", and is left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

words="$(paste --serial --delimiters='|' ci/words.txt)"
if grep --recursive --line-number --ignore-case --word-regexp --extended-regexp "$words" \
    --include='*.rs' --include='*.md' --include='*.toml' src crates docs README.md |
    grep --invert-match 'quoted$'; then
    echo "retired words: see ci/words.txt" >&2
    exit 1
fi
echo "no retired words"
