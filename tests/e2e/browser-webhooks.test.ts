import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp, signIn } from "../kit/client.ts";
import { enter, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { type Receiver, startReceiver } from "../kit/receiver.ts";
import { until } from "../kit/until.ts";

suite("webhooks in the browser", ["chromium"], () => {
  let node: NodeProcess;
  let owner: Client;
  let browser: TestBrowser;
  let page: Page;
  let receiver: Receiver;
  let secret: string;
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  beforeAll(async () => {
    receiver = startReceiver();
    node = await startNode({
      env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock", SERVICE_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" },
    });
    owner = await setUp(node.url);
    browser = await openBrowser();
    page = browser.page;
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
    await receiver?.stop();
  });

  test("one is added for some events; an address off limits is refused at its field; the secret shows once", async () => {
    await page.goto(`${node.url}/webhooks`);
    await sees(page, "No webhooks");
    await button("Add webhook").click();
    const dialog = page.getByRole("dialog", { name: "Add webhook" });
    await dialog.getByLabel("Address").fill("http://192.168.1.20/hook");
    await dialog.getByText("Only some events").click();
    await dialog.getByRole("button", { name: "All of Apps" }).click();
    await look(page);
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await dialog.getByText(/is a private address/).waitFor();
    await dialog.getByLabel("Address").fill(receiver.url);
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await sees(page, "Shown only now.");
    await look(page);
    secret = (await page.locator(".code.line code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await page.getByText("I saved it").click();
    await button("Done").click();
    await sees(page, "app.installed and 5 more");
    await page.reload();
    await sees(page, "Nothing sent yet.");
    expect(await page.content()).not.toContain(secret);
  });

  test("a test arrives, and its log shows what was sent and what came back; what failed is sent again", async () => {
    receiver.answer = () => new Response("not now", { status: 503 });
    await page.locator("a.address").click();
    await button("Send a test").click();
    await page.getByRole("row", { name: /webhook\.test Failed 503/ }).waitFor();
    await button("webhook.test").click();
    await sees(page, "not now");
    await look(page);
    receiver.answer = () => new Response("thanks");
    await button("Send again").click();
    await sees(page, "thanks");
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /webhook\.test Delivered 200/ }).waitFor();
    expect(receiver.got.map(({ json }) => json.id)).toEqual(Array(2).fill(receiver.got[0]?.json.id));
    const { headers, body } = receiver.got[1] ?? { headers: new Headers(), body: "" };
    const plain = createHmac("sha256", secret).update(body).digest("hex");
    expect(headers.get("x-service-signature")).toBe(`sha256=${plain}`);
  });

  test("a member sees what an admin added without a button that would be refused", async () => {
    const member = { username: "mara", password: "quiet comets at noon" };
    await owner.ok("POST /api/users", { ...member, role: "member" });
    const hers = await openBrowser();
    try {
      await enter(hers, node.url, member);
      await hers.page.goto(`${node.url}/webhooks`);
      await hers.page.getByRole("switch").waitFor();
      expect(await hers.page.getByRole("switch").isDisabled()).toBe(true);
      await hers.page.locator("a.address").click();
      await sees(hers.page, "Somebody else added this webhook.");
      await look(hers.page);
      await hers.page.getByRole("button", { name: "webhook.test" }).first().click();
      await sees(hers.page, "thanks");
      for (const name of ["Send a test", "Send again", "More for this webhook"])
        expect([name, await hers.page.getByRole("button", { name }).count()]).toEqual([name, 0]);
      expect(hers.complaints).toEqual([]);
    } finally {
      await hers.close();
    }
  });

  test("one whose maker may not have it any more says so, and an admin takes it over", async () => {
    const maker = { username: "nils", password: "quiet comets at dawn" };
    const { id } = await owner.ok("POST /api/users", { ...maker, role: "member" });
    const his = await signIn(node.url, maker);
    const made = await his.ok("POST /api/webhooks", { url: receiver.url, events: ["app.started"] });
    await owner.ok(`PATCH /api/users/${id}`, { role: "viewer" });
    const before = page.url();
    await page.goto(`${node.url}/webhooks/${made.id}`);
    await sees(page, /Paused: its maker may not have webhooks any more/);
    expect(await button("Send a test").count()).toBe(0);
    await look(page);
    await button("Take over").click();
    await button("Send a test").waitFor();
    await owner.ok(`DELETE /api/webhooks/${made.id}`);
    await page.goto(before);
  });

  test("a new secret is shown once; a webhook that was switched off says why and comes back", async () => {
    await button("More for this webhook").click();
    await page.getByRole("menuitem", { name: "New secret" }).click();
    await button("Make new secret").click();
    await sees(page, /the old secret signs too/);
    expect(await page.locator(".code.line code").textContent()).not.toBe(secret);
    await page.getByText("I saved it").click();
    await button("Done").click();

    receiver.answer = () => new Response("", { status: 410 });
    await button("Send a test").click();
    await sees(page, /Its receiver answered 410/, 15_000);
    await look(page);
    await button("Switch on again").click();
    await until(async () => !(await page.getByText(/Its receiver answered 410/).isVisible()), { what: "it to be on" });
    await button("More for this webhook").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await button("Delete webhook").click();
    await sees(page, "No webhooks");
    expect(browser.complaints).toEqual([]);
  });
});
