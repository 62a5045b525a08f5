import { expect, test } from "bun:test";
import fc from "fast-check";
import { addAccount, bearer, logIn, MANY_ADDRESSES, PASSWORD } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { runs } from "../../../../tests/kit/runs.ts";

/** What a client knows of one session: its tokens, and what has to be true of them. */
interface Known {
  access: string;
  accessEnd: number;
  /** Newest first; only the first has not been traded. */
  refresh: { token: string; tradedAt: number | null }[];
  end: number;
  state: "active" | "locked" | "signed_out" | "cut";
}
interface Model {
  sessions: Known[];
}
type Command = fc.AsyncCommand<Model, TestNode>;

const ACCESS_MS = 15 * 60_000;
const REFRESH_MS = 30 * 86_400_000;
const GRACE_MS = 10_000;

const pick = (model: Model, index: number): Known | null =>
  model.sessions.length === 0 ? null : (model.sessions[index % model.sessions.length] ?? null);

/** What GET /me has to answer for a session's access token. */
function expectedMe(session: Known, now: number): number {
  if (session.state === "cut" || now >= session.accessEnd) return 401;
  return 200;
}

function remember(model: Model, body: { access_token: string; refresh_token: string }, now: number): void {
  model.sessions.push({
    access: body.access_token,
    accessEnd: now + ACCESS_MS,
    refresh: [{ token: body.refresh_token, tradedAt: null }],
    end: now + REFRESH_MS,
    state: "active",
  });
}

const SIGN_IN: Command = {
  check: (model) => model.sessions.length < 6,
  async run(model, node) {
    const { status, body } = await logIn(node, "ada");
    expect(status).toBe(200);
    remember(model, body, node.clock.now());
  },
  toString: () => "sign in",
};

const refresh = (which: number, age: number): Command => ({
  check: (model) => model.sessions.length > 0,
  async run(model, node) {
    const session = pick(model, which);
    const used = session?.refresh[age % session.refresh.length];
    if (!session || !used) return;
    const now = node.clock.now();
    const isOver = session.state === "signed_out" || session.state === "cut" || now >= session.end;
    const isStolen = used.tradedAt !== null && now - used.tradedAt > GRACE_MS;
    const { status, body } = await node.call("POST /api/auth/refresh", { body: { refresh_token: used.token } });
    expect(status).toBe(isOver || isStolen ? 401 : 200);
    if (!isOver && isStolen) session.state = "cut";
    if (status !== 200) return;
    session.access = body.access_token;
    session.accessEnd = now + ACCESS_MS;
    session.end = now + REFRESH_MS;
    // Whoever repeats within the grace gets the very token that counts: a session never has two.
    if (used.tradedAt !== null) return expect(body.refresh_token).toBe(session.refresh[0]?.token);
    used.tradedAt = now;
    session.refresh.unshift({ token: body.refresh_token, tradedAt: null });
  },
  toString: () => `refresh(${which}, ${age})`,
});

const signOut = (which: number): Command => ({
  check: (model) => model.sessions.length > 0,
  async run(model, node) {
    const session = pick(model, which);
    if (!session) return;
    const refresh_token = session.refresh[0]?.token;
    expect((await node.call("POST /api/auth/logout", { body: { refresh_token } })).status).toBe(200);
    if (session.state !== "cut") session.state = session.state === "locked" ? "cut" : "signed_out";
    // A locked session that signs out stays locked for the tokens that are out.
    if (session.state === "cut") model.sessions.splice(model.sessions.indexOf(session), 1);
  },
  toString: () => `signOut(${which})`,
});

const lock = (which: number): Command => ({
  check: (model) => model.sessions.length > 0,
  async run(model, node) {
    const session = pick(model, which);
    if (!session) return;
    const { status } = await node.call("POST /api/auth/lock", { headers: bearer(session.access) });
    if (expectedMe(session, node.clock.now()) === 401) return expect(status).toBe(401);
    expect(status).toBe(session.state === "locked" ? 423 : 204);
    if (session.state === "active") session.state = "locked";
  },
  toString: () => `lock(${which})`,
});

