# shellcheck shell=sh
# The verbs of `orrery backup`; a part of the command `orrery`, whose functions and variables it uses.
# shellcheck disable=SC2154  # set by the command

# ids_of FIELD: that field of each entry of the last answer, as JSON strings with commas.
ids_of() { flatten "$work/body" | awk -F '\t' -v key="$1" '$1 ~ "^[0-9]+\\." key "$" { printf "%s\"%s\"", (n++ ? "," : ""), $2 }'; }

# run_backup [TARGET]: settings and all apps; the target by name or id, the only one when left out.
run_backup() {
  at_most 1 'backup run' "$@"
  api GET /api/backup/targets
  into=$(flatten "$work/body" | awk -F '\t' -v wanted="${1:-}" '
    { dot = index($1, "."); row = substr($1, 1, dot - 1); key = substr($1, dot + 1) }
    key == "id" { id[row] = $2; count++ }
    (key == "id" || key == "name") && $2 == wanted { found = row; any = 1 }
    END { if (any) print id[found]; else if (wanted == "" && count == 1) for (row in id) print id[row] }')
  [ -n "$into" ] || [ -n "${1:-}" ] || usage 'say which target: orrery backup targets'
  [ -n "$into" ] || die "$EXIT_NOT_FOUND" "there is no backup target $1. All of them: orrery backup targets"
  api GET /api/apps
  api POST /api/backups "{\"target\":$(quoted "$into"),\"apps\":[$(ids_of id)],\"include_config\":true}"
  backup_id=$(field id)
  wait_for "$(field op_id)"
  [ -z "$json" ] || { api GET /api/backups && cat "$work/body" && echo && return; }
  echo "Backup $backup_id is completed. Read it back: orrery backup verify $backup_id"
}

# restore_backup ID [APP…] [--yes]: apps come back as they were; all of the backup when none is named.
restore_backup() {
  backup_id='' chosen='' sure=''
  for word in "$@"; do
    case $word in
      --yes | -y) sure=yes ;;
      -*) usage "backup restore has no option $word" ;;
    esac
  done
  for word in "$@"; do
    case $word in
      -*) ;;
      *) if [ -z "$backup_id" ]; then backup_id=$word; else find_app "$word" && chosen="$chosen${chosen:+,}$(quoted "$app_id")"; fi ;;
    esac
  done
  [ -n "$backup_id" ] || usage 'say which backup: orrery backup list'
  [ -n "$sure" ] || [ -t 0 ] || usage 'there is no terminal to ask on: say --yes'
  [ -n "$sure" ] || { ask 'The data of these apps becomes what it was. Type yes' && sure=$answer; }
  [ "$sure" = yes ] || die "$EXIT_FAILED" 'nothing was changed'
  if [ -n "$chosen" ]; then body_text="{\"apps\":[$chosen]}"; else body_text='{}'; fi
  api POST "/api/backups/$(percent "$backup_id")/restore" "$body_text"
  wait_for "$(field op_id)" && { [ -n "$json" ] || echo "The apps are as they were in $backup_id"; }
}

