import { expect, test } from "bun:test";
import { createHost } from "../../kernel/service/host.ts";
import { checkSmartctl } from "./smartctl-check.ts";

const look = (code: number, stdout: string) =>
  checkSmartctl(createHost({ run: async () => ({ code, stdout, stderr: "" }) }), {});

test.each([
  [127, "", "warn", "apt-get install smartmontools"],
  [1, "smartctl 6.6 2017-11-05 r4594", "warn", "Update smartmontools to 7.3 or newer."],
  [0, "smartctl 7.2 2020-12-30 r5155 [x86_64-linux]", "warn", "Update smartmontools to 7.3 or newer."],
  [0, "smartctl 7.3 2022-02-28 r5338 [x86_64-linux]", "ok", null],
  [0, "smartctl 8.0 2027-01-01", "ok", null],
] as const)("exit %i with %p", async (code, stdout, status, fix) => {
  expect(await look(code, stdout)).toMatchObject({ status, fix });
});
