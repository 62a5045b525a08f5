import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { decodeJwt } from "jose";
import { OIDC_SECRET, type OidcProvider, startOidcProvider } from "../../../../tests/kit/oidc.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS, type SsoWorld } from "../../../../tests/kit/sso-world.ts";
import { days, minutes } from "../../../lib/duration.ts";

onEachEngine("single sign-on", (engine) => {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  let panel: TestPanel;
  let provider: OidcProvider;
  const makeWorld = (name: string): Promise<SsoWorld> => makeSsoWorld(panel, provider, texts, name);

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    // The provider has the real clock.
    panel.clock.jump(Date.now() - panel.clock.now());
    provider = await startOidcProvider();
  });
  afterEach(() => panel.clock.jump(Date.now() - panel.clock.now()));
  afterAll(() => provider.close());

  test("a connector is made, its domain proven, tested with a real sign-in, and turned on", async () => {
    const world = await makeWorld("northwind");
    const { call, connector, addPerson } = world;
    await call(`DELETE /api/sso/connectors/${world.id}`);
    const [known] = (await call("GET /api/domains")).body.items;
    await call(`DELETE /api/domains/${known.id}`);

    const made = await call("POST /api/sso/connectors", connector);
    expect([made.status, made.body.state, made.body.has_secret]).toEqual([200, "off", true]);
    expect(JSON.stringify(made.body)).not.toContain(OIDC_SECRET);
    expect(made.body.redirect_uri).toBe(`http://localhost/api/sso/${made.body.id}/callback`);
    expect((await call("POST /api/sso/connectors", connector)).body.code).toBe("connector_limit");
    const { id } = made.body;
    expect((await call(`POST /api/sso/connectors/${id}/turn-on`)).body.code).toBe("not_tested");
    const domain = (await call("POST /api/domains", { host: "@NorthWind.example" })).body;
    expect(domain).toMatchObject({ host: world.host, state: "pending", txt_name: `_orrery-challenge.${world.host}` });
    texts.set(domain.txt_name, ["something else"]);
    const early = await call(`POST /api/domains/${domain.id}/verify`);
    expect([early.status, early.body.code, early.body.params.found]).toEqual([409, "txt_missing", '"something else"']);

    const browser = world.openBrowser();
    const runTest = async () => {
      const { url } = (await call(`POST /api/sso/connectors/${id}/test`)).body;
      const begun = await browser.get(url);
      const back = await provider.signIn(begun.headers.get("location") ?? "", "ida");
      const done = await browser.get(`${back.pathname}${back.search}`);
      expect(done.headers.get("location")).toBe("/settings/sign-on?step=test");
      return (await call("GET /api/sso/connectors")).body.items[0];
    };
    texts.set(domain.txt_name, ["something else", domain.txt_value]);
    expect((await call(`POST /api/domains/${domain.id}/verify`)).body.state).toBe("verified");
    addPerson("ida", { email_verified: undefined });
    const bad = await runTest();
    const headline = "The provider does not say that the address is verified";
    expect(bad.last_test).toMatchObject({ ok: false, headline, steps: { came_back: true, let_in: false } });
    expect(bad.last_test.rows[0]).toMatchObject({ what: "email_verified", sent: null, mark: "bad" });
    expect(bad.tested).toBe(false);
    addPerson("ida");
    const good = await runTest();
    expect(good.last_test).toMatchObject({ ok: true, role: "org_manager" });
    expect(good.last_test.steps).toEqual({ answered: true, signed_in: true, came_back: true, let_in: true });
    expect((await call(`POST /api/sso/connectors/${id}/turn-on`)).body.state).toBe("on");
    const members = await panel.system.all("SELECT id FROM members WHERE tenant_id = ?", [world.owner.tenant_id]);
    expect(members.length).toBe(1);
    expect(await world.audited()).toEqual(expect.arrayContaining(["sso.test", "sso.connector_state"]));
  });

  test("a test of a provider that is not there, or does not know the client, says so", async () => {
    const { call, id, connector, openBrowser, addPerson } = await makeWorld("fabrikam");
    await call(`POST /api/sso/connectors/${id}/turn-off`);
    const lastTest = async () => (await call("GET /api/sso/connectors")).body.items[0].last_test;
    await call(`PUT /api/sso/connectors/${id}`, { ...connector, issuer: "http://127.0.0.1:9" });
    const browser = openBrowser();
    const away = await browser.get((await call(`POST /api/sso/connectors/${id}/test`)).body.url);
    expect(away.headers.get("location")).toBe("/settings/sign-on?step=test");
    expect(await lastTest()).toMatchObject({ ok: false, steps: { answered: false, signed_in: null } });
    await call(`PUT /api/sso/connectors/${id}`, { ...connector, client_secret: "another" });
    addPerson("max");
    const begun = await browser.get((await call(`POST /api/sso/connectors/${id}/test`)).body.url);
    const back = await provider.signIn(begun.headers.get("location") ?? "", "max");
    await browser.get(`${back.pathname}${back.search}`);
    const report = await lastTest();
    expect(report).toMatchObject({
      ok: false,
      steps: { answered: true, signed_in: true, came_back: false, let_in: null },
    });
    expect([report.headline, report.advice].join(" ")).toMatch(/invalid_client.*secret/s);
  });

  test("the page of signing in learns by the domain where somebody signs in, and nothing of any other", async () => {
    const { id, host } = await makeWorld("tailspin");
    const ask = async (email: string) => (await panel.call("POST /api/sso/discover", { body: { email } })).body;
    const found = { connector_url: `/api/sso/${id}/start`, name: "Sign-in of tailspin" };
    expect(await ask(`anybody@${host}`)).toEqual(found);
    expect(await ask(`Any.Body@${host.toUpperCase()}`)).toEqual(found);
    for (const email of ["owner@example.org", "x@nowhere.example", `x@sub.${host}`])
      expect(await ask(email)).toEqual({ connector_url: null, name: null });
  });

  test("somebody new becomes a member with the role of their group, in a session of that workspace alone", async () => {
    const world = await makeWorld("contoso");
    world.addPerson("ina");
    const browser = world.openBrowser();
    const told = await browser.land(await browser.toProvider("ina", "?return_to=%2Ffleet%3Fq%3Dweb"));
    expect(told.get("to")).toBe("/fleet?q=web");
    const entered = await browser.exchange(told.get("code") ?? "");
    const { user, token } = entered.body;
    expect([entered.status, user?.role, user?.email]).toEqual([200, "org_manager", `ina@${world.host}`]);
    expect([user.display_name, user.tenant_id]).toEqual(["ina of contoso", world.owner.tenant_id]);
    expect(decodeJwt(token)["wsl"]).toBe(true);
    expect(await world.audited()).toEqual(expect.arrayContaining(["account.sso_join", "account.sso_sign_in"]));
    // Nobody signs in to it with a password, whatever that is.
    const tried = await panel.call("POST /api/auth/login", { body: { email: user.email, password: "sso" } });
    expect(tried.status).toBe(401);
  });

  test("a sign-in on a new device is told, and one in a browser that was there before is not", async () => {
    const world = await makeWorld("vanarsdel");
    world.addPerson("ida");
    const enter = async (agent: string, known = "") => {
      const browser = world.openBrowser();
      const told = await browser.land(await browser.toProvider("ida"));
      return panel.call("POST /api/auth/sso/exchange", {
        body: { code: told.get("code") ?? "" },
        headers: { cookie: `${browser.cookie}; ${known}`, "user-agent": agent },
      });
    };
    const told = async () => (await world.audited()).filter((action) => action === "account.new_device").length;
    const first = await enter("Firefox");
    const device = first.headers.getSetCookie().find((one) => one.startsWith("orrery_panel_device="));
    await enter("Chrome", device?.split(";")[0]);
    expect([first.status, await told()]).toEqual([200, 0]);
    await enter("Safari");
    expect(await told()).toBe(1);
  });

  test("the role follows the group at each sign-in, and without one nobody is let in", async () => {
    const { id, call, connector, addPerson, signIn, audited } = await makeWorld("adatum");
    addPerson("rolf", { groups: [] });
    const refused = await signIn("rolf");
    expect([refused.status, refused.body.code, refused.body.cause]).toEqual([403, "sso_refused", "role"]);
    addPerson("rolf");
    expect((await signIn("rolf")).body.user.role).toBe("org_manager");
    const { client_secret: _, ...kept } = connector;
    await call(`PUT /api/sso/connectors/${id}`, { ...kept, role_rules: [{ value: "staff", role: "org_viewer" }] });
    addPerson("rolf", { groups: ["ops", "staff"] });
    expect((await signIn("rolf")).body.user.role).toBe("org_viewer");
    addPerson("rolf", { groups: ["ops"] });
    expect((await signIn("rolf")).body.cause).toBe("role");
    expect(await audited()).toEqual(expect.arrayContaining(["account.sso_role", "sso.refused"]));
  });

  test("an account that was there before has to agree once, by its passphrase or signed in", async () => {
    const world = await makeWorld("wingtip");
    const email = `mara@${world.host}`;
    const password = "correct horse battery";
    await panel.call("POST /api/auth/register", { body: { email, password, name: "Mara" } });
    world.addPerson("mara");
    const browser = world.openBrowser();
    const told = await browser.land(await browser.toProvider("mara"));
    const code = told.get("code") ?? "";
    const asked = await browser.exchange(code);
    expect([asked.status, asked.body.code, asked.body.existing_account]).toEqual([401, "sso_proof_missing", true]);
    // Whoever is signed in as somebody else proves nothing.
    expect((await browser.exchange(code, {}, world.owner.token)).status).toBe(401);
    expect((await browser.exchange(code, { password: "wrong" })).status).toBe(401);
    const linked = await browser.exchange(code, { password });
    expect([linked.status, linked.body.user?.tenant_id]).toEqual([200, world.owner.tenant_id]);
    expect((await world.signIn("mara")).status).toBe(200);
    expect(await world.audited()).toContain("account.sso_link");
  });

  test("an owner is not whoever the provider says so: the account has to agree, though the workspace is theirs", async () => {
    const world = await makeWorld("trey");
    await panel.system.run("UPDATE accounts SET email = ? WHERE id = ?", [
      `chief@${world.host}`,
      world.owner.account_id,
    ]);
    world.addPerson("chief");
    expect((await world.signIn("chief")).body.code).toBe("sso_proof_missing");
  });

  test("an address that moved to somebody else at the provider opens nobody's account", async () => {
    const world = await makeWorld("litware");
    world.addPerson("ivo");
    expect((await world.signIn("ivo")).status).toBe(200);
    const claims = { email: `ivo@${world.host}`, email_verified: true, groups: ["ops"] };
    provider.people.set("impostor", { sub: "sub-impostor", claims });
    const refused = await world.signIn("impostor");
    expect([refused.status, refused.body.cause]).toEqual([403, "other_person"]);
  });

  test("who is not of the proven domain, or not verified, or told without address, is not let in", async () => {
    const world = await makeWorld("proseware");
    const guest = await panel.join(`guest-${engine}`);
    const hold = spyOn(panel.ctx.tenants, "lockAccount");
    const cases: [string, Record<string, unknown>, string][] = [
      ["outsider", { email: guest.email }, "domain"],
      ["unverified", { email_verified: false }, "email_unverified"],
      ["textual", { email_verified: "false" }, "email_unverified"],
      ["nameless", { email: undefined }, "email_missing"],
    ];
    for (const [login, claims, cause] of cases) {
      world.addPerson(login, claims);
      const refused = await world.signIn(login);
      expect([login, refused.status, refused.body.cause]).toEqual([login, 403, cause]);
    }
    // Nor is their account held meanwhile, which is none of the workspace's.
    expect(hold.mock.calls.map(([, account]) => account)).not.toContain(guest.account_id);
    hold.mockRestore();
    const measures = await Promise.all(panel.ctx.lists.measures.all().map(async (ask) => ask()));
    const counted = measures.flat().find(({ name }) => name === "orrery_panel_sso_sign_ins_total");
    expect(counted?.figures).toContainEqual({ labels: { result: "email_unverified" }, value: 2 });
    expect((await world.audited()).filter((action) => action === "sso.refused").length).toBe(4);
  });

  test("whose membership was ended is not let in again, and what they had open ends", async () => {
    const world = await makeWorld("margie");
    world.addPerson("leaver");
    const { token, user } = (await world.signIn("leaver")).body;
    // Whether the log keeps them or not.
    for (const mode of ["deleted", "disabled"]) {
      if (mode === "disabled") {
        await panel.system.run(
          "INSERT INTO members (tenant_id, id, account_id, role, status, created_at) VALUES (?, ?, ?, 'org_viewer', ?, 0)",
          [world.owner.tenant_id, `mem_again_${engine}`, user.account_id, mode],
        );
      } else expect((await world.call(`DELETE /api/team/members/${user.id}`)).body.mode).toBe(mode);
      expect((await panel.call("GET /api/auth/me", { token })).status).toBe(401);
      expect((await world.signIn("leaver")).body.cause).toBe("access_ended");
    }
    await world.call(`POST /api/team/members/mem_again_${engine}/restore`);
    expect((await world.signIn("leaver")).body.user?.id).toBe(`mem_again_${engine}`);
  });

  test("a code is good once, in the browser that began, for five minutes", async () => {
    const world = await makeWorld("lucerne");
    world.addPerson("ona");
    const browser = world.openBrowser();
    const told = await browser.land(await browser.toProvider("ona"));
    const code = told.get("code") ?? "";
    expect((await world.openBrowser().exchange(code)).body.code).toBe("sso_code_unknown");
    const tries = await Promise.all(Array.from({ length: 50 }, () => browser.exchange(code)));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 401)]);
    const late = await browser.land(await browser.toProvider("ona"));
    await panel.clock.advance(minutes(5));
    expect((await browser.exchange(late.get("code") ?? "")).status).toBe(401);
  });

  test("it is enforced only when an owner came through and one can come in without it; then passwords open nothing", async () => {
    const world = await makeWorld("relecloud");
    const { id, owner, call } = world;
    const body = { break_glass_member_id: owner.member_id };
    const enforce = () => call(`POST /api/sso/connectors/${id}/enforce`, body);
    expect((await enforce()).body.code).toBe("break_glass_factor");
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [owner.account_id]);
    expect((await enforce()).body.code).toBe("owner_not_through");
    world.addPerson("boss");
    const { user } = (await world.signIn("boss")).body;
    await panel.system.run("UPDATE members SET role = 'org_owner' WHERE id = ?", [user.id]);
    // What an owner is, no group changes.
    expect((await world.signIn("boss")).body.user.role).toBe("org_owner");
    const admin = await panel.invite(owner, `admin${engine}`, "org_admin");
    const refused = await panel.call(`POST /api/sso/connectors/${id}/enforce`, { token: admin.token, body });
    expect([refused.status, refused.body.code]).toEqual([403, "owner_needed"]);
    expect((await enforce()).body.state).toBe("enforced");
    const kept = await panel.call("GET /api/team/members", { token: admin.token });
    expect([kept.status, kept.body.error, kept.body.sign_in]).toEqual([403, "sso_required", id]);
    for (const route of [`turn-off`, `turn-on`])
      expect((await panel.call(`POST /api/sso/connectors/${id}/${route}`, { token: admin.token })).status).toBe(403);
    expect((await call("GET /api/team/members")).status).toBe(200);
    const inside = (await world.signIn("boss")).body.token;
    expect((await panel.call("GET /api/team/members", { token: inside })).status).toBe(200);
    // Turned off, it holds nobody back, and what it began ends.
    expect((await call(`POST /api/sso/connectors/${id}/turn-off`)).body.state).toBe("off");
    expect((await panel.call("GET /api/team/members", { token: admin.token })).status).toBe(200);
    expect((await panel.call("GET /api/team/members", { token: inside })).status).toBe(401);
    expect(await world.openBrowser().begin()).toBe("/sso#error=off");
  });

  test("another workspace cannot prove the same domain, and one whose proof is gone for 14 days is free", async () => {
    const { host, call, renewOwner, audited } = await makeWorld("humongous");
    const other = await panel.join(`other${engine}`);
    const claim = (await panel.call("POST /api/domains", { token: other.token, body: { host } })).body;
    texts.set(claim.txt_name, [...(texts.get(claim.txt_name) ?? []), claim.txt_value]);
    const taken = await panel.call(`POST /api/domains/${claim.id}/verify`, { token: other.token });
    expect([taken.status, taken.body.code]).toEqual([409, "domain_taken"]);
    texts.set(claim.txt_name, [claim.txt_value]);
    for (let day = 0; day < 16; day++) {
      await panel.clock.advance(days(1) + 1);
      await panel.runJob("sso.domains");
    }
    const token = await panel.signIn(other);
    expect((await panel.call(`POST /api/domains/${claim.id}/verify`, { token })).body.state).toBe("verified");
    await renewOwner();
    expect((await call("GET /api/domains")).body.items[0].state).toBe("pending");
    expect(await audited()).toContain("sso.domain_lapse");
  });

  test("of workspaces that prove one domain in the same instant one has it, and the others are told", async () => {
    const claims = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const { token } = await panel.join(`twin${index}${engine}`);
        const { body } = await panel.call("POST /api/domains", { token, body: { host: "twins.example" } });
        return { token, ...body };
      }),
    );
    texts.set(
      claims[0].txt_name,
      claims.map(({ txt_value }) => txt_value),
    );
    const answers = await Promise.all(
      claims.map(({ id, token }) => panel.call(`POST /api/domains/${id}/verify`, { token })),
    );
    const told = answers.map(({ body }) => body.code ?? body.state);
    expect(told.toSorted()).toEqual([...Array(5).fill("domain_taken"), "verified"]);
  });

  test("one that is given up in the instant in which others prove it is somebody's or free, and a fault to nobody", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, (_, index) => panel.join(`giver${index}${engine}`)));
    for (let round = 0; round < 4; round++) {
      const body = { host: `given${round}.example` };
      const claims = await Promise.all(
        people.map(async ({ token }) => ({ token, ...(await panel.call("POST /api/domains", { token, body })).body })),
      );
      texts.set(
        claims[0].txt_name,
        claims.map(({ txt_value }) => txt_value),
      );
      const prove = async ({ id, token }: { id: string; token: string }) => {
        const { status } = await panel.call(`POST /api/domains/${id}/verify`, { token });
        if (status === 200) await panel.system.run("DELETE FROM sso_domains WHERE id = ?", [id]);
        return status;
      };
      const told = await Promise.all(claims.map(prove));
      expect(told.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    }
  });

  test("what is not in the plan, or needs a fresh proof, is refused", async () => {
    const { id, owner, call, connector } = await makeWorld("fourth");
    const poor = await panel.join("poor");
    await panel.system.run("UPDATE tenants SET plan = 'team' WHERE tenant_id = ?", [poor.tenant_id]);
    const refused = await panel.call("POST /api/sso/connectors", { token: poor.token, body: connector });
    expect([refused.status, refused.body.error, refused.body.feature]).toEqual([402, "upgrade_required", "sso"]);
    await panel.system.run("UPDATE sessions SET proven_at = 0 WHERE tenant_id = ?", [owner.tenant_id]);
    expect((await call(`DELETE /api/sso/connectors/${id}`)).body.code).toBe("step_up_required");
    expect((await call(`POST /api/sso/connectors/${id}/turn-off`)).body.code).toBe("step_up_required");
    const now = panel.clock.now();
    await panel.system.run("UPDATE sessions SET proven_at = ? WHERE tenant_id = ?", [now, owner.tenant_id]);
    expect((await call(`DELETE /api/sso/connectors/${id}`)).status).toBe(204);
  });

  test("an address that no provider can be at is refused before anything is called", async () => {
    const { id, call, connector } = await makeWorld("southridge");
    const reasons: [string, string][] = [
      ["http://login.example.org", "https://"],
      ["https://169.254.169.254", "169.254.169.254"],
      ["https://login.example.org?tenant=1", "? or #"],
      ["https://login.microsoftonline.com/common/v2.0", "all companies"],
      ["javascript:alert(1)", "https://"],
    ];
    for (const [issuer, reason] of reasons) {
      const refused = await call(`PUT /api/sso/connectors/${id}`, { ...connector, issuer });
      expect([issuer, refused.status, refused.body.message?.includes(reason)]).toEqual([issuer, 422, true]);
    }
    const other = await call(`PUT /api/sso/connectors/${id}`, { ...connector, oidc_client: "another" });
    expect([other.status, other.body.code]).toEqual([409, "connector_in_use"]);
  });
});
