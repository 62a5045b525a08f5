/** What became of letters: told where people look, to those alone whom it concerns. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { type SmtpServer, startSmtpServer } from "../../../../tests/kit/smtp-server.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { byMember } from "../../event-meaning.ts";
import { createMailCommands } from "./commands.ts";
import init from "./migrations/0001_mail.sql" with { type: "text" };
import outcomes from "./migrations/0002_mail_outcomes.sql" with { type: "text" };

const NOBODY = "550 5.1.1 No such user";

onEachEngine("what became of letters", (engine) => {
  const databases = panelDatabases(engine);
  let server: SmtpServer;
  let panel: TestPanel;
  let owner: Person;
  beforeEach(async () => {
    server = await startSmtpServer();
    panel = await createTestPanel(await databases.open(), {
      smtp_url: `smtp+plain://127.0.0.1:${server.port}`,
      mail_from: "panel@panel.test",
      public_url: "https://panel.test",
    });
    owner = await panel.join("owner");
  });
  afterEach(() => server.stop());

  const get = async (path: string, { token }: Person = owner) => (await panel.call(`GET ${path}`, { token })).body;
  const send = () => panel.runJob("mail.send");
  const invite = (emails: string, { token }: Person = owner) =>
    panel.call("POST /api/invitations/bulk", { token, body: { emails, role: "org_viewer" } });
  const invitation = async (email: string, person?: Person) =>
    (await get("/api/invitations", person)).items.find((item: { email: string }) => item.email === email);
  const member = async (id: string, person?: Person) =>
    (await get("/api/team/members", person)).find((one: { id: string }) => one.id === id);
  const now = () => new Date(panel.clock.now()).toISOString();

  test("an invitation tells of its letter: waiting, put off, then taken", async () => {
    const queued_at = now();
    const { body } = await invite("ada@example.org");
    const waiting = { state: "waiting", queued_at, at: queued_at, reason: null, unreachable: false };
    expect(body.invited[0].mail).toEqual(waiting);
    server.replies["RCPT"] = "451 4.3.0 Try again";
    await panel.clock.advance(minutes(1));
    await send();
    expect((await invitation("ada@example.org")).mail).toEqual({
      ...waiting,
      ...{ at: now(), reason: "451 4.3.0 Try again" },
    });
    delete server.replies["RCPT"];
    await panel.clock.advance(minutes(5));
    await send();
    expect((await invitation("ada@example.org")).mail).toEqual({ ...waiting, state: "sent", at: now() });
  });

  test("an address that nobody has is told with the server's words; sending again clears it", async () => {
    const { body } = await invite("gone@example.org");
    server.replies["RCPT"] = NOBODY;
    await send();
    expect((await invitation("gone@example.org")).mail).toMatchObject({
      ...{ state: "refused", reason: NOBODY, unreachable: true },
    });
    delete server.replies["RCPT"];
    await panel.clock.advance(minutes(2));
    const { id } = body.invited[0];
    expect((await panel.call(`POST /api/invitations/${id}/resend`, { token: owner.token })).body.mail.state).toBe(
      "waiting",
    );
    await send();
    expect((await invitation("gone@example.org")).mail).toMatchObject({ state: "sent", unreachable: false });
  });

  test("while nobody has an address, what the mail server says of later letters is less", async () => {
    const person = await panel.invite(owner, "member", "org_viewer");
    await panel.system.run("DELETE FROM mail_queue");
    server.replies["RCPT"] = NOBODY;
    await panel.call("POST /api/auth/email/send", { token: person.token });
    await send();
    const gone = { reason: NOBODY, unreachable: true };
    const seen = async () => [
      (await get("/api/auth/email", person)).mail,
      (await get("/api/profile/notifications", person)).mail,
      (await member(person.member_id)).mail,
    ];
    expect(await seen()).toMatchObject([gone, gone, gone]);
    await panel.clock.advance(minutes(2));
    // A letter of the workspace that is put off, after the account's own was refused.
    server.replies["RCPT"] = "451 4.7.1 Greylisted";
    await panel.system.tx((tx) =>
      panel.ctx.mail.queue(tx, {
        ...{ kind: "account.reset", tenantId: owner.tenant_id, to: person.email },
        ...{ facts: {}, lifetimeMs: hours(1) },
      }),
    );
    const waits = { state: "waiting", ...gone };
    expect(await seen()).toMatchObject([waits, waits, waits]);
    await send();
    expect(await seen()).toMatchObject([waits, waits, waits]);
    delete server.replies["RCPT"];
    await panel.clock.advance(minutes(2));
    await send();
    const sent = { state: "sent", reason: null, unreachable: false };
    expect(await seen()).toMatchObject([sent, sent, sent]);
  });

  test("a letter that is not wanted says nothing of the address", async () => {
    await invite("ada@example.org");
    server.replies["LETTER"] = "554 5.7.1 Looks like spam";
    await send();
    expect((await invitation("ada@example.org")).mail).toMatchObject({
      ...{ state: "refused", reason: "554 5.7.1 Looks like spam", unreachable: false },
    });
  });

  test("what nobody takes is given up, and the time that it took is told", async () => {
    const queued_at = now();
    await invite("ada@example.org");
    // As a server that loses the connection before it says anything.
    server.replies["GREETING"] = "421 4.3.2 Shutting down";
    for (let hour = 0; hour < 24; hour += 1) {
      await send();
      await panel.clock.advance(hours(1));
    }
    const { mail } = await invitation("ada@example.org", { ...owner, token: await panel.signIn(owner) });
    expect(mail).toMatchObject({ state: "given_up", queued_at, unreachable: false });
    expect(mail.reason).toBe("It could not be handed to the mail server of this panel.");
    expect(Date.parse(mail.at) - Date.parse(queued_at)).toBeGreaterThan(hours(12));
  });

  test("only what became of the latest letter to an address counts", async () => {
    const { id } = (await invite("ada@example.org")).body.invited[0];
    server.replies["RCPT"] = "451 4.3.0 Try again";
    await send();
    await panel.clock.advance(minutes(2));
    await panel.call(`POST /api/invitations/${id}/resend`, { token: owner.token });
    const { queued_at } = (await invitation("ada@example.org")).mail;
    const [first] = await panel.system.all<{ id: string }>("SELECT id FROM mail_queue ORDER BY id");
    await panel.system.run("DELETE FROM mail_queue WHERE id <> ?", [first?.id ?? ""]);
    server.replies["RCPT"] = "554 5.7.1 Not this one";
    await send();
    expect((await invitation("ada@example.org")).mail).toMatchObject({ state: "waiting", queued_at, reason: null });
  });

  test("no workspace hears of another's letters, and of a member's only those who manage the team", async () => {
    const other = await panel.join("other");
    const viewer = await panel.invite(owner, "viewer", "org_viewer");
    await invite("gone@example.org");
    await invite("gone@example.org", other);
    await send();
    server.replies["RCPT"] = NOBODY;
    await panel.clock.advance(minutes(2));
    const { id } = await invitation("gone@example.org", other);
    await panel.call(`POST /api/invitations/${id}/resend`, { token: other.token });
    await send();
    expect((await invitation("gone@example.org", other)).mail.state).toBe("refused");
    expect((await invitation("gone@example.org")).mail.state).toBe("sent");
    expect((await member(viewer.member_id, viewer)).mail).toBeNull();
  });

  /** Somebody of the workspace who wants letters about those whom they invited. */
  async function reader(): Promise<Person> {
    const person = await panel.invite(owner, "reader", "org_viewer");
    const { kinds } = await get("/api/profile/notifications", person);
    const body = { kinds: { ...kinds, "invitation.accepted": { inapp: true, email: true } } };
    await panel.call("PUT /api/profile/notifications", { token: person.token, body });
    return person;
  }
  async function happen({ member_id: invited_by }: Person): Promise<void> {
    const joined = { invitation_id: "inv_1", email: "new@example.org", role: "org_viewer" as const, invited_by };
    await panel.system.tx((tx) => panel.ctx.bus.emit(tx, "account.join", { by: byMember(owner, ""), ...joined }));
    await panel.runJob("notifications.mail");
  }

  test("an account's own letter that nobody has is told to its owner and their workspaces, and ends their digests", async () => {
    const person = await reader();
    await happen(person);
    await send();
    expect((await member(person.member_id)).mail.state).toBe("sent");
    server.replies["RCPT"] = NOBODY;
    await panel.call("POST /api/auth/email/send", { token: person.token });
    await send();
    const refused = { state: "refused", reason: NOBODY, unreachable: true };
    expect((await get("/api/auth/email", person)).mail).toMatchObject(refused);
    expect((await get("/api/profile/notifications", person)).mail).toMatchObject(refused);
    expect((await member(person.member_id)).mail).toMatchObject(refused);
    const before = server.sessions.length;
    await happen(person);
    await send();
    expect(server.sessions).toHaveLength(before);
    // Tried anew, and taken: all of it is over.
    delete server.replies["RCPT"];
    expect((await panel.call("POST /api/auth/email/send", { token: person.token })).status).toBe(202);
    await send();
    expect((await get("/api/auth/email", person)).mail).toMatchObject({ state: "sent", unreachable: false });
    expect((await member(person.member_id)).mail).toBeNull();
    await happen(person);
    await send();
    expect((await member(person.member_id)).mail.state).toBe("sent");
  });

  test("whoever has proven their address may try it anew while letters do not reach it, and not otherwise", async () => {
    await panel.system.run("UPDATE accounts SET email_verified = 1");
    const again = () => panel.call("POST /api/auth/email/send", { token: owner.token });
    expect((await again()).body.code).toBe("email_verified");
    server.replies["RCPT"] = NOBODY;
    await panel.call("POST /api/auth/forgot-password", { body: { email: owner.email } });
    await send();
    expect((await again()).status).toBe(202);
  });

  test("nothing is known of an address that has no account and is in no workspace", async () => {
    server.replies["RCPT"] = NOBODY;
    await panel.call("POST /api/auth/forgot-password", { body: { email: "stranger@example.org" } });
    await send();
    expect(await panel.system.all("SELECT * FROM mail_outcomes")).toEqual([]);
  });

  test("it is known for 30 days", async () => {
    await invite("ada@example.org");
    await send();
    await panel.clock.advance(days(29));
    await panel.runJob("mail.forget");
    expect(await panel.system.all("SELECT * FROM mail_outcomes")).toHaveLength(1);
    await panel.clock.advance(days(2));
    await panel.runJob("mail.forget");
    expect(await panel.system.all("SELECT * FROM mail_outcomes")).toEqual([]);
  });

  test("the command prints what was not taken, and has an address tried anew", async () => {
    await invite("ada@example.org, gone@example.org");
    await send();
    server.replies["RCPT"] = NOBODY;
    await panel.clock.advance(minutes(2));
    const { id } = await invitation("gone@example.org");
    await panel.call(`POST /api/invitations/${id}/resend`, { token: owner.token });
    await send();
    const run = async (options: Record<string, string | boolean>) => {
      const lines: string[] = [];
      const command = createMailCommands({
        option: {},
        open: (_, use) => use(panel.ctx),
      }).find(({ name }) => name === "mail");
      const given = {
        text: (name: string) => options[name] as string | undefined,
        flag: (name: string) => options[name] === true,
      };
      await command?.run(given, (line) => lines.push(line));
      return lines;
    };
    expect(await run({})).toEqual([
      `${now()}  refused   gone@example.org  ${owner.tenant_id}  ${NOBODY}  gets no notices or digests`,
    ]);
    expect((await run({ address: "ada@example.org" }))[0]).toContain("sent      ada@example.org");
    expect(await run({ address: "GONE@example.org", retry: true })).toEqual(["gone@example.org is written to again."]);
    expect(await run({})).toEqual(["No letter waits, and none was refused or given up in the last 30 days."]);
  });
});

test("letters that wait outlive the update that gives them a workspace", () => {
  const db = new Database(":memory:");
  db.run(init);
  db.run("INSERT INTO mail_queue VALUES ('mail_1', 'account.reset', 'ada@example.org', '{}', 2, 5, 9)");
  db.run(outcomes);
  expect(db.query("SELECT * FROM mail_queue").all()).toEqual([
    {
      ...{ tenant_id: "", id: "mail_1", kind: "account.reset", address: "ada@example.org", facts: "{}" },
      ...{ tries: 2, due_at: 5, expires_at: 9 },
    },
  ]);
});
