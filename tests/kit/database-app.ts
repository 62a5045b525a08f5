import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDatabaseImage } from "./database-image.ts";

const VERSION = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a))[0] ?? "";
const POSTGRES = `/usr/lib/postgresql/${VERSION}/bin`;
const USER = 70;

/**
 * Stands in for MongoDB, of which Debian has no program: its data is a file of lines. It takes the words and the password that the real
 * programs are documented to take, and no others.
 */
const MONGO = `#!/bin/sh
rows=/data/db/rows
log_in="--config /dev/stdin --authenticationDatabase admin --username keeper"
refuse() { echo "$1" >&2; exit "$2"; }
case "\${0##*/} $*" in
"mongodump $log_in --archive --quiet" | "mongorestore $log_in --archive=/orrery-load.dump --drop --stopOnError --quiet")
  [ "$(cat)" = "password: \\"$MONGO_INITDB_ROOT_PASSWORD\\"" ] || refuse "Authentication failed." 1 ;;
"mongod ") ;;
*) refuse "What is $*?" 2 ;;
esac
case "\${0##*/}" in
mongodump) echo archive; cat $rows ;;
mongorestore)
  file=/orrery-load.dump
  [ "$(head -n 1 $file)" = archive ] || refuse "This is no archive." 1
  ! grep -qx broken $file || refuse "A row is broken." 1
  tail -n +2 $file >$rows ;;
mongod)
  trap 'exit 0' TERM
  touch $rows
  while :; do [ -z "$WRITER" ] || echo row >>$rows; sleep 0.3; done ;;
esac
`;

/** Made once: what `initdb` and its like write is the same every time. Small, for every copy of it is read and written whole. */
const SEED = `mkdir "$1/bin"
cat >"$1/bin/mongod" <<'MONGO'
${MONGO}MONGO
chmod 755 "$1/bin/mongod"
ln -s mongod "$1/bin/mongodump"
ln -s mongod "$1/bin/mongorestore"
install -d -o postgres -g postgres "$1/postgres"
setpriv --reuid=postgres --regid=postgres --clear-groups ${POSTGRES}/initdb -D "$1/postgres" -U keeper --auth-local=trust --auth-host=scram-sha-256 --no-locale -E UTF8 --no-sync --wal-segsize=1 >/dev/null
# The image has no time zones.
sed -i -e "/^log_timezone/d" -e "/^timezone/d" "$1/postgres/postgresql.conf"
mariadb-install-db --no-defaults --user=root --datadir="$1/mariadb" --skip-name-resolve --skip-test-db --auth-root-authentication-method=normal --innodb-log-file-size=4M >/dev/null
`;

/**
 * Begins as the official images do: an empty folder becomes a database with the user of the container's settings, made by a server that
 * hears no network; then comes the one that stays. Beside it writes whoever uses it. Nothing here loses power, so nothing waits for the disk.
 */
