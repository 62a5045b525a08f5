#!/bin/sh
# Installs orrery-node (or, with ORRERY_PROGRAM=orrery-panel, the panel) as a systemd service.
#
#   sh install.sh [--file PROGRAM] [OPTIONS OF THE PROGRAM'S install COMMAND, for example --dry-run]
#
# It fetches the program for this machine from ORRERY_RELEASE_BASE (with ORRERY_VERSION=1.2.3 from the folder 1.2.3 in it),
# proves that it is the released one, of that version and no older than the installed one or, with no version named, than this script,
# and then runs `PROGRAM install`, which does the work and prints what it does. Nothing
# else on the machine is touched. Updates that a panel asks for will come from the same base.
#
# What is proved: SHA256SUMS carries an Ed25519 signature by the release key below, and the program has the hash that
# is written there, beside its name, version and kind of machine. A checksum alone would prove nothing, whoever swaps the
# program swaps the sum too; so a download without a good signature is refused. A local --file is yours: it is checked when
# SHA256SUMS lies beside it. ORRERY_ALLOW_OLDER=yes takes a release that is older than the installed one.
set -eu

program=${ORRERY_PROGRAM:-orrery-node}
base=${ORRERY_RELEASE_BASE:-}
release=$base${ORRERY_VERSION:+/$ORRERY_VERSION}
# Filled in by the release build; ORRERY_RELEASE_KEY names a file with another key (PEM).
release_key=''
# The version that this script came with; also filled in by the release build.
release_version=''

fail() {
  echo "install.sh: $1" >&2
  exit "${2:-1}"
}
need() { command -v "$1" >/dev/null 2>&1 || fail "$1 is needed. Debian, Ubuntu: apt-get install $1; Fedora: dnf install $1"; }

# fetch NAME BLOCKS: a file of the release, of at most so many blocks (512 bytes, in some shells 1024): what has no end must not
# fill the disk.
fetch() {
  echo "Fetching $release/$1"
  (ulimit -f "$2" && exec curl -fL --retry 3 --connect-timeout 30 --speed-limit 1000 --speed-time 60 --no-progress-meter \
    -o "$work/$1" "$release/$1") || fail "$release/$1 could not be fetched, or is larger than any release"
}

# is_older A B: whether version A comes before B; what is behind a + does not count.
is_older() {
  [ "${1%%+*}" != "${2%%+*}" ] && [ "$(printf '%s\n%s\n' "${1%%+*}" "${2%%+*}" | sort -V | head -n 1)" = "${1%%+*}" ]
}

case $program in orrery-node | orrery-panel) ;; *) fail "there is no program $program" 2 ;; esac
file=''
if [ "${1:-}" = --file ]; then
  file=${2:-}
  [ -f "$file" ] || fail "--file needs the path of a program; '$file' is not a file" 2
  shift 2
fi
[ -n "$file$base" ] || fail 'say where the program is: ORRERY_RELEASE_BASE=https://… or --file PROGRAM' 2

dry_run=''
for word in "$@"; do [ "$word" != --dry-run ] || dry_run=yes; done
[ "$(uname -s)" = Linux ] || fail "this is $(uname -s); Linux is needed"
[ -n "$dry_run" ] || [ "$(id -u)" = 0 ] || fail 'run it as root (sudo sh install.sh …)'
[ -n "$dry_run" ] || [ -d /run/systemd/system ] || fail 'systemd does not run here; start the program by hand: PROGRAM serve --data DIR'

case $(uname -m) in
  x86_64 | amd64)
    asset=$program-linux-x64
    # Processors before 2013 and careful virtual machines lack AVX2; the normal build would end with SIGILL there.
    grep -qw avx2 /proc/cpuinfo || asset=$asset-baseline
    ;;
  aarch64 | arm64) asset=$program-linux-arm64 ;;
  *) fail "there is no build for $(uname -m)" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if [ -n "$file" ]; then
  asset=$(basename "$file")
  cp "$file" "$work/$asset"
  for name in SHA256SUMS SHA256SUMS.sig; do
    [ ! -f "$(dirname "$file")/$name" ] || cp "$(dirname "$file")/$name" "$work/$name"
  done
else
  need curl
  for name in SHA256SUMS SHA256SUMS.sig; do fetch "$name" 128; done
  fetch "$asset" 2000000
fi

if [ ! -f "$work/SHA256SUMS" ]; then
  echo "Using $file as it is: no SHA256SUMS lies beside it"
else
  need openssl
  if [ -n "${ORRERY_RELEASE_KEY:-}" ]; then cp "$ORRERY_RELEASE_KEY" "$work/key.pem"; else printf '%s' "$release_key" >"$work/key.pem"; fi
  [ -s "$work/key.pem" ] || fail 'this install.sh carries no release key: take the one of the release, or set ORRERY_RELEASE_KEY=FILE'
  [ -s "$work/SHA256SUMS.sig" ] || fail 'SHA256SUMS.sig is missing: the program cannot be proved'
  openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" >/dev/null 2>&1 ||
    fail 'the signature of SHA256SUMS is not by the release key (or openssl is older than 1.1.1)'
  wanted=$(awk -v name="$asset" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS does not name $asset"
  [ "$(sha256sum "$work/$asset" | cut -d ' ' -f 1)" = "$wanted" ] || fail "$asset is not the released file: its SHA-256 differs"
  # "# release PROGRAM VERSION TARGET SHA256 NAME": who hands releases out cannot give an old one another name.
  stated=$(awk -v program="$program" -v sum="$wanted" '$1 == "#" && $2 == "release" && $3 == program && $6 == sum { print $4; exit }' "$work/SHA256SUMS")
  [ -n "$stated" ] || fail "SHA256SUMS does not say which version of $program $asset is"
  [ -n "$file" ] || [ -z "${ORRERY_VERSION:-}" ] || [ "$stated" = "$ORRERY_VERSION" ] ||
    fail "$release holds version $stated, not $ORRERY_VERSION; nothing was changed"
  # Where nothing is installed that would know better, an old release could be handed out as the newest.
  [ -n "$file${ORRERY_VERSION:-}${ORRERY_ALLOW_OLDER:-}" ] || ! is_older "$stated" "$release_version" ||
    fail "$stated is older than ${release_version%%+*}, with which this script came; nothing was changed. ORRERY_VERSION=$stated asks for it"
  echo "Verified $asset: signature and SHA-256 are right, this is version $stated"
fi

chmod 755 "$work/$asset"
version=$("$work/$asset" version) || fail "$asset does not run on this machine"
[ -z "${stated:-}" ] || [ "$version" = "$stated" ] || fail "$asset calls itself $version, its maker $stated; nothing was changed"

# Asked of the installed program: the new one may be an old one that would not ask.
installed=$("/usr/local/bin/$program" version 2>/dev/null) || installed=''
if [ -n "$installed" ] && is_older "$version" "$installed"; then
  [ -n "${ORRERY_ALLOW_OLDER:-}" ] ||
    fail "$version is older than $installed, which is installed; nothing was changed. ORRERY_ALLOW_OLDER=yes goes back to it"
  "$work/$asset" help | grep -q -e --allow-older && set -- "$@" --allow-older
fi
"$work/$asset" install "$@"
