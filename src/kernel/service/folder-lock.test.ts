import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "./folder-lock.ts";

test("a folder belongs to one process until that ends, even by a kill", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-lock-"));
  const script = `
    const { lockFolder } = await import(${JSON.stringify(join(import.meta.dir, "folder-lock.ts"))});
    lockFolder(${JSON.stringify(folder)});
    process.stdout.write("locked");
    setInterval(() => {}, 1000);`;
  const owner = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const { value } = await owner.stdout.getReader().read();
  expect(Buffer.from(value ?? []).toString()).toBe("locked");
  expect(() => lockFolder(folder)).toThrow("another process is using");
  owner.kill("SIGKILL");
  await owner.exited;
  lockFolder(folder);
  rmSync(folder, { recursive: true });
});
