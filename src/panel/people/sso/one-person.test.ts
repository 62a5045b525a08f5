import { expect, test } from "bun:test";
import { PASSWORD, usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("an address that a member has or had, at single sign-on", (engine) => {
  const makePeople = usePeople(engine);

  test("leads to them, once they agree, and so whom the directory brought is in once and goes with it", async () => {
    const { add, moveTo, away, addPerson, signIn, change, listIn, panel } = await makePeople();
    const eve = (await add("eve")).body.id;
    await moveTo(eve, away("eve"));
    addPerson("eve");
    const asked = await signIn("eve");
    expect([asked.status, asked.body.code]).toEqual([401, "sso_proof_missing"]);
    expect((await signIn("eve", { password: "another good phrase" })).body.code).toBe("sso_proof_missing");
    const entered = await signIn("eve", { password: PASSWORD });
    expect([entered.status, entered.body.user?.id]).toEqual([200, eve]);
    expect((await signIn("eve")).body.user?.id).toBe(eve);
    expect(await listIn()).toEqual([away("eve")]);
    expect((await change(eve, { active: false })).body.active).toBe(false);
    expect(await listIn()).toEqual([]);
    expect((await panel.call("GET /api/team/members", { token: entered.body.token })).status).toBe(401);
    expect((await signIn("eve")).body.params?.cause).toBe("access_ended");
  });

  test("also where another account has it by now, and whoever is somebody else is told to be invited", async () => {
    const { add, moveTo, away, at, addPerson, signIn, listIn, panel, openBrowser } = await makePeople();
    const eve = (await add("eve")).body.id;
    await moveTo(eve, away("eve"));
    const body = { email: at("eve"), password: PASSWORD, name: "Eve" };
    const other = (await panel.call("POST /api/auth/register", { body })).body;
    addPerson("eve");
    const browser = openBrowser();
    const code = (await browser.land(await browser.toProvider("eve"))).get("code") ?? "";
    expect((await browser.exchange(code, {}, other.token)).body.code).toBe("sso_proof_missing");
    const refused = (await browser.exchange(code, { anew: true })).body;
    expect([refused.code, refused.params.cause]).toEqual(["sso_refused", "other_person"]);
    expect(refused.message).toContain("invite");
    expect((await signIn("eve", { password: PASSWORD })).body.user?.id).toBe(eve);
    expect(await listIn()).toEqual([away("eve")]);
  });

  test("an invitation lets in who has it now, who is another one than who had it", async () => {
    const { add, moveTo, away, at, addPerson, signIn, listIn, invite, join } = await makePeople();
    const eve = (await add("eve")).body.id;
    await moveTo(eve, away("eve"));
    const second = (await join(await invite(at("eve")), "Eve Jones")).body.user_id;
    addPerson("eve");
    expect((await signIn("eve", { password: PASSWORD })).body.user?.id).toBe(second);
    expect((await listIn()).sort()).toEqual([at("eve"), away("eve")].sort());
  });

  test("nobody without a passphrase is whoever has their former address, but whom the directory calls so", async () => {
    const { add, change, at, addPerson, signIn } = await makePeople();
    const smith = (await add("eve")).body.id;
    const value = { userName: at("eve.smith"), emails: [{ primary: true, value: at("eve.smith") }] };
    expect((await change(smith, value)).body.userName).toBe(at("eve.smith"));
    addPerson("eve");
    const refused = (await signIn("eve")).body;
    expect([refused.code, refused.params?.cause]).toEqual(["sso_refused", "other_person"]);
    // What it calls her and where it writes to her differ, and the provider says the former.
    const jones = (await add("jones", { emails: [{ primary: true, value: at("jo.jones") }] })).body.id;
    addPerson("jones");
    expect((await signIn("jones")).body.user?.id).toBe(jones);
  });

  test("an address that an account never proved, and had before it was here, is nobody's", async () => {
    const { at, away, addPerson, signIn, invite, join, panel } = await makePeople();
    const body = { email: at("bob"), password: PASSWORD, name: "Mallory" };
    await panel.call("POST /api/auth/register", { body });
    const account = await panel.ctx.tenants.findAccount(at("bob"));
    await panel.system.tx((tx) => panel.ctx.tenants.updateEmail(tx, account?.id ?? "", away("mallory")));
    const mallory = (await join(await invite(away("mallory")))).body.user_id;
    addPerson("bob");
    const entered = await signIn("bob");
    expect([entered.status, entered.body.user?.id === mallory]).toEqual([200, false]);
  });
});
