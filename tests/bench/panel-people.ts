import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeal, loadSealKey } from "../../src/kernel/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/digest.ts";
import { openData } from "../../src/panel/open-data.ts";
import { createTokens } from "../../src/panel/people/sessions/tokens.ts";
import { SEED_TENANT, seedFleet } from "../kit/seed-fleet.ts";
import type { Measure } from "./bench.ts";
import { addOwner } from "./fleet-owner.ts";
import { measureFanOut } from "./notice-fan-out.ts";
import { cpuSinceStartMs, waitedMs } from "./process-facts.ts";
import { buildPanel, type Running, startPanel } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

const PEOPLE = 5_000;
const TOKEN = `orscim_${"b".repeat(43)}`;
const HOST = "company.example";
/** A page that follows the stream says a word only when its reader goes elsewhere (`presence-beat.ts`): so often, all of them all the time. */
const ELSEWHERE_S = 120;
/** So many pages are told in a second that they have to ask anew (`turns.ts`). */
const ASKS_PER_S = 10;
const AT_ONCE = 8;
/** Who has a page open when something is told to all of them, and how often that happens. */
const WATCHERS = 1_000;
const NOTICES = 5;

/** Gives the seeded workspace an owner, a plan, a domain and a directory. */
async function furnish(folder: string): Promise<void> {
  await addOwner(folder);
  const { db, samplesDb } = await openData({ data_dir: folder, database_url: "" }, systemClock);
  const now = Date.now();
  await db.run("UPDATE tenants SET plan = 'business' WHERE tenant_id = ?", [SEED_TENANT]);
  await db.run(
    "INSERT INTO sso_domains (tenant_id, id, host, token, created_at, verified_at, checked_at) VALUES (?, 'dom_1', ?, 'x', ?, ?, ?)",
    [SEED_TENANT, HOST, now, now, now],
  );
  await db.run(
    `INSERT INTO scim_tokens (tenant_id, id, name, token_hash, hint, created_at, expires_at, made_by_role)
     VALUES (?, 'dir_1', 'Bench', ?, 'bbbb', ?, ?, 'org_owner')`,
    [SEED_TENANT, sha256Hex(TOKEN), now, now + 86_400_000],
  );
  await samplesDb.close();
  await db.close();
}

