import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../tests/kit/panel-app.ts";
import { type SmtpServer, startSmtpServer } from "../../../tests/kit/smtp-server.ts";
import { onEachEngine, panelDatabases } from "../../../tests/kit/sql-databases.ts";
import { byAgent, byMember } from "../event-meaning.ts";
import { inEach, LANGUAGES, type Language } from "../languages.ts";
import { writeLetter } from "../platform/mail/letter.ts";
import { writeTest } from "../platform/mail/words.ts";

const WORKSPACE = "Nürnberg <b>& Söhne</b>";
const IP = "203.0.113.7";

/** The parts of a letter as a program for mail shows them. */
function readMail(mail: string) {
  const decode = (text: string): string => {
    const bytes = text
      .replace(/=\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, "latin1").toString();
  };
  const unfolded = mail.replace(/\n[ \t]+/g, " ");
  const subject = /^Subject: (.*)$/m.exec(unfolded)?.[1] ?? "";
  const words = subject
    .replace(/\?= =\?/g, "?==?")
    .replace(/=\?UTF-8\?(Q|B)\?(.*?)\?=/gi, (_, how, text) =>
      how.toUpperCase() === "B" ? Buffer.from(text, "base64").toString() : decode(text.replaceAll("_", " ")),
    );
  return { subject: words, raw: subject, body: decode(mail), head: mail.slice(0, mail.indexOf("\n\n")) };
}

