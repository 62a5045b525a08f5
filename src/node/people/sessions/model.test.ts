import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { listSessions } from "./logic.ts";

const GRACE = 10_000;
const LIFETIME = 30 * 86_400_000;

/** What we believe about one session: its tokens in order, when each was traded, and its end. */
interface ModelSession {
  id: string;
  user: string;
  tokens: { text: string; tradedAt: number | null }[];
  expiresAt: number;
  isRevoked: boolean;
}

interface Model {
  now: number;
  sessions: ModelSession[];
}

type Real = TestNode;
type Step = fc.AsyncCommand<Model, Real>;

const isAlive = (model: Model, session: ModelSession) => !session.isRevoked && session.expiresAt > model.now;

/** After every step: what the node lists is what the model believes, and each live session has one token that counts. */
function checkAll(model: Model, node: Real): void {
  for (const user of ["usr_a", "usr_b"]) {
    const listed = listSessions(node.ctx, user, null).map(({ id }) => id);
    const believed = model.sessions.filter((session) => session.user === user && isAlive(model, session));
    expect(listed.toSorted()).toEqual(believed.map(({ id }) => id).toSorted());
  }
  const forked = node.ctx.db.raw
    .query("SELECT session_id FROM refresh_tokens WHERE rotated_at IS NULL GROUP BY session_id HAVING count(*) <> 1")
    .all();
  expect(forked).toEqual([]);
}

const start = (user: string): Step => ({
  check: () => true,
  async run(model, node) {
    const { session_id, refresh_token } = node.ctx.sessions.begin(user, { ip: "x", device: "x" });
    model.sessions.push({
      id: session_id,
      user,
      tokens: [{ text: refresh_token, tradedAt: null }],
      expiresAt: model.now + LIFETIME,
      isRevoked: false,
    });
    checkAll(model, node);
  },
  toString: () => `start(${user})`,
});

const refresh = (sessionAt: number, tokenAt: number): Step => ({
  check: (model: Readonly<Model>) => model.sessions.length > 0,
  async run(model, node) {
    const session = model.sessions[sessionAt % model.sessions.length];
    const token = session?.tokens[tokenAt % session.tokens.length];
    const newest = session?.tokens.at(-1);
    if (!session || !token || !newest) return;
    const answer = attempt(() => node.ctx.sessions.rotate(token.text, "x"));
    const isReuse = token.tradedAt !== null && Math.abs(model.now - token.tradedAt) > GRACE;
    if (!isAlive(model, session) || isReuse) {
      expect(answer).toBe("refresh_refused");
      if (isAlive(model, session)) session.isRevoked = true;
      checkAll(model, node);
      return;
    }
    expect(answer).toMatchObject({ session_id: session.id, user_id: session.user });
    session.expiresAt = model.now + LIFETIME;
    const given = typeof answer === "string" ? "" : answer.refresh_token;
    if (token.tradedAt === null) {
      // Only the newest token can be untraded: that is what "one family" means.
      expect(token).toBe(newest);
      token.tradedAt = model.now;
      session.tokens.push({ text: given, tradedAt: null });
    }
    expect(session.tokens.at(-1)?.text).toBe(given);
    checkAll(model, node);
  },
  toString: () => `refresh(${sessionAt}, ${tokenAt})`,
});

const revoke = (at: number): Step => ({
  check: (model: Readonly<Model>) => model.sessions.length > 0,
  async run(model, node) {
    const session = model.sessions[at % model.sessions.length];
    if (!session) return;
    const isFirst = node.ctx.sessions.revoke(session.id);
    if (isAlive(model, session)) expect(isFirst).toBe(true);
    session.isRevoked = true;
    checkAll(model, node);
  },
  toString: () => `revoke(${at})`,
});

const revokeOthers = (at: number): Step => ({
  check: (model: Readonly<Model>) => model.sessions.length > 0,
  async run(model, node) {
    const kept = model.sessions[at % model.sessions.length];
    if (!kept) return;
    node.ctx.sessions.cutAllOf(kept.user, kept.id);
    for (const session of model.sessions) {
      if (session.user === kept.user && session !== kept) session.isRevoked = true;
    }
    checkAll(model, node);
  },
  toString: () => `revokeOthers(${at})`,
});

const wait = (ms: number): Step => ({
  check: () => true,
  async run(model, node) {
    await node.clock.advance(ms);
    model.now += ms;
    checkAll(model, node);
  },
  toString: () => `wait(${ms})`,
});

const forget = (): Step => ({
  check: () => true,
  async run(model, node) {
    await node.ctx.jobs.run("sessions.forget");
    // Tokens traded thirty days ago are no longer known; trying one ends nothing.
    for (const session of model.sessions) {
      session.tokens = session.tokens.filter(({ tradedAt }) => tradedAt === null || tradedAt >= model.now - LIFETIME);
    }
    checkAll(model, node);
  },
  toString: () => "forget",
});

function attempt<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test("whatever happens to sessions, each has one token that counts, and none lives after its end", async () => {
  const steps = fc.commands(
    [
      fc.constantFrom("usr_a", "usr_b").map((user) => start(user)),
      fc.tuple(fc.nat(5), fc.nat(8)).map(([session, token]) => refresh(session, token)),
      fc.tuple(fc.nat(5), fc.nat(8)).map(([session, token]) => refresh(session, token)),
      fc.nat(5).map((session) => revoke(session)),
      fc.nat(5).map((session) => revokeOthers(session)),
      fc.constantFrom(1, 9_999, 10_000, 10_001, 86_400_000, LIFETIME - 1, LIFETIME).map((ms) => wait(ms)),
      fc.constant(forget()),
    ],
    { maxCommands: 40 },
  );
  const node = createTestNode();
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      node.ctx.db.raw.query("DELETE FROM sessions").run();
      await fc.asyncModelRun(() => ({ model: { now: node.clock.now(), sessions: [] }, real: node }), commands);
    }),
    { numRuns: 150, seed: 20_260_101 },
  );
  node.close();
});
