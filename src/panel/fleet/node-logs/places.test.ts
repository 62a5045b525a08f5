import { expect, test } from "bun:test";
import { createPlaces } from "./places.ts";

test("who came through the workspace's own sign-in takes none of the places of their account", () => {
  const places = createPlaces();
  const account = { account_id: "a", tenant_id: "t", is_wsl: false };
  for (let no = 0; no < 10; no++) places.take({ ...account, is_wsl: true });
  expect(() => places.take({ ...account, is_wsl: true })).toThrow("by your account");
  expect(() => places.take(account)).not.toThrow();
});
