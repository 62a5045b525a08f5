import { type Made, mayDeliver } from "../../makers.ts";
import type { Needs } from "./needs.ts";
import { listWebhooks, type WebhookRow } from "./store.ts";

/** Whether a webhook is paused: its maker may not have it any more. */
export const isPaused = (deps: Pick<Needs, "lists">, webhook: Pick<Made, "created_by">): boolean =>
  !mayDeliver(deps, webhook, "member");

/** The webhooks that would send but are paused. */
export const listPaused = (deps: Pick<Needs, "db" | "lists">): WebhookRow[] =>
  listWebhooks(deps.db).filter((webhook) => webhook.active === 1 && isPaused(deps, webhook));
