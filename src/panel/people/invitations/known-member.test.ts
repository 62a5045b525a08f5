import { expect, test } from "bun:test";
import { usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("an invitation to an address that a member has or had", (engine) => {
  const makePeople = usePeople(engine);
  type World = Awaited<ReturnType<typeof makePeople>>;

  const openIn = async ({ call }: World): Promise<string[]> => {
    const { items } = (await call("GET /api/invitations")).body;
    const open = items.filter(({ state }: { state: string }) => state === "pending");
    return open.map(({ email }: { email: string }) => email);
  };
  const tryTo = async ({ join }: World, link: string) => (await join(link, "Bob")).body.code;
  /** As if it had been made long ago, which nothing ended. */
  const makeOld = ({ panel, owner }: World) =>
    panel.system.run("UPDATE invitations SET created_at = 1 WHERE tenant_id = ? AND accepted_at IS NULL", [
      owner.tenant_id,
    ]);

  test("ends when they become one by the directory or a sign-on, by whatever address these know them", async () => {
    const world = await makePeople();
    const { invite, add, addPerson, signIn, at, away, moveTo, scim, listIn, audited } = world;
    const [toBob, toMail, toIda] = [await invite(at("bob")), await invite(at("bob.mail")), await invite(at("ida"))];
    await invite(away("ann"));
    const bob = (await add("bob", { emails: [{ primary: true, value: at("bob.mail") }] })).body.id;
    addPerson("ida");
    const ida = (await signIn("ida")).body.user.id;
    expect(await openIn(world)).toEqual([away("ann")]);
    expect((await audited()).filter((action) => action === "team.invite_revoke")).toHaveLength(3);
    await moveTo(bob, away("bob"));
    await moveTo(ida, away("ida"));
    for (const link of [toBob, toMail, toIda]) expect(await tryTo(world, link)).toBe("invitation_unknown");
    expect((await scim(`DELETE /Users/${bob}`)).status).toBe(204);
    for (const link of [toBob, toMail]) expect(await tryTo(world, link)).toBe("invitation_unknown");
    expect(await listIn()).toEqual([away("ida")]);
  });

  test("ends when the directory gives it to them, and when access is given back", async () => {
    const world = await makePeople();
    const { invite, add, change, at, away, moveTo, call, scim } = world;
    const bob = (await add("bob")).body.id;
    await invite(at("bob.new"));
    expect((await change(bob, { userName: at("bob.new") })).body.userName).toBe(at("bob.new"));
    expect(await openIn(world)).toEqual([]);
    await moveTo(bob, away("bob"));
    await moveTo(bob, at("bob"));
    const ends = [
      () => change(bob, { active: false }),
      () => change(bob, { active: false }),
      () => scim(`DELETE /Users/${bob}`),
    ];
    const backs = [
      () => change(bob, { active: true }),
      () => call(`POST /api/team/members/${bob}/restore`),
      () => add("bob"),
    ];
    for (const [index, end] of ends.entries()) {
      await end();
      await invite(away("bob"));
      expect([200, 201]).toContain((await backs[index]?.())?.status ?? 0);
      expect(await openIn(world)).toEqual([]);
    }
  });

  test("ends with the access that the directory takes, as with a removal, and one of after it lets them in", async () => {
    for (const end of ["off", "renamed", "gone"]) {
      const world = await makePeople();
      const { add, change, scim, moveTo, invite, away, at, listIn } = world;
      const bob = (await add("bob")).body.id;
      await moveTo(bob, away("bob"));
      const link = await invite(at("bob"));
      const other = { userName: at("bob.x"), emails: [{ primary: true, value: at("bob.x") }] };
      const value = { active: false, ...(end === "renamed" ? other : {}) };
      if (end === "gone") expect((await scim(`DELETE /Users/${bob}`)).status).toBe(204);
      else expect((await change(bob, value)).body.active).toBe(false);
      expect([await tryTo(world, link), await openIn(world), await listIn()]).toEqual(["invitation_unknown", [], []]);
      expect((await world.join(await invite(at("bob")), "Bob")).status).toBe(200);
      expect(await listIn()).toEqual([at("bob")]);
    }
  });

  test("opens nothing where it is older than what the workspace knows them by, also where nothing ended it", async () => {
    const world = await makePeople();
    const { add, change, addPerson, signIn, moveTo, invite, away, at, listIn } = world;
    const bob = (await add("bob")).body.id;
    await moveTo(bob, away("bob"));
    const byDirectory = await invite(at("bob"));
    addPerson("ida");
    const ida = (await signIn("ida")).body.user.id;
    await moveTo(ida, away("ida"));
    const bySignOn = await invite(at("ida"));
    await makeOld(world);
    for (const link of [byDirectory, bySignOn]) expect(await tryTo(world, link)).toBe("already_here");
    await change(ida, { externalId: "ext-ida", userName: away("ida") });
    for (const id of [bob, ida]) expect((await change(id, { active: false })).body.active).toBe(false);
    const later = [await invite(at("bob")), await invite(at("ida"))];
    await makeOld(world);
    for (const link of later) expect(await tryTo(world, link)).toBe("access_was_ended");
    expect(await listIn()).toEqual([]);
  });

  test("opens nothing to whom the account moved on from it, and lets in whom somebody invites then", async () => {
    const world = await makePeople();
    const { add, moveTo, invite, away, listIn } = world;
    const bob = (await add("bob")).body.id;
    const link = await invite(away("bob"));
    await moveTo(bob, away("bob"));
    expect(await tryTo(world, link)).toBe("already_here");
    await moveTo(bob, away("bob.two"));
    expect(await tryTo(world, link)).toBe("already_here");
    const { items } = (await world.call("GET /api/invitations")).body;
    expect((await world.call(`DELETE /api/invitations/${items[0].id}`)).status).toBe(204);
    expect((await world.join(await invite(away("bob")), "Another Bob")).status).toBe(200);
    expect((await listIn()).sort()).toEqual([away("bob"), away("bob.two")].sort());
  });
});