onEachEngine("letters", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let server: SmtpServer;
  let ada: Person;
  let bert: Person;
  beforeAll(async () => {
    server = await startSmtpServer();
    panel = await createTestPanel(await databases.open(), {
      smtp_url: `smtp+plain://127.0.0.1:${server.port}`,
      mail_from: "panel@panel.test",
      public_url: "https://panel.test",
    });
    ada = await panel.join("ada");
    bert = await panel.invite(ada, "bert", "org_viewer");
    await panel.system.run("UPDATE tenants SET name = ? WHERE tenant_id = ?", [WORKSPACE, ada.tenant_id]);
    await panel.system.run("UPDATE members SET last_active_at = 9 WHERE tenant_id = ?", [ada.tenant_id]);
  });
  afterAll(() => server.stop());

  const speak = (language: Language | null, where: "accounts" | "tenants" = "accounts") =>
    panel.system.run(`UPDATE ${where} SET language = ?`, [language]);
  const letters = () => server.sessions.map(({ letter }) => letter).filter((letter) => letter !== "");
  const lastTo = (address: string) =>
    readMail(
      server.sessions.findLast((one) => one.commands.includes(`RCPT TO:<${address}>`) && one.letter !== "")?.letter ??
        "",
    );

  /** Everything that letters can be about, by the kinds that features add. */
  async function listCases(): Promise<Record<string, Record<string, unknown>[]>> {
    const by = byAgent(ada.tenant_id, "");
    const listIds = async (): Promise<string[]> => {
      const sql = "SELECT id FROM notifications WHERE tenant_id = ?";
      return (await panel.system.all<{ id: string }>(sql, [ada.tenant_id])).map(({ id }) => id);
    };
    // Other tests here bring notices of their own.
    const before = await listIds();
    const cause = {
      incident_id: "inc_1",
      region: "eu",
      title: "atlas-7 is offline",
      hostname: "atlas-7",
      figure: 91,
      nodes: 3,
    };
    const rules = ["heartbeat_missing", "agent_critical", "cpu_high", "mem_high", "disk_high", "app_failed"] as const;
    const stop = { by, rollout_id: "rol_1", name: "To 2.0", text: "Failed boots 3, limit 0" };
    await panel.system.tx(async (tx) => {
      for (const rule of rules)
        await panel.ctx.bus.emit(tx, "incident.opened", { by, ...cause, rule, severity: "warning" });
      for (const reason of ["growth", "unknown"] as const)
        await panel.ctx.bus.emit(tx, "incident.escalated", {
          by,
          ...cause,
          rule: "cpu_high",
          severity: "critical",
          reason,
        });
      for (const gate of ["error_rate", "cpu_p95", "failed_boots", "heartbeat_loss"] as const)
        await panel.ctx.bus.emit(tx, "fleet.rollout.stop", {
          ...stop,
          reason: { cause: "gate", gate, value: 3.5, threshold: 1 },
        });
      for (const why of ["manual", "no_nodes", "no_success", "insufficient_data", "plan", "suspended"] as const)
        await panel.ctx.bus.emit(tx, "fleet.rollout.stop", {
          ...stop,
          reason: { cause: why, gate: null, value: null, threshold: null },
        });
      await panel.ctx.bus.emit(tx, "account.join", {
        by: byMember(bert, ""),
        ...{ invitation_id: "inv_1", email: "bert@example.org", role: "org_viewer", invited_by: ada.member_id },
      });
      const ending = {
        by,
        connector_id: "con_1",
        name: "Okta",
        ends_at: "2027-03-01T00:00:00.000Z",
        follows: true,
      } as const;
      await panel.ctx.bus.emit(tx, "sso.certificate_ending", { ...ending, left: 7 });
      await panel.ctx.bus.emit(tx, "sso.certificate_ending", { ...ending, left: 0, follows: false });
      await panel.ctx.bus.emit(tx, "chat_channel.off", { by, channel_id: "cht_1", name: "#ops", reason: "404" });
      await panel.ctx.bus.emit(tx, "chat_channel.pause", { by, channel_id: "cht_1", name: "#ops" });
      await panel.ctx.bus.emit(tx, "scim.token_pause", { by, token_id: "dir_1", name: "Entra" });
      await panel.ctx.bus.emit(tx, "account.new_device", {
        ...{ by: byMember(bert, IP), program: "Firefox", system: "Linux", at: 9 },
      });
      const about = { by, member_id: bert.member_id, name: "Bert", role: "org_viewer" } as const;
      await panel.ctx.bus.emit(tx, "team.factor_reset", { ...about, effective_at: "2027-03-01T16:05:00.000Z" });
      await panel.ctx.bus.emit(tx, "team.factor_reset_stop", { ...about, end: "stopped" });
      await panel.ctx.bus.emit(tx, "team.factor_reset_done", about);
    });
    const ids = (await listIds()).filter((id) => !before.includes(id));
    const notifications = ids.map((id) => ({ tenant_id: ada.tenant_id, id }));
    // Whoever one is not for is written no letter about it.
    await panel.system.run("UPDATE notifications SET member_id = ? WHERE member_id <> ''", [ada.member_id]);
    const invite = { emails: "guest@example.org", role: "org_viewer" };
    const made = await panel.call("POST /api/invitations/bulk", { token: ada.token, body: invite });
    const reset = { tenant_id: ada.tenant_id, workspace: WORKSPACE, asker: "Cleo", member: "Ada", email: ada.email };
    const at = "2027-03-01T16:05:00.000Z";
    return {
      "account.reset": [{ ip: IP }],
      "account.factors": [
        { change: "added", name: "", ip: IP },
        { change: "removed", name: "Blue key", ip: IP },
        { change: "reset", name: "", ip: "" },
        ...["1", "7"].map((name) => ({ change: "recovery_code", name, ip: IP })),
      ],
      "account.new_device": [
        { program: "Firefox", system: "Linux", at: String(Date.parse(at)), ip: IP },
        { program: "", system: "", at: String(Date.parse(at)), ip: IP },
      ],
      "account.email_proof": [{ account_id: ada.account_id }],
      "account.email_change": ["asked", "done"].map((told) => ({ told, name: "Ada", email: ada.email, ip: IP })),
      "team.factor_reset": ["begun", "done", "stopped", "void"].flatMap((told) => [
        { ...reset, told, at },
        { ...reset, told, at, email: "bert@example.org", member: "Bert", asker: "" },
      ]),
      "team.invitation": [{ tenant_id: ada.tenant_id, id: made.body.invited[0].id }],
      notification: notifications,
      "notification.digest": [
        { tenant_id: ada.tenant_id, ids: notifications.map(({ id }) => id).join(" "), count: "1234" },
        { tenant_id: ada.tenant_id, ids: notifications[0]?.id, count: "2" },
      ],
    };
  }

  test("every letter is written in every language, plain and formatted, with the workspace's name", async () => {
    const cases = await listCases();
    const kinds = panel.ctx.lists.letters.all();
    // A new kind of letters has its case here.
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(cases).toSorted());
    expect(cases["notification"]).toHaveLength(31);
    for (const { kind, write } of kinds) {
      for (const facts of cases[kind] ?? []) {
        const written = new Map<Language, string[]>();
        for (const language of LANGUAGES) {
          await speak(language);
          const letter = await write(ada.email, facts);
          if (letter === null) throw new Error(`no letter of ${kind} in ${language}`);
          expect({ kind, facts, language: letter.language, workspace: letter.workspace }).toEqual({
            ...{ kind, facts, language, workspace: WORKSPACE },
          });
          const { subject, text, html } = writeLetter(letter);
          expect(text).toContain(WORKSPACE);
          expect(html).toContain("Nürnberg &lt;b&gt;&amp; Söhne&lt;/b&gt;");
          expect(html).not.toContain("<b>");
          expect(html).toContain(`<html lang="${language}">`);
          for (const part of [subject, text, html]) {
            expect(part.length).toBeGreaterThan(5);
            expect(part).not.toMatch(/undefined|\bnull\b|NaN|\[object|\$\{|\{\w+\}|Invalid Date/);
          }
          const { greeting, paragraphs, action, footer } = letter;
          expect(paragraphs.length).toBeGreaterThan(0);
          written.set(language, [letter.subject, greeting, ...paragraphs, action?.label ?? "", footer]);
        }
        // Word for word another text: nothing of it stayed as it is in another language.
        const said = (language: Language): string[] => written.get(language) ?? [];
        for (const language of ["de", "fr", "es"] as const)
          expect({ kind, facts, language, same: said(language).filter((one) => said("en").includes(one)) }).toEqual({
            ...{ kind, facts, language, same: [] },
          });
      }
    }
    await speak(null);
    const tests = inEach((language) => writeLetter(writeTest(language, "https://panel.test")).subject);
    expect(new Set(Object.values(tests)).size).toBe(LANGUAGES.length);
  });

  test("one's own language goes before the inviter's, the workspace's, the browser's and English", async () => {
    const { findReader } = panel.ctx.tenants;
    const of = async (wanted: Language | null = null) => (await findReader(ada.email, ada.tenant_id, wanted)).language;
    const put = (route: string, language: string | null, person = ada) =>
      panel.call(route, { token: person.token, body: { language } });
    expect(await of()).toBe("en");
    await panel.system.run("UPDATE accounts SET browser_language = 'es' WHERE id = ?", [ada.account_id]);
    expect(await of()).toBe("es");
    expect((await put("PUT /api/v1/workspace/settings", "fr")).body.language).toBe("fr");
    expect([await of(), await of("de")]).toEqual(["fr", "de"]);
    expect((await panel.call("GET /api/auth/language", { token: ada.token })).body).toEqual({
      ...{ language: null, otherwise: "fr" },
    });
    expect((await put("PUT /api/auth/language", "en")).body).toEqual({ language: "en", otherwise: "fr" });
    expect([await of(), await of("de")]).toEqual(["en", "en"]);
    expect((await put("PUT /api/auth/language", null)).body.language).toBeNull();
    expect((await put("PUT /api/auth/language", "xx")).status).toBe(400);
    expect((await put("PUT /api/v1/workspace/settings", "de", bert)).status).toBe(403);
    await put("PUT /api/v1/workspace/settings", null);
  });

  test("whoever registers or joins is written to as their browser asks", async () => {
    const [password, headers] = ["correct horse battery", { "accept-language": "fr-CH,fr;q=0.9" }];
    const body = { email: "zoe@example.org", password, name: "Zoé" };
    expect((await panel.call("POST /api/auth/register", { body, headers })).status).toBe(200);
    await panel.runJob("mail.send");
    const confirm = lastTo("zoe@example.org");
    expect(confirm.subject).toBe("Confirmez votre adresse pour Orrery");
    expect(confirm.head).toMatch(/^Content-Language: fr$/im);
    const invited = await panel.call("POST /api/invitations/bulk", {
      ...{ token: ada.token, body: { emails: "eva@example.org", role: "org_viewer", language: "de" } },
    });
    expect(invited.status).toBe(201);
    await panel.runJob("mail.send");
    const { body: text } = lastTo("eva@example.org");
    const token = /join#([\w-]{43})/.exec(text)?.[1] ?? "";
    const joined = await panel.call("POST /api/auth/accept-invite", {
      body: { token, name: "Eva", password },
      headers,
    });
    expect(joined.status).toBe(200);
    expect((await panel.ctx.tenants.findReader("eva@example.org", ada.tenant_id)).language).toBe("fr");
  });

  test("no name that somebody chose is an address in a letter to others", async () => {
    const name = "Pay at https://evil.example/x now";
    const nameAll = async (workspace: string, person: string) => {
      await panel.system.run("UPDATE tenants SET name = ? WHERE tenant_id = ?", [workspace, ada.tenant_id]);
      await panel.system.run("UPDATE accounts SET display_name = ? WHERE id = ?", [person, ada.account_id]);
    };
    await nameAll(name, name);
    const body = { emails: "other@example.org", role: "org_viewer" };
    const made = await panel.call("POST /api/invitations/bulk", { token: ada.token, body });
    const told = { told: "begun", tenant_id: ada.tenant_id, email: ada.email, at: new Date(0).toISOString() };
    const cases: [kind: string, facts: Record<string, unknown>][] = [
      ["team.invitation", { tenant_id: ada.tenant_id, id: made.body.invited[0].id }],
      ["account.email_proof", { account_id: ada.account_id }],
      ["team.factor_reset", { ...told, asker: name, workspace: name, member: name }],
      ["team.factor_reset", { ...told, email: "", asker: name, workspace: name, member: name }],
    ];
    for (const [kind, facts] of cases) {
      const letter = await panel.ctx.lists.letters
        .all()
        .find((one) => one.kind === kind)
        ?.write(ada.email, facts);
      if (!letter) throw new Error(`no letter of ${kind}`);
      const { subject, text, html } = writeLetter(letter);
      expect(text).toContain("Pay at");
      for (const part of [subject, text, html]) expect(part).not.toMatch(/evil\.example|https:\/\/evil/);
    }
    await nameAll(WORKSPACE, "ada");
  });

  test("a mail server gets a German invitation with its umlauts, and no header of a name's making", async () => {
    await panel.system.run("UPDATE accounts SET display_name = ? WHERE id = ?", [
      "Jürg\r\nBcc: evil@example.org",
      ada.account_id,
    ]);
    await speak("de", "tenants");
    const body = { emails: "gast@example.org", role: "org_viewer" };
    expect((await panel.call("POST /api/invitations/bulk", { token: ada.token, body })).status).toBe(201);
    await panel.runJob("mail.send");
    const { subject, raw, body: text, head } = lastTo("gast@example.org");
    expect(subject).toBe(`Einladung zu ${WORKSPACE} von Jürg Bcc: evil@\u200bexample.\u200borg`);
    expect(raw).toMatch(/^[\x20-\x7e]+$/);
    expect(head).not.toMatch(/^bcc:/im);
    expect(head).toMatch(/^Content-Language: de$/im);
    expect(text).toMatch(/Content-Type: text\/plain; charset=utf-8/);
    expect(text).toMatch(/Content-Type: text\/html; charset=utf-8/);
    expect(text).toContain("lädt Sie ein, in Nürnberg <b>& Söhne</b> auf Orrery mitzuarbeiten.");
    expect(text).toContain("Nürnberg &lt;b&gt;&amp; Söhne&lt;/b&gt;");
    const until = new Intl.DateTimeFormat("de", { dateStyle: "long", timeZone: "UTC" }).format(
      panel.clock.now() + 604_800_000,
    );
    expect(text).toContain(`bis zum ${until} gültig`);
    expect(letters().length).toBeGreaterThan(0);
    await speak(null, "tenants");
  });
});
