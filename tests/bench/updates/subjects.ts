import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseImage } from "../../kit/database-image.ts";
import { testEnv } from "../../kit/env.ts";
import type { OwnEngine } from "../../kit/own-engine.ts";

/** What a running app is asked: a command in one of its containers. */
export type Ask = (service: string, ...command: string[]) => Promise<string>;

/** One app whose updates are made to fail. */
export interface Subject {
  name: string;
  withDatabase: boolean;
  /** The service that the faults hit. */
  victim: "web" | "database";
  database?: DatabaseImage;
  databaseHealth?: string;
  /** Puts data into it once it runs. */
  fill(ask: Ask): Promise<void>;
  /** What must not be lost from now on. */
  remember(ask: Ask): Promise<string>;
  /** The same, read later: equal means that nothing was lost or changed. `mark` is what was remembered. */
  recall(ask: Ask, mark: string): Promise<string>;
}

const LOOK =
  "cd /data && ls -lnR . && find . -type f -exec sha256sum {} + | sort && find . -type l -exec readlink {} + | sort";
const look = (ask: Ask): Promise<string> => ask("web", "sh", "-c", LOOK);
const files = (name: string, fill: string, withDatabase = false): Subject => ({
  name,
  withDatabase,
  victim: "web",
  fill: async (ask) => void (await ask("web", "sh", "-c", fill)),
  remember: look,
  recall: look,
});

const POSTGRES_BIN = ((versions) => join("/usr/lib/postgresql", versions.at(-1) ?? "", "bin"))(
  readdirSync("/usr/lib/postgresql").sort((a, b) => Number(a) - Number(b)),
);
const version = POSTGRES_BIN.split("/").at(-2) ?? "";

const postgres: DatabaseImage = {
  // By this name its dumps are known.
  name: "postgres",
  path: POSTGRES_BIN,
  env: { PGHOST: "/tmp", POSTGRES_USER: "keeper" },
  programs: ["postgres", "psql", "pg_isready", "pg_amcheck", "pg_dump", "pg_dumpall"].map((program) =>
    join(POSTGRES_BIN, program),
  ),
  folders: [`/usr/lib/postgresql/${version}/lib`, `/usr/share/postgresql/${version}`],
  user: 70,
  seed: `install -d -o postgres -g postgres "$1/postgres"
setpriv --reuid=postgres --regid=postgres --clear-groups ${POSTGRES_BIN}/initdb -D "$1/postgres" -A trust -U keeper --no-locale -E UTF8 --no-sync --wal-segsize=1 >/dev/null
# The image has no time zones.
sed -i -e "/^log_timezone/d" -e "/^timezone/d" "$1/postgres/postgresql.conf"
`,
  script: `set -e
bin=${POSTGRES_BIN}
[ -f /data/pg/PG_VERSION ] || cp -a /seed/postgres /data/pg
(
  until $bin/psql -h /tmp -U keeper postgres -qc 'create table if not exists rows (id bigserial primary key, v text not null)'; do sleep 0.2; done
  while :; do $bin/psql -h /tmp -U keeper postgres -qc 'insert into rows (v) values (md5(random()::text))' || true; sleep 0.2; done
) &
# No update loses power, so nothing waits for the disk.
exec $bin/postgres -D /data/pg -k /tmp -c listen_addresses= -c shared_buffers=8MB -c max_connections=10 -c fsync=off
`,
};

const psql = (ask: Ask, sql: string): Promise<string> =>
  ask("database", join(POSTGRES_BIN, "psql"), "-h", "/tmp", "-U", "keeper", "-At", "-c", sql, "postgres");

const sqlite: DatabaseImage = {
  name: "keeps-sqlite",
  programs: ["/usr/bin/sqlite3"],
  folders: [],
  user: 71,
  script: `set -e
db=/data/app.db
sqlite3 $db 'pragma journal_mode=wal; create table if not exists rows (id integer primary key, v text not null)' >/dev/null
trap 'exit 0' TERM
: > /tmp/up
while :; do sqlite3 -cmd '.timeout 2000' $db 'insert into rows (v) values (hex(randomblob(16)))'; sleep 0.2; done
`,
};

const sqlite3 = (ask: Ask, sql: string): Promise<string> =>
  ask("database", "sqlite3", "-cmd", ".timeout 2000", "/data/app.db", sql);

/** The eight kinds of apps. */
export const SUBJECTS: readonly Subject[] = [
  files("one-file", "echo kept > /data/note"),
  files("two-services", "echo kept > /data/note", true),
  files("many-files", "for i in $(seq 2000); do echo $i > /data/file-$i; done"),
  files("large-file", "dd if=/dev/urandom of=/data/large bs=1M count=60 2>/dev/null"),
  files(
    "odd-names",
    "cd /data && mkdir -p 'a b/ü' && echo 1 > 'a b/ü/-x' && echo 2 > \"it's\" && echo 3 > 'a b/.hidden' && : > empty",
  ),
  files(
    "owners-and-links",
    "cd /data && echo 1 > own && chown 1234:5678 own && chmod 0640 own && ln -s own soft && ln own hard && mkdir -m 0700 -p deep/er && echo 2 > deep/er/x",
  ),
  {
    name: "sqlite",
    withDatabase: true,
    victim: "database",
    database: sqlite,
    databaseHealth: "[ -f /tmp/up ] && sqlite3 /data/app.db 'select 1 from rows limit 1'",
    fill: async () => undefined,
    async remember(ask) {
      const last = await sqlite3(ask, "select max(id) from rows");
      return `${last}\n${await sqlite3(ask, `select id, v from rows where id <= ${last}`)}`;
    },
    async recall(ask, mark) {
      const [last = "0"] = mark.split("\n");
      const check = await sqlite3(ask, "pragma integrity_check");
      if (check !== "ok") return check;
      return `${last}\n${await sqlite3(ask, `select id, v from rows where id <= ${last}`)}`;
    },
  },
  {
    name: "postgres",
    withDatabase: true,
    victim: "database",
    database: postgres,
    databaseHealth: `${join(POSTGRES_BIN, "psql")} -h /tmp -U keeper -qAtc 'select 1 from rows limit 1' postgres`,
    fill: async () => undefined,
    async remember(ask) {
      const last = await psql(ask, "select max(id) from rows");
      return `${last}\n${await psql(ask, `select id, v from rows where id <= ${last} order by id`)}`;
    },
    async recall(ask, mark) {
      const [last = "0"] = mark.split("\n");
      await psql(ask, "create extension if not exists amcheck");
      await psql(ask, "select bt_index_check(indexrelid, true) from pg_index where indrelid = 'rows'::regclass");
      return `${last}\n${await psql(ask, `select id, v from rows where id <= ${last} order by id`)}`;
    },
  },
];

/** A command in a container of an app, by the name of the app. */
export const askOf =
  (engine: OwnEngine, name: string): Ask =>
  (service, ...command) =>
    engine.docker("exec", `orrery-${name}-${service}`, ...command);

/** The image that a subject's victim runs on. */
export const victimImage = (subject: Subject, database: string): string =>
  subject.victim === "web" ? testEnv().images.web : database;
