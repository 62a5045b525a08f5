import { join } from "node:path";
import type { Part } from "../kernel/feature.ts";
import { accessPlugin } from "../kernel/http/access.ts";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import { type NodeRule, nodeRules } from "./access.ts";
import { whoseOf } from "./actor.ts";
import { createBase, type NodeWorld } from "./create-base.ts";
import { type NodeEvents, nodeFeatures } from "./features.ts";
import { ACCESS_COOKIE, HINT_COOKIE, REFRESH_COOKIE } from "./people/sign-ins/index.ts";
import { type StandIn, type WiredNode, wireNode } from "./wire.ts";

/** A node that is made and not yet mounted: `mount` puts parts of it behind the one guard. */
export interface PreparedNode {
  node: WiredNode;
  mount(parts: readonly Part[]): Assembled<NodeRule>;
}

/** Makes a node and mounts its features behind the one guard. Nothing runs yet. */
export function buildNode(world: NodeWorld & StandIn): Assembled<NodeRule> & { node: WiredNode } {
  const { node, mount } = prepareNode(world);
  return { ...mount(node.parts), node };
}

/** Makes a node whose features are mounted by the caller. Nothing runs yet. */
export function prepareNode(world: NodeWorld & StandIn): PreparedNode {
  const node = wireNode(createBase<NodeEvents>(world, nodeFeatures), world);
  const { config, log, clock, ids, answerCounts, version, embedRoot, jobs, parts, accessChanges, takeTurn } = node;
  const guard = accessPlugin(
    node.authorize,
    config.trusted_proxies,
    clock,
    accessChanges,
    whoseOf,
    takeTurn,
    node.auth.askAgain,
  );
  const deps = {
    title: "Orrery node",
    version,
    log,
    clock,
    ids,
    answerCounts,
    // Files of any size come in over WebDAV.
    largestBodyBytes: 64 * 1024 ** 3,
    pageCookies: { names: [ACCESS_COOKIE, REFRESH_COOKIE], hint: HINT_COOKIE },
    rules: nodeRules,
    uiRoot: join(embedRoot, "ui"),
    allowedOrigins: config.allowed_origins,
    trustedProxies: config.trusted_proxies,
  };
  for (const part of parts) {
    for (const job of part.jobs ?? []) jobs.add(job);
    part.subscribe?.();
  }
  return { node, mount: (some) => assembleApp<NodeRule>(deps, some, guard) };
}
