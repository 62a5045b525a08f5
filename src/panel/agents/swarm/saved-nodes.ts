import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { SavedNode } from "./sim-node.ts";

/** What a swarm keeps: whom it trusts and who its nodes are. */
export interface SavedSwarm {
  /** The roots to trust, PEM. */
  ca: string;
  nodes: SavedNode[];
}

const FIELDS = ["id", "hostname", "certificate", "key"] as const;

function isNode(value: unknown): value is SavedNode {
  if (typeof value !== "object" || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  return FIELDS.every((name) => typeof fields[name] === "string");
}

/** Reads a file that `saveSwarm` wrote; null when there is none. Throws for anything else. */
export function loadSwarm(path: string): SavedSwarm | null {
  if (!existsSync(path)) return null;
  const read: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof read === "object" && read !== null && "ca" in read && "nodes" in read) {
    const { ca, nodes } = read;
    if (typeof ca === "string" && Array.isArray(nodes) && nodes.every(isNode)) return { ca, nodes };
  }
  throw new Error(`${path} holds no nodes of a swarm. Name another file, or delete this one.`);
}

/** Writes the keys of a swarm, for the owner's eyes only. */
export function saveSwarm(path: string, swarm: SavedSwarm): void {
  writeFileSync(path, JSON.stringify(swarm), { mode: 0o600 });
}
