import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { enter } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { makeScratch } from "../kit/scratch.ts";

let node: NodeProcess;
let browser: TestBrowser;
const LONG = "n".repeat(80);

suite("the Drive", ["chromium"], () => {
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

  test("a file is sent into a folder, fetched, put into the trash and taken back", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    await page.getByText("Nothing in here").waitFor();
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByLabel("Name").fill(LONG);
    await page.getByRole("button", { name: "Make folder" }).click();
    await page.getByRole("button", { name: LONG, exact: true }).click();
    await page.getByRole("navigation", { name: "Place in the Drive" }).getByText(LONG).waitFor();
    const name = `${LONG} é.txt`;
    const file = { name, mimeType: "text/plain", buffer: Buffer.from("hello") };
    await page.getByLabel("Files to upload").setInputFiles(file);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: `Download ${name}` }).click();
    expect((await waiting).suggestedFilename()).toBe(name);
    await look(page);
    await page.getByRole("button", { name: `Move ${name} to the trash` }).click();
    await page.getByText("Nothing in here").waitFor();
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("button", { name: `Restore ${name}` }).waitFor();
    await look(page);
    await page.getByRole("button", { name: `Restore ${name}` }).click();
    await page.getByText("The trash is empty").waitFor();
    await page.getByRole("button", { name: "Show the files" }).click();
    await page.getByRole("button", { name: LONG, exact: true }).click();
    await page.getByRole("button", { name: `Download ${name}` }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("a file of the same name replaces one that keeps what it held, is moved, marked and found", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    const send = (text: string) =>
      page.getByLabel("Files to upload").setInputFiles({ name: "a.txt", mimeType: "", buffer: Buffer.from(text) });
    await send("one");
    await page.getByRole("button", { name: "Download a.txt" }).waitFor();
    await send("second");
    await page.getByRole("button", { name: "Replace a.txt" }).click();
    const choose = async (item: string) => {
      await page.getByRole("button", { name: "More for a.txt" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await page.getByRole("row", { name: "a.txt" }).getByText("6 B").waitFor();
    await choose("Versions");
    await look(page);
    await page.getByRole("button", { name: /^Restore the version/ }).click();
    await page.getByRole("row", { name: "a.txt" }).getByText("3 B").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Close" }).click();
    await choose("Mark with a star");
    await page.getByText("a.txt has a star.").waitFor();
    await choose("Move");
    await page.getByRole("dialog").getByRole("button", { name: LONG }).click();
    await look(page);
    await page.getByRole("button", { name: "Move here" }).click();
    await page.getByText("a.txt is moved.").waitFor();
    await page.getByRole("searchbox", { name: "Search the Drive" }).fill("A.T");
    await page.getByRole("button", { name: `in Drive / ${LONG}` }).waitFor();
    await page.goto(`${node.url}/drive?view=starred`);
    await page.getByRole("button", { name: "Download a.txt" }).waitFor();
    await look(page);
    browser.complaints.splice(0);
  });

  test("a large file goes on after a reload where it was cut off, and a folder comes whole", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    await page.getByRole("button", { name: LONG, exact: true }).waitFor();
    const name = `${LONG}.bin`;
    const large = { name, mimeType: "", buffer: Buffer.alloc(13 * 1024 * 1024, "large") };
    const folder = makeScratch("folder");
    const path = join(folder, large.name);
    writeFileSync(path, large.buffer);
    // The second chunk never gets there.
    const isSecond = (url: URL) => url.searchParams.get("number") === "2";
    await page.route(isSecond, (route) => route.fulfill({ status: 400, json: { code: "x", message: "Cut off." } }));
    await page.getByLabel("Files to upload").setInputFiles(path);
    await page.getByText("Cut off.").waitFor();
    await look(page);
    await page.unroute(isSecond);
    await page.reload();
    await page.getByText("1 transfer interrupted").waitFor();
    await look(page);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT") sent.push(new URL(request.url()).searchParams.get("number") ?? "");
    });
    await page.getByLabel(`The file ${name}`).setInputFiles(path);
    await page.getByText("1 file sent").waitFor();
    expect(sent).toEqual(["2", "3"]);
    await page.getByRole("button", { name: `Download ${name}` }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    mkdirSync(join(folder, "house", "plans"), { recursive: true });
    rmSync(path);
    writeFileSync(join(folder, "house", "a.txt"), "a");
    writeFileSync(join(folder, "house", "plans", "b.txt"), "b");
    await page.getByLabel("Folder to upload").setInputFiles(join(folder, "house"));
    await page.getByText("2 files sent").waitFor();
    await page.getByRole("button", { name: "house", exact: true }).click();
    await page.getByRole("button", { name: "Download a.txt" }).waitFor();
    await page.getByRole("button", { name: "plans", exact: true }).click();
    await page.getByRole("button", { name: "Download b.txt" }).waitFor();
    // The browser itself says that a request was refused.
    browser.complaints.splice(0);
  });
});
