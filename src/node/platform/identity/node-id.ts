import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeBase } from "../../base.ts";

type Deps = Pick<NodeBase, "config" | "host" | "ids">;

function readKept(path: string): string | null {
  try {
    return /^node_\w{8,40}$/.exec(readFileSync(path, "utf8").trim())?.[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * A new id from the machine's and the place of our data: a node that is set up anew keeps it, two nodes on one machine
 * differ, and the machine id itself (a secret, says systemd) cannot be computed back.
 */
function makeNodeId({ config, host, ids }: Deps): string {
  const machineId = host.machineId();
  if (machineId === null) return ids.next("node");
  return `node_${createHmac("sha256", machineId).update(`orrery-node ${config.data_dir}`).digest("hex").slice(0, 26)}`;
}

/** The node's own id. Made once and kept in the data folder, so that it moves with the data. */
export function readNodeId(deps: Deps): string {
  const path = join(deps.config.data_dir, "node-id");
  const kept = readKept(path);
  if (kept !== null) return kept;
  const made = makeNodeId(deps);
  writeFileSync(path, `${made}\n`, { mode: 0o644 });
  return made;
}
