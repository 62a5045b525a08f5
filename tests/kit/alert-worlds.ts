import { releaseClaims } from "../../src/node/monitoring/alert-channels/outbox/drain.ts";
import { evaluate, type Watch } from "../../src/node/monitoring/alerting/judge/evaluate.ts";
import { createMinutes, MINUTE_MS, readSample } from "../../src/node/monitoring/alerting/judge/minutes.ts";
import { freshState, step } from "../../src/node/monitoring/alerting/judge/step.ts";
import { keepEntity, mergeRow } from "../../src/node/monitoring/metrics/series/series-store.ts";
import { randomStory, type Story } from "./alert-series.ts";
import { alertingOf } from "./alerting.ts";
import { createFakeOutgoing } from "./fake-outgoing.ts";
import { createTestNode, type TestNode } from "./node-app.ts";

/** What many series of one real node led to. */
export interface WorldOutcome {
  /** What is wrong; empty when every episode was told once and once over on every channel. */
  faults: string[];
  series: number;
  episodes: number;
  restarts: number;
  /** Rounds that were cut off between two of their transactions. */
  kills: number;
  messages: number;
}

const LONGEST = 120;
/** How long after its end a minute is judged here. */
const LAG_MS = 20_000;
const SETTLE_MS = 60_000;
const METRIC = "rx_bps";

interface Episode {
  from: number;
  to: number | null;
}

interface EventRow {
  id: string;
  entity: string;
  fired_at: number;
  resolved_at: number | null;
  fire_told_at: number | null;
  resolve_told_at: number | null;
}

const nameOf = (index: number): string => `iface:e${index}`;
const isIn = (spans: readonly (readonly [number, number])[], minute: number): boolean =>
  spans.some(([from, to]) => minute >= from && minute < to);

/** When the state machine alone would begin and end episodes, with the starts of the program that it cannot see past. */
function expectedEpisodes(
  values: readonly (number | null)[],
  story: Story,
  base: number,
  starts: readonly number[],
): Episode[] {
  const { condition } = story;
  const minutes = createMinutes(
    values.map((value, index) => ({ t: base + index * MINUTE_MS, n: 6, value })),
    base,
    base + values.length * MINUTE_MS,
  );
  const settleMs = Math.max(condition.for_ms, SETTLE_MS);
  const found: Episode[] = [];
  let state = freshState(base);
  for (let minute = 0; minute < values.length; minute++) {
    const at = base + (minute + 1) * MINUTE_MS;
    const since = starts.findLast((start) => start < at) ?? base;
    const settling = at > since && at - MINUTE_MS < since + settleMs;
    const options = { spanMs: condition.for_ms, knownFrom: since, settling };
    const result = step(state, readSample(minutes, "value", at, condition, options), condition, at);
    state = result.state;
    for (const { type } of result.effects) {
      if (type === "open") found.push({ from: at, to: null });
      const last = found.at(-1);
      if (type === "resolve" && last) last.to = at;
    }
  }
  return found;
}

