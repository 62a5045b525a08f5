import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { enter } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { makeScratch } from "../kit/scratch.ts";

const LONG = `${"a long name ".repeat(6)}end`;
const PASSWORD = "open sesame";

suite("links to files", ["chromium"], () => {
  let node: NodeProcess;
  let owner: TestBrowser;
  let stranger: TestBrowser;
  const links: string[] = [];
  beforeAll(async () => {
    node = await startNode();
    await setUp(node.url);
    owner = await openBrowser();
    stranger = await openBrowser();
    await enter(owner, node.url);
  });
  afterAll(async () => {
    await stranger?.close();
    await owner?.close();
    await node?.dispose();
  });

  test("a folder is shared with a password, from its menu", async () => {
    const { page } = owner;
    await page.goto(`${node.url}/drive?view=shared`);
    await page.getByText("Nothing is shared").waitFor();
    await page.goto(`${node.url}/drive`);
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByLabel("Name").fill(LONG);
    await page.getByRole("button", { name: "Make folder" }).click();
    await page.getByRole("button", { name: LONG, exact: true }).click();
    await page
      .getByLabel("Files to upload")
      .setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
    await page.getByRole("button", { name: /^letter.txt/ }).waitFor();
    await page.getByRole("button", { name: "Drive", exact: true }).click();
    await page.getByRole("button", { name: `More for ${LONG}` }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await page.getByText("Look, save and add").click();
    await page.getByLabel("Password, if it shall have one").fill(PASSWORD);
    await page.getByRole("button", { name: "Make link" }).click();
    const shown = page.getByText(/\/s\/[\w-]{43}/).first();
    await shown.waitFor();
    links.push(/https?:\S*\/s\/[\w-]{43}/.exec((await shown.textContent()) ?? "")?.[0] ?? "");
    await page.getByText("with a password").waitFor();
    await look(page);
  });

  test("whoever has it opens it without an account, saves a file and adds one", async () => {
    const { page } = stranger;
    await page.goto(links[0] ?? "");
    await page.getByLabel("Password of this link").fill("not this one");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("That is not the password of this link", { exact: false }).waitFor();
    expect(await page.content()).not.toContain(LONG);
    await look(page);
    await page.getByLabel("Password of this link").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText(LONG).waitFor();
    // How long the server is up, what runs on it and which version is nothing for strangers.
    expect(await page.getByText(/\bUp \d|in orbit|Orrery \d/).count()).toBe(0);
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save letter.txt" }).click();
    expect((await saving).suggestedFilename()).toBe("letter.txt");
    await page
      .getByLabel("Choose files")
      .setInputFiles({ name: "answer.txt", mimeType: "text/plain", buffer: Buffer.from("dear") });
    await page.getByText("answer.txt is there").waitFor();
    // Larger than one request takes.
    const film = join(makeScratch("films"), "film.bin");
    writeFileSync(film, Buffer.alloc(7 * 1024 * 1024, "large"));
    await page.getByLabel("Choose files").setInputFiles(film);
    await page.getByText("film.bin is there").waitFor();
    const whole = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save all" }).click();
    expect((await whole).suggestedFilename()).toBe(`${LONG}.zip`);
    await page.getByRole("link", { name: "Save answer.txt" }).waitFor();
    await look(page);
  });

  test("what was shared is listed, and ended it opens nothing", async () => {
    const { page } = owner;
    await page.goto(`${node.url}/drive?view=shared`);
    await page.getByText("2 files added", { exact: false }).waitFor();
    await look(page);
    await page.getByRole("button", { name: "End this link" }).click();
    await page.getByText("Nothing is shared").waitFor();
    await stranger.page.goto(links[0] ?? "");
    await stranger.page.getByText("This link does not open", { exact: true }).waitFor();
    await look(stranger.page);
  });
});
