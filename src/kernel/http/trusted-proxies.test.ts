import { expect, test } from "bun:test";
import { isTrusted } from "./trusted-proxies.ts";

test.each([
  [["::1"], "0:0:0:0:0:0:0:1", true],
  [["10.0.0.1"], "::ffff:a00:1", true],
  [["10.0.0.0/8"], "::ffff:10.200.0.1", true],
  [["fd00::/8"], "fd12::1%eth0", true],
  [["::/0"], "10.0.0.1", false],
  [["0.0.0.0/0"], "::1", false],
  [["10.0.0.0/8", "::1"], "unknown", false],
  [[], "127.0.0.1", false],
])("of %p, %p is trusted: %p", (proxies, address, is) => {
  expect(isTrusted(proxies, address)).toBe(is);
});
