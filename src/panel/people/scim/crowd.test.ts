import { expect, spyOn, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { SCIM_PATCH, useDirectories } from "../../../../tests/kit/scim-directory.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { byDirectory } from "../../event-meaning.ts";
import { createTurns } from "./turns.ts";

const { makeWorld, panel: ofTest } = useDirectories("sqlite");

/** A directory whose workspace has so many members, and their ids. */
async function makeLarge(members: number) {
  const world = await makeWorld();
  const { system } = ofTest();
  const { tenant_id } = world.owner;
  const ids = Array.from({ length: members }, (_, no) => `mem_${tenant_id}_${String(no).padStart(4, "0")}`);
  const rows = JSON.stringify(ids);
  await system.run(
    `INSERT INTO accounts (id, email, display_name, password_hash, created_at)
     SELECT 'acc' || value, lower(value) || '@example.org', value, '', 1 FROM json_each(?)`,
    [rows],
  );
  await system.run(
    `INSERT INTO members (tenant_id, id, account_id, role, created_at)
     SELECT ?, value, 'acc' || value, 'org_viewer', 1 FROM json_each(?)`,
    [tenant_id, rows],
  );
  const count = async () =>
    (await system.get<{ n: number }>("SELECT count(*) AS n FROM scim_group_members WHERE tenant_id = ?", [tenant_id]))
      ?.n;
  return { ...world, ids, count, of: (some: readonly string[]) => some.map((value) => ({ value })) };
}

test("a change of many members lets others write between its parts, and a stranger among them stops it before the first", async () => {
  const { scim, call, ids, count, of, roleOf } = await makeLarge(250);
  const other = await ofTest().join("somebody-else");
  const refused = await scim("POST /Groups", { displayName: "Bad", members: of([...ids, "mem_nobody"]) });
  expect([refused.status, await count(), (await scim("GET /Groups")).body.totalResults]).toEqual([400, 0, 0]);
  const { id } = (await scim("POST /Groups", { displayName: "All" })).body;
  await call(`PUT /api/scim/groups/${id}`, { role: "org_manager" });
  /** How many members the group has when somebody else's writing, which began with the change, is through. */
  const meanwhile = async (change: Promise<{ status: number }>) => {
    const written = ofTest().call("PUT /api/auth/profile", { token: other.token, body: { name: "Other" } });
    expect((await written).status).toBe(200);
    const then = await count();
    expect((await change).status).toBeLessThan(300);
    return then;
  };
  expect(await meanwhile(scim(`PUT /Groups/${id}`, { displayName: "All", members: of(ids) }))).toBeLessThan(250);
  expect([await count(), await roleOf(ids[249] ?? "")]).toEqual([250, "org_manager"]);
  expect((await scim(`GET /Groups/${id}`)).body.members).toHaveLength(250);
  expect(await meanwhile(scim(`DELETE /Groups/${id}`))).toBeGreaterThan(0);
  expect([await count(), await roleOf(ids[249] ?? ""), (await scim("GET /Groups")).body.totalResults]).toEqual([
    ...[0, "org_viewer", 0],
  ]);
});

test("a part of what is dear ends before it has its hundred members, for a change of the directory and of a role by hand", async () => {
  const { scim, call, ids, of, owner, count } = await makeLarge(60);
  const { clock, ctx, system } = ofTest();
  const { id } = (await scim("POST /Groups", { displayName: "All" })).body;
  let now = clock.monotonic();
  /** How many transactions a change takes where each member costs 10 ms. */
  const partsOf = async (change: () => Promise<{ status: number }>) => {
    const ticking = spyOn(clock, "monotonic").mockImplementation(() => (now += 10));
    const begun = spyOn(ctx.tenants, "lockMembers");
    const { status } = await change();
    const parts = begun.mock.calls.length;
    for (const spy of [ticking, begun]) spy.mockRestore();
    // The pause after it is over.
    await clock.advance(2_000);
    expect(status).toBe(200);
    return parts;
  };
  // Three members in each: what would begin after 25 ms is the next part's.
  expect(await partsOf(() => scim(`PUT /Groups/${id}`, { displayName: "All", members: of(ids) }))).toBeGreaterThan(15);
  expect(await partsOf(() => call(`PUT /api/scim/groups/${id}`, { role: "org_manager" }))).toBeGreaterThan(15);
  const managers = "SELECT count(*) AS n FROM members WHERE tenant_id = ? AND role = 'org_manager'";
  expect([await count(), await system.get<{ n: number }>(managers, [owner.tenant_id])]).toEqual([60, { n: 60 }]);
});

test("what a change comes to is found out before anything is held", async () => {
  const { scim, ids, of, count } = await makeLarge(250);
  const { id } = (await scim("POST /Groups", { displayName: "All", members: of(ids) })).body;
  const begun = spyOn(ofTest().ctx.tenants, "lockMembers");
  const add = [{ op: "add", path: "members", value: of(["mem_nobody"]) }];
  const { status, body } = await scim(`PATCH /Groups/${id}`, { schemas: [SCIM_PATCH], Operations: add });
  expect([status, body.detail]).toEqual([400, expect.stringContaining("mem_nobody")]);
  expect((await scim("PUT /Groups/gone", { displayName: "Gone", members: of(ids) })).status).toBe(404);
  expect([begun.mock.calls.length, await count()]).toEqual([0, 250]);
  begun.mockRestore();
});

test("a panel that is killed while a group's new role reaches its members goes on with those who are left", async () => {
  const { scim, call, ids, of, owner } = await makeLarge(250);
  const { system, runJob } = ofTest();
  const { id } = (await scim("POST /Groups", { displayName: "All", members: of(ids) })).body;
  const managers = async () => {
    const sql = "SELECT count(*) AS n FROM members WHERE tenant_id = ? AND role = 'org_manager'";
    return (await system.get<{ n: number }>(sql, [owner.tenant_id]))?.n;
  };
  await system.run(
    `CREATE TRIGGER cut BEFORE UPDATE ON members WHEN NEW.id = '${ids[150]}' BEGIN SELECT RAISE(ABORT, 'killed'); END`,
  );
  expect((await call(`PUT /api/scim/groups/${id}`, { role: "org_manager" })).status).toBe(500);
  expect(await managers()).toBe(100);
  await system.run("DROP TRIGGER cut");
  await runJob("scim.carry_on");
  expect(await managers()).toBe(250);
  // Whoever is given another role by hand later keeps it: there is nothing left to do.
  await system.run("UPDATE members SET role = 'org_viewer' WHERE tenant_id = ? AND id = ?", [
    owner.tenant_id,
    ids[3] ?? "",
  ]);
  await runJob("scim.carry_on");
  expect(await managers()).toBe(249);
});

test("one request of a directory is answered at a time, some wait, more are sent away, and no other directory waits", async () => {
  const inTurn = createTurns(createFakeClock());
  const first = Promise.withResolvers<void>();
  const answered: number[] = [];
  const ask = async (tenant: string, no: number): Promise<string> => {
    try {
      await inTurn(tenant, async () => {
        if (no === 0) await first.promise;
        answered.push(no);
      });
      return "answered";
    } catch (error) {
      return error instanceof AppError ? error.code : "failed";
    }
  };
  const asked = Array.from({ length: 40 }, (_, no) => ask("one", no));
  await ask("other", -1);
  expect(answered).toEqual([-1]);
  first.resolve();
  const outcomes = await Promise.all(asked);
  expect(outcomes.filter((outcome) => outcome === "too_many_requests")).toHaveLength(10);
  expect(answered).toEqual([-1, ...Array.from({ length: 30 }, (_, no) => no)]);
});

test("after a long request comes a pause, for which its answer does not wait, and after a short one none", async () => {
  const clock = createFakeClock();
  const inTurn = createTurns(clock);
  await inTurn("one", async () => void (await clock.advance(400)));
  // The pause begins once the answer has left.
  await clock.advance(0);
  const answered: string[] = [];
  const next = inTurn("one", async () => void answered.push("next"));
  await clock.advance(349);
  expect(answered).toEqual([]);
  await clock.advance(1);
  await next;
  await inTurn("one", async () => void (await clock.advance(50)));
  await inTurn("one", async () => void answered.push("after a short one"));
  expect(answered).toEqual(["next", "after a short one"]);
});

test("a list of members has the groups of each, asked for together", async () => {
  const { scim, ids, of } = await makeLarge(210);
  for (const displayName of ["B", "A"]) await scim("POST /Groups", { displayName, members: of(ids.slice(205)) });
  const page = (await scim("GET /Users?count=200&startIndex=11")).body.Resources;
  expect(page).toHaveLength(200);
  const groups = page.map((user: { groups: { display: string }[] }) => user.groups.map(({ display }) => display));
  expect([groups[0], groups.at(-1)]).toEqual([[], ["A", "B"]]);
});

test("what a directory has written into the log has a bound that its changes wait for, while it reads on and takes people out", async () => {
  const panel = ofTest();
  const { owner, scim, addUser, host } = await makeWorld();
  const other = await makeWorld();
  const by = byDirectory(owner.tenant_id, "198.51.100.9");
  const note = (lines: number) => {
    for (let no = 0; no < lines; no++) panel.ctx.audit.acts.note(by);
  };
  // Two rounds of all the members that a workspace may have.
  note(39_000);
  const [ida, max, eva] = [await addUser("ida"), await addUser("max"), await addUser("eva")];
  expect(ida.active).toBe(true);
  const group = (await scim("POST /Groups", { displayName: "All", members: [{ value: max.id }] })).body;
  note(1_000);
  const refused = await scim("POST /Users", {});
  expect([refused.status, Number(refused.headers.get("retry-after")) > 100]).toEqual([429, true]);
  // One change may have as many lines as there are members: what is over is made up for.
  note(10_000);
  const later = await scim("POST /Users", {});
  expect([later.status, Number(later.headers.get("retry-after")) > 20_000]).toEqual([429, true]);
  expect([(await scim("GET /Users")).status, (await other.addUser("bo")).active]).toEqual([200, true]);
  const patch = async (path: string, op: Record<string, unknown>) =>
    (await scim(`PATCH ${path}`, { schemas: [SCIM_PATCH], Operations: [op] })).status;
  const setActive = (value: boolean) => patch(`/Users/${ida.id}`, { op: "replace", path: "active", value });
  expect([await setActive(false), await setActive(true), await setActive(false)]).toEqual([200, 429, 200]);
  const inGroup = (op: string, id: string) =>
    patch(`/Groups/${group.id}`, { op, path: "members", value: [{ value: id }] });
  expect([await inGroup("add", eva.id), await inGroup("remove", max.id)]).toEqual([429, 200]);
  const user = { userName: `eva@${host}`, displayName: "Eve" };
  expect([
    (await scim(`PUT /Users/${eva.id}`, { ...user, active: true })).status,
    (await scim(`PUT /Users/${eva.id}`, { ...user, active: false })).status,
    (await scim(`DELETE /Users/${max.id}`)).status,
    (await scim(`DELETE /Groups/${group.id}`)).status,
    (await scim("POST /Groups", { displayName: "New" })).status,
  ]).toEqual([429, 200, 204, 204, 429]);
});

test("a directory that brings people in and removes them without end is told to stop", async () => {
  const { owner, scim, addUser, host } = await makeWorld();
  const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)";
  const key = owner.tenant_id;
  await ofTest().system.tx(async (tx) => {
    await tx.run(`INSERT INTO accounts (id, email, display_name, password_hash, created_at)
      ${numbers} SELECT '${key}' || i, '${key}' || i, '', '', 1 FROM n`);
    await tx.run(`INSERT INTO members (tenant_id, id, account_id, role, status, created_at)
      ${numbers} SELECT '${key}', 'mem_' || i, '${key}' || i, 'org_viewer', 'disabled', 1 FROM n`);
    await tx.run(`INSERT INTO scim_users (tenant_id, member_id, user_name, user_key, email, display_name, state, created_at, updated_at)
      ${numbers} SELECT '${key}', 'mem_' || i, '' || i, '' || i, '', '', 'gone', 1, 1 FROM n`);
  });
  await ofTest().system.run("UPDATE accounts SET email = ? WHERE id = ?", [`back@${host}`, `${key}1`]);
  expect((await addUser("back")).active).toBe(true);
  const { status, body } = await scim("POST /Users", { userName: `new@${host}` });
  expect([status, body.detail]).toEqual([403, expect.stringContaining("50000 people")]);
});
