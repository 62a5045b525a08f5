import "../kit/real-passwords.ts";
import { beforeAll, expect, test } from "bun:test";
import { from, MANY_ADDRESSES } from "../kit/accounts.ts";
import { compareTimes, timeInPairs } from "../kit/alike.ts";
import { createTestPanel, type TestPanel } from "../kit/panel-app.ts";
import { panelDatabases } from "../kit/sql-databases.ts";

const databases = panelDatabases("sqlite");
const PASSWORD = "quiet comets at noon";
/** Four deviations come once in 16,000 runs. */
const DEVIATIONS = 4;
/** One found in a table or not found there: what no network lets anybody see. */
const FLOOR_MS = 0.02;
const TRIES = 40;

let panel: TestPanel;
let last = 0;
const nextIp = () => from(`10.0.${(last >> 8) & 255}.${last++ & 255}`);

beforeAll(async () => {
  panel = await createTestPanel(await databases.open(), { ...MANY_ADDRESSES, growth_rate: "1000000" });
  // Each is tried a few times only: many wrong passwords slow an account down.
  for (let index = 0; index <= TRIES * 1.2; index++) {
    const body = { email: `known${index}@example.org`, password: PASSWORD, name: `Known ${index}` };
    const { status } = await panel.call("POST /api/auth/register", { body, headers: nextIp() });
    expect(status).toBe(200);
  }
}, 240_000);

test("who signs in to a panel learns from the time no more than from the words", async () => {
  const answers = new Set<string>();
  const attempt = (kind: string) => async (index: number) => {
    const body = { email: `${kind}${index}@example.org`, password: "wrong wrong wrong" };
    const { status, body: said } = await panel.call("POST /api/auth/login", { body, headers: nextIp() });
    answers.add(`${status} ${said.code} ${said.message}`);
  };
  const { difference, noise } = compareTimes(await timeInPairs(TRIES, [attempt("known"), attempt("nobody")]));
  expect(answers.size).toBe(1);
  expect(difference).toBeLessThan(Math.max(FLOOR_MS, DEVIATIONS * noise));
}, 240_000);
