import { join } from "node:path";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import { type PanelRule, panelRules } from "./access.ts";
import type { PanelContext } from "./context.ts";
import { panelFeatures } from "./features.ts";

/** Mounts every feature and adds its jobs. Nothing runs yet. */
export function buildPanel(ctx: PanelContext): Assembled<PanelRule> {
  const assembled = assembleApp<PanelContext, PanelRule>(
    {
      title: "Orrery panel",
      version: ctx.version,
      log: ctx.log,
      clock: ctx.clock,
      ids: ctx.ids,
      uiRoot: join(ctx.embedRoot, "ui"),
      allowedOrigins: ctx.config.allowed_origins,
      rules: panelRules,
    },
    panelFeatures,
    ctx,
  );
  for (const feature of panelFeatures) for (const job of feature.jobs?.(ctx) ?? []) ctx.jobs.add(job);
  return assembled;
}
