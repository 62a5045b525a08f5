import type { Engine } from "../../runtime/index.ts";
import { APP_LABEL, NODE_LABEL, nodeId } from "../blueprint/names.ts";
import type { Own } from "../needs.ts";
import { findApp } from "../store.ts";

/**
 * Removes containers and networks of this node whose app is gone. Volumes are never removed here: data is worth more
 * than tidiness.
 */
export async function removeOrphans(own: Pick<Own, "db" | "seal" | "log">, engine: Engine): Promise<void> {
  const ours = { [NODE_LABEL]: nodeId(own.seal) };
  const isOrphan = (labels: Record<string, string> | null) => !findApp(own.db, labels?.[APP_LABEL] ?? "");
  for (const { Id, Names, Labels } of await engine.listContainers(ours)) {
    if (!isOrphan(Labels)) continue;
    own.log.info("container without an app removed", { container: Names[0] });
    await engine.removeContainer(Id);
  }
  for (const { Id, Labels } of await engine.listNetworks(ours)) if (isOrphan(Labels)) await engine.removeNetwork(Id);
}
