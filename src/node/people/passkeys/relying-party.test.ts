import { expect, test } from "bun:test";
import { chooseRpId } from "../../../shared/webauthn/index.ts";
import { passkeysFeature } from "./index.ts";
import { RP_ID_SETTING } from "./relying-party.ts";

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

test.each([
  ["", true],
  ["home.example.org", true],
  ["localhost", true],
  ["https://example.org", false],
  ["example.org:80", false],
  ["192.168.1.1", false],
  ["-home.example.org", false],
  ["a".repeat(64), false],
  [Array.from({ length: 64 }, () => "abc").join("."), false],
])("the setting %j is taken: %p", (value, isTaken) => {
  expect(passkeysFeature.settings[RP_ID_SETTING].check(value) === null).toBe(isTaken);
});
