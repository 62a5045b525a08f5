import { join } from "node:path";
import type { Part } from "../kernel/feature.ts";
import { accessPlugin } from "../kernel/http/access.ts";
import { type Assembled, assembleApp } from "../kernel/http/assemble.ts";
import { type PanelRule, panelRules } from "./access.ts";
import { whoseOf } from "./actor.ts";
import { createBase, type PanelWorld } from "./create-base.ts";
import { type PanelEvents, panelFeatures } from "./features.ts";
import { type WiredPanel, wirePanel } from "./wire.ts";

/** A panel that is made and not yet mounted: `mount` puts parts of it behind the one guard. */
export interface PreparedPanel {
  panel: WiredPanel;
  mount(parts: readonly Part[]): Assembled<PanelRule>;
}

/** Makes a panel and mounts its features behind the one guard. Nothing runs yet. */
export function buildPanel(world: PanelWorld): Assembled<PanelRule> & { panel: WiredPanel } {
  const { panel, mount } = preparePanel(world);
  return { ...mount(panel.parts), panel };
}

/** Makes a panel whose features are mounted by the caller. Nothing runs yet. */
export function preparePanel(world: PanelWorld): PreparedPanel {
  const panel = wirePanel(createBase<PanelEvents>(world, panelFeatures), world);
  const { config, log, clock, ids, version, embedRoot, jobs, parts, sessions, accessEnds, takeTurn } = panel;
  const guard = accessPlugin(sessions.authorize, config.trusted_proxies, clock, accessEnds, whoseOf, takeTurn);
  const deps = {
    title: "Orrery panel",
    version,
    log,
    clock,
    ids,
    rules: panelRules,
    uiRoot: join(embedRoot, "ui"),
    allowedOrigins: config.allowed_origins,
    trustedProxies: config.trusted_proxies,
  };
  for (const part of parts) {
    for (const job of part.jobs ?? []) jobs.add(job);
    part.subscribe?.();
  }
  return { panel, mount: (some) => assembleApp<PanelRule>(deps, some, guard) };
}