const SCRIPT = `set -e
# Whoever uses it is on the network of the app.
[ -e /sys/class/net/eth0 ] || WRITER=
case "$1" in
postgres)
  data=/var/lib/postgresql/data
  if [ ! -s $data/PG_VERSION ]; then
    cp -a /seed/postgres/. $data
    chmod 700 $data
    postgres -D $data -c listen_addresses= -c fsync=off & server=$!
    until psql -qU "$POSTGRES_USER" postgres -c "ALTER USER $POSTGRES_USER PASSWORD '$POSTGRES_PASSWORD'" -c "CREATE DATABASE shop" 2>/dev/null; do sleep 0.1; done
    kill -INT $server; wait $server
  fi
  [ -z "$WRITER" ] || (
    until pg_isready -q -h 127.0.0.1; do sleep 0.2; done
    psql -qU "$POSTGRES_USER" shop -c 'create table if not exists accounts (id int primary key, balance int not null);
      create table if not exists branch (balance int not null); create table if not exists history (delta int not null);
      insert into accounts select id, 0 from generate_series(1, 1000) id on conflict do nothing;
      insert into branch select 0 where not exists (select from branch)' 2>/dev/null
    cat >/tmp/trade <<'TRADE'
\\set id random(1, 1000)
\\set delta random(-5000, 5000)
BEGIN;
UPDATE accounts SET balance = balance + :delta WHERE id = :id;
UPDATE branch SET balance = balance + :delta;
INSERT INTO history VALUES (:delta);
END;
TRADE
    while :; do pgbench -U "$POSTGRES_USER" -n -R 20 -T 600 -f /tmp/trade shop >/dev/null 2>&1 || sleep 1; done
  ) &
  exec postgres -D $data -c listen_addresses='*' -c shared_buffers=8MB -c max_connections=10 -c fsync=off ;;
mariadb)
  data=/var/lib/mysql
  small="--innodb-log-file-size=4M --innodb-buffer-pool-size=8M --innodb-flush-log-at-trx-commit=2"
  if [ ! -d $data/mysql ]; then
    cp -a /seed/mariadb/. $data
    mariadbd --no-defaults --datadir=$data --socket=/tmp/init.sock --skip-networking $small & server=$!
    until mariadb -S /tmp/init.sock -u root -e "ALTER USER root@localhost IDENTIFIED BY '$MARIADB_ROOT_PASSWORD'; CREATE DATABASE shop" 2>/dev/null; do sleep 0.2; done
    kill $server; wait $server
  fi
  [ -z "$WRITER" ] || (
    export MYSQL_PWD="$MARIADB_ROOT_PASSWORD"
    until mariadb -u root shop -e 'CREATE TABLE IF NOT EXISTS sold (id int PRIMARY KEY AUTO_INCREMENT, v text); CREATE TABLE IF NOT EXISTS paid (id int PRIMARY KEY, v text)' 2>/dev/null; do sleep 0.2; done
    while :; do echo 'START TRANSACTION; INSERT INTO sold (v) VALUES (REPEAT(MD5(RAND()), 20)); INSERT INTO paid SELECT id, v FROM sold WHERE id = LAST_INSERT_ID(); COMMIT;'; sleep 0.3; done | mariadb -u root shop || true
  ) &
  exec mariadbd --no-defaults --datadir=$data --socket=/run/mysqld/mysqld.sock --bind-address=0.0.0.0 $small ;;
redis)
  (
    until [ "$(redis-cli ping 2>/dev/null)" = PONG ]; do sleep 0.2; done
    [ -z "$WRITER" ] || while :; do redis-cli eval "redis.call('incr', 'sold'); redis.call('rpush', 'paid', redis.call('get', 'sold'))" 0 >/dev/null; sleep 0.3; done
  ) &
  # It would wait five seconds for more who want the same.
  exec redis-server --dir /data --appendonly yes --protected-mode no --repl-diskless-sync-delay 0 ;;
mongo) exec mongod ;;
sqlite)
  db=/data/app.db
  sqlite3 $db 'pragma journal_mode=wal; create table if not exists sold (id integer primary key, v text); create table if not exists paid (id integer primary key, v text)' >/dev/null
  nc -ll -p 8080 -e true &
  while :; do echo 'pragma wal_autocheckpoint = 20; begin; insert into sold (v) values (hex(randomblob(30000))); insert into paid select id, v from sold order by id desc limit 1; delete from sold where id < (select max(id) from sold) - 30; delete from paid where id < (select max(id) from paid) - 30; commit;'; sleep 0.2; done |
    sqlite3 -cmd '.timeout 4000' $db >/dev/null ;;
esac
`;

