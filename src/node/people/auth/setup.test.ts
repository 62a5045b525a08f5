import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, dumpDatabase, scenarios } from "../../../../tests/kit/scenario.ts";
import { claimTokenPath } from "./index.ts";

const OWNER = { username: "ada", password: "correct horse battery" };

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ anonymous_rate: "100000" });
});
afterEach(() => node.close());
const scenario = scenarios(() => node);

scenario("the first call makes the owner", "POST /api/auth/setup", {
  body: OWNER,
  status: 200,
  has: { message: "Welcome. You are the admin of this node.", user: { username: "ada" } },
  events: { "auth.owner_created": 1, "*": 1 },
});

test("the answer is what the contract shows, the owner is an admin and can sign in", async () => {
  const { body } = await node.call("POST /api/auth/setup", { body: OWNER });
  expect(Object.keys(body).toSorted()).toEqual(["message", "user"]);
  expect(Object.keys(body.user).toSorted()).toEqual(["created_at", "id", "username"]);
  expect(body.user.created_at).toBe("2026-01-01T00:00:00.000Z");
  await checkScenario(node, "POST /api/auth/login", { body: OWNER, status: 200, has: { user: { role: "admin" } } });
});

test("once there is a user setup answers 409, whatever it is given", async () => {
  await node.call("POST /api/auth/setup", { body: OWNER });
  const before = dumpDatabase(node);
  for (const body of [OWNER, { username: "eve", password: "another fine phrase" }, { ...OWNER, claim_token: "x" }]) {
    await checkScenario(node, "POST /api/auth/setup", { body, status: 409, code: "setup_done", events: { "*": 0 } });
  }
  for (const body of ["{broken", "[]", "", { username: 5 }, { more: true }, "x".repeat(2_000_000)])
    await checkScenario(node, "POST /api/auth/setup", { body, status: 409, code: "setup_done", events: { "*": 0 } });
  expect(dumpDatabase(node)).toEqual(before);
});

test.each([
  [{ password: OWNER.password }, "invalid_request", "username"],
  [{ username: "", password: OWNER.password }, "invalid_request", "username"],
  [{ username: "a".repeat(65), password: OWNER.password }, "invalid_request", "username"],
  [{ username: "a b", password: OWNER.password }, "invalid_request", "username"],
  [{ username: "a\n", password: OWNER.password }, "invalid_request", "username"],
  [{ username: "-a", password: OWNER.password }, "invalid_request", "username"],
  [{ username: ["ada"], password: OWNER.password }, "invalid_request", "username"],
  [{ username: "ada" }, "invalid_request", "password"],
  [{ username: "ada", password: "x".repeat(1_025) }, "invalid_request", "password"],
  [{ username: "ada", password: "1234567" }, "password_unusable", "password"],
  [{ username: "ada", password: "x".repeat(257) }, "password_unusable", "password"],
  [{ username: "ada", password: "password123" }, "password_unusable", "password"],
  [{ username: "ada.lovelace", password: "Ada.Lovelace" }, "password_unusable", "password"],
  [{ username: "ada", password: "aaaaaaaaaaaa" }, "password_unusable", "password"],
  [{ ...OWNER, role: "viewer" }, "invalid_request", "role"],
  [{ ...OWNER, claim_token: "x".repeat(201) }, "invalid_request", "claim_token"],
])("bad input %# is refused with its field and makes nobody", async (body, code, field) => {
  await checkScenario(node, "POST /api/auth/setup", { body, status: 400, code, field, events: { "*": 0 } });
  expect(node.ctx.users.count()).toBe(0);
});

