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
  const presences = createPresences(clock, 2);
  for (const member of ["a", "b", "c"]) presences.note("t", member, "/");
  expect(presences.list("t", 9).map(({ memberId }) => memberId)).toEqual(["c", "b"]);
  await clock.advance(-60_000);
  expect(presences.find("t", "c")).toBeNull();
});
