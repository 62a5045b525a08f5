import { expect, test } from "bun:test";
import { localeOf } from "../kit/locale.ts";
import { buildUrl } from "./call.ts";
import { ago, bitrate, bytes, bytesText, count, duration, inWords, percent, stopwatch } from "./format.ts";
import { afterEdit, Problem, problemOf } from "./problem.ts";
import { createResource } from "./resource.ts";
import { matchPath } from "./router.ts";
import { createEventParser } from "./sse.ts";

test("paths match part by part and decode their parameters", () => {
  expect(matchPath("/apps/:id", "/apps/app_1%2Fx")).toEqual({ id: "app_1/x" });
  expect(matchPath("/apps/:id", "/apps/%zz")).toEqual({ id: "%zz" });
  expect(matchPath("/apps/:id", "/apps")).toBeNull();
  expect(matchPath("/", "/")).toEqual({});
  expect(matchPath("/store", "/store/")).toEqual({});
});

test("dates are written in the reader's English, or in one with 24 hours, never in another language", () => {
  expect(localeOf(["de-CH", "en-US", "en-GB"])).toBe("en-US");
  expect(localeOf(["ar-EG", "enm"])).toBe("en-GB");
  expect(localeOf([])).toBe("en-GB");
});

test("addresses are filled and escaped", () => {
  expect(buildUrl("/api/apps/{id}/logs", { id: "a/b" }, { lines: 5, follow: undefined })).toBe(
    "/api/apps/a%2Fb/logs?lines=5",
  );
  expect(() => buildUrl("/api/apps/{id}")).toThrow("No value for {id}");
});

test("an event stream may arrive in any pieces", () => {
  const whole = 'id: 7\nevent: step\ndata: {"a":\ndata: 1}\n\n: ping\n\nevent: log\ndata: plain\n\n';
  const expected = [
    { id: "7", type: "step", data: { a: 1 } },
    { id: "7", type: "log", data: "plain" },
  ];
  expect(createEventParser()(whole)).toEqual(expected);
  const parse = createEventParser();
  expect([...whole].flatMap((letter) => parse(letter))).toEqual(expected);
});

test("a resource joins calls, keeps its data through a failure and knows its age", async () => {
  let calls = 0;
  let now = 100;
  const answers = [() => "one", () => Promise.reject(new Error("gone")), () => "two"];
  const made = createResource(
    async () => {
      calls += 1;
      return await (answers[calls - 1]?.() ?? "none");
    },
    () => now,
  );
  await Promise.all([made.load(), made.load()]);
  expect([calls, made.data.value, made.updatedAt.value]).toEqual([1, "one", 100]);
  now = 200;
  await made.refresh();
  expect([made.data.value, made.problem.value?.message, made.updatedAt.value]).toEqual(["one", "gone", 100]);
  await made.refresh();
  expect([made.data.value, made.problem.value, made.updatedAt.value]).toEqual(["two", null, 200]);
});

test("who needs what has just come is not a reason to ask again, what failed is", async () => {
  let calls = 0;
  const made = createResource(async () => {
    calls += 1;
    if (calls === 1) throw new Error("gone");
    return calls;
  });
  made.need();
  await made.load();
  made.need();
  await made.load();
  made.need();
  expect([calls, made.loading.value, made.data.value]).toEqual([2, false, 2]);
});

test("a change during a load is asked for after it: the answer on its way may be from before", async () => {
  const answers: ((value: string) => void)[] = [];
  const made = createResource(() => new Promise<string>((resolve) => answers.push(resolve)));
  const first = made.load();
  const after = [made.refresh(), made.refresh()];
  answers[0]?.("before");
  await first;
  while (answers.length < 2) await Promise.resolve();
  expect(made.data.value).toBe("before");
  answers[1]?.("after");
  await Promise.all(after);
  expect([made.data.value, answers.length, made.loading.value]).toEqual(["after", 2, false]);
});

test("a fact from the event stream is not overwritten by an older answer, and the rest of it is asked for", async () => {
  const answers: ((value: string) => void)[] = [];
  const made = createResource(() => new Promise<string>((resolve) => answers.push(resolve)));
  const running = made.refresh();
  made.set(() => "fresh");
  answers[0]?.("stale");
  while (answers.length < 2) await Promise.resolve();
  expect(made.data.value).toBe("fresh");
  answers[1]?.("fresh and whole");
  await running;
  expect(made.data.value).toBe("fresh and whole");
});

test("every failed answer becomes a problem with a code and a sentence", async () => {
  const told = await problemOf(
    Response.json(
      { error: "invalid_request", code: "invalid_request", message: "Too short", params: { field: "/password" } },
      { status: 400, headers: { "retry-after": "9" } },
    ),
  );
  expect([told.code, told.message, told.field, told.retryAfter]).toEqual([
    "invalid_request",
    "Too short",
    "password",
    9,
  ]);
  const proxy = await problemOf(new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }));
  expect([proxy.code, proxy.message, proxy.field, proxy.retryAfter]).toEqual([
    "http_502",
    "The server answered 502 Bad Gateway",
    null,
    null,
  ]);
});

test("a refusal of a field goes with its edit, any other stays", () => {
  const ofPassword = new Problem(400, "password_unusable", "Too short", { field: "/password" }, null);
  const ofNothing = new Problem(429, "too_many_requests", "Wait", {}, 9);
  expect(afterEdit(ofPassword, "password")).toBeNull();
  expect(afterEdit(ofPassword, "username")).toBe(ofPassword);
  expect(afterEdit(ofNothing, "password")).toBe(ofNothing);
  expect(afterEdit(null, "password")).toBeNull();
});

test("numbers carry the unit that a reader expects", () => {
  expect(bytes(0)).toEqual({ value: "0", unit: "B" });
  expect(bytes(999_950)).toEqual({ value: "1", unit: "MB" });
  expect(bytesText(5.9e12)).toBe("5.9\u00a0TB");
  expect(bytesText(512 * 1024 ** 2, "memory")).toBe("512\u00a0MB");
  expect(bitrate(3_900_000)).toEqual({ value: "31.2", unit: "Mb/s" });
  expect([percent(0), percent(0.42), percent(92.5)]).toEqual(["0%", "0.4%", "93%"]);
});

test("times read as people say them", () => {
  expect([duration(40), duration(3 * 3600 + 12 * 60), duration(41 * 86_400), duration(86_400)]).toEqual([
    "40\u00a0s",
    "3\u00a0h 12\u00a0min",
    "41\u00a0days",
    "1\u00a0day",
  ]);
  expect([stopwatch(400), stopwatch(13_400), stopwatch(65_000)]).toEqual([
    "0.4\u00a0s",
    "13\u00a0s",
    "1\u00a0min 05\u00a0s",
  ]);
  const now = Date.parse("2026-11-21T12:00:00Z");
  expect([ago("2026-11-21T11:59:30Z", now), ago("2026-11-21T11:00:00Z", now), ago("nonsense", now)]).toEqual([
    "just now",
    "1 hour ago",
    "",
  ]);
  expect([inWords(3), inWords(12, true), inWords(13)]).toEqual(["three", "Twelve", "13"]);
  expect([count(1, "app"), count(2, "app")]).toEqual(["1\u00a0app", "2\u00a0apps"]);
});
