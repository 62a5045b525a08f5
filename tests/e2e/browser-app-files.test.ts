import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Dashboard, sees, startDashboard } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";

const LONG = `a-name-${"that-is-long-".repeat(6)}x`;

suite("the files and the terminal of an app in the browser", ["chromium", "docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let dashboard: Dashboard;
  let id: string;
  let name: string;

  beforeAll(async () => {
    engine = await startOwnEngine(128);
    dashboard = await startDashboard({ ORRERY_DOCKER_SOCKET: engine.socket });
    name = dashboard.apps.freshName("files");
    ({ id } = await dashboard.apps.installed("test-web", name));
    await engine.docker(
      "exec",
      "-u",
      "0",
      `orrery-${name}-web`,
      "sh",
      "-c",
      `mkdir /data/${LONG}; echo hi >/data/note`,
    );
  });
  afterAll(async () => {
    await dashboard?.dispose();
    await engine?.dispose();
  });

  test("they are looked at, sent, renamed, fetched and deleted", async () => {
    const { page } = dashboard;
    const row = (text: string) => page.getByRole("row", { name: new RegExp(text) });
    const act = async (on: string, what: string) => {
      await page.getByRole("button", { name: `More for ${on}` }).click();
      await page.getByRole("menuitem", { name: what, exact: true }).click();
    };
    await dashboard.visit(`/apps/${id}?tab=files`);
    await row("note").waitFor();
    await look(page);
    await page.getByRole("button", { name: LONG, exact: true }).click();
    await sees(page, "Nothing in here");
    const send = async (text: string) => {
      const buffer = Buffer.from(text);
      await page.getByLabel("File to upload").setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer });
    };
    await send("dear all");
    await sees(page, "letter.txt is here.");
    await send("dear all, again");
    const replace = page.getByRole("dialog", { name: "Replace the file?" });
    await replace.getByRole("button", { name: "Replace it" }).waitFor();
    await look(page);
    await replace.getByRole("button", { name: "Replace it" }).click();
    await replace.waitFor({ state: "detached" });
    await row("letter.txt.*15").waitFor();
    await look(page);
    await act("letter.txt", "Rename");
    await page.getByRole("dialog").getByLabel("Name").fill("post.txt");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await row("post.txt").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), act("post.txt", "Download")]);
    expect(download.suggestedFilename()).toBe("post.txt");
    expect(await Bun.file(await download.path()).text()).toBe("dear all, again");
    await page.getByRole("navigation", { name: "Folder" }).getByRole("button", { name: "data" }).click();
    await row("note").waitFor();
    await act(LONG, "Delete");
    await page.getByRole("button", { name: "Delete for good" }).click();
    await row(LONG).waitFor({ state: "detached" });
    await row("note").waitFor();
  });

  test("its terminal is on its page while it runs, and says what to do when it does not", async () => {
    const { page } = dashboard;
    await dashboard.visit(`/apps/${id}?tab=terminal`);
    await page.getByLabel(`Terminal in orrery-${name}-web`).waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).waitFor();
    await page.keyboard.type("printf '\\033[31mred\\033[0m '; echo sum-$((6*7))\n");
    await page.locator(".xterm-rows").getByText("sum-42").waitFor();
    await look(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("toolbar", { name: "Keys" }).getByRole("button", { name: "Control D" }).click();
    await sees(page, "The shell has ended");
    await look(page);
    await dashboard.apps.owner.ok(`POST /api/apps/${id}/stop`);
    await dashboard.apps.reaches(id, "stopped");
    await dashboard.visit(`/apps/${id}?tab=terminal`);
    await sees(page, "Start the app first.");
  });
});