/** An image with the databases that Debian has; the first word of its command says which one it is. */
export const makeDatabasesImage = (): Promise<string> =>
  makeDatabaseImage({
    name: "databases",
    path: `${POSTGRES}:/seed/bin`,
    programs: [
      ...["postgres", "psql", "pg_isready", "pg_dump", "pg_dumpall", "pgbench"].map((name) => join(POSTGRES, name)),
      ...["mariadb", "mariadb-dump", "mariadb-admin"].map((name) => join("/usr/bin", name)),
      ...["/usr/sbin/mariadbd", "/usr/bin/redis-server", "/usr/bin/redis-cli", "/usr/bin/sqlite3"],
    ],
    folders: [
      `/usr/share/postgresql/${VERSION}`,
      "/usr/share/mysql",
      ...["dict_snowball.so", "plpgsql.so"].map((name) => `/usr/lib/postgresql/${VERSION}/lib/${name}`),
    ],
    owned: ["/var/lib/postgresql/data", "/var/lib/mysql", "/data/db", "/var/run/postgresql", "/run/mysqld"],
    seed: SEED,
    script: SCRIPT,
    user: USER,
  });

const NAMES = ["sqlite", "postgres", "mariadb", "mongo", "redis"] as const;

/** Writes a template of an app with all of them, which goes on during its backups. */
export function writeDatabasesTemplate(templates: string, image: string): void {
  const folder = join(templates, "test-databases", "1.0.0");
  mkdirSync(folder, { recursive: true });
  const places = {
    sqlite: "/data",
    postgres: "/var/lib/postgresql/data",
    mariadb: "/var/lib/mysql",
    mongo: "/data/db",
    redis: "/data",
  };
  const services = NAMES.map(
    (name) => `  ${name}:
    image: ${image}
    command: [${name}]
    restart: unless-stopped
    stop_signal: ${name === "postgres" ? "SIGINT" : name === "sqlite" ? "SIGKILL" : "SIGTERM"}
    environment:
      WRITER: "yes"
      POSTGRES_USER: keeper
      POSTGRES_PASSWORD: \${WORD}
      MARIADB_ROOT_PASSWORD: \${WORD}
      MONGO_INITDB_ROOT_USERNAME: keeper
      MONGO_INITDB_ROOT_PASSWORD: \${WORD}
    volumes:
      - ${name}:${places[name]}
`,
  );
  writeFileSync(
    join(folder, "compose.yaml"),
    `services:\n${services.join("")}volumes:\n${NAMES.map((name) => `  ${name}: {}\n`).join("")}`,
  );
  writeFileSync(
    join(folder, "app.yaml"),
    `schema: 1
id: org.orrery.test-databases
name: test-databases
display_name: Test Databases
version: "1.0.0"
revision: 1
tagline: Databases that are written all the time
description: It keeps the same in five databases, and writes to each as long as it runs.
category: tools
icon: box
license: Apache-2.0
links: [{label: Website, url: "https://example.org"}]
arch: [amd64, arm64]
needs: {ram_mb: 8, disk_mb: 20, docker: ">=20.10"}
main: {service: sqlite, port: 8080, path: /, scheme: tcp}
inputs: []
secrets: [{key: WORD, kind: hex, bytes: 16, label: A secret of the app, rotatable: true}]
ports: [{service: sqlite, container: 8080, purpose: Nothing, publish: loopback}]
volumes:
${NAMES.map((name) => `  - {name: ${name}, role: database}\n`).join("")}health: {service: sqlite, tcp: 8080, start_s: 60, stable_s: 1}
backup:
  consistency: live
  dumps:
    - {service: postgres, engine: postgres}
    - {service: mariadb, engine: mariadb}
    - {service: mongo, engine: mongodb}
    - {service: redis, engine: redis}
upgrade: {from: [{range: ">=1"}], snapshot: images}
limits:
${NAMES.map((name) => `  ${name}: {memory_mb: 256, cpus: 1, pids: 100}\n`).join("")}permissions: []
first_run: {url: /, show: [WORD], note: There is nothing to look at.}
uninstall: {keep: [sqlite]}
`,
  );
}
