import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createHttpApp, guarded, trusted } from "../../../tests/kit/http-app.ts";

test("of a crowd so many requests begin in a turn of the event loop, those that nothing answers among them", async () => {
  let begun = 0;
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx).get(
        "/api/rows",
        () => {
          begun += 1;
          return {};
        },
        { access: trusted() },
      ),
    { authorize: async () => "somebody" },
  );
  let ended = 0;
  const ask = async (path: string) => {
    await http.fetch("GET", path);
    ended += 1;
  };
  const all = Array.from({ length: 300 }, (_, no) => ask(no % 2 === 0 ? "/api/rows" : "/api/nothing"));
  await setImmediate();
  expect(ended).toBeGreaterThan(0);
  expect(ended).toBeLessThan(200);
  await Promise.all(all);
  expect(begun).toBe(150);
});