test("with a claim token of the installer only its holder becomes the owner", async () => {
  const file = claimTokenPath(node.dataDir);
  writeFileSync(file, "right-token\n");
  for (const claim_token of [undefined, "", "wrong", "right-toke", "right-token2"]) {
    const body = claim_token === undefined ? OWNER : { ...OWNER, claim_token };
    node.ctx.signIns.giveAttemptBack("127.0.0.1");
    await checkScenario(node, "POST /api/auth/setup", {
      body,
      status: 403,
      code: "claim_token_wrong",
      field: "claim_token",
      events: { "*": 0 },
    });
  }
  expect([node.ctx.users.count(), existsSync(file)]).toEqual([0, true]);
  node.ctx.signIns.giveAttemptBack("127.0.0.1");
  await checkScenario(node, "POST /api/auth/setup", { body: { ...OWNER, claim_token: " right-token " }, status: 200 });
  expect(existsSync(file)).toBe(false);
});

describe("without a claim token a page of another site cannot claim the node by pointing its own name here", () => {
  const setUp = (host: string) => node.call("POST /api/auth/setup", { body: OWNER, headers: { host } });
  // As a browser sends it from a page that was opened under that name.
  const rebound = (host: string) =>
    node.call("POST /api/auth/setup", {
      body: OWNER,
      headers: { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" },
    });

  test("names of the public internet are refused with a way on", async () => {
    for (const host of [
      "evil.example",
      "evil.example:8420",
      "192.0.2.7.evil.example",
      "localhost.evil.example",
      "a.fritz.box",
    ]) {
      const { status, body } = await rebound(host);
      expect([host, status, body.code]).toEqual([host, 403, "setup_host_refused"]);
      expect(body.message).toContain("by its address");
    }
    expect(node.ctx.users.count()).toBe(0);
  });

  for (const host of [
    "192.0.2.7:8420",
    "[2001:db8::1]:8420",
    "localhost:8420",
    "nas",
    "nas.local:8420",
    "nas.lan",
    "a.home.arpa.",
  ]) {
    test(`${host} is this server`, async () => {
      expect((await setUp(host)).status).toBe(200);
    });
  }

  test("so is a name that was configured, and one that comes with the token", async () => {
    const named = createTestNode({ webauthn_rp_id: "home.example.org", allowed_origins: "https://board.example.net" });
    const fine = await named.call("POST /api/auth/setup", { body: OWNER, headers: { host: "nas.home.example.org" } });
    expect(fine.status).toBe(200);
    named.close();
    writeFileSync(claimTokenPath(node.dataDir), "right-token");
    const body = { ...OWNER, claim_token: "right-token" };
    const claimed = await node.call("POST /api/auth/setup", { body, headers: { host: "vps.example.com" } });
    expect(claimed.status).toBe(200);
  });
});

test("an empty claim file is nobody's token", async () => {
  writeFileSync(claimTokenPath(node.dataDir), "\n");
  const body = { ...OWNER, claim_token: "" };
  await checkScenario(node, "POST /api/auth/setup", { body, status: 403, code: "claim_token_wrong" });
});

test("guessing the claim token ends after five tries, also for the right one, and goes on 15 minutes later", async () => {
  writeFileSync(claimTokenPath(node.dataDir), "right-token");
  for (let turn = 0; turn < 5; turn++) {
    await checkScenario(node, "POST /api/auth/setup", {
      body: { ...OWNER, claim_token: `guess ${turn}` },
      status: 403,
      code: "claim_token_wrong",
    });
  }
  const right = { ...OWNER, claim_token: "right-token" };
  const refused = await checkScenario(node, "POST /api/auth/setup", {
    body: right,
    status: 429,
    code: "too_many_requests",
  });
  expect(refused.headers.get("retry-after")).toBe("900");
  await node.clock.advance(900_000);
  await checkScenario(node, "POST /api/auth/setup", { body: right, status: 200 });
});

test("fifty setups at the same moment make exactly one owner", async () => {
  const calls = Array.from({ length: 50 }, (_, index) =>
    node.call("POST /api/auth/setup", { body: { username: `owner${index}`, password: OWNER.password } }),
  );
  const answers = await Promise.all(calls);
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(node.ctx.users.count()).toBe(1);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status }) => status))).toEqual(new Set([409]));
  await node.ctx.bus.idle();
  expect(node.events.filter(({ name }) => name === "auth.owner_created")).toHaveLength(1);
});
