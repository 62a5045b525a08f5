import { expect, spyOn, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("an invitation to a workspace that is suspended while it is accepted", (engine) => {
  const databases = panelDatabases(engine);

  test("lets in neither whoever has an account nor somebody new, who gets none", async () => {
    const panel = await createTestPanel(await databases.open());
    const [ada, bob] = [await panel.join("ada"), await panel.join("bob")];
    const setStatus = (status: string) =>
      panel.system.run("UPDATE tenants SET status = ? WHERE tenant_id = ?", [status, ada.tenant_id]);
    const invite = async (email: string) => {
      const body = { emails: [email], role: "org_viewer" };
      const { invited } = (await panel.call("POST /api/invitations/bulk", { token: ada.token, body })).body;
      const made = await panel.call(`POST /api/invitations/${invited[0].id}/link`, { token: ada.token });
      return made.body.url.split("#")[1];
    };
    const [toBob, toNew] = [await invite(bob.email), await invite("new@example.org")];
    const { tenants } = panel.ctx;
    const find = tenants.findAccount;
    // Asked right after the invitation was read.
    const spy = spyOn(tenants, "findAccount").mockImplementation(async (...asked) => {
      await setStatus("suspended");
      return find(...asked);
    });
    const accept = (body: unknown, token?: string) =>
      panel.call("POST /api/auth/accept-invite", token === undefined ? { body } : { body, token });
    const late = [await accept({ token: toBob }, bob.token)];
    await setStatus("active");
    const newcomer = { token: toNew, name: "New", password: "a phrase that nobody guesses" };
    late.push(await accept(newcomer));
    expect(late.map(({ status, body }) => [status, body.code])).toEqual([
      [403, "workspace_closed"],
      [403, "workspace_closed"],
    ]);
    spy.mockRestore();
    expect(await tenants.findAccount("new@example.org")).toBeNull();
    await setStatus("active");
    expect((await accept({ token: toBob }, bob.token)).status).toBe(200);
    expect((await accept(newcomer)).status).toBe(200);
  });
});
