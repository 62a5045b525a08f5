import "../kit/real-passwords.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { hours } from "../../src/lib/duration.ts";
import { from, MANY_ADDRESSES } from "../kit/accounts.ts";
import { compareTimes, timeInPairs } from "../kit/alike.ts";
import type { Answer } from "../kit/node-app.ts";
import { createTestPanel, type Person, type TestPanel } from "../kit/panel-app.ts";
import { panelDatabases } from "../kit/sql-databases.ts";

const databases = panelDatabases("sqlite");
const PASSWORD = "quiet comets at noon";
/** Four deviations come once in 16,000 runs. */
const DEVIATIONS = 4;
/** One found in a table or not found there: what no network lets anybody see. */
const FLOOR_MS = 0.02;
const TRIES = 40;

/** Links and letters are found or not found in a table, far faster than a password is compared. */
const QUICK_TRIES = 800;
const MAIL = { smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.test" };

let panel: TestPanel;
let last = 0;
const nextIp = () => from(`10.${(last >> 8) & 255}.${last++ & 255}.1`);

beforeAll(async () => {
  panel = await createTestPanel(await databases.open(), { ...MANY_ADDRESSES, ...MAIL, growth_rate: "1000000" });
  // Each is tried a few times only: many wrong passwords slow an account down.
  for (let index = 0; index <= TRIES * 1.2; index++) {
    const body = { email: `known${index}@example.org`, password: PASSWORD, name: `Known ${index}` };
    const { status } = await panel.call("POST /api/auth/register", { body, headers: nextIp() });
    expect(status).toBe(200);
  }
}, 240_000);

test("kinds that lie wholly apart are told apart, however few the tries, and kinds that are alike are not", () => {
  const around = (ms: number) => Array.from({ length: TRIES }, () => ms + Math.random() * 5);
  const apart = compareTimes([around(38), around(0.5)]);
  expect(apart.difference).toBeGreaterThan(DEVIATIONS * apart.noise);
  const alike = compareTimes([around(38), around(38)]);
  expect(alike.difference).toBeLessThan(DEVIATIONS * alike.noise);
});

test("who signs in to a panel learns from the time no more than from the words", async () => {
  const answers = new Set<string>();
  const attempt = (kind: string) => async (index: number) => {
    const body = { email: `${kind}${index}@example.org`, password: "wrong wrong wrong" };
    const { status, body: said } = await panel.call("POST /api/auth/login", { body, headers: nextIp() });
    answers.add(`${status} ${said.code} ${said.message}`);
  };
  await mustBeAlike(TRIES, [attempt("known"), attempt("nobody")], answers);
}, 240_000);

/** Fails when two kinds of calls differ in what they answer, or in their time by more than chance and the floor. */
async function mustBeAlike(
  tries: number,
  calls: Parameters<typeof timeInPairs>[1],
  answers: ReadonlySet<string>,
): Promise<void> {
  const { difference, noise } = compareTimes(await timeInPairs(tries, calls));
  expect([...answers]).toHaveLength(1);
  expect(difference).toBeLessThan(Math.max(FLOOR_MS, DEVIATIONS * noise));
}

/** A way to ask about one address, or with one link, that tells by nothing whether there is such a one. */
interface Question {
  what: string;
  status: number;
  /** One call about what there is, and one about what there is not; both from a network of their own. */
  ask: (isThere: boolean, index: number) => ReturnType<TestPanel["call"]>;
}

/** Names of the same length, of which the first kind has accounts. */
const nameOf = (isThere: boolean, index: number): string =>
  `${isThere ? "there" : "notat"}${String(index).padStart(5, "0")}@example.org`;

const QUESTIONS: Question[] = [
  {
    what: "a letter with a new password's link",
    status: 200,
    ask: (isThere, index) =>
      panel.call("POST /api/auth/forgot-password", { body: { email: nameOf(isThere, index) }, headers: nextIp() }),
  },
  {
    what: "a link that chose a password already, or none",
    status: 404,
    ask: (isThere) =>
      panel.call("POST /api/auth/link/look", { body: { token: isThere ? spentLink : noLink }, headers: nextIp() }),
  },
  {
    what: "an invitation that was accepted already, or none",
    status: 404,
    ask: (isThere) =>
      panel.call("POST /api/auth/accept-invite", {
        body: { token: isThere ? spentInvitation : noLink, password: PASSWORD, name: "Somebody" },
        headers: nextIp(),
      }),
  },
  {
    what: "inviting an address that has an account elsewhere, or none",
    status: 201,
    ask: (isThere, index) =>
      panel.call("POST /api/invitations/bulk", {
        body: { emails: [nameOf(isThere, index)], role: "org_viewer" },
        headers: nextIp(),
        token: inviter.token,
      }),
  },
];

const noLink = "x".repeat(43);
let spentLink = "";
let spentInvitation = "";
let inviter: Person;

describe("links and letters", () => {
  beforeAll(async () => {
    inviter = await panel.join("inviter");
    // Without their password, whose hash is what takes long in making an account.
    for (let index = 0; index <= QUICK_TRIES * 1.2; index++) {
      const email = nameOf(true, index);
      const row = { id: `acc_${index}`, email, display_name: email, password_hash: "none", referred_by: null };
      await panel.ctx.system.tx((tx) =>
        panel.ctx.tenants.insertAccount(tx, { ...row, browser_language: null, created_at: 0 }),
      );
    }
    const link = await panel.ctx.accountLinks.inviteAccount("spent@example.org", "Spent");
    spentLink = link?.url.split("#")[1] ?? "";
    const used = { token: spentLink, password: PASSWORD };
    expect((await panel.call("POST /api/auth/link/use", { body: used, headers: nextIp() })).status).toBe(200);
    const bulk = { emails: ["joined@example.org"], role: "org_viewer" };
    const { invited } = (await panel.call("POST /api/invitations/bulk", { body: bulk, token: inviter.token })).body;
    const path = `POST /api/invitations/${invited[0].id}/link`;
    spentInvitation = (await panel.call(path, { token: inviter.token })).body.url.split("#")[1];
    const accepted = { token: spentInvitation, password: PASSWORD, name: "Joined" };
    expect((await panel.call("POST /api/auth/accept-invite", { body: accepted, headers: nextIp() })).status).toBe(200);
  }, 120_000);

  for (const { what, status, ask } of QUESTIONS)
    test(`${what}: alike in words and time`, async () => {
      const answers = new Set<string>();
      const attempt = (isThere: boolean) => async (index: number) => {
        const answer = await ask(isThere, index);
        answers.add(wordsOf(answer, nameOf(isThere, index)));
        expect(answer.status).toBe(status);
        // What is counted by the hour is not what this is about.
        if (index % 50 === 0) await forgetCounts();
      };
      await mustBeAlike(QUICK_TRIES, [attempt(true), attempt(false)], answers);
    }, 120_000);
});

/** Lets an hour pass, and takes back what was invited so that there is room for more. */
async function forgetCounts(): Promise<void> {
  await panel.clock.advance(hours(1));
  await panel.system.run("DELETE FROM invitations WHERE email LIKE 'there%' OR email LIKE 'notat%'");
  inviter = { ...inviter, token: await panel.signIn(inviter) };
}

/** An answer without what differs between any two. */
function wordsOf({ status, body, headers }: Answer, asked: string): string {
  const text = JSON.stringify(body)
    .replaceAll(asked, "who")
    .replaceAll(/"(id|created_at|expires_at|queued_at|at)":"[^"]*"/g, "");
  return `${status} ${text} ${[...headers.keys()].filter((name) => name !== "x-request-id")}`;
}
