import { expect, test } from "bun:test";
import { copyPart, cutText } from "./cut-text.ts";

test("a short text stays, a long one ends with a mark and never with half a character", () => {
  expect(cutText("häuser", 6)).toBe("häuser");
  expect(cutText("häuser", 3)).toBe("hä…");
  expect(cutText("a😀b", 3)).toBe("a…");
});

test("a part has no mark", () => {
  expect(copyPart("häuser", 6)).toBe("häuser");
  expect(copyPart("häuser", 3)).toBe("häu");
  expect(copyPart("häuser", 3, 2)).toBe("use");
  expect(copyPart("häuser", 9, 4)).toBe("er");
});

test("what is left of long texts holds none of them", () => {
  const before = process.memoryUsage().rss;
  const parts = Array.from({ length: 1000 }, (_, at) => {
    if (at % 100 === 0) Bun.gc(true);
    return copyPart(Buffer.alloc(262_144, 65 + (at % 26)).toString(), 1024);
  });
  Bun.gc(true);
  expect(parts).toHaveLength(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
});
