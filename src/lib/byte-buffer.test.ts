import { expect, test } from "bun:test";
import fc from "fast-check";
import { countCopied } from "../../tests/kit/count-copied.ts";
import { ByteBuffer } from "./byte-buffer.ts";

test("gives back what came, whatever was taken between", () => {
  const step = fc.oneof(
    fc.uint8Array({ maxLength: 1_500 }).map((bytes) => ({ kind: "append" as const, bytes })),
    fc.nat(2_000).map((count) => ({ kind: "take" as const, count })),
    fc.nat(2_000).map((count) => ({ kind: "drop" as const, count })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const buffer = new ByteBuffer();
      let model = Buffer.alloc(0);
      for (const each of steps) {
        if (each.kind === "append") {
          buffer.append(each.bytes);
          model = Buffer.concat([model, each.bytes]);
        } else {
          if (each.kind === "take") expect(buffer.take(each.count)).toEqual(Buffer.from(model.subarray(0, each.count)));
          else buffer.drop(each.count);
          model = Buffer.from(model.subarray(each.count));
        }
        expect(buffer.length).toBe(model.length);
        expect(Buffer.compare(buffer.view(), model)).toBe(0);
      }
    }),
  );
});

test("a byte at a time costs a few moves of each byte, at both ends", () => {
  const size = 200_000;
  const one = Buffer.from("x");
  const copied = countCopied(() => {
    const buffer = new ByteBuffer();
    for (let at = 0; at < size; at++) buffer.append(one);
    for (let at = 0; at < size; at++) {
      buffer.append(one);
      buffer.drop(1);
    }
  });
  expect(copied).toBeLessThan(size * 8);
});
