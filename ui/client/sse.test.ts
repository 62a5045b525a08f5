import { afterEach, expect, test } from "bun:test";
import type { Access, Renewal } from "./call.ts";
import { markReachable } from "./connection.ts";
import { followStream } from "./sse.ts";

const own = { fetch: globalThis.fetch, setTimeout: globalThis.setTimeout };
afterEach(() => {
  Object.assign(globalThis, own);
  markReachable();
});

const events = () => new Response("id: 1\nevent: news\ndata: 1\n\n", { status: 200 });
const refused = () => new Response("{}", { status: 401 });

/** Follows a stream whose tries are answered in turn, without its waits; gives what came of it. */
function follow(answers: (() => Response)[], renewals: Renewal[]): Promise<string> {
  let asked = 0;
  const fetch = async () => (answers[asked++] ?? events)();
  const setTimeout = (run: () => void) => own.setTimeout(run, 0);
  Object.assign(globalThis, { fetch, setTimeout });
  const access: Access = { renew: async () => renewals.shift() ?? "over", onSignedOut: () => {} };
  return new Promise((resolve) => {
    followStream("/stream", access, {
      onEvent: ({ type }) => resolve(type),
      onRefused: ({ status }) => resolve(`refused ${status}`),
      endsWith: () => true,
    });
  });
}

test("a stream whose session cannot be renewed just now goes on trying", async () => {
  expect(await follow([refused, refused], ["unknown", "renewed"])).toBe("news");
});

test("one whose session is over ends", async () => {
  expect(await follow([refused], ["over"])).toBe("refused 401");
  expect(await follow([refused, refused, refused], ["renewed", "renewed", "renewed"])).toBe("refused 401");
});

test("a session that ran out while the server was away for long is renewed", async () => {
  const away = () => new Response("", { status: 502 });
  expect(await follow([away, away, away, refused], ["renewed"])).toBe("news");
});
