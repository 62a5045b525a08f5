import { toIso } from "../../../../lib/clock.ts";
import { fail, type Notice, type TestResult } from "../contract.ts";
import { type Attempt, type DeliverDeps, recordAttempt, sendNotices } from "../outbox/deliver.ts";
import { noteSuccess } from "../outbox/drain.ts";
import { writeTexts } from "../outbox/enqueue.ts";
import { findQueued, insertNotice, type OutboxRow, settleNotices } from "../outbox/outbox-store.ts";
import { TEST_PREFIX } from "../texts/place.ts";
import { updateHealth } from "./channel-store.ts";
import { type By, getChannelRow } from "./channels.ts";
import { isPaused } from "./paused.ts";

function testNotice(eventId: string, channelName: string, startedAt: string): Notice {
  return {
    event_id: eventId,
    type: "test",
    rule_id: null,
    rule_name: "Test message",
    severity: "info",
    entity: "host",
    entity_name: channelName,
    metric: null,
    value: null,
    threshold: null,
    unit: null,
    message: "This is a test. Alerts sent to this channel arrive here.",
    started_at: startedAt,
    resolved_at: null,
    peak: null,
    duration_seconds: null,
  };
}

/** A test that failed is not tried again and tells nobody else: somebody is looking at it. */
function noteFailedTest(deps: DeliverDeps, id: string, row: OutboxRow, attempt: Attempt): void {
  const { db, clock } = deps;
  const now = clock.now();
  db.tx(() => {
    recordAttempt(deps, attempt);
    settleNotices(db, [row.seq], "dropped", now);
    const channel = getChannelRow(deps, id);
    const next_attempt_at = Math.max(channel.next_attempt_at, now + (attempt.retry_after_ms ?? 0));
    updateHealth(db, { ...channel, last_error: attempt.provider_message, next_attempt_at });
  });
}

/**
 * Sends a test through the same template, outbox and provider as an alert, at once and once, and answers with what the
 * provider said. Throws `channel_not_found`, `channel_paused`.
 */
export async function testChannel(deps: DeliverDeps, by: By, id: string): Promise<TestResult> {
  const { db, clock, ids, bus } = deps;
  const channel = getChannelRow(deps, id);
  if (isPaused(deps, channel)) throw fail("channel_paused", { name: channel.name });
  const row = db.tx(() => {
    const event_id = ids.next(TEST_PREFIX.slice(0, -1));
    const notice = testNotice(event_id, channel.name, toIso(clock.now()));
    const texts = writeTexts(deps, "fired", channel.type, notice);
    const queued_at = clock.now();
    const texted = { ...texts, notice: JSON.stringify(notice), is_test: 1, queued_at };
    const seq = insertNotice(db, { channel_id: id, event_id, kind: "fired", ...texted });
    return seq === null ? null : findQueued(db, seq);
  });
  if (!row) throw new Error("a test was not queued");
  const attempt = await sendNotices(deps, channel, [row]);
  const ok = attempt.status === "delivered";
  if (ok) noteSuccess(deps, channel, [row], attempt);
  if (!ok) noteFailedTest(deps, id, row, attempt);
  bus.emit("channel.tested", { ...by, channel_id: id, name: channel.name, type: channel.type, ok });
  const { code, provider_message, latency_ms, delivery_id } = attempt;
  return { ok, code, provider_text: provider_message, latency_ms, delivery_id };
}
