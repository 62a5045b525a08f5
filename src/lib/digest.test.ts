import { expect, test } from "bun:test";
import { constantTimeEqual, sha256Hex } from "./digest.ts";

test("sha256Hex answers the published vectors", () => {
  expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex(new Uint8Array([97, 98, 99]))).toBe(sha256Hex("abc"));
});

test("constantTimeEqual compares texts of any length", () => {
  expect(constantTimeEqual("token", "token")).toBe(true);
  expect(constantTimeEqual("token", "tokem")).toBe(false);
  expect(constantTimeEqual("token", "token ")).toBe(false);
  expect(constantTimeEqual("", "x")).toBe(false);
  expect(constantTimeEqual("ü".repeat(5_000), "ü".repeat(5_000))).toBe(true);
});
