import { join } from "node:path";
import { partOf } from "../kernel/feature.ts";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import type { PanelRule } from "./access.ts";
import type { PanelContext } from "./context.ts";
import { panelFeatures } from "./features.ts";

/** Mounts every feature and adds its jobs. Nothing runs yet. */
export function buildPanel(ctx: PanelContext): Assembled<PanelRule> {
  const parts = [...ctx.parts, ...panelFeatures.map((feature) => partOf(feature, ctx))];
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
  for (const { jobs = [] } of parts) for (const job of jobs) ctx.jobs.add(job);
  return assembled;
}
