import type { Delivery, Webhook, WebhookHealth } from "../../../../src/node/platform/webhooks/contract.ts";
import type { State } from "../../../kit/status.tsx";

/** A state, its word, and why, where there is more to say. */
export interface Verdict {
  state: State;
  word: string;
  why: string | null;
}

const failuresToOff = 10;
const manyFailures = 5;

/** How a webhook is doing, in words. */
export function verdictOf(webhook: Webhook, health: WebhookHealth | undefined): Verdict {
  if (health?.off_reason === "failures")
    return { state: "crit", word: "Switched off", why: "It failed ten times in a row." };
  if (health?.off_reason === "gone")
    return { state: "crit", word: "Switched off", why: "Its receiver answered 410: gone for good." };
  if (webhook.active && health?.paused === true)
    return { state: "warn", word: "Paused", why: "Its maker may not have webhooks any more." };
  if (!webhook.active) return { state: "off", word: "Off", why: null };
  if (health === undefined || health.last_delivery === null)
    return { state: "ok", word: "On", why: "Nothing sent yet." };
  if (health.failures === 0) return { state: "ok", word: "On", why: null };
  const times = health.failures === 1 ? "once" : `${health.failures} times`;
  return {
    state: health.failures >= manyFailures ? "crit" : "warn",
    word: "Failing",
    why: `Failed ${times} in a row; after ${failuresToOff} it is switched off.`,
  };
}

/** State and word of one delivery. */
export function deliveryVerdict({ status, attempts }: Pick<Delivery, "status" | "attempts">): Verdict {
  if (status === "delivered") return { state: "ok", word: "Delivered", why: null };
  if (status === "failed") return { state: "crit", word: "Failed", why: null };
  if (attempts === 0) return { state: "busy", word: "On its way", why: null };
  return { state: "warn", word: "Waiting for another try", why: null };
}

const families: Record<string, string> = {
  app: "Apps",
  backup: "Backups",
  alert: "Alerts",
  domain: "Domains",
  vpn: "VPN",
  security: "Security",
  system: "System",
};

/** A family of event types in words; one that this page does not know yet as it is. */
export const familyName = (family: string): string => families[family] ?? family;

/** What a webhook hears, on one line. */
export function eventsText(events: readonly string[]): string {
  if (events.includes("*")) return "Everything";
  return events.length <= 2 ? events.join(", ") : `${events[0]} and ${events.length - 1} more`;
}

/** The host of an address, and the rest of it. */
export function splitUrl(url: string): { host: string; rest: string } {
  if (!URL.canParse(url)) return { host: url, rest: "" };
  const { host, pathname, search } = new URL(url);
  return { host, rest: pathname === "/" && search === "" ? "" : decode(pathname + search) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
