import { expect, test } from "bun:test";
import { createTestLog } from "../../../tests/kit/test-log.ts";
import { createIds } from "../../lib/ids.ts";
import { unexpectedFailure } from "./unexpected.ts";

/** As the client of PostgreSQL throws what the server said. */
const said = (errno: string, severity = "ERROR") =>
  Object.assign(new Error(`words of ${errno}`), { code: "ERR_POSTGRES_SERVER_ERROR", errno, severity });

function told(error: unknown) {
  const { log, lines } = createTestLog();
  const { status, code, headers, message } = unexpectedFailure({ ids: createIds(Date.now), log }, "failed", error);
  return { status, code, again: headers["retry-after"], message, logged: lines.map(({ level, msg }) => [level, msg]) };
}

test("a PostgreSQL that takes no connection, or ended one, is away, and the log has its reason", () => {
  const states = ["08006", "08P01", "28000", "28P01", "3D000", "25P03", "53200", "53300", "53400", "57P01", "57P05"];
  const over = [said("55000", "FATAL"), said("42501", "FATAL"), said("XX000", "PANIC")];
  for (const error of [...states.map((state) => said(state)), ...over])
    expect(told(error)).toMatchObject({
      status: 503,
      code: "unavailable",
      again: "5",
      message: expect.stringContaining("cannot be reached"),
      logged: [["warn", "the database refused a request"]],
    });
});

test("one that refuses this alone says that nothing was done", () => {
  for (const [state, words] of [
    ["57014", "longer than it allows"],
    ["25006", "takes no changes"],
    ["55P03", "Others are changing"],
  ] as const) {
    const { status, again, message, logged } = told(said(state));
    expect([status, again, logged.length]).toEqual([503, "5", state === "55P03" ? 0 : 1]);
    expect(message).toContain(words);
    expect(message).toContain("nothing was done");
  }
});

test("a connection that is gone is told by the watch, once for all", () => {
  for (const name of ["CONNECTION_CLOSED", "CONNECTION_REFUSED", "CONNECTION_TIMEOUT", "TLS_NOT_AVAILABLE"])
    expect(told(Object.assign(new Error(name), { code: `ERR_POSTGRES_${name}` }))).toMatchObject({
      status: 503,
      logged: [],
    });
});

test("a full disk is one, and what a statement did wrong is ours", () => {
  expect(told(said("53100"))).toMatchObject({ status: 507, code: "disk_full" });
  for (const error of [said("42601"), said("42501"), said("55000"), new Error("other"), { errno: "57P01" }])
    expect(told(error)).toMatchObject({ status: 500, code: "internal", logged: [["error", "failed"]] });
});
