import { afterEach, expect, test } from "bun:test";
import { type Access, createApi } from "./call.ts";
import { markReachable, markUnreachable, offline } from "./connection.ts";
import { Problem } from "./problem.ts";
import { createResource } from "./resource.ts";

interface Routes {
  "GET /thing": { out: { name: string } };
  "PUT /thing": { in: { name: string }; out: null };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that answers in turn, and a page that asks it. */
function pair(answers: ((request: Request) => Response | Promise<Response>)[], access: Partial<Access> = {}) {
  const seen: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request.headers.get("authorization"));
      return (answers[seen.length - 1] ?? (() => new Response("too many", { status: 500 })))(request);
    },
  });
  const own = globalThis.fetch;
  // A page asks its own server; outside of one an address needs the host too.
  globalThis.fetch = Object.assign(
    (input: unknown, init?: RequestInit) => own(`http://127.0.0.1:${server.port}${String(input)}`, init),
    { preconnect: own.preconnect },
  );
  stops.push(() => {
    globalThis.fetch = own;
    void server.stop(true);
  });
  const ended: number[] = [];
  const whole: Access = { renew: async () => "over", onSignedOut: () => void ended.push(seen.length), ...access };
  return { api: createApi<Routes>(whole), seen, ended };
}

const refuse = (status: number) => () => Response.json({ code: "no", message: "No." }, { status });
const give = () => Response.json({ name: "a" });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "fine",
    (error: unknown) => (error instanceof Problem ? error.code : "else"),
  );

test("a renewed session repeats the call once, with what proves it now", async () => {
  let token = "old";
  const { api, seen, ended } = pair([refuse(401), give], {
    headers: async () => ({ authorization: token }),
    renew: async () => {
      token = "new";
      return "renewed";
    },
  });
  expect(await api("GET /thing")).toEqual({ name: "a" });
  expect(seen).toEqual(["old", "new"]);
  expect(ended).toEqual([]);
});

test("a session that cannot be renewed is over, unless 401 is an answer of its own", async () => {
  const { api, ended } = pair([refuse(401), refuse(401)]);
  expect(await codeOf(api("GET /thing", { anonymous: true }))).toBe("no");
  expect(ended).toEqual([]);
  expect(await codeOf(api("GET /thing"))).toBe("no");
  expect(ended).toEqual([2]);
});

test("a server that is too busy to renew a session has not ended it", async () => {
  const { api, ended } = pair([refuse(401)], { renew: async () => "unknown" });
  expect(await codeOf(api("GET /thing"))).toBe("no");
  expect(ended).toEqual([]);
});

test("reading waits for a lock, changing does not happen behind anybody's back", async () => {
  const asked: boolean[] = [];
  const onLocked = async (mayWait: boolean) => {
    asked.push(mayWait);
    return mayWait;
  };
  const { api, seen } = pair([refuse(423), give, refuse(423)], { onLocked });
  expect(await api("GET /thing")).toEqual({ name: "a" });
  expect(await codeOf(api("PUT /thing", { body: { name: "b" } }))).toBe("no");
  expect(asked).toEqual([true, false]);
  expect(seen).toHaveLength(3);
});

test("a read that hangs while the server is away fails once that is known, a change goes on waiting for its answer", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hang = async () => {
    await promise;
    return give();
  };
  const { api, seen } = pair([hang, hang, hang]);
  const read = codeOf(api("GET /thing"));
  const change = codeOf(api("PUT /thing", { body: { name: "new" } }));
  while (seen.length < 2) await Bun.sleep(1);
  markUnreachable();
  expect(await read).toBe("unreachable");
  const later = codeOf(api("GET /thing"));
  while (seen.length < 3) await Bun.sleep(1);
  markReachable();
  expect([await later, offline.value]).toEqual(["unreachable", null]);
  resolve();
  expect(await change).toBe("fine");
});

test("a screen that needs what was asked for before a change asks again, also while that is under way", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { api, seen } = pair([
    async () => {
      await promise;
      return Response.json({ name: "before" });
    },
    () => new Response(null, { status: 204 }),
    () => Response.json({ name: "after" }),
  ]);
  const thing = createResource(() => api("GET /thing"));
  const asked = thing.load();
  while (seen.length < 1) await Bun.sleep(1);
  await api("PUT /thing", { body: { name: "after" } });
  thing.need();
  resolve();
  await asked;
  while (thing.data.value?.name !== "after") await Bun.sleep(1);
  thing.need();
  expect([thing.loading.value, seen.length]).toEqual([false, 3]);
});
