# shellcheck shell=sh
# The verbs of `orrery backup`; a part of the command `orrery`, whose functions and variables it uses.
# shellcheck disable=SC2154  # set by the command

# ids_of FIELD: that field of each entry of the last answer, as JSON strings with commas.
ids_of() { flatten "$work/body" | awk -F '\t' -v key="$1" '$1 ~ "^[0-9]+\\." key "$" { printf "%s\"%s\"", (n++ ? "," : ""), $2 }'; }

# run_backup [TARGET]: settings and all apps; the target by name or id, the only one when left out.
run_backup() {
  [ $# -lt 2 ] || usage "$2 is too much"
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

backup() {
  verb=${1:-} && { [ $# -eq 0 ] || shift; }
  case $verb in
    list) api GET /api/backups && show table id status started_at target size_bytes verified_at cause ;;
    targets) api GET /api/backup/targets && show table id type name path ;;
    run) run_backup "$@" ;;
    verify)
      [ -n "${1:-}" ] || usage 'say which backup: orrery backup list'
      api POST "/api/backups/$(percent "$1")/verify" && wait_for "$(field op_id)"
      [ -n "$json" ] || echo "Backup $1 was read back and is whole" ;;
    restore) restore_backup "$@" ;;
    *) usage 'backup needs one of list, targets, run, verify, restore' ;;
  esac
}
