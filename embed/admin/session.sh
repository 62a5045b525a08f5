# shellcheck shell=sh disable=SC2154,SC2034
# Part of the command `orrery`: where sessions are kept, and which node they are of.

# The scheme and the host of URL in lower case, without slashes at its end: one node has one spelling.
normalised() {
  printf '%s' "$1" | LC_ALL=C awk '{
    sub(/\/+$/, "")
    if (match($0, /^[A-Za-z]+:\/\/[^\/]*/)) $0 = tolower(substr($0, 1, RLENGTH)) substr($0, RLENGTH + 1)
    printf "%s", $0
  }'
}

# One file per node, named by a digest of its whole address: a token is never sent to another one than it came from.
session_file() {
  digest=$(printf '%s' "$url" | { sha256sum || shasum -a 256; } 2>/dev/null | cut -c 1-64)
  printf '%s/session-%s' "$config" "${digest:-$(percent "$url")}"
}
# The name that earlier versions gave, where it can only be this node's: several addresses shared one.
former_session_file() {
  [ "$url" = "$(cat "$config/default-url" 2>/dev/null)" ] ||
    printf '%s\n' "$url" | LC_ALL=C grep -Eq '^https?://[a-z0-9.]+(:[0-9]+)?$' || return 0
  printf '%s/session-%s' "$config" "$(printf '%s' "$url" | tr -c 'A-Za-z0-9.\n' '_')"
}
load_session() {
  [ -n "$url" ] || url=$(cat "$config/default-url" 2>/dev/null || echo http://127.0.0.1:8420)
  url=$(normalised "$url")
  kept=$(session_file)
  [ -f "$kept" ] || kept=$(former_session_file)
  if [ -f "$kept" ]; then
    while IFS='=' read -r key value; do
      case $key in access) access=$value ;; refresh) refresh=$value ;; api_key) api_key=$value ;; esac
    done <"$kept"
  fi
  api_key=${ORRERY_API_KEY:-$api_key}
}
save_session() {
  mkdir -p "$config" && chmod 700 "$config"
  file=$(session_file)
  printf 'access=%s\nrefresh=%s\napi_key=%s\n' "$access" "$refresh" "$api_key" >"$file.new"
  mv "$file.new" "$file"
  if [ -n "$kept" ] && [ "$kept" != "$file" ]; then rm -f "$kept"; fi
  kept=$file
  printf '%s\n' "$url" >"$config/default-url"
}
