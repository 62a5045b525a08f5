import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type ChatServer, SLACK_PATH, startChatServer } from "../kit/chat-server.ts";
import { type Client, createClient, setUp } from "../kit/client.ts";
import { enter, goOnAs, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { look } from "../kit/look.ts";

suite("alert channels in a browser", ["chromium"], () => {
  let node: NodeProcess;
  let browser: TestBrowser;
  let page: Page;
  let owner: Client;
  let chat: ChatServer;

  beforeAll(async () => {
    chat = startChatServer();
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
    await chat?.stop();
  });

  // A try that failed may have left the window of a phone.
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  test("a channel is added, tested, looked at and deleted", async () => {
    await page.goto(`${node.url}/alerts?tab=channels`);
    await sees(page, "Nobody hears of alerts yet");
    await look(page);
    await page.getByRole("button", { name: "Add channel" }).click();
    await page.getByText("Slack", { exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Team");
    await page.getByLabel("Webhook address", { exact: true }).fill("nonsense");
    await page.getByRole("dialog").getByRole("button", { name: "Add channel" }).click();
    await sees(page, /must be the whole address/);
    await look(page);
    await page.getByLabel("Webhook address", { exact: true }).fill(chat.url + SLACK_PATH);
    await page.getByRole("dialog").getByRole("button", { name: "Add channel" }).click();
    await sees(page, "Not used yet");

    await page.getByRole("button", { name: "Send a test to Team" }).click();
    await sees(page, "The test was delivered");
    expect(await page.locator("pre.answer").textContent()).toBe("ok");
    expect(chat.messages.map(({ body }) => body.text)).toEqual([expect.stringContaining("This is a test")]);
    await page.getByRole("button", { name: "Done" }).click();
    await sees(page, /Works, last message/);

    // A test that takes its time does not take the place of what somebody types meanwhile.
    const release = Promise.withResolvers<void>();
    await page.route("**/api/alerting/channels/*/test", async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Send a test to Team" }).click();
    await page.getByRole("button", { name: "More for Team" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Half-typed");
    release.resolve();
    await sees(page, "Team took the test.");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Half-typed");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.unroute("**/api/alerting/channels/*/test");

    await page.getByRole("button", { name: "More for Team" }).click();
    await page.getByRole("menuitem", { name: "Deliveries" }).click();
    await sees(page, "Delivered");
    await look(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More for Team" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete channel" }).click();
    await sees(page, "Nobody hears of alerts yet");
    expect(await owner.ok("GET /api/alerting/channels")).toEqual([]);
  });

  test("a text is edited beside its preview, refused while it is wrong, and taken back", async () => {
    await page.goto(`${node.url}/alerts?tab=templates`);
    await sees(page, "The disk at / is filling up.");
    await page.getByLabel("Text").fill("{{nope}}");
    await sees(page, "There is no variable {{nope}}.");
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await page.getByLabel("Text").fill("Look at ");
    await page.getByRole("button", { name: "entity_name", exact: true }).click();
    await sees(page, "Look at /");
    await look(page);
    await page.getByRole("button", { name: "Save" }).click();
    await sees(page, "Your own text");
    const { templates } = await owner.ok("GET /api/alerting/templates");
    expect(templates[0]).toMatchObject({ body: "Look at {{entity_name}}", is_custom: true });
    await page.getByRole("button", { name: "Back to Orrery’s text" }).click();
    await sees(page, "The disk at / is filling up.");
  });

  test("whoever may only look sees channels and texts, and no buttons that would be refused", async () => {
    const account = { username: "mara", password: "quiet comets at noon" };
    await owner.ok("POST /api/alerting/channels", { name: "Team", type: "slack", secret: chat.url + SLACK_PATH });
    await owner.ok("POST /api/users", { ...account, role: "viewer" });
    const { access_token } = await createClient(node.url).ok("POST /api/auth/login", account);
    await createClient(node.url, access_token).ok("POST /api/auth/change-password", {
      current_password: account.password,
      new_password: "quiet comets at dusk",
    });
    await browser.context.clearCookies();
    await enter(browser, node.url, { ...account, password: "quiet comets at dusk" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${node.url}/alerts?tab=channels`);
    await goOnAs(page, "mara");
    await sees(page, "Team");
    expect(await page.getByRole("button", { name: /Add channel|Send a test/ }).count()).toBe(0);
    await page.goto(`${node.url}/alerts?tab=templates`);
    await sees(page, "The disk at / is filling up.");
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    await look(page);
    expect(browser.complaints).toEqual([]);
  });
});
