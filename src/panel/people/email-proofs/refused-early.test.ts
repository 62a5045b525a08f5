import { expect, test } from "bun:test";
import { suite } from "../../../../tests/kit/env.ts";
import { whileHeld } from "../../../../tests/kit/held-rows.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const MAIL = { smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.test" };

suite("links to an address that cannot be taken", ["postgres"], () => {
  const databases = panelDatabases("postgres");

  test("open nothing before anything is held, as often as they are opened", async () => {
    const panel = await createTestPanel(await databases.open(), MAIL);
    const ada = await panel.join("ada");
    const { token, account_id } = ada;
    const confirm = async (link: string | undefined) =>
      (await panel.call("POST /api/auth/email/confirm", { token, body: { token: link ?? "none" } })).body.code;
    const linkTo = async (email: string) => {
      expect((await panel.call("PUT /api/auth/email", { token, body: { email } })).status).toBe(202);
      const [row] = await panel.system.all<{ address: string; facts: string }>(
        "SELECT address, facts FROM mail_queue WHERE kind = 'account.email_proof' AND address = ?",
        [email],
      );
      const writer = panel.ctx.lists.letters.all().find(({ kind }) => kind === "account.email_proof");
      return (row && (await writer?.write(row.address, JSON.parse(row.facts))))?.action?.url.split("#")[1];
    };
    const taken = await linkTo("new@example.org");
    await panel.system.run("UPDATE accounts SET email = ? WHERE id = ?", [
      "new@example.org",
      (await panel.join("bob")).account_id,
    ]);
    expect(await whileHeld(panel, { account_id }, () => confirm(taken))).toBe("email_in_use");
    // It is not the address that is waited for any more.
    await panel.system.run("UPDATE email_changes SET email = ? WHERE account_id = ?", [
      "newer@example.org",
      account_id,
    ]);
    expect(await whileHeld(panel, { account_id }, () => confirm(taken))).toBe("email_link_unknown");
  });
});
