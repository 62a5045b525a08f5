import { expect, test } from "bun:test";
import fc from "fast-check";
import { createLineCutter } from "./frames.ts";

test("lines are cut the same however the bytes come, and no more than one is held", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), fc.nat(60), (chunks, maxBytes) => {
      const cutter = createLineCutter(maxBytes);
      const cut: string[] = [];
      let isTooLong = false;
      for (const chunk of chunks) {
        const lines: string[] | "too long" = isTooLong ? "too long" : cutter.add(chunk);
        isTooLong ||= lines === "too long";
        if (lines !== "too long") cut.push(...lines);
      }
      const all = Buffer.concat(chunks).toString("latin1").split("\n");
      expect(isTooLong).toBe(all.some((line) => line.length > maxBytes));
      if (!isTooLong) expect(cut.length).toBe(all.length - 1);
    }),
  );
});
