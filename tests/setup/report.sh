# shellcheck shell=bash
# Writes .test-env/capabilities.json and .test-env/env.json, and decides the exit code.

quoted() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }

write_report() {
  local name separator='' failed=''
  {
    printf '{'
    for name in curl openssl shellcheck wrk git sftp litmus cadaver rclone s3_programs davfs strace chromium docker registry images systemd_image postfix postgres databases asciinema btrfs; do
      printf '%s\n  "%s": {"ok": %s, "reason": %s}' "$separator" "$name" "${able[$name]:-false}" "$(quoted "${why[$name]:-}")"
      separator=,
    done
    printf '\n}\n'
  } >"$out/capabilities.json"
  separator=''
  {
    printf '{\n  "registry": %s,\n  "chromium": %s,\n  "systemd_image": %s,\n  "images": {' \
      "$(quoted "$registry")" "$(quoted "$chromium")" "$(quoted "$systemd_image")"
    for name in "${!digest[@]}"; do
      printf '%s\n    "%s": %s' "$separator" "$name" "$(quoted "$registry/orrery-test/$name:$(images_recipe)@${digest[$name]}")"
      separator=,
    done
    printf '\n  }\n}\n'
  } >"$out/env.json"
  say wrote '.test-env/env.json and .test-env/capabilities.json'
  for name in curl openssl shellcheck wrk git sftp litmus cadaver rclone s3_programs davfs strace chromium docker registry images systemd_image postfix postgres databases asciinema btrfs; do
    [ "${able[$name]:-false}" = true ] || failed="$failed $name"
  done
  [ -n "$failed" ] || return 0
  say WARNING "the suites that need these are skipped:$failed"
  if [ "${CI:-}" = true ]; then
    say FAILED 'nothing may be missing in CI'
    return 1
  fi
}
