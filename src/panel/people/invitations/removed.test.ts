import { expect, test } from "bun:test";
import { usePeople } from "../../../../tests/kit/one-person.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("a removal, and invitations to whom it is about", (engine) => {
  const makePeople = usePeople(engine);

  test("ends those of before to any of their addresses, and none of others", async () => {
    const { invite, join, moveTo, remove, away, listIn, call, audited } = await makePeople();
    const [one, two, three] = [away("eve"), away("eve.two"), away("eve.three")];
    const joined = (await join(await invite(one))).body.user_id;
    const [toTwo, toThree, toBob] = [await invite(two), await invite(three), await invite(away("bob"))];
    await moveTo(joined, two);
    await moveTo(joined, three);
    expect(await remove(joined)).toBe("deleted");
    for (const link of [toTwo, toThree]) expect((await join(link)).body.code).toBe("invitation_unknown");
    const { items } = (await call("GET /api/invitations")).body;
    const open = items.filter(({ state }: { state: string }) => state === "pending");
    expect(open.map(({ email }: { email: string }) => email)).toEqual([away("bob")]);
    expect((await audited()).filter((action) => action === "team.invite_revoke")).toHaveLength(2);
    expect((await join(toBob, "Bob")).status).toBe(200);
    // One of after it is another word.
    expect((await join(await invite(two))).status).toBe(200);
    expect((await listIn()).sort()).toEqual([away("bob"), two].sort());
  });
});
