import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { createClient } from "../kit/client.ts";
import { arrives, sees } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { typeInto } from "../kit/keyboard.ts";
import { look } from "../kit/look.ts";
import { addMember, enterPanel } from "../kit/panel-visitor.ts";
import { type SmtpServer, startSmtpServer } from "../kit/smtp-server.ts";
import { until } from "../kit/until.ts";

const NAME = "Ada Byron";
const ADA = { email: "ada@example.org", password: "correct horse battery" };
const LONG = "Bartholomew Maximilian of the very long and winding name that goes on and on";

suite("people of a panel that nobody may register on", ["chromium"], () => {
  let panel: NodeProcess;
  let mail: SmtpServer;
  let browser: TestBrowser;
  let page: Page;
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  /** Ada invites somebody from another device, who joins from theirs. */
  async function joinByLink(email: string): Promise<void> {
    const ada = createClient(panel.url, (await createClient(panel.url).ok("POST /api/auth/login", ADA)).token);
    const { invited } = await ada.ok("POST /api/invitations/bulk", { emails: [email], role: "org_viewer" });
    const { url } = await ada.ok(`POST /api/invitations/${invited[0].id}/link`);
    const join = { token: url.split("#")[1], name: "Dora", password: "a small blue lantern" };
    await createClient(panel.url).ok("POST /api/auth/accept-invite", join);
  }
  /** What the operator types on the host, beside the running panel. */
  async function operate(...argv: string[]): Promise<string> {
    const run = Bun.spawn([PANEL_BINARY, ...argv, "--data", panel.dataDir], {
      env: { CP_PUBLIC_URL: panel.url },
      stdout: "pipe",
    });
    const [out, code] = [await new Response(run.stdout).text(), await run.exited];
    expect(code).toBe(0);
    return out;
  }
  const linkIn = (text: string): string => /https?:\/\/\S+#\S+/.exec(text)?.[0] ?? "";

  beforeAll(async () => {
    mail = await startSmtpServer();
    const env = {
      CP_REGISTRATION: "invite_only",
      CP_SMTP_URL: `smtp+plain://127.0.0.1:${mail.port}`,
      CP_MAIL_FROM: "panel@example.org",
      CP_PUBLIC_URL: "http://panel.test",
    };
    panel = await startNode({ binary: PANEL_BINARY, env });
    browser = await openBrowser();
    page = browser.page;
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.dispose();
    await mail?.stop();
  });

  test("the pages of those who are not in yet say that it takes an invitation, and follow the operator", async () => {
    await page.goto(panel.url);
    await sees(page, /New accounts need an invitation here/);
    expect(await page.getByRole("link", { name: "Make an account" }).count()).toBe(0);
    await look(page);
    await page.goto(`${panel.url}/register`);
    await sees(page, "No new accounts here");
    await look(page);
    expect((await operate("registration", "--set", "closed")).trim()).toBe("closed");
    await page.reload();
    await sees(page, /This panel takes no new accounts/);
  });

  test("an invitation leads in, once", async () => {
    const link = linkIn(await operate("invite", "--email", ADA.email, "--name", NAME));
    await page.goto(link);
    await sees(page, `Welcome, ${NAME}`);
    await look(page);
    await typeInto(page, "New passphrase", ADA.password);
    await page.keyboard.press("Enter");
    await button(/^Workspace Ada/).waitFor();
    await arrives(page, "/");
    await page.goto(link);
    await page.reload();
    await sees(page, "This link does not open");
    await look(page);
  });

  test("an address proves itself by a link that is mailed to it", async () => {
    await page.goto(`${panel.url}/profile`);
    await button("Send me a link").click();
    await look(page);
    const link = () =>
      mail.sessions
        .map(({ letter }) => /confirm-email#([\w-]{43})/.exec(letter.replace(/=\r?\n/g, ""))?.[1])
        .find(Boolean);
    await until(() => link() !== undefined, { what: "the letter" });
    // Elsewhere it leads to the sign-in, and stays good.
    const elsewhere = await openBrowser();
    await elsewhere.page.goto(`${panel.url}/confirm-email#${link()}`);
    await elsewhere.page.getByRole("button", { name: "Sign in" }).waitFor();
    await elsewhere.close();
    await page.goto(`${panel.url}/confirm-email#${link()}`);
    await look(page);
    await button("Confirm this address").click();
    await page.getByRole("heading", { name: "Confirmed" }).waitFor();
    await look(page);
    await page.goto(`${panel.url}/profile`);
    await sees(page, "Confirmed");
    await button("Change address").click();
    await look(page);
    await page.keyboard.press("Escape");
  });

  test("whoever forgot the passphrase gets a link by mail", async () => {
    await page.goto(panel.url);
    await button(/account of Ada/).click();
    await button("Sign out").click();
    await page.getByRole("link", { name: "Forgot your passphrase?" }).click();
    await sees(page, "Choose a new passphrase");
    await look(page);
    await typeInto(page, "Email", ADA.email);
    await page.keyboard.press("Enter");
    await sees(page, "Look into your mail");
    await look(page);
    const token = () =>
      mail.sessions.map(({ letter }) => /welcome#([\w-]{43})/.exec(letter.replace(/=\r?\n/g, ""))?.[1]).find(Boolean);
    await until(() => token() !== undefined, { what: "the letter" });
    await page.goto(`${panel.url}/welcome#${token()}`);
    await sees(page, `Back again, ${NAME}`);
    await typeInto(page, "New passphrase", ADA.password);
    await page.keyboard.press("Enter");
    await button(/^Workspace Ada/).waitFor();
  });

  test("a workspace is renamed, and a member removed", async () => {
    const { user } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    const link = linkIn(await operate("invite", "--email", "bart@example.org", "--name", LONG));
    addMember(panel, user.tenant_id, "bart@example.org", "org_viewer");
    const bart = { email: "bart@example.org", password: "a long and winding phrase" };
    const use = { token: link.split("#")[1] ?? "", password: bart.password };
    await createClient(panel.url).ok("POST /api/auth/link/use", use);
    const own = await createClient(panel.url).ok("POST /api/auth/login", bart);
    const { token } = await createClient(panel.url, own.token).ok(`POST /api/workspaces/${user.tenant_id}/switch`);
    await createClient(panel.url, token).ok("POST /api/presence/heartbeat", { page: "/team" });
    await page.goto(`${panel.url}/settings`);
    await typeInto(page, "Name of the workspace", "Observatory");
    await page.keyboard.press("Enter");
    await button(/^Workspace Observatory/).waitFor();
    await look(page);
    await page.goto(`${panel.url}/team`);
    await button(`Remove ${LONG}`).waitFor();
    // What is done elsewhere is on the page without asking.
    const ada = createClient(panel.url, (await createClient(panel.url).ok("POST /api/auth/login", ADA)).token);
    const members: { id: string; display_name: string }[] = await ada.ok("GET /api/team/members");
    const { id = "" } = members.find(({ display_name }) => display_name === LONG) ?? {};
    await ada.ok(`PUT /api/team/members/${id}/role`, { role: "org_manager" });
    const role = page.getByLabel(`Role of ${LONG}`);
    await until(async () => (await role.inputValue()) === "org_manager", { what: "the other role", timeoutMs: 15_000 });
    await button("1 other person is here, 1 on this page").click();
    await sees(page, "on this page");
    await look(page);
    await page.keyboard.press("Escape");
    await look(page);
    await button(`Remove ${LONG}`).click();
    await sees(page, /loses this workspace at once/);
    await look(page);
    await button("Remove").last().click();
    await sees(page, `${LONG} has no way in any more.`);
    await button(`Remove ${LONG}`).waitFor({ state: "detached" });
  });

  test("an address that nobody has is told where people look, and tried again from there", async () => {
    mail.replies["RCPT"] = "550 5.1.1 No such user";
    const ada = createClient(panel.url, (await createClient(panel.url).ok("POST /api/auth/login", ADA)).token);
    await ada.ok("POST /api/invitations/bulk", { emails: ["typo@example.org"], role: "org_viewer" });
    await createClient(panel.url).ok("POST /api/auth/forgot-password", { email: ADA.email });
    const isNow = async (state: string) => (await ada.ok("GET /api/auth/email")).mail.state === state;
    await until(() => isNow("refused"), { what: "the mail server to refuse" });
    const invited = async () =>
      (await ada.ok("GET /api/invitations")).items.map(({ mail }: { mail: { state: string } }) => mail.state);
    await until(async () => (await invited()).includes("refused"), {
      what: "the mail server to refuse the invitation",
    });
    await page.goto(`${panel.url}/team`);
    await page
      .getByRole("row", { name: /typo@example\.org/ })
      .getByText("550 5.1.1 No such user")
      .waitFor();
    await page
      .getByRole("row", { name: /ada@example\.org/ })
      .getByText(/^Letter refused/)
      .waitFor();
    await look(page);
    await page.goto(`${panel.url}/profile/notifications`);
    await sees(page, /nobody has your address/);
    await look(page);
    expect(await operate("mail", "--address", "typo@example.org")).toContain("550 5.1.1 No such user");
    delete mail.replies["RCPT"];
    await page.goto(`${panel.url}/profile`);
    await sees(page, /notices and digests do not go there/);
    await look(page);
    await button("Try again").click();
    await until(() => isNow("sent"), { what: "another letter" });
  });

  test("people are invited by mail, and join with a new account", async () => {
    await operate("registration", "--set", "invite_only");
    const letters = mail.sessions.length;
    await page.goto(`${panel.url}/team`);
    await button("Invite people").click();
    await page.getByRole("dialog").getByRole("textbox").fill("carl@example.org, ada@example.org, nonsense");
    await look(page);
    await page.getByRole("dialog").getByRole("button", { name: "Invite", exact: true }).click();

    await sees(page, "1 person is invited");
    await look(page);
    await button("Done").click();
    await sees(page, /Open until/);
    await look(page);
    const token = () => /join#([\w-]{43})/.exec(mail.sessions[letters]?.letter.replace(/=\r?\n/g, "") ?? "")?.[1];
    await until(() => token() !== undefined, { what: "the letter" });
    await page.goto(`${panel.url}/join#${token()}`);
    await sees(page, "Join Observatory");
    await look(page);
    await typeInto(page, "Your name", "Carl");
    await typeInto(page, "New passphrase", "a small green lantern");
    await page.keyboard.press("Enter");
    await button(/account of Carl/).waitFor();
    await button(/account of Carl/).click();
    await button("Sign out").click();
    await enterPanel(page, { ...ADA, name: NAME });
    await button(/^Workspace Observatory/).waitFor();
    await page.goto(`${panel.url}/team`);
    await sees(page, /^Joined /);
    // One is of the sign-in with a browser, after those by the API.
    await button("Notifications, 2 new").click();
    await sees(page, "carl@example.org has joined");
    await look(page);
    await button("Mark all read").click();
    await button("Notifications").waitFor();
    await joinByLink("dora@example.org");
    await button("Notifications, 1 new").waitFor({ timeout: 5000 });
    await sees(page, "dora@example.org has joined");
    await page.getByRole("link", { name: "Choose what you are told of" }).click();
    await sees(page, "Servers go offline");
    await page.getByRole("switch", { name: "By mail" }).first().click();
    await look(page);
  });

  test("a workspace is deleted after its name was typed, and its owner is in the other one", async () => {
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    await createClient(panel.url, token).ok("POST /api/workspaces", { name: "Spare room" });
    await page.goto(panel.url);
    await button(/^Workspace Observatory/).click();
    await page.getByRole("dialog", { name: "Workspaces" }).getByText("Spare room").click();
    await button(/^Workspace Spare room/).waitFor();
    await page.goto(`${panel.url}/settings`);
    await button("Delete workspace").click();
    await sees(page, "Delete Spare room?");
    await page.getByRole("dialog").getByRole("textbox").fill("Spare room");
    await look(page);
    await button("Delete").last().click();
    await button(/^Workspace Observatory/).waitFor();
  });

  test("who forgot the passphrase gets in again by the operator's link, and every other device is out", async () => {
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    const link = linkIn(await operate("reset-password", "--email", ADA.email));
    await page.goto(link);
    await sees(page, `Back again, ${NAME}`);
    await typeInto(page, "New passphrase", "a new horse battery");
    await page.keyboard.press("Enter");
    await button(/^Workspace Observatory/).waitFor();
    expect((await createClient(panel.url, token).call("GET /api/auth/me")).status).toBe(401);
    await button(/account of Ada/).click();
    await button("Sign out").click();
    await enterPanel(page, { ...ADA, name: NAME });
    await sees(page, "Email address or password is wrong.");
  });
});