/** Asks the panel as the directory. */
async function scim<Answer>({ url }: Running, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/scim+json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Milliseconds that something takes, less what client and panel waited for a processor that others had. */
async function timed(pid: number, run: () => Promise<unknown>): Promise<number> {
  const waited = () => waitedMs(pid) + waitedMs(process.pid);
  const before = waited();
  const begin = performance.now();
  await run();
  return Math.max(0, performance.now() - begin - (waited() - before));
}

/** Does something for each number, some at the same time. */
async function forEach(count: number, run: (no: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let no = next++; no < count; no = next++) await run(no);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

interface Listed {
  totalResults: number;
  Resources: { id: string }[];
}

async function measureDirectory(panel: Running): Promise<Figure[]> {
  const ids: string[] = [];
  const begun = cpuSinceStartMs(panel.pid);
  await forEach(PEOPLE, async (no) => {
    const body = { userName: `person-${no}@${HOST}`, externalId: `ext-${no}`, displayName: `Person ${no}` };
    ids.push((await scim<{ id: string }>(panel, "POST", "/Users", body)).id);
  });
  const made = (cpuSinceStartMs(panel.pid) - begun) / PEOPLE;
  const pages: number[] = [];
  let seen = 0;
  for (let at = 1; at <= PEOPLE; at += 100)
    pages.push(
      await timed(panel.pid, async () => {
        seen += (await scim<Listed>(panel, "GET", `/Users?startIndex=${at}&count=100`)).Resources.length;
      }),
    );
  if (seen < PEOPLE) throw new Error(`a full sync found ${seen} of ${PEOPLE} people`);
  const asks = async (filter: string, times: number): Promise<number[]> => {
    const all: number[] = [];
    for (let no = 0; no < times; no++)
      all.push(
        await timed(panel.pid, () =>
          scim(panel, "GET", `/Users?filter=${encodeURIComponent(filter.replace("N", String(no)))}`),
        ),
      );
    return all;
  };
  const byName = await asks(`userName eq "person-N@${HOST}"`, 200);
  const anyOther = await asks(`displayName co "son N" and active eq true`, 20);
  const members = ids.map((value) => ({ value }));
  const group = await timed(panel.pid, () => scim(panel, "POST", "/Groups", { displayName: "Everybody", members }));
  const id = (await scim<Listed>(panel, "GET", "/Groups?excludedAttributes=members")).Resources[0]?.id;
  const changes: number[] = [];
  for (const value of ids.slice(0, 20))
    for (const op of ["remove", "add"])
      changes.push(
        await timed(panel.pid, () =>
          scim(panel, "PATCH", `/Groups/${id}`, {
            Operations: [
              op === "add" ? { op, path: "members", value: [{ value }] } : { op, path: `members[value eq "${value}"]` },
            ],
          }),
        ),
      );
  const figure = (measure: string, value: number, limit: number, note: string): Figure => ({
    ...{ measure, value, unit: "ms", limit: { kind: "most", value: limit }, baseline: null, note },
  });
  const sum = pages.reduce((all, one) => all + one, 0);
  return [
    figure("directory: processor time of one person brought in", made, 15, `${PEOPLE} people, ${AT_ONCE} at a time`),
    figure(
      `directory: all ${PEOPLE} people read in pages of 100`,
      sum,
      5_000,
      `p95 of a page ${percentile(pages, 95).toFixed(1)} ms`,
    ),
    figure(
      `directory: one of ${PEOPLE} by name, p95`,
      percentile(byName, 95),
      20,
      `median ${median(byName).toFixed(1)} ms`,
    ),
    figure(
      `directory: any other filter over ${PEOPLE}, p95`,
      percentile(anyOther, 95),
      500,
      `median ${median(anyOther).toFixed(1)} ms`,
    ),
    figure(`directory: a group of ${PEOPLE} made`, group, 10_000, "one request"),
    figure(
      `directory: one member of a group of ${PEOPLE} changed, p95`,
      percentile(changes, 95),
      100,
      `median ${median(changes).toFixed(1)} ms`,
    ),
  ];
}

/** Gives everybody of the workspace a session, and signs a token for each as the panel would. The first ones may manage the team. */
async function signEverybodyIn(folder: string): Promise<{ tokens: string[]; guarded: string[] }> {
  const { db, samplesDb } = await openData({ data_dir: folder, database_url: "" }, systemClock);
  const now = Date.now();
  await db.run(
    `INSERT INTO sessions (tenant_id, id, member_id, account_id, created_at, family, renewed_at)
     SELECT tenant_id, 'ses_' || id, id, account_id, ?, 'ses_' || id, ? FROM members WHERE tenant_id = ?`,
    [now, now, SEED_TENANT],
  );
  const everybody = "SELECT id, account_id, role FROM members WHERE tenant_id = ? AND id <> 'mem_ada' ORDER BY id";
  await db.run(
    `UPDATE members SET role = 'org_admin' WHERE tenant_id = ? AND id IN (SELECT id FROM (${everybody}) AS o LIMIT ?)`,
    [SEED_TENANT, SEED_TENANT, WATCHERS],
  );
  const rows = await db.all<{ id: string; account_id: string; role: string }>(everybody, [SEED_TENANT]);
  const guarded = rows.slice(-NOTICES);
  for (const { account_id } of guarded) await db.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [account_id]);
  await samplesDb.close();
  await db.close();
  const seal = createSeal(loadSealKey(join(folder, "panel.key"), false));
  const tokens = createTokens({ seal, clock: systemClock });
  const signed = rows.map(({ id, account_id, role }) =>
    tokens.sign({ uid: id, tid: SEED_TENANT, aid: account_id, role, sid: `ses_${id}` }, false),
  );
  return { tokens: await Promise.all(signed), guarded: guarded.map(({ id }) => id) };
}

/** Processor time of the panel for one of `count` calls, in microseconds; the first ones are to get it going. */
async function costUs(panel: Running, count: number, call: (no: number) => Promise<unknown>): Promise<number> {
  await forEach(count, call);
  const before = cpuSinceStartMs(panel.pid);
  await forEach(count, call);
  return ((cpuSinceStartMs(panel.pid) - before) / count) * 1000;
}

async function measurePresence(panel: Running, tokens: readonly string[]): Promise<Figure> {
  const headersOf = (no: number) => ({
    authorization: `Bearer ${tokens[no % tokens.length]}`,
    "content-type": "application/json",
  });
  const word = await costUs(panel, tokens.length, async (no) => {
    const body = JSON.stringify({ page: `/nodes/${no % 100}` });
    const answer = await fetch(`${panel.url}/api/presence/heartbeat`, { method: "POST", headers: headersOf(no), body });
    if (answer.status !== 204) throw new Error(`a word of presence was answered ${answer.status}`);
  });
  const question = await costUs(panel, 2_000, async (no) => {
    const answer = await fetch(`${panel.url}/api/presence?limit=20`, { headers: headersOf(no) });
    const { users } = (await answer.json()) as { users: unknown[] };
    if (users.length !== 20) throw new Error(`of ${tokens.length} people ${users.length} were told`);
  });
  const us = word * (PEOPLE / ELSEWHERE_S) + question * ASKS_PER_S;
  return {
    measure: `presence of ${PEOPLE} members, share of a core`,
    value: us / 10_000,
    unit: "%",
    limit: { kind: "most", value: 1 },
    baseline: null,
    note: `${word.toFixed(0)} µs for each word, one in ${ELSEWHERE_S} s of each; ${question.toFixed(0)} µs for each look at who is here, ${ASKS_PER_S} a second`,
  };
}

/** A large company: its directory, its people being here, and what all of them are told. */
export const panelPeople: Measure = {
  name: "panel-people",
  async run(bench) {
    await buildPanel();
    const folder = mkdtempSync(join(tmpdir(), "orrery-bench-people-"));
    try {
      await seedFleet(folder, 10);
      await furnish(folder);
      const start = () => startPanel(folder, { CP_SESSION_RATE: "1000000" });
      const panel = await start();
      bench.say("  directory");
      const figures = await measureDirectory(panel);
      await panel.stop();
      bench.say("  presence");
      const { tokens, guarded } = await signEverybodyIn(folder);
      const again = await start();
      figures.push(await measurePresence(again, tokens));
      bench.say("  notices");
      figures.push(await measureFanOut(again, { tokens: tokens.slice(0, WATCHERS), guarded }));
      await again.stop();
      return figures;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
