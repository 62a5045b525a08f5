/** Kinds of databases that can tell all they have in a stream. */
export type Dumper = "postgres" | "mysql" | "mongodb" | "redis";

/** A database in a container of an app. */
export interface Database {
  service: string;
  dumper: Dumper;
  /** What of it, where its template says; all otherwise. */
  user: string | null;
  database: string | null;
}

/**
 * What writes all of a database to standard output, run by the shell of its own container: $1 is the user, $2 the database, both may be
 * empty. Passwords come from the container's own settings and stand on no command line.
 */
export const DUMP_SCRIPTS: Record<Dumper, string> = {
  postgres: `set -e
export PGPASSWORD="\${POSTGRES_PASSWORD:-$(cat "\${POSTGRES_PASSWORD_FILE:-/dev/null}")}"
user="\${1:-\${POSTGRES_USER:-postgres}}"
if [ -n "$2" ]; then exec pg_dump -w -U "$user" "$2"; fi
exec pg_dumpall -w -U "$user"`,
  mysql: `set -e
root="\${MARIADB_ROOT_PASSWORD:-\${MYSQL_ROOT_PASSWORD:-$(cat "\${MARIADB_ROOT_PASSWORD_FILE:-\${MYSQL_ROOT_PASSWORD_FILE:-/dev/null}}")}}"
own="\${MARIADB_PASSWORD:-\${MYSQL_PASSWORD:-$(cat "\${MARIADB_PASSWORD_FILE:-\${MYSQL_PASSWORD_FILE:-/dev/null}}")}}"
if [ -n "$root" ]; then user=root; export MYSQL_PWD="$root"
else user="\${1:-\${MARIADB_USER:-$MYSQL_USER}}"; export MYSQL_PWD="$own"; fi
dump="$(command -v mariadb-dump || command -v mysqldump)"
name="\${2:-\${MARIADB_DATABASE:-$MYSQL_DATABASE}}"
if [ "$user" = root ] && [ -z "$2" ]; then exec "$dump" -u root --single-transaction --quick --routines --events --all-databases; fi
exec "$dump" -u "$user" --single-transaction --quick --routines "$name"`,
  mongodb: `set -e
user="\${MONGO_INITDB_ROOT_USERNAME:-$(cat "\${MONGO_INITDB_ROOT_USERNAME_FILE:-/dev/null}")}"
word="\${MONGO_INITDB_ROOT_PASSWORD:-$(cat "\${MONGO_INITDB_ROOT_PASSWORD_FILE:-/dev/null}")}"
if [ -z "$user" ]; then exec mongodump --archive --quiet; fi
printf 'password: "%s"\\n' "$(printf %s "$word" | sed 's/[\\\\"]/\\\\&/g')" |
mongodump --config /dev/stdin --authenticationDatabase admin --username "$user" --archive --quiet`,
  redis: `set -e
export REDISCLI_AUTH="\${REDIS_PASSWORD:-}"
[ -n "$REDISCLI_AUTH" ] || unset REDISCLI_AUTH
exec "$(command -v redis-cli || command -v valkey-cli)" --no-auth-warning --rdb -`,
};

/** Names of images, without registry and tag, and what dumps what runs in them. */
const IMAGES: readonly [RegExp, Dumper][] = [
  [/(^|\/)(postgres|postgis|pgvector|timescaledb|pgvecto-rs|immich-app\/postgres)$/, "postgres"],
  [/(^|\/)(mariadb|mysql|percona|percona-server)$/, "mysql"],
  [/(^|\/)(mongo|mongodb)$/, "mongodb"],
  [/(^|\/)(redis|valkey)$/, "redis"],
];

const DECLARED: Readonly<Record<string, Dumper>> = {
  postgres: "postgres",
  mariadb: "mysql",
  mysql: "mysql",
  mongodb: "mongodb",
  redis: "redis",
};

/** What dumps what runs in an image; null where nothing does. */
export function dumperOf(image: string): Dumper | null {
  const name = image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  return IMAGES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** What a template says of a database. */
export interface DeclaredDump {
  service: string;
  engine: string;
  user?: string;
  database?: string;
}

/** The databases of an app: those that its template names, and those that its images tell. */
export function findDatabases(
  dumps: readonly DeclaredDump[],
  services: readonly { name: string; image: string }[],
): Database[] {
  const declared = dumps.flatMap(({ service, engine, user, database }) => {
    const dumper = DECLARED[engine];
    return dumper === undefined ? [] : [{ service, dumper, user: user ?? null, database: database ?? null }];
  });
  const named = new Set(declared.map(({ service }) => service));
  const seen = services.flatMap(({ name, image }) => {
    const dumper = named.has(name) ? null : dumperOf(image);
    return dumper === null ? [] : [{ service: name, dumper, user: null, database: null }];
  });
  return [...declared, ...seen];
}

/** The words that make a database write all it has. */
export const dumpCommand = ({ dumper, user, database }: Database): string[] => [
  "sh",
  "-c",
  DUMP_SCRIPTS[dumper],
  "sh",
  user ?? "",
  database ?? "",
];

const ENDINGS: Record<Dumper, string> = { postgres: "sql", mysql: "sql", mongodb: "archive", redis: "rdb" };

/** What the file of a dump is called. */
export const dumpName = ({ service, dumper, database }: Database): string =>
  `${service}${database === null ? "" : `-${database}`}.${ENDINGS[dumper]}`;
