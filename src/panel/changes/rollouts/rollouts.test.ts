import { beforeEach, expect, test } from "bun:test";
import type { Person, TestPanel } from "../../../../tests/kit/panel-app.ts";
import type { TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { createRolloutFleet, NEW, OLD, type RolloutFleet } from "../../../../tests/kit/rollout-fleet.ts";
import { createRolloutPanel, rolloutInput } from "../../../../tests/kit/rollout-panel.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { trialsOf } from "../../platform/release-notes/routes.ts";

onEachEngine("rollouts", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  let ada: Person;
  let fleet: RolloutFleet["fleet"];
  let enrol: RolloutFleet["enrol"];
  let beat: RolloutFleet["beat"];
  let look: RolloutFleet["look"];
  let live: RolloutFleet["live"];
  beforeEach(async () => {
    ({ panel, nodes, ada } = await createRolloutPanel(await databases.open()));
    ({ fleet, enrol, beat, look, live } = createRolloutFleet(panel, nodes, ada));
  });

  // By a fresh token: rollouts take longer than one lasts.
  const call = async (route: string, body?: unknown, person = ada) =>
    panel.call(route, { token: await panel.signIn(person), body });
  const begin = async (more: Record<string, unknown> = {}) => {
    const answer = await call("POST /api/fleet/rollouts", rolloutInput(more));
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const get = async (id: string) => (await call(`GET /api/fleet/rollouts/${id}?nodes=true`)).body;

  const touched = () => [...fleet].filter(([, { told }]) => told.length > 0).map(([id]) => id);

  test("goes from stage to stage, each after its soak, and is completed", async () => {
    await enrol(8);
    const begun = await begin({ auto_promote: true });
    expect(begun).toMatchObject({
      state: "running",
      current_stage: 1,
      total_nodes: 8,
      created_by_name: "ada",
      legacy: false,
    });
    expect(
      begun.stage_views.map(({ target_nodes, state }: { target_nodes: number; state: string }) => [
        target_nodes,
        state,
      ]),
    ).toEqual([
      [2, "active"],
      [8, "next"],
    ]);
    await live(1);
    expect(touched()).toHaveLength(2);
    // They alone are told what is new in a version that few try.
    const trials = await Promise.all(
      [...fleet.keys()].map((node_id) => Promise.all(panel.ctx.lists.trials.all().map((read) => read({ node_id })))),
    );
    expect(trials.flat(2)).toEqual([NEW, NEW]);
    // And the people of the workspace, who look at it together.
    const request = (bearer: string) => new Request("http://x/", { headers: { authorization: `Bearer ${bearer}` } });
    const other = await panel.join("elsewhere-than-the-rollout");
    expect([...(await trialsOf(panel.ctx, undefined, request(ada.token)))]).toEqual([NEW]);
    expect([...(await trialsOf(panel.ctx, undefined, request(other.token)))]).toEqual([]);
    await live(12);
    const done = await get(begun.id);
    expect(done).toMatchObject({ state: "completed", done_nodes: 8, touched_nodes: 8 });
    expect([...fleet.values()].map(({ version }) => version)).toEqual(Array.from({ length: 8 }, () => NEW));
    expect([...fleet.values()].map(({ told }) => told.length)).toEqual(Array.from({ length: 8 }, () => 1));
    expect(done.timeline.map(({ kind }: { kind: string }) => kind).toReversed()).toEqual([
      ...["created", "stage_started", "dispatched", "soak_started", "soak_passed"],
      ...["stage_started", "dispatched", "soak_started", "soak_passed", "completed"],
    ]);
    const list = (await call("GET /api/fleet/rollouts")).body;
    expect(list.gated).toBeUndefined();
    expect(list.rollouts.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
      [begun.id, "completed"],
    ]);
    expect(list.rollouts[0].stage_views).toEqual(done.stage_views);
    expect(done.stage_views.map(({ counts }: { counts: { done: number } }) => counts.done)).toEqual([2, 6]);
    const began = done.timeline.filter(({ kind }: { kind: string }) => kind === "stage_started");
    expect(done.stage_views.map(({ started_at }: { started_at: string }) => started_at)).toEqual(
      began.map(({ at }: { at: string }) => at).toReversed(),
    );
    // Neither its nodes nor its lines are gone through for that.
    for (const table of ["rollout_nodes", "rollout_timeline"]) await panel.system.run(`DELETE FROM ${table}`);
    expect((await call("GET /api/fleet/rollouts")).body.rollouts).toEqual(list.rollouts);
  });

  test("a version that answers with failures stops at the first stage", async () => {
    await enrol(8);
    await beat({ errors: 0 });
    const begun = await begin({ auto_promote: true, soak_sec: 600 });
    await live(4, { errors: 2 });
    const paused = await get(begun.id);
    expect(paused).toMatchObject({
      state: "paused",
      reason: { cause: "gate", gate: "error_rate", text: "Error rate 2%, limit 0.5%" },
    });
    await live(2, { errors: 2 });
    expect(touched()).toHaveLength(2);
    const { gate_values } = await get(begun.id);
    expect(gate_values.find(({ gate }: { gate: string }) => gate === "error_rate")).toMatchObject({
      verdict: "breach",
      value: 2,
      evidence: expect.arrayContaining(touched().map((instance_id) => expect.objectContaining({ instance_id }))),
    });
  });

  test("lists tell a filter of any length briefly, and one that is too long is refused", async () => {
    await enrol(2);
    const long = { regions: Array.from({ length: 50 }, (_, no) => `${no}${"r".repeat(100)}`) };
    expect((await call("POST /api/fleet/rollouts", rolloutInput({ filter: long }))).body.code).toBe("invalid_request");
    const begun = await begin({ filter: { instance_ids: Array.from({ length: 300 }, () => "n0") } });
    const told = { group_ids: [], regions: [], tags: [], instance_ids: ["n0"], instance_count: 1 };
    expect(begun.filter).toEqual(told);
    expect((await call("GET /api/fleet/rollouts")).body.rollouts).toMatchObject([{ filter: told, total_nodes: 1 }]);
  });

  test("a server that fails stops it at the first stage, somebody is told, and all go back", async () => {
    await enrol(8);
    const begun = await begin({ auto_promote: true });
    await beat();
    const [first = ""] = touched();
    for (const node of fleet.values())
      node.results = node.results.map((one) => ({
        ...(one as object),
        status: "failed",
        error: `no boot ${"e".repeat(1_900)}`,
      }));
    await live(1, { fails: touched() });
    const paused = await get(begun.id);
    expect(paused).toMatchObject({
      state: "paused",
      reason: { cause: "gate", gate: "failed_boots", threshold: 0, text: "Failed boots 2, limit 0" },
    });
    expect(paused.nodes.find((one: { instance_id: string }) => one.instance_id === first)).toMatchObject({
      state: "failed",
      detail: `no boot ${"e".repeat(191)}…`,
    });
    await live(5);
    expect(touched()).toHaveLength(2);
    const { notifications } = (await call("GET /api/notifications")).body;
    expect(notifications).toMatchObject([{ kind: "canary.paused", link: `/rollouts/${begun.id}` }]);
    const incidents = async (state: string) => (await call(`GET /api/fleet/incidents?state=${state}`)).body.incidents;
    const stopped = { rule: "rollout_stopped", severity: "critical", nodes: 0, link: `/rollouts/${begun.id}` };
    expect(await incidents("open")).toMatchObject([{ ...stopped, over_at: null, reopened: 0 }]);
    await panel.runJob("incidents.judge");
    const [incident] = await incidents("open");
    expect((await call(`GET /api/fleet/incidents/${incident.id}`)).body.timeline).toMatchObject([
      { kind: "opened", text: "Failed boots 2, limit 0", by: null },
    ]);
    const back = await call(`POST /api/fleet/rollouts/${begun.id}/rollback`, { reason: "It does not start" });
    expect(back).toMatchObject({ status: 200, body: { state: "rolling_back" } });
    await live(2);
    expect(await get(begun.id)).toMatchObject({ state: "rolled_back", rolled_back_with_failures: false });
    expect(await incidents("open")).toEqual([]);
    expect(await incidents("over")).toMatchObject([{ id: incident.id, ...stopped }]);
    const [told] = [...fleet.values()].filter((node) => node.told.length > 0);
    expect(told?.told.map(({ type, payload }) => [type, payload])).toEqual([
      ["update.apply", { version: NEW }],
      ["update.apply", { version: OLD, allow_older: true }],
    ]);
    const actions = await panel.system.all<{ action: string }>(
      "SELECT action FROM audit_entries WHERE action LIKE 'fleet.rollout.%' ORDER BY id",
    );
    expect(actions.map(({ action }) => action)).toEqual([
      ...["fleet.rollout.create", "fleet.rollout.state", "fleet.rollout.rollback", "fleet.rollout.state"],
    ]);
  });

  test("whoever lacks the shell takes back what the rollout brought alone, and not what was installed since", async () => {
    await enrol(2);
    const mia = await panel.invite(ada, "mia", "org_manager");
    const stopped = async () => {
      const { id } = await begin({ target_version: "9.9.9", stages: [100] });
      await live(2, { fails: ["n0", "n1"] });
      expect((await get(id)).state).toBe("paused");
      for (const node of fleet.values()) Object.assign(node, { version: "3.0.0", told: [] });
      await beat();
      return id;
    };
    const first = await stopped();
    await call(`POST /api/fleet/rollouts/${first}/rollback`, {}, mia);
    await live(2);
    const left = await get(first);
    expect([...fleet.values()].map(({ told }) => told)).toEqual([[], []]);
    expect(left).toMatchObject({ state: "rolled_back", rolled_back_with_failures: false });
    expect(left.nodes.map(({ state, detail }: { state: string; detail: string }) => [state, detail])).toEqual(
      Array(2).fill(["cancelled", "Left alone: it runs 3.0.0 by now, which is not this rollout's."]),
    );
    expect(left.timeline.map(({ text }: { text: string }) => text)).toContainEqual(
      expect.stringMatching(/^2 nodes left alone, on another version by now: n\d, n\d$/),
    );
    for (const node of fleet.values()) node.version = OLD;
    await beat();
    const brought = await begin({ stages: [100] });
    await live(1);
    await call(`POST /api/fleet/rollouts/${brought.id}/rollback`, {}, mia);
    await live(2);
    expect([...fleet.values()].map(({ version, told }) => [version, told.at(-1)?.payload])).toEqual(
      Array(2).fill([OLD, { version: OLD, allow_older: true, only_from: NEW }]),
    );
    const second = await stopped();
    await call(`POST /api/fleet/rollouts/${second}/rollback`, {});
    await live(2);
    expect([...fleet.values()].map(({ version }) => version)).toEqual([OLD, OLD]);
  });

  test("who is away goes back on return; what was not fetched never is", async () => {
    await enrol(4);
    const begun = await begin({ stages: [50, 100], auto_promote: true });
    // One of the two takes the change and goes silent, the other has not come for it yet.
    const [gone, late] = (await get(begun.id)).nodes.map((one: { instance_id: string }) => one.instance_id);
    await beat({ silent: [late] });
    const back = await call(`POST /api/fleet/rollouts/${begun.id}/rollback`, {});
    expect(back.body.timeline.find(({ kind }: { kind: string }) => kind === "rollback_started")).toMatchObject({
      by: "ada",
    });
    await live(3, { silent: [gone] });
    expect(fleet.get(late)?.told.map(({ payload }) => payload["version"])).toEqual([OLD]);
    await live(45, { silent: [gone] });
    expect(await get(begun.id)).toMatchObject({ state: "rolled_back", rolled_back_with_failures: true });
    await live(1);
    expect(fleet.get(gone)?.version).toBe(OLD);
    expect(await get(begun.id)).toMatchObject({ state: "rolled_back", rolled_back_with_failures: false });
  });

  test("pauses, resumes and is promoted by hand; what is not possible says why", async () => {
    await enrol(4);
    const { id } = await begin();
    expect((await call(`POST /api/fleet/rollouts/${id}/promote`)).body.code).toBe("rollout_state");
    expect((await call(`POST /api/fleet/rollouts/${id}/resume`)).body.code).toBe("rollout_state");
    const paused = await call(`POST /api/fleet/rollouts/${id}/pause`, { reason: "Lunch" });
    expect(paused.body).toMatchObject({ state: "paused", reason: { cause: "manual", text: "Lunch" } });
    await live(3);
    expect((await get(id)).state).toBe("paused");
    expect((await call(`POST /api/fleet/rollouts/${id}/resume`)).body.state).toBe("running");
    await live(6);
    expect(await get(id)).toMatchObject({ state: "awaiting_promotion", current_stage: 1 });
    await live(5);
    expect(touched()).toHaveLength(1);
    const promoted = await call(`POST /api/fleet/rollouts/${id}/promote`);
    expect(promoted.body).toMatchObject({ state: "running", current_stage: 2 });
    await live(8);
    expect((await get(id)).state).toBe("completed");
    expect((await call(`POST /api/fleet/rollouts/${id}/rollback`)).status).toBe(409);
    expect((await call("GET /api/fleet/rollouts/rol_none")).status).toBe(404);
    expect((await call("POST /api/fleet/rollouts/rol_none/pause")).status).toBe(404);
  });

  test("below business nothing begins, what has begun goes on", async () => {
    await enrol(4);
    const setPlan = (plan: string) =>
      panel.system.run("UPDATE tenants SET plan = ? WHERE tenant_id = ?", [plan, ada.tenant_id]);
    const { id } = await begin();
    await setPlan("team");
    const refused = await call("POST /api/fleet/rollouts", rolloutInput({ name: "Again" }));
    expect(refused).toMatchObject({
      status: 402,
      body: { error: "upgrade_required", feature: "staged_rollouts", required_plan: "business" },
    });
    expect((await call("POST /api/fleet/canary", { target_version: NEW })).status).toBe(402);
    expect((await call("GET /api/fleet/rollouts")).body).toMatchObject({ gated: true, required_plan: "business" });
    expect((await call(`POST /api/fleet/rollouts/${id}/pause`)).body.state).toBe("paused");
    expect((await call(`POST /api/fleet/rollouts/${id}/resume`)).body.state).toBe("running");
    // One that has sent nothing yet waits for the plan.
    await panel.system.run("UPDATE rollouts SET is_started = 0, state = 'paused' WHERE id = ?", [id]);
    expect((await call(`POST /api/fleet/rollouts/${id}/resume`)).status).toBe(402);
    await setPlan("enterprise");
    expect((await call(`POST /api/fleet/rollouts/${id}/resume`)).status).toBe(200);
  });

  test("of a suspended workspace sends nothing more, and waits for somebody once it is opened again", async () => {
    await enrol(4);
    const { id } = await begin({ auto_promote: true });
    await live(1);
    const sent = touched();
    const suspend = (status: string) =>
      panel.system.run("UPDATE tenants SET status = ? WHERE tenant_id = ?", [status, ada.tenant_id]);
    await suspend("suspended");
    await live(8);
    expect(touched()).toEqual(sent);
    await suspend("active");
    await live(8);
    expect(await get(id)).toMatchObject({ state: "paused", reason: { cause: "suspended" } });
    expect(touched()).toEqual(sent);
    expect((await call(`POST /api/fleet/rollouts/${id}/resume`)).body.state).toBe("running");
    await live(20);
    expect(await get(id)).toMatchObject({ state: "completed" });
  });

  test("an older canary has two stages, and only goes on or back", async () => {
    await enrol(4);
    const { body } = await call("POST /api/fleet/canary", { target_version: NEW, canary_percent: 25 });
    expect(body).toMatchObject({ legacy: true, stages: [25, 100], state: "running" });
    expect((await call(`POST /api/fleet/rollouts/${body.id}/pause`)).body.code).toBe("rollout_legacy");
    expect((await call("GET /api/fleet/rollouts?legacy=false")).body.rollouts).toEqual([]);
    expect((await call("GET /api/fleet/rollouts")).body.rollouts).toHaveLength(1);
    expect((await call(`POST /api/fleet/rollouts/${body.id}/rollback`)).body.state).toBe("rolling_back");
  });

  test("takes those that match, are there, need it and are in no other one", async () => {
    await enrol(6);
    await call("PUT /api/fleet/instances/n0/tags", { tags: ["prod"] });
    await call("PUT /api/fleet/instances/n1/tags", { tags: ["prod"] });
    const preview = (await call("POST /api/fleet/rollouts/preview", rolloutInput({ filter: { tags: ["prod"] } }))).body;
    expect(preview).toMatchObject({ nodes: 2, left_out: { offline: 0, on_target: 0, busy: 0 } });
    await begin({ filter: { tags: ["prod"] } });
    const rest = (await call("POST /api/fleet/rollouts/preview", rolloutInput())).body;
    expect(rest).toMatchObject({ nodes: 4, left_out: { busy: 2 } });
    expect(rest.stages.map(({ nodes: count }: { nodes: number }) => count)).toEqual([1, 3]);
    // Whoever looks keeps nobody from writing.
    const token = await panel.signIn(ada);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const held = panel.system.tx(() => over);
    const again = await panel.call("POST /api/fleet/rollouts/preview", { token, body: rolloutInput() });
    expect(again.body).toMatchObject({ nodes: 4 });
    end();
    await held;
    const none = await call("POST /api/fleet/rollouts", rolloutInput({ filter: { instance_ids: ["n0"] } }));
    expect([none.status, none.body.code]).toEqual([422, "rollout_no_nodes"]);
    expect((await call("POST /api/fleet/rollouts", rolloutInput({ filter: { instance_ids: ["else"] } }))).status).toBe(
      404,
    );
    expect((await call("POST /api/fleet/rollouts", rolloutInput({ filter: { group_ids: ["grp_else"] } }))).status).toBe(
      404,
    );
    for (const stages of [
      [10, 50],
      [50, 10, 100],
      [100, 100],
    ])
      expect((await call("POST /api/fleet/rollouts", rolloutInput({ stages }))).body.code).toBe(
        "rollout_stages_invalid",
      );
  });

  test("of several that begin in the same instant one has the nodes, and no node is in two", async () => {
    await enrol(4);
    const token = await panel.signIn(ada);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => panel.call("POST /api/fleet/rollouts", { token, body: rolloutInput() })),
    );
    const told = answers.map(({ status, body }) => (status === 200 ? "begun" : body.code));
    expect(told.toSorted()).toEqual(["begun", ...Array(3).fill("rollout_no_nodes")]);
  });

  test("changes of apps and of configuration are what nodes can do and take back", async () => {
    await enrol(2);
    const app = { app_id: "a1", name: "wiki", status: "running", image: "i", restart_count: 0 };
    await nodes.heartbeat("n0", { hostname: "host-n0", version: OLD, apps: [app] });
    const action = {
      ...{ command_type: "app.stop", payload: { app: "wiki" } },
      ...{ rollback_command_type: "app.start", rollback_payload: { app: "wiki" } },
    };
    const { id } = await begin({ kind: "app", action, soak_sec: 0 });
    await beat();
    expect(fleet.get("n0")?.told).toMatchObject([{ type: "app.stop", payload: { app_id: "a1" } }]);
    await call(`POST /api/fleet/rollouts/${id}/rollback`);
    await live(1);
    expect(fleet.get("n0")?.told[1]).toMatchObject({ type: "app.start", payload: { app_id: "a1" } });
    expect((await get(id)).state).toBe("rolled_back");
    const codes = await Promise.all(
      [
        { kind: "app" },
        { kind: "config", action },
        { kind: "os_version", action },
        {
          kind: "config",
          action: { command_type: "run_command", payload: { command: "x" }, rollback_command_type: "rm" },
        },
        { kind: "config", action: { ...action, command_type: "run_command", payload: {} } },
      ].map(async (more) => (await call("POST /api/fleet/rollouts", rolloutInput(more))).body.code),
    );
    expect(codes).toEqual([
      ...["rollout_action_missing", "rollout_action_invalid", "rollout_action_invalid", "rollout_action_invalid"],
      "invalid_request",
    ]);
  });

  test("two steps at once: one is kept, the other is made anew on what it left", async () => {
    await enrol(4);
    const { id } = await begin();
    await Promise.all([
      look(),
      call(`POST /api/fleet/rollouts/${id}/pause`),
      call(`POST /api/fleet/rollouts/${id}/pause`),
    ]);
    const { timeline } = await get(id);
    expect(timeline.filter(({ kind }: { kind: string }) => kind === "paused")).toHaveLength(1);
  });
});
