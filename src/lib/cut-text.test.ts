import { expect, test } from "bun:test";
import { cutText } from "./cut-text.ts";

test("a short text stays, a long one is cut", () => {
  expect(cutText("häuser", 6)).toBe("häuser");
  expect(cutText("häuser", 3)).toBe("häu");
  expect(cutText("häuser", 3, 2)).toBe("use");
  expect(cutText("häuser", 9, 4)).toBe("er");
});

test("what is left of long texts holds none of them", () => {
  const before = process.memoryUsage().rss;
  const parts = Array.from({ length: 1000 }, (_, at) => {
    if (at % 100 === 0) Bun.gc(true);
    return cutText(Buffer.alloc(262_144, 65 + (at % 26)).toString(), 1024);
  });
  Bun.gc(true);
  expect(parts).toHaveLength(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
});
