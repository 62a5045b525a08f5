import { expect, test } from "bun:test";
import { PASSWORD, usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("an address that a member had before they were one, in a directory", (engine) => {
  const makePeople = usePeople(engine);

  test("leads to no member, and is taken until a person says whose it is", async () => {
    const { panel, add, addPerson, signIn, at, away, find, invite, join, listIn } = await makePeople();
    // Whoever had the company's address once takes a private one, and is invited under that.
    const body = { email: at("pat"), password: PASSWORD, name: "Mallory" };
    await panel.call("POST /api/auth/register", { body });
    const { tenants, system } = panel.ctx;
    const account = (await tenants.findAccount(at("pat")))?.id ?? "";
    await system.tx(async (tx) => {
      await tenants.updateEmailVerified(tx, account);
      await tenants.updateEmail(tx, account, away("mallory"));
    });
    panel.clock.jump(1000);
    const mallory = (await join(await invite(away("mallory")))).body.user_id;
    expect(await find(away("mallory"))).toEqual([mallory]);
    expect(await find(at("pat"))).toEqual([]);
    for (const more of [{}, { externalId: undefined }, { userName: "pat" }]) {
      const { status, body: refused } = await add("pat", more);
      expect([status, refused.scimType, refused.detail]).toEqual([
        409,
        "uniqueness",
        expect.stringContaining(`before the user ${mallory} became a member`),
      ]);
    }
    // A sign-on asks for a proof that both are one.
    addPerson("pat");
    expect((await signIn("pat")).status).toBe(401);
    expect(await listIn()).toEqual([away("mallory")]);
    // A person here who invites somebody under that address knows who is meant.
    const pat = (await join(await invite(at("pat")), "Pat")).body.user_id;
    expect(pat).not.toBe(mallory);
    expect(await find(at("pat"))).toEqual([pat]);
  });

  test("is told of at the domains of the workspace alone", async () => {
    const { panel, add, change, away, invite, join } = await makePeople();
    const body = { email: "private@elsewhere.example", password: PASSWORD, name: "Mallory" };
    await panel.call("POST /api/auth/register", { body });
    const { tenants, system } = panel.ctx;
    const account = (await tenants.findAccount(body.email))?.id ?? "";
    await system.tx(async (tx) => {
      await tenants.updateEmailVerified(tx, account);
      await tenants.updateEmail(tx, account, away("mallory"));
    });
    panel.clock.jump(1000);
    await join(await invite(away("mallory")));
    const { id } = (await add("kim")).body;
    const ask = async (userName: string) => (await change(id, { userName })).status;
    expect(await ask("nobody@elsewhere.example")).toBe(200);
    expect(await ask("private@elsewhere.example")).toBe(200);
  });
});
