import { beforeAll, expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import type { MemberPresence } from "./contract.ts";
import { createPresences, HERE_MS } from "./presences.ts";

onEachEngine("presence", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });
  const beat = (token: string, page: string) => panel.call("POST /api/presence/heartbeat", { token, body: { page } });
  const list = async (token: string, query = "") => {
    const { body } = await panel.call(`GET /api/presence${query}`, { token });
    const short = ({ display_name, presence, current_page }: MemberPresence) => [display_name, presence, current_page];
    return { users: body.users.map(short), members: body.members.map(short) };
  };

  test("who has a page open is here, with the page, until they are not heard of for five minutes", async () => {
    const owner = await panel.join("here-owner");
    const viewer = await panel.invite(owner, "here-viewer", "org_viewer");
    expect((await beat(viewer.token, "/nodes/nod_1")).status).toBe(204);
    await panel.clock.advance(30_000);
    await beat(owner.token, "/team");
    await panel.clock.advance(40_000);
    const seen = await list(owner.token);
    expect(seen.users).toEqual([
      ["here-owner", "online", "/team"],
      ["here-viewer", "idle", "/nodes/nod_1"],
    ]);
    expect(seen.members.toSorted()).toEqual(seen.users);
    expect((await list(owner.token, "?limit=1")).users).toEqual([["here-owner", "online", "/team"]]);
    const { body: team } = await panel.call("GET /api/team/members", { token: owner.token });
    expect(team.find(({ id }: { id: string }) => id === viewer.member_id)).toMatchObject({
      presence: "idle",
      current_page: "/nodes/nod_1",
    });
    await panel.clock.advance(HERE_MS);
    const later = await list(owner.token);
    expect(later.users).toEqual([]);
    expect(later.members.map(([, presence, page]: string[]) => [presence, page])).toEqual([
      ["offline", null],
      ["offline", null],
    ]);
  });

  test("nobody is shown to another workspace, nor after their membership has ended", async () => {
    const owner = await panel.join("own");
    const gone = await panel.invite(owner, "gone", "org_viewer");
    const stranger = await panel.join("stranger");
    await beat(owner.token, "/");
    await beat(gone.token, "/fleet");
    await beat(stranger.token, "/secret");
    expect((await list(stranger.token)).users).toEqual([["stranger", "online", "/secret"]]);
    await panel.call(`DELETE /api/team/members/${gone.member_id}`, { token: owner.token });
    expect((await list(owner.token)).users).toEqual([["own", "online", "/"]]);
  });

  test("an open stream of changes says that somebody is here, and tells the others", async () => {
    const owner = await panel.join("stream-owner");
    const viewer = await panel.invite(owner, "stream-viewer", "org_viewer");
    const stranger = await panel.join("stream-stranger");
    const source = panel.ctx.lists.changes.all().find(({ topic }) => topic === "presence");
    if (!source) throw new Error("nobody tells of presence");
    const told: string[] = [];
    const ends = [owner, stranger].map((who) => source.onChange(who, () => void told.push(who.email)));
    await panel.clock.advance(5_000);
    told.length = 0;
    const end = source.onChange(viewer, () => {});
    await panel.clock.advance(5_000);
    expect(told).toEqual([owner.email]);
    await panel.clock.advance(HERE_MS);
    expect((await list(owner.token)).users.toSorted()).toEqual([
      ["stream-owner", "online", null],
      ["stream-viewer", "online", null],
    ]);
    end();
    await panel.clock.advance(90_000);
    expect((await list(owner.token)).users).toContainEqual(["stream-viewer", "idle", null]);
    for (const stop of ends) stop();
  });

  test("whoever looks at the members hears of another role, and nobody of another workspace does", async () => {
    const owner = await panel.join("role-owner");
    const viewer = await panel.invite(owner, "role-viewer", "org_viewer");
    const stranger = await panel.join("role-stranger");
    const source = panel.ctx.lists.changes.all().find(({ topic }) => topic === "team");
    if (!source) throw new Error("nobody tells of members");
    const told: string[] = [];
    const ends = [owner, stranger].map((who) => source.onChange(who, () => void told.push(who.email)));
    const path = `PUT /api/team/members/${viewer.member_id}/role`;
    expect((await panel.call(path, { token: owner.token, body: { role: "org_manager" } })).status).toBe(200);
    await panel.clock.advance(5_000);
    expect(told).toEqual([owner.email]);
    for (const stop of ends) stop();
  });

  test("finds those who are here also where more belong to the workspace than are listed", async () => {
    const owner = await panel.join("crowd-owner");
    const viewers = [
      await panel.invite(owner, "crowd-a", "org_viewer"),
      await panel.invite(owner, "crowd-b", "org_viewer"),
    ];
    for (const { token } of viewers) await beat(token, "/fleet");
    const { users, members } = await list(owner.token, "?limit=2");
    expect(users.map(([name]: string[]) => name)).toEqual(["crowd-b", "crowd-a"]);
    expect(members.length).toBe(2);
  });

  test("takes the path of a page and nothing else", async () => {
    const { token } = await panel.join("paths");
    for (const page of [
      "",
      "fleet",
      "https://example.org/",
      "//evil.example",
      "/\\evil.example",
      "/a?token=1",
      "/a#b",
      "/a\u202eb",
      `/${"a".repeat(200)}`,
    ])
      expect([page, (await beat(token, page)).status]).toEqual([page, 400]);
    expect((await panel.call("GET /api/presence?limit=0", { token })).status).toBe(400);
    expect((await panel.call("GET /api/presence")).status).toBe(401);
  });
});

