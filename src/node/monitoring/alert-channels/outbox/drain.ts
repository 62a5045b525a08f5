import { toIso } from "../../../../lib/clock.ts";
import { type ChannelRow, findChannel, listChannels, updateHealth } from "../channels/channel-store.ts";
import { isPaused } from "../channels/paused.ts";
import { PROVIDERS } from "../providers/index.ts";
import { chooseNotices, passedOver } from "./choose.ts";
import { type Attempt, broken, type DeliverDeps, recordAttempt, sendNotices } from "./deliver.ts";
import { interruptDeliveries } from "./delivery-store.ts";
import { tellOfFailing, tellOfRecovery } from "./failing.ts";
import {
  countAttempt,
  dropTests,
  expireNotices,
  markSuspect,
  type OutboxRow,
  oldestQueued,
  settleNotices,
} from "./outbox-store.ts";
import { GROUP_MS, isDue, KEPT_MS, MIN_ATTEMPTS, retryDelay } from "./retry.ts";

const seqsOf = (rows: readonly OutboxRow[]): number[] => rows.map(({ seq }) => seq);

/** After a success: what was sent is done, and the way is known to work. */
export function noteSuccess(deps: DeliverDeps, before: ChannelRow, rows: readonly OutboxRow[], attempt: Attempt): void {
  const { db, clock } = deps;
  const now = clock.now();
  db.tx(() => {
    recordAttempt(deps, attempt);
    const suspect = passedOver(deps, before, rows);
    if (suspect) markSuspect(db, suspect.seq);
    settleNotices(db, seqsOf(rows), "sent", now);
    const channel = findChannel(db, before.id);
    if (!channel) return;
    updateHealth(db, {
      id: channel.id,
      failures: 0,
      failing_since: null,
      last_error: null,
      // The suspect gets its last try alone.
      refusals: suspect ? 1 : 0,
      next_attempt_at: now + Math.max(PROVIDERS[channel.type].gapMs, attempt.retry_after_ms ?? 0),
      last_delivery_at: toIso(now),
    });
    tellOfRecovery(deps, channel);
  });
}

/** After a failure: everything stays queued, except what is too old or is the cause itself. */
function noteFailure(deps: DeliverDeps, before: ChannelRow, rows: readonly OutboxRow[], attempt: Attempt): void {
  const { db, clock } = deps;
  const now = clock.now();
  db.tx(() => {
    recordAttempt(deps, attempt);
    countAttempt(db, seqsOf(rows));
    const channel = findChannel(db, before.id);
    if (!channel) return;
    const isRefused = attempt.status === "refused";
    const isCause = isRefused && rows.length === 1 && rows[0]?.is_suspect === 1;
    if (isCause) settleNotices(db, seqsOf(rows), "refused", now);
    expireNotices(db, channel.id, now - KEPT_MS, MIN_ATTEMPTS, now);
    // A message that is itself the cause says nothing bad of the way.
    const failures = isCause ? 0 : channel.failures + 1;
    const health = {
      id: channel.id,
      failures,
      failing_since: isCause ? null : (channel.failing_since ?? toIso(now)),
      last_error: attempt.provider_message,
      refusals: isRefused && !isCause ? channel.refusals + 1 : 0,
      next_attempt_at: now + retryDelay(failures, attempt.retry_after_ms),
      last_delivery_at: channel.last_delivery_at,
    };
    updateHealth(db, health);
    tellOfFailing(deps, { ...channel, ...health });
  });
}

/** Sends what waits for one channel as one message. */
async function drainChannel(deps: DeliverDeps, channel: ChannelRow): Promise<void> {
  const rows = chooseNotices(deps, channel);
  if (rows.length === 0) return;
  const attempt = await sendNotices(deps, channel, rows);
  const note = attempt.status === "delivered" ? noteSuccess : noteFailure;
  try {
    note(deps, channel, rows, attempt);
  } catch (error) {
    // Without a pause the same message would go again at once, and for ever.
    const { status, provider_message, retry_after_ms } = broken(deps, channel, error);
    noteFailure(deps, channel, rows, { ...attempt, status, provider_message, retry_after_ms });
  }
}

/** Channels whose time has come: the first notice has waited for others, and so has the channel since its last attempt. */
function dueChannels(deps: Pick<DeliverDeps, "db" | "clock" | "lists">): ChannelRow[] {
  const { db, clock } = deps;
  const now = clock.now();
  const oldest = new Map(oldestQueued(db).map(({ channel_id, queued_at }) => [channel_id, queued_at]));
  if (oldest.size === 0) return [];
  return listChannels(db).filter((channel) => {
    const { id, enabled, next_attempt_at } = channel;
    const since = oldest.get(id);
    if (isPaused(deps, channel)) return false;
    return enabled === 1 && since !== undefined && isDue(since + GROUP_MS, now) && isDue(next_attempt_at, now);
  });
}

/** Sends everything that is due, all channels side by side, each in order. One that breaks does not stop the others. */
export async function drainOutbox(deps: DeliverDeps): Promise<void> {
  const drains = dueChannels(deps).map((channel) =>
    drainChannel(deps, channel).catch((error: unknown) =>
      deps.log.error("alert channel could not be served", { channel_id: channel.id, error }),
    ),
  );
  await Promise.all(drains);
}

/** Takes back what the run before this one had begun: its notices go again, its tests do not. */
export function releaseClaims({ db, clock }: Pick<DeliverDeps, "db" | "clock">): void {
  db.tx(() => {
    dropTests(db, clock.now());
    interruptDeliveries(db, "The program ended before the answer came. The message is sent again.");
  });
}
