import { join } from "node:path";
import { accessPlugin } from "../kernel/http/access.ts";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import { type PanelRule, panelRules } from "./access.ts";
import { createBase, type PanelWorld } from "./create-base.ts";
import { type PanelEvents, panelFeatures } from "./features.ts";
import { type WiredPanel, wirePanel } from "./wire.ts";

/** Makes a panel and mounts its features behind the one guard. Nothing runs yet. */
export function buildPanel(world: PanelWorld): Assembled<PanelRule> & { panel: WiredPanel } {
  const panel = wirePanel(createBase<PanelEvents>(world, panelFeatures), world);
  const { config, log, clock, ids, version, embedRoot, jobs, parts, sessions } = panel;
  const assembled = assembleApp<PanelRule>(
    {
      title: "Orrery panel",
      version,
      log,
      clock,
      ids,
      rules: panelRules,
      uiRoot: join(embedRoot, "ui"),
      allowedOrigins: config.allowed_origins,
    },
    parts,
    accessPlugin(sessions.authorize, config.trusted_proxies, clock),
  );
  for (const part of parts) {
    for (const job of part.jobs ?? []) jobs.add(job);
    part.subscribe?.();
  }
  return { ...assembled, panel };
}
