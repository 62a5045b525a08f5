import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTestNode } from "../../../../../tests/kit/node-app.ts";
import { runs } from "../../../../../tests/kit/runs.ts";
import { hours } from "../../../../lib/duration.ts";
import type { Disk } from "../usage/usage.ts";
import { createHealthBook } from "./health.ts";
import { judge } from "./judge.ts";
import type { SmartReading } from "./reading.ts";
import type { Asked } from "./smartctl.ts";

const WELL: SmartReading = {
  model: "IronWolf",
  serial: "Z1",
  rotational: true,
  failing: false,
  temperature_c: 30,
  power_on_hours: 1,
  reallocated_sectors: 0,
  pending_sectors: 0,
  media_errors: null,
  percentage_used: null,
  notes: [],
  attributes: {},
};
const disk = (name: string): Disk => ({
  name,
  model: "IronWolf",
  serial: "Z1",
  wwn: "5000c500a1b2c3d4",
  key: "wwn:5000c500a1b2c3d4",
  rotational: true,
  transport: "sata",
  isVirtual: false,
  size_bytes: 1,
});

const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .record({ failing: fc.boolean(), reallocated_sectors: fc.constantFrom(0, 0, 8) })
    .map((change) => ({ kind: "reading" as const, reading: { ...WELL, ...change } })),
  fc.constantFrom<Asked>(
    { kind: "asleep" },
    { kind: "power_unknown" },
    { kind: "timeout" },
    { kind: "missing" },
    { kind: "unsupported" },
    { kind: "failed", reason: "x" },
  ),
);
/** An hour of a disk's life: what it answers, whether the node was restarted and whether it moved to another port. */
const hour = fc.record({ asked, restart: fc.boolean(), port: fc.constantFrom("sda", "sdb", "nvme9n1") });

test("whatever happens between them, only readings change the health, and each change is told once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hour, { maxLength: 12 }), async (life) => {
      const node = createTestNode();
      let answer: Asked = { kind: "asleep" };
      const smartctl = { ask: async () => answer };
      let book = createHealthBook(node.ctx, smartctl);
      let status = "Unknown";
      let before = "Healthy";
      const expected: string[] = [];
      for (const step of life) {
        answer = step.asked;
        if (step.restart) book = createHealthBook(node.ctx, smartctl);
        await book.poll([disk(step.port)], new AbortController().signal);
        if (step.asked.kind === "reading") {
          status = judge(step.asked.reading).status;
          if (status !== before) expected.push(status);
          before = status;
        }
        const [entry] = book.describe([disk(step.port)]).disks;
        expect(entry?.status).toBe(status);
        expect(entry?.available).toBe(status !== "Unknown");
        await node.clock.advance(hours(1));
      }
      await node.ctx.bus.idle();
      const told = node.events.filter(({ name }) => name === "disk.health_changed");
      expect(told.map(({ data }) => Object(data).status)).toEqual(expected);
      node.close();
    }),
    { numRuns: runs(15) },
  );
});
