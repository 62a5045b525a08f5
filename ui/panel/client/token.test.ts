import { afterEach, expect, test } from "bun:test";
import { markReachable } from "../../client/connection.ts";
import {
  bearer,
  cameThroughWorkspace,
  dropSession,
  isOver,
  keepSession,
  onSession,
  renewAnew,
  renewalOver,
  renewSession,
} from "./token.ts";
import type { User } from "./types.ts";

const user: User = {
  id: "mem",
  tenant_id: "ten",
  account_id: "acc",
  email: "ada@example.org",
  display_name: "Ada",
  role: "org_owner",
  global_role: null,
  email_verified: true,
  onboarding_completed: true,
  tenant_name: "Ada's",
  tenant_mode: "business",
};
const own = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = own;
  dropSession();
  markReachable();
});

/** What the panel answers to a renewal, in turn; gives how often it was asked. */
function panel(...answers: (() => Response)[]): () => number {
  let asked = 0;
  globalThis.fetch = Object.assign(
    async () => {
      const answer = answers[asked++];
      if (!answer) throw new TypeError("no answer");
      return answer();
    },
    { preconnect: own.preconnect },
  );
  return () => asked;
}

test("calls at the same moment share one renewal, and its person is handed on", async () => {
  const people: string[] = [];
  onSession((session) => people.push(session.user.tenant_name));
  const asked = panel(() => Response.json({ token: "t2", user }));
  expect(await Promise.all([renewSession(), renewSession()])).toEqual(["renewed", "renewed"]);
  expect([asked(), people]).toEqual([1, ["Ada's"]]);
  expect(await bearer()).toEqual({ authorization: "Bearer t2" });
  expect(asked()).toBe(1);
});

test("only a refusal ends a session", async () => {
  keepSession({ token: "t1", user });
  panel(
    () => new Response("busy", { status: 503 }),
    () => Response.json({ token: 3 }),
    () => new Response("{}", { status: 401 }),
  );
  expect([await renewSession(), isOver()]).toEqual(["unknown", false]);
  expect([await renewSession(), isOver()]).toEqual(["unknown", false]);
  expect([await renewSession(), isOver()]).toEqual(["over", true]);
  expect([await renewSession(), isOver()]).toEqual(["unknown", false]);
  expect(await bearer()).toEqual({ authorization: "Bearer t1" });
});

/** A renewal that is under way, and the way to answer it. */
function underWay(): (response: Response) => void {
  const { promise, resolve } = Promise.withResolvers<Response>();
  globalThis.fetch = Object.assign(() => promise, { preconnect: own.preconnect });
  return resolve;
}

test("a renewal that was asked for before somebody signed out does not sign them in again", async () => {
  keepSession({ token: "t1", user });
  const answer = underWay();
  const renewal = renewSession();
  dropSession();
  answer(Response.json({ token: "t2", user }));
  expect(await renewal).toBe("over");
  expect(await bearer()).toEqual({});
});

test("one that was asked for before another workspace was entered neither leads back nor ends the session", async () => {
  for (const late of [Response.json({ token: "t2", user }), new Response("{}", { status: 401 })]) {
    const answer = underWay();
    const renewal = renewSession();
    keepSession({ token: "t3", user: { ...user, id: "mem-2", tenant_id: "ten-2" } });
    answer(late);
    expect([await renewal, isOver()]).toEqual(["renewed", false]);
    expect(await bearer()).toEqual({ authorization: "Bearer t3" });
  }
});

test("what another tab did is asked for after a renewal that is under way", async () => {
  const answer = underWay();
  const first = renewSession();
  const anew = renewAnew();
  panel(() => Response.json({ token: "t5", user }));
  answer(Response.json({ token: "t4", user }));
  expect([await first, await anew]).toEqual(["renewed", "renewed"]);
  expect(await bearer()).toEqual({ authorization: "Bearer t5" });
});

test("whoever takes over another session can wait until a renewal is over, whatever came of it", async () => {
  let answer: (response: Response) => void = () => {};
  globalThis.fetch = Object.assign(() => new Promise<Response>((resolve) => (answer = resolve)), {
    preconnect: own.preconnect,
  });
  await renewalOver();
  const order: string[] = [];
  const renewal = renewSession().then(() => order.push("renewal"));
  const waiter = renewalOver().then(() => order.push("waiter"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(order).toEqual([]);
  answer(new Response(null, { status: 401 }));
  await Promise.all([renewal, waiter]);
  expect(order).toContain("waiter");
  expect(isOver()).toBe(true);
});

test("a token says whether the workspace's own sign-in let somebody in", () => {
  const tokenOf = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;
  expect(cameThroughWorkspace()).toBe(false);
  keepSession({ token: tokenOf({ uid: "mem", wsl: true, name: "ünï??>>" }), user });
  expect(cameThroughWorkspace()).toBe(true);
  keepSession({ token: tokenOf({ uid: "mem" }), user });
  expect(cameThroughWorkspace()).toBe(false);
});
