import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { createAuthenticator } from "../../../../tests/kit/authenticator.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { type SmtpServer, startSmtpServer } from "../../../../tests/kit/smtp-server.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { days, hours } from "../../../lib/duration.ts";

const PASSWORD = "correct horse battery";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36";
const [HOME, CAFE] = ["198.51.100.7", "203.0.113.9"];

/** The cookie of the device that an answer sets; empty for none. */
const deviceOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith("orrery_panel_device="))
    ?.split(";")[0] ?? "";

onEachEngine("sign-ins on new devices", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let quiet: TestPanel;
  let server: SmtpServer;
  let round = 0;
  beforeAll(async () => {
    server = await startSmtpServer();
    const mail = { smtp_url: `smtp+plain://127.0.0.1:${server.port}`, mail_from: "panel@panel.test" };
    const trusted = { trusted_proxies: "127.0.0.1", public_url: "https://panel.test" };
    panel = await createTestPanel(await databases.open(), { ...mail, ...trusted });
    quiet = await createTestPanel(await databases.open(), trusted);
  });
  beforeEach(async () => {
    round += 1;
    await panel.clock.advance(hours(1));
  });
  afterAll(() => server.stop());

  /** Somebody who registered and never signed in. */
  async function register(on = panel) {
    const email = `ada${engine}${round}@example.org`;
    await on.call("POST /api/auth/register", { body: { email, password: PASSWORD, name: "Ada" } });
    const post = (path: string, body: unknown, ip: string, agent: string, cookie = "") =>
      on.call(`POST /api/auth/${path}`, {
        body,
        headers: { "x-forwarded-for": ip, "user-agent": agent, ...(cookie === "" ? {} : { cookie }) },
      });
    const logIn = (ip: string, agent: string, cookie?: string) =>
      post("login", { email, password: PASSWORD }, ip, agent, cookie);
    /** What the list of the bell says of it, newest first. */
    const heard = async (token: string): Promise<{ severity: string; body: string; link: string }[]> =>
      (await on.call("GET /api/notifications", { token })).body.notifications.filter(
        ({ kind }: { kind: string }) => kind === "account.new_device",
      );
    const letters = async (): Promise<string[]> => {
      const sql = "SELECT facts FROM mail_queue WHERE kind = 'account.new_device' AND address = ? ORDER BY id";
      return (await on.system.all<{ facts: string }>(sql, [email])).map(({ facts }) => facts);
    };
    return { email, post, logIn, heard, letters };
  }

  test("the first sign-in is quiet, another one in the same browser too, and one on a new device is told", async () => {
    const { email, logIn, heard, letters } = await register();
    const first = await logIn(HOME, FIREFOX);
    const cookie = deviceOf(first.headers);
    // In the same browser from elsewhere, and at home with a browser that forgot its cookies.
    const token: string = (await logIn(CAFE, FIREFOX, cookie)).body.token;
    await logIn(HOME, FIREFOX);
    expect([await letters(), await heard(token)]).toEqual([[], []]);
    await logIn(CAFE, CHROME);
    expect((await letters()).map((facts) => JSON.parse(facts))).toMatchObject([
      { program: "Chrome", system: "Windows", ip: CAFE },
    ]);
    expect(await heard(token)).toMatchObject([
      {
        severity: "warning",
        link: "/profile",
        body: expect.stringContaining("with Chrome on Windows, from the address"),
      },
    ]);
    // By now it is known.
    await logIn(CAFE, CHROME);
    expect(await heard(token)).toHaveLength(1);
    await panel.runJob("mail.send");
    const sent = server.sessions.findLast(({ commands }) => commands.includes(`RCPT TO:<${email}>`));
    expect(sent?.letter).toContain(CAFE);
    expect(sent?.letter).toContain("https://panel.test/profile");
  });

  test("another person's mark in a browser makes it nobody else's, and after half a year a place is new again", async () => {
    const { logIn, letters } = await register();
    const cookie = deviceOf((await logIn(HOME, FIREFOX)).headers);
    round += 1000;
    const eve = await register();
    await eve.logIn(CAFE, CHROME);
    await eve.logIn(HOME, FIREFOX, cookie);
    expect(await eve.letters()).toHaveLength(1);
    await panel.clock.advance(days(181));
    await logIn(HOME, FIREFOX);
    expect(await letters()).toHaveLength(1);
    round -= 1000;
  });

  test("a wrong passphrase tells nothing, and no more than five are told in a day", async () => {
    const { email, post, logIn, heard, letters } = await register();
    const { token } = (await logIn(HOME, FIREFOX)).body;
    await post("login", { email, password: "wrong" }, CAFE, CHROME);
    expect(await letters()).toEqual([]);
    for (let count = 0; count < 30; count++) await logIn(`192.0.2.${count}`, CHROME);
    expect([(await letters()).length, (await heard(token)).length]).toEqual([5, 5]);
    const sql =
      "SELECT count(*) AS many FROM sign_in_places WHERE account_id = (SELECT id FROM accounts WHERE email = ?)";
    expect(Number((await panel.system.get<{ many: number }>(sql, [email]))?.many)).toBeLessThanOrEqual(25);
    await panel.clock.advance(days(1));
    await logIn("192.0.2.200", CHROME);
    expect(await letters()).toHaveLength(6);
  });

  test("with a second factor it is told once that is given, and the browser is known from then on", async () => {
    const { post, logIn, letters } = await register();
    const { token } = (await logIn(HOME, FIREFOX)).body;
    const { secret } = (await panel.call("POST /api/auth/totp/enable", { token })).body;
    const code = async () => {
      await panel.clock.advance(30_000);
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: panel.clock.now() });
    };
    await panel.call("POST /api/auth/totp/verify", { token, body: { code: await code() } });
    const waiting = await logIn(CAFE, CHROME);
    expect([deviceOf(waiting.headers), await letters()]).toEqual(["", []]);
    const { mfa_token } = waiting.body;
    const done = await post("totp/verify-login", { mfa_token, code: await code() }, CAFE, CHROME);
    expect([done.status, (await letters()).length]).toEqual([200, 1]);
    const again = await logIn("192.0.2.9", CHROME, deviceOf(done.headers));
    const body = { mfa_token: again.body.mfa_token, code: await code() };
    expect((await post("totp/verify-login", body, "192.0.2.9", CHROME, deviceOf(done.headers))).status).toBe(200);
    expect(await letters()).toHaveLength(1);
  });

  test("a passkey on a new device is told as well", async () => {
    const { post, logIn, letters } = await register();
    const { token } = (await logIn(HOME, FIREFOX)).body;
    const authenticator = createAuthenticator();
    const begun = (await panel.call("POST /api/auth/webauthn/register/begin", { token })).body;
    const credential = authenticator.register(begun.options.publicKey);
    const body = { name: "Key", credential };
    expect((await panel.call("POST /api/auth/webauthn/register/finish", { token, body })).status).toBe(200);
    const { session_id, options } = (await post("passkeys/login/begin", undefined, CAFE, CHROME)).body;
    const proof = { session_id, credential: authenticator.sign(options.publicKey) };
    const entered = await post("passkeys/login/finish", proof, CAFE, CHROME);
    expect([entered.status, deviceOf(entered.headers) !== "", (await letters()).length]).toEqual([200, true, 1]);
  });

  test("where the panel sends no mail the list of the bell tells of it alone", async () => {
    const { logIn, heard, letters } = await register(quiet);
    const { token } = (await logIn(HOME, FIREFOX)).body;
    await logIn(CAFE, CHROME);
    expect([await letters(), (await heard(token)).length]).toEqual([[], 1]);
  });
});
