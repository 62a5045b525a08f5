import { toIso } from "../../../../lib/clock.ts";
import { parseJson } from "../../../../lib/json.ts";
import { sendsElsewhere } from "../../../makers.ts";
import { type Forwarder, type ForwarderChange, type ForwarderInput, fail } from "../contract.ts";
import type { Needs } from "../needs.ts";
import type { Pumps } from "../pump/pumps.ts";
import { asChecked, secretPath } from "../senders/index.ts";
import { checkConfig } from "./check-config.ts";
import * as store from "./forwarder-store.ts";
import { isPaused } from "./paused.ts";
import { openSecret, sealSecret } from "./secret.ts";

type Deps = Pick<Needs, "db" | "clock" | "ids" | "seal" | "bus" | "ownPorts" | "lists"> & { pumps: Pumps };

/** Who asks, for the audit log. */
export interface By {
  user_id: string;
  ip: string;
}

const MOST_FORWARDERS = 10;

function present(deps: Pick<Deps, "pumps" | "lists">, row: store.ForwarderRow): Forwarder {
  const { pumps } = deps;
  const checked = asChecked(row.kind, parseJson(row.config));
  if (!checked) throw new Error(`the stored configuration of ${row.id} does not fit`);
  const { counts, health, next_attempt_at, kept_out } = pumps.status(row);
  const { failing_since, last_error, dropped_at, dropped_why, last_sent_at } = health;
  const isAtWork = row.enabled === 1 && !isPaused(deps, row);
  const isFailing = failing_since !== null;
  const seen = isFailing ? "failing" : counts.sent > 0 || last_sent_at !== null ? "working" : "idle";
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    enabled: row.enabled === 1,
    config: checked.config,
    has_secret: row.secret !== null,
    sources: row.sources,
    min_level: row.min_level,
    kept_out: isAtWork ? kept_out : [],
    state: isAtWork ? seen : row.enabled === 1 ? "paused" : "off",
    ...counts,
    waiting_limit_bytes: pumps.waitingLimit,
    dropped_why,
    dropped_at,
    failing_since,
    last_error,
    next_attempt_at: isFailing && isAtWork ? next_attempt_at : null,
    last_sent_at,
    created_at: row.created_at,
  };
}

/** The row of a forwarder. Throws `log_forwarder_not_found`. */
export function getRow({ db }: Pick<Deps, "db">, id: string): store.ForwarderRow {
  const row = store.findForwarder(db, id);
  if (!row) throw fail("log_forwarder_not_found", { id });
  return row;
}

/** All forwarders with how they are doing, oldest first, without their secrets. */
export const listForwarders = (deps: Pick<Deps, "db" | "pumps" | "lists">): Forwarder[] =>
  store.listForwarders(deps.db).map((row) => present(deps, row));

function checkName({ db }: Pick<Deps, "db">, name: string, ownId: string | null): string {
  const trimmed = name.trim();
  const holder = store.findForwarderByName(db, trimmed);
  if (holder && holder.id !== ownId) throw fail("log_forwarder_name_taken", { name: trimmed });
  return trimmed;
}

/** Makes a forwarder; it sends what is written from now on. Throws `invalid_request`, `log_forwarder_name_taken`, `log_forwarder_limit`. */
export function createForwarder(deps: Deps, by: By, input: ForwarderInput): Forwarder {
  const { db, clock, ids, bus, pumps } = deps;
  const secret = input.secret ?? null;
  checkConfig(deps, input.kind, input.config, secret);
  return db.tx(() => {
    if (store.listForwarders(db).length >= MOST_FORWARDERS)
      throw fail("log_forwarder_limit", { limit: MOST_FORWARDERS });
    const id = ids.next("lfw");
    const name = checkName(deps, input.name, null);
    store.insertForwarder(db, {
      id,
      name,
      kind: input.kind,
      enabled: Number(input.enabled ?? true),
      config: JSON.stringify(input.config),
      secret: secret === null ? null : sealSecret(deps, id, secret),
      sources: input.sources ?? "all",
      min_level: input.min_level ?? null,
      created_at: toIso(clock.now()),
      created_by: by.user_id,
    });
    bus.emit("log_forwarder.created", { ...by, forwarder_id: id, name, kind: input.kind });
    db.afterCommit(pumps.reconcile);
    return present(deps, getRow(deps, id));
  });
}

/** The secret after a change, in clear. Throws `log_forwarder_secret_again` when a stored one would travel another way. */
function nextSecret(deps: Deps, row: store.ForwarderRow, { config, secret }: ForwarderChange): string | null {
  if (secret !== undefined) return secret;
  const stored = openSecret(deps, row);
  if (stored === null || config === undefined) return stored;
  const before = asChecked(row.kind, parseJson(row.config));
  const after = checkConfig(deps, row.kind, config, stored);
  if (before === null || secretPath(before) !== secretPath(after)) throw fail("log_forwarder_secret_again");
  return stored;
}

/**
 * Changes a forwarder; what waits is tried again at once, on the new way. Throws as `createForwarder` does, and
 * `log_forwarder_not_found`.
 */
export function changeForwarder(deps: Deps, by: By, id: string, change: ForwarderChange): Forwarder {
  const { db, bus, pumps } = deps;
  return db.tx(() => {
    const row = getRow(deps, id);
    const secret = nextSecret(deps, row, change);
    const config = change.config ?? parseJson(row.config);
    checkConfig(deps, row.kind, config, secret);
    const name = change.name === undefined ? row.name : checkName(deps, change.name, id);
    store.updateForwarder(db, {
      id,
      name,
      enabled: Number(change.enabled ?? row.enabled === 1),
      config: JSON.stringify(config),
      secret: change.secret === undefined || secret === null ? secret && row.secret : sealSecret(deps, id, secret),
      sources: change.sources ?? row.sources,
      min_level: change.min_level === undefined ? row.min_level : change.min_level,
    });
    if (sendsElsewhere(change)) store.updateMaker(db, id, by.user_id);
    bus.emit("log_forwarder.changed", {
      ...by,
      forwarder_id: id,
      name,
      kind: row.kind,
      fields: Object.keys(change),
    });
    db.afterCommit(pumps.reconcile);
    return present(deps, getRow(deps, id));
  });
}

/** Makes an admin answer for a forwarder; what waited goes out, and it takes lines again. Throws `log_forwarder_not_found`. */
export function takeOverForwarder(deps: Deps, by: By, id: string): Forwarder {
  const { db, bus, pumps } = deps;
  return db.tx(() => {
    const { name, kind } = getRow(deps, id);
    store.updateMaker(db, id, by.user_id);
    bus.emit("log_forwarder.taken_over", { ...by, forwarder_id: id, name, kind });
    db.afterCommit(pumps.reconcile);
    return present(deps, getRow(deps, id));
  });
}

/** Deletes a forwarder with what waits for it. Throws `log_forwarder_not_found`. */
export function deleteForwarder(deps: Deps, by: By, id: string): { waiting: number } {
  const { db, bus, pumps } = deps;
  return db.tx(() => {
    const row = getRow(deps, id);
    const { waiting } = pumps.status(row).counts;
    store.deleteForwarder(db, id);
    bus.emit("log_forwarder.deleted", { ...by, forwarder_id: id, name: row.name, kind: row.kind, waiting });
    db.afterCommit(pumps.reconcile);
    return { waiting };
  });
}
