import { expect, test } from "bun:test";
import { usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("who somebody was at a provider", (engine) => {
  const makePeople = usePeople(engine);
  type World = Awaited<ReturnType<typeof makePeople>>;

  /** Eve, whom the directory made, came by the sign-on. */
  const makeEve = async () => {
    const world = await makePeople();
    world.addPerson("eve");
    const eve = (await world.add("eve")).body.id;
    expect((await world.signIn("eve")).body.user?.id).toBe(eve);
    return { ...world, eve };
  };
  /** As when she gives her account a passphrase by mail. */
  const claim = async ({ panel, accountOf }: World, memberId: string) => {
    const account = await accountOf(memberId);
    await panel.system.tx(async (tx) => {
      await panel.ctx.tenants.lockAccount(tx, account);
      for (const takeOff of panel.ctx.lists.ways.all()) await takeOff(tx, account);
      await panel.ctx.tenants.updateEmailVerified(tx, account);
    });
  };
  const countLinks = async ({ panel, owner }: World) =>
    (await panel.system.all("SELECT 1 FROM sso_links WHERE tenant_id = ?", [owner.tenant_id])).length;

  test("counts at a removal, though the account was claimed since", async () => {
    const world = await makeEve();
    const { eve, remove, addPerson, at, signIn, listIn } = world;
    await claim(world, eve);
    expect(await countLinks(world)).toBe(0);
    await remove(eve);
    addPerson("eve", { email: at("eve.new") });
    expect((await signIn("eve")).body.params?.cause).toBe("access_ended");
    expect(await listIn()).toEqual([]);
  });

  /** Deletes the connector and makes it anew. */
  const remake = async (world: World) => {
    const { call, panel, owner } = world;
    const sql = "SELECT * FROM sso_connectors WHERE tenant_id = ?";
    const before = (await panel.system.get<Record<string, string | number | null>>(sql, [owner.tenant_id])) ?? {};
    expect((await call(`DELETE /api/sso/connectors/${before["id"]}`)).status).toBe(204);
    expect(await countLinks(world)).toBe(0);
    const columns = Object.keys(before);
    await panel.system.run(
      `INSERT INTO sso_connectors (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      Object.values(before),
    );
  };

  test("counts at a removal, though the connector was deleted and made anew since", async () => {
    const world = await makeEve();
    const { eve, remove, addPerson, at, signIn } = world;
    await remake(world);
    await remove(eve);
    addPerson("eve", { email: at("eve.new") });
    expect((await signIn("eve")).body.params?.cause).toBe("access_ended");
  });

  test("does not count where it is another member by now, who stays", async () => {
    const world = await makeEve();
    const { eve, remove, addPerson, at, signIn } = world;
    await claim(world, eve);
    addPerson("eve", { email: at("ida") });
    const ida = (await signIn("eve")).body.user?.id;
    await remove(eve);
    await remake(world);
    expect((await signIn("eve")).body.user?.id).toBe(ida);
  });

  test("is kept of the last ones alone, and goes with the membership", async () => {
    const world = await makeEve();
    const { eve, panel, owner, addPerson, signIn, remove } = world;
    const list = async () =>
      (
        await panel.system.all<{ subject: string }>(
          "SELECT subject FROM sso_subjects WHERE tenant_id = ? AND member_id = ? ORDER BY seen_at DESC, subject",
          [owner.tenant_id, eve],
        )
      ).map(({ subject }) => subject);
    const [eveIs] = await list();
    for (let index = 0; index < 20; index++)
      await panel.system.run(
        "INSERT INTO sso_subjects (tenant_id, member_id, issuer, subject, seen_at) VALUES (?, ?, 'https://x', ?, ?)",
        [owner.tenant_id, eve, `s${index}`, index],
      );
    await claim(world, eve);
    addPerson("eve");
    expect((await signIn("eve")).body.user?.id).toBe(eve);
    const kept = await list();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([20, eveIs ?? "", "s1"]);
    await remove(eve);
    expect(await list()).toEqual([]);
  });
});
