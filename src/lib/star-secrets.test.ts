import { expect, test } from "bun:test";
import { starSecrets } from "./star-secrets.ts";

test("a secret is starred wherever it stands, one that is a part of another too, and short ones are words", () => {
  const secrets = ["hunter2", "hunter2-and-more", "web", ""];
  expect(starSecrets("web -a ada:hunter2-and-more --old=hunter2", secrets)).toBe("web -a ada:•••• --old=••••");
  expect(starSecrets("hunter2", [])).toBe("hunter2");
});
