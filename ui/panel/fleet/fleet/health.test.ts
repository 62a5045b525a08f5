import { expect, test } from "bun:test";
import { certificateWords, reasonWords, shortReasons, statusLook } from "./health.ts";

const figures = { cpu_percent: 97.4, memory_percent: 40, disk_percent: null };

test("every reason of the API has words of its own", () => {
  const reasons = [
    "heartbeat_late",
    "cpu_high",
    "mem_high",
    "disk_high",
    "agent_critical",
    "app_failed",
    "never_connected",
    "heartbeat_missing",
  ];
  const words = reasons.map((reason) => reasonWords(reason, figures));
  expect(new Set(words.map(({ short }) => short)).size).toBe(reasons.length);
  expect(new Set(words.map(({ long }) => long)).size).toBe(reasons.length);
  for (const [index, { long }] of words.entries()) expect(long).not.toContain(reasons[index] ?? "");
});

test("figures are named, never rounded up over what they are", () => {
  expect(reasonWords("cpu_high", { ...figures, cpu_percent: 99.9 }).long).toBe("The processor is at 99%");
  expect(reasonWords("disk_high", figures).long).toBe("The disk is 90% or more full");
});

test("failed apps are named, at most two of them", () => {
  const long = (apps: string[]): string => reasonWords("app_failed", figures, apps).long;
  expect(long([])).toBe("An app is restarting or dead");
  expect(long(["fax"])).toBe("The app fax is restarting or dead");
  expect(long(["fax", "mail", "web"])).toBe("The apps fax, mail and 1 more are restarting or dead");
});

test("what a newer panel says is shown as it is", () => {
  expect(statusLook("asleep")).toEqual({ state: "unknown", word: "asleep" });
  expect(shortReasons(["cpu_high", "gpu_high"], figures)).toBe("processor, gpu high");
});

test("a certificate warns below fourteen days and says when it is over", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  const after = (days: number): string => new Date(now + days * 86_400_000).toISOString();
  expect(certificateWords(after(90), now)).toEqual({ state: "ok", text: "90 days left" });
  expect(certificateWords(after(14), now)?.state).toBe("ok");
  expect(certificateWords(after(13.99), now)).toEqual({ state: "warn", text: "13 days left" });
  expect(certificateWords(after(1.5), now)?.text).toBe("1 day left");
  expect(certificateWords(after(0.5), now)?.text).toBe("Less than a day left");
  expect(certificateWords(after(0), now)?.state).toBe("crit");
  expect(certificateWords(null, now)).toBeNull();
  expect(certificateWords("soon", now)).toBeNull();
});