test("keeps only so many people, and none whose time lies ahead after the clock was set back", async () => {
  const clock = createFakeClock();
  const presences = createPresences(clock, () => {}, 2);
  for (const member of ["a", "b", "c"]) presences.note("t", member, "/");
  expect(presences.list("t", 9).map(({ memberId }) => memberId)).toEqual(["c", "b"]);
  await clock.advance(-60_000);
  expect(presences.find("t", "c")).toBeNull();
});

test("whoever is held is here without another word, and ages once all of their pages are gone", async () => {
  const clock = createFakeClock();
  const presences = createPresences(clock, () => {});
  const letGo = [presences.hold("t", "a"), presences.hold("t", "a")];
  presences.note("t", "a", "/fleet");
  await clock.advance(10 * HERE_MS);
  expect(presences.find("t", "a")).toEqual({ at: clock.now(), page: "/fleet" });
  letGo[0]?.();
  letGo[0]?.();
  await clock.advance(HERE_MS);
  expect(presences.find("t", "a")?.at).toBe(clock.now());
  letGo[1]?.();
  const left = clock.now();
  await clock.advance(HERE_MS - 1);
  expect(presences.find("t", "a")).toEqual({ at: left, page: "/fleet" });
  await clock.advance(1);
  expect(presences.find("t", "a")).toBeNull();
});

test("tells of who comes, goes, or looks at another page, and not of who is still there", async () => {
  const clock = createFakeClock();
  const told: string[] = [];
  const presences = createPresences(clock, (tenantId) => told.push(tenantId));
  const countOf = (act: () => void): number => {
    told.length = 0;
    act();
    return told.filter((tenantId) => tenantId === "t").length;
  };
  let letGo = () => {};
  expect(
    countOf(() => {
      letGo = presences.hold("t", "a");
    }),
  ).toBe(1);
  expect(countOf(() => presences.note("t", "a", "/fleet"))).toBe(1);
  expect(countOf(() => presences.note("t", "a", "/fleet"))).toBe(0);
  expect(countOf(() => presences.note("t", "a", "/team"))).toBe(1);
  expect(countOf(() => presences.note("other", "b", "/team"))).toBe(0);
  expect(countOf(() => letGo())).toBe(0);
  await clock.advance(HERE_MS);
  expect(countOf(() => presences.forgetTheGone())).toBe(1);
});
