import { type Made, mayDeliver } from "../../../makers.ts";
import type { Needs } from "../needs.ts";
import { type ForwarderRow, listForwarders } from "./forwarder-store.ts";

/** Whether a forwarder is paused: its maker may not have forwarders any more. */
export const isPaused = (deps: Pick<Needs, "lists">, forwarder: Pick<Made, "created_by">): boolean =>
  !mayDeliver(deps, forwarder, "admin");

/** The forwarders that would send but are paused. */
export const listPaused = (deps: Pick<Needs, "db" | "lists">): ForwarderRow[] =>
  listForwarders(deps.db).filter((forwarder) => forwarder.enabled === 1 && isPaused(deps, forwarder));

/** The forwarders as they may work now: one that is paused is at rest like one that is switched off. */
export const listAllowed = (deps: Pick<Needs, "db" | "lists">): ForwarderRow[] =>
  listForwarders(deps.db).map((forwarder) => (isPaused(deps, forwarder) ? { ...forwarder, enabled: 0 } : forwarder));
