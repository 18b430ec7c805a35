#!/usr/bin/env bash
# Installs the programs that `playtree match` plays against, from the packages of Debian and its
# descendants: hoixiangqi (xboard), fairy-stockfish (UCI and UCCI), gtp-rhino (GTP). They end up in
# /usr/games, where `playtree match` looks too. Needs root, or sudo.
set -euo pipefail

packages=(hoichess fairy-stockfish grhino)

as_root=()
[[ "$(id -u)" == 0 ]] || as_root=(sudo)
"${as_root[@]}" apt-get update
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install --yes --no-install-recommends "${packages[@]}"
