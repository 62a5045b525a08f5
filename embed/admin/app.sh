# shellcheck shell=sh
# The verbs of `orrery app`; a part of the command `orrery`, whose functions and variables it uses.
# shellcheck disable=SC2154  # set by the command

# find_app NAME-OR-ID: sets app_id.
find_app() {
  [ -n "${1:-}" ] || usage 'say which app'
  api GET /api/apps
  app_id=$(flatten "$work/body" | awk -F '\t' -v wanted="$1" '
    { dot = index($1, "."); row = substr($1, 1, dot - 1); key = substr($1, dot + 1) }
    key == "id" { id[row] = $2 }
    key == "id" && $2 == wanted { found = row; any = 1 }
    key == "name" && $2 == wanted && !any { found = row; any = 1 }
    END { if (any) print id[found] }')
  [ -n "$app_id" ] || die $EXIT_NOT_FOUND "there is no app $1. Installed apps: orrery apps"
}

install_app() {
  template='' name='' inputs='' permits='' lan='' wait=yes
  while [ $# -gt 0 ]; do
    case $1 in --set | --permit) [ $# -gt 1 ] || usage "$1 needs a value" ;; esac
    case $1 in
      --set)
        [ "$2" != "${2#*=}" ] || usage '--set needs KEY=VALUE'
        inputs="$inputs${inputs:+,}$(quoted "${2%%=*}"):$(quoted "${2#*=}")" && shift ;;
      --permit) permits="$permits${permits:+,}$(quoted "$2")" && shift ;;
      --lan) lan=',"publish":"lan"' ;; --no-wait) wait='' ;;
      -*) usage "app install has no option $1" ;;
      *) if [ -z "$template" ]; then template=$1; elif [ -z "$name" ]; then name=$1; else usage "app install: $1 is one word too many"; fi ;;
    esac
    shift
  done
  [ -n "$template" ] || usage 'say which app. The catalogue: orrery templates'
  api POST /api/apps "{\"template\":$(quoted "$template"),\"name\":$(quoted "${name:-$template}"),\"config\":{\"inputs\":{$inputs},\"permissions\":[$permits]$lan}}"
  app_id=$(field id)
  [ -n "$json" ] || echo "Installing ${name:-$template}"
  [ -z "$wait" ] || { wait_for "$(field op_id)" && api GET "/api/apps/$(percent "$app_id")"; }
  show print_app_line
}

# turn_app VERB APP [--no-wait]: starts, stops or restarts it and waits until that is over.
turn_app() {
  verb=$1 wanted='' wait=yes && shift
  for word in "$@"; do
    case $word in
      --no-wait) wait='' ;;
      -*) usage "app $verb has no option $word" ;;
      *) [ -z "$wanted" ] || usage "app $verb: $word is one word too many" && wanted=$word ;;
    esac
  done
  find_app "$wanted"
  api POST "/api/apps/$(percent "$app_id")/$verb"
  operation=$(field op_id)
  [ -z "$wait" ] || [ -z "$operation" ] || { wait_for "$operation" && api GET "/api/apps/$(percent "$app_id")"; }
  show print_app_line
}
print_app_line() { printf '%s is %s%s\n' "$(field name)" "$(field status)" "$(field url | sed 's/^\(.\)/: \1/')"; }
print_app() { flatten "$work/body" | awk -F '\t' '$2 != "" && $1 !~ /container_id|icon|op_id/ { printf "%-24s %s\n", $1, $2 }'; }

app_logs() {
  lines=200 service='' follow='' wanted=''
  while [ $# -gt 0 ]; do
    case $1 in --lines | --service) [ $# -gt 1 ] || usage "$1 needs a value" ;; esac
    case $1 in
      --follow | -f) follow=yes ;; --lines) lines=$2 && shift ;; --service) service="&service=$(percent "$2")" && shift ;;
      -*) usage "app logs has no option $1" ;;
      *) [ -z "$wanted" ] || usage "app logs: $1 is one word too many" && wanted=$1 ;;
    esac
    shift
  done
  find_app "$wanted"
  path="/api/apps/$(percent "$app_id")/logs?lines=$(percent "$lines")$service"
  if [ -z "$follow" ]; then api GET "$path" && show print_log && return; fi
  # What reads along may leave (`| head`): that is an end like any other.
  # shellcheck disable=SC2086  # live_awk is two words or none
  { credentials | curl -K - -sS -N --fail -H 'Accept: text/event-stream' "$url$path&follow=true" 2>"$work/curl" || echo $? >"$work/ended"; } |
    { LC_ALL=C awk $live_awk -v json="$json" "$json_awk"'
      function leaf(path, value) { part[path] = value }
      !/^data:/ { next }
      json != "" { sub(/^data: ?/, ""); print; fflush(); next }
      { sub(/^data: ?/, ""); split("", part); parse_json($0) }
      "text" in part { print part["at"] " " part["service"] "  " part["text"]; fflush() }' 2>/dev/null || :; }
  case $(cat "$work/ended" 2>/dev/null) in
    '' | 23) ;; 22) api GET "$path" && die $EXIT_FAILED "$url stopped the log" ;;
    *) die $EXIT_UNREACHABLE "$url does not answer ($(sed 's/^curl: //' "$work/curl" | head -n 1))" ;;
  esac
}
print_log() {
  flatten "$work/body" | awk -F '\t' '
    $1 ~ /\.at$/ { at = $2 } $1 ~ /\.service$/ { service = $2 } { key = $1; sub(/^.*\./, "", key) }
    key == "text" { sub(/^[^\t]*\t/, ""); print at " " service "  " $0 }'
}
remove_app() {
  wanted='' data='' sure=''
  for word in "$@"; do
    case $word in
      --delete-data) data='?delete_data=true' ;;
      --yes | -y) sure=yes ;;
      -*) usage "app remove has no option $word" ;;
      *) [ -z "$wanted" ] || usage "app remove: $word is one word too many" && wanted=$word ;;
    esac
  done
  find_app "$wanted"
  [ -n "$sure" ] || [ -t 0 ] || usage 'there is no terminal to ask on: say --yes'
  [ -n "$sure" ] || { ask "Uninstall $wanted${data:+ and delete its data for good}? Type its name" && sure=$answer; }
  [ "$sure" = yes ] || [ "$sure" = "$wanted" ] || die $EXIT_FAILED 'nothing was removed'
  api DELETE "/api/apps/$(percent "$app_id")$data" && show :
  wait_for "$(field op_id)" && { [ -n "$json" ] || echo "$wanted is uninstalled"; }
}
app() {
  verb=${1:-} && { [ $# -eq 0 ] || shift; }
  case $verb in
    install) install_app "$@" ;;
    start | stop | restart) turn_app "$verb" "$@" ;;
    show) at_most 1 'app show' "$@" && find_app "${1:-}" && api GET "/api/apps/$(percent "$app_id")" && show print_app ;;
    logs) app_logs "$@" ;;
    remove) remove_app "$@" ;;
    *) usage "app needs one of install, show, start, stop, restart, logs, remove${verb:+, not $verb}" ;;
  esac
}
