import { expect, test } from "bun:test";
import { PASSWORD, usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("a membership that the directory ended", (engine) => {
  const makePeople = usePeople(engine);
  const another = { externalId: "ext-bob-2" };

  /** Bob, an admin who chose a passphrase and whom the directory turned off or deleted. */
  const makeEnded = async (end: "off" | "gone") => {
    const world = await makePeople();
    const bob = (await world.add("bob")).body.id;
    await world.call(`PUT /api/team/members/${bob}/role`, { role: "org_admin" });
    await world.moveTo(bob, world.away("bob"));
    await world.moveTo(bob, world.at("bob"));
    if (end === "gone") expect((await world.scim(`DELETE /Users/${bob}`)).status).toBe(204);
    else expect((await world.change(bob, { active: false })).body.active).toBe(false);
    const login = async () => {
      const { body } = await world.panel.call("POST /api/auth/login", {
        body: { email: world.at("bob"), password: PASSWORD },
      });
      return (await world.panel.call("GET /api/team/members", { token: body.token })).status;
    };
    return { ...world, bob, login };
  };

  test("is given back to nobody whom it tells apart by another id, but to the same person", async () => {
    const { add, bob, listIn, login, at } = await makeEnded("gone");
    const refused = await add("bob", another);
    expect([refused.status, refused.body.scimType]).toEqual([409, "uniqueness"]);
    expect(refused.body.detail).toContain("give whoever is new another address");
    expect([await listIn(), await login()]).toEqual([[], 401]);
    expect((await add("bob")).body.id).toBe(bob);
    expect([await listIn(), await login()]).toEqual([[at("bob")], 200]);
  });

  test("is given back so neither by a change nor under another name, whatever it was called meanwhile", async () => {
    const { add, change, scim, bob, listIn, at } = await makeEnded("off");
    const put = (value: Record<string, unknown>) => scim(`PUT /Users/${bob}`, { userName: at("bob"), ...value });
    const isRefused = async (answer: ReturnType<typeof change>) => {
      const { status, body } = await answer;
      expect([status, body.scimType]).toEqual([409, "uniqueness"]);
      expect(await listIn()).toEqual([]);
    };
    await isRefused(add("bob", { ...another, userName: at("bob.new") }));
    await isRefused(change(bob, { ...another, active: true }));
    await isRefused(put({ ...another, active: true }));
    // One after the other.
    expect((await change(bob, another)).body.externalId).toBe("ext-bob-2");
    await isRefused(change(bob, { active: true }));
    expect((await put({ active: false })).body.externalId).toBeUndefined();
    await isRefused(change(bob, { ...another, active: true }));
    expect((await scim(`DELETE /Users/${bob}`)).status).toBe(204);
    await isRefused(add("bob", another));
    // Without an id it is the same person, who gets no other one then.
    expect((await add("bob", { externalId: undefined })).body.id).toBe(bob);
    expect((await change(bob, another)).status).toBe(409);
    expect((await change(bob, { externalId: "ext-bob" })).body.externalId).toBe("ext-bob");
    expect(await listIn()).toEqual([at("bob")]);
  });

  test("also where the id came with the end", async () => {
    const { add, change, listIn, at } = await makePeople();
    const bob = (await add("bob", { externalId: undefined })).body.id;
    expect((await change(bob, { externalId: "ext-bob", active: false })).body.active).toBe(false);
    expect((await change(bob, { ...another, active: true })).status).toBe(409);
    expect((await change(bob, { active: true })).body.active).toBe(true);
    expect((await change(bob, { ...another, active: false })).body.active).toBe(false);
    expect((await change(bob, { active: true })).status).toBe(409);
    expect((await change(bob, { externalId: "ext-bob", active: true })).body.active).toBe(true);
    expect(await listIn()).toEqual([at("bob")]);
  });

  test("is whose a member of the workspace says who gives it back, and the directory keeps them by that id", async () => {
    for (const end of ["gone", "off"] as const) {
      const { call, change, scim, add, bob, listIn, at } = await makeEnded(end);
      expect((await call(`POST /api/team/members/${bob}/restore`)).status).toBe(200);
      expect((await change(bob, another)).body.externalId).toBe("ext-bob-2");
      expect((await scim(`GET /Users/${bob}`)).body.externalId).toBe("ext-bob-2");
      expect((await scim(`DELETE /Users/${bob}`)).status).toBe(204);
      expect((await add("bob")).status).toBe(409);
      expect((await add("bob", another)).body.id).toBe(bob);
      expect(await listIn()).toEqual([at("bob")]);
    }
  });
});
