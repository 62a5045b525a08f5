import type { PanelLeft, PanelStatus } from "../../../../src/node/panel-link/panel-link/contract.ts";
import { count } from "../../../client/format.ts";
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

/** What happens to people of the panel when this server leaves it. */
export const peopleWords = (people: number): string =>
  `${people === 1 ? "1 person came in over this panel. Their account is" : `${people} people came in over this panel. Their accounts are`} switched off, and all that lets them in ends: sessions, API keys, paired apps, passkeys and WebDAV passwords.`;

/** What happened to them, behind a first sentence; empty when there were none. */
export const endedWords = ({ people, sessions }: PanelLeft["ended"]): string =>
  people === 0 ? "" : ` ${count(people, "account")} and ${count(sessions, "session")} of its people ended.`;
