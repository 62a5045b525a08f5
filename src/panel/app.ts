import { join } from "node:path";
import { type Part, partOf } from "../kernel/feature.ts";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import type { PanelRule } from "./access.ts";
import type { PanelContext } from "./context.ts";
import { contextFeatures } from "./features.ts";

/** Mounts every feature, adds its jobs and subscriptions. Nothing runs yet. */
export function buildPanel(ctx: PanelContext): Assembled<PanelRule> & { parts: readonly Part[] } {
  const parts = [...ctx.parts, ...contextFeatures.map((feature) => partOf(feature, ctx))];
  const assembled = assembleApp<PanelRule>(
    {
      title: "Orrery panel",
      version: ctx.version,
      log: ctx.log,
      clock: ctx.clock,
      ids: ctx.ids,
      uiRoot: join(ctx.embedRoot, "ui"),
      allowedOrigins: ctx.config.allowed_origins,
    },
    parts,
    ctx.guard,
  );
  for (const part of parts) {
    for (const job of part.jobs ?? []) ctx.jobs.add(job);
    part.subscribe?.();
  }
  return { ...assembled, parts };
}
