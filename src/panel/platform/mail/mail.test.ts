import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { type SmtpServer, startSmtpServer, WITH_TLS } from "../../../../tests/kit/smtp-server.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const HOUR = 3_600_000;

onEachEngine("mail", (engine) => {
  const databases = panelDatabases(engine);
  let server: SmtpServer;
  let panel: TestPanel;
  beforeEach(async () => {
    server = await startSmtpServer();
    panel = await createTestPanel(await databases.open(), {
      smtp_url: `smtp+plain://127.0.0.1:${server.port}`,
      mail_from: "panel@panel.test",
      public_url: "https://panel.test",
    });
  });
  afterEach(() => server.stop());

  const ask = (email: string) => panel.call("POST /api/auth/forgot-password", { body: { email } });
  const send = () => panel.runJob("mail.send");
  const waiting = async () =>
    Number((await panel.system.get<{ n: number }>("SELECT COUNT(*) AS n FROM mail_queue"))?.n);
  const letters = () => server.sessions.map(({ letter }) => letter).filter((letter) => letter !== "");
  /** The token of the link in a letter, whose lines are folded. */
  const tokenOf = (letter = "") => /welcome#([\w-]{43})/.exec(letter.replace(/=\r?\n/g, ""))?.[1] ?? "";
  const use = (token: string) =>
    panel.call("POST /api/auth/link/use", { body: { token, password: "correct horse battery" } });

  test("whoever forgot the password gets a link that works once; nobody learns whether there is an account", async () => {
    const { token } = await panel.join("bob");
    expect((await panel.call("GET /api/auth/recovery")).body).toEqual({ by_mail: true });
    const answers = [await ask("BOB@example.org"), await ask("nobody@example.org")];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { status: "accepted" }],
      [200, { status: "accepted" }],
    ]);
    expect(await waiting()).toBe(2);
    await send();
    expect(await waiting()).toBe(0);
    expect(letters()).toHaveLength(1);
    expect(server.sessions.at(0)?.commands).toContain("RCPT TO:<bob@example.org>");
    expect((await panel.call("GET /api/auth/me", { token })).status).toBe(200);
    const [letter] = letters();
    expect((await use(tokenOf(letter))).status).toBe(200);
    expect((await use(tokenOf(letter))).status).toBe(404);
    expect((await panel.call("GET /api/auth/me", { token })).status).toBe(401);
    const audit = JSON.stringify(await panel.system.all("SELECT * FROM audit_entries"));
    expect(audit).toContain("account.reset_mailed");
    expect(audit).not.toContain(tokenOf(letter));
  });

  test("nothing is sent to where no mail can arrive, such as what stands in for an address that was given up", async () => {
    await ask("acc_1@unproven.invalid");
    await ask("carol@invalid.example");
    expect(await waiting()).toBe(1);
  });

  test("asking takes back neither the operator's link nor one that was mailed before", async () => {
    await panel.join("carol");
    const link = await panel.ctx.accountLinks.offerReset("carol@example.org");
    await ask("carol@example.org");
    await send();
    await ask("carol@example.org");
    await send();
    const look = async (token: string) => (await panel.call("POST /api/auth/link/look", { body: { token } })).status;
    const tokens = [link?.url.split("#")[1] ?? "", ...letters().map(tokenOf)];
    expect(await Promise.all(tokens.map(look))).toEqual([200, 200, 200]);
    await panel.clock.advance(HOUR);
    expect(await Promise.all(tokens.map(look))).toEqual([200, 404, 404]);
  });

  const mailed = async () =>
    (await panel.system.all("SELECT * FROM audit_entries WHERE action = 'account.reset_mailed'")).length;

  test("a server that is busy is tried again, later each time; one that knows no such person is not", async () => {
    await panel.join("dan");
    server.replies["RCPT"] = "451 4.3.0 Try again";
    await ask("dan@example.org");
    await send();
    await send();
    expect([await waiting(), server.sessions.length]).toEqual([1, 1]);
    await panel.clock.advance(60_000);
    await send();
    expect(server.sessions).toHaveLength(2);
    // What was not taken was not mailed.
    expect(await mailed()).toBe(0);
    delete server.replies["RCPT"];
    await panel.clock.advance(5 * 60_000);
    await send();
    expect([await waiting(), letters().length, await mailed()]).toEqual([0, 1, 1]);
    server.replies["RCPT"] = "550 5.1.1 No such user";
    await ask("dan@example.org");
    await send();
    expect(await waiting()).toBe(0);
  });

  test("a letter whose way breaks off waits, goes again once, and nothing of it goes unencrypted", async () => {
    panel = await createTestPanel(await databases.open(), {
      smtp_url: `smtp://127.0.0.1:${server.port}?verify=no`,
      mail_from: "panel@panel.test",
      public_url: "https://panel.test",
    });
    const faults: Record<string, () => void> = {
      "no encryption offered": () => {
        server.replies = {};
      },
      "encryption refused": () => {
        server.replies["STARTTLS"] = "454 4.7.0 TLS not available";
      },
      ...Object.fromEntries(
        ["STARTTLS", "TLS", "MAIL", "DATA", "LINE", "LETTER"].map((word) => [
          `reset at ${word}`,
          () => server.resets.add(word),
        ]),
      ),
    };
    for (const [index, [fault, begin]] of Object.entries(faults).entries()) {
      const { email } = await panel.join(`hugo-${index}`);
      server.replies = { ...WITH_TLS };
      begin();
      await ask(email);
      await send();
      expect([fault, await waiting(), await mailed()]).toEqual([fault, 1, index]);
      server.replies = { ...WITH_TLS };
      server.resets.clear();
      for (let hour = 0; hour < 3; hour++) {
        await panel.clock.advance(HOUR / 3);
        await send();
      }
      expect([fault, await waiting(), await mailed()]).toEqual([fault, 0, index + 1]);
      const tries = server.sessions.filter(({ commands }) => commands.includes(`RCPT TO:<${email}>`));
      // What was whole before the line was lost may have been taken: the same id lets whoever reads mail see one.
      const ids = tries.flatMap(({ letter }) => /^Message-ID: .*$/im.exec(letter)?.[0] ?? []);
      expect([fault, ids.length, new Set(ids).size]).toEqual([fault, fault === "reset at LETTER" ? 2 : 1, 1]);
    }
    for (const { commands, isEncrypted } of server.sessions)
      expect(isEncrypted || !commands.some((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toBe(true);
  });

  test("a link that is good for an hour does not wait behind letters that are good for days", async () => {
    await panel.join("gail");
    const invitation = { kind: "none", tenantId: null, facts: {}, lifetimeMs: 7 * 24 * HOUR };
    await panel.system.tx(async (tx) => {
      for (let count = 0; count < 40; count++)
        await panel.ctx.mail.queue(tx, { ...invitation, to: `guest-${count}@example.org` });
    });
    await panel.clock.advance(60_000);
    await ask("gail@example.org");
    await send();
    expect(letters()).toHaveLength(1);
    expect(await waiting()).toBeGreaterThan(0);
  });

  test("what somebody waits for goes before all notices, and those in turns of their workspaces", async () => {
    await panel.join("hal");
    const sent: string[] = [];
    const write = async (address: string) => {
      sent.push(address);
      return null;
    };
    panel.ctx.lists.letters.add({ kind: "notice", isNotice: true, write });
    panel.ctx.lists.letters.add({ kind: "invited", write });
    const queue = (kind: string, tenantId: string, count: number, hours: number) =>
      panel.system.tx(async (tx) => {
        for (let at = 0; at < count; at++) {
          const to = `${kind}-${tenantId}-${at}@example.org`;
          await panel.ctx.mail.queue(tx, { kind, tenantId, to, facts: {}, lifetimeMs: hours * HOUR });
        }
      });
    for (let loud = 0; loud < 25; loud++) await queue("notice", `loud-${loud}`, 4, 12);
    await panel.clock.advance(60_000);
    await queue("invited", "calm", 1, 7 * 24);
    await queue("notice", "calm", 2, 7 * 24);
    await send();
    expect(sent[0]).toBe("invited-calm-0@example.org");
    await send();
    expect(sent.slice(0, 27)).toContain("notice-calm-0@example.org");
    expect(sent.filter((to) => to.startsWith("notice-loud-0-"))).toHaveLength(2);
    for (let runs = 0; runs < 2; runs++) await send();
    expect(sent).toContain("notice-calm-1@example.org");
  });

  test("what nobody takes is given up when it is of no use any more", async () => {
    await panel.join("erin");
    server.replies["MAIL"] = "421 4.7.0 Not now";
    await ask("erin@example.org");
    for (let minute = 0; minute < 65; minute += 5) {
      await send();
      await panel.clock.advance(5 * 60_000);
    }
    expect([await waiting(), letters().length, await mailed()]).toEqual([0, 0, 0]);
    expect(server.sessions.length).toBeLessThan(6);
  });

  test("asking has limits: for one address, and from one network", async () => {
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask("fred@example.org")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (let count = 0; count < 3; count++) statuses.push((await ask(`other-${count}@example.org`)).status);
    expect(statuses.slice(4)).toEqual([200, 200, 429]);
  });

  test("a test letter says what the server answers", async () => {
    await panel.ctx.mail.sendTest("ada@example.org", "en");
    expect(letters()).toHaveLength(1);
    server.replies["MAIL"] = "550 5.7.1 Sender refused";
    expect(panel.ctx.mail.sendTest("ada@example.org", "en")).rejects.toThrow("Sender refused");
  });

  test("a panel without a mail server says who can help", async () => {
    const bare = await createTestPanel(await databases.open());
    expect((await bare.call("GET /api/auth/recovery")).body).toEqual({ by_mail: false });
    const answer = await bare.call("POST /api/auth/forgot-password", { body: { email: "ada@example.org" } });
    expect([answer.status, answer.body.code]).toEqual([503, "mail_off"]);
    expect(answer.body.message).toContain("orrery-panel reset-password --email ada@example.org");
    expect(bare.ctx.mail.missing()).toEqual(["CP_SMTP_URL", "CP_MAIL_FROM", "CP_PUBLIC_URL"]);
  });
});
