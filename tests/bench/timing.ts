import { closeDatabase } from "../../src/kernel/db/open.ts";
import { createStore } from "../../src/kernel/db/store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { openData } from "../../src/node/open-data.ts";
import { insertUser } from "../../src/node/people/users/store.ts";
import { compareTimes, timeInPairs } from "../kit/alike.ts";
import { createClient, OWNER } from "../kit/client.ts";
import type { Bench, Measure } from "./bench.ts";
import { startNode } from "./programs.ts";
import { seedFolder } from "./seed.ts";
import type { Figure } from "./table.ts";

const CALLS = 2_000;
/** With those that warm up. */
const ACCOUNTS = CALLS * 1.1;

type Call = (index: number) => Promise<Response>;

/** Accounts that may each be asked for once: an address is limited to five approvals in ten minutes. */
function seedAccounts(path: string, count: number): void {
  const { mainDb, metricsDb } = openData(path, systemClock);
  const db = createStore(mainDb);
  const ids = createIds(systemClock.now);
  const common = { password_hash: "none", role: "viewer" as const, created_at: "2026-01-01T00:00:00.000Z" };
  db.tx(() => {
    for (let index = 0; index < count; index++) {
      const id = ids.next("usr");
      insertUser(db, { ...common, id, username: `person${index}@home`, disabled_at: null, must_change_password: 0 });
    }
  });
  closeDatabase(metricsDb);
  closeDatabase(mainDb);
}

/** Both kinds in turns; one deviation is what chance alone does. */
async function compare(measure: string, status: number, one: Call, other: Call): Promise<Figure> {
  const called = (call: Call) => async (index: number) => {
    const response = await call(index);
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${response.url} answered ${response.status}, not ${status}`);
  };
  const { medians, difference, noise } = compareTimes(await timeInPairs(CALLS, [called(one), called(other)]));
  return {
    measure,
    value: difference / noise,
    unit: "of noise",
    // One deviation is noise; with five comparisons in a run, one in a hundred runs sees three of them by chance.
    limit: { kind: "most", value: 3 },
    baseline: null,
    note: `medians ${medians[0].toFixed(4)} and ${medians[1].toFixed(4)} ms, noise ${(noise * 1000).toFixed(1)} µs, ${CALLS} calls each`,
  };
}

let lastAddress = 0;

/** JSON from an address that never called before. */
function post(url: string, body: unknown): Promise<Response> {
  lastAddress += 1;
  const from = `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
  const headers = { "content-type": "application/json", "x-forwarded-for": from };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

async function measureAll(url: string, token: string, say: Bench["say"]): Promise<Figure[]> {
  const figures: Figure[] = [];
  const add = async (measure: string, status: number, one: Call, other: Call): Promise<void> => {
    say(`  ${measure}`);
    figures.push(await compare(measure, status, one, other));
  };
  const logIn = (username: string) => post(`${url}/api/auth/login`, { username, password: "wrong wrong wrong" });
  const ask = (email: string) => post(`${url}/api/auth/approve/request`, { email });
  const owner = createClient(url, token);
  const generate = () => owner.ok("POST /api/auth/qr/generate");
  const exchange = (session_id: string, secret: string) => post(`${url}/api/auth/qr/exchange`, { session_id, secret });
  const waiting = await generate();
  const used = await generate();
  await owner.ok("POST /api/auth/qr/approve", { session_id: used.session_id });
  await exchange(used.session_id, used.secret);
  const unknown = `qrs_${"x".repeat(waiting.session_id.length - 4)}`;
  const secret = "x".repeat(waiting.secret.length);
  await add(
    "QR: unknown id or wrong secret",
    401,
    () => exchange(unknown, secret),
    () => exchange(waiting.session_id, secret),
  );
  await add(
    "QR: unknown id or used code",
    401,
    () => exchange(unknown, used.secret),
    () => exchange(used.session_id, used.secret),
  );
  await add(
    "approval: known or unknown address",
    200,
    (i) => ask(`person${i}@home`),
    (i) => ask(`nobody${i}@home`),
  );
  await add(
    "login: wrong password or unknown name",
    401,
    () => logIn(OWNER.username),
    () => logIn("nobody"),
  );
  return figures;
}

/** Whether the time of an answer tells if an account or a code exists. */
export const timing: Measure = {
  name: "timing",
  async run({ say }) {
    const folder = await seedFolder(0);
    try {
      seedAccounts(folder.path, ACCOUNTS);
      const env = { ORRERY_TRUSTED_PROXIES: "127.0.0.1" };
      const running = await startNode(folder.path, { probe: "/api/auth/cp-status", env });
      try {
        return await measureAll(running.url, (await folder.signIn()).access, say);
      } finally {
        await running.stop();
      }
    } finally {
      folder.remove();
    }
  },
};
