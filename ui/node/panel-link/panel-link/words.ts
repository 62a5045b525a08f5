import type { PanelStatus } from "../../../../src/node/panel-link/panel-link/contract.ts";
import type { State } from "../../../kit/status.tsx";

/** How the link stands, as shape and word. */
export const phases: Record<PanelStatus["phase"], { state: State; word: string }> = {
  none: { state: "off", word: "Not connected" },
  connecting: { state: "busy", word: "Connecting…" },
  connected: { state: "ok", word: "Connected" },
  retrying: { state: "warn", word: "Trying again" },
  needs_new_token: { state: "crit", word: "Needs a new token" },
  deleted: { state: "crit", word: "Deleted on the panel" },
};

export const plans: Record<PanelStatus["plan"], string> = {
  community: "Community",
  pro: "Pro",
  business: "Business",
  enterprise: "Enterprise",
};

/** True while the node talks, or tries to. */
export const isLinked = ({ phase }: PanelStatus): boolean =>
  phase === "connecting" || phase === "connected" || phase === "retrying";

/** What is wrong with the clock, or null. */
export function clockWords(ahead: number | null): string | null {
  if (ahead === null) return null;
  const side = ahead > 0 ? "ahead of" : "behind";
  return `This server’s clock is ${Math.abs(ahead)} seconds ${side} the panel’s. Certificates and sign-ins go by the clock: set it right.`;
}
