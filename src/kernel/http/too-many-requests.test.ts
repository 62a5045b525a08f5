import { expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { AppError } from "./errors.ts";
import { createLimiter } from "./limit.ts";
import { assertNoWait, takeAll, takeOne, tooManyRequests } from "./too-many-requests.ts";

function refusalOf(work: () => void): Pick<AppError, "code" | "status" | "params" | "headers"> | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, status, params, headers } = error;
    return { code, status, params, headers };
  }
}

test("a refusal says how long to wait, in its body and its header", () => {
  expect(refusalOf(() => assertNoWait(0))).toBeNull();
  const refusal = { code: "too_many_requests", status: 429, params: { retry_after_s: 7 } };
  expect(refusalOf(() => assertNoWait(7))).toEqual({ ...refusal, headers: { "retry-after": "7" } });
  expect(tooManyRequests(7, { connection: "close" }).headers).toEqual({ "retry-after": "7", connection: "close" });
});

test("of several limits one is taken from each, or from none", () => {
  const clock = createFakeClock();
  const narrow = createLimiter(clock, 1, 60_000);
  const wide = createLimiter(clock, 2, 60_000);
  const takeBoth = () =>
    takeAll([
      [wide, ""],
      [narrow, "a"],
    ]);
  expect(refusalOf(takeBoth)).toBeNull();
  expect(refusalOf(takeBoth)?.code).toBe("too_many_requests");
  expect([wide.check(""), refusalOf(() => takeOne(wide, ""))]).toEqual([0, null]);
  expect(refusalOf(() => takeOne(wide, ""))?.params).toEqual({ retry_after_s: 60 });
});
