import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type NodeProcess, PANEL_BINARY, startNode } from "./binary.ts";
import { type Client, createClient } from "./client.ts";

/** Who owns the workspace of a seeded panel. */
export const ADA = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

/** A compiled panel whose workspace already has nodes. */
export interface SeededPanel {
  panel: NodeProcess;
  client: Client;
  tenantId: string;
  dispose(): Promise<void>;
}

/** A node as it shall stand in the tables. */
export interface SeedNode {
  id: string;
  hostname: string;
  version: string;
  region: string;
  cpu: number;
  memory: number;
  disk: number;
  status: "online" | "degraded" | "offline" | "pending";
  tags: string[];
  /** Until its certificate ends; default 71, or 9 for a degraded one. */
  daysLeft?: number;
  /** What its inventory tells besides. */
  inventory?: Record<string, unknown>;
}

const regions = ["eu-central", "eu-north", "us-east", "ap-south", "sa-east"];
const roles = ["edge", "web", "app", "db", "build"];

/**
 * The nodes of a made-up fleet, the same ones each time: of every fifty the first is offline, the next two are degraded (processor, then
 * disk) and the fourth has never connected.
 */
export function madeUpNodes(count: number): SeedNode[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % 50;
    const status = place === 0 ? "offline" : place < 3 ? "degraded" : place === 3 ? "pending" : "online";
    const spread = (index * 7919) % 1000;
    return {
      id: `seed-${index}`,
      hostname: `${roles[index % roles.length]}-${String(index).padStart(5, "0")}`,
      version: index % 9 === 0 ? "1.4.1" : "1.4.2",
      region: regions[(index * 31) % regions.length] ?? "",
      cpu: place === 1 ? 95 : 3 + (spread / 1000) * 80,
      memory: 20 + ((spread * 3) % 600) / 10,
      disk: place === 2 ? 93 : 10 + ((spread * 7) % 700) / 10,
      status,
      tags: index % 3 === 0 ? ["prod"] : ["lab"],
    };
  });
}

/** Starts a panel, writes the nodes into its tables, and starts it again, as after a restart of a living fleet. */
export async function startSeededPanel(nodes: readonly SeedNode[]): Promise<SeededPanel> {
  const first = await startNode({ binary: PANEL_BINARY });
  await createClient(first.url).ok("POST /api/auth/register", ADA);
  await first.stop();
  const tenantId = seed(join(first.dataDir, "panel.db"), nodes);
  const panel = await startNode({ binary: PANEL_BINARY, dataDir: first.dataDir });
  const { token } = await createClient(panel.url).ok("POST /api/auth/login", {
    email: ADA.email,
    password: ADA.password,
  });
  return { panel, client: createClient(panel.url, token), tenantId, dispose: () => panel.dispose() };
}

function seed(file: string, nodes: readonly SeedNode[]): string {
  const db = new Database(file, { strict: true });
  const { tenant_id } = db.query<{ tenant_id: string }, []>("SELECT tenant_id FROM tenants").get() ?? { tenant_id: "" };
  // The free plan has room for a few nodes only.
  db.run("UPDATE tenants SET plan = 'enterprise'");
  const now = Date.now();
  const insertNode = db.query(
    `INSERT INTO nodes (tenant_id, id, no, hostname, version, tags, address, hardware_fingerprint, serial, key_fingerprint, issuer,
       not_after, secret, registered_at, first_seen_at, connected_at, last_seen_at, inventory, apps)
     VALUES ($tenant, $id, $no, $hostname, $version, $tags, $address, $id, $id, $id, 'seed', $end, '', $registered, $seen, $seen, $seen,
       $inventory, $apps)`,
  );
  const insertFigures = db.query(
    `INSERT INTO node_figures (no, tenant_id, last_seen, cpu, memory, disk, net_in, net_out, uptime_seconds, critical, status, reasons)
     VALUES ($no, $tenant, $seen, $cpu, $memory, $disk, 125000, 50000, 5000000, 0, $status, $reasons)`,
  );
  db.transaction(() => {
    for (const [index, node] of nodes.entries()) {
      const no = index + 1;
      const seen = node.status === "pending" ? null : now - (node.status === "offline" ? 1_800_000 : 5_000);
      insertNode.run({
        tenant: tenant_id,
        id: node.id,
        no,
        hostname: node.hostname,
        version: node.version,
        tags: JSON.stringify(node.tags),
        address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        // The degraded ones did not renew in time.
        end: now + (node.daysLeft ?? (node.status === "degraded" ? 9 : 71)) * 86_400_000 + 3_600_000,
        registered: now - 30 * 86_400_000,
        seen,
        inventory: JSON.stringify(inventoryFor(node, index, now)),
        apps: JSON.stringify(appsOf(index)),
      });
      if (seen !== null)
        insertFigures.run({
          no,
          tenant: tenant_id,
          seen,
          cpu: node.cpu,
          memory: node.memory,
          disk: node.disk,
          status: node.status,
          reasons: JSON.stringify(reasonsOf(node)),
        });
    }
    db.query("UPDATE node_counter SET last_no = $last").run({ last: nodes.length });
  })();
  db.close();
  return tenant_id;
}

const reasonsOf = (node: SeedNode): string[] =>
  node.status === "offline"
    ? ["heartbeat_missing"]
    : [...(node.cpu >= 90 ? ["cpu_high"] : []), ...(node.disk >= 90 ? ["disk_high"] : [])];

const inventoryFor = (node: SeedNode, index: number, now: number): Record<string, unknown> => ({
  os: "Debian 13.2",
  kernel: "6.12.57",
  cpu_model: "AMD EPYC 7443P",
  cpu_cores: 16,
  memory_bytes: 64 * 2 ** 30,
  disk_bytes: 1_800_000_000_000,
  boot_time: new Date(now - 63 * 86_400_000).toISOString(),
  region: node.region,
  ip_addresses: [`10.40.${index >> 8}.${index & 255}`],
  ...node.inventory,
});

const appsOf = (index: number): unknown[] =>
  ["records", "gateway", "postgresql"].slice(0, index % 4).map((name, place) => ({
    app_id: `app-${place}`,
    name,
    status: "running",
    image: `halden/${name}:7.${place}.0`,
    cpu_percent: 2 + place * 6,
    mem_bytes: 200_000_000 * (place + 1),
    restart_count: 0,
  }));
