import type { EngineSession, SnapshotPart } from "../engine/index.ts";
import type { Own } from "./needs.ts";

/** Kinds of databases that can tell all they have in a stream. */
export type Dumper = "postgres" | "mysql" | "mongodb" | "redis";

/** A database in a container of an app. */
export interface Dump {
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

/** The databases of an app: those that its template names, and those that its images tell. */
export function findDumps({ apps }: Pick<Own, "apps">, appId: string): Dump[] {
  const declared = apps.backupOf(appId).dumps.flatMap(({ service, engine, user, database }) => {
    const dumper = DECLARED[engine];
    return dumper === undefined ? [] : [{ service, dumper, user: user ?? null, database: database ?? null }];
  });
  const named = new Set(declared.map(({ service }) => service));
  const seen = apps.imagesOf(appId).flatMap(({ name, image }) => {
    const dumper = named.has(name) ? null : dumperOf(image);
    return dumper === null ? [] : [{ service: name, dumper, user: null, database: null }];
  });
  return [...declared, ...seen];
}

const ENDINGS: Record<Dumper, string> = { postgres: "sql", mysql: "sql", mongodb: "archive", redis: "rdb" };

/** Name of the part that a dump becomes. */
export const nameOf = ({ service, dumper, database }: Dump): string =>
  `dumps/${service}${database === null ? "" : `-${database}`}.${ENDINGS[dumper]}`;

/** What dumping made, and what did not work, in sentences. */
export interface StoredDumps {
  parts: SnapshotPart[];
  added: number;
  notes: string[];
}

/**
 * Lets the databases of a running app write all they have into a repository. One that does not is told of: the volumes, which are
 * copied as well, are what the app comes back from.
 */
export async function storeDumps(
  own: Own,
  session: EngineSession,
  appId: string,
  onBytes: (bytes: number) => void,
): Promise<StoredDumps> {
  const stored: StoredDumps = { parts: [], added: 0, notes: [] };
  const services = new Map(own.apps.listServices(appId).map((service) => [service.name, service]));
  for (const dump of findDumps(own, appId)) {
    const service = services.get(dump.service);
    if (service?.state !== "running" || service.container_id === null) continue;
    const argv = ["sh", "-c", DUMP_SCRIPTS[dump.dumper], "sh", dump.user ?? "", dump.database ?? ""];
    const stream = await own.runtime.requireEngine().openExec(service.container_id, argv, own.signal);
    const { added, ...rest } = await session.storeStream(stream.bytes, onBytes);
    stored.added += added;
    const { exit_code, output } = await stream.end();
    if (exit_code === 0) stored.parts.push({ kind: "file", app: appId, name: nameOf(dump), ...rest });
    else stored.notes.push(describeFailure(own.apps.get(appId).name, dump, output));
  }
  return stored;
}

function describeFailure(app: string, { service }: Dump, output: string): string {
  const last = output.split("\n").at(-1)?.trim().slice(0, 200) ?? "";
  const why = last === "" ? "" : ` It said: ${last}`;
  return `The database in ${service} of ${app} could not be dumped; its files were copied.${why}`;
}
