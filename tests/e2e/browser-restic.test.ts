import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { makeRestic, RESTIC_PASSWORD, resticFiles } from "../kit/restic.ts";
import { makeScratch } from "../kit/scratch.ts";

let node: NodeProcess;
let browser: TestBrowser;

suite("restic repositories on the page of backups", ["chromium", "s3_programs"], () => {
  beforeAll(async () => {
    node = await startNode();
    await setUp(node.url);
    browser = await openBrowser();
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("one is attached, its snapshots listed, a folder opened and a file saved as it was", async () => {
    const { page } = browser;
    const root = join(makeScratch("files"), "photos");
    mkdirSync(join(root, "summer"), { recursive: true });
    const content = Buffer.alloc(300_000, "a sunny day ");
    writeFileSync(
      join(root, "summer", "a name as long as names of photos are when the camera says all it knows.jpg"),
      content,
    );
    const program = makeRestic(2);
    program.run("backup", "--host", "laptop", "--tag", "by hand", root);
    const before = resticFiles(program, ".");
    const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();

    await page.goto(`${node.url}/backups`);
    await sees(page, "None is attached");
    await press("Attach a repository");
    await page.getByLabel("Name", { exact: true }).fill("the old laptop");
    await page.getByLabel("Folder", { exact: true }).fill(program.path);
    await page.getByLabel("Password of the repository", { exact: true }).fill("wrong");
    await press("Attach");
    await sees(page, "No key of it opens with this password.");
    await look(page);
    await page.getByLabel("Password of the repository", { exact: true }).fill(RESTIC_PASSWORD);
    await press("Attach");
    await sees(page, "Not read yet");
    await look(page);
    await page.getByRole("link", { name: "Snapshots of the old laptop" }).click();
    await sees(page, "laptop · ");
    await look(page);
    await page.getByRole("link", { name: /^Files of/ }).click();
    for (const name of root.slice(1).split("/")) await page.getByRole("button", { name, exact: true }).first().click();
    await press("summer");
    await sees(page, "all it knows.jpg");
    await look(page);
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^Download a name/ }).click(),
    ]);
    expect(readFileSync(await saved.path()).equals(content)).toBe(true);
    expect(resticFiles(program, ".")).toEqual(before);
    await page.goto(`${node.url}/backups`);
    await page.getByRole("button", { name: "Detach the old laptop" }).click();
    await press("Detach");
    await sees(page, "None is attached");
  });
});
