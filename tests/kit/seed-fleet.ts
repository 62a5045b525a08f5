import { generateKeyPairSync } from "node:crypto";
import { createLog } from "../../src/kernel/log.ts";
import { createSeal } from "../../src/kernel/seal.ts";
import { rowsSource } from "../../src/kernel/sql/rows-source.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createNodes } from "../../src/panel/agents/nodes/index.ts";
import { type SavedSwarm, saveSwarm } from "../../src/panel/agents/swarm/index.ts";
import { openSystem } from "../../src/panel/data/tenant-db.ts";
import { openData } from "../../src/panel/open-data.ts";
import { createTenants } from "../../src/panel/people/tenants/index.ts";
import { createMemoryLive } from "./memory-live.ts";
import { createPanelBase } from "./panel-base.ts";

const SLICE = 5_000;
/** The workspace of a seeded fleet. */
export const SEED_TENANT = "ten_bench";
const TENANT = SEED_TENANT;
const NODE_COLUMNS = [
  ["tenant_id", "text"],
  ["id", "text"],
  ["no", "integer"],
  ["hostname", "text"],
  ["version", "text"],
  ["address", "text"],
  ["hardware_fingerprint", "text"],
  ["serial", "text"],
  ["key_fingerprint", "text"],
  ["issuer", "text"],
  ["not_after", "integer"],
  ["secret", "text"],
  ["registered_at", "integer"],
  ["first_seen_at", "integer"],
  ["connected_at", "integer"],
  ["inventory", "text"],
] as const;
const FIGURE_COLUMNS = [
  ["no", "integer"],
  ["tenant_id", "text"],
  ["last_seen", "integer"],
  ["cpu", "real"],
  ["memory", "real"],
  ["disk", "real"],
  ["critical", "integer"],
  ["status", "text"],
] as const;

const inventoryOf = (no: number) =>
  JSON.stringify({
    os: "Debian GNU/Linux 12",
    kernel: "6.1.0-28-amd64",
    architecture: "x64",
    cpu_model: "AMD EPYC 7763 64-Core Processor",
    cpu_cores: 4,
    memory_bytes: 8_589_934_592,
    disk_bytes: 107_374_182_400,
    ip_address: `10.${(no >> 16) & 255}.${(no >> 8) & 255}.${no & 255}`,
    ip_addresses: [`10.${(no >> 16) & 255}.${(no >> 8) & 255}.${no & 255}`],
    region: ["eu-central", "eu-west", "us-east", "ap-south"][no % 4],
  });

interface SeedOptions {
  swarmFile?: string | null;
  /** As if all had just been heard. */
  wereSeen?: boolean;
  /** PostgreSQL instead of a file in the data folder. */
  databaseUrl?: string;
}

/**
 * Makes a panel's data folder with a fleet of one workspace, without enrolling anybody: rows by SQL, and with
 * `swarmFile` certificates by the panel's own authority, written down for `orrery-panel swarm`. One key for all: what the
 * panel compares are serials.
 */
export async function seedFleet(
  dataDir: string,
  count: number,
  { swarmFile = null, wereSeen = false, databaseUrl = "" }: SeedOptions = {},
): Promise<void> {
  const now = Date.now();
  const { db, samplesDb, sealKey } = await openData({ data_dir: dataDir, database_url: databaseUrl }, systemClock);
  const all = openSystem(db);
  const log = createLog(systemClock, "error", (line) => process.stderr.write(`${line}\n`));
  const live = createMemoryLive(systemClock);
  const base = { ...createPanelBase(systemClock, { log, seal: createSeal(sealKey) }), system: all };
  const nodes = createNodes({ ...base, live, tenants: createTenants(base) });
  await nodes.start();
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const swarm: SavedSwarm = { ca: nodes.authority().bundle().pem, nodes: [] };
  await all.run(
    "INSERT INTO tenants (tenant_id, name, plan, status, mode, created_at) VALUES (?, 'Bench', 'enterprise', 'active', 'business', ?)",
    [TENANT, now],
  );
  const names = (columns: readonly (readonly [string, string])[]) => columns.map(([name]) => name).join(", ");
  const nodeRows = rowsSource(db.engine, NODE_COLUMNS);
  const figureRows = rowsSource(db.engine, FIGURE_COLUMNS);
  for (let from = 1; from <= count; from += SLICE) {
    const numbers = Array.from({ length: Math.min(SLICE, count - from + 1) }, (_, index) => from + index);
    const rows = numbers.map((no) => {
      const id = `swarm-${no}`;
      const issued =
        swarmFile === null
          ? { chain: "", serial: `serial-${no}`, issuer: "a", notAfter: now + 86_400_000 * 60 }
          : nodes.authority().issueClient({ tenantId: TENANT, nodeId: id, publicKey: spki });
      if (swarmFile !== null) swarm.nodes.push({ id, hostname: id, certificate: issued.chain, key });
      return [
        ...[TENANT, id, no, id, "1.0.0", "127.0.0.1", `swarm-${id}`, issued.serial, `key-${no}`, issued.issuer],
        ...[issued.notAfter, "", now - 1_000, wereSeen ? now - 500 : null, wereSeen ? now - 500 : null],
        wereSeen ? inventoryOf(no) : null,
      ];
    });
    await all.run(`INSERT INTO nodes (${names(NODE_COLUMNS)}) ${nodeRows.sql}`, nodeRows.bind(rows));
    if (!wereSeen) continue;
    const figures = numbers.map((no) => [no, TENANT, now - (no % 60), 10 + (no % 50), 40, 50, 0, "online"]);
    await all.run(`INSERT INTO node_figures (${names(FIGURE_COLUMNS)}) ${figureRows.sql}`, figureRows.bind(figures));
  }
  await all.run("UPDATE node_counter SET last_no = ?", [count]);
  if (swarmFile !== null) saveSwarm(swarmFile, swarm);
  if (samplesDb !== db) await samplesDb.close();
  await db.close();
}
