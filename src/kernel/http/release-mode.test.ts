import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

test("the programs load it before all else", async () => {
  for (const program of ["node", "panel"]) {
    const [first] = (await Bun.file(join(ROOT, `src/${program}/main.ts`)).text()).split("\n");
    expect([program, first]).toEqual([program, 'import "../kernel/http/release-mode.ts";']);
  }
});

test("with it a refused body is not described in full", async () => {
  const code = `import "./src/kernel/http/release-mode.ts";
    import { t, ValidationError } from "elysia";
    import { TypeCompiler } from "@sinclair/typebox/compiler";
    const checked = TypeCompiler.Compile(t.Object({ name: t.String({ maxLength: 1, pattern: "^b$" }) }));
    console.log(new ValidationError("body", checked, { name: "aa" }).message);`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", code], { cwd: ROOT, env: { PATH: "" } });
  expect(JSON.parse(stdout.toString())).toEqual({ type: "validation", on: "body", found: { name: "aa" } });
});
