import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { readAddresses } from "./read-addresses.ts";

const PASSWORD = "a quiet horse battery";

describe("addresses as people paste them", () => {
  test("are told apart, each once, in small letters", () => {
    const text =
      "Ada Byron <Ada@Example.org>, bart@example.org;carl@example.org\n  dora@example.org ada@example.org\nnonsense,";
    expect(readAddresses(text, 50)).toEqual({
      right: ["ada@example.org", "bart@example.org", "carl@example.org", "dora@example.org"],
      wrong: ["nonsense"],
    });
    expect(readAddresses(["a@b.c", " A@B.C ", "", "two words@b.c"], 50)).toEqual({
      right: ["a@b.c"],
      wrong: ["two words@b.c"],
    });
  });

  test("none, and more than may be, are refused", () => {
    expect(() => readAddresses(" , ", 50)).toThrow("at least one");
    expect(() => readAddresses(["a@b.c", "b@b.c"], 1)).toThrow("at most 1");
  });
});

onEachEngine("invitations", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), { public_url: "https://panel.example" });
  });
  // Tries of one test do not count in the next.
  beforeEach(() => panel.clock.advance(minutes(16)));
  const call = (route: string, token?: string, body?: unknown) =>
    panel.call(route, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) });
  const bulk = (who: Person, emails: unknown, role = "org_viewer") =>
    call("POST /api/invitations/bulk", who.token, { emails, role });
  const tokenOf = ({ url }: { url: string }): string => url.split("#")[1] ?? "";
  async function invited(who: Person, email: string, role = "org_viewer") {
    const { body } = await bulk(who, [email], role);
    return { id: body.invited[0].id as string, token: tokenOf(body.invited[0]) };
  }
  const accept = (body: unknown, token?: string) => call("POST /api/auth/accept-invite", token, body);

  test("a link leads to the address by which the panel was asked, where it knows none of its own", async () => {
    const bare = await createTestPanel(await databases.open());
    const owner = await bare.join("bare");
    const asked = { token: owner.token, body: { emails: ["new@bare.example"], role: "org_viewer" } };
    const { id, url } = (await bare.call("POST /api/invitations/bulk", asked)).body.invited[0];
    expect(url).toMatch(/^http:\/\/localhost\/join#[\w-]{43}$/);
    const again = await bare.call(`POST /api/invitations/${id}/link`, { token: owner.token });
    expect(again.body.url).toMatch(/^http:\/\/localhost\/join#[\w-]{43}$/);
  });

  test("up to fifty addresses at once: who is invited, and why the others are not", async () => {
    const owner = await panel.join("bulk");
    const member = await panel.invite(owner, "bulk-member", "org_viewer");
    const first = await bulk(owner, `new@bulk.example, ${member.email}, nobody`);
    expect(first.status).toBe(201);
    expect(first.body.invited).toMatchObject([
      { email: "new@bulk.example", role: "org_viewer", state: "pending", invited_by: "bulk" },
    ]);
    expect(first.body.invited[0].url).toMatch(/^https:\/\/panel\.example\/join#[\w-]{43}$/);
    expect(first.body.skipped).toEqual([
      { email: "nobody", reason: "invalid email" },
      { email: member.email, reason: "already a member" },
    ]);
    const second = await bulk(owner, ["NEW@bulk.example"]);
    expect([second.status, second.body]).toEqual([
      200,
      { invited: [], skipped: [{ email: "new@bulk.example", reason: "already invited" }] },
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, at) => `many${at}@bulk.example`);
    expect((await bulk(owner, many(51).join("\n"))).status).toBe(400);
    expect((await bulk(owner, many(50))).body.invited).toHaveLength(50);
    expect((await call("GET /api/invitations", owner.token)).body.items).toHaveLength(51);
  });

  test("of two who invite the same people at once one does, and the other hears what they would later", async () => {
    const owner = await panel.join("twice");
    const emails = Array.from({ length: 20 }, (_, at) => `both${at}@twice.example`);
    const answers = await Promise.all([bulk(owner, emails), bulk(owner, emails.toReversed())]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(answers.flatMap(({ body }) => body.invited)).toHaveLength(20);
    const skipped = answers.flatMap(({ body }) => body.skipped.map(({ reason }: { reason: string }) => reason));
    expect(skipped).toEqual(Array.from({ length: 20 }, () => "already invited"));
  });

  test("are for those who manage people, and owners alone invite owners", async () => {
    const owner = await panel.join("may");
    const admin = await panel.invite(owner, "may-admin", "org_admin");
    const manager = await panel.invite(owner, "may-manager", "org_manager");
    expect((await bulk(manager, ["x@may.example"])).status).toBe(403);
    expect((await call("GET /api/invitations", manager.token)).status).toBe(403);
    expect((await bulk(admin, ["x@may.example"], "org_owner")).body.code).toBe("owner_invites_owners");
    const boss = await invited(owner, "boss@may.example", "org_owner");
    expect((await call(`POST /api/invitations/${boss.id}/link`, admin.token)).body.code).toBe("owner_invites_owners");
    const stranger = await panel.join("may-stranger");
    expect((await call(`DELETE /api/invitations/${boss.id}`, stranger.token)).status).toBe(404);
    expect((await call("GET /api/invitations", stranger.token)).body.items).toEqual([]);
  });

  test("somebody new makes an account by one, which is good once under many tries at a time", async () => {
    const owner = await panel.join("anew");
    const { token } = await invited(owner, "ada@anew.example", "org_owner");
    expect((await call("POST /api/auth/invitation/look", undefined, { token })).body).toMatchObject({
      email: "ada@anew.example",
      role: "org_owner",
      workspace: "anew",
      invited_by: "anew",
      existing_account: false,
    });
    expect((await accept({ token, password: PASSWORD })).body.params.field).toBe("name");
    expect((await accept({ token, name: "Ada", password: "short" })).body.code).toBe("invitation_password_unusable");
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => accept({ token, name: "Ada", password: PASSWORD })),
    );
    const good = tries.filter(({ status }) => status === 200);
    expect(good.map(({ body }) => body)).toEqual([
      {
        accepted: true,
        user_id: expect.any(String),
        tenant_id: owner.tenant_id,
        existing_account: false,
        activated: true,
      },
    ]);
    expect(new Set(tries.map(({ status }) => status)).isSubsetOf(new Set([200, 401, 404, 429]))).toBe(true);
    const login = await call("POST /api/auth/login", undefined, { email: "ada@anew.example", password: PASSWORD });
    expect(login.body.user).toMatchObject({ tenant_id: owner.tenant_id, role: "org_owner", email_verified: false });
    const { items } = (await call("GET /api/invitations", owner.token)).body;
    expect(items).toMatchObject([{ state: "accepted" }]);
  });

  test("who has an account proves it, by its password or by being signed in", async () => {
    const owner = await panel.join("proof");
    const email = "ada@proof.example";
    const before = await invited(await panel.join("proof-before"), email);
    await accept({ token: before.token, name: "Ada", password: PASSWORD });
    const { token } = await invited(owner, email, "org_manager");
    for (const proof of [{}, { password: "a wrong horse battery" }]) {
      const refused = await accept({ token, ...proof });
      expect([refused.status, refused.body.existing_account]).toEqual([401, true]);
    }
    expect((await accept({ token }, owner.token)).status).toBe(401);
    const joined = await accept({ token, password: PASSWORD });
    expect(joined.body).toEqual({
      accepted: true,
      user_id: expect.any(String),
      tenant_id: owner.tenant_id,
      existing_account: true,
    });
    const other = await panel.join("proof-other");
    const again = await invited(other, owner.email);
    expect((await accept({ token: again.token }, owner.token)).body).toMatchObject({ existing_account: true });
    expect((await accept({ token: again.token }, owner.token)).status).toBe(404);
  });

  test("run out, are taken back, and are renewed with another link", async () => {
    const owner = await panel.join("late");
    const one = await invited(owner, "late@late.example");
    const again = await call(`POST /api/invitations/${one.id}/link`, owner.token);
    expect((await call("POST /api/auth/invitation/look", undefined, { token: one.token })).status).toBe(404);
    const token = tokenOf(again.body);
    expect((await call("POST /api/auth/invitation/look", undefined, { token })).status).toBe(200);
    await panel.clock.advance(days(7));
    const fresh = await panel.signIn(owner);
    expect((await accept({ token, name: "Late", password: PASSWORD })).body.code).toBe("invitation_unknown");
    expect((await call("GET /api/invitations", fresh)).body.items).toMatchObject([{ state: "expired" }]);
    const renewed = await bulk({ ...owner, token: fresh }, ["late@late.example"]);
    expect(renewed.status).toBe(201);
    expect((await call(`POST /api/invitations/${renewed.body.invited[0].id}/resend`, fresh)).body.code).toBe(
      "invitation_mail_off",
    );
    expect((await call(`DELETE /api/invitations/${renewed.body.invited[0].id}`, fresh)).status).toBe(204);
    const dead = await accept({ token: tokenOf(renewed.body.invited[0]), name: "Late", password: PASSWORD });
    expect(dead.body.code).toBe("invitation_unknown");
    await panel.clock.advance(days(40));
    await panel.runJob("invitations.forget");
  });

  test("hold no longer than the right of whoever made them", async () => {
    const owner = await panel.join("backed");
    const admin = await panel.invite(owner, "backed-admin", "org_admin");
    const { token } = await invited(admin, "friend@backed.example", "org_admin");
    await call(`PUT /api/team/members/${admin.member_id}/role`, owner.token, { role: "org_viewer" });
    expect((await accept({ token, name: "Friend", password: PASSWORD })).body.code).toBe("invitation_unknown");
  });

  test("nobody comes back by one whose access was ended", async () => {
    const owner = await panel.join("ended");
    const gone = await panel.invite(owner, "ended-gone", "org_viewer");
    const { token } = await invited(owner, "placeholder@ended.example");
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [gone.member_id]);
    await panel.system.run("UPDATE invitations SET email = ? WHERE tenant_id = ?", [gone.email, owner.tenant_id]);
    const home = await panel.join("ended-home");
    await panel.system.run("UPDATE members SET account_id = ? WHERE id = ?", [gone.account_id, home.member_id]);
    const refused = await accept({ token }, home.token);
    expect([refused.status, refused.body.code]).toEqual([403, "access_was_ended"]);
  });
});
