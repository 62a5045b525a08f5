import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../kit/env.ts";
import { makeScratch } from "../kit/scratch.ts";
import { readSources } from "./sources.ts";

/** A checkout of one test and what is loaded before it, two folders below the scratch folder. */
function makeCheckout(kit: readonly string[], text: string): string {
  const folder = join(makeScratch("by-hand"), "home", "checkout");
  mkdirSync(folder, { recursive: true });
  const preload = kit.map((name) => join(ROOT, "tests/kit", name));
  writeFileSync(join(folder, "bunfig.toml"), `[test]\npreload = ${JSON.stringify(preload)}\n`);
  for (const name of ["one", "two", "three"]) writeFileSync(join(folder, `${name}.test.ts`), text);
  return folder;
}

/** Runs `bun test` there as somebody does by hand. */
async function runByHand(folder: string, words: readonly string[], more: Record<string, string> = {}) {
  const { TEST_SCRATCH: _, TEST_HAND_SCRATCH: __, BUN_TEST_WORKER_ID: ___, ...env } = process.env;
  const child = Bun.spawn([process.execPath, "test", ...words], {
    cwd: folder,
    env: { ...env, ...more },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, text: out + error };
}

test("a run by hand that names no tests ends before the first, and says what to run", async () => {
  const folder = makeCheckout(["by-hand.ts"], `import { test } from "bun:test"; test("one", () => {});`);
  for (const words of [[], ["--randomize", "--seed", "1"], ["-t", "one"], ["--parallel=2"]]) {
    const { code, text } = await runByHand(folder, words);
    expect([words, code, text.includes("Say which tests to run"), text.includes("(pass)")]).toEqual([
      words,
      1,
      true,
      false,
    ]);
  }
  for (const words of [["./one.test.ts"], ["two"], ["--timeout", "9000", "three"], ["--parallel=2", "./"]])
    expect([words, (await runByHand(folder, words)).code]).toEqual([words, 0]);
  // A whole run says what it runs by other means.
  expect((await runByHand(folder, [], { TEST_SCRATCH: tmpdir() })).code).toBe(0);
});

// A hook runs also where the one before it failed, and from a path that nobody has set `../..` leads out of the checkout.
test("nothing is removed by a way up from another path", async () => {
  const removes = /\b(?:rm|rmdir)(?:Sync)?\([^;]*["'`/]\.\.[/"'`]/;
  const sources = await readSources("src/**/*.{ts,tsx,mjs}", "ui/**/*.{ts,tsx}", "tests/**/*.ts");
  expect(sources.filter(({ text }) => removes.test(text)).map(({ path }) => path)).toEqual([]);
});

test("the scratch folder of a run is there for each file, however files share processes", async () => {
  const text = `import { test } from "bun:test";
    import { makeScratch } from "${join(ROOT, "tests/kit/scratch.ts")}";
    test("one", () => { makeScratch("x"); });`;
  const folder = makeCheckout(["one-scratch.ts"], text);
  for (const name of ["four", "five", "six"]) writeFileSync(join(folder, `${name}.test.ts`), text);
  const { text: said } = await runByHand(folder, ["--parallel=2", "--no-isolate", "./"]);
  expect(said).toContain("6 pass");
});
