import { loadConfig } from "../../src/kernel/config.ts";
import { embedRoot } from "../../src/kernel/embed.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import type { PanelBase, PanelBus } from "../../src/panel/base.ts";
import { panelConfigTable } from "../../src/panel/config.ts";
import { createBase } from "../../src/panel/create-base.ts";
import { type PanelEvents, panelFeatures } from "../../src/panel/features.ts";
import { createTestLog } from "./test-log.ts";

/** What the panel's features stand on, for tests that make a few of them; nobody hears its events. */
export function createPanelBase(
  clock: Clock,
  given: Partial<Pick<PanelBase, "log" | "seal">> = {},
): PanelBase & { bus: PanelBus<PanelEvents> } {
  const world = {
    config: loadConfig(panelConfigTable, {}, {}),
    version: "1.2.3",
    embedRoot: embedRoot("panel"),
    log: createTestLog().log,
    clock,
    ids: createIds(clock.now),
    signal: new AbortController().signal,
    sealKey: new Uint8Array(32).fill(7),
  };
  return { ...createBase<PanelEvents>(world, panelFeatures), ...given };
}
