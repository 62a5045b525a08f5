import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { hours } from "../../../lib/duration.ts";

const PASSWORD = "correct horse battery";
const MAIL = { smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.test" };

onEachEngine("proofs of addresses", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let token: string;
  const register = async (name: string): Promise<string> => {
    const email = `${name}@example.org`;
    await panel.call("POST /api/auth/register", { body: { email, name, password: PASSWORD } });
    return (await logIn(email)).body.token;
  };
  const logIn = (email: string) => panel.call("POST /api/auth/login", { body: { email, password: PASSWORD } });
  const status = async () => (await panel.call("GET /api/auth/email", { token })).body;
  const change = (email: string) => panel.call("PUT /api/auth/email", { token, body: { email } });
  const confirm = (link: string | null) =>
    panel.call("POST /api/auth/email/confirm", { token, body: { token: link ?? "none" } });
  /** The letters of a kind that wait, written now: to whom, with the token of the link in each. */
  async function letters(kind: string): Promise<{ to: string; link: string | null; said: string }[]> {
    const rows = await panel.system.all<{ address: string; facts: string }>(
      "SELECT address, facts FROM mail_queue WHERE kind = ? ORDER BY id",
      [kind],
    );
    await panel.system.run("DELETE FROM mail_queue WHERE kind = ?", [kind]);
    const writer = panel.ctx.lists.letters.all().find((each) => each.kind === kind);
    const written = [];
    for (const { address, facts } of rows) {
      const letter = await writer?.write(address, JSON.parse(facts));
      written.push({
        to: address,
        link: letter?.action?.url.split("#")[1] ?? null,
        said: letter?.paragraphs[0] ?? "",
      });
    }
    return written;
  }
  const proofs = () => letters("account.email_proof");

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAIL);
    token = await register("ada");
  });

  test("a new account proves its address by the link that went there, once", async () => {
    expect(await status()).toMatchObject({ email: "ada@example.org", verified: false, pending: null, by_mail: true });
    expect((await status()).mail.state).toBe("waiting");
    const [letter] = await proofs();
    expect(letter?.to).toBe("ada@example.org");
    expect((await confirm(letter?.link ?? null)).body).toEqual({
      status: "ok",
      email: "ada@example.org",
      changed: false,
    });
    expect((await confirm(letter?.link ?? null)).body.code).toBe("email_link_unknown");
    expect(await status()).toMatchObject({ verified: true });
    expect((await panel.call("GET /api/auth/me", { token })).body.email_verified).toBe(true);
    expect((await panel.call("POST /api/auth/email/send", { token })).body.code).toBe("email_verified");
    const stored = JSON.stringify([
      await panel.system.all("SELECT * FROM audit_entries"),
      await panel.system.all("SELECT * FROM email_proofs"),
    ]);
    expect(stored).toContain("account.email_verify");
    expect(stored).not.toContain(letter?.link ?? "?");
  });

  test("another link can be asked for, but not without end, and runs out after a day", async () => {
    expect((await panel.call("POST /api/auth/email/send", { token })).status).toBe(202);
    const [first, second] = await proofs();
    await panel.clock.advance(hours(24));
    for (const letter of [first, second])
      expect((await confirm(letter?.link ?? null)).body.code).toBe("email_link_unknown");
    token = (await logIn("ada@example.org")).body.token;
    const statuses = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await panel.call("POST /api/auth/email/send", { token })).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  test("another address takes effect once it has proven itself, and the former one is told", async () => {
    const reset = await panel.ctx.accountLinks.offerReset("ada@example.org");
    await proofs();
    expect((await change("Ada@Example.org")).body.code).toBe("email_same");
    expect((await change("Ada@Elsewhere.example")).status).toBe(202);
    expect(await status()).toMatchObject({ email: "ada@example.org", pending: "ada@elsewhere.example" });
    expect((await letters("account.email_change")).map(({ to }) => to)).toEqual(["ada@example.org"]);
    const [letter] = await proofs();
    expect(letter?.to).toBe("ada@elsewhere.example");
    expect((await confirm(letter?.link ?? null)).body).toMatchObject({ email: "ada@elsewhere.example", changed: true });
    expect(await status()).toMatchObject({ email: "ada@elsewhere.example", verified: true, pending: null });
    const [told] = await letters("account.email_change");
    expect(told?.to).toBe("ada@example.org");
    expect(told?.said).toContain("from now on");
    expect([(await logIn("ada@example.org")).status, (await logIn("ada@elsewhere.example")).status]).toEqual([
      401, 200,
    ]);
    // What the former address may still hold opens nothing.
    const look = await panel.call("POST /api/auth/link/look", { body: { token: reset?.url.split("#")[1] ?? "" } });
    expect(look.status).toBe(404);
  });

  test("whoever had to give their address up is told to choose another, which proves itself as any does", async () => {
    await proofs();
    const { id } = (await panel.call("GET /api/auth/me", { token })).body;
    const account = await panel.system.get<{ id: string; email: string; display_name: string; password_hash: string }>(
      "SELECT a.* FROM accounts a JOIN members m ON m.account_id = a.id WHERE m.id = ?",
      [id],
    );
    expect(await panel.system.tx(async (tx) => account && panel.ctx.tenants.releaseAddress(tx, account))).toBe(true);
    const sent = await panel.call("POST /api/auth/email/send", { token });
    expect([sent.status, sent.body.code]).toEqual([409, "email_given_up"]);
    expect((await change("ada@example.net")).status).toBe(202);
    expect((await panel.system.all("SELECT address FROM mail_queue")).length).toBe(1);
    const [letter] = await proofs();
    expect((await confirm(letter?.link ?? null)).body).toMatchObject({ email: "ada@example.net", changed: true });
    expect((await logIn("ada@example.org")).status).toBe(401);
    expect((await logIn("ada@example.net")).status).toBe(200);
  });

  test("a change falls when it is dropped, another one is asked for, or the passphrase changes", async () => {
    await proofs();
    await change("one@example.org");
    const [one] = await proofs();
    await change("two@example.org");
    const [two] = await proofs();
    expect((await confirm(one?.link ?? null)).body.code).toBe("email_link_unknown");
    expect((await panel.call("DELETE /api/auth/email", { token })).status).toBe(200);
    expect((await confirm(two?.link ?? null)).body.code).toBe("email_link_unknown");
    await change("three@example.org");
    const [three] = await proofs();
    const body = { old_password: PASSWORD, new_password: "another good phrase" };
    expect((await panel.call("POST /api/auth/change-password", { token, body })).status).toBe(200);
    expect((await status()).pending).toBeNull();
    expect((await confirm(three?.link ?? null)).body.code).toBe("email_link_unknown");
  });

  test("nobody learns by it who has an account, and nobody takes the address of another", async () => {
    await register("eve");
    await proofs();
    expect((await change("eve@example.org")).status).toBe(202);
    expect(await proofs()).toEqual([{ to: "eve@example.org", link: null, said: "" }]);
    expect((await change("new@example.org")).status).toBe(202);
    const [letter] = await proofs();
    await register("new");
    expect((await confirm(letter?.link ?? null)).body.code).toBe("email_in_use");
    expect(await status()).toMatchObject({ email: "ada@example.org" });
  });

  test("none of the addresses of an account is forgotten: beyond thirty it takes only those again", async () => {
    await proofs();
    const account = await panel.ctx.tenants.findAccount("ada@example.org");
    const move = (email: string) =>
      panel.system.tx((tx) => panel.ctx.tenants.updateEmail(tx, account?.id ?? "", email));
    for (let count = 1; count <= 30; count++) {
      panel.clock.jump(1);
      expect(await move(`ada${count}@example.org`)).toBe(true);
    }
    expect((await change("ada31@example.org")).body.code).toBe("email_limit");
    for (const known of ["ada@example.org", "ada7@example.org"]) expect((await change(known)).status).toBe(202);
    const remembered = async () =>
      (await panel.system.all<{ email: string }>("SELECT email FROM former_addresses ORDER BY until, email")).map(
        ({ email }) => email,
      );
    const all = await remembered();
    expect([all.length, all[0], all.at(-1)]).toEqual([30, "ada@example.org", "ada29@example.org"]);
    // Only a directory comes here, which it may bring in by the last ones alone.
    panel.clock.jump(1);
    await move("ada31@example.org");
    expect([(await remembered()).length, (await remembered())[0]]).toEqual([30, "ada1@example.org"]);
    await move("ada5@example.org");
    expect((await change("ada6@example.org")).status).toBe(202);
    // Taking one again forgets none: it is the account's own now.
    const known = async () => [...(await remembered()), (await status()).email].sort();
    const before = await known();
    panel.clock.jump(1);
    await move("ada20@example.org");
    expect([before.length, await known()]).toEqual([31, before]);
    expect((await change("ada40@example.org")).body.code).toBe("email_limit");
  });

  test("asks for a fresh proof, and for mail", async () => {
    await panel.clock.advance(14 * 60_000);
    token = (await panel.call("POST /api/auth/refresh", { token })).body.token;
    await panel.clock.advance(60_000);
    expect((await change("late@example.org")).body.code).toBe("step_up_required");
    panel = await createTestPanel(await databases.open());
    token = await register("bob");
    expect(await status()).toMatchObject({ by_mail: false, verified: false });
    for (const route of ["POST /api/auth/email/send", "PUT /api/auth/email"]) {
      const body = route.startsWith("PUT") ? { email: "late@example.org" } : undefined;
      expect((await panel.call(route, { token, body })).body.code).toBe("email_mail_off");
    }
  });
});
