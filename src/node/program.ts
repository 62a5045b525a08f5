import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import roleUnit from "../../systemd/orrery-host.service" with { type: "text" };
import socketUnit from "../../systemd/orrery-host.socket" with { type: "text" };
import serviceUnit from "../../systemd/orrery-node.service" with { type: "text" };
import watchUnit from "../../systemd/orrery-node-upgrade.path" with { type: "text" };
import upgradeUnit from "../../systemd/orrery-node-upgrade.service" with { type: "text" };
import { createStore } from "../kernel/db/store.ts";
import { embedRoot } from "../kernel/embed.ts";
import { collectMigrations } from "../kernel/feature.ts";
import { hasTable, readDatabase } from "../kernel/service/data-files.ts";
import type { ProgramSpec } from "../kernel/service/program.ts";
import { TARGET, VERSION } from "../kernel/version.ts";
import { findAppParts } from "./commands/app-parts.ts";
import { checkDocker } from "./commands/docker-check.ts";
import { checkSmartctl } from "./commands/smartctl-check.ts";
import { nodeConfigTable } from "./config.ts";
import { nodeFeatures } from "./features.ts";
import { IDENTITY } from "./identity.ts";
import { claimTokenPath } from "./people/auth/index.ts";
import { countUsers } from "./people/users/index.ts";

/** The admin command that this build carries, if it does: one file, with its parts inside. */
function readAdminCommand(): ProgramSpec["adminCommand"] {
  const folder = embedRoot("admin");
  if (!existsSync(join(folder, "orrery"))) return null;
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const content = read("orrery")
    .replace(/^json_awk=.*$/m, () => `json_awk='\n${read("json.awk")}'`)
    .replace(/^\. "\$\{0%\/\*\}\/(\w+\.sh)"$/gm, (_line, part: string) => read(part));
  return { name: "orrery", content };
}

/** True while no account exists in a data folder. */
function needsOwner(dataDir: string): boolean {
  const accounts = readDatabase(join(dataDir, "main.db"), (db) =>
    hasTable(db, "users") ? countUsers(createStore(db)) : 0,
  );
  return (accounts ?? 0) === 0;
}

/** What the service commands need to know about the node. */
export const nodeProgram: ProgramSpec = {
  ...IDENTITY,
  title: "Orrery node",
  version: VERSION,
  target: TARGET,
  units: {
    service: serviceUnit,
    upgrade: upgradeUnit,
    watch: watchUnit,
    onDemand: { name: "orrery-host", socket: socketUnit, service: roleUnit },
  },
  // The Docker socket is root by another name.
  account: null,
  adminCommand: readAdminCommand(),
  port: 8420,
  // Object store, panel, agent protocol.
  portsKeptFree: [8421, 8430, 8443],
  databases: ["main.db", "metrics.db"],
  migrations: collectMigrations(nodeFeatures).map(({ feature, number }) => `${feature}/${number}`),
  env: { data: nodeConfigTable.data_dir.env, listen: nodeConfigTable.listen.env },
  healthPath: "/api/auth/lock-info",
  claim: { file: basename(claimTokenPath("/")), needsOwner },
  findApps: findAppParts,
  checks: [checkDocker, checkSmartctl],
};
