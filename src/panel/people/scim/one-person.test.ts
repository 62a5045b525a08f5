import { expect, test } from "bun:test";
import { usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("an address that a member has or had, in a directory", (engine) => {
  const makePeople = usePeople(engine);

  test("is theirs: nobody else is made for it, and the directory finds and turns off who came by a sign-on", async () => {
    const { add, addPerson, signIn, moveTo, away, at, find, change, listIn, panel } = await makePeople();
    addPerson("eve");
    const { token, user } = (await signIn("eve")).body;
    await moveTo(user.id, away("eve"));
    for (const more of [{}, { userName: "eve" }, { externalId: undefined }]) {
      const refused = await add("eve", more);
      expect([refused.status, refused.body.scimType]).toEqual([409, "uniqueness"]);
    }
    expect(await find(at("eve").toUpperCase())).toEqual([user.id]);
    expect((await change(user.id, { externalId: "ext-eve", userName: at("eve") })).body.externalId).toBe("ext-eve");
    expect(await listIn()).toEqual([away("eve")]);
    expect((await change(user.id, { active: false })).body.active).toBe(false);
    expect(await listIn()).toEqual([]);
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(401);
    expect((await signIn("eve")).body.params?.cause).toBe("access_ended");
  });

  test("is theirs also where another account has it by now", async () => {
    const { add, addPerson, signIn, moveTo, away, at, panel, listIn } = await makePeople();
    addPerson("eve");
    await moveTo((await signIn("eve")).body.user.id, away("eve"));
    const body = { email: at("eve"), password: "correct horse battery", name: "Eve" };
    await panel.call("POST /api/auth/register", { body });
    expect((await add("eve")).status).toBe(409);
    expect(await listIn()).toEqual([away("eve")]);
  });

  test("is nobody else's of the directory, who may be turned off whatever it says and not come back as them", async () => {
    const { add, addPerson, signIn, moveTo, away, at, change, listIn } = await makePeople();
    addPerson("eve");
    await moveTo((await signIn("eve")).body.user.id, away("eve"));
    const bob = (await add("bob")).body.id;
    for (const value of [{ userName: at("eve") }, { emails: [{ primary: true, value: at("eve") }] }])
      expect((await change(bob, value)).body.scimType).toBe("uniqueness");
    const off = { active: false, emails: [{ primary: true, value: at("eve") }] };
    expect((await change(bob, off)).body.active).toBe(false);
    expect((await change(bob, { active: true })).body.scimType).toBe("uniqueness");
    expect(await listIn()).toEqual([away("eve")]);
  });

  test("goes on to somebody else whom the directory tells apart from them by ids of its own", async () => {
    const { add, at, change, addPerson, signIn } = await makePeople();
    const mail = (login: string) => ({ emails: [{ primary: true, value: at(login) }] });
    const smith = (await add("eve", { externalId: "ext-smith" })).body.id;
    // While she has it, nobody else does.
    expect((await add("jones", { externalId: "ext-jones", ...mail("eve") })).status).toBe(409);
    await change(smith, { userName: at("eve.smith"), ...mail("eve.smith") });
    expect((await add("eve", { externalId: undefined })).status).toBe(409);
    const jones = await add("eve", { externalId: "ext-jones" });
    expect([jones.status, jones.body.id === smith]).toEqual([201, false]);
    addPerson("eve");
    expect((await signIn("eve")).body.user?.id).toBe(jones.body.id);
  });
});
