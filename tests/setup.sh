#!/usr/bin/env bash
# Installs and starts what the tests need: Docker Engine, a local registry with test images, a Debian image that
# runs systemd, Chromium, wrk, postfix, PostgreSQL, asciinema, clients of WebDAV, web servers to compare with. Safe to run again at any time; says for each thing whether it was found or made.
#
# What it learned goes to .test-env/: env.json (addresses, images with digests, programs) and capabilities.json
# (what is there and, when it is not, why). Machine-wide things live in /var/lib/orrery-test, so that a second
# clone finds them. Exit code: 0 also when something is missing, except with CI set; 1 when a step failed there.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/.test-env
state=${ORRERY_TEST_STATE:-/var/lib/orrery-test}
port=${ORRERY_TEST_REGISTRY_PORT:-5055}
registry=127.0.0.1:$port
mkdir -p "$out"

say() { printf '%-9s %s\n' "$1" "$2"; }
has() { command -v "$1" >/dev/null 2>&1; }
declare -A able why
missing() { able[$1]=false why[$1]=$2; say MISSING "$1: $2"; }
present() { able[$1]=true why[$1]=''; }

# shellcheck source=tests/setup/packages.sh
. tests/setup/packages.sh
# shellcheck source=tests/setup/docker.sh
. tests/setup/docker.sh
# shellcheck source=tests/setup/systemd-image.sh
. tests/setup/systemd-image.sh
# shellcheck source=tests/setup/report.sh
. tests/setup/report.sh

if [ "${1:-}" = --check ]; then can_install=''; else can_install=$(may_install); fi
ensure_packages
ensure_dockerd
ensure_registry
ensure_images
ensure_systemd_image
ensure_hosts_network
write_report
