import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { enter } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { pngOf } from "../kit/made-images.ts";
import { makeScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

let node: NodeProcess;
let browser: TestBrowser;
let owner: Client;
const LONG = "n".repeat(80);

/** One empty page. */
const PDF = [
  "%PDF-1.4",
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj",
  "trailer<</Root 1 0 R>>",
].join("\n");

/** A second of silence, so many samples of one byte. */
function wavOf(samples: number): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF\0\0\0\0WAVEfmt ", "latin1");
  head.writeUInt32LE(36 + samples, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(samples, 24);
  head.writeUInt32LE(samples, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

suite("the Drive", ["chromium"], () => {
  beforeAll(async () => {
    node = await startNode();
    owner = await setUp(node.url);
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
    await page.getByText("Your Drive is empty").waitFor();
    await look(page);
    await page.getByRole("radio", { name: "List" }).check();
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

  test("another program gets a password of its own, shown once with lines to paste, until it is revoked", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    await page.getByRole("button", { name: "Open in another program" }).click();
    await page.getByLabel("Name").fill(LONG.slice(0, 64));
    await look(page);
    await page.getByRole("dialog").getByRole("button", { name: "Add password" }).click();
    await page.getByLabel("Open it in").selectOption("davfs2");
    await page.getByText(`${node.url}/dav/drive/ owner`).waitFor();
    await look(page);
    const lines = (await page.locator(".codelines pre").textContent()) ?? "";
    const password = /(\S+)'/.exec(lines)?.[1];
    const status = async (): Promise<number> =>
      (
        await fetch(`${node.url}/dav/drive/`, {
          method: "PROPFIND",
          headers: { depth: "0", authorization: `Basic ${btoa(`owner:${password}`)}` },
        })
      ).status;
    expect(await status()).toBe(207);
    await page.getByLabel("I saved it").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("table", { name: "WebDAV passwords" }).waitFor();
    await look(page);
    await page.getByRole("button", { name: /^Revoke n/ }).click();
    await page.getByRole("button", { name: "Revoke password" }).click();
    await page.getByText("Your file manager, phone or backup program").waitFor();
    expect(await status()).toBe(401);
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

  test("files are tiles with small pictures, and each is looked at by keyboard", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByLabel("Name").fill("Pictures");
    await page.getByRole("button", { name: "Make folder" }).click();
    await page.getByRole("button", { name: "Pictures", exact: true }).click();
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: "", buffer });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="run"</script></svg>';
    await page
      .getByLabel("Files to upload")
      .setInputFiles([
        file("a.png", Buffer.from(pngOf(900, 600))),
        file("b.pdf", Buffer.from(PDF)),
        file("c.svg", Buffer.from(svg)),
        file("d.wav", wavOf(8_000)),
        file("e.bin", Buffer.from([0, 1, 2])),
      ]);
    await page.getByText("5 files sent").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("Grid", { exact: true }).click();
    const widthOf = async (picture: string): Promise<unknown> => {
      await page.locator(picture).waitFor();
      return await page.evaluate(`(async (image) => {
        await image.decode();
        return image.naturalWidth;
      })(document.querySelector(${JSON.stringify(picture)}))`);
    };
    expect(await widthOf(".drivetile img")).toBe(480);
    await look(page);
    await page.reload();
    await page.getByRole("button", { name: /^a.png/ }).click();
    const preview = page.getByRole("dialog", { name: "Preview of" });
    expect(await widthOf('dialog img[alt="a.png"]')).toBe(900);
    await look(page);
    const answered = page.waitForResponse((answer) => answer.url().includes("/api/drive/content/"));
    await page.keyboard.press("ArrowRight");
    expect((await answered).headers()["content-type"]).toBe("application/pdf");
    await page.locator('iframe[title="b.pdf"]').waitFor();
    await page.getByRole("button", { name: "Next file" }).click();
    await preview.getByRole("region", { name: "Text of c.svg" }).getByText(svg).waitFor();
    await look(page);
    expect(await page.title()).not.toBe("run");
    await page.keyboard.press("ArrowRight");
    await preview.locator("audio").waitFor();
    await until(async () => (await page.evaluate("document.querySelector('audio').duration")) === 1);
    await page.keyboard.press("ArrowRight");
    await preview.getByText("There is no preview of files of this kind.").waitFor();
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    expect(browser.complaints).toEqual([]);
  });

  test("several are chosen by keyboard and moved, by dialog and by dragging", async () => {
    const { page } = browser;
    await page.getByRole("checkbox", { name: "Select a.png" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("checkbox", { name: "Select c.svg" }).focus();
    await page.keyboard.press("Shift+Space");
    await page.getByText("3 of 5 selected").waitFor();
    await look(page);
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Up" }).click();
    await page.getByRole("button", { name: "Move here" }).click();
    await page.getByText("3 files and folders moved.").waitFor();
    await page.getByRole("button", { name: "Drive", exact: true }).click();
    const tile = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}`) });
    await page.getByRole("checkbox", { name: "Select a.png" }).check();
    await page.getByRole("checkbox", { name: "Select b.pdf" }).check();
    await tile("b.pdf").dragTo(tile("Pictures"));
    await page.getByText("2 files and folders moved.").waitFor();
    await tile("b.pdf").waitFor({ state: "detached" });
    await tile("Pictures").click();
    await tile("d.wav").waitFor();
    // What was known of the folder before is shown first, without those that have just come.
    await tile("b.pdf").waitFor();
    // Keys that are quicker than the drawing.
    await page.evaluate(`for (const key of [{ key: "a", ctrlKey: true }, { key: "Delete" }])
      document.body.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true }))`);
    await page.getByText("4 files and folders are in the trash for 30 days.").waitFor();
    await page.getByText("Nothing in here").waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("a large file goes on after a reload where it was cut off, and a folder comes whole", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    await page.getByRole("button", { name: LONG, exact: true }).waitFor();
    await page.getByText("List", { exact: true }).click();
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

  test("who may only look is led to no password for an empty Drive, and on a phone the tools stand in two lines", async () => {
    const looks = { username: "vera", password: "quiet comets at noon" };
    await owner.ok("POST /api/users", { ...looks, role: "viewer" });
    const viewer = await openBrowser({ width: 390, height: 844 });
    await enter(viewer, node.url, looks);
    await viewer.page.goto(`${node.url}/drive`);
    await viewer.page.getByText("Your Drive is empty").waitFor();
    expect(await viewer.page.getByRole("button", { name: "Open in another program" }).count()).toBe(0);
    await viewer.close();
    const { page } = browser;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${node.url}/drive`);
    await page.getByRole("button", { name: "Open in another program" }).waitFor();
    const boxes = await Promise.all(
      ["New folder", "Upload folder", "Upload"].map((name) =>
        page.getByRole("button", { name, exact: true }).boundingBox(),
      ),
    );
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(Math.max(...boxes.map((box) => (box?.x ?? 999) + (box?.width ?? 0)))).toBe(357);
    await look(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("how much of a file has left is seen before its only request ends", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/drive`);
    const wire = await page.context().newCDPSession(page);
    await wire.send("Network.enable");
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000_000 };
    await wire.send("Network.emulateNetworkConditions", slow);
    const file = { name: "slow.bin", mimeType: "", buffer: Buffer.alloc(3 * 1024 * 1024, "slow") };
    await page.getByLabel("Files to upload").setInputFiles(file);
    await page.getByText(/^[1-9][\d.]*\s[kM]B of 3/).waitFor();
    await page.getByText("1 file sent").waitFor();
    await wire.detach();
  });
});
