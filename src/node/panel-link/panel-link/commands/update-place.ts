import type { KeyObject } from "node:crypto";
import type { Downloads } from "../../../../kernel/outgoing/index.ts";
import { createHost, type Host } from "../../../../kernel/service/host.ts";
import { type Layout, layoutOf } from "../../../../kernel/service/program.ts";
import { createReleaseDownloads } from "../../../../kernel/service/release-base.ts";
import { BUILT_IN_KEY, readPublicKey } from "../../../../kernel/service/signature.ts";
import { hasSystemd } from "../../../../kernel/service/systemd.ts";
import { IDENTITY } from "../../../identity.ts";
import type { Needs } from "../needs.ts";

/** The installation that an update is about. */
export interface UpdatePlace {
  host: Host;
  layout: Layout;
  /** Who may have made the release; null in a build that trusts nobody. */
  key: KeyObject | null;
  downloads: Downloads;
  /** Data folder of the running node. */
  dataDir: string;
}

/** The installation on this machine. */
export function thisMachine({ config, clock, ownPorts }: Pick<Needs, "config" | "clock" | "ownPorts">): UpdatePlace {
  return {
    host: createHost(),
    layout: layoutOf({ ...IDENTITY, adminCommand: null }),
    key: BUILT_IN_KEY === "" ? null : readPublicKey(BUILT_IN_KEY),
    downloads: createReleaseDownloads(clock, config.release_allow_cidrs, ownPorts),
    dataDir: config.data_dir,
  };
}

/** True when the running node is the installed service, and somebody takes what it asks for. */
export function canUpdate({ host, layout, dataDir }: UpdatePlace): boolean {
  const { unitDir, watchUnit } = layout;
  return dataDir === layout.dataDir && hasSystemd(host) && host.stat(`${unitDir}/${watchUnit}`) !== null;
}
