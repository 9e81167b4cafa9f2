#!/bin/bash
# Builds the default image's file system as a tar, from Debian packages alone:
#
#   build.sh OUT.tar     then: docker import OUT.tar NAME
#
# No registry is asked. On a Debian host its own suite and archives are used, elsewhere bookworm
# and mmdebstrap's default archive. As root, mmdebstrap is installed when it is absent.
# Progress goes to standard error.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fallback_suite=bookworm
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { echo "base image: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

install_mmdebstrap() {
  apt-get install --yes --no-install-recommends -o DPkg::Lock::Timeout=120 mmdebstrap debian-archive-keyring >&2
}

# One-line apt sources of the host's own Debian suite; empty where the host is not Debian.
# Other archives that the host uses are none of the image's business.
host_sources() {
  local suite=$1 signed=''
  [[ -e $keyring ]] && signed="[signed-by=$keyring] "
  apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages' |
    awk -F'|' -v suite="$suite" -v signed="$signed" '
      $1 == "Debian" && $4 == "main" && ($3 == suite || index($3, suite "-") == 1) && $3 != suite "-backports" {
        line = "deb " signed $2 " " $3 " " $4
        if (!seen[line]++) print line
      }'
}

# The date of the newest archive index: no file of a package is younger, so that clamping to it
# keeps the times that compiled Python files were made for.
archive_epoch() {
  local date newest=0 epoch
  while IFS= read -r date; do
    epoch=$(date --date "$date" +%s)
    ((epoch > newest)) && newest=$epoch
  done < <(sed -n 's/^Date: //p' /var/lib/apt/lists/*Release 2>/dev/null)
  ((newest > 0)) || newest=$(date +%s)
  echo "$newest"
}

[[ $# -eq 1 ]] || fail 'usage: build.sh OUT.tar'
out=$1
command -v apt-get >/dev/null || fail 'needs a Debian host (apt-get); elsewhere build the Dockerfile beside this script'

export DEBIAN_FRONTEND=noninteractive
if [[ $EUID -eq 0 ]] && ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
  say 'reading the package lists'
  apt-get update >&2
fi
if ! command -v mmdebstrap >/dev/null; then
  [[ $EUID -eq 0 ]] || fail 'mmdebstrap is not installed: install it, or run as root'
  say 'installing mmdebstrap'
  install_mmdebstrap || { apt-get update >&2 && install_mmdebstrap; } ||
    fail 'mmdebstrap could not be installed'
fi

suite=$fallback_suite
# shellcheck source=/dev/null
[[ -e /etc/os-release ]] && host=$(. /etc/os-release && echo "${ID:-} ${VERSION_CODENAME:-}")
[[ ${host:-} == 'debian '?* ]] && suite=${host#debian }

mapfile -t sources < <(host_sources "$suite")
mapfile -t packages < <(sed -E 's/[[:space:]]*#.*//; /^$/d' "$here/packages.txt")
work=$(mktemp --directory)
# apt downloads as a user of its own, who has to get to what is inside.
chmod 711 "$work"
partial=$out.$$.partial
trap 'rm -rf --one-file-system "$work" "$partial"' EXIT
# With a trap, a signal waits for mmdebstrap's end, and nothing writes what was just removed.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(archive_epoch)}
export SOURCE_DATE_EPOCH

# The host's way to its archives; for the build only, for it may hold a password.
install --mode=600 /dev/null "$work/proxy.conf"
apt-config dump --format '%f "%v";%n' | grep -iE '^Acquire::https?::(.*::)?Proxy ' >"$work/proxy.conf" || true
# Documents go, except the licences: they stay with their programs.
cat >"$work/dpkg.cfg" <<'CFG'
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/lintian/*
path-exclude=/usr/share/bug/*
CFG

# What root mounts for the new system is then seen by nobody else, and gone with the last process.
isolate=()
[[ $EUID -ne 0 ]] || isolate=(unshare --mount)

say "building Debian $suite with ${#packages[@]} packages and what they need"
TMPDIR=$work "${isolate[@]}" mmdebstrap \
  --variant=minbase \
  --format=tar \
  --dpkgopt="$work/dpkg.cfg" \
  --aptopt='APT::Install-Recommends "false"' \
  --aptopt='Acquire::Languages "none"' \
  --setup-hook="cp '$work/proxy.conf' \"\$1/etc/apt/apt.conf.d/00host-proxy\"" \
  --customize-hook='rm "$1/etc/apt/apt.conf.d/00host-proxy"' \
  --customize-hook="'$here/customize.sh' \"\$1\"" \
  --include="${packages[*]}" \
  "$suite" "$partial" "${sources[@]}" >&2 || fail 'mmdebstrap failed; its last lines say why'
mv "$partial" "$out"
say "done: $(du --human-readable --apparent-size "$out" | cut -f1)"
