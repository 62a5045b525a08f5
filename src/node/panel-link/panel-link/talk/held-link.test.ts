import { expect, test } from "bun:test";
import { createTestAuthority } from "../../../../../tests/kit/authority.ts";
import { isBundle } from "./held-link.ts";

test("a few roots are a bundle; what is none, and roots without end, are not", async () => {
  const { pem } = (await createTestAuthority()).bundle();
  expect([pem, pem + pem].map(isBundle)).toEqual([true, true]);
  expect(["", "no certificate", pem.repeat(200)].map(isBundle)).toEqual([false, false, false]);
});