# find_restic NAME-OR-ID: sets restic_id.
find_restic() {
  [ -n "${1:-}" ] || usage 'say which repository: orrery backup restic'
  api GET /api/backup/restic
  restic_id=$(flatten "$work/body" | awk -F '\t' -v wanted="$1" '
    { dot = index($1, "."); row = substr($1, 1, dot - 1); key = substr($1, dot + 1) }
    key == "id" { id[row] = $2 }
    (key == "id" || key == "name") && $2 == wanted { found = row; any = 1 }
    END { if (any) print id[found] }')
  [ -n "$restic_id" ] || die "$EXIT_NOT_FOUND" "there is no restic repository $1. All of them: orrery backup restic"
}

# pages PATH KEY FIELD…: a list that comes page by page, all of it.
pages() {
  path=$1 key=$2 from=0 && shift 2
  : >"$work/rows"
  while [ -n "$from" ]; do
    api GET "$path&from=$from&limit=500"
    [ -z "$json" ] || { cat "$work/body" && echo; }
    flatten "$work/body" | awk -F '\t' -v key="$key." -v from="$from" '
      index($1, key) == 1 { rest = substr($1, length(key) + 1); dot = index(rest, "."); print substr(rest, 1, dot - 1) + from substr(rest, dot) "\t" $2 }' >>"$work/rows"
    from=$(field next)
  done
  [ -n "$json" ] || columns "$@" <"$work/rows"
}

# save_file PATH FILE: what the node answers there; nothing stays of one that was cut off.
save_file() {
  # Renews a session that has run out, which the download itself would only hear of.
  api GET /api/auth/me
  if [ "$2" = - ]; then part=$work/part; else part=$2.part; fi
  status=$(credentials | curl -K - -sS -o "$part" -w '%{http_code}' "$url$1" 2>"$work/curl") ||
    { rm -f "$part" && die "$EXIT_UNREACHABLE" "it was cut off ($(sed 's/^curl: //' "$work/curl" | head -n 1))"; }
  # The answer says what is wrong; asked again, the program ends with it.
  [ "$status" = 200 ] || { rm -f "$part" && api GET "$1" && die "$EXIT_FAILED" "the node answered $status"; }
  if [ "$2" = - ]; then cat "$part"; else mv -f "$part" "$2" && { [ -n "$json" ] || echo "Saved $2"; }; fi
}

restic_verbs() {
  verb=${1:-list} && { [ $# -eq 0 ] || shift; }
  case $verb in
    list) at_most 0 'backup restic list' "$@" && api GET /api/backup/restic && show table id type name path read_at && return ;;
    read | snapshots) at_most 1 "backup restic $verb" "$@" ;;
    files) at_most 3 'backup restic files' "$@" ;;
    get) at_most 4 'backup restic get' "$@" ;;
    *) usage "backup restic needs one of read, snapshots, files, get or nothing, not $verb" ;;
  esac
  find_restic "${1:-}" && shift
  at="/api/backup/restic/$(percent "$restic_id")"
  case $verb in
    read) api POST "$at/read" && wait_for "$(field op_id)" && { [ -n "$json" ] || echo 'It is read.'; } ;;
    snapshots) pages "$at/snapshots?" snapshots id created_at host user size_bytes ;;
    files)
      [ -n "${1:-}" ] || usage 'say which snapshot: orrery backup restic snapshots NAME'
      pages "$at/snapshots/$(percent "$1")/files?path=$(percent "${2:-}")" files kind size_bytes changed_at path ;;
    get)
      [ $# -eq 3 ] || usage 'say which snapshot, which path, and where to save it'
      save_file "$at/snapshots/$(percent "$1")/download?path=$(percent "$2")" "$3" ;;
  esac
}

backup() {
  verb=${1:-} && { [ $# -eq 0 ] || shift; }
  case $verb in
    list) at_most 0 'backup list' "$@" && api GET /api/backups && show table id status started_at target size_bytes verified_at cause ;;
    targets) at_most 0 'backup targets' "$@" && api GET /api/backup/targets && show table id type name path ;;
    run) run_backup "$@" ;;
    verify)
      at_most 1 'backup verify' "$@"
      [ -n "${1:-}" ] || usage 'say which backup: orrery backup list'
      api POST "/api/backups/$(percent "$1")/verify" && wait_for "$(field op_id)"
      [ -n "$json" ] || echo "Backup $1 was read back and is whole" ;;
    restore) restore_backup "$@" ;;
    start)
      at_most 1 'backup start' "$@"
      find_app "${1:-}"
      api POST "/api/backup/start-tests/$(percent "$app_id")" && wait_for "$(field op_id)"
      api GET /api/backup/start-tests && show table name outcome tried_at answered_at cause ;;
    restic) restic_verbs "$@" ;;
    *) usage "backup needs one of list, targets, run, verify, restore, start, restic${verb:+, not $verb}" ;;
  esac
}
