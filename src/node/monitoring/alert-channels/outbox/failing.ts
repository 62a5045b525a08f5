import { toIso } from "../../../../lib/clock.ts";
import { type ChannelRow, listChannels, updateTold } from "../channels/channel-store.ts";
import { isPaused } from "../channels/paused.ts";
import type { Notice } from "../contract.ts";
import type { DeliverDeps } from "./deliver.ts";
import { enqueueNotice } from "./enqueue.ts";
import { countQueued } from "./outbox-store.ts";
import { FAILURES_TO_TELL } from "./retry.ts";

function noticeOf(channel: ChannelRow, eventId: string, message: string, resolvedAt: string | null): Notice {
  const since = channel.failing_since ?? channel.created_at;
  return {
    event_id: eventId,
    type: "channel_failing",
    rule_id: null,
    rule_name: "Alert channel failing",
    severity: "warning",
    entity: `channel:${channel.id}`,
    entity_name: channel.name,
    metric: null,
    value: null,
    threshold: null,
    unit: null,
    message,
    started_at: since,
    resolved_at: resolvedAt,
    peak: null,
    duration_seconds: resolvedAt === null ? null : (Date.parse(resolvedAt) - Date.parse(since)) / 1000,
  };
}

/** After three failures in a row: says so on the dashboard and on the first other channel that works. */
export function tellOfFailing(deps: DeliverDeps, channel: ChannelRow): void {
  const { db, bus, ids } = deps;
  if (channel.failures !== FAILURES_TO_TELL) return;
  const queued = countQueued(db, channel.id);
  const error = channel.last_error ?? "";
  bus.emit("channel.failing", {
    channel_id: channel.id,
    name: channel.name,
    type: channel.type,
    failing_since: channel.failing_since ?? channel.created_at,
    error,
    queued,
  });
  const other = listChannels(db).find(
    (one) => one.id !== channel.id && one.enabled === 1 && one.failures === 0 && !isPaused(deps, one),
  );
  const eventId = ids.next("evt");
  updateTold(db, channel.id, eventId, other?.id ?? null);
  if (!other) return;
  const message = `Alerts do not reach ${channel.name}: ${error}. ${queued} wait and are tried again for a day.`;
  enqueueNotice(deps, { kind: "fired", notice: noticeOf(channel, eventId, message, null), channel_ids: [other.id] });
}

/** When a channel works again after others were told: tells the same ones. `channel` is how it was before. */
export function tellOfRecovery(deps: DeliverDeps, channel: ChannelRow): void {
  const { db, bus, clock } = deps;
  if (channel.told_event_id === null) return;
  const failing_since = channel.failing_since ?? channel.created_at;
  bus.emit("channel.recovered", { channel_id: channel.id, name: channel.name, type: channel.type, failing_since });
  updateTold(db, channel.id, null, null);
  if (channel.told_channel_id === null) return;
  const message = `Alerts reach ${channel.name} again.`;
  const notice = noticeOf(channel, channel.told_event_id, message, toIso(clock.now()));
  enqueueNotice(deps, { kind: "resolved", notice, channel_ids: [channel.told_channel_id] });
}
