import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { suite } from "../../../../../tests/kit/env.ts";
import { createPostgresDatabase } from "../../../../../tests/kit/postgres.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { DUMP_SCRIPTS, type Dumper, dumperOf } from "./databases.ts";

test("databases are known by their images, whatever their registry and tag", () => {
  const known: [string, Dumper | null][] = [
    ["postgres", "postgres"],
    ["postgres:17-alpine", "postgres"],
    ["ghcr.io/immich-app/postgres:14@sha256:abc", "postgres"],
    ["localhost:5000/library/mariadb:11", "mysql"],
    ["mysql:8", "mysql"],
    ["mongo:7", "mongodb"],
    ["valkey/valkey:8", "redis"],
    ["registry:5000/redis@sha256:0a", "redis"],
    ["postgrest/postgrest:12", null],
    ["nginx", null],
    ["mysql-client", null],
  ];
  for (const [image, dumper] of known) expect([image, dumperOf(image)]).toEqual([image, dumper]);
});

/** Runs a script where only the shell's tools and programs that tell how they were called are there. */
function run(dumper: Dumper, programs: string[], env: Record<string, string>, words: [string, string] = ["", ""]) {
  const folder = join(makeScratch("dump"), "bin");
  mkdirSync(folder);
  for (const name of ["sh", "cat", "sed"]) symlinkSync(Bun.which(name) ?? "", join(folder, name));
  for (const name of programs) {
    const path = join(folder, name);
    const script = `#!/bin/sh
echo "${name} $*|PG=$PGPASSWORD|MY=$MYSQL_PWD|RE=\${REDISCLI_AUTH-none}"
case "$*" in *--config*) cat;; esac
exit \${EXIT:-0}\n`;
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }
  const { stdout, exitCode } = Bun.spawnSync(["sh", "-c", DUMP_SCRIPTS[dumper], "sh", ...words], {
    // Databases of this machine must not get in the way.
    env: { PATH: folder, ...env },
    stdin: "ignore",
    stderr: "pipe",
  });
  return { said: stdout.toString().trim(), exitCode };
}

test("passwords come from the container's settings and stand on no command line; how it ends is told", () => {
  const secret = 'it\'s $a "secret"\\';
  const pg = ["pg_dump", "pg_dumpall"];
  expect(run("postgres", pg, { POSTGRES_PASSWORD: secret, POSTGRES_USER: "me" }).said).toStartWith(
    `pg_dumpall -w -U me|PG=${secret}|`,
  );
  expect(run("postgres", pg, {}, ["app", "notes"]).said).toStartWith("pg_dump -w -U app notes|PG=|");
  const file = join(makeScratch("dump"), "word");
  writeFileSync(file, secret);
  expect(run("postgres", pg, { POSTGRES_PASSWORD_FILE: file }).said).toStartWith(
    `pg_dumpall -w -U postgres|PG=${secret}|`,
  );
  const my = ["mysqldump"];
  const all = "--single-transaction --quick --routines --events --all-databases";
  expect(run("mysql", my, { MYSQL_ROOT_PASSWORD: secret }).said).toStartWith(
    `mysqldump -u root ${all}|PG=|MY=${secret}|`,
  );
  const some = { MARIADB_USER: "app", MARIADB_PASSWORD: secret, MARIADB_DATABASE: "notes" };
  expect(run("mysql", ["mariadb-dump", ...my], some).said).toStartWith(
    `mariadb-dump -u app --single-transaction --quick --routines notes|PG=|MY=${secret}|`,
  );
  expect(run("mongodb", ["mongodump"], {}).said).toStartWith("mongodump --archive --quiet|");
  const mongo = run("mongodb", ["mongodump"], {
    MONGO_INITDB_ROOT_USERNAME: "root",
    MONGO_INITDB_ROOT_PASSWORD: secret,
  });
  const [called = "", config = ""] = mongo.said.split("\n");
  expect(called).toStartWith("mongodump --config /dev/stdin --authenticationDatabase admin --username root --archive");
  expect(called).not.toContain(secret);
  expect(JSON.parse(config.replace("password: ", ""))).toBe(secret);
  expect(run("redis", ["redis-cli"], {}).said).toStartWith("redis-cli --no-auth-warning --rdb -|PG=|MY=|RE=none");
  expect(run("redis", ["redis-cli"], { REDIS_PASSWORD: secret }).said).toEndWith(`RE=${secret}`);
  for (const [dumper, programs] of [
    ["postgres", pg],
    ["mysql", my],
    ["mongodb", ["mongodump"]],
    ["redis", ["redis-cli"]],
  ] as const)
    expect(run(dumper, [...programs], { EXIT: "3", MYSQL_ROOT_PASSWORD: "x" }).exitCode).toBe(3);
});

suite("dumps of a real PostgreSQL", ["postgres"], () => {
  test("what the script writes makes the same database again", async () => {
    const [from, to] = [await createPostgresDatabase(), await createPostgresDatabase()];
    const source = new SQL(from);
    await source.unsafe(
      "CREATE TABLE notes (id int PRIMARY KEY, text text); INSERT INTO notes VALUES (1, 'hé\tllo'), (2, NULL)",
    );
    await source.end();
    const address = new URL(from);
    const host = (address.searchParams.get("path") ?? "").replace(/\/[^/]*$/, "");
    const env = { PATH: process.env["PATH"] ?? "", PGHOST: host };
    const argv = ["sh", "-c", DUMP_SCRIPTS.postgres, "sh", address.username, address.pathname.slice(1)];
    const dump = Bun.spawnSync(argv, { env, stderr: "pipe" });
    expect([dump.exitCode, dump.stderr.toString()]).toEqual([0, ""]);
    const target = new URL(to);
    const psql = ["psql", "-q", "-U", target.username, "-d", target.pathname.slice(1), "-v", "ON_ERROR_STOP=1"];
    expect(Bun.spawnSync(psql, { env, stdin: dump.stdout, stdout: "ignore", stderr: "pipe" }).exitCode).toBe(0);
    const copy = new SQL(to);
    expect(Array.from(await copy.unsafe("SELECT * FROM notes ORDER BY id"))).toEqual([
      { id: 1, text: "hé\tllo" },
      { id: 2, text: null },
    ]);
    await copy.end();
  });
});