const unlock = (which: number, isRight: boolean): Command => ({
  check: (model) => model.sessions.length > 0,
  async run(model, node) {
    const session = pick(model, which);
    if (session?.state !== "locked") return;
    const password = isRight ? PASSWORD : "wrong wrong";
    const answer = await node.call("POST /api/auth/unlock", { headers: bearer(session.access), body: { password } });
    if (expectedMe(session, node.clock.now()) === 401) return expect(answer.status).toBe(401);
    if (!isRight) return expect([401, 429]).toContain(answer.status);
    if (answer.status === 429) return;
    expect(answer.status).toBe(200);
    session.state = "cut";
    const cookies = Object.fromEntries(
      answer.headers.getSetCookie().map((line) => line.split(";")[0]?.split("=") ?? []),
    );
    remember(
      model,
      { access_token: answer.body.access_token, refresh_token: cookies["refresh_token"] ?? "" },
      node.clock.now(),
    );
  },
  toString: () => `unlock(${which}, ${isRight})`,
});

const revokeOthers = (which: number): Command => ({
  check: (model) => model.sessions.length > 0,
  async run(model, node) {
    const session = pick(model, which);
    if (!session) return;
    const { status } = await node.call("DELETE /api/auth/sessions", { headers: bearer(session.access) });
    if (status !== 200) return;
    for (const other of model.sessions) if (other !== session && other.state !== "signed_out") other.state = "cut";
  },
  toString: () => `revokeOthers(${which})`,
});

const wait = (seconds: number): Command => ({
  check: () => true,
  run: (_, node) => node.clock.advance(seconds * 1000),
  toString: () => `wait(${seconds} s)`,
});

/** After each step every token of every session is tried. */
const checked = (command: Command): Command => ({
  check: (model) => command.check(model),
  toString: () => command.toString(),
  async run(model, node) {
    await command.run(model, node);
    for (const session of model.sessions) {
      const headers = bearer(session.access);
      const expected = expectedMe(session, node.clock.now());
      const me = await node.call("GET /api/auth/me", { headers });
      expect(me.status).toBe(expected);
      const list = await node.call("GET /api/auth/sessions", { headers });
      expect(list.status).toBe(expected === 200 && session.state === "locked" ? 423 : expected);
      if (expected === 200) expect(me.body.locked ?? false).toBe(session.state === "locked");
    }
  },
});

test("no order of steps opens a session that is over, locked or expired", async () => {
  const index = fc.nat(9);
  const commands = fc.commands(
    [
      fc.constant(checked(SIGN_IN)),
      fc.tuple(index, fc.nat(3)).map(([which, age]) => checked(refresh(which, age))),
      index.map((which) => checked(signOut(which))),
      index.map((which) => checked(lock(which))),
      fc.tuple(index, fc.boolean()).map(([which, isRight]) => checked(unlock(which, isRight))),
      index.map((which) => checked(revokeOthers(which))),
      fc.constantFrom(1, 9, 11, 600, 901, 86_400, 30 * 86_400).map((seconds) => checked(wait(seconds))),
    ],
    { maxCommands: 25 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const node = createTestNode(MANY_ADDRESSES);
      try {
        await addAccount(node, "ada");
        await fc.asyncModelRun(() => ({ model: { sessions: [] }, real: node }), steps);
      } finally {
        node.close();
      }
    }),
    { numRuns: runs(15) },
  );
}, 60_000);

test("fifty refreshes of one token at once stay one session with one token that counts", async () => {
  const node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada");
  const { refresh_token } = (await logIn(node, "ada")).body;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => node.call("POST /api/auth/refresh", { body: { refresh_token } })),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const tokens = new Set(answers.map(({ body }) => body.refresh_token));
  expect(tokens.size).toBe(1);
  expect(node.ctx.db.raw.query("SELECT count(*) AS n FROM sessions WHERE revoked_at IS NULL").get()).toEqual({ n: 1 });

  // A client that lost the reply comes back within the grace and goes on; after it, the copy ends the session.
  await node.clock.advance(10_000);
  const again = await node.call("POST /api/auth/refresh", { body: { refresh_token } });
  expect([again.status, tokens.has(again.body.refresh_token)]).toEqual([200, true]);
  await node.clock.advance(1);
  expect((await node.call("POST /api/auth/refresh", { body: { refresh_token } })).status).toBe(401);
  const newest = { refresh_token: again.body.refresh_token };
  expect((await node.call("POST /api/auth/refresh", { body: newest })).status).toBe(401);
  expect((await node.call("GET /api/auth/me", { headers: bearer(again.body.access_token) })).status).toBe(401);
  node.close();
});
