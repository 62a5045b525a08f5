import { expect, test } from "bun:test";
import { AppError, type ErrorEntry, kernelFail } from "../../src/kernel/http/errors.ts";
import { nodeFeatures } from "../../src/node/features.ts";
import { panelFeatures } from "../../src/panel/features.ts";
import { isTest, readSources } from "../architecture/sources.ts";

const tables = [kernelFail.table, ...[...nodeFeatures, ...panelFeatures].map(({ errors }) => errors ?? {})];
const forNow = tables.flatMap((table) => Object.entries<ErrorEntry>(table)).filter(([, [status]]) => status === 429);

test.each(forNow)("%s says in its header when to come again", (code, entry) => {
  expect(new AppError(code, entry, {}).headers["retry-after"]).toMatch(/^[1-9]\d*$/);
});

test("429 is answered by declared errors alone", async () => {
  const sources = (await readSources("src/**/*.ts")).filter(({ path }) => !isTest(path));
  expect(forNow.length).toBeGreaterThan(5);
  const raw = sources.filter(({ text }) => /status: 429|status = 429|writeHead\(429/.test(text));
  expect(raw.map(({ path }) => path)).toEqual([]);
});
