import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Who an engine is in its swarm, by the certificate that the swarm's managers gave it. */
export interface SwarmIdentity {
  cluster_id: string;
  node_id: string;
  is_manager: boolean;
}

const CERTIFICATE = "swarm/certificates/swarm-node.crt";
const ID = /^[A-Za-z0-9]{1,60}$/;

/**
 * Reads the certificate below the engine's folder; null when there is none, or none that can be read. Only it names the cluster
 * on a worker, and on a manager whose swarm has lost its majority.
 */
export async function readSwarmIdentity(hostRoot: string, engineRoot: string): Promise<SwarmIdentity | null> {
  const pem = await readFile(join(hostRoot, engineRoot, CERTIFICATE), "utf8").catch(() => null);
  return pem === null ? null : parseSwarmIdentity(pem);
}

/** The organisation is the cluster, the unit the role, the name the member (swarmkit, `ca`). */
export function parseSwarmIdentity(pem: string): SwarmIdentity | null {
  const subject = subjectOf(pem);
  const part = (name: string): string =>
    subject
      .split("\n")
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? "";
  const [cluster_id, node_id] = [part("O"), part("CN")];
  if (!ID.test(cluster_id) || !ID.test(node_id)) return null;
  return { cluster_id, node_id, is_manager: part("OU") === "swarm-manager" };
}

function subjectOf(pem: string): string {
  try {
    return new X509Certificate(pem).subject;
  } catch {
    return "";
  }
}
