#!/usr/bin/env bash
# Shows that everything that the published crates are built of may be used with them: its licence is
# one of these, and it comes from the registry or from this repository.
#
# Advisories are looked for where cargo-audit is installed and has its database; else this says that
# they were not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(--package playtree --package playtree-session --package playtree-page
    --package playtree-cli)
allowed=(
    "(MIT OR Apache-2.0) AND Unicode-3.0"
    "Apache-2.0"
    "Apache-2.0 OR BSL-1.0"
    "Apache-2.0 OR MIT"
    "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT"
    "BSD-2-Clause OR Apache-2.0 OR MIT"
    "MIT"
    "MIT AND BSD-3-Clause"
    "MIT OR Apache-2.0"
    "MIT OR Apache-2.0 OR LGPL-2.1-or-later"
    "MIT/Apache-2.0"
    "Unlicense OR MIT"
    "Zlib OR Apache-2.0 OR MIT"
)

failed=0
built_of="$(cargo tree "${packages[@]}" --all-features --target all --edges normal,build \
    --prefix none --format '{p}|{l}' | sed -e 's/ (\*)$//' -e 's/ (proc-macro)//' | sort -u |
    grep -v '^$')"
while IFS='|' read -r package licence; do
    licence="${licence% (\*)}"
    if ! printf '%s\n' "${allowed[@]}" | grep --quiet --fixed-strings --line-regexp "$licence"; then
        echo "$package: expected one of the allowed licences (ci/licences.sh), found '$licence'" >&2
        failed=1
    fi
done <<<"$built_of"

foreign="$(grep '^source = ' Cargo.lock | sort -u |
    grep --invert-match --fixed-strings '"registry+https://github.com/rust-lang/crates.io-index"' || true)"
if [[ -n "$foreign" ]]; then
    echo "Cargo.lock: expected the registry as the only source, found $foreign" >&2
    failed=1
fi

# bincode 2.0.1 is unmaintained (RUSTSEC-2025-0141): it has no known fault, and docs/policy.md says
# why it is here.
if cargo audit --version >/dev/null 2>&1; then
    cargo audit --no-fetch --ignore RUSTSEC-2025-0141 || failed=1
else
    echo "advisories were not looked for: there is no cargo-audit"
fi
[[ $failed == 0 ]] || exit 1
echo "$(wc -l <<<"$built_of") packages, all of them with an allowed licence and from the registry"
