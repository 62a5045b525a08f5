import type { Dumper } from "./dumps.ts";

/** Waits for what a condition of the shell says, three minutes at most. */
const waitFor = (condition: string): string => `tries=0
until ${condition} >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 600 ]; then echo "the database did not start within three minutes" >&2; exit 1; fi
  sleep 0.3
done`;

/** A dump that was cut off lacks its last line. */
const whole = (words: string): string =>
  `if ! tail -c 500 "$3" | grep -q "${words}"; then echo "the dump has no end" >&2; exit 1; fi`;

/**
 * What fills an empty database, which runs for nothing else, from the dump in the file $3, run by the shell of its own container: $1 is
 * the user, $2 the database, both may be empty. It must end with 0 only when all of the dump is there.
 */
export const LOAD_SCRIPTS: Record<Dumper, string> = {
  postgres: `set -e
export PGPASSWORD="\${POSTGRES_PASSWORD:-$(cat "\${POSTGRES_PASSWORD_FILE:-/dev/null}")}" PGOPTIONS="-c lc_messages=C"
user="\${1:-\${POSTGRES_USER:-postgres}}"
${whole("^-- PostgreSQL database.* dump complete")}
${waitFor("pg_isready -q -h 127.0.0.1")}
ask() { psql -w -q -X -A -t -U "$user" "$@"; }
if [ -n "$2" ]; then
  printf '%s\\n' 'DROP DATABASE IF EXISTS :"name";' 'CREATE DATABASE :"name" TEMPLATE template0;' |
    ask -d template1 -v name="$2" -v ON_ERROR_STOP=1 -f -
  ask -d "$2" -v ON_ERROR_STOP=1 -1 -f "$3" >/dev/null
else
  ask -d postgres -c "select format('DROP DATABASE %I;', datname) from pg_database where not datistemplate and datname <> 'postgres'" |
    ask -d postgres -v ON_ERROR_STOP=1 -f -
  said="$(ask -d postgres -f "$3" 2>&1 >/dev/null || true)"
  # The role that it was begun with is there already; the dump says its password in the next line.
  wrong="$(printf '%s\\n' "$said" | grep -E 'ERROR|FATAL|connection to server' | grep -vE 'role ".*" already exists' || true)"
  if [ -n "$wrong" ]; then printf '%s\\n' "$wrong" | head -n 1 >&2; exit 1; fi
fi`,
  mysql: `set -e
root="\${MARIADB_ROOT_PASSWORD:-\${MYSQL_ROOT_PASSWORD:-$(cat "\${MARIADB_ROOT_PASSWORD_FILE:-\${MYSQL_ROOT_PASSWORD_FILE:-/dev/null}}")}}"
own="\${MARIADB_PASSWORD:-\${MYSQL_PASSWORD:-$(cat "\${MARIADB_PASSWORD_FILE:-\${MYSQL_PASSWORD_FILE:-/dev/null}}")}}"
if [ -n "$root" ]; then user=root; export MYSQL_PWD="$root"
else user="\${1:-\${MARIADB_USER:-$MYSQL_USER}}"; export MYSQL_PWD="$own"; fi
client="$(command -v mariadb || command -v mysql)"
admin="$(command -v mariadb-admin || command -v mysqladmin)"
name="\${2:-\${MARIADB_DATABASE:-$MYSQL_DATABASE}}"
${whole("^-- Dump completed")}
${waitFor('"$admin" -h 127.0.0.1 -u "$user" ping')}
if [ "$user" = root ] && [ -z "$2" ]; then
  "$client" -u root <"$3"
  "$client" -u root -e "FLUSH PRIVILEGES"
else
  "$client" -u "$user" -e "CREATE DATABASE IF NOT EXISTS \\\`$name\\\`"
  "$client" -u "$user" "$name" <"$3"
fi`,
  mongodb: `set -e
user="\${MONGO_INITDB_ROOT_USERNAME:-$(cat "\${MONGO_INITDB_ROOT_USERNAME_FILE:-/dev/null}")}"
word="\${MONGO_INITDB_ROOT_PASSWORD:-$(cat "\${MONGO_INITDB_ROOT_PASSWORD_FILE:-/dev/null}")}"
# The entry point makes users with a server that ends again, and becomes the one that stays.
${waitFor("grep -q mongod /proc/1/comm")}
if [ -z "$user" ]; then exec mongorestore --archive="$3" --drop --stopOnError --quiet; fi
printf 'password: "%s"\\n' "$(printf %s "$word" | sed 's/[\\\\"]/\\\\&/g')" |
mongorestore --config /dev/stdin --authenticationDatabase admin --username "$user" --archive="$3" --drop --stopOnError --quiet`,
  redis: `set -e
# $2 is the file that the server reads at its start, $4 whether it keeps a log of changes, which it would read instead.
server="$(command -v redis-server || command -v valkey-server)"
client="$(command -v redis-cli || command -v valkey-cli)"
unset REDISCLI_AUTH
folder="$(dirname "$2")"
cp "$3" "$2"
"$server" --port 0 --unixsocket /tmp/orrery-load.sock --dir "$folder" --dbfilename "$(basename "$2")" --appendonly no --save "" --daemonize yes >/dev/null
ask() { "$client" -s /tmp/orrery-load.sock "$@"; }
is_up() { [ "$(ask ping)" = PONG ]; }
is_written() { ask info persistence | grep -q aof_rewrite_in_progress:0 && ask info persistence | grep -q aof_rewrite_scheduled:0; }
${waitFor("is_up")}
if [ "$4" = yes ]; then
  ask config set appendonly yes >/dev/null
  ${waitFor("is_written")}
  ask info persistence | grep -q aof_last_bgrewrite_status:ok
fi
ask shutdown nosave >/dev/null 2>&1 || true
chown -R "$(stat -c %u:%g "$folder")" "$folder"`,
};
