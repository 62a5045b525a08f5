import type { Seal } from "../../../../kernel/seal.ts";

/** Labels by which everything of ours is found again. */
export const APP_LABEL = "orrery.app";
export const NODE_LABEL = "orrery.node";
export const SERVICE_LABEL = "orrery.service";
/** Digest of what a container was made from; another digest means that it must be made anew. */
export const SPEC_LABEL = "orrery.spec";
export const VOLUME_LABEL = "orrery.volume";

type Named = { id: string; name: string };

/** Tells the nodes that share one Docker Engine apart; stays the same as long as the key file does. */
export function nodeId(seal: Seal): string {
  return Buffer.from(seal.deriveKey("node-id")).toString("hex").slice(0, 16);
}

export const containerName = (app: Named, service: string): string => `orrery-${app.name}-${service}`;

export const networkName = (app: Named, network: string): string =>
  network === "default" ? `orrery-${app.name}` : `orrery-${app.name}-${network}`;

/**
 * Volumes go by the app's id: a new app of an old name never meets foreign data. Each update runs on volumes of its own, told apart by
 * the number behind the dot.
 */
export const volumeName = (app: { id: string; generation: number }, volume: string): string =>
  `${volumePrefix(app.id)}${volume}${app.generation === 0 ? "" : `.${app.generation}`}`;

/** How the names of all volumes of an app begin. */
export const volumePrefix = (appId: string): string => `orrery-${appId}-`;

/** Labels of everything that belongs to an app. */
export function appLabels(node: string, appId: string): Record<string, string> {
  return { [APP_LABEL]: appId, [NODE_LABEL]: node };
}
