import { join } from "node:path";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import { type NodeRule, nodeRules } from "./access.ts";
import type { NodeContext } from "./context.ts";
import { nodeFeatures } from "./features.ts";

/** Mounts every feature, adds its jobs and subscriptions. Nothing runs yet. */
export function buildNode(ctx: NodeContext): Assembled<NodeRule> {
  const assembled = assembleApp<NodeContext, NodeRule>(
    {
      title: "Orrery node",
      version: ctx.version,
      log: ctx.log,
      clock: ctx.clock,
      ids: ctx.ids,
      uiRoot: join(ctx.embedRoot, "ui"),
      allowedOrigins: ctx.config.allowed_origins,
      rules: nodeRules,
    },
    nodeFeatures,
    ctx,
  );
  for (const feature of nodeFeatures) {
    for (const job of feature.jobs?.(ctx) ?? []) ctx.jobs.add(job);
    feature.subscribe?.(ctx);
  }
  return assembled;
}
