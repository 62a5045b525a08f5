import "../../../tests/kit/real-passwords.ts";
import { expect, test } from "bun:test";
import { checkPassword, FOR_PROGRAM, hashPassword, verifyPassword } from "./index.ts";

test.each([
  ["1234567", "at least 8"],
  ["x".repeat(257), "at most 256"],
  ["PassWord123", "attackers try first"],
  ["ADA.Lovelace", "user name"],
  ["abababababab", "repeats"],
])("%# is not acceptable", (password, reason) => {
  expect(checkPassword(password, "ada.lovelace")).toContain(reason);
});

test.each(["correct horse battery", "ünïcödé wörd", "x1x1yzwv", `${"ab1".repeat(85)}c`])(
  "%# is acceptable",
  (password) => {
    expect(checkPassword(password, "ada")).toBeNull();
  },
);

test("a hash is argon2id, different each time, and verifies its password only", async () => {
  const [first, second] = await Promise.all([
    hashPassword("correct horse", FOR_PROGRAM),
    hashPassword("correct horse", FOR_PROGRAM),
  ]);
  expect(first).toStartWith("$argon2id$");
  expect(first).not.toBe(second);
  expect(await verifyPassword("correct horse", first, FOR_PROGRAM)).toBe(true);
  expect(await verifyPassword("correct horse ", first, FOR_PROGRAM)).toBe(false);
  expect(await verifyPassword("", first, FOR_PROGRAM)).toBe(false);
});

test.each([
  null,
  "",
  "none",
  "$2b$10$abcdefghijklmnopqrstuuG3Z4xq4S0p7Xx1iGqkQ7Jc9XcQ1uW2e",
  "$argon2i$v=19$m=1,t=1,p=1$x$y",
])("with the hash %p nothing matches, not even what the stand-in was made of", async (hash) => {
  expect(await verifyPassword("no account has this password", hash, FOR_PROGRAM)).toBe(false);
});

test("an endless password is not hashed at all", async () => {
  expect(await verifyPassword("x".repeat(257), await hashPassword("x".repeat(257), FOR_PROGRAM), FOR_PROGRAM)).toBe(
    false,
  );
});
