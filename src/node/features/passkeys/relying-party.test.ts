import { expect, test } from "bun:test";
import { chooseRpId } from "./relying-party.ts";

test.each([
  ["app.example.org", "", "app.example.org"],
  ["app.example.org", "example.org", "example.org"],
  ["example.org", "example.org", "example.org"],
  ["app.example.org", "EXAMPLE.org ", "example.org"],
  ["notexample.org", "example.org", "notexample.org"],
  ["example.org", "app.example.org", "example.org"],
  ["example.org.evil.net", "example.org", "example.org.evil.net"],
])("%s with %j configured is %s", (host, configured, expected) => {
  expect(chooseRpId(host, configured)).toBe(expected);
});
