import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import {
  fail,
  type SecretRotated,
  type Webhook,
  type WebhookChange,
  type WebhookCreated,
  type WebhookInput,
} from "./contract.ts";
import { EVERYTHING, knownEventTypes } from "./event-types.ts";
import type { Own } from "./own.ts";
import { eventsOf, presentWebhook } from "./present.ts";
import { formatSecret } from "./sign.ts";
import * as store from "./store.ts";

type Deps = Pick<Own, "db" | "clock" | "ids" | "seal" | "bus" | "outgoing" | "deliverer" | "meanings">;

/** Who asks, as far as it decides what is theirs. */
export type Asker = Pick<Actor, "user_id" | "role">;

/** Who changes something, from where. */
export interface By {
  actor: Asker;
  ip: string;
}

const onRecord = ({ actor: { user_id }, ip }: By) => ({ user_id, ip });

const MAX_WEBHOOKS = 50;
/** Nobody but admins can use up the room of all. */
const MAX_OWN_WEBHOOKS = 10;
const SECRET_BYTES = 32;
/** How long a replaced secret signs beside the new one. */
const OVERLAP_MS = hours(24);

function checkEvents({ meanings }: Pick<Deps, "meanings">, events: readonly string[]): string[] {
  const known = knownEventTypes(meanings);
  const unknown = events.find((type) => type !== EVERYTHING && !known.includes(type));
  if (unknown !== undefined) {
    throw fail("webhook_event_unknown", { field: "events", type: unknown, known: known.join(", ") });
  }
  return [...new Set(events)];
}

function checkUrl({ outgoing }: Pick<Deps, "outgoing">, url: string): void {
  try {
    outgoing.checkUrl(url);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw fail("webhook_url_refused", { field: "url", reason: error.reason, why: error.message });
  }
}

const makeSecret = (ids: Deps["ids"]): string => formatSecret(Buffer.from(ids.token(SECRET_BYTES), "base64url"));

const hostOf = (url: string): string => new URL(url).host;

/** The webhook. Throws `webhook_not_found`. */
export function getWebhook({ db }: Pick<Deps, "db">, id: string): store.WebhookRow {
  const row = store.findWebhook(db, id);
  if (!row) throw fail("webhook_not_found", { id });
  return row;
}

/** Admins change every webhook, others what they added themselves; what has no maker on record belongs to admins. */
export const mayChange = ({ role, user_id }: Asker, { created_by }: Pick<store.WebhookRow, "created_by">): boolean =>
  role === "admin" || created_by === user_id;

/** The webhook, for somebody who wants to do something to it. Throws `webhook_not_found`, `webhook_foreign`. */
export function getOwnWebhook(deps: Pick<Deps, "db">, actor: Asker, id: string): store.WebhookRow {
  const row = getWebhook(deps, id);
  if (!mayChange(actor, row)) throw fail("webhook_foreign");
  return row;
}

function checkRoom(db: Deps["db"], { role, user_id }: Asker): void {
  const all = store.listWebhooks(db);
  if (all.length >= MAX_WEBHOOKS) throw fail("webhook_limit", { limit: MAX_WEBHOOKS });
  const own = all.filter(({ created_by }) => created_by === user_id).length;
  if (role !== "admin" && own >= MAX_OWN_WEBHOOKS) throw fail("webhook_own_limit", { limit: MAX_OWN_WEBHOOKS });
}

/** Adds a webhook; its secret is in this answer only. Throws `webhook_url_refused`, `webhook_event_unknown`, `webhook_limit`, `webhook_own_limit`. */
export function createWebhook(deps: Deps, by: By, input: WebhookInput): WebhookCreated {
  const { db, clock, ids, seal, bus } = deps;
  const events = checkEvents(deps, input.events);
  checkUrl(deps, input.url);
  const id = ids.next("whk");
  const secret = makeSecret(ids);
  db.tx(() => {
    checkRoom(db, by.actor);
    store.insertWebhook(db, {
      id,
      url: input.url,
      events: JSON.stringify(events),
      secret: seal.seal(id, secret),
      active: (input.active ?? true) ? 1 : 0,
      created_at: toIso(clock.now()),
      created_by: by.actor.user_id,
    });
    bus.emit("webhook.created", { webhook_id: id, ...onRecord(by), host: hostOf(input.url), events });
  });
  return { ...presentWebhook(getWebhook(deps, id), true), secret };
}

/** All webhooks, oldest first. */
export function listWebhooks({ db }: Pick<Deps, "db">, isAdmin: boolean): Webhook[] {
  return store.listWebhooks(db).map((row) => presentWebhook(row, isAdmin));
}

/**
 * Changes what a webhook hears, or switches it on or off; on forgets its failures and sends what was left lying.
 * Throws `webhook_not_found`, `webhook_foreign`, `webhook_event_unknown`.
 */
export function changeWebhook(deps: Deps, by: By, id: string, change: WebhookChange): Webhook {
  const { db, bus, deliverer } = deps;
  return db.tx(() => {
    const row = getOwnWebhook(deps, by.actor, id);
    const events = change.events ? checkEvents(deps, change.events) : eventsOf(row);
    const active = change.active ?? row.active === 1;
    const isSwitched = active !== (row.active === 1);
    const fresh = { off_reason: null, off_at: null, failures: 0, counted_at: null };
    const next: store.WebhookRow = {
      ...row,
      ...(isSwitched ? fresh : {}),
      events: JSON.stringify(events),
      active: active ? 1 : 0,
    };
    store.updateWebhook(db, next);
    bus.emit("webhook.changed", { webhook_id: id, ...onRecord(by), events, active });
    db.afterCommit(deliverer.wake);
    return presentWebhook(next, by.actor.role === "admin");
  });
}

/** Makes an admin answer for a webhook; what waited is sent, and it hears of events again. Throws `webhook_not_found`. */
export function takeOverWebhook(deps: Deps, by: By, id: string): Webhook {
  const { db, bus, deliverer } = deps;
  return db.tx(() => {
    const row = getWebhook(deps, id);
    store.updateMaker(db, id, by.actor.user_id);
    bus.emit("webhook.taken_over", { webhook_id: id, ...onRecord(by), host: hostOf(row.url) });
    db.afterCommit(deliverer.wake);
    return presentWebhook(row, true);
  });
}

/** Removes a webhook and its log. Throws `webhook_not_found`, `webhook_foreign`. */
export function deleteWebhook(deps: Deps, by: By, id: string): void {
  const { db, bus } = deps;
  db.tx(() => {
    const { url } = getOwnWebhook(deps, by.actor, id);
    store.deleteWebhook(db, id);
    bus.emit("webhook.deleted", { webhook_id: id, ...onRecord(by), host: hostOf(url) });
  });
}

/** Gives a webhook a new secret; the one before signs beside it for a day. Throws `webhook_not_found`, `webhook_foreign`. */
export function rotateSecret(deps: Deps, by: By, id: string): SecretRotated {
  const { db, clock, ids, seal, bus } = deps;
  const secret = makeSecret(ids);
  const previous_until = clock.now() + OVERLAP_MS;
  db.tx(() => {
    const row = getOwnWebhook(deps, by.actor, id);
    store.updateWebhook(db, { ...row, secret: seal.seal(id, secret), previous_secret: row.secret, previous_until });
    bus.emit("webhook.secret_rotated", { webhook_id: id, ...onRecord(by) });
  });
  return { id, secret, previous_until: toIso(previous_until) };
}