/** Sets up what people would: three webhooks, one rule over all interfaces, the windows. */
async function furnish(node: TestNode, story: Story, base: number): Promise<void> {
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await node.call(`POST /api/alerting/${path}`, { as: "admin", body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  for (const index of story.outages.keys()) {
    await post("channels", { name: `c${index}`, type: "webhook", config: { url: `https://c${index}.example/` } });
  }
  const { op, threshold, clear_threshold, for_ms, clear_for_ms } = story.condition;
  await post("rules", {
    type: "threshold",
    metric: METRIC,
    entity: "iface:*",
    op,
    threshold,
    clear_threshold,
    for: for_ms / 1000,
    clear_for: clear_for_ms / 1000,
    cooldown: story.cooldownMs / 1000,
  });
  const wallTime = (minute: number): string => new Date(base + minute * MINUTE_MS).toISOString().slice(0, 16);
  for (const [from, to] of story.maintenance) {
    await post("maintenance", { start: wallTime(from), end: wallTime(to), timezone: "UTC" });
  }
}

/**
 * Lives a random story with `count` series in a whole node: real rules, events, outbox and deliveries on SQLite, with the
 * program stopped and started, rounds cut off half-way, windows, and channels that fail for a while. Only the far ends of the
 * channels are made up.
 */
export async function liveWorld(random: () => number, count: number): Promise<WorldOutcome> {
  const story = randomStory(random);
  const length = Math.min(LONGEST, story.values.length);
  const all = Array.from({ length: count }, () => {
    const { values } = randomStory(random);
    return Array.from({ length }, (_, minute) => values[minute] ?? null);
  });
  const world = createFakeOutgoing();
  const config = { session_rate: "1000000", host_root: "/nonexistent" };
  let node = createTestNode(config, undefined, { outgoing: world });
  const first = node;
  const { clock } = first;
  const base = clock.now();
  await furnish(node, story, base);

  const heard = story.outages.map((): string[] => []);
  let minute = 0;
  let messages = 0;
  let isCalm = false;
  world.answer = ({ url, body }) => {
    const index = Number(/c(\d+)\./.exec(url)?.[1]);
    if (!isCalm && isIn(story.outages[index] ?? [], minute)) return random() < 0.5 ? "connect" : 503;
    const { notices }: { notices: { event_id: string; kinds: string[] }[] } = JSON.parse(String(body));
    for (const { event_id, kinds } of notices) heard[index]?.push(...kinds.map((kind) => `${event_id} ${kind}`));
    messages += 1;
    return 200;
  };

  const starts = [base];
  let watch: Watch = { since: base, missing: new Map() };
  const restart = (): void => {
    node = createTestNode(config, first, { outgoing: world });
    releaseClaims(node.ctx);
    watch = { since: clock.now(), missing: new Map() };
    starts.push(clock.now());
  };
  const round = (pause: () => Promise<void>): Promise<void> => evaluate(alertingOf(node), watch, pause);
  const turn = async (): Promise<void> => {};

  let restarts = 0;
  let kills = 0;
  await clock.advance(LAG_MS);
  for (; minute < length; minute++) {
    // Fewer than the story asks for: a node takes its time to build.
    if (story.restarts.has(minute) && random() < 0.4) {
      restart();
      restarts += 1;
    }
    node.ctx.metricsDb.transaction(() => {
      const bucket = base / MINUTE_MS + minute;
      for (const [index, values] of all.entries()) {
        const value = values[minute] ?? null;
        if (value === null) continue;
        const id = keepEntity(node.ctx.metricsDb, nameOf(index), "iface");
        mergeRow(node.ctx.metricsDb, "m1", "iface", id, { bucket, n: 6, avg: [value, null], max: [value, null] });
      }
    })();
    await clock.advance(MINUTE_MS);
    const isSettled = clock.now() - (starts.at(-1) ?? 0) > story.condition.for_ms + 4 * MINUTE_MS;
    if (isSettled && random() < 0.03) {
      let left = Math.floor(random() * 8);
      // The rest of the round never comes: that is what a killed program does.
      let die = (): void => {};
      const death = new Promise<void>((resolve) => {
        die = resolve;
      });
      const cut = round(() => {
        left -= 1;
        if (left >= 0) return Promise.resolve();
        die();
        return new Promise<void>(() => {});
      });
      await Promise.race([cut, death]);
      restart();
      kills += 1;
    }
    await round(turn);
    await node.ctx.jobs.run("alert-channels.deliver");
  }
  isCalm = true;
  const queued = () =>
    node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM alert_outbox WHERE state = 'queued'").get()?.n;
  for (let tries = 0; tries < 20 && (queued() ?? 0) > 0; tries++) {
    await clock.advance(3_700_000);
    await node.ctx.jobs.run("alert-channels.deliver");
  }

  const faults: string[] = [];
  if ((queued() ?? 0) > 0) faults.push(`${queued()} notices still wait`);
  const rows = node.ctx.db.raw
    .query<EventRow, []>("SELECT * FROM alert_events WHERE type = 'threshold' ORDER BY fired_at, id")
    .all();
  for (const [index, values] of all.entries()) {
    const own = rows.filter(({ entity }) => entity === nameOf(index));
    const found = own.map(({ fired_at, resolved_at }): Episode => ({ from: fired_at, to: resolved_at }));
    const expected = expectedEpisodes(values, story, base, starts);
    if (JSON.stringify(found) !== JSON.stringify(expected)) faults.push(`series ${index}: other episodes`);
  }
  for (const { id, resolved_at, fire_told_at, resolve_told_at } of rows) {
    const isEndHeld = isIn(story.maintenance, length - 1) || isIn(story.maintenance, length);
    if (resolved_at !== null && fire_told_at !== null && resolve_told_at === null && !isEndHeld) {
      faults.push(`event ${id}: its end was never told`);
    }
    for (const [index, texts] of heard.entries()) {
      const kinds = texts.filter((text) => text.startsWith(`${id} `)).map((text) => text.slice(id.length + 1));
      const fires = kinds.filter((kind, at) => kind === "fired" || (kind === "flapping" && at === 0)).length;
      const ends = kinds.filter((kind) => kind === "resolved").length;
      if (fires !== (fire_told_at === null ? 0 : 1)) faults.push(`event ${id} channel ${index}: ${fires} fires`);
      if (ends !== (resolve_told_at === null ? 0 : 1)) faults.push(`event ${id} channel ${index}: ${ends} ends`);
      if (ends > 0 && kinds.at(-1) !== "resolved") faults.push(`event ${id} channel ${index}: ${kinds.join(" ")}`);
    }
  }
  first.close();
  return { faults, series: count, episodes: rows.length, restarts, kills, messages };
}
