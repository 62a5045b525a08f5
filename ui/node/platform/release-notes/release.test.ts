import { expect, test } from "bun:test";
import { isNewer } from "./release.ts";

test("releases come after one another by their numbers, not by their letters", () => {
  const told = [
    ["0.1.0", null],
    ["1.10.0", "1.9.9"],
    ["1.0.0", "1.0.0"],
    ["1.0.0", "2.0.0"],
    ["2.0.0", "1.9.0"],
    ["1.2.3-rc.1", "1.2.2"],
  ] as const;
  expect(told.map(([version, than]) => isNewer(version, than))).toEqual([true, true, false, false, true, true]);
});
