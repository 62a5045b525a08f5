import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { arrives, enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";

let node: NodeProcess;
let browser: TestBrowser;
let owner: Client;

suite("backups on their page", ["chromium"], () => {
  /** A folder on the disk of the node's data. */
  const besideData = () => `${node.dataDir}-backups`;

  beforeAll(async () => {
    node = await startNode();
    owner = await setUp(node.url);
    browser = await openBrowser();
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    rmSync(besideData(), { recursive: true, force: true });
  });

  test("a target is added, its kit shown, everything backed up and read back: only then the page says yes", async () => {
    const { page } = browser;
    const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
    await page.goto(`${node.url}/backups`);
    await sees(page, "No. Nothing is backed up.");
    await look(page);
    await press("Add a server");
    await page.getByLabel("Name", { exact: true }).fill("atlas");
    await look(page);
    await press("Make the place");
    await sees(page, "Key for atlas");
    await look(page);
    await page.getByLabel("I saved it").check();
    await press("Done");
    await sees(page, "0 B of 100 GB");
    await page.getByRole("button", { name: "Remove atlas" }).click();
    await press("Remove place");
    await sees(page, "None are kept here");
    await press("Add a target");
    await page.getByText("SFTP", { exact: true }).click();
    await page.setInputFiles("input[type=file]", {
      name: "id.pub",
      mimeType: "text/plain",
      buffer: Buffer.from("ssh-ed25519 AAAA"),
    });
    await sees(page, "is no private key");
    await look(page);
    await page.getByText("Orrery", { exact: true }).last().click();
    await look(page);
    await page
      .getByLabel("Name")
      .fill("A disk with a name that is as long as names may be, which is eighty letters long");
    await page.getByText("S3", { exact: true }).click();
    await page.getByLabel("Secret key", { exact: true }).fill("not to be seen");
    await look(page);
    await page.getByText("Disk", { exact: true }).click();
    mkdirSync(besideData());
    await page.getByLabel("Folder", { exact: true }).fill(besideData());
    await press("Add");
    await sees(page, "Recovery kit");
    await look(page);
    await page.emulateMedia({ media: "print" });
    const pages = (await page.pdf()).toString("latin1").match(/\/Type\s*\/Page\b/g);
    const isHidden = await page.evaluate('getComputedStyle(document.querySelector("h1")).visibility');
    expect([pages?.length, isHidden]).toEqual([1, "hidden"]);
    await page.emulateMedia({ media: null });
    await press("Close");
    await press("Back up now");
    await press("Back up");
    await sees(page, "Probably.");
    await press("Try it");
    await sees(page, "Yes, while this disk lives.");
    await press("Add a plan");
    await look(page);
    await press("Save");
    await sees(page, "Every day at 03:30: everything");
    await look(page);
    await press("Restore");
    await page.getByRole("menuitem", { name: "Buckets and Drives…" }).click();
    await sees(page, "Nothing was stored then");
    await look(page);
    await press("Cancel");
    expect(await page.getByText("Read back and whole").count()).toBe(1);
    const [{ id }] = await owner.ok("GET /api/backups");
    // An app that was in it and is gone leads to its files.
    const db = new Database(join(node.dataDir, "main.db"));
    db.run("UPDATE backups SET apps = '[\"app_gone\"]'");
    db.close();
    await page.goto(`${node.url}/backups`);
    await press("Restore");
    await page.getByRole("menuitem", { name: "Whole apps…" }).click();
    await sees(page, "No app of it is here");
    await look(page);
    await page.getByRole("link", { name: "Open its files" }).click();
    await arrives(page, `/backups/${id}`);
    await sees(page, "No files of apps in here");
    await look(page);
    await page.goto(`${node.url}/backups/bak_none`);
    await sees(page, "This backup is not here any more");
    await look(page);
    await page.getByRole("link", { name: "All backups" }).click();
    await sees(page, "Yes, while this disk lives.");
  });
});
