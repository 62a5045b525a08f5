import { expect, test } from "bun:test";
import type { Wire } from "./engine-wire.ts";
import { registryHostOf } from "./registry-host.ts";
import { imageVerbs } from "./verbs/images.ts";

test.each([
  ["redis:7", null],
  ["library/redis", null],
  ["ghcr.io/a/b:1", "ghcr.io"],
  ["localhost/a", "localhost"],
  ["METADATA/a", "METADATA"],
  ["169.254.169.254:80/a/b", "169.254.169.254"],
  ["[fe80::1]:5000/a", "fe80::1"],
])("the registry of %p is %p", (reference, host) => {
  expect(registryHostOf(reference)).toBe(host);
});

test("the engine is never sent to a metadata service, neither to pull nor to look", async () => {
  const calls: string[] = [];
  const answer = (method: string, path: string) => {
    calls.push(`${method} ${path}`);
    throw new Error("the engine was asked");
  };
  const wire: Wire = {
    call: async (method, path) => answer(method, path),
    open: async (method, path) => answer(method, path),
  };
  const images = imageVerbs(wire);
  const image = "169.254.169.254:80/latest/meta-data";
  await expect(images.pullImage(image, { login: null, onLine: () => {} })).rejects.toThrow("link-local");
  await expect(images.checkImage(image, null, 1000)).rejects.toThrow("link-local");
  await expect(images.checkImage("192.168.1.9:5000/a", null, 1000)).rejects.toThrow("the engine was asked");
  expect(calls).toHaveLength(1);
});
