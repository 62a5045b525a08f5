import type { AllMeanings } from "../../event-meaning.ts";
import type { EventType } from "./contract.ts";

/** Subscribes to every type. */
export const EVERYTHING = "*";

/** The order of the families, as the contract has it; others come after them. */
const FAMILIES = ["app", "backup", "alert", "domain", "vpn", "security", "system"];

function placeOf(family: string): number {
  const place = FAMILIES.indexOf(family);
  return place === -1 ? FAMILIES.length : place;
}

/** All types that a webhook can subscribe to. */
export function knownEventTypes(meanings: AllMeanings): string[] {
  return [...meanings].flatMap(([type, { webhook }]) => (webhook ? [type] : []));
}

/** Those that are emitted, for people to choose from: in families, each in the order in which its features declare them. */
export function listEventTypes(meanings: AllMeanings): EventType[] {
  return [...meanings]
    .flatMap(([type, { webhook }]) =>
      webhook && !webhook.isToCome ? [{ type, family: type.split(".", 1)[0] ?? "", trigger: webhook.trigger }] : [],
    )
    .sort((a, b) => placeOf(a.family) - placeOf(b.family));
}

/** The type under which alarms of any feature are sent; null in a program that has none. */
export function alarmType(meanings: AllMeanings): string | null {
  return [...meanings].find(([, { webhook }]) => webhook?.carriesAlarms)?.[0] ?? null;
}
