import { afterAll, beforeEach, expect, test } from "bun:test";
import { api } from "./api.ts";
import { liftLock, lockedSince } from "./lock.ts";
import { resource } from "./resource.ts";
import { checkSession, completeSignIn, lockSession, startSession, user } from "./session.ts";

const own = globalThis.fetch;
afterAll(() => {
  globalThis.fetch = own;
});

type Answer = () => Response | Promise<Response>;
const me =
  (id: string, locked = false) =>
  () =>
    Response.json({ id, username: id, role: "admin", locked });
const refuse = (status: number) => () => Response.json({ code: "no", message: "No." }, { status });
/** What the node answers, by path. */
let answers: Record<string, Answer>;

/** An answer that is on its way until it is sent. */
function held(): { answer: Answer; send: (given: Answer) => void } {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  return { answer: async () => (await promise)(), send: resolve };
}
/** A moment after all that happened so far, whatever the clock's steps. */
async function later(): Promise<void> {
  const before = performance.now();
  while (performance.now() === before) await Bun.sleep(0);
}
const settled = (call: Promise<unknown>) => call.catch(() => null);

beforeEach(async () => {
  answers = {
    "/api/auth/lock-info": () => Response.json({ setup_required: false }),
    "/api/auth/me": refuse(401),
    "/api/auth/refresh": refuse(401),
  };
  const fetch = async (path: unknown) => (answers[String(path)] ?? refuse(404))();
  globalThis.fetch = Object.assign(fetch, { preconnect: own.preconnect });
  user.value = undefined;
  await startSession();
  await later();
});

async function signIn(id: string): Promise<void> {
  answers["/api/auth/me"] = me(id);
  await completeSignIn(undefined);
  await later();
}

test("a call from before the sign-in does not end the session that has begun since", async () => {
  expect(user.value).toBeNull();
  const apps = held();
  answers["/api/apps"] = apps.answer;
  const call = settled(api("GET /api/apps"));
  await later();
  await signIn("ada");
  apps.send(refuse(401));
  await call;
  expect(user.value?.id).toBe("ada");
  await settled(api("GET /api/apps"));
  expect(user.value).toBeNull();
});

test("a node that is too busy to renew a session has not ended it", async () => {
  await signIn("ada");
  answers["/api/apps"] = refuse(401);
  for (const busy of [refuse(503), refuse(429), () => Promise.reject(new TypeError("gone"))]) {
    answers["/api/auth/refresh"] = busy;
    await settled(api("GET /api/apps"));
    expect(user.value?.id).toBe("ada");
  }
});

test("a second lock that is answered after the unlock does not lock the page again", async () => {
  await signIn("ada");
  const second = held();
  const locks: Answer[] = [() => new Response(null, { status: 204 }), second.answer];
  answers["/api/auth/lock"] = () => (locks.shift() ?? refuse(404))();
  const [one, two] = [lockSession(), lockSession()];
  await one;
  expect(lockedSince.value).not.toBeNull();
  await later();
  liftLock();
  second.send(refuse(423));
  expect(await two).toBe(true);
  expect(lockedSince.value).toBeNull();
});

test("somebody else, signed in by another tab, finds nothing of whom was here before", async () => {
  await signIn("ada");
  const before = resource("GET /api/inbox");
  await checkSession();
  expect(resource("GET /api/inbox")).toBe(before);
  answers["/api/auth/me"] = me("eve");
  await checkSession();
  expect(user.value?.id).toBe("eve");
  expect(resource("GET /api/inbox")).not.toBe(before);
});
