import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { isHostnameLabel } from "../../../lib/hostname-label.ts";
import type { NodeBase, Started } from "../../base.ts";
import type { NodeSetupInput, NodeSetupResult, StarterApp } from "./contract.ts";

/** Begins the installation of one app; throws an AppError that says why not. */
export type InstallStarter = (template: string) => Promise<Started>;

interface Deps {
  settings: Pick<NodeBase["settings"], "put">;
  host: Pick<NodeBase["host"], "setHostname">;
  log: NodeBase["log"];
}

async function installStarter({ log }: Deps, install: InstallStarter, template: string): Promise<StarterApp> {
  try {
    const { id, status } = await install(template);
    return { template, app_id: id, status };
  } catch (error) {
    if (error instanceof AppError) return { template, error: error.message };
    log.error("starter app failed inside", { template, error });
    return { template, error: "Something failed inside. The log has the cause." };
  }
}

/**
 * Gives the node its name and mode and begins the installation of its first apps. Where the host itself may not be
 * renamed, the name is kept as a setting and used wherever we show one. An app that cannot be installed does not stop the
 * others. Throws `invalid_name`.
 */
export async function setUpNode(deps: Deps, install: InstallStarter, input: NodeSetupInput): Promise<NodeSetupResult> {
  const hostname = input.name.toLowerCase();
  if (!isHostnameLabel(hostname)) {
    const reason = "must be 1 to 63 letters, digits and hyphens, with no hyphen at either end";
    throw kernelFail("invalid_name", { field: "name", reason });
  }
  const isRenamed = await deps.host.setHostname(hostname);
  deps.settings.put({ "node.name": isRenamed ? "" : hostname, "node.mode": input.mode });

  const apps: StarterApp[] = [];
  // One after the other, so that each sees the names, ports and plan limit that the ones before it took.
  for (const template of new Set(input.starter_apps ?? [])) {
    apps.push(await installStarter(deps, install, template));
  }
  return { hostname, mode: input.mode, apps };
}
