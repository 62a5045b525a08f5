import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createDraw, cutTrace, readTrace, straceOf, TRACED } from "../../../../tests/kit/disk-trace.ts";
import { suite } from "../../../../tests/kit/env.ts";
import { type Allowed, expectTruth, follow } from "../../../../tests/kit/object-store-truth.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

/** Points at which the power goes, of each kind; more of them by hand: `STORE_CUTS=400`. */
const CUTS = Number(Bun.env["STORE_CUTS"] ?? 2);
/** Runs in which the disk fails at a call that is drawn: `STORE_FAULTS=100`, of each kind. */
const FAULTS = Number(Bun.env["STORE_FAULTS"] ?? 1);
const CHILD = join(import.meta.dir, "../../../../tests/kit/object-store-child.ts");
/** An error once, and one for a while; what is killed is a cut that leaves all. */
const KINDS = [
  ["EIO", 0],
  ["ENOSPC", 6],
] as const;
/** Calls that fail, and which of a thread's are drawn from: with fewer the store does not open, and more are not made. */
const CALLS = [
  ["pwrite64", 70, 250],
  ["fdatasync", 1, 60],
  ["fsync", 20, 80],
  ["writev", 1, 8],
  ["ftruncate", 1, 4],
  ["rename", 1, 10],
] as const;

const scratch = makeScratch("power-cut");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function runChild(folder: string, told: string, strace: string[], turns: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const argv = [...strace, process.execPath, CHILD, folder, "0", "switched", told, String(turns)];
  await Bun.spawn(argv, { stdout: "ignore", stderr: "ignore" }).exited;
}

suite("the power goes", ["strace"], () => {
  test("whatever of what was not synced is on the disk, everything acknowledged is there and whole", async () => {
    const root = join(scratch, "traced");
    const told = join(scratch, "told");
    await runChild(root, told, straceOf(join(scratch, "trace"), "-e", `trace=${TRACED}`), 8);
    const steps = readTrace(join(scratch, "trace"));
    expect(steps.filter((step) => step.do === "write" && step.path === told).length).toBeGreaterThan(60);
    await cutTrace({ steps, root, told, count: CUTS }, async ({ leave, said, draw }) => {
      const folder = join(scratch, "left");
      leave(folder);
      const allowed: Allowed = new Map();
      follow(said, allowed);
      await expectTruth(folder, allowed, draw() < 0.5);
      rmSync(folder, { recursive: true });
    });
  }, 3_600_000);

  test.each(KINDS)(
    "%s at any call to the disk costs nothing that was acknowledged",
    async (error, more) => {
      const draw = createDraw(more);
      for (let run = 0; run < FAULTS; run += 1) {
        const folder = join(scratch, `fault-${run}`);
        const told = join(scratch, "told");
        const [call, least, most] = CALLS[run % CALLS.length] ?? CALLS[0];
        const when = least + Math.floor(draw() * (most - least + 1));
        const fault = `inject=${call}:error=${error}:when=${when}..${when + more}`;
        const trace = straceOf("/dev/null", "-e", `trace=${call}`, "-e", fault);
        await runChild(folder, told, trace, 20);
        const allowed: Allowed = new Map();
        follow(readFileSync(told, "utf8"), allowed);
        await expectTruth(folder, allowed, draw() < 0.5);
        rmSync(folder, { recursive: true });
      }
    },
    3_600_000,
  );
});
