import serviceUnit from "../../systemd/orrery-panel.service" with { type: "text" };
import upgradeUnit from "../../systemd/orrery-panel-upgrade.service" with { type: "text" };
import accountUnit from "../../systemd/orrery-panel-user.service" with { type: "text" };
import { collectMigrations } from "../kernel/feature.ts";
import type { ProgramSpec } from "../kernel/service/program.ts";
import { TARGET, VERSION } from "../kernel/version.ts";
import { panelConfigTable } from "./config.ts";
import { panelFeatures } from "./features.ts";

/** What the service commands need to know about the panel. */
export const panelProgram: ProgramSpec = {
  name: "orrery-panel",
  short: "panel",
  title: "Orrery panel",
  version: VERSION,
  target: TARGET,
  units: { service: serviceUnit, upgrade: upgradeUnit, watch: null, onDemand: null },
  account: { name: "orrery-panel", unit: accountUnit },
  adminCommand: null,
  port: 8430,
  // Node, object store, agent protocol.
  portsKeptFree: [8420, 8421, 8443],
  databases: ["panel.db", "samples.db"],
  migrations: collectMigrations(panelFeatures).map(({ feature, number }) => `${feature}/${number}`),
  env: { data: panelConfigTable.data_dir.env, listen: panelConfigTable.listen.env },
  healthPath: "/api/health",
  // Anybody may register, and gets a workspace of their own.
  claim: null,
  findApps: async () => [],
  checks: [],
};
