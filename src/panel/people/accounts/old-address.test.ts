import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const password = "correct horse battery";
const OLD = "v\ufe0f@y..example";

onEachEngine("an address that is not taken any more", (engine) => {
  const databases = panelDatabases(engine);

  test("nobody registers with it or is invited there, and an account that has it signs in as before", async () => {
    const panel = await createTestPanel(await databases.open());
    const register = (email: string) =>
      panel.call("POST /api/auth/register", { body: { email, password, name: "Ada" } });
    expect((await register("v@y.example")).status).toBe(200);
    expect((await register(OLD)).status).toBe(400);
    await panel.system.run("UPDATE accounts SET email = ?", [OLD]);
    const signedIn = await panel.call("POST /api/auth/login", { body: { email: OLD, password } });
    expect(signedIn.status).toBe(200);
    const { token } = signedIn.body as { token: string };
    const body = { emails: [OLD], role: "org_viewer" };
    const invited = await panel.call("POST /api/invitations/bulk", { token, body });
    expect(JSON.stringify(invited.body)).not.toContain("inv_");
    expect((await panel.call("POST /api/sso/discover", { body: { email: OLD } })).status).toBe(200);
  });
});
