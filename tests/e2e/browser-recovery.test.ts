import { afterAll, beforeAll, expect, test } from "bun:test";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, OWNER, setUp } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { accessFaults, sidewaysFaults } from "../kit/look.ts";
import { until } from "../kit/until.ts";

const NEXT = "comets at quiet noon";
const LONG = "a key with a name as long as it may be, which is sixty-four letters";

suite("what ends with an old passphrase, in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let owner: Client;
  const faults = new Set<string>();

  beforeAll(async () => {
    node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    owner = await setUp(node.url);
    browser = await openBrowser();
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  async function look(page: TestBrowser["page"], what: string): Promise<void> {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const fault of [...(await accessFaults(page)), ...(await sidewaysFaults(page))])
        faults.add(`${fault} on ${what} at ${width}`);
    }
  }

  test("the card says which keys and apps end, and what is unticked goes on", async () => {
    const { page } = browser;
    await owner.ok("POST /api/keys", { name: LONG.slice(0, 64) });
    const { code } = await owner.ok("POST /api/paired-devices/pairings");
    await createClient(node.url).ok("POST /api/paired-devices/pair", { code, name: "Phone" });
    await page.goto(`${node.url}/security`);
    const keys = page.getByRole("checkbox", { name: "1 API key" });
    await keys.waitFor();
    expect([await keys.isChecked(), await page.getByRole("checkbox", { name: "1 paired app" }).isChecked()]).toEqual([
      true,
      true,
    ]);
    await look(page, "the passphrase card");
    await keys.focus();
    await page.keyboard.press("Space");
    await page.getByLabel("Passphrase now").fill(OWNER.password);
    await page.getByLabel("New passphrase").fill(NEXT);
    await page.keyboard.press("Enter");
    await sees(page, /The passphrase is changed\. Your other sessions have ended, and with them 1 paired app\./);
    await until(async () => (await page.getByRole("checkbox", { name: "1 paired app" }).count()) === 0, {
      what: "the box of the app to go",
    });
    expect(await page.getByRole("checkbox", { name: "1 API key" }).isChecked()).toBe(true);
    owner = createClient(
      node.url,
      (await createClient(node.url).ok("POST /api/auth/login", { ...OWNER, password: NEXT })).access_token,
    );
    expect([await owner.ok("GET /api/keys"), await owner.ok("GET /api/paired-devices")]).toMatchObject([
      [{ name: LONG.slice(0, 64) }],
      [],
    ]);
  });

  test("who opens a link that resets sees what ends, and may keep it", async () => {
    const mara = { username: "mara", password: "quiet comets at noon" };
    const { id } = await owner.ok("POST /api/users", { ...mara, role: "member" });
    const { access_token } = await createClient(node.url).ok("POST /api/auth/login", mara);
    await createClient(node.url, access_token).ok("POST /api/keys", { name: "backup" });
    const { link } = await owner.ok(`POST /api/users/${id}/invite`);
    const second = await openBrowser();
    const { page } = second;
    await page.goto(`${node.url}${link}`);
    const keys = page.getByRole("checkbox", { name: "1 API key" });
    await keys.waitFor();
    await look(page, "the invitation");
    await keys.uncheck();
    await page.getByLabel("New passphrase").fill(NEXT);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /account of mara/ }).waitFor();
    const again = await createClient(node.url).ok("POST /api/auth/login", { ...mara, password: NEXT });
    expect(await createClient(node.url, again.access_token).ok("GET /api/keys")).toMatchObject([{ name: "backup" }]);
    await second.close();
  });

  test("viewers are offered no rules to make, members are offered webhooks", async () => {
    for (const role of ["viewer", "member"] as const) {
      const account = { username: `${role}-1`, password: "quiet comets at noon" };
      await owner.ok("POST /api/users", { ...account, role });
      const guest = await openBrowser();
      await enter(guest, node.url, account);
      await guest.page.goto(`${node.url}/alerts?tab=rules`);
      await guest.page.getByRole("heading", { name: "Rules" }).first().waitFor();
      const addRule = guest.page.getByRole("button", { name: "Add rule" });
      if (role === "member") await addRule.first().waitFor();
      expect([role, (await addRule.count()) > 0]).toEqual([role, role === "member"]);
      await guest.page.goto(`${node.url}/webhooks`);
      await guest.page.getByRole("heading", { level: 1 }).first().waitFor();
      const add = guest.page.getByRole("button", { name: /webhook/i });
      if (role === "member") await add.first().waitFor();
      expect([role, (await add.count()) > 0]).toEqual([role, role === "member"]);
      expect(guest.complaints).toEqual([]);
      await guest.close();
    }
  });

  test("nothing on these pages stands in anybody's way", () => {
    expect([[...faults], browser.complaints]).toEqual([[], []]);
  });
});
