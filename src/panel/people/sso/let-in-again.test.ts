import { expect, test } from "bun:test";
import { PASSWORD, usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("whom somebody let in after a removal", (engine) => {
  const makePeople = usePeople(engine);

  /** Eve, who came by the sign-on and is the directory's, was removed. */
  const makeRemoved = async () => {
    const world = await makePeople();
    world.addPerson("eve");
    const first = (await world.signIn("eve")).body.user.id;
    expect((await world.change(first, { externalId: "ext-eve" })).body.externalId).toBe("ext-eve");
    expect(await world.remove(first)).toBe("deleted");
    const rename = () => world.addPerson("eve", { email: world.at("eve.new") });
    return { ...world, rename };
  };

  test("under another address is who they were at the provider, once they agree, and for the directory", async () => {
    const { rename, signIn, invite, join, at, change, find, listIn, add, addPerson, panel } = await makeRemoved();
    rename();
    expect((await signIn("eve")).body.params?.cause).toBe("access_ended");
    const second = (await join(await invite(at("eve.new")))).body.user_id;
    expect((await signIn("eve")).body.code).toBe("sso_proof_missing");
    // The directory's word says as much, and lets nobody else in as who was removed.
    expect(await find(at("eve.new"))).toEqual([second]);
    const told = await change(second, { externalId: "ext-eve", active: true });
    expect([told.status, told.body.externalId]).toEqual([200, "ext-eve"]);
    for (const active of [false, true]) expect((await change(second, { active })).body.active).toBe(active);
    expect((await add("eve", { externalId: "ext-other" })).body.code).toBe("scim_refused");
    const entered = await signIn("eve", { password: PASSWORD });
    expect([entered.status, entered.body.user?.id]).toEqual([200, second]);
    expect((await signIn("eve")).body.user?.id).toBe(second);
    expect(await listIn()).toEqual([at("eve.new")]);
    // They are let in as who they were, so that nothing is left of the removal.
    await panel.runJob("tenants.forget_accounts");
    addPerson("other", { email: at("eve") });
    expect((await signIn("other")).status).toBe(200);
  });

  test("and whom the directory deleted since comes back by it, until somebody removes them once more", async () => {
    const { invite, join, at, change, scim, add, remove, listIn } = await makeRemoved();
    const second = (await join(await invite(at("eve.new")))).body.user_id;
    expect((await change(second, { externalId: "ext-eve" })).status).toBe(200);
    expect((await scim(`DELETE /Users/${second}`)).status).toBe(204);
    const back = await add("eve.new", { externalId: "ext-eve" });
    expect([back.status, back.body.id]).toEqual([201, second]);
    await remove(second);
    expect((await add("eve.new", { externalId: "ext-eve" })).body.code).toBe("scim_refused");
    expect(await listIn()).toEqual([]);
  });

  test("is not whom somebody removed later, nor who was here before that", async () => {
    const { addPerson, signIn, at, remove, add, invite, join, change } = await makePeople();
    const bob = (await join(await invite(at("bob")), "Bob")).body.user_id;
    const ida = (await add("ida")).body.id;
    addPerson("eve");
    const eve = (await signIn("eve")).body.user.id;
    await change(eve, { externalId: "ext-eve" });
    await remove(eve);
    addPerson("eve", { email: at("bob") });
    expect((await signIn("eve", { password: PASSWORD })).body.params?.cause).toBe("access_ended");
    for (const id of [bob, ida]) expect((await change(id, { externalId: "ext-eve" })).body.code).toBe("scim_refused");
  });

  test("by an address that was theirs for a while is another one: that address alone is free again", async () => {
    const { add, away, moveTo, remove, invite, join, addPerson, signIn, listIn, change } = await makePeople();
    const eve = (await add("eve")).body.id;
    await moveTo(eve, away("frank"));
    await moveTo(eve, away("eve"));
    await remove(eve);
    const frank = (await join(await invite(away("frank")), "Frank")).body.user_id;
    addPerson("eve");
    expect((await signIn("eve")).body.params?.cause).toBe("access_ended");
    for (const more of [{}, { externalId: undefined }, { userName: "eve", externalId: "ext-other" }])
      expect((await add("eve", more)).body.code).toBe("scim_refused");
    // Nor when the directory calls him so, whose word forgets nothing.
    expect((await change(frank, { externalId: "ext-eve" })).status).toBe(200);
    expect((await add("eve", { externalId: "ext-other" })).body.code).toBe("scim_refused");
    expect(await listIn()).toEqual([away("frank")]);
    // Her own account is let in as a whole.
    expect((await join(await invite(away("eve")))).status).toBe(200);
    expect((await signIn("eve")).body.code).toBe("sso_proof_missing");
    expect((await signIn("eve", { password: PASSWORD })).status).toBe(200);
  });
});
