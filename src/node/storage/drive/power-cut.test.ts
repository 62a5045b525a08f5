import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createDraw, cutTrace, readTrace, straceOf, TRACED } from "../../../../tests/kit/disk-trace.ts";
import { expectDriveTruth, statesOf } from "../../../../tests/kit/drive-truth.ts";
import { suite } from "../../../../tests/kit/env.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

/** Points at which the power goes, each in three ways; more of them by hand: `DRIVE_CUTS=150`. */
const CUTS = Number(Bun.env["DRIVE_CUTS"] ?? 1);
/** Runs in which the disk fails at a call that is drawn: `DRIVE_FAULTS=100`. */
const FAULTS = Number(Bun.env["DRIVE_FAULTS"] ?? 1);
const CHILD = join(import.meta.dir, "../../../../tests/kit/drive-life-child.ts");
/** Calls that fail, and which of a thread's are drawn from: with fewer the node does not open. */
const CALLS = [
  ["pwrite64", 400, 1_400],
  ["fdatasync", 20, 160],
  ["fsync", 4, 40],
  ["writev", 1, 8],
] as const;

const scratch = makeScratch("drive-cut");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function runChild(folder: string, told: string, strace: string[], turns: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const argv = [...strace, process.execPath, CHILD, folder, told, String(turns)];
  await Bun.spawn(argv, { stdout: "ignore", stderr: "ignore" }).exited;
}

suite("the power goes under a Drive", ["strace"], () => {
  test("what was sent, made anew, thrown away and removed is so, and nothing half", async () => {
    const root = join(scratch, "traced");
    const told = join(scratch, "told");
    await runChild(root, told, straceOf(join(scratch, "trace"), "-e", `trace=${TRACED}`), CUTS > 1 ? 9 : 3);
    expect(readFileSync(told, "utf8")).toContain("removed ");
    await expectDriveTruth(root, statesOf(readFileSync(told, "utf8")));
    const steps = readTrace(join(scratch, "trace"));
    await cutTrace({ steps, root, told, count: CUTS }, async ({ leave, said }) => {
      const folder = join(scratch, "left");
      leave(folder);
      await expectDriveTruth(folder, statesOf(said));
      rmSync(folder, { recursive: true });
    });
  }, 3_600_000);

  test("a disk that fails at any call costs nothing that was acknowledged", async () => {
    const draw = createDraw(FAULTS);
    for (let run = 0; run < FAULTS; run += 1) {
      const folder = join(scratch, `fault-${run}`);
      const told = join(scratch, "told");
      const [call, least, most] = CALLS[run % CALLS.length] ?? CALLS[0];
      const when = least + Math.floor(draw() * (most - least + 1));
      const fault = run % 2 === 0 ? `error=EIO:when=${when}` : `error=ENOSPC:when=${when}..${when + 6}`;
      await runChild(folder, told, straceOf("/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:${fault}`), 3);
      await expectDriveTruth(folder, statesOf(readFileSync(told, "utf8")));
      rmSync(folder, { recursive: true });
    }
  }, 3_600_000);
});
