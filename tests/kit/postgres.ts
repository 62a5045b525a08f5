import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { SCRATCH } from "./scratch.ts";
import { until } from "./until.ts";

const STEM = "orrery-pg-";
const VERSIONS = "/usr/lib/postgresql";
/** What the tests sign in as: no superuser, bound by row security, allowed to make databases. */
const ROLE = "orrery";

const QUICK = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "shared_buffers=32MB"];
/** The defaults of the Debian package. */
const DURABLE = ["fsync=on", "shared_buffers=128MB"];

interface Cluster {
  folder: string;
  admin: SQL;
}

/** A server that keeps what it is told, and one that is quick. */
const clusters = new Map<boolean, Promise<Cluster>>();
let count = 0;

/** PostgreSQL refuses to run as root, so root hands over to the user of the Debian package. */
function unprivileged(argv: string[]): string[] {
  if (process.getuid?.() !== 0) return argv;
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...argv];
}

/**
 * Runs a program until its standard input ends, which is when this process does, however that ends. The signal that the kernel
 * sends on the death of a parent would come too early: it means the thread that started the child.
 */
function whileWeLive(argv: string[]): string[] {
  return ["sh", "-c", '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server', "sh", ...argv];
}

function runSync(argv: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { cwd: "/", stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${argv.join(" ")} ended with ${exitCode}: ${stderr}`);
  return stdout.toString().trim();
}

const socketIn = (folder: string) => join(folder, ".s.PGSQL.5432");

const urlOf = (folder: string, role: string, database: string) =>
  `postgres://${role}@localhost/${database}?path=${socketIn(folder)}`;

/** Folders of processes that are gone; their servers went with them. */
function removeLeftovers(): void {
  for (const base of new Set([SCRATCH, tmpdir()]))
    for (const name of readdirSync(base)) {
      const owner = name.startsWith(STEM) ? Number.parseInt(name.slice(STEM.length), 10) : Number.NaN;
      if (owner > 0 && !existsSync(`/proc/${owner}`)) rmSync(join(base, name), { recursive: true, force: true });
    }
}

/** A server of this process alone, on a socket in a folder of its own; it ends with the process, however that ends. */
async function startCluster(isDurable: boolean): Promise<Cluster> {
  const version = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] ?? "";
  const bin = join(VERSIONS, version, "bin");
  removeLeftovers();
  const folder = mkdtempSync(join(isDurable ? tmpdir() : SCRATCH, `${STEM}${process.pid}-`));
  if (process.getuid?.() === 0)
    chownSync(folder, Number(runSync(["id", "-u", "postgres"])), Number(runSync(["id", "-g", "postgres"])));
  const data = join(folder, "data");
  const init = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
  runSync(unprivileged([join(bin, "initdb"), ...init]));
  const settings = ["listen_addresses=", "max_connections=500", ...(isDurable ? DURABLE : QUICK)];
  const server = Bun.spawn(
    unprivileged(
      whileWeLive([join(bin, "postgres"), "-D", data, "-k", folder, ...settings.flatMap((each) => ["-c", each])]),
    ),
    { cwd: "/", stdin: "pipe", stdout: "ignore", stderr: "ignore" },
  );
  server.unref();
  const admin = new SQL(urlOf(folder, "postgres", "postgres"), { max: 2 });
  await until(() => admin.unsafe("SELECT 1"), { what: "PostgreSQL", everyMs: 20 });
  await admin.unsafe(`CREATE ROLE ${ROLE} LOGIN CREATEDB`);
  return { folder, admin };
}

/**
 * The URL of a new database that belongs to a role bound by row security: an empty one, or a copy of that at `template`, to which
 * nobody may be connected. A durable one is on a disk and waits for it, as in earnest.
 */
export async function createPostgresDatabase({ isDurable = false, template = "" } = {}): Promise<string> {
  const cluster = clusters.get(isDurable) ?? startCluster(isDurable);
  clusters.set(isDurable, cluster);
  const { folder, admin } = await cluster;
  const name = `test_${++count}`;
  // Its files are copied: to log each block of it, as is the default, takes twice as long.
  const from = template === "" ? "" : `TEMPLATE ${new URL(template).pathname.slice(1)} STRATEGY FILE_COPY`;
  await admin.unsafe(`CREATE DATABASE ${name} OWNER ${ROLE} ${from}`);
  return urlOf(folder, ROLE, name);
}
