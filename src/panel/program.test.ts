import { expect, test } from "bun:test";
import { layoutOf } from "../kernel/service/program.ts";
import { panelProgram } from "./program.ts";

test("the unit gives the user that it makes the marks by which the removal knows it", () => {
  const { account, title } = panelProgram;
  expect(account?.unit).toContain(`"u ${account?.name} - \\"${title}\\" ${layoutOf(panelProgram).dataDir}"`);
});
