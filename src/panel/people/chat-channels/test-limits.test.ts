import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestLimits } from "./test-limits.ts";

test("workspaces that test as much as they may leave others their first ones", () => {
  const take = createTestLimits(createFakeClock());
  for (let no = 0; no < 500; no++) take(`greedy${no % 25}`);
  expect(() => take("greedy0")).toThrow();
  for (let no = 0; no < 3; no++) expect(() => take("other")).not.toThrow();
  expect(() => take("other")).toThrow();
});
