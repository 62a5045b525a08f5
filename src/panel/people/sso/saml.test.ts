import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createVerify, X509Certificate } from "node:crypto";
import { decodeJwt } from "jose";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { makeSamlForger, type SamlForger } from "../../../../tests/kit/saml-forger.ts";
import { type SamlIdp, startSamlIdp } from "../../../../tests/kit/saml-idp.ts";
import { makeSamlWorld } from "../../../../tests/kit/saml-world.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";
import { days, hours } from "../../../lib/duration.ts";
import { sayDay } from "../../languages.ts";
import { makeOwnKey } from "./saml/own-key.ts";

onEachEngine("single sign-on by SAML", (engine) => {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  let panel: TestPanel;
  let forger: SamlForger;
  let idp: SamlIdp;
  const makeWorld = (name: string, more: Record<string, unknown> = {}) =>
    makeSamlWorld(panel, forger, texts, name, more);

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    panel.clock.jump(Date.now() - panel.clock.now());
    forger = await makeSamlForger(panel.clock.now);
    idp = await startSamlIdp();
  });
  afterEach(() => {
    forger.forge = (told) => told;
    panel.clock.jump(Date.now() - panel.clock.now());
  });
  afterAll(() => idp.close());

  test("a connector begins with a name alone, says what the provider has to know, and learns the rest from its metadata", async () => {
    const owner = await panel.join(`begin${engine}`);
    const call = (route: string, body?: unknown) =>
      panel.call(route, { token: owner.token, ...(body === undefined ? {} : { body }) });
    const roles = { role_claim: null, role_rules: [], default_role: "org_viewer" };
    const nothing = { sign_on_url: null, certificates: [], metadata_url: null, email_attribute: null };
    const saml = { ...nothing, signs_requests: true, takes_encrypted: true };
    const made = (
      await call("POST /api/sso/connectors", { kind: "saml", name: "Fabrikam", issuer: "", ...roles, saml })
    ).body;
    expect(made).toMatchObject({ kind: "saml", state: "off", oidc_client: null, has_secret: false });
    expect(made.saml).toMatchObject({
      entity_id: `http://localhost/api/sso/${made.id}/metadata`,
      acs_url: `http://localhost/api/sso/${made.id}/acs`,
      own_certificate: { state: "ok", subject: "Orrery single sign-on" },
    });
    expect(JSON.stringify(made)).not.toContain("PRIVATE KEY");
    expect((await call(`POST /api/sso/connectors/${made.id}/test`)).body.code).toBe("connector_incomplete");
    const { body: metadata, headers } = await panel.call(`GET /api/sso/${made.id}/metadata`);
    expect([headers.get("content-type"), metadata.includes('use="encryption"')]).toEqual([
      "application/samlmetadata+xml",
      true,
    ]);
    // A program of somebody else reads ours, and we read its.
    idp.register(metadata);
    const found = (await call("POST /api/sso/read-metadata", { url: idp.metadata_url })).body;
    expect(found).toMatchObject({ issuer: idp.issuer, certificates: [{ state: "ok" }] });
    expect((await call("POST /api/sso/read-metadata", { metadata: idp.metadata() })).body).toEqual(found);
    const input = {
      ...{ kind: "saml", name: "Fabrikam", issuer: found.issuer, ...roles },
      saml: { ...saml, sign_on_url: found.sign_on_url, certificates: [found.certificates[0].pem] },
    };
    const put = (await call(`PUT /api/sso/connectors/${made.id}`, input)).body;
    expect(put.saml.own_certificate).toEqual(made.saml.own_certificate);
    const asOidc = { name: "Fabrikam", issuer: "https://login.example.org", oidc_client: "x", ...roles };
    expect((await call(`PUT /api/sso/connectors/${made.id}`, asOidc)).body.code).toBe("connector_kind");
    const mixed = await call(`PUT /api/sso/connectors/${made.id}`, { ...input, kind: "oidc" });
    expect(mixed.body.code).toBe("provider_field_missing");
    expect((await call(`DELETE /api/sso/connectors/${made.id}`)).status).toBe(204);
    expect((await panel.call(`GET /api/sso/${made.id}/metadata`)).status).toBe(404);
  });

  test("a provider by somebody else lets people in: its signature holds, its request is signed, its answer is encrypted", async () => {
    const world = await makeSamlWorld(panel, idp, texts, "adventure", { signs_requests: true, takes_encrypted: true });
    const { body: metadata } = await panel.call(`GET /api/sso/${world.id}/metadata`);
    idp.people.set("ina", {
      name_id: "id-of-ina",
      attributes: { email: [`Ina@${world.host}`], groups: ["ops", "all"], firstName: ["Ina"], lastName: ["Ng & Co"] },
    });
    for (const encrypts of [false, true]) {
      idp.register(metadata, { encrypts });
      const entered = await world.signIn("ina");
      expect([entered.status, entered.body.user?.role, entered.body.user?.email]).toEqual([
        200,
        "org_manager",
        `ina@${world.host}`,
      ]);
      expect(entered.body.user.display_name).toBe("Ina Ng & Co");
      expect(decodeJwt(entered.body.token)["wsl"]).toBe(true);
      const switched = await panel.call(`POST /api/workspaces/${world.owner.tenant_id}/switch`, {
        token: entered.body.token,
      });
      expect([switched.status, switched.body.error]).toEqual([403, "reauth_required"]);
    }
    expect(await world.audited()).toEqual(expect.arrayContaining(["account.sso_join", "account.sso_sign_in"]));
  });

  test("what is asked is signed by the key that the metadata tells, and asks for whoever typed their address", async () => {
    const world = await makeWorld("signed", { signs_requests: true });
    const url = await world.openBrowser().begin("?login_hint=ina%40signed.example");
    const { query } = forger.read(url);
    expect([query.get("idp"), query.get("login_hint")]).toEqual(["1", "ina@signed.example"]);
    const text = /SAMLRequest=[^&]*&RelayState=[^&]*&SigAlg=[^&]*/.exec(url)?.[0] ?? "";
    const { body: metadata } = await panel.call(`GET /api/sso/${world.id}/metadata`);
    const packed = /<ds:X509Certificate>([^<]*)</.exec(metadata)?.[1] ?? "";
    const { publicKey } = new X509Certificate(Buffer.from(packed, "base64"));
    const verify = createVerify("RSA-SHA256").update(text);
    expect(verify.verify(publicKey, query.get("Signature") ?? "", "base64")).toBe(true);
  });

  test("an encrypted answer is opened by the key of the connector, and a cipher that proves nothing only in a signed response", async () => {
    const world = await makeWorld("sealed", { takes_encrypted: true });
    forger.people.set("sam", { name_id: `sam@${world.host}`, attributes: { groups: ["ops"] } });
    const to = (await world.call("GET /api/sso/connectors")).body.items[0].saml.own_certificate.pem;
    const seal = (cipher: "gcm" | "cbc", signed: ("assertion" | "response")[]) => {
      forger.forge = (told) => ({ ...told, signed, encrypted: { to, cipher } });
    };
    const enter = async () => {
      const browser = world.openBrowser();
      return browser.land(await browser.toProvider("sam"));
    };
    const cases: ["gcm" | "cbc", ("assertion" | "response")[], string | null][] = [
      ["gcm", ["assertion"], null],
      ["gcm", ["response"], null],
      ["cbc", ["response", "assertion"], null],
      ["cbc", ["assertion"], "answer"],
      ["gcm", [], "signature"],
    ];
    for (const [cipher, signed, error] of cases) {
      seal(cipher, signed);
      expect([cipher, signed, (await enter()).get("error")]).toEqual([cipher, signed, error]);
    }
    // What is within is looked at as strictly as what is not, whoever signed around it.
    forger.forge = (told) => ({
      ...told,
      ...{ signed: ["response"], encrypted: { to, cipher: "gcm" } },
      assertion: { ...told.assertion, name_id: `admin@${world.host}<!-- -->.evil` },
    });
    expect((await enter()).get("error")).toBe("answer");
    forger.forge = (told) => ({ ...told, by: "stranger", encrypted: { to, cipher: "gcm" } });
    expect((await enter()).get("error")).toBe("signature");
  });

  test("a provider changes its certificate without anybody being kept out: two are believed, then one; never all others at once", async () => {
    const { id, call, connector, signIn, host, audited } = await makeWorld("rollover");
    forger.people.set("rolf", { name_id: `rolf@${host}`, attributes: { groups: ["ops"] } });
    const put = (certificates: string[]) =>
      call(`PUT /api/sso/connectors/${id}`, { ...connector, saml: { ...connector.saml, certificates } });
    const { listed, next } = forger.keys;
    forger.forge = (told) => ({ ...told, by: "next" });
    expect((await signIn("rolf")).status).toBe(401);
    expect((await put([next.certificate])).body.code).toBe("connector_in_use");
    expect((await put([])).body.code).toBe("connector_in_use");
    expect((await put([listed.certificate, next.certificate])).status).toBe(200);
    expect((await signIn("rolf")).status).toBe(200);
    forger.forge = (told) => told;
    expect((await signIn("rolf")).status).toBe(200);
    expect((await put([next.certificate])).status).toBe(200);
    expect((await signIn("rolf")).status).toBe(401);
    expect((await call("GET /api/sso/connectors")).body.items[0].state).toBe("on");
    const { entries } = (await call("GET /api/audit/logs")).body;
    const change = entries.find(({ action }: { action: string }) => action === "sso.connector_change");
    expect(change.details.certificates).toEqual([new X509Certificate(next.certificate).fingerprint256]);
    expect(await audited()).toContain("sso.refused");
  });

  test("nobody but an owner says whose signature is believed once owners come in by it: an admin would be one of them", async () => {
    const { id, owner, call, connector, signIn, host } = await makeWorld("takeover");
    forger.people.set("chief", { name_id: `chief@${host}`, attributes: { groups: ["ops"] } });
    const chief = (await signIn("chief")).body.user;
    const admin = await panel.invite(owner, `climber${engine}`, "org_admin");
    const put = async (input: Record<string, unknown>, saml: Record<string, unknown> = {}, by = admin) => {
      const body = { ...connector, ...input, saml: { ...connector.saml, ...saml } };
      return (await panel.call(`PUT /api/sso/connectors/${id}`, { token: await panel.signIn(by), body })).status;
    };
    const { listed, next } = forger.keys;
    const both = { certificates: [listed.certificate, next.certificate] };
    // While no owner comes in by it, admins change it as they like.
    expect([await put({}, both), await put({})]).toEqual([200, 200]);
    await panel.system.run("UPDATE members SET role = 'org_owner' WHERE id = ?", [chief.id]);
    expect(await put({}, both)).toBe(403);
    expect(await put({}, { metadata_url: "https://climber.example/metadata" })).toBe(403);
    await call(`POST /api/sso/connectors/${id}/turn-off`);
    expect(await put({ issuer: "https://other.example" }, { certificates: [next.certificate] })).toBe(403);
    await call(`POST /api/sso/connectors/${id}/turn-on`);
    forger.forge = (told) => ({ ...told, by: "next" });
    expect((await signIn("chief")).status).toBe(401);
    // What gives nobody more is still theirs, and owners go on as before.
    expect(await put({ name: "Another name" })).toBe(200);
    expect(await put({}, both, owner)).toBe(200);
    expect((await signIn("chief")).body.user?.role).toBe("org_owner");
    expect(await put({})).toBe(200);
  });

  test("certificates follow the metadata that is looked at daily, unless it is of another provider or cannot be read", async () => {
    let answer = { body: "", status: 200 };
    const fetch = () => new Response(answer.body, { status: answer.status });
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
    const metadata_url = `http://127.0.0.1:${server.port}/metadata?app=1`;
    const { call, audited } = await makeWorld("daily", { metadata_url });
    const pins = async () => {
      const { saml } = (await call("GET /api/sso/connectors")).body.items[0];
      return [saml.certificates.length, saml.metadata_problem];
    };
    const look = async (body: string, status = 200) => {
      answer = { body, status };
      await panel.system.run("UPDATE sso_connectors SET metadata_due = 0 WHERE metadata_due IS NOT NULL");
      await panel.runJob("sso.metadata");
      return pins();
    };
    expect(await look(forger.metadata(["listed", "next"]))).toEqual([2, null]);
    expect(await audited()).toContain("sso.certificates_change");
    expect(await look("gone", 404)).toEqual([2, "The metadata could not be fetched: it answered 404."]);
    const other = forger.metadata(["stranger"]).replace(forger.issuer, "https://other.example");
    expect(await look(other)).toEqual([2, "It is of another provider, which calls itself https://other.example."]);
    expect(await look("<a>")).toEqual([2, "This metadata cannot be used: it ends before it is complete."]);
    // Looked at again a day later, and not before.
    answer = { body: forger.metadata(["next"]), status: 200 };
    await panel.runJob("sso.metadata");
    expect((await pins())[0]).toBe(2);
    await panel.system.run("UPDATE sso_connectors SET metadata_due = ? WHERE metadata_due > ?", [
      panel.clock.now(),
      panel.clock.now() + days(1) - hours(1),
    ]);
    await panel.runJob("sso.metadata");
    expect(await pins()).toEqual([1, null]);
    await server.stop(true);
  });

  test("a test shows what the provider sent, and says in words what is wrong", async () => {
    const { id, call, openBrowser, host } = await makeWorld("tested");
    forger.people.set("tess", { name_id: "tess", attributes: { groups: ["ops"], email: [`tess@${host}`] } });
    const browser = openBrowser();
    const run = async (forge: SamlForger["forge"] = (told) => told) => {
      forger.forge = forge;
      const begun = await browser.get((await call(`POST /api/sso/connectors/${id}/test`)).body.url);
      const posted = await browser.post(forger.signIn(begun.headers.get("location") ?? "", "tess"));
      const done = await browser.get(posted.headers.get("location") ?? "");
      expect(done.headers.get("location")).toBe("/settings/sign-on?step=test");
      return (await call("GET /api/sso/connectors")).body.items[0].last_test;
    };
    const good = await run();
    expect(good).toMatchObject({
      ok: true,
      role: "org_manager",
      steps: { answered: true, came_back: true, let_in: true },
    });
    const row = (what: string) => good.rows.find((one: { what: string }) => one.what === what);
    expect(row("Audience").sent).toBe(`http://localhost/api/sso/${id}/metadata`);
    expect(row("email").sent).toBe(`tess@${host}`);
    expect(row("signature").sent).toStartWith("RSA-SHA256 of the assertion, certificate ");

    const wrong = await run((told) => ({ ...told, by: "stranger" }));
    const its = new X509Certificate(forger.keys.stranger.certificate).fingerprint256;
    expect([wrong.ok, wrong.headline]).toEqual([false, "The signature of the provider's answer does not hold"]);
    expect(wrong.advice).toContain(its);
    expect(wrong.steps).toEqual({ answered: true, signed_in: true, came_back: false, let_in: null });
    const cases: [SamlForger["forge"], RegExp][] = [
      [(told) => ({ ...told, assertion: { ...told.assertion, audience: "urn:other" } }), /for another program/],
      [
        (told) => ({ ...told, assertion: { ...told.assertion, attributes: {}, name_id: "tess" } }),
        /does not tell the mail address/,
      ],
      [
        (told) => ({ ...told, assertion: { ...told.assertion, attributes: { email: [`tess@${host}`] } } }),
        /No rule gives/,
      ],
      [
        (told) => ({
          ...told,
          assertion: { ...told.assertion, attributes: { groups: ["ops"], email: ["t@elsewhere.example"] } },
        }),
        /not at a domain/,
      ],
      [(told) => ({ ...told, after: (xml) => `<!DOCTYPE x>${xml}` }), /DOCTYPE/],
      [(told) => ({ ...told, hash: "sha1" }), /not believed: rsa-sha1/],
      [
        (told) => ({
          ...told,
          response: { ...told.response, status: "urn:oasis:names:tc:SAML:2.0:status:RequestDenied" },
        }),
        /said RequestDenied/,
      ],
    ];
    for (const [forge, words] of cases) expect((await run(forge)).headline).toMatch(words);
    // Nobody came in, and a ticket of somebody else's test shows nothing.
    const begun = await browser.get((await call(`POST /api/sso/connectors/${id}/test`)).body.url);
    const posted = await browser.post(forger.signIn(begun.headers.get("location") ?? "", "tess"));
    const stolen = await openBrowser().get(posted.headers.get("location") ?? "");
    expect(stolen.headers.get("location")).toBe("/sso#error=other_browser");
  });

  test("certificates show when they end, and one that has ended is said so and believed on", async () => {
    const { call, signIn, host } = await makeWorld("ageing");
    forger.people.set("ada", { name_id: `ada@${host}`, attributes: { groups: ["ops"] } });
    const shown = async () => {
      const body = { metadata: forger.metadata() };
      return (await call("POST /api/sso/read-metadata", body)).body.certificates?.[0]?.state;
    };
    expect(await shown()).toBe("ok");
    const ends = Date.parse(new X509Certificate(forger.keys.listed.certificate).validTo);
    panel.clock.jump(ends - days(29) - panel.clock.now());
    expect((await signIn("ada")).status).toBe(200);
    panel.clock.jump(ends + days(1) - panel.clock.now());
    expect((await signIn("ada")).status).toBe(200);
  });

  test("those who set it up hear of a certificate that ends, once at 30, 7 and 1 days and at the end, unless the next one is there", async () => {
    const { id, call, connector, owner } = await makeWorld("told");
    const ends = Date.parse(new X509Certificate(forger.keys.listed.certificate).validTo);
    const day = new Date(ends).toISOString().slice(0, 10);
    const look = async (left: number): Promise<string[]> => {
      panel.clock.jump(ends - days(left) - panel.clock.now());
      await panel.system.run("DELETE FROM notifications WHERE tenant_id = ?", [owner.tenant_id]);
      await panel.runJob("sso.certificates");
      await panel.runJob("sso.certificates");
      const sql = "SELECT severity, title FROM notifications WHERE tenant_id = ? AND kind = 'sso.certificate'";
      const rows = await panel.system.all<{ severity: string; title: string }>(sql, [owner.tenant_id]);
      return rows.map(({ severity, title }) => `${severity}: ${title}`);
    };
    const name = `The certificate of ${connector["name"]}`;
    const said = sayDay("en", Date.parse(day));
    expect(await look(31)).toEqual([]);
    expect(await look(29)).toEqual([`warning: ${name} ends on ${said}`]);
    expect(await look(8)).toEqual([]);
    expect(await look(6)).toEqual([`warning: ${name} ends on ${said}`]);
    expect(await look(0.5)).toEqual([`critical: ${name} ends on ${said}`]);
    expect(await look(-1)).toEqual([`critical: ${name} ended on ${said}`]);
    expect(await look(-2)).toEqual([]);
    panel.clock.jump(Date.now() - panel.clock.now());
    const later = makeOwnKey(ends);
    const saml = { ...connector.saml, certificates: [...connector.saml.certificates, later.certificate] };
    expect((await call(`PUT /api/sso/connectors/${id}`, { ...connector, saml })).status).toBe(200);
    await panel.system.run("UPDATE sso_connectors SET certificate_told = NULL WHERE id = ?", [id]);
    expect(await look(0.5)).toEqual([]);
  });

  test("the mail address is where the connector says, and nowhere else", async () => {
    const world = await makeWorld("mailed", { email_attribute: "upn" });
    const attributes = { groups: ["ops"], email: [`victim@${world.host}`], upn: [`upn@${world.host}`] };
    forger.people.set("upn", { name_id: "upn-1", attributes });
    expect((await world.signIn("upn")).body.user?.email).toBe(`upn@${world.host}`);
    forger.people.set("none", { name_id: `none@${world.host}`, attributes: { groups: ["ops"] } });
    expect((await world.signIn("none")).body.cause).toBe("email_missing");
  });

  test("what is no provider's description, or cannot be believed, is refused with its reason", async () => {
    const { id, call, connector } = await makeWorld("refused");
    const small = "MIIB";
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ metadata: "<!DOCTYPE x><x/>" }, /DOCTYPE/],
      [{ metadata: "<x/>" }, /no metadata of SAML/],
      [{ metadata: '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>' }, /several providers/],
      [{ metadata: forger.metadata([]) }, /no certificate/],
      [{ metadata: forger.metadata().replace("HTTP-Redirect", "HTTP-POST") }, /HTTP-Redirect/],
      [{ metadata: forger.metadata().replace("https://idp.example/sso", "javascript:alert(1)") }, /https/],
      [
        { metadata: forger.metadata().replace(/<ds:X509Certificate>[^<]*/, `<ds:X509Certificate>${small}`) },
        /it is none/,
      ],
      [{ url: "https://169.254.169.254/metadata" }, /169\.254/],
      [{ url: "http://idp.example/metadata" }, /https:\/\//],
      [{}, /either/],
    ];
    for (const [body, words] of cases) {
      const refused = await call("POST /api/sso/read-metadata", body);
      expect([refused.status, refused.body.message]).toEqual([422, expect.stringMatching(words)]);
    }
    const put = (change: Record<string, unknown>) =>
      call(`PUT /api/sso/connectors/${id}`, { ...connector, saml: { ...connector.saml, ...change } });
    expect((await put({ sign_on_url: "javascript:alert(1)" })).body.code).toBe("sign_on_unusable");
    expect((await put({ certificates: ["nothing"] })).body.code).toBe("certificate_unusable");
    expect((await put({ metadata_url: "http://10.0.0.1/x" })).body.code).toBe("issuer_unusable");
    const { saml: _, ...bare } = connector;
    expect((await call(`PUT /api/sso/connectors/${id}`, bare)).body.code).toBe("provider_field_missing");
    expect((await call(`PUT /api/sso/connectors/${id}`, { ...connector, client_secret: "x" })).status).toBe(400);
  });
});
