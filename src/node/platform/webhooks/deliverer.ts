import { minutes } from "../../../lib/duration.ts";
import { attempt } from "./attempt.ts";
import { findBody, findNextDue, listDue, listDueWebhooks } from "./delivery-store.ts";
import type { Needs } from "./needs.ts";
import { isPaused } from "./paused.ts";
import { type Done, record } from "./record.ts";
import { findWebhook } from "./store.ts";

/** Sends what is due. All that it knows is in the database, so that a killed program goes on where it was. */
export interface Deliverer {
  /** Looks for what is due; returns at once. */
  wake(): void;
  /** Resolves when nothing is on its way and nothing is due. */
  settled(): Promise<void>;
}

type Deps = Pick<
  Needs,
  | "db"
  | "clock"
  | "ids"
  | "bus"
  | "identity"
  | "seal"
  | "outgoing"
  | "log"
  | "version"
  | "signal"
  | "meanings"
  | "random"
  | "lists"
>;

const PARALLEL = 4;
/**
 * Successes of one webhook that are written down together: a disk can do far fewer commits than a receiver requests. After
 * a crash they are sent again, with the same ids.
 */
const BATCH = 64;
const BATCH_MS = 100;
/** How long a webhook rests after an error of ours, such as a full disk. */
const REST_MS = minutes(1);

/** Four webhooks are served at a time, each by one request at a time, those first that have waited longest for a turn. */
export function createDeliverer(deps: Deps): Deliverer {
  const { db, clock, log, signal, random } = deps;
  const running = new Map<string, Promise<void>>();
  const resting = new Set<string>();
  const turns = new Map<string, number>();
  let turn = 0;
  let cancelTimer = (): void => {};
  let isWaking = false;

  /** Sends a batch of one webhook, until one fails, in the order they fell due. */
  async function serve(webhookId: string): Promise<void> {
    const begun = clock.monotonic();
    const done: Done[] = [];
    for (const delivery of listDue(db, webhookId, clock.now(), BATCH)) {
      const webhook = findWebhook(db, webhookId);
      const body = findBody(db, delivery.message_id);
      if (!webhook || body === null || (webhook.active === 0 && delivery.manual === 0)) break;
      if (isPaused(deps, webhook)) break;
      const outcome = await attempt(deps, webhook, delivery, body);
      done.push({ delivery, outcome, at: clock.now() });
      if (!outcome.isOk || clock.monotonic() - begun >= BATCH_MS || signal.aborted) break;
    }
    db.tx(() => record(deps, done, random));
  }

  function rest(webhookId: string, error: unknown): void {
    if (signal.aborted) return;
    log.error("webhook delivery failed inside", { webhook_id: webhookId, error });
    resting.add(webhookId);
    clock.after(REST_MS, () => {
      resting.delete(webhookId);
      wake();
    });
  }

  function begin(webhookId: string): void {
    turn += 1;
    turns.set(webhookId, turn);
    const work = serve(webhookId)
      .catch((error: unknown) => rest(webhookId, error))
      .finally(() => {
        running.delete(webhookId);
        look();
      });
    running.set(webhookId, work);
  }

  function pump(): void {
    if (signal.aborted) return;
    const now = clock.now();
    const due = listDueWebhooks(db, now)
      .flatMap((webhook) => (isPaused(deps, webhook) ? [] : [webhook.id]))
      .filter((id) => !running.has(id) && !resting.has(id))
      .sort((left, right) => (turns.get(left) ?? 0) - (turns.get(right) ?? 0));
    for (const id of due.slice(0, PARALLEL - running.size)) begin(id);
    cancelTimer();
    const next = findNextDue(db, now);
    if (next !== null) cancelTimer = clock.after(next - now, wake);
  }

  /** Looks for work; a database that fails now is asked again by the job that catches up. */
  function look(): void {
    try {
      pump();
    } catch (error) {
      log.error("webhook queue does not answer", { error });
    }
  }

  /** Many events of one turn of the event loop are one look. */
  function wake(): void {
    if (isWaking) return;
    isWaking = true;
    queueMicrotask(() => {
      isWaking = false;
      look();
    });
  }

  return {
    wake,
    async settled() {
      await Promise.resolve();
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
