import { join } from "node:path";
import { accessPlugin } from "../kernel/http/access.ts";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import { type NodeRule, nodeRules } from "./access.ts";
import { createBase, type NodeWorld } from "./create-base.ts";
import { type NodeEvents, nodeFeatures } from "./features.ts";
import { type StandIn, type WiredNode, wireNode } from "./wire.ts";

/** Makes a node and mounts its features behind the one guard. Nothing runs yet. */
export function buildNode(world: NodeWorld & StandIn): Assembled<NodeRule> & { node: WiredNode } {
  const node = wireNode(createBase<NodeEvents>(world, nodeFeatures), world);
  const { config, log, clock, ids, answerCounts, version, embedRoot, jobs, parts, authorize, accessChanges } = node;
  const assembled = assembleApp<NodeRule>(
    {
      title: "Orrery node",
      version,
      log,
      clock,
      ids,
      answerCounts,
      // Files of any size come in over WebDAV.
      largestBodyBytes: 64 * 1024 ** 3,
      rules: nodeRules,
      uiRoot: join(embedRoot, "ui"),
      allowedOrigins: config.allowed_origins,
    },
    parts,
    accessPlugin(authorize, config.trusted_proxies, clock, accessChanges),
  );
  for (const part of parts) {
    for (const job of part.jobs ?? []) jobs.add(job);
    part.subscribe?.();
  }
  return { ...assembled, node };
}
