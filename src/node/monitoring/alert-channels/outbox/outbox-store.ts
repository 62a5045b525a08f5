import type { Store } from "../../../../kernel/db/store.ts";
import type { NoticeKind } from "../contract.ts";

export type OutboxState = "queued" | "sent" | "expired" | "refused" | "dropped";

/** A row of `alert_outbox`: one notice for one channel. Times in milliseconds, `notice` as JSON. */
export interface OutboxRow {
  seq: number;
  channel_id: string;
  event_id: string;
  kind: NoticeKind;
  state: OutboxState;
  notice: string;
  subject: string;
  body: string;
  is_test: number;
  attempts: number;
  is_suspect: number;
  queued_at: number;
  settled_at: number | null;
}

export type NewOutboxRow = Omit<OutboxRow, "seq" | "state" | "attempts" | "is_suspect" | "settled_at">;

/** Queues a notice and returns its number; null when the channel was told the same already. */
export function insertNotice(db: Store, row: NewOutboxRow): number | null {
  const sql = `INSERT INTO alert_outbox (channel_id, event_id, kind, state, notice, subject, body, is_test, queued_at)
    VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq`;
  return (
    db.raw
      .query<{ seq: number }, [string, string, string, string, string, string, number, number]>(sql)
      .get(row.channel_id, row.event_id, row.kind, row.notice, row.subject, row.body, row.is_test, row.queued_at)
      ?.seq ?? null
  );
}

/** True when the channel was told, or will be, that the event fired. */
export function wasTold(db: Store, channelId: string, eventId: string): boolean {
  const sql = "SELECT 1 FROM alert_outbox WHERE event_id = ? AND channel_id = ? AND kind <> 'resolved' LIMIT 1";
  return db.raw.query<unknown, [string, string]>(sql).get(eventId, channelId) !== null;
}

/** What waits for a channel, oldest first; the button's tests are not among it. */
export function listQueued(db: Store, channelId: string, limit: number): OutboxRow[] {
  const sql = `SELECT * FROM alert_outbox WHERE channel_id = ? AND state = 'queued' AND is_test = 0 ORDER BY seq LIMIT ?`;
  return db.raw.query<OutboxRow, [string, number]>(sql).all(channelId, limit);
}

/** The oldest that waits for a channel and is not about `eventId`. */
export function findQueuedBesides(db: Store, channelId: string, eventId: string): OutboxRow | null {
  const sql = `SELECT * FROM alert_outbox WHERE channel_id = ? AND state = 'queued' AND is_test = 0 AND event_id <> ?
    ORDER BY seq LIMIT 1`;
  return db.raw.query<OutboxRow, [string, string]>(sql).get(channelId, eventId);
}

export function markSuspect(db: Store, seq: number): void {
  db.raw.query("UPDATE alert_outbox SET is_suspect = 1 WHERE seq = ?").run(seq);
}

export function findQueued(db: Store, seq: number): OutboxRow | null {
  const sql = "SELECT * FROM alert_outbox WHERE seq = ? AND state = 'queued'";
  return db.raw.query<OutboxRow, [number]>(sql).get(seq);
}

export function countQueued(db: Store, channelId: string): number {
  const sql = "SELECT count(*) AS count FROM alert_outbox WHERE channel_id = ? AND state = 'queued' AND is_test = 0";
  return db.raw.query<{ count: number }, [string]>(sql).get(channelId)?.count ?? 0;
}

/** When the oldest waiting notice of each channel was queued. */
export function oldestQueued(db: Store): { channel_id: string; queued_at: number }[] {
  const sql = `SELECT channel_id, min(queued_at) AS queued_at FROM alert_outbox
    WHERE state = 'queued' AND is_test = 0 GROUP BY channel_id`;
  return db.raw.query<{ channel_id: string; queued_at: number }, []>(sql).all();
}

/** Gives notices their last state. */
export function settleNotices(db: Store, seqs: readonly number[], state: OutboxState, now: number): void {
  const sql = "UPDATE alert_outbox SET state = ?, settled_at = ? WHERE seq IN (SELECT value FROM json_each(?))";
  db.raw.query(sql).run(state, now, JSON.stringify(seqs));
}

/** Counts an attempt that failed. */
export function countAttempt(db: Store, seqs: readonly number[]): void {
  const sql = "UPDATE alert_outbox SET attempts = attempts + 1 WHERE seq IN (SELECT value FROM json_each(?))";
  db.raw.query(sql).run(JSON.stringify(seqs));
}

/** Gives up what is older than `before` and was tried `attempts` times; returns how much that was. */
export function expireNotices(db: Store, channelId: string, before: number, attempts: number, now: number): number {
  const sql = `UPDATE alert_outbox SET state = 'expired', settled_at = ? WHERE channel_id = ? AND state = 'queued'
    AND queued_at < ? AND attempts >= ?`;
  return db.raw.query(sql).run(now, channelId, before, attempts).changes;
}

/** Drops what waits for a channel that was switched off. */
export function dropQueued(db: Store, channelId: string, now: number): void {
  const sql = "UPDATE alert_outbox SET state = 'dropped', settled_at = ? WHERE channel_id = ? AND state = 'queued'";
  db.raw.query(sql).run(now, channelId);
}

/** Drops tests whose caller is gone. */
export function dropTests(db: Store, now: number): void {
  const sql = "UPDATE alert_outbox SET state = 'dropped', settled_at = ? WHERE state = 'queued' AND is_test = 1";
  db.raw.query(sql).run(now);
}

/** The latest notice about an event, whoever it went to. */
export function findLatestNotice(db: Store, eventId: string): OutboxRow | null {
  const sql = "SELECT * FROM alert_outbox WHERE event_id = ? ORDER BY seq DESC LIMIT 1";
  return db.raw.query<OutboxRow, [string]>(sql).get(eventId);
}

/** Events among the latest notices, the newest first, with the words of their last one. */
export function listRecentEvents(db: Store, limit: number): { event_id: string; title: string }[] {
  const sql = `SELECT event_id, subject AS title, max(seq) AS latest
    FROM (SELECT * FROM alert_outbox WHERE is_test = 0 ORDER BY seq DESC LIMIT 200)
    GROUP BY event_id ORDER BY latest DESC LIMIT ?`;
  const rows = db.raw.query<{ event_id: string; title: string }, [number]>(sql).all(limit);
  return rows.map(({ event_id, title }) => ({ event_id, title }));
}

/** Forgets notices settled before `before`, but not that of an episode that goes on: its end must find its beginning. */
export function pruneNotices(db: Store, before: number, limit: number): number {
  const sql = `DELETE FROM alert_outbox WHERE seq IN (
    SELECT old.seq FROM alert_outbox AS old WHERE old.settled_at < ? AND (old.is_test = 1 OR EXISTS (
      SELECT 1 FROM alert_outbox AS done WHERE done.event_id = old.event_id AND done.channel_id = old.channel_id
      AND done.kind = 'resolved' AND done.settled_at < ?)) LIMIT ?)`;
  return db.raw.query(sql).run(before, before, limit).changes;
}
