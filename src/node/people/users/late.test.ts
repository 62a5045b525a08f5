import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { withSecondAdmin } from "../../../../tests/kit/second-admin.ts";
import * as hashing from "../../../shared/password/hashing.ts";
import { forAccount } from "../../../shared/password/index.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ session_rate: "1000000" });
});
afterEach(() => node.close());

/** Hashes are made when it is said. */
function holdHashes() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const real = hashing.computeHash;
  const held = spyOn(hashing, "computeHash").mockImplementation(async (...given) => {
    begun.resolve();
    await promise;
    return real(...given);
  });
  return {
    begun: begun.promise,
    askers: () => held.mock.calls.map(([, whose]) => whose),
    goOn() {
      held.mockRestore();
      resolve();
    },
  };
}

const INPUT = { username: "late", role: "admin" };

test.each([
  ["an account", "POST /api/users", { ...INPUT, password: "correct horse battery" }],
  ["an invitation", "POST /api/users/invites", INPUT],
])("%s that an admin asked for is not made when they are no admin any more", async (_what, route, body) => {
  for (const [change, status] of [
    [{ disabled: true }, 401],
    [{ disabled: false, role: "viewer" }, 403],
  ] as const) {
    node.close();
    node = createTestNode({ session_rate: "1000000" });
    const second = await withSecondAdmin(node);
    const hashes = holdHashes();
    const late = second.call(route, body);
    await hashes.begun;
    expect((await node.call(`PATCH /api/users/${second.id}`, { as: "admin", body: change })).status).toBe(200);
    expect(hashes.askers()).toEqual([forAccount(second.id, "127.0.0.1")]);
    hashes.goOn();
    expect((await late).status).toBe(status);
    expect(node.ctx.users.findCredentials("late")).toBeNull();
    expect(node.events.filter(({ name }) => name === "user.created")).toEqual([]);
  }
});
