#!/usr/bin/env bash
# Checks every shell script of the project; without shellcheck it says so and passes (CI has it).
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v shellcheck >/dev/null; then
  echo 'SKIPPED shell scripts: shellcheck is not installed'
  exit 0
fi
scripts=()
for file in install.sh embed/admin/orrery .ci/run tests/setup.sh tests/lint-shell.sh tests/kit/*.sh tests/setup/images/*/*.sh tests/setup/images/web/www/cgi-bin/*; do
  [ -f "$file" ] && scripts+=("$file")
done
shellcheck -x "${scripts[@]}"
echo "Checked ${#scripts[@]} shell scripts"
